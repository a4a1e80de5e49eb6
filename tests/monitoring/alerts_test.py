"""docs/alerts.md has a runbook for each alert, and begins it with the command to run."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "charts/slaq/files/alerts.yaml"


def rules():
    """Each alert's lines, by its name."""
    parts = re.split(r"^ +- alert: (\w+)$", RULES.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def sections():
    parts = re.split(r"^## (\w+)$", (ROOT / "docs/alerts.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


class Alerts(unittest.TestCase):
    def test_rules_are_valid_and_fire_for_their_faults_alone(self):
        for command in (["check", "rules", RULES], ["test", "rules", pathlib.Path(__file__).with_name("alerts_test.yaml")]):
            done = subprocess.run(["promtool", *command], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_fault_is_tried(self):
        tried = (ROOT / "tests/monitoring/alerts_test.yaml").read_text().split("- name: faults")[1]
        for name in rules():
            self.assertIn(f"alertname: {name}\n", tried)

    def test_each_has_a_runbook_that_begins_with_a_command(self):
        self.assertEqual(list(sections()), list(rules()))
        for name, text in sections().items():
            self.assertRegex(text.strip().splitlines()[0], r"^`kubectl slaq (check|explain JOB)`$", name)

    def test_each_carries_the_address_of_its_runbook(self):
        for name, rule in rules().items():
            self.assertIn(f"runbook_url: https://slaq.io/docs/alerts.md#{name.lower()}\n", rule)
            for field in ("summary", "description", "severity"):
                self.assertIn(field, rule, name)

    def test_they_ask_for_metrics_that_are_documented(self):
        documented = (ROOT / "docs/metrics.md").read_text()
        for name in re.findall(r"\bslaq_[a-z_]+", RULES.read_text()):
            self.assertIn(f"`{re.sub('_(sum|count|bucket)$', '', name)}", documented)


if __name__ == "__main__":
    unittest.main()
