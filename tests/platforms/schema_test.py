#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Checks that the given files are valid by a JSON Schema, and that the schema refuses files with mistakes.

schema_test.py SCHEMA FILE...
"""

import copy
import json
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Numbers as in YAML 1.2 and Strata, for example 1e6."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    __import__("re").compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"),
    list("-+.0123456789"),
)


def faults(validator, document):
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(document)]


def wrong(document):
    """Yields pairs: a mistake, and the document with it."""
    for key in list(document):
        if key in ("schema", "name"):
            changed = copy.deepcopy(document)
            del changed[key]
            yield f"no {key}", changed
        changed = copy.deepcopy(document)
        changed[key + "s_"] = changed.pop(key)
        yield f"{key}s_ instead of {key}", changed
    changed = copy.deepcopy(document)
    changed["name"] = ["a", "list"]
    yield "a list for a name", changed
    changed = copy.deepcopy(document)
    changed["schema"] = "strata.other/1"
    yield "another schema", changed


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failed, checked = 0, 0
    for name in sys.argv[2:]:
        if not name.endswith(".yaml"):
            continue
        checked += 1
        with open(name, encoding="utf-8") as file:
            document = yaml.load(file, Loader)
        for fault in faults(validator, document):
            print(f"{name}: {fault}")
            failed += 1
        for what, changed in wrong(document):
            if not faults(validator, changed):
                print(f"{name}: the schema accepts {what}")
                failed += 1
    print(f"{checked} files, {failed} faults")
    return 1 if failed or not checked else 0


sys.exit(main())
