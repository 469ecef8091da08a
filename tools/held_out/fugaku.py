# SPDX-License-Identifier: LGPL-2.1-only
"""Fugaku: predicts collectives of named algorithms on 64 and 512 nodes of a torus from one allgather on 8 nodes (pico.py)."""
from held_out import causes, pico
from held_out.pico import ELEMENT
from held_out.points import FITTED, Case, Results, point_of
from held_out.runs import calibrate, changed, commit_of, figures_of, node_of, predict, predict_schedules

NAME, TITLE = "fugaku", "Fugaku: Fujitsu MPI on a torus"
LABEL = "Fugaku"
REPOSITORIES = {"pico": "HLC-Lab/pico"}

NETWORK = "System - Cluster"
NODE = "pack:1 core:48 pu:1"  # an A64FX; one rank on each node
MOST = 16777216  # elements
CALIBRATING = ("2025_03_26___19_49_06", 2, 8, "default-recursive-doubling")  # job, test, nodes (2 x 2 x 2), algorithm
SMALL, LARGE = "2025_04_12___03_23_58", "2025_03_27___04_01_47"  # jobs of 4 x 4 x 4 and 8 x 8 x 8 nodes
ALLGATHERS = {"default-recursive-doubling": "recursive-doubling", "default-bruck": "bruck"}
ALLTOALLS = {"default-linear": "linear", "default-pairwise": "pairwise", "default-modified-bruck": "bruck"}
BROADCASTS = {"default-basic-linear": "linear", "default-binary-tree": "binary", "default-binomial": "binomial"}
TREES = {"default-basic-linear": "linear", "default-binomial": "binomial"}
# Jobs, tests, nodes in each dimension, operations, {PICO's name: ours}, and the largest number of elements that one computer
# simulates.
HELD_OUT = [
    (SMALL, 2, 4, "allgather", ALLGATHERS, 2097152), (SMALL, 4, 4, "alltoall", ALLTOALLS, 262144), (SMALL, 3, 4, "bcast", BROADCASTS, 2097152),
    (SMALL, 5, 4, "scatter", TREES, 2097152), (SMALL, 6, 4, "gather", TREES, 2097152), (LARGE, 6, 8, "allgather", ALLGATHERS, 262144),
    (LARGE, 5, 8, "bcast", BROADCASTS, 262144), (LARGE, 2, 8, "scatter", TREES, 262144), (LARGE, 3, 8, "gather", TREES, 262144)
]
COUNTS = [8, 64, 512, 4096, 32768, 262144, 2097152]
OF_SCHEDULES = ("allgather", "alltoall")  # as in schedules.c
# Suspected causes.
ONE_SWITCH, LARGEST_FIRST, SENDERS, RECEIVERS = "one switch", "the largest part first", "busy senders", "busy receivers"
# Ajima et al., "The Tofu Interconnect D", IEEE Cluster 2018: each link carries 6.8 GB/s in each direction, a node injects
# up to 40.8 GB/s by six interfaces. What a hop takes is assumed: as on Gemini, in the catalog.
TOFU = {
    "hop_latency": {"value": 0.09, "unit": "us", "source": "assumed: as on Gemini"},
    "injection": {"value": 40.8, "unit": "GB/s", "source": "published: Ajima et al., IEEE Cluster 2018"},
    "links": [{"value": 6.8, "unit": "GB/s", "source": "published: Ajima et al., IEEE Cluster 2018"}] * 3
}


def case_of(operation, nodes):
    """Returns the function of pico.measured. The count of a broadcast is that of its message, of other operations that of
    the blocks of all ranks."""
    parts = 1 if operation == "bcast" else nodes
    return lambda algorithm, count: Case(operation, algorithm, nodes, ELEMENT * (count // parts)) if count >= parts else None


def use_torus(costs):
    costs["torus"] = TOFU
    for level in costs["levels"]:
        if level["level"] == NETWORK:
            level.pop("link_bandwidth")


def torus(machine, work, side):
    """Returns the machine with its nodes in a torus of `side` nodes in each dimension."""
    return changed(machine, work / f"{NAME}-{side}", use_torus, {"torus": {"dims": [side] * 3, "nodes_per_router": 1, "router": "Tofu"}})


def predict_all(machine, cases, work, name):
    predicted = predict_schedules(machine, [c for c in cases if c.operation in OF_SCHEDULES], work / f"{name}-schedules", "node", "slowest")
    return predicted | predict(machine, [c for c in cases if c.operation not in OF_SCHEDULES], work / f"{name}-runs", "node", 1, ["--slowest"])


def checked(machine, found, work, side):
    """Returns the points of suspected causes of a torus, beside one switch."""

    def of(variant, times):
        return [point_of(c, level, time, times[c], variant) for level, c, time in found if c in times]

    def cases(*operations):
        return [c for _, c, _ in found if f"{c.operation}, {c.algorithm}" in operations and (side == 8 or c.operation == "alltoall")]

    scatters = [c for _, c, _ in found if (c.operation, c.algorithm) == ("scatter", "binomial")]
    points = of(LARGEST_FIRST, predict_schedules(machine, scatters, work / f"{NAME}-{side}-largest", "node", "slowest"))
    causes_of = ((SENDERS, causes.busy_senders, ("alltoall, linear", "scatter, linear")), (RECEIVERS, causes.busy_receivers, ("gather, linear",)))
    for variant, change, operations in causes_of:
        if cases(*operations):
            other = changed(machine, work / f"{NAME}-{side}-{variant.split()[1]}", change)
            points += of(variant, predict_all(other, cases(*operations), work, f"{NAME}-{side}-{variant.split()[1]}"))
    return points


def results(folders, work):
    folder = folders["pico"]
    job, test, nodes, algorithm = CALIBRATING
    of_count = {count: times for (count, name), times in pico.iterations(folder, NAME, job, test).items() if name == algorithm and count <= MOST}
    files = [("osu", NETWORK, f"part-{n}.txt", text) for n, text in enumerate(pico.messages(of_count, nodes))]
    machine = calibrate(work / NAME, node_of(NODE, work / f"{NAME}.xml"), max(side**3 for _, _, side, *_ in HELD_OUT), files)
    points = []
    for side in (4, 8):
        found = []
        for job, test, of_side, operation, names, most in HELD_OUT:
            if of_side == side:
                times = pico.iterations(folder, NAME, job, test)
                found += pico.measured(times, f"{side**3} nodes", names, case_of(operation, side**3), [c for c in COUNTS if c <= most])
        cases = [c for _, c, _ in found]
        for variant, network in ((FITTED, torus(machine, work, side)), (ONE_SWITCH, machine))[:2 if side == 4 else 1]:
            predicted = predict_all(network, cases, work, f"{NAME}-{side}-{variant.split()[0]}")
            points += [point_of(c, level, time, predicted[c], variant) for level, c, time in found]
        points += checked(torus(machine, work, side), found, work, side)
    points.sort(key=lambda p: p.variant != FITTED)
    return Results([f"github.com/{REPOSITORIES['pico']}, commit {commit_of(folder)}"], points, figures_of(machine))


BLAMED = {variant: lambda p: True for variant in (ONE_SWITCH, LARGEST_FIRST, SENDERS, RECEIVERS)}
CHOICES = ["algorithm"]  # see scores.questions
GROUPS = "the number of nodes"
USED = """
Nodes of Fugaku (RIKEN; A64FX, Tofu-D), one rank on each, Fujitsu MPI (4.0.1, says PICO), which is based on Open MPI. As above, PICO measures each iteration's slowest rank; medians are compared.

- **Used:** one allgather on 2 x 2 x 2 nodes, Fujitsu MPI's recursive doubling, 32 B to 64 MiB: a third of its time counts as that of a message of the mean size of its steps.
- **Held out:** jobs of 4 x 4 x 4 and 8 x 8 x 8 nodes: allgathers (recursive doubling, Bruck), broadcasts (linear, binary, binomial), gathers and scatters (linear, binomial); on
  64 nodes also alltoalls (linear, pairwise, Bruck). From 8 elements of 4 B in all, or in the broadcast's message, to 2,097,152 on 64 nodes and 262,144 on 512. The job of 64 nodes has
  broadcasts of 2,097,152 elements and more only, and no linear gathers and scatters.
- **How:** allgathers and alltoalls as in `tools/held_out/schedules.c`, the others without segments by `repeated`, all with the time of the slowest rank. Tofu-D has six
  dimensions, of which Fujitsu's job scheduler makes three: the machine is a torus of 4 x 4 x 4 or 8 x 8 x 8 nodes, whose links carry the published 6.8 GB/s. Ways are in the order of the
  dimensions.
- **Assumed:** that Fujitsu's algorithms are those of Open MPI with the same name (`basic-linear`, `binary-tree`, `modified-bruck`), since its source is not public.
- **Blind:** the procedure was committed before anybody here looked at a time of a held-out algorithm, and has not changed since.
- **Not included:** algorithms that only Fujitsu has (`3dtorus`, `blacc3d`, `trinaryx3` and others), those of PICO over Fujitsu's uTofu, allreduces and reductions, and jobs of
  4,096 and 8,192 nodes.
"""
CHECKED = """
Suspected causes, each checked by a change. *One switch*: the jobs of 64 nodes without the torus. *The largest part first*: another order of a binomial scatter. *Busy senders* and *busy
receivers*: no file measured the overheads, so a send and a receive each take a third of the latency of 2.4 us; here a send takes all of it, or a receive two thirds.
"""
FAILS = """
Where it fails:

- **Linear broadcasts on 512 nodes, 10 to 200 times too slow: the name is wrong.** To send 1 MiB to 511 nodes, a root needs 13 ms at the 40.8 GB/s of all its links. 0.18 ms were
  measured, as for the library's default. From 2 KiB on, both take the same time within a percent: the library did not run the algorithm that it was told to run. On 64 nodes it did.
- **Binomial scatters, 2 times too slow: the order of the parts.** In the simulation (`MPIX_Scatter`), as in older versions of Open MPI, the root sends the smallest part of the vector
  first, and the longest branch of the tree starts last. Open MPI 4.1.4 sends the largest part first. In that order, scatters are off by 1.06 instead of 1.98, and those on
  [MareNostrum 5](#marenostrum-5-one-allgather-predicts-other-collectives) by 1.18 instead of 2.05. Binomial gathers, which have no such choice, are off by 1.07.
- **Linear alltoalls, gathers and scatters, 1.3 to 9 times too fast: the assumed overheads.** A scatter to 511 ranks takes 1.6 us for each message of 4 B, a gather 1.3 us, and 0.8 us
  is assumed. With busy senders, linear alltoalls are off by 1.13 instead of 1.70; with busy receivers, gathers by 1.24 instead of 1.95. On MareNostrum 5 and LUMI the same
  assumption is too high. Blocks of 2 KiB take 7 us each on 512 nodes, and of 16 KiB in alltoalls 5 us on 64 nodes. Nothing here explains that.
- **Bruck's algorithm, too fast: up to 1.8 in allgathers, 3.3 in alltoalls.** It copies blocks, which is not simulated. In an allgather of 1 MiB on 64 nodes it took 444 us, recursive
  doubling 223 us, and both are predicted at 231 to 247 us. In an alltoall, each step also collects half of the blocks from all over the vector. This is not checked by a change.
- **One linear broadcast of 8 MiB on 64 nodes, 1.7 times too fast.** Nothing here explains it.
- **The torus matters for long broadcasts:** with one switch, binomial ones of 8 MiB would be off by 2.3 instead of 1.01, since there the messages of a node share one link.
  Over all points the torus lowers the median error from 1.36 to 1.25.
"""
