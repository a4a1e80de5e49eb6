"""The manual pages: one for each command, which man can show, with all that its help says."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLAQ = os.environ["SLAQ"]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def commands():
    lines = output(SLAQ, "__complete", "").splitlines()
    return [line.split("\t")[0] for line in lines if "\t" in line]


class ManPages(unittest.TestCase):
    def test_each_command_has_a_page_with_each_of_its_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            output(ROOT / "scripts/man-pages", folder, SLAQ)
            pages = {page.stem for page in pathlib.Path(folder).iterdir()}
            self.assertEqual(pages, {"slaq"} | {f"slaq-{command}" for command in commands()})
            for command in commands():
                page = output("man", "--local-file", "--no-justification", "--no-hyphenation",
                              f"{folder}/slaq-{command}.1")
                self.assertRegex(page, rf"NAME\n +slaq-{command} - ")
                for flag in re.findall(r"--[a-z-]+", output(SLAQ, command, "--help")):
                    self.assertIn(flag, page, command)


if __name__ == "__main__":
    unittest.main()
