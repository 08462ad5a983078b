# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Pictures of arms, drawn by matplotlib."""
