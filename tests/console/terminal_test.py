#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The command on a pseudo-terminal and in a pipe: colours only where they are wanted, and progress leaves no trace.

For example, `strata compare` prints "passed" in green on a terminal, and without colour with NO_COLOR=1, TERM=dumb or
in a pipe.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

STRATA = os.path.abspath("command/strata")
ESCAPE = re.compile(r"\x1b\[[0-9;]*[a-zA-Z]")
RED, GREEN, BOLD = "\x1b[31m", "\x1b[32m", "\x1b[1m"
CLEAR = "\r\x1b[K"
LIMIT_S = 120


def environment(changes):
    variables = {**os.environ, "TERM": "xterm"}
    variables.pop("NO_COLOR", None)
    variables.update(changes)
    return variables


def on_terminal(*words, columns=100, interrupt_at=None, **changes):
    """Runs the command on a terminal, with Ctrl-C when the output matches. Returns exit code and output.

    The output is stdout and stderr together.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execve(STRATA, ["strata", *words], environment(changes))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    output, end = b"", time.monotonic() + LIMIT_S
    while True:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
        if interrupt_at and re.search(interrupt_at, output):
            os.write(terminal, b"\x03")
            interrupt_at = None
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux reports that the other end is closed
            part = b""
        if not part:
            break
        output += part
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output.decode().replace("\r\n", "\n")


def in_pipe(*words, **changes):
    ran = subprocess.run(
        [STRATA, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env=environment(changes),
        timeout=LIMIT_S,
        check=False,
    )
    return ran.returncode, ran.stdout.decode()


def shown(output):
    """Returns what remains on the terminal: for each line, the text written after it was last cleared."""
    return "\n".join(line.rsplit(CLEAR, 1)[-1] for line in output.split("\n"))


class Colours(unittest.TestCase):
    def matrix(self):
        file = tempfile.NamedTemporaryFile("w", suffix=".txt")
        self.addCleanup(file.close)
        file.write("0 9\n9 0\n")
        file.flush()
        return file.name

    def test_verdicts(self):
        matrix = self.matrix()
        code, output = on_terminal("compare", matrix, matrix)
        self.assertEqual(code, 0, output)
        self.assertIn(f"\n{GREEN}passed\x1b[0m: ", output)
        self.assertEqual(ESCAPE.sub("", output), in_pipe("compare", matrix, matrix)[1])

    def test_headings(self):
        command = ("nodecart", "--dims", "16x8", "--ppn", "8")
        code, output = on_terminal(*command)
        self.assertEqual(code, 0, output)
        self.assertIn(f"\n{BOLD}partners", output)
        self.assertEqual(ESCAPE.sub("", output), in_pipe(*command)[1])

    def test_errors(self):
        code, output = on_terminal("map", "--matrix", "/missing", "--machine", "ntw10e5", "--algorithm", "random")
        self.assertEqual(code, 2)
        self.assertTrue(output.startswith(f"{RED}strata:\x1b[0m /missing"), output)
        self.assertEqual(output.count("\n"), 1)

    def test_documents_have_none(self):
        _, output = on_terminal("nodecart", "--dims", "16x8", "--ppn", "8", "--json")
        self.assertNotIn("\x1b", output)

    def test_only_where_they_are_welcome(self):
        for words in (("compare", self.matrix(), "/missing"), ("nodecart", "--dims", "4x4", "--ppn", "4")):
            plain = in_pipe(*words)
            self.assertNotIn("\x1b", plain[1])
            self.assertEqual(on_terminal(*words, NO_COLOR="1"), plain)
            self.assertEqual(on_terminal(*words, TERM="dumb"), plain)
            self.assertEqual(on_terminal(*words, TERM=""), plain)
            self.assertIn("\x1b", on_terminal(*words, NO_COLOR="")[1])


class Progress(unittest.TestCase):
    SURVEY = ("nodecart", "survey", "--max-processes", "512", "--inputs")

    def test_one_line_that_ends_cleared(self):
        command = (*self.SURVEY, "2000")
        code, output = on_terminal(*command, NO_COLOR="1")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\r\x1b\[K\d+ % · \d+ s left · \d+ of 2000 inputs\r\x1b")
        self.assertEqual(shown(output), in_pipe(*command)[1])

    def test_interrupted(self):
        code, output = on_terminal(*self.SURVEY, "5000000", interrupt_at=b"left", NO_COLOR="1")
        self.assertEqual((code, shown(output)), (130, "strata: interrupted\n"))

    def test_as_wide_as_the_terminal(self):
        _, output = on_terminal(*self.SURVEY, "2000", columns=20)
        drawn = re.findall(r"\r\x1b\[K([^\r]+)", output.split("\n", 1)[0])
        self.assertGreater(len(drawn), 1)
        # The first line may be drawn before the terminal has its size.
        self.assertEqual([line for line in drawn[1:] if len(line) > 19 and not line.startswith("2000")], [])

    def test_a_terminal_that_cannot_rewrite(self):
        command = (*self.SURVEY, "500")
        self.assertEqual(on_terminal(*command, TERM="dumb"), in_pipe(*command))

    def test_points_of_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run = ("run", "quickstart", "--set", "elements=1,10", "--out", f"{folder}/run")
            code, output = on_terminal(*run, NO_COLOR="1")
            self.assertEqual(code, 0, output)
            self.assertRegex(output, r"\r\x1b\[K\[0/8\] 0 %\r")
            self.assertRegex(output, r"\r\x1b\[K\[7/8\] 87 % · \d+ s left · ")
            self.assertTrue(shown(output).startswith("Broadcast on 240 cores"), shown(output))
            _, log = in_pipe(*run[:-1], f"{folder}/log")
            self.assertEqual(re.findall(r"^\[(\d)/8\] algorithm=", log, re.MULTILINE), list("12345678"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
