#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Each schema says what it describes, and allows no other keys in its objects."""

import json
import sys
import unittest

from documents import SCHEMAS, validator_of


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
