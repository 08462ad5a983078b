"""Pictures of arms, and the colors of every picture and page."""
