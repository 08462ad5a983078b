"""How the arm of a robot is moved: goals, jogs and targets, planned, played and stopped."""
