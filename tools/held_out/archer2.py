# SPDX-License-Identifier: LGPL-2.1-only
"""ARCHER2: predicts rings and collectives on full nodes from ping-pongs at each level."""
import re

from held_out import causes
from held_out.points import FITTED, ROOT, Case, Point, Results
from held_out.runs import calibrate, changed, commit_of, figures_of, predict

NAME, TITLE = "archer2", "ARCHER2: rings and collectives on full nodes"
LABEL = "ARCHER2"
REPOSITORIES = {"archer2": "hpc-uk/archer-benchmarks", "kerncraft": "RRZE-HPC/kerncraft"}

PING_PONGS = {"intraccx": "L3", "intranuma": "NUMANode", "intrasocket": "Package", "intranode": "Machine", "internode": "System - Cluster"}
MEMORY = "examples/machine-files/Zen2_EPYC-7452.yml"  # another Zen 2 with the same memory
CORES, NODES = 128, 16
CACHE, NO_CACHE = 16 << 20, 64 << 10  # B: an L3, and one too small to keep a message of 64 KiB
SIZES = [8, 64, 1024, 8192, 65536, 524288, 4194304]
# What can be simulated within minutes: numbers of nodes, and the largest size.
HELD_OUT = {"sendrecv": ([1, 2, 4, 8, 16], 4194304), "allreduce": ([1, 2, 4], 4194304), "allgather": ([1, 2, 4], 65536), "alltoall": ([1], 8192)}
BY_MESSAGES = "caches by messages"  # as machines without `cached: buffers`
COPIES, RECEIVERS = "four cores of an L3 share its copies", "receivers busy for the rest of the latency"  # suspected causes
CHECKED_OPERATIONS = ["sendrecv", "allreduce", "allgather"]  # on one node


def times_of(text):
    """Returns {bytes: t_avg in us} of one table of IMB."""
    rows = re.findall(r"^ +(\d+) +\d+ +[\d.]+ +[\d.]+ +([\d.]+)", text, re.M)
    return {int(size): float(time) for size, time in rows}


def measured(folder):
    times = {}
    for operation, (nodes, most) in HELD_OUT.items():
        for count in nodes:
            [file] = (folder / "ARCHER2_CrayMPICH8015_pinning").glob(f"IMB_{operation.capitalize()}_{count}nodes_CrayMPICH_rank_*.out")
            of_size = times_of(file.read_text(encoding="utf-8"))
            times.update({Case(operation, "native", count * CORES, size): of_size[size] for size in SIZES if size <= most})
    return times


def without_caches(machine, out):
    changed(machine, out, lambda costs: None)
    node = out / "node.xml"
    node.write_text(node.read_text().replace(f'cache_size="{CACHE}"', f'cache_size="{NO_CACHE}"'))
    return out


def results(folders, work):
    imb = folders["archer2"] / "synth/IMB/results"
    files = []
    for where, level in PING_PONGS.items():
        [file] = (imb / "ARCHER2_CrayMPICH8015_pingpong").glob(f"IMB_PingPong_*_{where}_*.out")
        files.append(("imb", level, file.name, file.read_text(encoding="utf-8")))
    memory = folders["kerncraft"] / MEMORY
    files.append(("kerncraft", "", memory.name, memory.read_text(encoding="utf-8")))
    machine = calibrate(work / NAME, ROOT / "platforms/data/archer2/node.xml", NODES, files)
    times = measured(imb)
    checked = {c: t for c, t in times.items() if c.operation in CHECKED_OPERATIONS and c.ranks == CORES}
    machines = [(FITTED, machine, times), (BY_MESSAGES, changed(machine, work / f"{NAME}-messages", causes.caches_by_messages), checked),
                ("nothing stays in caches", without_caches(machine, work / f"{NAME}-uncached"), checked),
                ("links in the node / 4", changed(machine, work / f"{NAME}-links", causes.narrow_links), checked),
                (COPIES, changed(machine, work / f"{NAME}-copies", causes.shared_copies), checked),
                (RECEIVERS, changed(machine, work / f"{NAME}-receivers", causes.busy_receivers), checked)]
    points = []
    for variant, on, cases in machines:
        for operation in HELD_OUT:
            of_operation = [c for c in cases if c.operation == operation]
            repetitions = 4 if operation == "sendrecv" else 1  # IMB's rings have no barrier between repetitions
            predicted = predict(on, of_operation, work / f"{on.name}-runs", repetitions=repetitions) if of_operation else {}
            points += [
                Point(operation, "Machine" if c.ranks == CORES else "System - Cluster", c.ranks, c.bytes, times[c], predicted[c], variant)
                for c in of_operation
            ]
    notes = [f"github.com/{REPOSITORIES[name]}, commit {commit_of(folder)}" for name, folder in folders.items()]
    return Results(notes, points, figures_of(machine))
BLAMED = {variant: lambda p: p.bytes >= 65536 for variant in (BY_MESSAGES, "nothing stays in caches", "links in the node / 4")}
BLAMED[COPIES] = lambda p: 1024 <= p.bytes <= 524288
BLAMED[RECEIVERS] = lambda p: p.bytes < 8192
NATIVE = ["allreduce", "allgather", "alltoall"]
GROUPS = "the outermost level that the ranks use"
USED = """
Nodes of two AMD EPYC 7742 with 64 cores each, Slingshot, Cray MPICH 8.0.15; 128 ranks per node, rank i on core i.

- **Used:** IMB's PingPong between two cores of an L3, of a NUMA node, of a processor, of a node, and of two nodes, in the original files. Memory and L3: kerncraft's
  machine file of an EPYC 7452, which is also Zen 2 with the same memory and the same L3s.
- **Held out:** IMB's Sendrecv (a ring), Allreduce, Allgather and Alltoall (t_avg).
- **How:** the collectives are SMPI's, chosen by the tables of Open MPI 4.1 ([simulated-time.md](simulated-time.md#collectives-of-smpi-and-of-open-mpi)). Cray's MPI has
  its own collectives, which take nodes into account.

[fidelity.md](fidelity.md#archer2-rings-and-collectives-from-ping-pongs) has the same predictions with machine `archer2` of the catalog, whose figures were derived by hand
from the same files.
"""
CHECKED = """
Suspected causes, each checked by changing the machine, on one node:
"""
FAILS = """
Where it fails:

- **Found by this page: caches follow the buffers.** Each rank's buffer in an allgather of 64 KiB, of 8 MiB, fits into no share of an L3 of 16 MB, but each piece of 64 KiB that it sends
  does. While the simulation looked at each message alone and took it as cached, these allgathers were 10 to 19 times too fast. With L3s that hold nothing they were not, but rings, which
  use the same two buffers again and again, are 11 times too slow. Now the piece that a rank sends, which it has just received, is cached, and the place of the one that it receives
  is not: they are 1.3 to 1.4 times too fast. No figure was changed. These points are no longer blind: the mechanism was made because of them.
- **Allreduces of 64 and 512 KiB, too fast.** Caches are not the reason: the buffers of four ranks fit into an L3, and with L3s that hold nothing they are 2 to 5 times too slow. Those
  of 4 MiB are 1.2 times too slow (1.4 times too fast where caches go by messages). In version 0.7.0 they were 14 to 37 times too fast, because MPI's own collectives combined operands
  in no time.
- **Rings and allgathers of 1 to 512 KiB, too fast: cores that copy at the same time slow each other down by more than the L3's bandwidth explains.** A ping-pong measures one
  pair, but in a ring all four cores of each L3 copy at once. What they get from the L3 together was measured, 178 GB/s, read plus written, and the machine has it
  (`shared_cache_bandwidth`). It limits each of four messages to 22 GB/s instead of 39, so the worst error of rings falls from 4.1 to 3.8, and
  most medians stay. If each core gets a quarter of the rate, 10 GB/s, errors of rings fall from 3.0 to 1.7, and those of all checked points from 1.8 to 1.6. The four is the number
  of cores of an L3, not fitted. It is not known what limits them: kerncraft's cores copy within their own memory, while these messages come from the caches of other cores, most of
  them through the same L3. Narrower links between the parts of a node make no difference to rings.
- **Combinations in the cache** move 57 GB/s per core, as kerncraft measured copies of one core there; before, 31 were assumed. Allreduces became up to 10 % faster by this. On one
  node those of 64 KiB came closer to the measurement (from 1.70 to 1.52), those of 8 and 512 KiB went away from it (1.24 to 1.35, 3.62 to 3.69).
- **Short messages of rings, too fast.** In a ring each rank receives one message, whose latency holds both overheads already, so busier receivers change nothing. The cause is not
  known.
- **Alltoall, too fast.** On one node, each of the 128 ranks sends 127 messages. The cause is that of the linear broadcasts above: assumed overheads.
"""
