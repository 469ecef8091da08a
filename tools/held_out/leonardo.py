# SPDX-License-Identifier: LGPL-2.1-only
"""Leonardo: predicts collectives of named algorithms on 32 and 256 nodes from one algorithm on 4 nodes (pico.py)."""
from held_out import pico
from held_out.pico import ELEMENT
from held_out.points import FITTED, Case, Results, point_of
from held_out.runs import REPETITIONS, calibrate, commit_of, figures_of, node_of, predict, predict_schedules

NAME, TITLE = "leonardo", "Leonardo: named algorithms on many nodes"
LABEL = "Leonardo"
REPOSITORIES = {"pico": "HLC-Lab/pico"}

NETWORK = "System - Cluster"
CALIBRATING = "2025_03_13___15_47_02"  # 4 nodes
COUNTS = [8, 64, 512, 2048, 16384, 131072, 1048576, 8388608]  # of the allgathers
BROADCAST_COUNTS = [8, 64, 512, 4096, 32768, 262144]
NODE, NODES = "pack:1 core:32 pu:1", 256  # a Xeon 8358; one rank on each node
# Jobs, nodes, the largest number of elements that one computer simulates, and {implementation: {its name: ours}}.
ALLGATHERS = ("2025_03_19___20_05_06", 32, 8388608, {
    "Open MPI": {"ring_ompi": "ring", "recursive_doubling_ompi": "recursive-doubling", "neighbor_ompi": "neighbor"},
    "libbine": {"ring_over": "ring", "recursive_doubling_over": "recursive-doubling"},
})
BROADCASTS = ("2025_04_04___18_21_29", 256, 262144, {"Open MPI": {"binomial_ompi": "binomial", "binary_ompi": "binary"}})
WITH_BARRIERS = "barriers between repetitions"  # a suspected cause


def allgather(algorithm, count):
    nodes = ALLGATHERS[1]
    return Case("allgather", algorithm, nodes, ELEMENT * count // nodes) if count >= nodes else None


def broadcast(algorithm, count):
    return Case("bcast", algorithm, BROADCASTS[1], ELEMENT * count)


def measured(folder, job, most, implementations, case, counts):
    times = pico.iterations(folder, NAME, job)
    return [one for implementation, names in implementations.items()
            for one in pico.measured(times, implementation, names, case, [c for c in counts if c <= most])]


def points_of(found, predicted, variant):
    return [point_of(c, implementation, time, predicted[c], variant) for implementation, c, time in found]


def results(folders, work):
    node = node_of(NODE, work / f"{NAME}.xml")
    of_count = {count: times for (count, _), times in pico.iterations(folders["pico"], NAME, CALIBRATING).items() if count in COUNTS}
    files = [("osu", NETWORK, f"part-{n}.txt", text) for n, text in enumerate(pico.messages(of_count, 4))]
    machine = calibrate(work / NAME, node, NODES, files)
    job, _, most, implementations = ALLGATHERS
    found = measured(folders["pico"], job, most, implementations, allgather, COUNTS)
    cases = list(dict.fromkeys(c for _, c, _ in found))
    predicted = predict_schedules(machine, cases, work / f"{NAME}-schedules", "node", "slowest")
    points = points_of(found, predicted, FITTED)
    job, _, most, implementations = BROADCASTS
    found = measured(folders["pico"], job, most, implementations, broadcast, BROADCAST_COUNTS)
    cases = [c for _, c, _ in found]
    for number, (variant, repetitions) in enumerate(((FITTED, 1), (WITH_BARRIERS, REPETITIONS))):
        predicted = predict(machine, cases, work / f"{NAME}-runs-{number}", "node", repetitions, ["--slowest"])
        points += points_of(found, predicted, variant)
    return Results([f"github.com/{REPOSITORIES['pico']}, commit {commit_of(folders['pico'])}"], points, figures_of(machine))


BLAMED = {WITH_BARRIERS: lambda p: True}
CHOICES = ["algorithm"]  # see scores.questions
GROUPS = "whose implementation it is"
USED = """
Nodes of Leonardo (CINECA; dragonfly+, InfiniBand HDR), one rank on each, Open MPI 4.1.6. The benchmark PICO measures each iteration's slowest rank; medians are compared.

- **Used:** one allgather on 4 nodes: recursive doubling, written with `MPI_Sendrecv` in PICO's own library libbine, 32 B to 32 MiB. The data have no ping-pongs. An allgather of S
  bytes in all sends S / 4, then S / 2, so half of its time counts as that of a message of 3 S / 8.
- **Held out:** allgathers on 32 nodes, by ring, recursive doubling and neighbour exchange (Open MPI's) and by ring and recursive doubling (libbine's), blocks of 8 B to 1 MiB;
  broadcasts on 256 nodes, binomial and binary (Open MPI's), 32 B to 1 MiB. Broadcasts of 16 KiB and more are not blind: their measured times were known when they were
  added. Nothing else was changed then.
- **How:** allgathers as in `tools/held_out/schedules.c`, broadcasts without segments by `repeated`, both with the time of the slowest rank. The machine has all nodes at one
  switch: which cells the nodes are in is known, but cells are not simulated.
- **Not included:** allreduces and reductions, because nothing measured how fast a node adds; PICO's own algorithms (Bine), which Strata does not have.
"""
CHECKED = """
A suspected cause, checked by a change: each repetition of the broadcasts follows a barrier, whose exit is simulated, too:
"""
FAILS = """
Where it fails:

- **Short binomial broadcasts on 256 nodes, up to 4.8 times too slow: a barrier hides them.** They were measured at 3.6 us, less than two messages, though the tree is eight
  messages deep. On 256 ranks, Open MPI's barrier is a tree ([above](#orfeo-broadcasts-and-scatters-with-known-algorithms)), which lets the ranks go in the order in which a
  binomial broadcast reaches them. So each rank starts its clock shortly before its message comes. With the barrier simulated, the prediction falls from 17 to 7 us. Binary trees
  reach the ranks in another order: 22.9 us were measured, and the simulated barrier hides too much of them (14 us; 20 us without it). A benchmark that starts all ranks at the same
  time would measure the broadcast itself.
- **Short rings and neighbour exchanges, too slow by a third.** A step of a ring takes 1.5 us, half of the allgather on 4 nodes 2.1 us. That half also contains leaving the barrier,
  and the call, which a ring of 31 steps pays once.
- **Long messages, too slow.** The allgather on 4 nodes also copies each rank's own block, a quarter of all data. The calibration takes this for time of the messages: 14 GB/s. Only
  rings of 128 KiB are predicted too fast, by 1.8, and both implementations measured the same. Nothing here explains it.
"""
