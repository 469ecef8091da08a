# SPDX-License-Identifier: LGPL-2.1-only
"""Rules for the library from predictions: what would they gain over the library's own choice?

For example, the native broadcast is predicted to take 20 us, the linear one 12 us. A rule chooses the linear one. They were
measured at 15 and 18 us, and the binary one at 10 us: the regret of the library's own choice is 50 %, that of the rule 80 %.
"""
import statistics

from held_out import scores
from held_out.numbers import percent, table
from held_out.points import FITTED

LEAST_GAIN = 0.05  # of the predicted time: the default of strata collectives tune
DIFFERENT = 1.05  # a measured ratio above this counts as faster


def calls(points):
    """Returns {(operation, ranks, bytes): {algorithm: point}} of the points as calibrated."""
    of_call = {}
    for p in points:
        if p.variant == FITTED:
            operation, algorithm = scores.parts_of(p.operation)
            of_call.setdefault((operation, p.ranks, p.bytes), {})[algorithm] = p
    return of_call


def chosen_by_rules(of_call):
    """Returns the point of the algorithm that a rule chooses, or that of the library's own choice."""
    native = of_call[scores.NATIVE]
    fastest = min(of_call.values(), key=lambda p: p.predicted_us)
    return fastest if fastest.predicted_us < (1 - LEAST_GAIN) * native.predicted_us else native


def tabulate(points):
    """A row for each operation: regrets of the library's choice and of the rules, and how often the rules were faster."""
    rows = []
    of_call = calls(points)
    for operation in dict.fromkeys(o for o, _, _ in of_call):
        own, ruled, faster, slower = [], [], 0, 0
        for call, of_algorithm in of_call.items():
            if call[0] != operation:
                continue
            best = min(p.measured_us for p in of_algorithm.values())
            native, rule = of_algorithm[scores.NATIVE].measured_us, chosen_by_rules(of_algorithm).measured_us
            own.append(native / best - 1)
            ruled.append(rule / best - 1)
            faster += native > DIFFERENT * rule
            slower += rule > DIFFERENT * native
        cells = [f"{percent(statistics.mean(r))} ({percent(scores.percentile(r, 95))}, {percent(max(r))})" for r in (own, ruled)]
        rows.append([operation, str(len(own)), *cells, str(faster), str(slower)])
    return table(["operation", "calls", "the library's choice", "rules", "rules faster", "rules slower"], "lrrrrr", rows)
