"""`pip install .` gives the core without ROS; all metadata is in pyproject.toml."""

from setuptools import setup

setup()
