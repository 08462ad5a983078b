# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A step of a LeRobot pipeline that keeps targets inside the workspace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ik_circles.bridges.lerobot.kinematics import RobotKinematics
from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.geometry.values import quoted
from ik_circles.robot.text import listed

#: Where LeRobot has the wanted pose of the tip: a position [m] and a rotation vector [rad].
POSITION, ROTATION_VECTOR = ('ee.x', 'ee.y', 'ee.z'), ('ee.wx', 'ee.wy', 'ee.wz')


@dataclass
class EEInsideWorkspace:
    """A step of a LeRobot pipeline: a target out of reach becomes the nearest one within reach.

    It changes `ee.x`, `ee.y` and `ee.z` of an action, where the box of `EEBoundsAndSafety` would
    clip them. The orientation stays, for the step after it. LeRobot takes only subclasses of its
    `ProcessorStep`: `ProcessorStep.register(EEInsideWorkspace)` makes this one.

    Parameters
    ----------
    kinematics : RobotKinematics
        The arm; that of this module.
    orientation_weight : float
        As that of the step after it, `InverseKinematicsEEToJoints`.
    """

    kinematics: RobotKinematics
    orientation_weight: float = 0.01

    def __call__(self, transition: Mapping[str, Any]) -> dict[str, Any]:
        """The transition with its action's target inside the workspace.

        Parameters
        ----------
        transition : mapping
            LeRobot's EnvTransition, with an action of `ee.x` to `ee.wz`, and an observation of
            the joints, such as `shoulder_pan.pos` [deg].

        Returns
        -------
        dict
            A copy with the new action.

        Raises
        ------
        InvalidArmError, NotFiniteError
            If numbers are missing or are not finite.
        """
        changed = dict(transition)
        action, observation = changed.get('action'), changed.get('observation')
        x, y, z, *vector = _numbers_in('the action', action, (*POSITION, *ROTATION_VECTOR))
        names = [f'{name}.pos' for name in self.kinematics.joint_names]
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = _rotation_of(np.array(vector)), (x, y, z)
        now = np.array(_numbers_in('the observation', observation, names))
        nearest = self.kinematics.nearest_position(now, pose, self.orientation_weight)
        if nearest is not None:
            changed['action'] = {**(action or {}), **dict(zip(POSITION, nearest))}
        return changed

    def transform_features(self, features: Any) -> Any:
        """Features go through unchanged.

        Parameters
        ----------
        features : dict
            LeRobot's features of observations and actions.

        Returns
        -------
        dict
            The same.
        """
        return features

    def get_config(self) -> dict[str, Any]:
        """The settings that LeRobot saves with a pipeline: not the kinematics, which loading needs.

        Returns
        -------
        dict
            The settings of this step.
        """
        return {'orientation_weight': self.orientation_weight}

    def state_dict(self) -> dict[str, Any]:
        """Nothing is learned.

        Returns
        -------
        dict
            Empty.
        """
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Nothing is learned.

        Parameters
        ----------
        state : mapping
            Ignored.
        """

    def save_artifacts(self, save_directory: Any) -> dict[str, str]:
        """No files belong to this step.

        Parameters
        ----------
        save_directory : path
            Ignored.

        Returns
        -------
        dict
            Empty.
        """
        return {}

    def reset(self) -> None:
        """Nothing is remembered from one target to the next."""


def _numbers_in(what: str, values: object, names: list[str] | tuple[str, ...]) -> list[float]:
    """The finite numbers of these names; InvalidArmError, NotFiniteError say what is wrong."""
    if not isinstance(values, Mapping):
        raise InvalidArmError(f'{what} is {quoted(values)}; give a dict with {listed(names)}')
    missing = [name for name in names if values.get(name) is None]
    if missing:
        raise InvalidArmError(f'{what} lacks {listed(missing)}; it must have {listed(names)}')
    return [checks.number(name, values[name]) for name in names]


def _rotation_of(vector: Floats) -> Matrix:
    """The rotation (3x3) about a vector by its length [rad]."""
    angle = float(np.linalg.norm(vector))
    return rotation_about(vector / angle, angle) if angle > 0.0 else np.eye(3)
