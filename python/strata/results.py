# SPDX-License-Identifier: LGPL-2.1-only
"""A results folder, as `strata run` and `strata quickstart` write it.

    point  algorithm  variant       elements  metric     value  unit  scenario    seed
        0  linear     native               1  time    0.000123  s     quickstart     1

is a record of strata-out/quickstart/records.jsonl: each parameter of the sweep is a column of its own.
"""

import os
import pathlib

import pandas

from .error import InputError, parse_json, read_text

_REMEDY = "give the folder that `strata run` wrote, such as strata-out/quickstart"
_REPAIR = "run the scenario again with --resume, which repairs a run that was interrupted"
_SCHEMA = "strata.record/1"
# Around the parameters. A parameter of such a name becomes parameter.NAME.
_FIRST, _LAST = ("point",), ("metric", "value", "unit", "scenario", "seed")


def manifest(folder):
    """What was run, as a dictionary: the manifest.json of a results folder (schemas/manifest.schema.json)."""
    path = pathlib.Path(folder) / "manifest.json"
    return parse_json(read_text(path, _REMEDY), os.fspath(path), _REMEDY)


def results(*folders):
    """The records of one or more results folders, a row each, in the folders' order.

    Columns: `point`, one for each parameter, `metric`, `value`, `unit`, `scenario`, `seed`; with several folders also
    `folder`, which comes first. Values are in the record's unit, in full precision. A parameter that a record does not have is
    missing (NaN). `attrs["manifest"]` of the DataFrame is the manifest of the (first) folder.
    """
    if not folders:
        raise InputError("strata.results", "no folder is given", _REMEDY)
    first = manifest(folders[0])
    rows, parameters = [], {}
    for folder in folders:
        for record in _records(pathlib.Path(folder)):
            columns = {_column(name): value for name, value in record["parameters"].items()}
            parameters.update(dict.fromkeys(columns))
            row = {name: record[name] for name in (*_FIRST, *_LAST)}
            rows.append({"folder": os.fspath(folder), **row, **columns})
    names = [*(["folder"] if len(folders) > 1 else []), *_FIRST, *parameters, *_LAST]
    frame = pandas.DataFrame(rows, columns=names)
    frame.attrs["manifest"] = first
    return frame


def _column(parameter):
    return f"parameter.{parameter}" if parameter in {"folder", *_FIRST, *_LAST} else parameter


def _records(folder):
    path = folder / "records.jsonl"
    for number, line in enumerate(read_text(path, _REMEDY).splitlines(), start=1):
        where = f"{path}:{number}"
        record = parse_json(line, where, _REPAIR)
        if record.get("schema") != _SCHEMA:
            raise InputError(where, f"is not a record: its schema is {record.get('schema')}, not {_SCHEMA}", _REMEDY)
        missing = [name for name in (*_FIRST, *_LAST, "parameters") if name not in record]
        if missing:
            raise InputError(where, f"has no {missing[0]}", _REPAIR)
        yield record
