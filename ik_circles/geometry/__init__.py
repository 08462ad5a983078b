"""Geometry that knows no arm: angles, intervals, circles, arcs, rigid transforms and checks."""
