# SPDX-License-Identifier: LGPL-2.1-only
"""Runs the command, reads its documents, and checks them by schemas/.

    class MatrixTest(DocumentTest):
        def test_matrix(self):
            document = self.printed("matrix", self.write("m.mat", "0 1\\n0 0\\n"))  # valid by matrix.schema.json
            self.refused(document, "matrix", lambda d: d.pop("messages"))  # invalid without the key

WRITTEN has the keys of all documents that a process has checked, for written_fields.py.
"""

import copy
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import jsonschema

from written_fields import WrittenFields

STRATA = "command/strata"
NODE = "tests/sim/data/24l3-3l8c.xml"
CALLED = "tests/command/called.so"
GUEST = "tests/command/guest.so"
WAITS = "tests/command/waits.so"
SCHEMAS = {path.name.removesuffix(".schema.json"): path for path in pathlib.Path("schemas").glob("*.schema.json")}
WRITTEN = {name: WrittenFields(path) for name, path in SCHEMAS.items()}


def validator_of(name):
    path = SCHEMAS[name].absolute()
    schema = json.loads(path.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema, resolver=jsonschema.RefResolver(path.as_uri(), schema))


def name_of(document):
    return document["schema"].removeprefix("strata.").removesuffix("/1")


def faults(document):
    """Returns the errors of a document by the schema that it names."""
    name = name_of(document)
    errors = sorted(validator_of(name).iter_errors(document), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in errors]


def strata(*arguments, code=0):
    run = subprocess.run([STRATA, *map(str, arguments)], capture_output=True, text=True, check=False)
    if run.returncode != code:
        raise AssertionError(f"strata {' '.join(map(str, arguments))}: exit code {run.returncode}\n{run.stderr}")
    return run.stdout


def parsed(text):
    """Parses a document and checks the form of all documents: one line, no blanks outside texts, the schema first."""
    if text.count("\n") != 1 or not text.endswith("\n"):
        raise AssertionError(f"not one line: {text[:100]!r} ... {text[-100:]!r}")
    if re.search(r"\s", re.sub(r'"(\\.|[^"\\])*"', "", text[:-1])):
        raise AssertionError(f"has blanks between its parts: {text[:100]!r}")
    document = json.loads(text)
    first = next(iter(document))
    if first != "schema" or document[first].removeprefix("strata.").removesuffix("/1") not in SCHEMAS:
        raise AssertionError(f"does not begin with a schema of schemas/: {text[:100]!r}")
    return document


class DocumentTest(unittest.TestCase):
    """A folder for inputs, and the checks that tests apply to a document."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def valid(self, document):
        """Checks a document that the code has written."""
        self.assertEqual([], faults(document))
        WRITTEN[name_of(document)].add(document)
        return document

    def page(self, file):
        """The data of a page."""
        self.valid(json.loads(re.search(r' id="data">(.*?)</script>', file.read_text(), re.DOTALL)[1]))

    def printed(self, *arguments, code=0):
        """Returns the document that a command prints. It must be valid, and the only output on stdout."""
        return self.valid(parsed(strata(*arguments, "--json", code=code)))

    def refused(self, document, name, *changes):
        """Each change, a function on a copy of a valid document, must make it invalid."""
        self.assertEqual(f"strata.{name}/1", document["schema"])
        self.assertEqual([], faults(document))
        for i, change in enumerate(changes):
            changed = copy.deepcopy(document)
            change(changed)
            self.assertNotEqual(document, changed, f"change {i} changes nothing")
            self.assertNotEqual([], faults(changed), f"change {i} is not refused")
