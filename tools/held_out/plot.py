# SPDX-License-Identifier: LGPL-2.1-only
"""Plots predicted / measured over the message size, as SVG: a panel for each operation, a colour for each level."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 250, 190  # of a panel, including its text
LEFT, RIGHT, TOP, BOTTOM = 38, 8, 22, 26  # margins around its axes, included above
COLUMNS = 4
LEGEND = 24
LEAST, MOST = 1 / 16, 16  # ratios outside these are drawn at the border
RATIOS = [(1 / 8, "1/8"), (1 / 4, "1/4"), (1 / 2, "1/2"), (1, "1"), (2, "2"), (4, "4"), (8, "8")]
SIZES = [(1, "1 B"), (1 << 10, "1 KiB"), (1 << 20, "1 MiB")]
# The palette of Okabe and Ito, which colour-blind readers can tell apart.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000"]


def distinct(values):
    return list(dict.fromkeys(values))


def panel(points, title, levels, left, top, largest):
    """Returns the SVG elements for the points of one operation."""
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x0, y0 = left + LEFT, top + TOP

    def x(size):
        return x0 + width * math.log2(max(size, 1)) / math.log2(largest)

    def y(ratio):
        at = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
        return y0 + height * (1 - at)

    lines = [f'<text x="{x0}" y="{top + 14}" class="title">{escape(title)}</text>',
             f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" class="frame"/>']
    for ratio, text in RATIOS:
        kind = "one" if ratio == 1 else "grid"
        lines.append(f'<line x1="{x0}" y1="{y(ratio):.1f}" x2="{x0 + width}" y2="{y(ratio):.1f}" class="{kind}"/>')
        lines.append(f'<text x="{x0 - 4}" y="{y(ratio) + 3:.1f}" text-anchor="end">{text}</text>')
    for size, text in SIZES:
        if size <= largest:
            lines.append(f'<line x1="{x(size):.1f}" y1="{y0}" x2="{x(size):.1f}" y2="{y0 + height}" class="grid"/>')
            lines.append(f'<text x="{x(size):.1f}" y="{y0 + height + 13}" text-anchor="middle">{text}</text>')
    for p in points:
        colour = COLOURS[levels.index(p.level) % len(COLOURS)]
        lines.append(f'<circle cx="{x(p.bytes):.1f}" cy="{y(p.ratio):.1f}" r="2.2" fill="{colour}"/>')
    return lines


def draw(points, title):
    operations, levels = distinct(p.operation for p in points), distinct(p.level for p in points)
    largest = max(max(p.bytes for p in points), 2)
    columns = min(COLUMNS, len(operations))
    rows = -(-len(operations) // columns)
    legend = LEFT + sum(24 + 6 * len(level) for level in levels) + 220
    width, height = max(columns * WIDTH, legend), LEGEND + rows * HEIGHT
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
             f"<title>{escape(title)}</title>",
             "<style>text{font:10px sans-serif;fill:#333}.title{font-weight:bold}.frame{fill:none;stroke:#888}"
             ".grid{stroke:#ddd}.one{stroke:#555}</style>", f'<rect width="{width}" height="{height}" fill="#fff"/>']
    at = LEFT
    for number, level in enumerate(levels):
        lines.append(f'<circle cx="{at}" cy="{LEGEND / 2:.0f}" r="4" fill="{COLOURS[number % len(COLOURS)]}"/>')
        lines.append(f'<text x="{at + 8}" y="{LEGEND / 2 + 4:.0f}">{escape(level)}</text>')
        at += 24 + 6 * len(level)
    lines.append(f'<text x="{at}" y="{LEGEND / 2 + 4:.0f}">predicted / measured, by bytes of a message</text>')
    for number, operation in enumerate(operations):
        of_operation = [p for p in points if p.operation == operation]
        lines += panel(of_operation, operation, levels, number % columns * WIDTH, LEGEND + number // columns * HEIGHT, largest)
    return "\n".join(lines + ["</svg>", ""])
