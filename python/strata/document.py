# SPDX-License-Identifier: LGPL-2.1-only
"""The JSON documents that commands print with --json, or write with --json FILE (strata exec).

A document has single values, such as `simulated_time`, and tables, such as `levels`. schemas/ describes both for each command.

    strata.document("run.json")              one row: columns program, machine, ranks, simulated_time.value, ...
    strata.document("run.json", "levels")    a row for each level of the machine

Rows of several runs make a table: pandas.concat([strata.document(file) for file in files]).
"""

import os

import pandas

from .error import InputError, parse_json, read_text

_REMEDY = "give a document that a command printed with --json"


def document(path, table=None):
    """A document's single values as one row or, with `table`, one of its tables.

    Values inside others have names with a dot, as `simulated_time.value`, and a list of plain values is one value. A table is
    named in the same way: `phases`, `critical_path.steps`. It is a list of objects, a list of plain values (the column is
    called `value`), or an object of lists of one length. `attrs["tables"]` has the names of all tables.
    """
    where = os.fspath(path)
    content = parse_json(read_text(path, _REMEDY), where, _REMEDY)
    if not str(content.get("schema", "")).startswith("strata."):
        raise InputError(where, "names no schema of Strata", _REMEDY)
    tables = dict(_tables(content, ""))
    if table is None:
        frame = pandas.DataFrame([dict(_values(content, ""))])
    elif table in tables:
        frame = _frame(tables[table])
    else:
        known = "it has " + ", ".join(tables) if tables else "it has none"
        raise InputError(where, f"has no table '{table}'", f"{known}; leave the name out for single values")
    frame.attrs["tables"] = list(tables)
    return frame


def _is_list_of(value, kind):
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


_PLAIN = (str, int, float, bool, type(None))


def _is_columns(value):
    """Whether an object is a table by columns: lists of plain values, all of one length."""
    lists = list(value.values())
    return len(lists) > 0 and all(_is_list_of(item, _PLAIN) for item in lists) and len({len(item) for item in lists}) == 1


def _tables(value, prefix):
    for name, inner in value.items():
        if isinstance(inner, list):
            if _is_list_of(inner, dict) or _is_list_of(inner, _PLAIN):
                yield prefix + name, inner
        elif isinstance(inner, dict):
            if _is_columns(inner):
                yield prefix + name, inner
            else:
                yield from _tables(inner, f"{prefix}{name}.")


def _values(value, prefix):
    for name, inner in value.items():
        if isinstance(inner, dict):
            if not _is_columns(inner):
                yield from _values(inner, f"{prefix}{name}.")
        elif not (isinstance(inner, list) and any(isinstance(item, dict) for item in inner)):
            yield prefix + name, inner


def _frame(table):
    if isinstance(table, dict):
        return pandas.DataFrame(table)
    if table and isinstance(table[0], dict):
        return pandas.json_normalize(table)
    return pandas.DataFrame({"value": table})
