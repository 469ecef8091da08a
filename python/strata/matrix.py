# SPDX-License-Identifier: LGPL-2.1-only
"""Matrices of messages, in Matrix Market's format: size.mtx (bytes) and msg.mtx (numbers of messages).

    %%MatrixMarket matrix coordinate integer general
    3 3 2
    1 2 108

says that the program sent 108 bytes from rank 0 to rank 1: files count from 1, ranks from 0. Coordinate and array files are
read, with real, integer or pattern entries (each 1), general or symmetric; entries for one place are added. These are the
files that the command reads (records/matrix/matrix_market.h).
"""

import os

import numpy
import pandas

from .error import InputError, read_text

_REMEDY = "give a Matrix Market file, such as size.mtx of strata exec --traffic"


def pairs(path):
    """The entries of a matrix that are not zero: columns `sender`, `receiver`, `value`, by sender, then receiver.

    Ranks are numbered from 0. `attrs["order"]` is the number of ranks. Takes memory for the entries only: for large matrices.
    """
    order, rows, columns, values = _read(os.fspath(path))
    frame = pandas.DataFrame({"sender": rows, "receiver": columns, "value": values})
    frame = frame.groupby(["sender", "receiver"], as_index=False, sort=True)["value"].sum()
    frame = frame[frame["value"] != 0].reset_index(drop=True)
    frame.attrs["order"] = order
    return frame


def matrix(path):
    """A whole matrix: a row for each sender, a column for each receiver, numbered from 0. Takes 8 bytes an entry."""
    order, rows, columns, values = _read(os.fspath(path))
    dense = numpy.zeros((order, order), dtype=values.dtype)
    numpy.add.at(dense, (rows, columns), values)
    ranks = pandas.RangeIndex(order)
    return pandas.DataFrame(dense, index=ranks.rename("sender"), columns=ranks.rename("receiver"))


def _read(path):
    """The order, and the entries as three arrays; those below the diagonal of a symmetric matrix stand for two."""
    lines = [(n, line) for n, line in enumerate(read_text(path, _REMEDY).splitlines(), start=1) if line.strip()]
    layout, field, symmetry = _head(path, lines)
    lines = [(n, line) for n, line in lines if not line.startswith("%")]
    if not lines:
        raise InputError(path, "has no line with its size", _REMEDY)
    sizes = 3 if layout == "coordinate" else 2
    order, *others = _numbers(path, lines[0], int, sizes)
    if others[0] != order or order < 1:
        raise InputError(f"{path}:{lines[0][0]}", f"{order} rows and {others[0]} columns", "give a row and a column for each rank")
    number = float if field == "real" else int
    entries = lines[1:]
    if layout == "coordinate":
        rows, columns, values = _coordinates(path, entries, order, number, field == "pattern")
        count = others[1]
    else:
        rows, columns = _places(order, symmetry)
        values = [_numbers(path, line, number, 1)[0] for line in entries]
        count = len(rows)
    if len(values) != count:
        raise InputError(path, f"has {len(values)} entries, and its size says {count}", "write the file again: it was cut off or changed")
    rows, columns = numpy.array(rows, dtype=int), numpy.array(columns, dtype=int)
    values = numpy.array(values, dtype=number)
    if symmetry == "symmetric":
        below = rows != columns
        rows, columns, values = (
            numpy.concatenate([rows, columns[below]]),
            numpy.concatenate([columns, rows[below]]),
            numpy.concatenate([values, values[below]]),
        )
    return order, rows, columns, values


def _head(path, lines):
    words = lines[0][1].lower().split() if lines else []
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise InputError(path, "does not begin with %%MatrixMarket matrix", _REMEDY)
    known = (("coordinate", "array"), ("real", "integer", "pattern"), ("general", "symmetric"))
    for word, allowed in zip(words[2:], known):
        if word not in allowed:
            raise InputError(f"{path}:{lines[0][0]}", f"'{word}' is not supported", "give " + ", ".join(allowed[:-1]) + f" or {allowed[-1]}")
    return words[2:]


def _numbers(path, line, number, count):
    words = line[1].split()
    try:
        values = [number(word) for word in words]
    except ValueError:
        values = []
    if len(values) != count:
        raise InputError(f"{path}:{line[0]}", f"'{line[1].strip()}' is not {count} number{'s' if count > 1 else ''}", _REMEDY)
    return values


def _coordinates(path, lines, order, number, pattern):
    rows, columns, values = [], [], []
    for line in lines:
        words = line[1].split()
        try:
            row, column = int(words[0]), int(words[1])
            value = 1 if pattern else number(words[2])
            whole = len(words) == (2 if pattern else 3)
        except (ValueError, IndexError):
            whole = False
        if not whole:
            raise InputError(f"{path}:{line[0]}", f"'{line[1].strip()}' is not an entry", "write: ROW COLUMN" + ("" if pattern else " VALUE"))
        if not (1 <= row <= order and 1 <= column <= order):
            raise InputError(f"{path}:{line[0]}", f"row {row}, column {column} of a matrix of order {order}", f"count from 1 to {order}")
        rows.append(row - 1)
        columns.append(column - 1)
        values.append(value)
    return rows, columns, values


def _places(order, symmetry):
    """The places of an array's entries: by columns, of a symmetric matrix from the diagonal down."""
    places = [(row, column) for column in range(order) for row in range(column if symmetry == "symmetric" else 0, order)]
    return [row for row, _ in places], [column for _, column in places]
