"""Quality of service that more than one node uses."""

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

try:
    from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
except ImportError:  # before Iron
    from rclpy.qos_event import PublisherEventCallbacks, SubscriptionEventCallbacks

LATEST = QoSProfile(depth=1)
#: Where several nodes tell of different joints, none is lost for the newest of another.
MEASURED = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: For publishers: rclpy's executor looks at every event handler for every message. A subscriber
#: whose quality of service does not fit is told so by its own node.
NO_EVENTS = PublisherEventCallbacks(use_default_callbacks=False)

#: For subscriptions that end before their node does: with event handlers the events executor may
#: crash then (ros2/rclpy#1644).
NO_EVENTS_HEARD = SubscriptionEventCallbacks(use_default_callbacks=False)
