# SPDX-License-Identifier: LGPL-2.1-only
"""Errors, and how files are read so that each error names its file.

    InputError: strata-out/mine/records.jsonl:12: is not JSON (Expecting value); run `strata run ... --resume` to repair it
"""

import json
import os


class InputError(ValueError):
    """A file that cannot be read, in one line: where, what is wrong; what would be right."""

    def __init__(self, where, what, remedy):
        super().__init__(f"{where}: {what}; {remedy}")


def read_text(path, remedy):
    """The text of a file. Raises InputError with this remedy if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise InputError(os.fspath(path), error.strerror.lower() if error.strerror else "cannot be read", remedy) from None
    except UnicodeDecodeError:
        raise InputError(os.fspath(path), "is not text", remedy) from None


def parse_json(text, where, remedy):
    """The object that a JSON text holds. Raises InputError."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(where, f"is not JSON ({error.msg}, character {error.pos + 1})", remedy) from None
    if not isinstance(value, dict):
        raise InputError(where, "is not a JSON object", remedy)
    return value
