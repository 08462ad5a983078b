"""`pip install .` gives the core without ROS; pyproject.toml has all but its packages.

The shipped robots are a package of data, because their folder stands beside that of the code.
"""

from setuptools import find_packages, setup

CODE = find_packages(include=['ik_circles*'], exclude=['ik_circles.ros*'])  # ros: with colcon

setup(
    packages=[*CODE, 'ik_circles.urdf'],
    package_dir={'ik_circles.urdf': 'urdf'},
    package_data={'ik_circles.urdf': ['*.urdf']},
)
