"""What the project aims at beside what was measured: printed, never asserted.

The times of single answers allow 1.3 times the fastest code there was, which was harder to read.
"""

from benchmarks.node_report import node_aims
from benchmarks.ours import Details, InverseKinematics, Nearest, NearestPoint, PointVerdict
from benchmarks.peers import Eaik, EaikWithLimits
from benchmarks.report import BATCHES, short, table

POINTS_REFUSED = 'too far', 'in the hole', 'past a limit'
POSES_REFUSED = *POINTS_REFUSED, 'other orientation'


def aims(figures, batch, capability_map, node):
    """The table of aims; all times are medians."""

    def median(question, kind='reachable'):
        return figures[kind, question.name].median

    def microseconds(question, kinds=('reachable',)):
        return f'{short(max(median(question, kind) for kind in kinds))} µs'

    rows = [('inverse_kinematics, reachable', '< 3 µs', microseconds(InverseKinematics))]
    for eaik, aim in ((Eaik, '<= 1.0'), (EaikWithLimits, '<= 0.3')):
        if ('reachable', eaik.name) in figures:
            ratio = median(InverseKinematics) / median(eaik)
            rows.append((f'inverse_kinematics / {eaik.name}', aim, short(ratio)))
    rows += [
        ('check_reachability(x, y), reachable', '<= 20 µs', microseconds(PointVerdict)),
        ('... and margin, solutions', '<= 40 µs', microseconds(Details)),
        ('full "no" to a pose, slowest class', '<= 80 µs', microseconds(Nearest, POSES_REFUSED)),
        (
            'full "no" to a point, slowest class',
            '<= 80 µs',
            microseconds(NearestPoint, POINTS_REFUSED),
        ),
        *((f'{name} / C', '<= 3', short(ratio)) for name, _, ratio, _ in batch if name in BATCHES),
    ]
    if 'error' not in capability_map:
        rows.append(('capability map', '< 5 s', f'{capability_map["seconds"]:.2f} s'))
        rows.append(('capability map, memory', '< 500 MB', f'{capability_map["megabytes"]:.0f} MB'))
    rows += node_aims(node)
    return '## Aims (medians)\n\n' + table(('what', 'aim', 'measured'), rows)
