"""The blocks of commands that need no cluster do what the documents say: plan.yaml has the list."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

import team_a
from documents import ROOT, all_blocks
from sessions import PLAN, perform, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from ports import free_port  # noqa: E402  # pylint: disable=wrong-import-position

BINARIES = os.environ.get("SLAQ_BINARIES", str(ROOT / "build/release/bin"))
FILES = pathlib.Path(__file__).with_name("files")


def lay_out(folder):
    """A copy of the project, by links, in which commands may write: with the programs, and the files that blocks name."""
    for each in [*ROOT.iterdir(), *FILES.iterdir()]:
        if each.name not in (".git", "build"):
            (folder / each.name).symlink_to(each)
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/bin").symlink_to(BINARIES)
    (folder / "short").mkdir()
    for example in ROOT.glob("examples/*.yaml"):
        text = re.sub(r"--rows=\d+", "--rows=20000", example.read_text())
        (folder / "short" / example.name).write_text(re.sub(r"--iterations=\d+", "--iterations=20", text))


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        lay_out(self.folder)
        kubeconfig = self.folder / "kubeconfig"
        self.enterContext(team_a.serving(kubeconfig))
        port, metrics = str(free_port()), str(free_port())
        self.environment = os.environ | {
            "PATH": f"{BINARIES}:{os.environ['PATH']}", "HOME": folder.name, "KUBECONFIG": str(kubeconfig),
            "LANG": "C.UTF-8", "FREE_PORT": port, "SLAQ_METRICS_PORT": metrics}

    def test_do_what_their_document_says(self):
        blocks = {block.name: block for block in all_blocks()}
        for entry in PLAN["local"]:
            with self.subTest(entry["block"]):
                perform(blocks[entry["block"]], entry, self.folder, self.environment, "local")

    def test_that_are_not_run_name_what_is_there(self):
        for entry in PLAN["not run"]:
            with self.subTest(entry["block"]):
                code, printed = run(entry["instead"], self.folder, self.environment)
                self.assertEqual(code, 0, printed)


if __name__ == "__main__":
    unittest.main()
