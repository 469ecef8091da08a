# SPDX-License-Identifier: LGPL-2.1-only
"""Held-out points, each with a measured and a predicted time, and the files that keep them.

docs/validation/SET.csv has a row for each point, SET-fit.csv a row for each fitted figure. Lines that begin with # name
the repository and commit of the numbers.
"""
import csv
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).absolute().parent.parent.parent
FOLDER = ROOT / "docs/validation"
FITTED = "as calibrated"  # a variant: see Point


@dataclasses.dataclass(frozen=True)
class Case:
    """A measurement that program `repeated` can simulate."""
    operation: str
    algorithm: str  # native: the MPI chooses
    ranks: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Point:
    operation: str  # the page's name for it, such as "bcast, chain"
    level: str  # the outermost level that the ranks use
    ranks: int
    bytes: int
    measured_us: float
    predicted_us: float
    variant: str = FITTED  # or the change to the machine that tests a suspected cause

    @property
    def ratio(self):
        return self.predicted_us / self.measured_us


def point_of(case, level, measured_us, predicted_us, variant=FITTED):
    return Point(f"{case.operation}, {case.algorithm}", level, case.ranks, case.bytes, measured_us, predicted_us, variant)


@dataclasses.dataclass
class Figure:
    level: str
    name: str
    value: str  # with its unit
    source: str


@dataclasses.dataclass
class Results:
    notes: list  # without "# " at the start of each line
    points: list
    figures: list


def digits(value):
    return f"{value:.5g}"


def write(name, results):
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {line}\n" for line in results.notes)
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["operation", "level", "ranks", "bytes", "measured_us", "predicted_us", "variant"])
        for p in results.points:
            rows.writerow([p.operation, p.level, p.ranks, p.bytes, digits(p.measured_us), digits(p.predicted_us), p.variant])
    with open(FOLDER / f"{name}-fit.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["level", "figure", "value", "source"])
        rows.writerows([f.level, f.name, f.value, f.source] for f in results.figures)


def read(name, folder=FOLDER):
    with open(folder / f"{name}.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    notes = [line[2:] for line in lines if line.startswith("#")]
    points = [
        Point(r["operation"], r["level"], int(r["ranks"]), int(r["bytes"]), float(r["measured_us"]), float(r["predicted_us"]),
              r["variant"]) for r in csv.DictReader(line for line in lines if not line.startswith("#"))
    ]
    with open(folder / f"{name}-fit.csv", encoding="utf-8") as file:
        figures = [Figure(r["level"], r["figure"], r["value"], r["source"]) for r in csv.DictReader(file)]
    return Results(notes, points, figures)
