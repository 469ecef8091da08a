#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Documents that the commands print with --json, and files that a run writes, are valid by schemas/.

The files *_documents.py have the tests, by what the documents are about. They run in one process: at the end, the schemas
are compared with all keys that the documents had.
"""

import json
import pathlib
import re
import shutil
import sys
import unittest

import check_documents
import exec_documents
import help_documents
import machine_documents
import model_documents
import page_documents
import placement_documents
import results_documents
from documents import WRITTEN, strata

DOCUMENTS = (
    check_documents,
    exec_documents,
    help_documents,
    machine_documents,
    model_documents,
    page_documents,
    placement_documents,
    results_documents,
)
# Finds self.printed("splittree", "tune", ...) with the command and its subcommand.
TESTED = re.compile(r'printed\(\s*"([a-z]+)"(?:, "([a-z]+)")?|strata\("(exec)"[^\n]*"--json"')


class AllDocumentsTest(unittest.TestCase):
    def test_every_file_of_tests_is_in_the_list(self):
        files = {path.stem for path in pathlib.Path(__file__).parent.glob("*_documents.py")}
        self.assertEqual({documents.__name__ for documents in DOCUMENTS}, files)

    def test_every_command_with_json_has_a_test(self):
        def commands(node, words):
            if any("--json" in option["names"] for option in node["options"]):
                yield " ".join(words)
            for command in node["commands"]:
                yield from commands(command, [*words, command["name"]])

        with_json = set(commands(json.loads(strata("--help-json")), [])) | {"check"}
        sources = [pathlib.Path(documents.__file__).read_text() for documents in DOCUMENTS]
        tested = {" ".join(filter(None, words)) for source in sources for words in TESTED.findall(source)}
        self.assertEqual(with_json - tested, set())


class WrittenFieldsTest(unittest.TestCase):
    """What the tests of DOCUMENTS have written, against the schemas, field by field."""

    # Checked against the tables that they are made from, in tests/platforms, tests/scenarios and tests/campaign.
    GENERATED = {"machine", "scenario", "site"}
    OTHERS = {
        "check.schema.json#/definitions/program": "written with SimGrid's model checker, which may not be installed",
        "exec.schema.json#/definitions/by_kind/properties/waiting": "no program here waits without a known cause",
        "replay.schema.json#/definitions/by_kind/properties/waiting": "no program here waits without a known cause",
        "exec.schema.json#/properties/repeats/properties/times": "documents of earlier versions do not have it",
    }

    def test_every_field_is_written_and_required_if_always_written(self):
        unwritten = {"status", "submission"} if shutil.which("parallel") is None else set()
        self.assertLess(self.GENERATED | unwritten, set(WRITTEN))
        found = [d for name in set(WRITTEN) - self.GENERATED - unwritten for d in WRITTEN[name].differences()]
        known = {other: [d for d in found if d.startswith(other)] for other in self.OTHERS}
        self.assertEqual([], [other for other, differences in known.items() if not differences], "no longer differ")
        unknown = sorted(set(found).difference(*known.values()))
        self.assertEqual([], unknown, "\n".join(unknown))


def load_tests(loader, _tests, _pattern):
    """The comparison of fields comes last."""
    suite = unittest.TestSuite(loader.loadTestsFromModule(documents) for documents in DOCUMENTS)
    for tests in (AllDocumentsTest, WrittenFieldsTest):
        suite.addTest(loader.loadTestsFromTestCase(tests))
    return suite


if __name__ == "__main__":
    sys.exit(unittest.main())
