# SPDX-License-Identifier: LGPL-2.1-only
"""SMPI's calibrations: predicts every second size from its neighbours, and saturated links from one pair of nodes."""
import dataclasses
import statistics

from held_out.points import FITTED, Case, Point, Results
from held_out.runs import calibrate, commit_of, figures_of, node_of, predict

NAME, TITLE = "smpi-calibrations", "SMPI's calibrations: sizes between, and loaded links"
LABEL = "SMPI's calibrations"
REPOSITORIES = {"smpi_calibrations": "Ezibenroc/platform-calibration"}

MICROSECOND = 1e6  # per second
MILLISECOND_US = 1e3
NETWORK, INSIDE = "System - Cluster", "Package"
MOST_SIZES = 48  # predicted in each calibration
LOAD = 4000000  # B, the size of each message in the saturation tests


@dataclasses.dataclass
class Calibration:
    label: str
    folder: str
    prefix: str  # of the CSV files
    node: str  # the processors of a node, in hwloc's synthetic format
    nodes: int
    level: str = NETWORK
    saturation: str = ""  # a folder


# Nodes: Stampede 2 x Xeon E5-2680 (8 cores), Taurus 2 x E5-2630 (6), Miriel and PlaFRIM's 2 x E5-2680 v3 (12), Sirocco the same.
CALIBRATIONS = [
    Calibration("Stampede", "stampede_17_06_01-17:14/calibration", "testplatform", "pack:2 core:8 pu:1", 2),
    Calibration("Stampede, in a node", "stampede_17_06_01-17:26/calibration", "testplatform", "pack:2 core:8 pu:1", 1, INSIDE),
    Calibration("Taurus", "taurus_26_07_2016/calibration", "taurus-2016-06-09--1", "pack:2 core:6 pu:1", 12, NETWORK, "taurus_26_07_2016/saturation"),
    Calibration("Taurus, in a node", "taurus_26_07_2016/taurus-loopback", "taurus", "pack:2 core:6 pu:1", 1, INSIDE),
    Calibration("Miriel", "miriel_27_06_2016/calibration", "testplatform", "pack:2 core:12 pu:1", 16, NETWORK, "miriel_27_06_2016/saturation"),
    Calibration("PlaFRIM", "plafrim_15_06_16/calibration", "testplatform", "pack:2 core:12 pu:1", 4, NETWORK, "plafrim_15_06_16/saturation"),
    Calibration("Sirocco", "sirocco_01_08_2016/calibration", "sirocco", "pack:2 core:12 pu:1", 2),
]


def sizes_of(text):
    return sorted({int(line.split(",")[1]) for line in text.splitlines()})


def of_sizes(text, sizes):
    return "".join(line + "\n" for line in text.splitlines() if int(line.split(",")[1]) in sizes)


def ping_pongs(text):
    """Returns {bytes: median of half a round trip, us}. A line for MPI_Send is followed by the line of its MPI_Recv."""
    times = {}
    lines = [line.split(",") for line in text.splitlines()]
    for send, receive in zip(lines[::2], lines[1::2]):
        times.setdefault(int(send[1]), []).append((float(send[3]) + float(receive[3])) / 2 * MICROSECOND)
    return {size: statistics.median(of_size) for size, of_size in times.items()}


def by_step(folder, test, first_step, steps):
    """Returns the median time in us of the calls in each step. A rank takes part from step first_step(rank) on, and
    makes the same number of calls in each step."""
    times = [[] for _ in range(steps)]
    of_rank = {}
    for line in (folder / f"load_{test}.csv").read_text(encoding="utf-8").splitlines():
        rank, _, size, _, time = line.split(",")
        assert int(size) == LOAD
        of_rank.setdefault(int(rank), []).append(float(time) * MILLISECOND_US)
    for rank, calls in of_rank.items():
        first = first_step(rank)
        repeats = len(calls) // (steps - first)
        for step in range(first, steps):
            times[step] += calls[(step - first) * repeats:(step - first + 1) * repeats]
    return [statistics.median(of_step) for of_step in times]


def loads(folder, nodes):
    """Returns {case: us} of the saturation tests: k pairs of nodes, one way and both ways, and an alltoall of 2 k
    nodes."""
    steps = nodes // 2
    tests = {"pingpong": ("send", lambda rank: rank % steps), "pingping": ("sendrecv_same", lambda rank: rank % steps),
             "alltoall": ("alltoall", lambda rank: rank // 2)}
    return {Case(operation, "native", 2 * (step + 1), LOAD): time
            for operation, (test, first_step) in tests.items() for step, time in enumerate(by_step(folder, test, first_step, steps))}


NAMES = {"pingpong": "send by pairs, loaded", "pingping": "sendrecv by pairs, loaded", "alltoall": "alltoall, loaded"}


def results(folders, work):
    data = folders["smpi_calibrations"] / "data"
    points, figures = [], []
    for c in CALIBRATIONS:
        texts = {kind: (data / c.folder / f"{c.prefix}_{kind}.csv").read_text(encoding="utf-8") for kind in ("PingPong", "Isend", "Recv")}
        sizes = sizes_of(texts["PingPong"])
        used = set(sizes[::2])
        files = [("smpi-calibration", c.level, f"{kind}.csv", of_sizes(text, used)) for kind, text in texts.items()]
        folder = work / f"{NAME}-{c.label.lower().replace(' ', '-').replace(',', '')}"
        node = node_of(c.node, folder.with_suffix(".xml"))
        machine = calibrate(folder, node, c.nodes, files)
        mapping = "node" if c.level == NETWORK else "core"
        times = ping_pongs(texts["PingPong"])
        others = [size for size in sizes[1::2]]
        cases = {Case("pingpong", "native", 2, size): times[size] for size in others[::-(-len(others) // MOST_SIZES)]}
        predicted = predict(machine, list(cases), folder / "runs", mapping)
        points += [Point("ping-pong, sizes between", c.label, case.ranks, case.bytes, time, predicted[case], FITTED) for case, time in cases.items()]
        if c.saturation:
            cases = loads(data / c.saturation, c.nodes)
            predicted = predict(machine, list(cases), folder / "loads", mapping)
            points += [Point(NAMES[case.operation], c.label, case.ranks, case.bytes, time, predicted[case], FITTED) for case, time in cases.items()]
        for figure in figures_of(machine):
            figure.level = c.label
            figures.append(figure)
    notes = [f"github.com/{REPOSITORIES[name]}, commit {commit_of(folder)}" for name, folder in folders.items()]
    return Results(notes, points, figures)
BLAMED = {}
NATIVE = ["alltoall, loaded"]
GROUPS = "machine"
USED = """
Files of SMPI's calibration program from five machines with TCP or InfiniBand, each with 490 random message sizes of 1 B to 1 MB.

- **Used:** `MPI_Isend`, `MPI_Recv` and ping-pongs of every other size. With `MPI_Recv`, from which `receive_overhead` follows, the errors are the same as without: 1.44 for the alltoall,
  whose messages of 4 MB take a thousand times longer than a receive. On Stampede and within nodes `MPI_Recv` takes longer than half a ping-pong, so it cannot be all overhead: the
  figure is what the latency leaves.
- **Held out:** the sizes between, 48 of each machine. Taurus, Miriel and PlaFRIM also have messages of 4 MB, four times the longest ping-pong: sent by 1 to 8 pairs of nodes at
  once, exchanged by these pairs (`MPI_Sendrecv`), and `MPI_Alltoall` on 2 to 16 nodes, with one process each.
- **How:** medians. The trees of the nodes do not matter here, and are written by hand.
- **Not included:** the Grenoble calibration of the same repository. It is a ZIP file, which our copy of the repository lacks.
"""
FAILS = """
Where it fails:

- **Ping-pongs of Taurus, Miriel and PlaFRIM, both ways.** Over TCP, their times jump from one size to the next: on Taurus 49.6 us for 668 B and 19.0 us for 761 B, medians of many
  samples. The fitted lines go between. Machines without such jumps are predicted within some percent.
- **Taurus, one way, too slow.** There one `MPI_Send` follows the other, and together they get nearly all of 10 Gb/s. A ping-pong of 1 MB gets little more than half of that.
  Ping-pongs alone cannot give a better figure; `osu_bw` would.
- **Miriel and PlaFRIM, loaded, too fast.** The load is not the cause: the pairs of nodes share no link, one pair alone differs as much as eight, and an alltoall on 8 nodes takes
  longer than on 10. Times of 4 MB vary by more than the load adds. TCP does that if several senders have one receiver; the model has no packet loss.
"""
