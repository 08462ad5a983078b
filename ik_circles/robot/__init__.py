"""A robot from its URDF: the arm inside it is found, and questions are answered by joint name."""
