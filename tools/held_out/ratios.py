# SPDX-License-Identifier: LGPL-2.1-only
"""How times change from one level to another: measured and predicted ratios.

For example from ranks dealt over cores to ranks dealt over nodes: 2.0 measured and 2.5 predicted is an error of 1.25.
"""
import statistics

from held_out import scores
from held_out.numbers import error_of, summary, table
from held_out.points import FITTED


def tabulate(points, changes, heading):
    """Returns the table for changes [(level, other level)]; `heading` says what a level is."""
    points = [p for p in points if p.variant == FITTED]
    times = {(p.operation, p.level, p.ranks, p.bytes): p for p in points}
    rows = []
    for one, other in changes:
        for operation in dict.fromkeys(p.operation for p in points):
            pairs = [(p, times[operation, other, p.ranks, p.bytes]) for p in points
                     if (p.operation, p.level) == (operation, one) and (operation, other, p.ranks, p.bytes) in times]
            measured = [q.measured_us / p.measured_us for p, q in pairs]
            predicted = [q.predicted_us / p.predicted_us for p, q in pairs]
            apart = [(m > 1) == (r > 1) for m, r in zip(measured, predicted) if error_of(m, 1) > scores.DIFFERENT]
            count, median, worst, _ = summary(list(zip(predicted, measured)))
            rows.append([f"{one.removeprefix('by ')} to {other.removeprefix('by ')}", operation, count, f"{statistics.median(measured):.2f}",
                         f"{statistics.median(predicted):.2f}", f"{median} ({worst})", f"{sum(apart)} of {len(apart)}"])
    return table([heading, "operation", "points", "median ratio", "predicted", "error of the ratio", "the faster one is right"], "llrrrrr", rows)
