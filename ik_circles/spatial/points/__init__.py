# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Points in space: the ways to one, the choice among them, and the verdict."""
