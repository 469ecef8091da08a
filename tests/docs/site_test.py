#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""tools/docs builds the site of this checkout without an error, has all the pages it should have, and finds broken
links. Skipped if mkdocs is not installed.

The test reads the checkout itself and not Bazel's copy, because pages may link to any file.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

TOP = pathlib.Path("mkdocs.yml").resolve().parent
STRATA = pathlib.Path("command/strata").absolute()


@unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed: ./strata docs installs it")
class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        cls.site = cls.folder / "site"
        environment = {**os.environ, "STRATA": str(STRATA), "STRATA_SITE_PAGES": str(cls.folder / "pages"), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        cls.build = subprocess.run([TOP / "tools/docs", cls.site], env=environment, capture_output=True, text=True, check=False)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def page(self, name):
        return (self.site / name).read_text(encoding="utf-8")

    def broken(self):
        return subprocess.run([TOP / "tools/site/check_links.py", self.site], capture_output=True, text=True, check=False)

    def test_builds(self):
        self.assertEqual((0, ""), (self.build.returncode, self.build.stderr))

    def test_every_command_has_a_page_and_is_at_a_glance(self):
        help_json = subprocess.run([STRATA, "--help-json"], capture_output=True, text=True, check=True).stdout
        commands = [c["name"] for c in json.loads(help_json)["commands"]]
        self.assertGreater(len(commands), 15)
        for command in commands:
            text = self.page(f"reference/commands/{command}.html")
            usage = subprocess.run([STRATA, command, "--help"], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", usage, re.M):
                self.assertRegex(text, rf">[^<]*{option}\b", command)
        glance = (TOP / "docs/commands.md").read_text(encoding="utf-8")
        missing = [c for c in commands if f"`strata {c}`" not in glance]
        self.assertEqual([], missing, "docs/commands.md does not have these commands")

    def test_every_key_and_function_is_there(self):
        self.assertIn("<code>link_bandwidth</code>", self.page("reference/machine.html"))
        self.assertIn("<code>what_if</code>", self.page("reference/scenario.html"))
        for schema in (TOP / "schemas").glob("*.schema.json"):
            name = schema.name[:-len(".schema.json")]
            if name not in ("scenario", "machine"):
                self.assertIn("<table>", self.page(f"reference/documents/{name}.html"))
        for header, page in (("mpix.h", "functions"), ("MPI_Monitoring.h", "monitoring-functions")):
            text = self.page(f"reference/{page}.html")
            functions = re.findall(r"^int (MPIX?_\w+)\(", (TOP / "mpi_ext" / header).read_text(encoding="utf-8"), re.M)
            self.assertGreater(len(functions), 10)
            for function in functions:
                self.assertIn(f'id="{function.lower()}"', text)

    @unittest.skipUnless(webdriver and shutil.which("chromium") and shutil.which("chromedriver"),
                         "there is no Chromium, or no Selenium: ./strata test --browser installs them")
    def test_pages_fit_a_wide_and_a_narrow_window(self):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
                         f"--user-data-dir={self.folder}/chromium"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.binary_location = shutil.which("chromium")
        browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.addCleanup(browser.quit)
        # Pages of sources are long and similar. 404.html is for web servers: its paths are relative to the root of the
        # site.
        pages = [p for p in sorted(self.site.rglob("*.html")) if "source" not in p.relative_to(self.site).parts and p.name != "404.html"]
        self.assertGreater(len(pages), 50)
        for width in (1280, 420):
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
            for page in pages:
                with self.subTest(page=page.relative_to(self.site), width=width):
                    browser.get(page.as_uri())
                    needed, missing = browser.execute_script(
                        "return [document.documentElement.scrollWidth,"
                        " [...document.images].filter((i) => !(i.complete && i.naturalWidth)).map((i) => i.src)]")
                    self.assertLessEqual(needed, width)
                    self.assertEqual([], missing, "pictures that do not load")
                    self.assertEqual([], [e["message"] for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")])

    def test_finds_broken_links(self):
        self.assertEqual(0, self.broken().returncode)
        page = self.site / "broken.html"
        page.write_text('<a href="index.html#nowhere">a</a> <a href="gone.html">b</a> <a href="index.html">c</a>', encoding="utf-8")
        self.addCleanup(page.unlink)
        run = self.broken()
        self.assertEqual(1, run.returncode)
        self.assertEqual(["broken.html: gone.html: no such file", "broken.html: index.html#nowhere: no such place on that page"],
                         run.stderr.splitlines())


if __name__ == "__main__":
    sys.exit(unittest.main())
