# SPDX-License-Identifier: LGPL-2.1-only
"""Two cores of one computer: predicts the probe's check measurements from the rest of its samples."""
from held_out.points import FITTED, Point, Results
from held_out.runs import calibrate, figures_of, loop_of, predictions_of

NAME, TITLE = "two-cores", "Two cores under Open MPI and MPICH"
LABEL = "Two cores"
REPOSITORIES = {}
FOLDERS = {"here": "a folder with node.xml, and openmpi.csv and mpich.csv, the samples.csv of two jobs of strata probe"}

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def mpi_of(text):
    return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("# mpi:"))


def results(folders, work):
    points, figures, notes = [], [], []
    for mpi, label in MPIS.items():
        text = (folders["here"] / f"{mpi}.csv").read_text(encoding="utf-8")
        machine = calibrate(work / f"{NAME}-{mpi}", folders["here"] / "node.xml", 1, [("probe", "", f"{mpi}.csv", text)], simulate=True)
        points += [Point("ring" if operation == "sendrecv" else operation, label, ranks, size, measured, predicted, FITTED)
                   for operation, _, ranks, size, measured, predicted in predictions_of(machine)]
        for figure in figures_of(machine):
            figure.level = f"{label}, {figure.level}"
            figures.append(figure)
        within, known = loop_of(machine)
        notes.append(f"{mpi_of(text).split(',')[0]}: simulated on its machine, the probe gives back {within} of {known} figures within their intervals")
    return Results(notes, points, figures)


BLAMED = {}
NATIVE = ["bcast", "allgather"]
GROUPS = "MPI"
USED = """
Two cores of a virtual machine that had other work, too: what `strata probe` measures under two MPIs, and what it keeps to check.

- **Used:** all other samples of `strata probe`.
- **Held out:** its broadcast, allgather and ring on both cores, from one probe under Open MPI and one under MPICH.
- **How:** as the probe measures: repetitions without barriers between them, the time of the slower rank, medians of ten samples. `strata calibrate` predicts these by itself.
"""
FAILS = """
Where it fails:

- **1 MiB, too fast.** The machine was not idle: from 1 MiB on, samples of the same measurement differ by factors of ten. Open MPI's allgather of 1 MiB has a median of 1,982 us, and
  its fastest sample took 177 us. Ping-pongs of 2 MiB and more were disturbed in the same way, so the line for shorter messages reaches up to 1 MiB.
- **Allgathers of 64 KiB, too fast.** Each rank also copies its own block. Version 0.7.0, with which this section was predicted, charged no time for this copy.
- **Broadcasts of 1 KiB, too fast.** Ten of them follow each other without a barrier, and the receiver limits the rate. In the version with which this section was predicted,
  receiving was free.

A later probe of the same computer (1 MiB at most), which again had other work, calibrated with and without `receive_overhead`. Median error (worst error in brackets) of four sizes:

| operation | Open MPI, without | Open MPI, with | MPICH, without | MPICH, with |
| --- | ---: | ---: | ---: | ---: |
| bcast | 2.04 (18.88) | 1.27 (8.92) | 1.70 (2.56) | 1.72 (2.57) |
| ring | 1.43 (1.80) | 1.43 (1.80) | 1.27 (1.89) | 1.27 (1.89) |
| allgather | 1.35 (1.40) | 1.35 (1.40) | 1.14 (1.70) | 1.14 (1.70) |

- **Open MPI:** a message of a stream takes 0.123 us, four times as long as its send, so the receiver needs that time. Broadcasts of 8 B are then predicted within 6 % (before: 0.45 of
  the measured time). The calls of `MPI_Recv` that the probe times take 0.044 us, because the call before has already fetched the message from shared memory.
- **1 KiB is still 9 times too fast.** There a message of a stream takes 1.09 us, more than half a ping-pong (0.80 us), because both cores copy it at once. A receive overhead is part
  of the latency, which does not grow with the size within a segment, so it cannot be that long.
- **Rings and allgathers of two ranks do not change:** each rank receives one message, whose latency includes both overheads.
- **MPICH:** its sends take longer than its receives, and limit the rate.
"""
