# SPDX-License-Identifier: LGPL-2.1-only
"""MareNostrum 5: predicts eight collectives of named algorithms on 32 nodes, and allgathers on 60, from one allgather on 32
nodes (pico.py)."""
from held_out import pico
from held_out.pico import ELEMENT
from held_out.points import FITTED, Case, Point, Results
from held_out.runs import calibrate, commit_of, figures_of, node_of, predict, predict_schedules

NAME, TITLE = "mare-nostrum", "MareNostrum 5: one allgather predicts other collectives"
LABEL = "MareNostrum 5"
REPOSITORIES = {"pico": "HLC-Lab/pico"}

SYSTEM = "mare_nostrum"  # PICO's name
NETWORK = "System - Cluster"
NODE, NODES = "pack:2 core:56 pu:1", 60  # Xeon 8480+; one rank on each node
COUNTS = [64, 512, 4096, 32768, 262144, 2097152]
CALIBRATING = ("2025_04_12___14_04_47", 0, 32, "recursive_doubling_ompi")  # job, test, nodes, algorithm
# Jobs, tests, nodes, operations, and {PICO's name: ours}.
HELD_OUT = [
    ("2025_04_12___14_04_47", 0, 32, "allgather", {"ring_ompi": "ring", "neighbor_ompi": "neighbor"}),
    ("2025_06_05___20_58_44", 1, 60, "allgather", {"ring_ompi": "ring", "neighbor_ompi": "neighbor"}),
    ("2025_04_12___14_07_21", 0, 32, "alltoall", {"linear_ompi": "linear", "pairwise_ompi": "pairwise"}),
    ("2025_04_12___14_07_21", 1, 32, "bcast", {"binomial_ompi": "binomial", "binary_ompi": "binary"}),
    ("2025_04_12___14_07_21", 2, 32, "gather", {"linear_ompi": "linear", "binomial_ompi": "binomial"}),
    ("2025_04_12___14_07_21", 4, 32, "scatter", {"linear_ompi": "linear", "binomial_ompi": "binomial"}),
]
OF_SCHEDULES = ("allgather", "alltoall")  # as in schedules.c


def case_of(operation, nodes):
    """Returns the function of pico.measured. The count of a broadcast is that of its message, of other operations that of
    the blocks of all ranks."""
    parts = 1 if operation == "bcast" else nodes
    return lambda algorithm, count: Case(operation, algorithm, nodes, ELEMENT * (count // parts)) if count >= parts else None


def results(folders, work):
    folder = folders["pico"]
    job, test, nodes, algorithm = CALIBRATING
    of_count = {count: times for (count, name), times in pico.iterations(folder, SYSTEM, job, test).items() if name == algorithm}
    files = [("osu", NETWORK, f"part-{n}.txt", text) for n, text in enumerate(pico.messages(of_count, nodes))]
    machine = calibrate(work / NAME, node_of(NODE, work / f"{NAME}.xml"), NODES, files)
    found = []
    for job, test, nodes, operation, names in HELD_OUT:
        found += pico.measured(pico.iterations(folder, SYSTEM, job, test), f"{nodes} nodes", names, case_of(operation, nodes), COUNTS)
    cases = list(dict.fromkeys(c for _, c, _ in found))
    predicted = predict_schedules(machine, [c for c in cases if c.operation in OF_SCHEDULES], work / f"{NAME}-schedules", "node", "slowest")
    predicted |= predict(machine, [c for c in cases if c.operation not in OF_SCHEDULES], work / f"{NAME}-runs", "node", 1, ["--slowest"])
    points = [Point(f"{c.operation}, {c.algorithm}", level, c.ranks, c.bytes, time, predicted[c], FITTED) for level, c, time in found]
    return Results([f"github.com/{REPOSITORIES['pico']}, commit {commit_of(folder)}"], points, figures_of(machine))


CHOICES = ["algorithm"]  # see scores.questions
GROUPS = "the number of nodes"
USED = """
Nodes of MareNostrum 5 (BSC; fat tree, InfiniBand NDR), one rank on each, Open MPI 4.1.5. As above, PICO measures each iteration's slowest rank; medians are compared.

- **Used:** one allgather on 32 nodes, Open MPI's recursive doubling. It has five steps, so a fifth of its time counts as that of a message of the mean size of its steps. The data
  have no ping-pongs, and its runs on 4 and 8 nodes are not in the copy of the repository that was used.
- **Held out:** allgathers by ring and neighbour exchange on 32 and 60 nodes; alltoalls (linear, pairwise), broadcasts (binomial, binary), gathers and scatters (linear, binomial) on 32
  nodes; from 64 elements of 4 B in all, or in the broadcast's message, to 2,097,152.
- **How:** allgathers and alltoalls as in `tools/held_out/schedules.c`, the others without segments by `repeated`, all with the time of the slowest rank. The machine has all nodes at
  one switch.
- **Blind:** the predictions were committed before anybody here looked at a time of the held-out files.
- **Not included:** allreduces and reductions, because nothing measured how fast a node adds; PICO's own algorithms (Bine).
"""
FAILS = ""
