#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The form of a document that a command prints: one line, no blanks, the schema first."""

import sys
import unittest

from documents import parsed


class FormTest(unittest.TestCase):
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


if __name__ == "__main__":
    sys.exit(unittest.main())
