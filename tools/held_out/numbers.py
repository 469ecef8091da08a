# SPDX-License-Identifier: LGPL-2.1-only
"""Errors of predictions, and Markdown tables of them.

An error is the larger of predicted / measured and its inverse. 1.5 means a prediction that is 1.5 times too long, or
1.5 times too short.
"""
import statistics


def table(headings, alignment, rows):
    lines = ["| " + " | ".join(headings) + " |", "| " + " | ".join({"l": "---", "r": "---:"}[a] for a in alignment) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def error_of(predicted, measured):
    return max(predicted / measured, measured / predicted)


def three(value):
    """Formats with three digits: 0.91, 14.3, 4647."""
    digits = 3 - len(str(int(value)))
    return f"{value:.{max(digits, 0)}f}" if value < 1000 else f"{value:.0f}"


def summary(pairs):
    """Returns the number of points, the median and worst error, and how many predictions are below the measurement."""
    errors = [error_of(p, m) for p, m in pairs]
    return [str(len(pairs)), f"{statistics.median(errors):.2f}", f"{max(errors):.2f}", str(sum(p < m for p, m in pairs))]


def percent(share):
    """Returns "12 %" for 0.12."""
    return f"{100 * share:.0f} %"
