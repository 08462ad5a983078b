"""Quality of service that more than one node uses."""

from rclpy.qos import DurabilityPolicy, QoSProfile

try:
    from rclpy.event_handler import PublisherEventCallbacks
except ImportError:  # before Iron
    from rclpy.qos_event import PublisherEventCallbacks

LATEST = QoSProfile(depth=1)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: For publishers: rclpy's executor looks at every event handler for every message. A subscriber
#: whose quality of service does not fit is told so by its own node.
NO_EVENTS = PublisherEventCallbacks(use_default_callbacks=False)
