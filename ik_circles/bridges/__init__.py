"""The arm behind the interfaces of other projects, which are not imported."""
