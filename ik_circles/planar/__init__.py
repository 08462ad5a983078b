"""Three joints in their plane: every solution of a pose, the verdict on a target, the choice."""
