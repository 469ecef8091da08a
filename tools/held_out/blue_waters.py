# SPDX-License-Identifier: LGPL-2.1-only
"""Blue Waters: predicts ping-pongs of several pairs from those of one pair, and those of all pairs at the largest
size."""
import re
import statistics

from held_out.points import FITTED, ROOT, Case, Point, Results
from held_out.runs import calibrate, changed, commit_of, figures_of, predict

NAME, TITLE = "blue-waters", "Blue Waters: several pairs at once"
LABEL = "Blue Waters"
REPOSITORIES = {"blue_waters": "bienz2/BlueWatersModel"}

INT = 4  # B; the files count messages in ints
MICROSECOND = 1e6  # per second
LARGEST = 262144  # B
NETWORK, NODE, SOCKET = "System - Cluster", "Machine", "NUMANode"
# For each level: its file, the first partner of the blocks that are used, and the map_by that makes ranks 2 i and 2 i +
# 1 meet there.
NAMES = {NETWORK: "pairs across nodes", NODE: "pairs across processors", SOCKET: "pairs in a die"}
FILES = {NETWORK: ("orig/max_rate", 32, "node"), NODE: ("on_node/on_node.out", 8, "package"), SOCKET: ("on_node/on_socket.out", 1, "core")}
GAPS = {"a gap, as of 16 pairs": [], "a gap, and the slowest pair": ["--slowest"]}  # variants, with options of `repeated`
SHORT = (4, 64)  # B: too short for the bandwidth to matter


def blocks(text, partner):
    """Returns [{bytes: [seconds by pairs]}] of the blocks with that first partner."""
    found, wanted = [], False
    for line in text.splitlines():
        if line.startswith("partner:"):
            wanted = int(re.findall(r"\d+", line)[0]) == partner
            if wanted:
                found.append({})
        elif wanted and re.match(r"\d+\t", line):
            size, *times = line.split()
            found[-1][INT * int(size)] = [float(t) for t in times]
    return found


def latencies(of_level):
    """Ping-pongs of one pair in the format of osu_latency: half of a round trip."""
    tables = []
    for block in of_level:
        rows = [f"{size} {times[0] / 2 * MICROSECOND:.4f}" for size, times in block.items()]
        tables.append("\n".join(["# OSU MPI Latency Test v5.6", "# Size          Latency (us)", *rows, ""]))
    return "".join(tables)


def rates(of_level):
    """Ping-pongs of one pair and of all pairs at the largest size, in the format of osu_mbw_mr. A rate is a message's
    bytes divided by half of a round trip."""
    tables = []
    for block in of_level:
        for pairs in (1, len(block[LARGEST])):
            megabytes = pairs * LARGEST / (block[LARGEST][pairs - 1] / 2) / 1e6
            tables.append(f"# OSU MPI Multiple Bandwidth / Message Rate Test v5.6\n# [ pairs: {pairs} ] [ window size: 1 ]\n"
                          f"# Size          MB/s\n{LARGEST} {megabytes:.2f}\n")
    return "".join(tables)


def held_out(of_level):
    """Returns {(pairs, bytes): us} for 2 pairs up to all but one: half of a round trip, the median of the blocks."""
    most = len(of_level[0][LARGEST])
    return {(pairs, size): statistics.median(b[size][pairs - 1] for b in of_level) / 2 * MICROSECOND
            for pairs in range(2, most) for size in of_level[0]}


def gap_of(of_level):
    """Returns the time in s that each further process adds to a short message."""
    most = len(of_level[0][LARGEST])
    return statistics.median((b[m][most - 1] - b[m][0]) / 2 / (most - 1) for b in of_level for m in b if SHORT[0] <= m <= SHORT[1])


def results(folders, work):
    output = folders["blue_waters"] / "bw_output"
    node = ROOT / "platforms/data/blue-waters/node.xml"
    measured = {level: blocks((output / file).read_text(encoding="utf-8"), partner) for level, (file, partner, _) in FILES.items()}
    inside = [("osu", NODE, "on_node.txt", latencies(measured[NODE])), ("osu", NODE, "on_node_pairs.txt", rates(measured[NODE])),
              ("osu", SOCKET, "on_socket.txt", latencies(measured[SOCKET]))]
    outside = [("osu", NETWORK, "max_rate.txt", latencies(measured[NETWORK])), ("osu", NETWORK, "max_rate_pairs.txt", rates(measured[NETWORK]))]
    # Two machines with the same figures: pairs inside a node need one with a single node, because ranks are dealt over
    # nodes.
    two, one = calibrate(work / NAME, node, 2, outside + inside), calibrate(work / f"{NAME}-one-node", node, 1, inside)

    def with_gap(costs):
        costs["levels"][0]["gap"] = {"value": round(gap_of(measured[NETWORK]) * 1e9, 1), "unit": "ns", "source": "assumed: to check a cause"}

    points = []
    for variant, levels in [(FITTED, list(FILES)), *((variant, [NETWORK]) for variant in GAPS)]:
        for level in levels:
            on = two if level == NETWORK else one
            if variant != FITTED:
                on = changed(two, work / f"{NAME}-gap", with_gap)
            times = held_out(measured[level])
            cases = {(pairs, size): Case("pingpong", "native", 2 * pairs, size) for pairs, size in times}
            options = GAPS.get(variant, [])
            runs = work / f"{on.name}-runs-{level.split()[0].lower()}{'-slowest' if options else ''}"
            predicted = predict(on, list(cases.values()), runs, FILES[level][2], options=options)
            points += [Point(NAMES[level], level, 2 * pairs, size, times[pairs, size], predicted[cases[pairs, size]], variant)
                       for pairs, size in times]
    notes = [f"github.com/{REPOSITORIES[name]}, commit {commit_of(folder)}" for name, folder in folders.items()]
    return Results(notes, points, figures_of(two))
BLAMED = {variant: lambda p: p.bytes <= SHORT[1] for variant in GAPS}
GROUPS = "the level at which the pairs meet"
USED = """
Nodes of two AMD Opteron 6276 on a Gemini torus, with 16 processes per node, one on each module. Pairs of processes exchange messages of 4 B to 256 KiB at the same time: up to
16 pairs across nodes, and up to 8 across the processors of a node and within a die.

- **Used:** ping-pongs of one pair, of all sizes. For what the links carry, also ping-pongs of all pairs, at 256 KiB only.
- **Held out:** all other numbers of pairs, of all sizes. Within a die, where pairs share no link, all of 2 to 7 pairs.
- **How:** the median over the three blocks of a file, half of a round trip. The files do not say whether a time is the mean of the pairs or that of the slowest pair; the mean is
  predicted.

[fidelity.md](fidelity.md#blue-waters-contention-along-one-dimension) has another check, of messages that meet on a link of the torus.
"""
CHECKED = """
Suspected causes, each checked by a change:
"""
FAILS = """
Where it fails:

- **Across processors, 512 B to 4 KiB, too fast with many pairs.** In this range the measured time grows with the number of pairs. For longer messages it hardly does. Eager messages
  are copied through shared memory, which carries less than the single copy of long messages. A level has only one `link_bandwidth`, measured at 256 KiB.
- **Short messages across nodes, too fast with many pairs.** They queue at the node's network card. With a gap, taken from the times of 16 pairs, the errors are smaller. They are
  even smaller if the times are those of the slowest pair. `strata calibrate` takes the gap from message rates, which `osu_mbw_mr` and the probe measure; these files have none.
"""
