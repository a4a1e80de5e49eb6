"""Compares the verdicts of `slaq validate` and of a real API server on manifests as people write them."""
import pathlib
import subprocess
import unittest

from harness.control_plane import connect
from harness.verdicts import Verdicts

TOP = pathlib.Path(__file__).resolve().parents[2]
MANIFESTS = pathlib.Path(__file__).parent / "manifests"
# Where the two differ, and why that is so.
KNOWN = {
    "# The pods request more CPU than the upper bound.":
        "the controller refuses it; no rule of a policy adds quantities up",
    "# There is a directive, and no line of three hyphens after it.":
        "yaml-cpp takes a directive without the line of three hyphens that should end it",
    "# The container of the driver takes what that of the workers has, by merge keys.":
        "kubectl merges and sends JSON; a server that is sent YAML takes the field that overrides for a duplicate",
}


def documents():
    """The text of each document, which begins with a comment about it. Files of bad YAML are one document each."""
    for file in sorted(MANIFESTS.glob("*.yaml")):
        for text in file.read_text().split("\n---\n"):
            yield text.removeprefix("---").strip() + "\n"
    for file in sorted((MANIFESTS / "bad-yaml").glob("*.yaml")):
        yield file.read_text()


def about(text):
    return next((line for line in text.splitlines() if line.startswith("# ")), text[:80])


class Manifests(unittest.TestCase):
    def test_the_schema_of_pods_is_the_one_that_this_server_publishes(self):
        version = connect().get("/version")["gitVersion"]
        if f"KUBERNETES={version}\n" not in (TOP / "tests/rig/lib/settings.sh").read_text():
            self.skipTest(f"the schema is not that of {version}")
        said = subprocess.run([TOP / "scripts/update-pod-schema", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_validate_says_what_the_api_server_does(self):
        verdicts = Verdicts()
        verdicts.create_referred()
        self.maxDiff = None
        differing, right = {}, 0
        for text in documents():
            server, validate = verdicts.of_server(text), verdicts.of_validate(text)
            right += server is None
            if (server is None) != (validate is None):
                differing[about(text)] = f"API server: {server or 'right'}\n    slaq validate: {validate or 'right'}"
        print(f"{len(list(documents()))} manifests, of which {right} are right; {len(differing)} disagreements")
        self.assertEqual(sorted(differing), sorted(KNOWN), "\n".join(f"{k}\n    {v}" for k, v in differing.items()))


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
