"""docs/conditions.md has a runbook for each reason of a False condition and of a Warning event."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATUS = ROOT / "src/loop/status"


def sections():
    parts = re.split(r"^## (\w+)$", (ROOT / "docs/conditions.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def calm():
    listed = re.search(r"kCalm = \{([^}]*)\}", (ROOT / "src/kube/objects/runbooks.cpp").read_text())
    return set(re.findall(r'"(\w+)"', listed[1]))


def reasons():
    """Those that the code gives to conditions that are False or Stalled, and to Warning events."""
    conditions = (STATUS / "conditions.cpp").read_text()
    events = (STATUS / "events.cpp").read_text() + (ROOT / "src/loop/write/action_writer.cpp").read_text()
    found = set(re.findall(r'Truth::False, "(\w+)"', conditions)) | set(re.findall(r'\{true, "(\w+)"', events))
    found |= set(re.findall(r'k(?:CannotStart|GrowthGivenBack|ResizeUnsupported) = "(\w+)"', (STATUS / "conditions.h").read_text()))
    found |= set(re.findall(r' k\w+ = "(\w+)";', (ROOT / "src/job/status.h").read_text()))  # hints
    found |= {"LossSourceDown"} & set(re.findall(r'Truth::Unknown, "(\w+)"', conditions))
    found |= set(re.findall(r'k(?:TrainingFailed|UserError) = "(\w+)"', (ROOT / "src/scheduler/lifecycle/stop.h").read_text()))
    found |= set(re.findall(r'return \{"(\w+)", .*JobState::Failed\}', (ROOT / "src/scheduler/lifecycle/stop.cpp").read_text()))
    found |= {"Failed"}  # the name of the state
    return found


class Conditions(unittest.TestCase):
    def test_each_reason_has_a_runbook(self):
        self.assertGreater(len(calm()), 3)
        self.assertEqual(set(sections()), reasons() - calm())

    def test_each_begins_with_a_command(self):
        for name, text in sections().items():
            self.assertRegex(text.strip().splitlines()[0], r"^`kubectl slaq (check|explain JOB)`$", name)


if __name__ == "__main__":
    unittest.main()
