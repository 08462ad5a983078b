# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Other libraries' inverse kinematics, asked for the same poses.

Where a peer has a tolerance it is tightened to what is judged (1e-6 m), so that it is compared for
the same work. Restarts begin at the middle of the limits, then at random joints inside them.
Building the pose in the peer's own format is not timed, except where the name says so.
"""

import importlib.util
import math
import random
import sysconfig
import time
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.ours import Question
from benchmarks.targets import turned

TOLERANCE = 1e-7
DEBIAN = Path('/usr/lib/python3/dist-packages')


class Peer(Question):
    """Claims a solution or none: `joints(result)` is the list of what it claims."""

    def joints(self, result):
        raise NotImplementedError

    def judge(self, target, result):
        """One of the claimed solutions must hold; whether all are found is not judged."""
        claims = self.joints(result)
        holds = any(target.joints_hold(q, True) for q in claims)
        return holds if target.pose_reachable else not claims, bool(claims) and not holds

    def starts(self, rng):
        """First the middle of the limits, then random joints inside them, without end."""
        yield [(low + high) / 2.0 for low, high in self.arm.limits]
        while True:
            yield [rng.uniform(low, high) for low, high in self.arm.limits]


class Eaik(Peer):
    name = 'EAIK: IK(pose) alone'

    def __init__(self, arm):
        super().__init__(arm)
        from eaik.IK_HP import HPRobot

        axes = np.tile([0.0, 0.0, 1.0], (3, 1))
        offsets = np.array([[0.0, 0.0, 0.0], *([length, 0.0, 0.0] for length in arm.link_lengths)])
        self.robot = HPRobot(axes, offsets)
        self.ask = self.robot.IK

    def arguments(self, target):
        return (transform(*target.pose),)

    def joints(self, result):
        return [q for q, approximate in zip(result.Q, result.is_LS) if not approximate]


class EaikWithLimits(Eaik):
    """The same question as inverse_kinematics: numbers in, every solution inside the limits out."""

    name = 'EAIK: pose built, read, limits filtered'

    def __init__(self, arm):
        super().__init__(arm)
        del self.ask

    def arguments(self, target):
        return target.pose

    def ask(self, x, y, phi):
        result = self.robot.IK(transform(x, y, phi))
        return [
            q
            for found, approximate in zip(result.Q.tolist(), result.is_LS)
            if not approximate
            for q in [turned(found, self.arm.limits)]
            if all(angle <= high + 1e-9 for angle, (_, high) in zip(q, self.arm.limits))
        ]

    def joints(self, result):
        return result


class LevenbergMarquardt(Peer):
    """E is half of the squared error, thus the square of a tolerance."""

    name = 'roboticstoolbox ik_LM'
    share = 16
    tolerance = TOLERANCE**2 / 2.0

    def __init__(self, arm):
        super().__init__(arm)
        from roboticstoolbox import ET, ETS

        parts = zip(arm.limits, arm.link_lengths)
        self.chain = ETS([et for qlim, length in parts for et in (ET.Rz(qlim=qlim), ET.tx(length))])

    def arguments(self, target):
        return (transform(*target.pose),)

    def ask(self, pose):
        return self.chain.ik_LM(pose, tol=self.tolerance)

    def joints(self, result):
        return [result.q] if result.success else []


class LevenbergMarquardtAsItComes(LevenbergMarquardt):
    name = 'roboticstoolbox ik_LM, its own tol'
    tolerance = 1e-6


class Kdl(Peer):
    """What MoveIt's KDL plugin does: Newton-Raphson with limits, restarts until the timeout."""

    name = 'PyKDL, restarts for 5 ms'
    share = 16
    timeout = 0.005

    def __init__(self, arm):
        super().__init__(arm)
        self.kdl = kdl = debian_pykdl()
        self.chain = kdl.Chain()
        for length in arm.link_lengths:
            along = kdl.Frame(kdl.Vector(length, 0.0, 0.0))
            self.chain.addSegment(kdl.Segment(kdl.Joint(kdl.Joint.RotZ), along))
        forward = kdl.ChainFkSolverPos_recursive(self.chain)
        self.parts = forward, kdl.ChainIkSolverVel_pinv(self.chain)  # KDL does not keep them alive
        bounds = [self.array(values) for values in zip(*arm.limits)]
        self.solver = kdl.ChainIkSolverPos_NR_JL(self.chain, *bounds, *self.parts, 500, TOLERANCE)
        self.rng = random.Random(0)

    def array(self, values):
        array = self.kdl.JntArray(3)
        for index, value in enumerate(values):
            array[index] = value
        return array

    def arguments(self, target):
        rotation = self.kdl.Rotation.RotZ(target.phi)
        return (self.kdl.Frame(rotation, self.kdl.Vector(target.x, target.y, 0.0)),)

    def ask(self, frame):
        end = time.perf_counter() + self.timeout
        found = self.kdl.JntArray(3)
        for start in self.starts(self.rng):
            if self.solver.CartToJnt(self.array(start), frame, found) >= 0:
                return found
            if time.perf_counter() > end:
                break
        return None

    def joints(self, result):
        return [] if result is None else [tuple(result[joint] for joint in range(3))]


class KdlFor50Ms(Kdl):
    name = 'PyKDL, restarts for 50 ms'
    share = 5
    timeout = 0.05


class Pinocchio(Peer):
    """The loop of its documentation (example "Inverse kinematics (clik)"), with longer steps."""

    name = 'pinocchio CLIK, 10 starts'
    share = 8
    attempts, steps, step, damping = 10, 100, 0.5, 1e-12

    def __init__(self, arm):
        super().__init__(arm)
        import pinocchio

        self.pin, self.model, parent = pinocchio, pinocchio.Model(), 0
        for offset in (0.0, *arm.link_lengths[:2]):
            place = pinocchio.SE3(np.eye(3), np.array([offset, 0.0, 0.0]))
            parent = self.model.addJoint(parent, pinocchio.JointModelRZ(), place, f'j{parent}')
        self.data, self.rng = self.model.createData(), random.Random(0)

    def arguments(self, target):
        """The last joint's frame: the tip moved back by the last link."""
        back = np.array([-self.arm.link_lengths[2], 0.0, 0.0])
        return (self.pin.SE3(transform(*target.pose)) * self.pin.SE3(np.eye(3), back),)

    def ask(self, desired):
        for _, start in zip(range(self.attempts), self.starts(self.rng)):
            found = self.descend(desired, np.array(start))
            if found is not None:
                q = turned(found, self.arm.limits)
                if all(angle <= high for angle, (_, high) in zip(q, self.arm.limits)):
                    return q
        return None

    def descend(self, desired, q):
        pin, model, data, last = self.pin, self.model, self.data, 3
        for _ in range(self.steps):
            pin.forwardKinematics(model, data, q)
            error_pose = data.oMi[last].actInv(desired)
            error = pin.log(error_pose).vector
            if math.sqrt(error @ error) < TOLERANCE:
                return q
            jacobian = pin.computeJointJacobian(model, data, q, last)
            jacobian = -pin.Jlog6(error_pose.inverse()) @ jacobian
            damped = jacobian @ jacobian.T + self.damping * np.eye(6)
            velocity = -jacobian.T @ np.linalg.solve(damped, error)
            q = pin.integrate(model, q, velocity * self.step)
        return None

    def joints(self, result):
        return [] if result is None else [result]


class Ikpy(Peer):
    """Gives joints without a verdict, within limits: counted as a claim, whatever they reach."""

    name = 'ikpy (no verdict of its own)'
    share = 8

    def __init__(self, arm):
        super().__init__(arm)
        from ikpy.chain import Chain
        from ikpy.link import OriginLink, URDFLink

        def link(name, offset, **kind):
            return URDFLink(name, [offset, 0.0, 0.0], [0.0, 0.0, 0.0], **kind)

        offsets = zip((0.0, *arm.link_lengths), arm.limits)
        joints = [link('joint', at, rotation=[0, 0, 1], bounds=limit) for at, limit in offsets]
        tip = link('tip', arm.link_lengths[2], rotation=None, joint_type='fixed')
        mask = [False, True, True, True, False]
        self.chain = Chain([OriginLink(), *joints, tip], active_links_mask=mask)
        self.start = [0.0, *next(self.starts(random.Random(0))), 0.0]

    def arguments(self, target):
        return (transform(*target.pose),)

    def ask(self, pose):
        return self.chain.inverse_kinematics_frame(
            pose, initial_position=self.start, orientation_mode='X', tol=1e-15
        )

    def joints(self, result):
        return [result[1:4]]


def transform(x, y, phi):
    """The pose as a 4x4 matrix."""
    c, s = math.cos(phi), math.sin(phi)
    return np.array([[c, -s, 0.0, x], [s, c, 0.0, y], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


@cache
def debian_pykdl():
    """PyKDL of the package python3-pykdl, if it was built for this Python."""
    file = DEBIAN / f'PyKDL{sysconfig.get_config_var("EXT_SUFFIX")}'
    if not file.exists():
        others = [other.name for other in DEBIAN.glob('PyKDL*.so')]
        raise ImportError(f'python3-pykdl gives {others or "nothing"} here, not {file.name}')
    spec = importlib.util.spec_from_file_location('PyKDL', file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PEERS = (
    Eaik,
    EaikWithLimits,
    LevenbergMarquardt,
    LevenbergMarquardtAsItComes,
    Kdl,
    KdlFor50Ms,
    Pinocchio,
    Ikpy,
)
