# SPDX-License-Identifier: LGPL-2.1-only
"""Errors of predictions, and Markdown tables of them.

An error is a factor: predicted / measured, or its inverse if that is above 1. 1.5 is half as long again, or as short.
"""
import statistics


def table(headings, alignment, rows):
    lines = ["| " + " | ".join(headings) + " |", "| " + " | ".join({"l": "---", "r": "---:"}[a] for a in alignment) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def error_of(predicted, measured):
    return max(predicted / measured, measured / predicted)


def three(value):
    """Three digits: 0.91, 14.3, 4647."""
    digits = 3 - len(str(int(value)))
    return f"{value:.{max(digits, 0)}f}" if value < 1000 else f"{value:.0f}"


def summary(pairs):
    """Points, median and worst error, and how many predictions are below the measurement, of (predicted, measured)."""
    errors = [error_of(p, m) for p, m in pairs]
    return [str(len(pairs)), f"{statistics.median(errors):.2f}", f"{max(errors):.2f}", str(sum(p < m for p, m in pairs))]
