# SPDX-License-Identifier: LGPL-2.1-only
"""Two cores of one computer: what the probe keeps to check, from the rest of its samples."""
import csv
import statistics

from held_out.points import FITTED, Case, Point, Results
from held_out.runs import calibrate, figures_of, predict

NAME, TITLE = "two-cores", "Two cores under Open MPI and MPICH"
REPOSITORIES = {}
FOLDERS = {"here": "a folder with node.xml, and openmpi.csv and mpich.csv, the samples.csv of two jobs of strata probe"}

MICROSECOND = 1e6  # per second
MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}
OPERATIONS = {"broadcast": "bcast", "allgather": "allgather", "ring": "sendrecv"}  # of the probe; of program `repeated`
# As the probe measures: one repetition that does not count, then 10 of short messages and 2 of others, without barriers.
SHORT, OF_SHORT, OF_LONG = 4096, 10, 2  # B, repetitions


def rows_of(text):
    lines = text.splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def mpi_of(text):
    return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("# mpi:"))


def held_out(text):
    times = {}
    for row in rows_of(text):
        if row["operation"] in OPERATIONS:
            case = Case(OPERATIONS[row["operation"]], "native", int(row["at_once"]), int(row["bytes"]))
            times.setdefault(case, []).append(float(row["value"]) * MICROSECOND)
    return {case: statistics.median(of_case) for case, of_case in times.items()}


def results(folders, work):
    points, figures, notes = [], [], []
    for mpi, label in MPIS.items():
        text = (folders["here"] / f"{mpi}.csv").read_text(encoding="utf-8")
        machine = calibrate(work / f"{NAME}-{mpi}", folders["here"] / "node.xml", 1, [("probe", "", f"{mpi}.csv", text)])
        times = held_out(text)
        for repetitions in (OF_SHORT, OF_LONG):
            cases = [c for c in times if (OF_SHORT if c.bytes <= SHORT else OF_LONG) == repetitions]
            options = ["--warm-up", "1", "--back-to-back", "--slowest"]
            predicted = predict(machine, cases, work / f"{machine.name}-runs-{repetitions}", "core", repetitions, options)
            points += [Point("ring" if c.operation == "sendrecv" else c.operation, label, c.ranks, c.bytes, times[c], predicted[c], FITTED) for c in cases]
        for figure in figures_of(machine):
            figure.level = f"{label}, {figure.level}"
            figures.append(figure)
        notes.append(f"{label}: {mpi_of(text).split(',')[0]}")
    return Results(notes, points, figures)


BLAMED = {}
USED = """
Two cores of a virtual machine that others used too: what `strata probe` measures under two MPIs, and what it keeps to check.

- **Used:** all samples of `strata probe` but these.
- **Held out:** its broadcast, allgather and ring on both cores. A probe under Open MPI, one under MPICH.
- **How:** as the probe measures, repetitions without barriers between them, the slower rank's time; medians of ten samples.
"""
FAILS = """
Where it fails:

- **Long messages, too fast.** A broadcast of 1 MiB reads and writes buffers that a ping-pong of the same two buffers keeps in the L2.
- **Allgathers, too fast.** Each rank also copies its own block, for which SMPI charges nothing.
- **Broadcasts of 1 KiB, too fast.** Ten of them follow each other without a barrier, and the receiver decides. There is no cost of receiving in the model, though the probe measures it.
"""
