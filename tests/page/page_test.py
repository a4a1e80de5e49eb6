"""The page as a person uses it, in a real browser."""

import copy
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import browser
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKLOAD = str(ROOT / "examples/workloads/small.yaml")
PHONE = (390, 844)


def axe():
    """The script of axe-core, which finds what keeps people from using a page."""
    script = subprocess.run(
        [str(ROOT / "scripts/in-venv"), "tests/page/requirements.txt", "-c",
         "import axe_core_python, pathlib; print(pathlib.Path(axe_core_python.__file__).parent / 'axe.min.js')"],
        check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return pathlib.Path(script).read_text()


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.one = browser.report(cls.folder.name, "one.html", WORKLOAD)
        cls.both = browser.report(cls.folder.name, "both.html", WORKLOAD, "--compare")
        cls.traces = cls.traces_in_a_folder_with_a_long_name()
        cls.advice = browser.report(cls.folder.name, "advice.html", *cls.job_to_advise(), command="advise")
        cls.forecasts = browser.report(cls.folder.name, "forecasts.html", *cls.traces, command="predict")
        cls.page = browser.start()

    @classmethod
    def traces_in_a_folder_with_a_long_name(cls):
        """The page shows their paths, which have no space at which a line could end."""
        folder = pathlib.Path(cls.folder.name) / ("a" * 60)
        folder.mkdir()
        return [shutil.copy(each, folder) for each in map(str, sorted((ROOT / "evaluation/traces").glob("lda-0*.csv"))[:3])]

    @classmethod
    def job_to_advise(cls):
        folder = pathlib.Path(cls.folder.name)
        manifest, scaling = folder / "job.yaml", folder / "scaling.csv"
        manifest.write_text(subprocess.run([browser.SLAQ, "init", "--workers", "1:8", "--", "python", "train.py"], check=True,
                                           stdout=subprocess.PIPE, text=True).stdout)
        scaling.write_text("workers,secondsPerIteration\n1,40\n2,21\n4,15\n")
        return str(manifest), "--trace", cls.traces[0], "--scaling", str(scaling)

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.folder.cleanup()

    def open(self, path, more=""):
        self.page.get("about:blank")
        self.page.get(f"file://{path}{more}")
        browser.wait(self.page, lambda: browser.has_curves(self.page))

    def tearDown(self):
        self.assertEqual(browser.complaints(self.page), [])

    def text(self, selector):
        return browser.find(self.page, selector).text

    def test_has_a_row_for_each_job_and_tells_what_was_decided(self):
        self.open(self.one)
        jobs = browser.document_of(self.one)["runs"][0]["jobs"]
        rows = browser.find_all(self.page, ".rows .row")
        self.assertEqual(len(rows), len(jobs))
        self.assertIn(jobs[0]["name"], self.text(".rows"))
        self.assertIn("worker", self.text(".decisions"))

    def test_compares_two_policies_on_one_axis(self):
        self.open(self.both)
        self.assertIn("under Fair", self.text(".verdict"))
        captions = [each.text for each in browser.find_all(self.page, "figcaption")]
        self.assertIn("Who holds the cores under LookAhead", captions)
        self.assertIn("Who holds the cores under Fair", captions)
        self.page.execute_script("document.querySelector('.rows .row').scrollIntoView()")
        browser.wait(self.page, lambda: len(browser.find_all(self.page, ".rows .row:first-child [role=cell]")) == 9)
        for policy in ("LookAhead", "Fair"):
            self.assertIn(f"What was decided under {policy}", [each.text for each in browser.find_all(self.page, "h2")])

    def test_says_of_each_policy_what_it_does(self):
        self.open(self.both)
        self.assertIn("LookAhead gives a core to the job whose loss", browser.find(self.page, "main").text)
        told = "".join((ROOT / "web/policies.js").read_text().splitlines())
        for command, manifest in (("run", ROOT / "examples/logreg.yaml"), ("simulate", WORKLOAD)):
            refused = subprocess.run([browser.SLAQ, command, manifest, "--policy", "none"], stderr=subprocess.PIPE, text=True, check=False)
            names = set(re.findall(r"[A-Z][a-z]+[A-Z]\w+|Fair|Oracle", refused.stderr))
            self.assertIn("LookAhead", names)
            for name in names:
                self.assertIn(f'{name}: "{name} ', told)

    def test_leads_from_a_number_on_the_picture_to_the_decision(self):
        self.open(self.one)
        numbers = [each.text for each in browser.find_all(self.page, ".decisions .mark")]
        self.assertEqual(numbers, [str(i + 1) for i in range(len(numbers))])
        self.page.set_script_timeout(browser.PATIENCE_S)
        # The first one stands at the left end of the picture. The chart takes one event in a frame.
        reached = self.page.execute_async_script("""
            const done = arguments[0];
            const canvas = document.querySelector("canvas");
            const box = canvas.getBoundingClientRect();
            const send = (type, x, y) => {
              canvas.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: box.left + x, clientY: box.top + y }));
              return new Promise(requestAnimationFrame);
            };
            (async () => {
              for (let x = 24; x < 80; x += 8) {
                for (let y = 0; y < box.height; y += 8) {
                  await send("mousemove", x, y);
                  if (canvas.style.cursor !== "pointer") continue;
                  await send("click", x, y);
                  return document.activeElement.textContent;
                }
              }
              return "nothing";
            })().then(done);""")
        self.assertEqual(reached, browser.find(self.page, ".decisions li:first-child").get_property("textContent"))

    def test_shows_a_job_and_goes_back(self):
        self.open(self.one)
        link = browser.find(self.page, ".rows .row:first-child a.name")
        name = link.text
        link.send_keys(Keys.ENTER)
        browser.wait(self.page, lambda: browser.find_all(self.page, ".job-name"))
        browser.wait(self.page, lambda: browser.has_curves(self.page))
        self.assertIn(name, self.text(".job-name"))
        self.assertIn(name, self.page.title)
        browser.find(self.page, "body").send_keys(Keys.ESCAPE)
        browser.wait(self.page, lambda: browser.find_all(self.page, ".rows"))

    def test_shows_a_forecast_as_it_was_then(self):
        job = max(browser.document_of(self.one)["runs"][0]["jobs"], key=lambda each: len(each["outlooks"]))
        self.open(self.one, f"#job={job['namespace']}%2F{job['name']}")
        slider = browser.find(self.page, "#then")
        newest = self.text("output")
        before = self.page.execute_script("return document.querySelector('canvas').toDataURL()")
        for _ in range(len(job["outlooks"])):
            slider.send_keys(Keys.ARROW_LEFT)
        self.assertNotEqual(self.text("output"), newest)
        browser.wait(self.page, lambda: browser.has_curves(self.page))
        self.assertNotEqual(self.page.execute_script("return document.querySelector('canvas').toDataURL()"), before)

    def test_finds_and_sorts_jobs(self):
        self.open(self.one)
        jobs = browser.document_of(self.one)["runs"][0]["jobs"]
        names = lambda: [each.text for each in browser.find_all(self.page, ".rows .row a.name")]
        self.assertEqual(names()[0], jobs[0]["name"])
        browser.find(self.page, ".heads [role=columnheader]:nth-child(7) button").click()
        times = [next(each.get("seconds") for each in job["reductions"] if each["percent"] == 95) for job in jobs]
        self.assertEqual(names()[0], jobs[times.index(min(times))]["name"])
        browser.find(self.page, "input[type=search]").send_keys(jobs[1]["name"])
        self.assertEqual(names(), [jobs[1]["name"]])
        browser.find(self.page, "header button").click()  # the page is drawn anew
        self.assertEqual(names(), [jobs[1]["name"]])
        self.assertEqual(browser.find(self.page, "input[type=search]").get_attribute("value"), jobs[1]["name"])

    def test_shows_what_each_number_of_workers_would_mean(self):
        advice = browser.document_of(self.advice)["advice"]
        self.open(self.advice)
        self.assertIn(advice["job"], self.text(".job-name"))
        self.assertIn(advice["sentences"][0]["text"], self.text(".sentences"))
        captions = [each.text for each in browser.find_all(self.page, "figcaption")]
        self.assertEqual(captions, ["How long it takes from now on", "What it costs to 95%", "How fast it is with so many workers"])
        self.assertIn("empty ones are estimated", self.text("main"))
        rows = browser.find_all(self.page, ".plain tbody tr")
        self.assertEqual([each.text.split()[0] for each in rows], [str(each["workers"]) for each in advice["sizes"]])
        self.assertIn("measured", rows[0].text)
        self.assertIn("fastest", self.text(".plain"))

    def test_shows_how_long_a_job_takes_with_each_number_of_workers(self):
        document = copy.deepcopy(browser.document_of(self.one))
        job = next(each for each in document["runs"][0]["jobs"] if each["workers"]["max"] > 1 and each.get("speeds"))
        document["over"], job["state"], job["gone"] = False, "Running", False
        job["milestones"] = [{"percent": 90, "iterationsLeft": 60}]
        self.open(browser.with_document(self.one, document, "running.html"), f"#job={job['namespace']}%2F{job['name']}")
        self.assertIn("How long it takes from now on", [each.text for each in browser.find_all(self.page, "figcaption")])

    def test_shows_losses_beside_what_was_forecast_of_them(self):
        prediction = browser.document_of(self.forecasts)["prediction"]
        self.open(self.forecasts)
        self.assertEqual(self.text("figcaption"), self.traces[0])
        self.assertEqual(len(browser.find_all(self.page, ".plain tbody tr")), len(self.traces) + 1)
        self.assertIn(f"{100 * prediction['overall']['rangeError']['10']:.3g}%", self.text(".plain tbody tr:last-child"))
        browser.find(self.page, ".plain tbody tr:nth-child(2) a").click()
        browser.wait(self.page, lambda: self.text("figcaption") == self.traces[1])
        browser.wait(self.page, lambda: browser.has_curves(self.page))

    def test_takes_names_for_text(self):
        document = copy.deepcopy(browser.document_of(self.one))
        job = document["runs"][0]["jobs"][0]
        evil = "</script><script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\">"
        job["name"] = job["reason"] = document["title"] = evil
        job["changes"] = [{"seconds": 1, "text": evil}]
        path = browser.with_document(self.one, document, "evil.html")
        self.open(path)
        self.assertNotEqual(self.page.title, "broken")
        self.assertIn("<img", self.text(".rows"))
        self.assertEqual(browser.find_all(self.page, "img"), [])

    def test_is_usable_by_everybody(self):
        script = axe()
        job = browser.document_of(self.one)["runs"][0]["jobs"][0]
        for path, more in ((self.one, ""), (self.both, ""), (self.one, f"#job={job['namespace']}%2F{job['name']}"),
                           (self.advice, ""), (self.forecasts, "")):
            for theme in ("light", "dark"):
                self.open(path, more)
                if self.page.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches") != (theme == "dark"):
                    browser.find(self.page, "header button").click()
                    browser.wait(self.page, lambda: browser.has_curves(self.page))
                self.page.execute_script(script)
                found = self.page.execute_async_script(
                    "const done = arguments[0]; axe.run().then((found) => done(found.violations.map("
                    "(each) => `${each.id}: ${each.nodes.map((node) => node.html).slice(0, 3).join(' ')}`)));")
                self.assertEqual(found, [], f"{path.name}{more} {theme}")

    def test_fits_a_phone(self):
        phone = browser.start(*PHONE)
        try:
            # A window of Chromium is 500 pixels wide at least; the driver makes the page inside it narrower.
            phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                  {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True})
            for path in (self.one, self.both, self.advice, self.forecasts):
                phone.get(f"file://{path}")
                browser.wait(phone, lambda: browser.has_curves(phone))
                self.assertLessEqual(phone.execute_script("return document.documentElement.scrollWidth"), PHONE[0], path.name)
        finally:
            phone.quit()


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
