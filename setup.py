"""`pip install .`: the core without ROS. Metadata: pyproject.toml; the version: package.xml."""

from pathlib import Path
from xml.etree import ElementTree

from setuptools import setup

PACKAGE_XML = Path(__file__).with_name('package.xml')

setup(version=ElementTree.parse(PACKAGE_XML).findtext('version'))
