# SPDX-License-Identifier: LGPL-2.1-only
"""Scores of predictions: how far, in which order, and what a choice by them costs.

Two algorithms are predicted to take 10 and 12 us, and took 24 and 20 us. The prediction recommends the first. Its regret
is 24 / 20 - 1 = 20 %, and the faster one of the pair is named wrongly.
"""
import dataclasses
import math
import statistics

NATIVE = "native"
DIFFERENT = 1.1  # a measured ratio above this counts as a difference


def percentile(values, percent):
    """Returns the smallest value that at least `percent` of the values do not exceed (nearest rank)."""
    return sorted(values)[max(math.ceil(percent / 100 * len(values)), 1) - 1]


def ranks_of(values):
    """Returns the rank of each value, from 1. Equal values share the mean of their ranks."""
    ordered = sorted(values)
    first = {}
    for place, value in enumerate(ordered, 1):
        first.setdefault(value, place)
    return [first[v] + (ordered.count(v) - 1) / 2 for v in values]


def rank_correlation(pairs):
    """Returns Spearman's coefficient of [(predicted, measured)], None if all of one side are equal."""
    one, other = (ranks_of(side) for side in zip(*pairs))
    if len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return statistics.correlation(one, other)


def parts_of(operation):
    """Splits "bcast, chain" into operation and algorithm; without a comma the algorithm is empty."""
    name, _, algorithm = operation.partition(", ")
    return name, algorithm


def order_of(points, least=3):
    """Returns the median rank correlation over the message sizes, None without a size that has `least` points.

    Each size counts by itself, because nearly all predictions say rightly that longer messages take longer.
    """
    of_size = {}
    for p in points:
        of_size.setdefault((p.operation, p.bytes), []).append((p.predicted_us, p.measured_us))
    found = [rank_correlation(pairs) for pairs in of_size.values() if len(pairs) >= least]
    found = [one for one in found if one is not None]
    return statistics.median(found) if found else None


def questions(points, choice):
    """Returns, for each question, its points: those that differ only in the algorithm, or only in the level.

    choice: "algorithm", or any other word for what the levels of a data set are, such as "mapping". The native algorithm
    is no choice: it is one of the others.
    """
    found = {}
    for p in points:
        name, algorithm = parts_of(p.operation)
        if choice != "algorithm":
            found.setdefault((p.operation, p.ranks, p.bytes), []).append(p)
        elif algorithm not in ("", NATIVE):
            found.setdefault((name, p.level, p.ranks, p.bytes), []).append(p)
    return [of_one for of_one in found.values() if len(of_one) > 1]


def regret(points):
    """Returns measured / best measured - 1 of the point with the shortest prediction. If several share it, their mean."""
    best, shortest = min(p.measured_us for p in points), min(p.predicted_us for p in points)
    return statistics.mean(p.measured_us / best - 1 for p in points if p.predicted_us == shortest)


def regret_of_chance(points):
    """Returns the same of a choice by chance."""
    best = min(p.measured_us for p in points)
    return statistics.mean(p.measured_us / best - 1 for p in points)


@dataclasses.dataclass(frozen=True)
class Pairs:
    """How often predictions name the faster one of two points of a question whose measured times differ."""
    right: int
    all: int


def ratio(one, other):
    """Returns the factor between two times, at least 1."""
    return max(one / other, other / one)


def pairs_named(asked, bar=1):
    """Counts the pairs whose predicted times differ by more than the factor `bar`; with 1, all."""
    right = count = 0
    for of_one in asked:
        for number, p in enumerate(of_one):
            for q in of_one[number + 1:]:
                if ratio(p.measured_us, q.measured_us) > DIFFERENT and (bar == 1 or ratio(p.predicted_us, q.predicted_us) > bar):
                    count += 1
                    right += p.predicted_us != q.predicted_us and (p.predicted_us < q.predicted_us) == (p.measured_us < q.measured_us)
    return Pairs(right, count)
