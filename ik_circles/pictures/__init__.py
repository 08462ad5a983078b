"""Pictures of arms, drawn by matplotlib."""
