#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Runs each tutorial in an empty folder, as a reader would, and compares the output of its commands.

A tutorial is a page of docs/ with blocks of these kinds:

    ```console               a session: lines after `$ ` are run, in one shell per page; the other lines are the output;
    $ strata machines        a line `...` matches any lines, `...` within a line any text
    ...
    ```

    ```c title="ring.c"      a file that the reader saves
    ```

The output of a command is its stdout, then its stderr. The exit code must be 0, unless the next command is `echo $?`.
Other kinds of blocks without a title (`sh`, indented ones) are for other computers and are not run.

    STRATA=bazel-bin/command/strata tests/docs/tutorials_test.py --write [PAGE...]    writes the output into the pages
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).absolute().parent.parent.parent
STRATA = pathlib.Path(os.environ.get("STRATA", "command/strata")).absolute()
NODE = ROOT / "platforms/data/ntw10e5/node.xml"
BLOCK = re.compile(r"^```(?P<kind>[^\n ]+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$", re.M | re.S)
LIMIT = 300  # s per page; they take a few seconds each on an idle computer


def pages():
    return [ROOT / "docs" / "first-study.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]


def commands_of(text):
    """Returns the (command, output) pairs of a session. A backslash at the end continues a command."""
    found, lines = [], text.split("\n")[:-1]
    while lines:
        line = lines.pop(0)
        if not line.startswith("$ "):
            raise ValueError(f"output before the first command: {line}")
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(lines.pop(0)[2:])
        printed = []
        while lines and not lines[0].startswith("$ "):
            printed.append(lines.pop(0))
        found.append(("\n".join(command), printed))
    return found


def matches(expected, printed):
    """Whether the output matches a page, where `...` stands for any lines or, within a line, for any text."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else r"[^\n]*".join(re.escape(part) for part in line.split("...")) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


class Session:
    """A shell in an empty folder, with an empty home."""

    def __init__(self, folder):
        self.folder, self.home, self.top = folder / "work", folder / "home", folder
        tools = folder / "bin"
        for made in (self.folder, self.home, tools):
            made.mkdir()
        (tools / "strata").write_text(f'#!/bin/sh\nexec "{STRATA}" "$@"\n')
        # Always a node with two sockets of twelve cores, independent of this computer.
        (tools / "lstopo").write_text(f'#!/bin/sh\nfor file; do :; done\ncat "{NODE}" >"$file"\n')
        for tool in tools.iterdir():
            tool.chmod(0o755)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("STRATA")}
        self.environment.update(PATH=f"{tools}:/usr/bin:/bin", HOME=str(self.home), LC_ALL="C.UTF-8")

    def run(self, commands):
        """Runs all commands. Yields the (exit code, lines) of each that was reached."""
        script = "code=0\n"
        for i, command in enumerate(commands):
            script += f'(exit $code); {{ {command}\n}} >"{self.top}/{i}.out" 2>"{self.top}/{i}.err"; code=$?; echo $code >"{self.top}/{i}.code"\n'
        subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)
        for i in range(len(commands)):
            code = self.top / f"{i}.code"
            if not code.is_file():
                return
            text = "".join((self.top / f"{i}.{stream}").read_text(encoding="utf-8", errors="replace") for stream in ("out", "err"))
            text = text.replace(str(self.home), "/home/you").replace(str(self.folder), "/home/you/work")
            yield int(code.read_text()), [line.rstrip() for line in text.split("\n")[:-1]]


def run_page(page, folder):
    """Returns (command, expected lines, exit code, printed lines, whether `echo $?` follows) of each command."""
    session = Session(folder)
    commands = []
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["title"]:
            (session.folder / block["title"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            commands += commands_of(block["text"])
    results = session.run([command for command, _ in commands])
    looked_at = [later[0] == "echo $?" for later in commands[1:]] + [False]
    return [(command, expected, code, printed, looked)
            for (command, expected), (code, printed), looked in zip(commands, results, looked_at)], len(commands)


def write(page):
    """Updates the page with the output of its commands where they differ."""
    with tempfile.TemporaryDirectory() as folder:
        ran, _ = run_page(page, pathlib.Path(folder))
    outputs = iter(ran)

    def fresh(block):
        if block["kind"] != "console" or block["title"]:
            return block[0]
        text = "```console\n"
        for command, expected in commands_of(block["text"]):
            _, _, code, printed, looked = next(outputs)
            if code and not looked:
                print(f"{page.name}: {command}: exit code {code}", file=sys.stderr)
            text += "\n".join(("$ " if i == 0 else "> ") + line for i, line in enumerate(command.split("\n"))) + "\n"
            text += "".join(line + "\n" for line in (expected if expected != ["..."] and matches(expected, printed) else printed))
        return text + "```"

    page.write_text(BLOCK.sub(fresh, page.read_text(encoding="utf-8")), encoding="utf-8")


class TutorialsTest(unittest.TestCase):
    def test_pages(self):
        for page in pages():
            with self.subTest(page.name):
                folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
                self.addCleanup(shutil.rmtree, folder)
                ran, wanted = run_page(page, folder)
                for command, expected, code, printed, looked in ran:
                    shown = f"{page.name}: $ {command}\n" + "\n".join(printed)
                    self.assertTrue(code == 0 or looked, f"exit code {code} of {shown}")
                    self.assertTrue(matches(expected, printed), f"the page shows\n" + "\n".join(expected) + f"\n\nbut now it is\n{shown}")
                self.assertEqual(wanted, len(ran))
                print(f"{page.name}: {len(ran)} commands")

    def test_matching(self):
        self.assertTrue(matches(["a", "...", "b"], ["a", "b"]))
        self.assertTrue(matches(["a", "...", "b"], ["a", "x", "y", "b"]))
        self.assertTrue(matches(["took ... s"], ["took 1.5 s"]))
        self.assertFalse(matches(["a", "b"], ["a", "b", "c"]))
        self.assertFalse(matches(["took 2 s"], ["took 3 s"]))
        self.assertEqual(commands_of("$ a \\\n> b\nout\n$ c\n"), [("a \\\nb", ["out"]), ("c", [])])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for name in sys.argv[2:] or pages():
            write(pathlib.Path(name))
        sys.exit()
    sys.exit(unittest.main())
