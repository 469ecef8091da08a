#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""What `WrittenFields` finds: keys of a schema that no document has, and keys that all have but it does not require."""

import json
import pathlib
import sys
import tempfile
import unittest

from written_fields import WrittenFields


class FieldsTest(unittest.TestCase):
    def test_differences(self):
        schema = {
            "required": ["a"],
            "properties": {
                "a": {"$ref": "#/definitions/inner"},
                "b": {"oneOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/definitions/inner"}}]},
                "dead": {"type": "integer"},
            },
            "additionalProperties": False,
            "definitions": {"inner": {"properties": {"x": {}, "y": {}}, "required": [], "additionalProperties": False}},
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "s.json")
            path.write_text(json.dumps(schema))
            fields = WrittenFields(path)
        fields.add({"a": {"x": 1}, "b": None})
        x, y = (f"s.json#/definitions/inner/properties/{key}" for key in "xy")
        b, dead = (f"s.json#/properties/{key}: " for key in ("b", "dead"))
        always = "all documents have it, but it is not required"
        self.assertEqual(
            [f"{x}: {always}", f"{y}: no document has it", b + always, dead + "no document has it"], fields.differences()
        )
        fields.add({"a": {"x": 1}})
        fields.add({"a": {"x": 1}, "b": [{"y": 1}], "dead": 1})
        self.assertEqual([], fields.differences())


if __name__ == "__main__":
    sys.exit(unittest.main())
