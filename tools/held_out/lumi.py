# SPDX-License-Identifier: LGPL-2.1-only
"""LUMI: predicts collectives of named algorithms on 16 to 100 nodes from one allgather on 16 nodes and one allreduce on 8
(pico.py)."""
from held_out import causes, pico
from held_out.pico import ELEMENT
from held_out.points import FITTED, Case, Figure, Results, point_of
from held_out.runs import calibrate, changed, commit_of, figures_of, node_of, predict_schedules

NAME, TITLE = "lumi", "LUMI: Cray MPICH on up to 100 nodes"
LABEL = "LUMI"
REPOSITORIES = {"pico": "HLC-Lab/pico"}

NETWORK = "System - Cluster"
NODE, NODES = "pack:1 core:64 pu:1", 100  # a Trento (EPYC 7A53); one rank on each node
MOST = 16777216  # elements; iterations of 134217728 differ by factors of four
# Jobs, tests, nodes and algorithms.
MESSAGES = ("2025_03_27___19_15_25", 1, 16, "recursive_doubling_mpich")
ADDING = ("2025_04_07___16_14_21", 0, 8, "recursive_doubling_over")
ADDED_COUNTS = [32768, 262144, 2097152]  # 128 KiB to 8 MiB, where adding is a large part of the time
MPICH, LIBBINE = "Cray MPICH", "libbine"
# Jobs, tests, nodes, operations, and {implementation: {PICO's name: ours}}.
HELD_OUT = [
    ("2025_03_27___19_15_25", 1, 16, "allgather", {
        MPICH: {"ring_mpich": "ring", "brucks_mpich": "bruck"},
        LIBBINE: {"k_bruck_over": "bruck", "sparbit_over": "sparbit"}
    }),
    ("2025_04_11___19_57_44", 0, 100, "allgather", {
        MPICH: {"ring_mpich": "ring", "brucks_mpich": "bruck"},
        LIBBINE: {"ring_over": "ring", "k_bruck_over": "bruck", "sparbit_over": "sparbit"}
    }),
    *[(job, 0, nodes, "allreduce", {
        MPICH: {"recursive_doubling_mpich": "recursive-doubling"},
        LIBBINE: {"recursive_doubling_over": "recursive-doubling", "ring_over": "ring", "rabenseifner_over": "rabenseifner"}
    }) for job, nodes in (("2025_03_16___14_58_59", 16), ("2025_03_16___15_34_44", 32))],
    ("2025_04_11___19_57_44", 1, 100, "reduce-scatter", {MPICH: {"pairwise_mpich": "pairwise"}, LIBBINE: {"ring_over": "ring"}}),
]
COUNTS = [8, 64, 512, 2048, 4096, 16384, 32768, 131072, 262144, 1048576, 2097152]


def case_of(operation, nodes):
    """Returns the function of pico.measured. The count of an allreduce is that of its vector, of other operations that of the
    blocks of all ranks."""
    parts = 1 if operation == "allreduce" else nodes
    return lambda algorithm, count: Case(operation, algorithm, nodes, ELEMENT * (count // parts)) if count >= parts else None


def of_algorithm(folder, job, test, algorithm, counts):
    times = pico.iterations(folder, NAME, job, test)
    return {count: times[count, name] for count, name in times if name == algorithm and counts(count)}


def calibrated(folder, work):
    """Returns the machine and the time to add a byte, in ns."""
    job, test, nodes, algorithm = MESSAGES
    of_count = of_algorithm(folder, job, test, algorithm, lambda count: count <= MOST)
    files = [("osu", NETWORK, f"part-{n}.txt", text) for n, text in enumerate(pico.messages(of_count, nodes))]
    machine = calibrate(work / NAME, node_of(NODE, work / f"{NAME}.xml"), NODES, files)
    job, test, nodes, algorithm = ADDING
    return machine, pico.adding_ns(machine, of_algorithm(folder, job, test, algorithm, lambda count: count in ADDED_COUNTS), nodes)


# Suspected causes.
SHORT, SPARBIT, RABENSEIFNER = "a latency for short messages", "overheads / 4", "Rabenseifner's algorithm"
SHORTEST, LINE_FROM = 3.6, 480  # us and B: the calibrating allgather's shortest messages, of 60 B, and the size of the next ones


def shorten(costs):
    """Messages of less than LINE_FROM bytes have the latency that those of the calibrating allgather had."""
    level = costs["levels"][0]
    segment = {name: dict(level[name]) for name in ("latency", "overhead", "receive_overhead", "bandwidth")}
    level["segments"] = [{"from": {"value": LINE_FROM, "unit": "B", "source": "assumed: to check a cause"}, **segment}]
    factor = SHORTEST / level["latency"]["value"]
    for name in ("latency", "overhead", "receive_overhead"):
        level[name] = {**level[name], "value": level[name]["value"] * factor, "source": "assumed: the shortest messages, to check a cause"}


def checked(machine, adding, found, predicted, work):
    """Returns the points of the suspected causes."""

    def again(variant, change, is_checked):
        cases = list(dict.fromkeys(c for _, c, _ in found if is_checked(c)))
        other = changed(machine, work / f"{NAME}-{variant.split()[0]}", change)
        times = predict_schedules(other, cases, work / f"{NAME}-{variant.split()[0]}-schedules", "node", "slowest", adding)
        return [point_of(c, level, time, times[c], variant) for level, c, time in found if c in times]

    points = again(SHORT, shorten, lambda c: c.bytes < LINE_FROM and c.algorithm != "sparbit")
    points += again(SPARBIT, causes.short_overheads, lambda c: c.algorithm == "sparbit")
    for level, c, time in found:
        if (level, c.operation) == (MPICH, "allreduce") and c.bytes >= 65536:
            points.append(point_of(c, level, time, predicted[Case(c.operation, "rabenseifner", c.ranks, c.bytes)], RABENSEIFNER))
    return points


def results(folders, work):
    folder = folders["pico"]
    machine, adding = calibrated(folder, work)
    found = []
    for job, test, nodes, operation, implementations in HELD_OUT:
        times = pico.iterations(folder, NAME, job, test)
        for implementation, names in implementations.items():
            found += pico.measured(times, implementation, names, case_of(operation, nodes), COUNTS)
    cases = list(dict.fromkeys(c for _, c, _ in found))
    predicted = predict_schedules(machine, cases, work / f"{NAME}-schedules", "node", "slowest", adding)
    points = [point_of(c, level, time, predicted[c], FITTED) for level, c, time in found] + checked(machine, adding, found, predicted, work)
    figures = figures_of(machine) + [Figure("core", "adding", f"{adding:.3g} ns/B", f"allreduces of {ADDING[2]} nodes, {len(ADDED_COUNTS)} sizes")]
    return Results([f"github.com/{REPOSITORIES['pico']}, commit {commit_of(folder)}"], points, figures)


BLAMED = {SHORT: lambda p: True, SPARBIT: lambda p: True, RABENSEIFNER: lambda p: True}
CHOICES = ["algorithm"]  # see scores.questions
GROUPS = "whose implementation it is"
USED = """
Nodes of LUMI-G (CSC; HPE Slingshot 11, dragonfly), one rank on each, Cray MPICH 8.1.29. As above, PICO measures each iteration's slowest rank; medians are compared. PICO names the
algorithm by a variable of MPICH (`MPICH_ALLGATHER_INTRA_ALGORITHM=ring`), and turns Cray's own choices off (`MPICH_COLL_OPT_OFF=1`).

- **Used:** one allgather on 16 nodes, MPICH's recursive doubling, 256 B to 64 MiB: a quarter of its time counts as that of a message of the mean size of its steps. No smaller job has
  allgathers. One allreduce on 8 nodes, libbine's recursive doubling, 128 KiB to 8 MiB: what a third of its time is longer than a message of its size counts as the time to add its
  bytes.
- **Held out:** allgathers by ring, Bruck's algorithm and Sparbit on 16 and 100 nodes; allreduces by recursive doubling, ring and Rabenseifner's algorithm on 16 and 32 nodes;
  reduce-scatters by ring and pairwise on 100 nodes; from 8 elements of 4 B to 2,097,152.
- **How:** as in `tools/held_out/schedules.c`, with the time of the slowest rank. The machine has all nodes at one switch.
- **Blind:** the procedure was committed before anybody here looked at a time of a held-out algorithm, and has not changed since.
- **Not included:** recursive halving on 100 nodes, and the job on 1,000 nodes; reductions to one rank, of which there is only a job of 4 nodes; PICO's own algorithms (Bine). PICO's list
  of jobs names broadcasts, gathers, scatters and alltoalls on up to 1,024 nodes, but the repository does not have their files.
"""
CHECKED = """
Suspected causes, each checked by a change. *A latency for short messages*: messages of less than 480 B take 3.6 us, as in the calibrating allgather, not the 5.7 us of the fitted line.
*Overheads / 4*: no file measured them, so a send and a receive each take a third of the latency. *Rabenseifner's algorithm*: it is simulated instead of the one that the measurement
names.
"""
FAILS = """
Where it fails:

- **Cray MPICH's allreduces of 64 KiB and more, 1.7 to 2.9 times too slow: the name is wrong.** On 8 nodes, what PICO calls recursive doubling, Rabenseifner's algorithm and the default
  takes the same time at each size, within a percent, so the variable that should choose the algorithm had no effect. From 64 KiB on, these times are those of libbine's
  Rabenseifner's algorithm. With that one, the error falls from 2.3 to 1.14. libbine's own recursive doubling, whose code is known, is predicted within 6 % from 64 KiB on. In
  allgathers and reduce-scatters the variable did choose: their times differ, and MPICH's rings take as long as libbine's.
- **Messages of less than 512 B, up to 2 times too slow: one line for all sizes.** The calibrating allgather has six sizes, and `strata calibrate` fitted one line to them. For
  60 B it gives 5.7 us instead of 3.6 us. With the latency of these, rings of allgathers are off by 1.05 instead of 1.60, all short points by 1.16 instead of 1.54.
  More sizes would show it: `osu_latency` has one for each power of two.
- **Short messages of Sparbit, up to 3.3 times too slow: the assumed overheads.** It sends each block by itself, 99 on 100 nodes, which were measured to take 1.1 us each. The assumed
  overheads of 1.9 us for both sides make 3.8. With a quarter of them, Sparbit is off by 1.1 instead of 2.0, as linear algorithms are on MareNostrum 5.
- **Bruck's algorithm with blocks of 64 KiB on 16 nodes, too fast by 1.6.** At the end it turns all blocks, a copy of 1 MiB, which is not simulated. Recursive doubling, which has no
  such copy, took 223 us in the same job, Bruck's algorithm 302 us.
- **Blocks of 1 KiB, too fast by 1.2 to 1.5.** A step of a ring was measured at 7.1 us, 1 us less than one with 10 KiB. The line says 5.9 us. It is
  also below the times of the calibrating allgather: 6.4 us for 3,840 B, where 7.3 us were measured. One line cannot have all sizes.
"""
