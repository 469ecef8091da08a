# SPDX-License-Identifier: LGPL-2.1-only
"""The data of reports; //tests/analysis/page shows them in a browser."""

import subprocess

from documents import GUEST, WAITS, DocumentTest, strata

PAGES = "tests/analysis/page/pages"


class PageTest(DocumentTest):
    def test_pages(self):
        subprocess.run([PAGES, self.folder], check=True, stdout=subprocess.DEVNULL)
        for name in ("study", "beside", "bare", "program", "full", "large"):
            with self.subTest(name):
                self.page(self.folder / f"{name}.html")

    def test_pages_of_runs(self):
        page = self.folder / "page.html"
        torus = ("--machine", "blue-waters", "--map-by", "node")
        for machine, program in ((("--machine", "ntw10e5"), [WAITS, "mix"]), (torus, [GUEST, "pairs", 1000])):
            strata("exec", *machine, "-n", 12, "--no-summary", "--report", page, "--", *program)
            self.page(page)
