# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Types of arrays."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Bools = NDArray[np.bool_]
