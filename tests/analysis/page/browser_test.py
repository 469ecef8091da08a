#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Pages in headless Chromium: they open without an error, show the numbers of their data, and zoom, filter, sort and
search by mouse and by keyboard, in light and dark mode, at two widths. A page of 4,096 ranks responds within a second.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import jsonschema
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError as error:
    print(f"skipped: {error}; install Debian's python3-selenium and python3-jsonschema")
    sys.exit(0)
for program in ("chromium", "chromedriver"):
    if shutil.which(program) is None:
        print(f"skipped: there is no {program}; install Debian's chromium and chromium-driver")
        sys.exit(0)

PAGES = ("study.html", "beside.html", "bare.html", "program.html", "paused.html", "large.html")
SLOWEST_ANSWER_S = 1.0


def with_unit(seconds):
    """Formats a time as the page does, with four digits."""
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")):
        if seconds >= factor * 0.99995:
            value = seconds / factor
            return f"{value:.{3 - (len(str(int(value))) - 1)}f} {unit}"
    return "0 s"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        made = subprocess.run(["tests/analysis/page/pages", cls.folder], capture_output=True, text=True, check=True)
        cls.written_s = dict((name, float(s)) for name, s in (line.split() for line in made.stdout.splitlines()))
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-3d-apis", "--disable-dev-shm-usage",
                         f"--user-data-dir={cls.folder}/chromium"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.binary_location = shutil.which("chromium")
        os.environ["HOME"] = str(cls.folder)
        cls.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        cls.browser.set_script_timeout(120)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.temporary.cleanup()

    def open(self, name, width=1280, dark=False):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
        self.browser.get((self.folder / name).as_uri())
        self.data = json.loads(self.script("return document.getElementById('data').textContent"))
        self.drawn()

    def tearDown(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual([], errors)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def drawn(self):
        """Waits until the page has drawn the result of the last action."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))")

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def press(self, text, inside="body"):
        button = next(b for b in self.find(inside).find_elements(By.TAG_NAME, "button") if b.text == text)
        self.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        button.click()
        self.drawn()

    def keys(self, selector, *keys):
        element = self.find(selector)
        self.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'}); arguments[0].focus()", element)
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()
        self.drawn()

    def text(self, identifier):
        return self.script("return document.getElementById(arguments[0]).textContent", identifier)

    def rows(self, caption):
        """Returns the texts of a table's cells by row."""
        return self.script("""
            const table = [...document.querySelectorAll('table')].find((t) => t.caption && t.caption.textContent.startsWith(arguments[0]));
            return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));""", caption)

    def view(self):
        canvas = self.script("const c = document.getElementById('timeline-canvas'); return {...c.dataset}")
        return float(canvas["from"]), float(canvas["to"])

    def picture(self, identifier):
        return self.script("return document.getElementById(arguments[0]).toDataURL()", identifier)

    # --- every page ---

    def test_pages_open_without_errors_and_load_nothing(self):
        self.assertIsNone(self.script("return document.createElement('canvas').getContext('webgl')"), "there is no WebGL")
        for name in PAGES:
            for width in (1280, 420):
                with self.subTest(name=name, width=width):
                    self.open(name, width)
                    self.assertEqual([], self.script("return performance.getEntriesByType('resource').map((e) => e.name)"))
                    self.assertEqual(self.data["title"], self.text("title"))
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                    self.assertEqual(0, self.script("return document.querySelectorAll('#title b').length"), "text is no HTML")

    def test_data_are_as_the_schema_says(self):
        schema = json.loads(pathlib.Path("schemas/page.schema.json").read_text())
        for name in PAGES:
            self.open(name)
            faults = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
                      for e in jsonschema.Draft7Validator(schema).iter_errors(self.data)]
            self.assertEqual([], faults, name)

    def test_assistive_technology_finds_its_way(self):
        for name in PAGES:
            self.open(name)
            self.assertEqual(1, len(self.browser.find_elements(By.TAG_NAME, "h1")))
            for landmark in ("header", "nav", "main", "footer"):
                self.find(landmark)
            nameless = self.script("""
                const named = (e) => e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length > 0;
                return [...document.querySelectorAll('button, select, input, [role=application], [role=region], [role=img], nav')]
                    .filter((e) => !named(e)).map((e) => e.outerHTML.slice(0, 200));""")
            self.assertEqual([], nameless)
            unlabelled = self.script("""
                return [...document.querySelectorAll('section')]
                    .filter((s) => !document.getElementById(s.getAttribute('aria-labelledby'))).map((s) => s.id);""")
            self.assertEqual([], unlabelled)
            self.assertEqual([], self.script("return [...document.querySelectorAll('table')].filter((t) => !t.caption).length ? ['a table'] : []"))

    def test_dark_is_the_systems_or_the_users(self):
        ground = lambda: self.script("return getComputedStyle(document.body).backgroundColor")
        self.open("program.html")
        light = ground()
        self.open("program.html", dark=True)
        dark = ground()
        self.assertNotEqual(light, dark)
        before = self.picture("timeline-canvas")
        self.find("#theme").click()
        self.drawn()
        self.assertEqual(light, ground())
        self.assertNotEqual(before, self.picture("timeline-canvas"))

    def test_text_has_contrast(self):
        """At least 4.5 to 1 (WCAG 2.1, 1.4.3), for the colours `text`, `faint` and `accent` on both backgrounds."""
        def luminance(colour):
            channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        for dark in (False, True):
            self.open("bare.html", dark=dark)
            colour = lambda name: self.script(
                "return getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[0]).trim()", name)
            for text in ("text", "faint", "accent"):
                for ground in ("ground", "panel"):
                    light, low = sorted((luminance(colour(text)), luminance(colour(ground))), reverse=True)
                    self.assertGreaterEqual((light + 0.05) / (low + 0.05), 4.5, f"{text} on {ground}, dark: {dark}")

    # --- a study ---

    def test_a_studys_tables_are_its_records(self):
        self.open("study.html")
        table = self.data["runs"][0]["tables"][0]
        rows = self.rows(table["heading"])
        for i, name in enumerate(table["rows"]):
            self.assertEqual(name, rows[i][0])
            for column, text in zip(table["columns"], rows[i][1:]):
                self.assertEqual(with_unit(column["values"][i]) if column["unit"] == "s" else f"{column['values'][i]:.3g}",
                                 text if column["unit"] == "s" else f"{float(text):.3g}")
        self.script("document.querySelector('#models details').open = true")
        WebDriverWait(self.browser, 10).until(lambda _: self.find("#models details table"))
        verdicts = [row["verdict"] for row in self.data["runs"][0]["models"][0]["rows"]]
        self.assertEqual(verdicts, [row[4] for row in self.rows("hockney, point by point")])
        plots = self.script("return [...document.querySelectorAll('#results figure')].map((f) => f.querySelectorAll('svg path').length)")
        self.assertEqual(len(self.data["runs"][0]["charts"]), len(plots))
        self.assertTrue(all(paths > 5 for paths in plots), plots)

    def test_another_point_is_chosen(self):
        self.open("study.html")
        Select(self.find("#chosen select")).select_by_index(1)
        self.drawn()
        point = self.data["runs"][0]["points"][1]
        self.assertIn(f"{point['matrix']['messages']:,.0f} messages", self.text("matrix-info"))

    def test_runs_stand_side_by_side(self):
        self.open("beside.html")
        rows = self.rows("time: points that several runs have")
        values = [run["values"][0]["values"] for run in self.data["runs"]]
        self.assertEqual(len(values[0]), len(rows))
        for i, row in enumerate(rows):
            self.assertEqual([with_unit(values[0][i]), with_unit(values[1][i]), "2.000"], row[1:])

    def test_what_is_missing_is_said(self):
        self.open("bare.html")
        self.assertIn("--set traffic=on", self.text("timeline"))
        self.assertIn("1 of 8 points are missing", self.text("overview"))
        self.assertNotIn("path", self.script("return [...document.querySelectorAll('section')].map((s) => s.id)"))

    # --- a program ---

    def test_calls_are_those_of_the_records_and_sorted(self):
        self.open("program.html")
        calls = sorted(self.data["runs"][0]["calls"], key=lambda c: -c["seconds"])
        rows = self.rows("MPI functions")
        for call, row in zip(calls, rows, strict=True):
            self.assertEqual([call["call"], f"{call['count']:,}", with_unit(call["seconds"])], row[:3])
            self.assertEqual(with_unit(call["waiting"]), row[4])
        heading = self.script("return [...document.querySelectorAll('#calls th')].find((t) => t.textContent === 'function')")
        heading.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        self.assertEqual(sorted(c["call"] for c in calls), [row[0] for row in self.rows("MPI functions")])
        self.assertEqual("ascending", heading.get_attribute("aria-sort"))
        heading.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        self.assertEqual("descending", heading.get_attribute("aria-sort"))

    def test_links_are_those_of_the_records(self):
        self.open("program.html")
        links = self.data["runs"][0]["points"][0]["links"]
        machine = self.data["runs"][0]["machine"]
        self.keys("#machine-drawing svg", Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        entry = [v for v, parent in enumerate(machine["parent"]) if parent == 0][2]
        at = links["entry"].index(entry)
        text = self.text("machine-info")
        self.assertIn("node 2", text)
        self.assertIn(f"link node{machine['index'][entry]},", text)
        self.assertIn(f"{links['up']['messages'][at]:,} messages", text)
        self.assertIn(f"{links['up']['utilisation'][at] * 100:.1f} %", text)
        boxes = lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#machine-drawing g[data-entry]"))
        whole = boxes()
        self.keys("#machine-drawing svg", Keys.ENTER)
        self.assertLess(boxes(), whole)
        self.keys("#machine-drawing svg", Keys.ESCAPE)
        self.assertEqual(whole, boxes())

    def test_the_matrix_is_that_of_the_records(self):
        self.open("program.html")
        view = self.data["runs"][0]["points"][0]["matrix"]["views"][0]
        cell = next(i for i in range(len(view["row"])) if (view["row"][i], view["column"][i]) == (1, 2))
        self.keys("#matrix-canvas", Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        text = self.text("matrix-info")
        self.assertRegex(text, r"(?s)from rank 1 .*to rank 2 ")
        self.assertIn(f"{view['messages'][cell]:,.0f} messages", text)
        self.assertIn(f"{view['bytes'][cell] / 1e6:.3f} MB", text)
        select = Select(self.find("#matrix select"))
        self.assertEqual(["rank", "package", "node"], [o.text for o in select.options])
        select.select_by_visible_text("node")
        self.drawn()
        self.assertIn("10 rows", self.find("#matrix-canvas").get_attribute("aria-label"))

    def test_the_timeline_zooms(self):
        self.open("program.html")
        whole = self.view()
        self.assertEqual((0, self.data["runs"][0]["simulated_time_s"]), whole)
        self.press("Zoom in", "#timeline")
        near = self.view()
        self.assertAlmostEqual((whole[1] - whole[0]) / 2, near[1] - near[0])
        self.press("Later", "#timeline")
        self.assertGreater(self.view()[0], near[0])
        self.press("Whole run", "#timeline")
        self.assertEqual(whole, self.view())
        canvas = self.find("#timeline-canvas")
        self.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
        ActionChains(self.browser).move_to_element(canvas).scroll_from_origin(
            webdriver.common.actions.wheel_input.ScrollOrigin.from_element(canvas), 0, -120).perform()
        self.drawn()
        self.assertLess(self.view()[1] - self.view()[0], whole[1] - whole[0])
        self.keys("#timeline-canvas", Keys.HOME)
        self.assertEqual(whole, self.view())
        self.keys("#timeline-canvas", "+", "+", Keys.ARROW_RIGHT)
        self.assertAlmostEqual((whole[1] - whole[0]) / 4, self.view()[1] - self.view()[0])
        self.keys("#timeline-canvas", Keys.HOME, "-")
        self.assertEqual(whole, self.view())

    def test_a_pause_is_not_shown_first(self):
        self.open("paused.html")
        begin, end = self.view()
        self.assertGreater(begin, 1000)
        self.assertLess(end - begin, 0.1)
        self.assertIn("The run pauses for most of its 1000 s", self.text("timeline-note"))
        self.press("Next part", "#timeline")
        self.assertLess(self.view()[1], 1)
        self.press("Whole run", "#timeline")
        self.assertEqual((0, self.data["runs"][0]["simulated_time_s"]), self.view())

    def test_the_timeline_is_filtered(self):
        self.open("program.html")
        before = self.picture("timeline-canvas")
        Select(self.find("#timeline-function")).select_by_visible_text("MPI_Allreduce")
        self.drawn()
        self.assertNotEqual(before, self.picture("timeline-canvas"))
        Select(self.find("#timeline-function")).select_by_visible_text("all")
        self.drawn()
        self.assertEqual(before, self.picture("timeline-canvas"))
        ranks = self.find("#timeline-ranks")
        ranks.send_keys("0-7, 20", Keys.TAB)
        self.drawn()
        self.assertEqual("9", self.find("#timeline-canvas").get_attribute("data-rows"))
        ranks.clear()
        ranks.send_keys("240", Keys.TAB)
        self.drawn()
        self.assertEqual("true", ranks.get_attribute("aria-invalid"))
        self.assertIn("0 to 239", self.text("timeline-found"))
        Select(self.find("#timeline select")).select_by_visible_text("node")
        ranks.clear()
        ranks.send_keys(Keys.TAB)
        self.drawn()
        self.assertEqual("10", self.find("#timeline-canvas").get_attribute("data-rows"))

    def test_calls_are_searched(self):
        self.open("program.html")
        run = self.data["runs"][0]
        count = next(c["count"] for c in run["calls"] if c["call"] == "MPI_Allreduce")
        longest = next(c["longest"] for c in run["points"][0]["timeline"]["sums"] if c["call"] == "MPI_Allreduce")
        self.find("#timeline-find").send_keys("allreduce")
        self.drawn()
        self.assertEqual(f"{count:,} calls found", self.text("timeline-found"))
        self.find("#timeline-find").send_keys(Keys.ENTER)
        self.drawn()
        self.assertIn(f"MPI_Allreduce: {with_unit(longest)}", self.text("timeline-info"))
        self.assertRegex(self.text("timeline-info"), r"waits .* for rank 0")
        self.find("#timeline-find").clear()
        self.find("#timeline-find").send_keys("rank 17")
        self.drawn()
        self.assertIn("rank 17", self.text("timeline-info"))
        self.keys("#timeline-canvas", "n", "n")
        self.assertRegex(self.text("timeline-info"), r"rank 17, MPI_Sendrecv: ")
        self.find("#timeline-find").clear()
        self.find("#timeline-find").send_keys("no such function")
        self.drawn()
        self.assertEqual("nothing found", self.text("timeline-found"))

    def test_the_timeline_is_a_table_too(self):
        self.open("program.html")
        self.script("document.querySelector('#timeline details').open = true")
        WebDriverWait(self.browser, 10).until(lambda _: self.find("#timeline details table"))
        longest = max(c["longest"] for c in self.data["runs"][0]["points"][0]["timeline"]["sums"])
        self.assertEqual(with_unit(longest), self.rows("The longest ")[0][3])

    def test_the_critical_path_is_shown(self):
        self.open("program.html")
        path = self.data["runs"][0]["points"][0]["path"]
        self.assertAlmostEqual(sum(path["whole"]), path["seconds"])
        rows = self.rows("The path by rank")
        self.assertEqual(path["by_rank"][0]["name"], rows[0][0])
        self.assertEqual(with_unit(sum(path["by_rank"][0]["seconds"])), rows[0][1])

    def test_everything_is_reached_by_keyboard(self):
        self.open("program.html")
        self.script("document.activeElement.blur(); window.scrollTo(0, 0)")
        seen = set()
        for _ in range(120):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            seen.add(self.script("const e = document.activeElement; return e.id || e.textContent.slice(0, 40) || e.tagName"))
        for name in ("theme", "timeline-canvas", "matrix-canvas", "timeline-find", "timeline-ranks", "Skip to the content", "Zoom in"):
            self.assertIn(name, seen)
        outline = self.script("""
            const e = document.getElementById('theme'); e.focus({focusVisible: true});
            return getComputedStyle(e).outlineStyle""")
        self.assertEqual("solid", outline)

    # --- 4,096 ranks ---

    def test_a_large_page_answers_within_a_second(self):
        self.assertLess((self.folder / "large.html").stat().st_size, 20_000_000)
        self.open("large.html")
        self.assertIn("shares of the states", self.text("timeline-note"))
        self.assertIn("cell is the sum of", self.text("matrix"))
        answer = """
            const done = arguments[arguments.length - 1], begin = performance.now();
            (function () { %s })();
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done((performance.now() - begin) / 1000), 0)));"""
        choose = "const s = document.querySelector('%s'); s.selectedIndex = %d; s.dispatchEvent(new Event('change'))"
        press = "[...document.querySelectorAll('#timeline button')].find((b) => b.textContent === '%s').click()"
        actions = {
            "zoom in": press % "Zoom in",
            "every call": press % "Where every call is",
            "whole run": press % "Whole run",
            "filter by function": choose % ("#timeline-function", 2),
            "rows by node": choose % ("#timeline select", 2),
            "rows by rank": choose % ("#timeline select", 0),
            "ranks": "const r = document.getElementById('timeline-ranks'); r.value = '0-63'; r.dispatchEvent(new Event('change'))",
            "search": "const f = document.getElementById('timeline-find'); f.value = 'sendrecv'; f.dispatchEvent(new Event('input'))",
            "matrix by node": choose % ("#matrix select", 2),
            "enlarge a node": "document.querySelector('#machine-drawing g[data-entry]:nth-child(5)').dispatchEvent(new MouseEvent('click', {bubbles: true}))",
            "theme": "document.getElementById('theme').click()",
        }
        for name, action in actions.items():
            taken = min(self.browser.execute_async_script(answer % action) for _ in range(2))
            print(f"{name}: {taken:.3f} s")
            self.assertLess(taken, SLOWEST_ANSWER_S, name)

    def test_every_call_is_where_the_page_says(self):
        self.open("large.html")
        self.press("Where every call is", "#timeline")
        calls = self.data["runs"][0]["points"][0]["timeline"]["calls"]
        self.assertAlmostEqual(calls["from_s"], self.view()[0])
        self.assertIn("Every call is here.", self.text("timeline-note"))
        self.keys("#timeline-canvas", Keys.ARROW_DOWN, "n")
        self.assertRegex(self.text("timeline-info"), r"rank 1, MPI_\w+: ")


if __name__ == "__main__":
    unittest.main(verbosity=2)
