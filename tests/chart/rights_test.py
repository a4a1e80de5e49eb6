"""docs/threat-model.md lists the rights that the chart gives the controller."""
import pathlib
import tempfile
import unittest

import yaml

from tools import ROOT, rendered

CONTROLLERS_ROLES = {"slaq", "slaq-leader", "slaq-kinds"}


def given(variant):
    with tempfile.TemporaryDirectory() as folder:
        documents = list(yaml.safe_load_all(rendered(variant, folder).read_text()))
    roles = [each for each in documents if each and each["kind"] in ("Role", "ClusterRole")
             and each["metadata"]["name"] in CONTROLLERS_ROLES]
    return {(group, resource, verb) for role in roles for rule in role["rules"]
            for group in rule["apiGroups"] for resource in rule["resources"] for verb in rule["verbs"]}


def documented():
    text = (ROOT / "docs/threat-model.md").read_text().split("## What the controller may do")[1].split("\n## ")[0]
    rows = [line.split("|")[1:5] for line in text.splitlines() if line.startswith("|")][2:]
    for group, resource, verbs, when in ([cell.strip() for cell in row] for row in rows):
        for verb in verbs.split(", "):
            yield (group, resource, verb), when


class Rights(unittest.TestCase):
    def test_are_those_that_are_listed(self):
        self.assertEqual(given("automatic"), {right for right, _ in documented()})

    def test_of_an_observer_are_those_that_need_no_other_mode(self):
        listed = {right for right, when in documented() if "mode Schedule" not in when}
        self.assertEqual(given("observer"), listed)


if __name__ == "__main__":
    unittest.main()
