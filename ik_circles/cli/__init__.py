"""The command line `ik-circles`."""
