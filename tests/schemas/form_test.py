#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The form of all documents and schemas, and that every command with --json has a test."""

import json
import pathlib
import re
import sys
import unittest

from documents import SCHEMAS, parsed, strata, validator_of

# Finds self.printed("splittree", "tune", ...) with the command and its subcommand.
TESTED = re.compile(r'printed\(\s*"([a-z]+)"(?:, "([a-z]+)")?|strata\("(exec)"[^\n]*"--json"')


class FormTest(unittest.TestCase):
    """What `parsed` refuses."""

    def test_wrong_forms(self):
        right = '{"schema":"strata.matrix/1","format":"a \\" b"}\n'
        self.assertEqual(parsed(right)["format"], 'a " b')
        for wrong in (
            right[:-1],
            right + "\n",
            right.replace(",", ", "),
            right.replace("{", "{\n", 1),
            '{"format":"x","schema":"strata.matrix/1"}\n',
            right.replace("matrix", "nothing"),
        ):
            with self.assertRaises(AssertionError, msg=wrong):
                parsed(wrong)

    def test_every_command_with_json_has_a_test(self):
        """Tested in this folder or, for status, in tests/campaign."""

        def commands(node, words):
            if any("--json" in option["names"] for option in node["options"]):
                yield " ".join(words)
            for command in node["commands"]:
                yield from commands(command, [*words, command["name"]])

        with_json = set(commands(json.loads(strata("--help-json")), [])) | {"check"}
        source = "".join(path.read_text() for path in sorted(pathlib.Path("tests/schemas").glob("*_test.py")))
        tested = {" ".join(filter(None, words)) for words in TESTED.findall(source)}
        self.assertEqual(with_json - tested, {"submit status"})


class SchemasTest(unittest.TestCase):
    def test_every_schema_is_one_and_says_what_it_is(self):
        self.assertGreater(len(SCHEMAS), 10)
        for name in SCHEMAS:
            with self.subTest(name):
                schema = validator_of(name).schema
                self.assertIn(f"strata.{name}/1", schema["title"])
                self.assertTrue(schema["description"])

    def test_objects_are_closed(self):
        """An object whose keys are listed allows no other keys."""

        def open_objects(node, path):
            if isinstance(node, dict):
                if node.get("type") == "object" and "properties" in node and "additionalProperties" not in node:
                    yield path
                for key, value in node.items():
                    yield from open_objects(value, f"{path}/{key}")
            elif isinstance(node, list):
                for i, value in enumerate(node):
                    yield from open_objects(value, f"{path}/{i}")

        for name, path in SCHEMAS.items():
            self.assertEqual([], list(open_objects(json.loads(path.read_text()), name)))


if __name__ == "__main__":
    sys.exit(unittest.main())
