"""What the node decides about a stream of targets, without ROS."""
