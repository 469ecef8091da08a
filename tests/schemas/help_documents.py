# SPDX-License-Identifier: LGPL-2.1-only
"""The commands and options, for completion: strata --help-json."""

from documents import DocumentTest, parsed, strata


class HelpTest(DocumentTest):
    def test_help(self):
        document = self.valid(parsed(strata("--help-json")))
        self.assertIn("check", [command["name"] for command in document["commands"]])
        commands = self.valid(parsed(strata("check", "--help-json")))["commands"]  # strata_check has submit merge too
        (check,) = (command for command in commands if command["name"] == "check")
        self.assertIn(["-n", "--np"], [option["names"] for option in check["options"]])
        self.refused(
            document,
            "help",
            lambda d: d.update(name="mpirun"),
            lambda d: d.update(commands=[]),
            lambda d: d["options"][0].update(names=[]),
            lambda d: d["commands"][0].pop("about"),
            lambda d: d["commands"][0]["options"][0].update(value=1),
        )
