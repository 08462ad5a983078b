"""The ROS 2 shell: parameters, conversions and thin nodes. The only place that imports rclpy."""
