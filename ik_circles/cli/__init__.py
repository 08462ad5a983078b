"""The command line `ik-circles`: can this arm get there, and with which joint angles?

`main` reads the arguments and turns errors into a sentence; each command has a module of its name.
"""
