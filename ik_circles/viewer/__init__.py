"""A page in the browser to see an arm and steer it. Needs viser, the extra `viewer`, but no ROS."""
