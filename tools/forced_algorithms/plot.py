# SPDX-License-Identifier: LGPL-2.1-only
"""Plots times over the size of a message, both logarithmic, as SVG: a line for each algorithm, with its name at the right."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 30, 34
# The palette of Okabe and Ito, which colour-blind readers can tell apart; a second round is dashed.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000"]
SIZES = [(1 << 2, "4 B"), (1 << 10, "1 KiB"), (1 << 14, "16 KiB"), (1 << 18, "256 KiB"), (1 << 22, "4 MiB")]
LEAST_GAP = 13  # between names


def apart(wanted):
    """The wanted heights of texts, ascending, moved down so that they do not overlap."""
    placed = []
    for y in wanted:
        placed.append(max(y, placed[-1] + LEAST_GAP) if placed else y)
    return placed


def draw(series, title):
    """`series`: {name: {bytes: s}}."""
    sizes = sorted(next(iter(series.values())))
    seconds = [s for values in series.values() for s in values.values()]
    least, most = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])

    def y(time):
        return TOP + (HEIGHT - TOP - BOTTOM) * (most - math.log10(time)) / (most - least)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             f"<title>{escape(title)}</title>",
             "<style>text{font:11px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd}.line{fill:none;stroke-width:1.8}</style>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', f'<text x="{LEFT}" y="18" class="title">{escape(title)}</text>']
    for power in range(least, most + 1):
        at = y(10.0**power)
        label = {-6: "1 us", -5: "10 us", -4: "100 us", -3: "1 ms", -2: "10 ms", -1: "100 ms", 0: "1 s"}[power]
        lines.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}" class="grid"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for size, label in SIZES:
        lines.append(f'<line x1="{x(size):.1f}" y1="{TOP}" x2="{x(size):.1f}" y2="{HEIGHT - BOTTOM}" class="grid"/>')
        lines.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{label}</text>')
    last = sizes[-1]
    order = sorted(series, key=lambda name: y(series[name][last]))
    heights = dict(zip(order, apart([y(series[name][last]) for name in order])))
    for number, (name, values) in enumerate(series.items()):
        colour, dash = COLOURS[number % len(COLOURS)], "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        points = " ".join(f"{x(size):.1f},{y(values[size]):.1f}" for size in sizes)
        lines.append(f'<polyline points="{points}" class="line" stroke="{colour}"{dash}/>')
        lines.append(f'<line x1="{x(last):.1f}" y1="{y(values[last]):.1f}" x2="{x(last) + 12:.1f}" y2="{heights[name]:.1f}" stroke="{colour}"/>')
        lines.append(f'<text x="{x(last) + 15:.1f}" y="{heights[name] + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join(lines + ["</svg>", ""])
