# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The questions to ik_circles that are timed, through its public interface only."""

from benchmarks.closed_form import ClosedForm
from benchmarks.targets import ARMS, inside, tip


class Question:
    """One question to one arm: `ask(*arguments(target))` is what is timed.

    `judge(target, result)` gives (right, wrong claim): whether the answer is right, and whether it
    claims something that does not hold.
    """

    name = ''
    #: Targets asked in one round.
    share = 240

    def __init__(self, arm):
        self.arm = arm

    def arguments(self, target):
        return target.pose

    def ask(self, *arguments):
        raise NotImplementedError

    def judge(self, target, result):
        raise NotImplementedError


class InverseKinematics(Question):
    name = 'inverse_kinematics(x, y, phi)'

    def __init__(self, arm):
        super().__init__(arm)
        self.ask = arm.inverse_kinematics
        self._closed_form = ClosedForm(arm)

    def judge(self, target, result):
        """As many as the C program finds, and every one of them must hold."""
        wrong = not all(target.joints_hold(q, True, miss=1e-12) for q in result)
        return not wrong and len(result) == self._closed_form.solve([target.pose]).counts[0], wrong


class PoseVerdict(Question):
    name = 'check_reachability(x, y, phi)'

    def ask(self, x, y, phi):
        return self.arm.check_reachability(x, y, phi).reachable

    def judge(self, target, result):
        return result == target.pose_reachable, result and not target.pose_reachable


class PointVerdict(PoseVerdict):
    name = 'check_reachability(x, y)'

    def arguments(self, target):
        return target.x, target.y

    def ask(self, x, y):
        return self.arm.check_reachability(x, y).reachable

    def judge(self, target, result):
        return result == target.point_reachable, result and not target.point_reachable


class Details(PointVerdict):
    name = '... and margin, solutions'

    def ask(self, x, y):
        answer = self.arm.check_reachability(x, y)
        return answer.reachable, answer.margin, answer.solutions

    def judge(self, target, result):
        reachable, margin, solutions = result
        wrong = (reachable and not target.point_reachable) or not all(
            target.joints_hold(q, False, miss=1e-12) for q in solutions
        )
        agrees = reachable == (margin >= 0.0) == bool(solutions)
        return reachable == target.point_reachable and agrees and not wrong, wrong


class Nearest(Question):
    name = '(x, y, phi): reason and nearest'

    def ask(self, x, y, phi):
        answer = self.arm.check_reachability(x, y, phi)
        return answer.reachable, answer.message, answer.nearest, answer.nearest_joint_positions

    def judge(self, target, result):
        """The nearest pose must be where its joints, inside the limits, put the tip."""
        reachable, _, nearest, q = result
        misses = [abs(a - b) for a, b in zip(tip(self.arm.link_lengths, q), nearest[:2])]
        wrong = max(misses) > 1e-12 or not inside(q, self.arm.limits)
        return reachable == target.pose_reachable and not wrong, wrong


class NearestPoint(Nearest):
    name = '(x, y): reason and nearest'

    def arguments(self, target):
        return target.x, target.y

    def ask(self, x, y):
        answer = self.arm.check_reachability(x, y)
        return answer.reachable, answer.message, answer.nearest, answer.nearest_joint_positions

    def judge(self, target, result):
        return super().judge(target._replace(pose_reachable=target.point_reachable), result)


QUESTIONS = InverseKinematics, PoseVerdict, PointVerdict, Details, Nearest, NearestPoint


def questions():
    """Each question's name to its share and one instance for each arm."""
    return {
        kind.name: (kind.share, {name: kind(arm) for name, arm in ARMS.items()})
        for kind in QUESTIONS
    }
