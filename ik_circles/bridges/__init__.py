# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm behind the interfaces of other projects, which are not imported."""
