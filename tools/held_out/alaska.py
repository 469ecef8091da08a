# SPDX-License-Identifier: LGPL-2.1-only
"""Alaska: predicts collectives over InfiniBand and over RoCE, on the same nodes, from messages between two nodes."""
import re
import subprocess

from held_out import ratios
from held_out.points import FITTED, Case, Point, Results
from held_out.runs import REPETITIONS, calibrate, figures_of, node_of, predict, predict_schedules

NAME, TITLE = "alaska", "Alaska: InfiniBand and RoCE between the same nodes"
LABEL = "Alaska"
REPOSITORIES = {"alaska": "ukri-excalibur/excalibur-tests"}
COMMIT = "f7d6480fce93df87f4ebaadcd854c7b7f7b1565a"  # the last one with folder output/

FABRICS = {"InfiniBand": "ib-gcc9-openmpi4-ucx", "RoCE": "roce-gcc9-openmpi4-ucx"}
NETWORK = "System - Cluster"
CALIBRATING = ["latency", "bw", "bibw"]  # one rank on each of two nodes
# Two E5-2683 v4 with 16 cores and 40 MiB of L3 each (output/alaska/ib-gcc9-openmpi4-ucx/sysinfo).
NODE = "pack:2 l3:1(size=41943040) l2:16(size=262144) l1d:1(size=32768) core:1 pu:1"
RANKS, NODES = 64, 2
SIZES = [4**n for n in range(1, 11)]  # B
# The largest size that the memory of one computer simulates: an alltoall of 64 KiB needs 64 * 64 * 64 KiB, twice.
HELD_OUT = {"allreduce": 1048576, "allgather": 65536, "alltoall": 65536}

OLDER = "algorithms of Open MPI 4.0"  # a suspected cause


def file_of(folder, fabric, program, name):
    path = f"output/alaska/{FABRICS[fabric]}/{program}/{name}/rfm_{name}_job.out"
    return subprocess.run(["git", "-C", folder, "show", f"{COMMIT}:{path}"], check=True, stdout=subprocess.PIPE, text=True).stdout


def osu_times(text):
    """Returns {bytes: us} of an OSU micro-benchmark with one column."""
    return {int(size): float(time) for size, time in re.findall(r"^(\d+) +([\d.]+)$", text, re.M)}


def imb_times(text):
    """Returns {bytes: us} of IMB's PingPong."""
    return {int(size): float(time) for size, time in re.findall(r"^ +(\d+) +\d+ +([\d.]+) +[\d.]+$", text, re.M)}


def cases():
    found = [Case("pingpong", "native", 2, size) for size in SIZES]
    return found + [Case(operation, "native", RANKS, size) for operation, most in HELD_OUT.items() for size in SIZES if size <= most]


def measured(folder, fabric):
    times = {operation: osu_times(file_of(folder, fabric, "omb", f"Osu_{operation}")) for operation in HELD_OUT}
    times["pingpong"] = imb_times(file_of(folder, fabric, "imb", "IMB_PingPong"))
    return {c: times[c.operation][c.bytes] for c in cases()}


def machine_of(folder, fabric, work):
    node = node_of(NODE, work / f"{NAME}.xml")
    files = [("osu", NETWORK, f"{name}.txt", file_of(folder, fabric, "omb", f"Osu_{name}")) for name in CALIBRATING]
    return calibrate(work / f"{NAME}-{fabric.lower()}", node, NODES, files)


def older(case):
    """Returns the case with the algorithm that Open MPI 4.0 chooses on 64 ranks, None if schedules.c does not have it."""
    if case.operation == "allgather":
        algorithm = "recursive-doubling" if case.ranks * case.bytes < 50000 else "neighbor"
    elif case.operation == "alltoall" and case.bytes >= 200:
        algorithm = "linear" if case.bytes < 3000 else "pairwise"
    else:
        return None
    return Case(case.operation, algorithm, case.ranks, case.bytes)


def with_older_algorithms(machine, times, fabric, work):
    cases = {c: older(c) for c in times if older(c)}
    predicted = predict_schedules(machine, list(cases.values()), work / f"{machine.name}-older")
    return [Point(c.operation, fabric, c.ranks, c.bytes, times[c], predicted[o], OLDER) for c, o in cases.items()]


def results(folders, work):
    points, figures = [], []
    for fabric in FABRICS:
        machine = machine_of(folders["alaska"], fabric, work)
        times = measured(folders["alaska"], fabric)
        for operation in ("pingpong", *HELD_OUT):
            of_operation = [c for c in times if c.operation == operation]
            how = ("node", 1) if operation == "pingpong" else ("core", REPETITIONS)
            predicted = predict(machine, of_operation, work / f"{machine.name}-runs", *how)
            points += [Point(operation, fabric, c.ranks, c.bytes, times[c], predicted[c], FITTED) for c in of_operation]
        points += with_older_algorithms(machine, times, fabric, work)
        for figure in figures_of(machine):
            figure.level = fabric
            figures.append(figure)
    return Results([f"github.com/{REPOSITORIES['alaska']}, commit {COMMIT}"], points, figures)


BLAMED = {OLDER: lambda p: True}
NATIVE = list(HELD_OUT)
CHOICES = ["fabric"]  # see scores.questions; its levels are fabrics
GROUPS = "fabric"
USED = """
Two nodes of Alaska, each of two Xeon E5-2683 v4 with 16 cores. One ConnectX-4 card has a port for InfiniBand (12.2 GB/s in `osu_bw`) and one for RoCE (3.1 GB/s). Open MPI 4.0.3
over UCX.

- **Used:** `osu_latency`, `osu_bw` and `osu_bibw` between the two nodes, with one process on each.
- **Held out:** `osu_allreduce`, `osu_allgather` and `osu_alltoall` on both nodes with 32 processes each, 4 B to 1 MiB (allgather and alltoall to 64 KiB), and `PingPong` of another
  benchmark, IMB.
- **How:** Open MPI chooses the algorithms. In the simulation SMPI does, by the tables of Open MPI 4.1; those of 4.0.3 are older and differ. Rank i is on core i; where Slurm
  put the ranks within a node is not known.
- **Assumed:** all figures within a node, because no file measured them. They are the same for both fabrics.
- **Not included:** `Uniband`, `Biband` and `osu_mbw_mr` of several pairs, because `repeated` has no windows of messages; the runs of Intel MPI, whose algorithms are not known.
"""
CHECKED = """
A suspected cause, checked by a change: the algorithms that Open MPI 4.0 chooses (`coll_tuned_decision_fixed.c`), as far as `tools/held_out/schedules.c` has them: allgathers by
recursive doubling below 50 kB in all and by neighbour exchange above, alltoalls of less than 3000 B linear and longer ones by pairs:
"""
FAILS = """
The question for this data set is what the fabric changes. Ratios of RoCE to InfiniBand:

{ratios}

Where it fails:

- **Allreduces and allgathers of long messages, too fast: the nodes limit them, not the fabric.** From 16 KiB on, both take the same time over both fabrics (64 KiB allgather: 9.17
  and 9.20 ms), although RoCE has a quarter of the bandwidth. So what is missing is within the nodes, where no file measured anything, and where the 32 ranks' buffers of an
  allgather of 64 KiB (128 MiB) are larger than the two L3 (80 MiB). A probe of one node would give the figures.
- **Algorithms are not the cause, with one exception.** With those of Open MPI 4.0, allgathers of 64 KiB over RoCE change from 2.1 times too slow to 7.4 times too fast: SMPI's
  algorithm sends each block over the fabric many times, a neighbour exchange once. The first prediction was nearer by chance.
- **Alltoalls of less than 200 B, up to 7 times too fast.** Open MPI uses Bruck's algorithm, whose six steps on 64 ranks send few messages, but pack half of all blocks in each step
  by a derived datatype. The measured times are nearly the same over both fabrics (32.5 and 33.8 us for 4 B), so they are not those of the messages. The simulation charges nothing
  for packing.
- **Ping-pongs of IMB over RoCE, too fast up to 8 KiB.** IMB measured 0.7 us more than `osu_latency` for all short messages, and the same over InfiniBand. The outputs do not name
  the nodes; two others, with one more switch between them, would explain it.
"""


def fails(results):
    return FAILS.format(ratios=ratios.tabulate(results.points, [("InfiniBand", "RoCE")], "fabric"))
