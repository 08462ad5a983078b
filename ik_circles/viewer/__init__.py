# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A page in the browser to see and steer an arm. Needs viser (the extra `viewer`), but no ROS."""
