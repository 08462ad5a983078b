# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`pip install .` gives the core without ROS; pyproject.toml has all but its packages and contact.

The shipped robots are a package of data, because their folder stands beside that of the code. The
contact and the URLs stand in package.xml, once.
"""

from xml.etree import ElementTree

from setuptools import find_packages, setup

CODE = find_packages(include=['ik_circles*'], exclude=['ik_circles.ros*'])  # ros: with colcon
PACKAGE = ElementTree.parse('package.xml')

setup(
    packages=[*CODE, 'ik_circles.urdf'],
    package_dir={'ik_circles.urdf': 'urdf'},
    package_data={'ik_circles.urdf': ['*.urdf']},
    maintainer=PACKAGE.findtext('maintainer'),
    maintainer_email=PACKAGE.find('maintainer').get('email'),
    project_urls={url.get('type'): url.text for url in PACKAGE.iterfind('url')},
)
