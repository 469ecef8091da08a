# SPDX-License-Identifier: LGPL-2.1-only
"""ORFEO again: predicts another user's broadcasts and gathers, with ranks dealt over cores, sockets and nodes."""
import csv
import statistics

from held_out import causes, orfeo, ratios, scores
from held_out.points import FITTED, ROOT, Case, Results, point_of
from held_out.runs import REPETITIONS, calibrate, changed, commit_of, figures_of, predict

NAME, TITLE = "orfeo-mappings", "ORFEO: ranks dealt over cores, sockets and nodes"
LABEL = "ORFEO, mappings"
REPOSITORIES = {**orfeo.REPOSITORIES, "orfeo_mappings": "aleminutolo/HPC_Final_Exam"}

ALGORITHMS = {("bcast", 1): "linear", ("bcast", 2): "chain", ("bcast", 3): "pipeline", ("gather", 1): "linear", ("gather", 2): "binomial"}
SIZES = [4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576]
# Open MPI's --map-by: the scenarios' map_by, the largest number of ranks, and nodes. Open MPI deals ranks over the
# sockets of one node before it goes to the next; `map_by: package` deals over the sockets of all nodes. On one node
# both agree.
MAPPINGS = {"core": ("core", 256, 2), "socket": ("package", 128, 1), "node": ("node", 256, 2)}
RANKS = [2, 4, 8, 16, 32, 64, 128, 256]
FREE = "receiving is free"  # a suspected cause, tested by a change for gathers of these sizes
CHECKED_SIZES = [4, 64, 1024, 16384, 262144]
EAGER = "a longer eager limit"  # another one
EAGER_SIZES = [1024, 4096, 16384, 65536, 262144]
CHECKS = {FREE: (causes.free_receives, CHECKED_SIZES), EAGER: (causes.longer_eager_messages, EAGER_SIZES)}


def check(variant, machines, measured, work):
    """Returns the points of gathers on changed machines."""
    change, sizes = CHECKS[variant]
    points = []
    for mapping, times in measured.items():
        map_by, _, nodes = MAPPINGS[mapping]
        name = f"{NAME}-{change.__name__.replace('_', '-')}"
        on = changed(machines[nodes], work / f"{name}-{nodes}", change)
        cases = [c for c in times if c.operation == "gather" and c.bytes in sizes]
        predicted = predict(on, cases, work / f"{name}-runs-{mapping}", map_by, REPETITIONS)
        points += [point_of(c, f"by {mapping}", times[c], predicted[c], variant) for c in cases]
    return points


def results(folders, work):
    machines = {}
    for nodes in (1, 2):
        files = [f for f in orfeo.latencies(folders) if nodes > 1 or f[1] != "System - Cluster"]
        machines[nodes] = calibrate(work / f"{NAME}-{nodes}", ROOT / "platforms/data/archer2/node.xml", nodes, files)
    points, measured = [], {}
    for mapping, (map_by, most, nodes) in MAPPINGS.items():
        times = measured.setdefault(mapping, {})
        for (operation, number), algorithm in ALGORITHMS.items():
            with open(folders["orfeo_mappings"] / "Ex1/csv" / f"{operation}{number}_{mapping}.csv", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    ranks, size = int(row["Processes"]), int(row["Size"])
                    if ranks in RANKS and ranks <= most and size in SIZES:
                        times[Case(operation, algorithm, ranks, size)] = float(row["Latency"])
        predicted = predict(machines[nodes], list(times), work / f"{NAME}-runs-{mapping}", map_by, REPETITIONS)
        points += [point_of(c, f"by {mapping}", t, predicted[c]) for c, t in times.items()]
    for variant in CHECKS:
        points += check(variant, machines, measured, work)
    notes = [f"github.com/{REPOSITORIES[name]}, commit {commit_of(folder)}" for name, folder in folders.items()]
    return Results(notes, points, figures_of(machines[2]))


BLAMED = {FREE: lambda p: p.bytes < 8192, EAGER: lambda p: 4096 <= p.bytes < 131072}
CHOICES = ["algorithm", "mapping"]  # see scores.questions; its levels are mappings
GROUPS = "what the ranks were dealt over"
USED = """
The same nodes and Open MPI, measured by another user.

- **Used:** only the ping-pongs of the section before.
- **Held out:** `osu_bcast` (linear, chain, pipeline) and `osu_gather` (linear, binomial) on 2 to 256 ranks, which Open MPI dealt over cores, over sockets, and over nodes. Ranks
  that were dealt over sockets are predicted on one node.
"""
CHECKED = """
Suspected causes, each checked by changing the machine. *Receiving is free* (gathers of 4 B, 64 B, 1, 16 and 256 KiB): no file measured what a receive costs, and in the predictions
above it costs as much as a send. *A longer eager limit* (1 to 256 KiB): no file measured the limit, and it is assumed to be 4 KiB; here messages wait for their receiver from
where the last protocol of the ping-pongs begins, at 128 KiB between nodes and 256 KiB within one.
"""
FAILS = """
Users want to know which mapping is faster. The ratio between the times of two mappings is mostly predicted better than each time:

{ratios}

Where it fails:

- **Linear gathers of short messages, far too fast.** In the model, the sender of a short message is free at once. On ORFEO it waits, and it waits longer the more ranks send to the
  root, because they share the root's queue. Ping-pongs do not show this. The root also takes one message after the other: that each keeps it busy halves the worst error (checks
  above), and {regrets}. Binomial gathers, in which a rank receives few messages, are predicted better with free receives. The probe and streams of messages measure
  `receive_overhead`; `osu_latency` does not.
- **Linear gathers from 4 KiB on, too slow.** In the model, the root receives one message after the other, each at the rate of a ping-pong, and every sender waits for its turn. If
  the assumed eager limit alone were the cause, a longer one would help; with it, no sender waits, and the gathers are five times too fast (checks above). On ORFEO senders wait, but
  not for their turn.
- **Broadcasts** fail as in the section before, and for the same reasons. They are predicted best if ranks are dealt over nodes: every hop then crosses the network, whose figures
  are known best.
"""
CHANGES = [("by core", "by node"), ("by core", "by socket")]


def regrets(points):
    """Says what the costs of receives change in the choice between the gathers of FREE's sizes."""
    costs, free = (statistics.mean(map(scores.regret, scores.questions(chosen, "algorithm")))
                   for chosen in ([p for p in points if p.variant == variant and p.operation.startswith("gather") and p.bytes in CHECKED_SIZES]
                                  for variant in (FITTED, FREE)))
    return f"choosing an algorithm has a mean regret of {100 * costs:.0f} instead of {100 * free:.0f} %"


def fails(results):
    return FAILS.format(ratios=ratios.tabulate(results.points, CHANGES, "mapping"), regrets=regrets(results.points))
