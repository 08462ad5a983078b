# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Tolerances that several floors share: each has its unit and its reason here, once."""

#: A miss of at most this share of the reach counts as a hit. It is about a thousand roundings of
#: a float: more than the closed forms make, less than any robot can measure.
TOLERANCE = 1e-13
#: Axes that lean by at most this in total, or miss each other by it, are exact up to rounding
#: [rad, m]. Joints at own poses then stay within a tolerance of their limits. A URDF that writes
#: 3.14159265359 for pi leans more.
EXACT_AXES = TOLERANCE / 5.0
#: A solution put exactly on a limit may miss the target by this many tolerances: the joint moved by
#: one tolerance, and the others follow it through a triangle.
CLOSURE = 9.0
#: A bend of no more than this is straight [rad]: its side of the line is rounding.
STRAIGHT = 1e-9
#: An elbow that is found nearer to straight or folded than this may be meant with either bend [1, a
#: sine]. A wrist that is moved by one tolerance straightens it.
EITHER_ELBOW = 1e-6
#: Angles with this many decimals in common are the same [decimals of rad]: the rest is rounding.
SAME_DIGITS = 9
