# SPDX-License-Identifier: LGPL-2.1-only
"""ORFEO: predicts broadcasts and scatters of Open MPI, whose algorithms are known, from ping-pongs."""
import csv
import re
import statistics

from held_out import causes, rules
from held_out.numbers import summary, table
from held_out.points import FITTED, ROOT, Case, Results, point_of
from held_out.runs import REPETITIONS, calibrate, changed, commit_of, figures_of, predict, predict_with_openmpi

NAME, TITLE = "orfeo", "ORFEO: broadcasts and scatters with known algorithms"
LABEL = "ORFEO"
REPOSITORIES = {"orfeo": "eruoppolo/HPC_2023", "orfeo_sockets": "tanjaderin/HPC"}

# Titles of the sections in the output of latency_pt2pt.sh, and the level that cores 0 and 1, 4, 8, 16, 32 share.
LEVELS = {
    "Same CCX": "L3",
    "Same CCD, Different CCX": "NUMANode",
    "Same NUMA": "NUMANode",
    "Same SOCKET": "Package",
    "Different SOCKET": "Package",  # cores 0 and 32 are both in the first processor
    "Different NODE": "System - Cluster",
}
OUTPUTS = ["slurm-871042.out", "slurm-871990.out"]
SOCKETS = "20250716_122622_latency_exclusive_epyc.txt"  # from Open MPI 5.0.5; 2 B only

# Values of coll_tuned_OPERATION_algorithm, and the names of these algorithms here. 0: Open MPI chooses.
ALGORITHMS = {
    ("bcast", 0): "native",
    ("bcast", 1): "linear",
    ("bcast", 3): "pipeline",
    ("bcast", 5): "binary",
    ("scatter", 0): "native",
    ("scatter", 1): "linear",
    ("scatter", 2): "binomial",
}
# The largest number of ranks, one on each core, that stay within each level.
REACHES = [(4, "L3"), (16, "NUMANode"), (64, "Package"), (128, "Machine"), (256, "System - Cluster")]
NODES = 2
NUMBERS = {(operation, algorithm): number for (operation, number), algorithm in ALGORITHMS.items()}
SMPI = "Strata's and SMPI's algorithms"  # how these points were predicted before
TOGETHER = "all ranks start at the same time"
# Suspected causes of errors with the change that tests each, and the sizes and ranks for which this is done.
CHECKS = {
    SMPI: {},
    "senders busy for the whole latency": {"change": causes.busy_senders},
    "receiving is free": {"change": causes.free_receives},
    "links in the node / 4": {"change": causes.narrow_links},
    "four cores of an L3 share its copies": {"change": causes.shared_copies},
    TOGETHER: {"options": ["together"]},
}
CHECKED_SIZES, CHECKED_RANKS = [4, 256, 2048, 16384, 262144], [2, 4, 8, 16, 32, 64]


def level_of(ranks):
    return next(level for most, level in REACHES if ranks <= most)


def by_level(outputs):
    """Returns {level: osu_latency's output for it}."""
    texts = {}
    for section in re.finditer(r"^Testing ([^\n]*)\n(.*?)(?=^Testing|^All tests)", outputs, re.S | re.M):
        texts[LEVELS[section[1]]] = texts.get(LEVELS[section[1]], "") + section[2]
    return texts


def across_sockets(output):
    """Returns osu_latency's output for core 0 with cores 64 to 127, which are in the other processor."""
    sections = re.findall(r"^Testing with cores: 0 and (\d+)\n(.*?)(?=^Testing|\Z)", output, re.S | re.M)
    return "".join(text for core, text in sections if int(core) >= 64)


def measured(results):
    times = {}
    for (operation, number), algorithm in ALGORITHMS.items():
        with open(results / operation / "var_size" / f"{operation}{number}_core_mapping_epyc.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                times[Case(operation, algorithm, int(row["Processes"]), int(row["Size"]))] = float(row["Latency"])
    return times


def latencies(folders):
    """Returns the files from which machines are calibrated."""
    outputs = "".join((folders["orfeo"] / "ex1/scripts/output" / name).read_text(encoding="utf-8") for name in OUTPUTS)
    files = [("osu", level, f"{level.replace(' ', '')}.txt", text) for level, text in by_level(outputs).items()]
    output = (folders["orfeo_sockets"] / "EX1/results" / SOCKETS).read_text(encoding="utf-8")
    return files + [("osu", "Machine", "Machine.txt", across_sockets(output))]


def results(folders, work):
    machine = calibrate(work / NAME, ROOT / "platforms/data/archer2/node.xml", NODES, latencies(folders))
    times = measured(folders["orfeo"] / "ex1/results")
    points = []
    for number, (variant, how) in enumerate([(FITTED, {}), *CHECKS.items()]):
        on = changed(machine, work / f"{NAME}-{number}", how["change"]) if "change" in how else machine
        cases = [c for c in times if variant in (FITTED, SMPI) or (c.bytes in CHECKED_SIZES and c.ranks in CHECKED_RANKS and c.algorithm != "native")]
        runs = work / f"{NAME}-runs-{number}"
        if variant == SMPI:
            predicted = predict(on, cases, runs, repetitions=REPETITIONS)
        else:
            predicted = predict_with_openmpi(on, cases, runs, NUMBERS, options=how.get("options", ()))
        points += [
            point_of(c, level_of(c.ranks), times[c], predicted[c], variant)
            for c in cases
        ]
    notes = [f"github.com/{REPOSITORIES[name]}, commit {commit_of(folder)}" for name, folder in folders.items()]
    return Results(notes, points, figures_of(machine))
BLAMED = {
    "senders busy for the whole latency": lambda p: "linear" in p.operation and 128 <= p.bytes < 8192,
    "receiving is free": lambda p: p.operation in ("bcast, pipeline", "bcast, binary", "scatter, binomial"),
    "links in the node / 4": lambda p: p.operation in ("bcast, binary", "bcast, linear") and p.bytes >= 16384,
    "four cores of an L3 share its copies": lambda p: p.bytes >= 16384,
    TOGETHER: lambda p: p.bytes < 128,
    SMPI: lambda p: True,
}
CHOICES = ["algorithm"]  # see scores.questions
GROUPS = "the outermost level that the ranks use"
USED = """
Two nodes of ORFEO (Area Science Park, Trieste), each of two AMD EPYC 7H12 with 64 cores, with Open MPI 4.1.6; rank i on core i.

- **Used:** two runs of `osu_latency` between two cores of an L3, of a NUMA node, of a processor, and of two nodes. Between the two processors of a node, only
  messages of 2 B were measured (tanjaderin/HPC, Open MPI 5.0.5). The tree of a node is that of machine `archer2`, also Zen 2.
- **Held out:** `osu_bcast` and `osu_scatter` on 2 to 256 ranks, 2 B to 256 KiB, each with the algorithm that `coll_tuned_bcast_algorithm` asked for. Broadcasts are linear (1),
  pipeline (3) and binary (5); scatters are linear (1) and binomial (2).
- **How:** Open MPI 4.1.4 itself runs in virtual time ([native.md](native.md)), with the same value of `coll_tuned_bcast_algorithm`; with `native` (0) it chooses the algorithm.
- **Repeated** as in OSU: the mean of ten repetitions with a barrier between them, which is Open MPI's, too.
- **Assumed:** send overheads, as a part of the latency, and receive overheads of the same length; links, as a multiple of what one message gets; the eager limit. The machine has no figure for its memory's bandwidth.
"""
CHECKED = """
Suspected causes, each checked by a change (known algorithms on up to 64 ranks; 4 B, 256 B, 2, 16 and 256 KiB). The last rows are all points as they were predicted in earlier versions:
algorithms of Strata's library for the known ones, and SMPI's own choice, algorithms and barrier:
"""
FAILS = """
**Would rules from these predictions help?** A rule replaces the choice of Open MPI where the predicted time of another measured algorithm is at least 5 % shorter, as `strata collectives
tune` does it. Regret: how much longer the chosen algorithm was measured to take than the best one of all that were measured; the mean, and in brackets P95 and the worst:

{rules}

Rules for scatters would have helped. For broadcasts they would not: Open MPI's own choice is within 5 % of the best on average, and a prediction with an error of 1.5 does not improve it.

Where it fails:

- **Linear algorithms, 128 B to 8 KiB, too fast.** The root copies each message into shared memory, which keeps it busy. The assumed overhead, half of the latency, is too small:
  with all of the latency, most of the error is gone (broadcasts) or half of it (scatters). The probe measures this overhead; `osu_latency` does not.
- **Binary trees of long messages, too fast.** Many pairs of cores exchange messages at once, and the assumed links within the node are fast enough for all of them. With a quarter
  of this bandwidth the error is gone, but linear broadcasts, where one core sends, become too slow. Measurements of several pairs at once (`osu_mbw_mr`, or the probe) would give
  the bandwidth. If the cores of an L3 share its rate, as on ARCHER2 below, the error falls to 1.3, but linear and binomial scatters, in which one core of an L3 copies at a time,
  become too slow: a fixed share for all does not replace a rate that is shared.
- **What a receive costs is not the cause.** In a broadcast or scatter a rank receives once: with free receives the median error of all points is the same. In gathers it matters
  ([below](#orfeo-ranks-dealt-over-cores-sockets-and-nodes)).
- **Pipelines to 8 KiB, too fast: the benchmark's barrier slows them down.** `osu_bcast` has a barrier between repetitions, and Open MPI 4.1 chooses its algorithm by the number of
  ranks alone (`coll_tuned_decision_fixed.c`): recursive doubling on 2 and 3, linear on 4 to 7, recursive doubling on 8 to 63, Bruck's on 64 to 255, a tree on 256 to 511. Errors
  change with it:

{barriers}

  The time missing per hop is 2 (measured - predicted) / (ranks - 1), because the mean rank of a chain waits for half of the hops. It is the same for 8 to 128 ranks and for 4 B to
  8 KiB, so it is a fixed cost per message. Forwarding a buffer that was just received would cost more for more bytes. Measurements on every number of ranks (4 B, in the same
  repository, not used here) show the barrier directly: from 255 to 256 ranks, pipelines get faster from 51 to 27 us, binary trees from 18.2 to 5.6 us, and native broadcasts from
  18.3 to 1.0 us. The other user of ORFEO, below, measured the same. A likely reason: with recursive doubling and Bruck's algorithm, a rank that has forwarded the message sends its
  first barrier messages to ranks further down the chain, which still wait for the broadcast and must take them in between. In a linear barrier and in a tree, most ranks send to
  lower ranks only. The simulation has this in part: with Open MPI itself the error of all pipelines is 1.44, with SMPI's barrier it was 1.67, and the time missing per hop fell from
  0.18 us to 0.14 us with recursive doubling. What the barrier's messages cost a rank that waits for the broadcast is the receive overhead, which is assumed here. That ranks leave a
  barrier at different times is not what matters: errors stay if they all start at the same time (checks above).
- **From 16 to 64 KiB, all algorithms, too fast.** Here the algorithm is not the cause either: on two ranks of an L3, where nothing is forwarded, broadcasts of 16 and 64 KiB take
  2.2 and 1.8 times as long as predicted from the ping-pong of the same two cores; 8 and 256 KiB take 0.9 and 1.0 times as long. These data do not show why.
- **Scatters on 2 and 4 ranks, from 8 KiB on, too slow.** The root of MPI_Scatter copies its own block, and `strata calibrate` assumes 10 GB/s for copies if nothing measured
  them. Within an L3 of ORFEO, messages flow at 13 to 25 GB/s. On 2 ranks, 64 KiB take 9.5 us, and 4.3 us were measured. The linear and the binomial scatter of Strata's library,
  which charges nothing for this copy, take 3.0 us.
- **Found by this page:** `strata calibrate` gave levels with ping-pongs of only one size the bandwidth of the shortest messages of the level inside, so scatters between processors
  were up to 8 times too slow. This defect is corrected; the errors above are those after the correction.
"""

# Barriers of Open MPI 4.1.6, by the least number of ranks (coll_tuned_decision_fixed.c).
BARRIERS = [(256, "tree"), (64, "Bruck"), (8, "recursive doubling"), (4, "linear"), (2, "recursive doubling")]
EAGER = 16384  # B: measured times jump here


def barrier_of(ranks):
    return next((least, name) for least, name in BARRIERS if ranks >= least)


def barriers(points):
    """Tabulates errors of pipelines of short messages by the barrier between the repetitions."""
    groups = {}
    for p in points:
        if p.variant == FITTED and p.operation == "bcast, pipeline" and p.bytes < EAGER:
            groups.setdefault(barrier_of(p.ranks), []).append(p)
    rows = []
    for (least, name), chosen in sorted(groups.items()):
        ranks = sorted({p.ranks for p in chosen})
        missing = statistics.median(2 * (p.measured_us - p.predicted_us) / (p.ranks - 1) for p in chosen)
        _, median, worst, _ = summary([(p.predicted_us, p.measured_us) for p in chosen])
        rows.append([name, ", ".join(map(str, ranks)), str(len(chosen)), f"{median} ({worst})", f"x{statistics.median(p.ratio for p in chosen):.2f}", f"{missing:.2f} us"])
    return table(["barrier", "ranks", "points", "error", "predicted / measured", "missing per hop"], "llrrrr", rows)


def fails(results):
    return FAILS.format(barriers=barriers(results.points), rules=rules.tabulate(results.points))
