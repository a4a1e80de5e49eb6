"""What slaq-report reads of people's libraries, beside what a callback records of the same training, value by value. Those
that are not installed are left out; scikit-learn always is there in `make test`, and all are in `make libraries`."""
import os
import subprocess
import sys
import tempfile
import unittest

from programs import PROGRAMS, rows, worst_difference

REPORT = os.environ["SLAQ_REPORT"]


class Libraries(unittest.TestCase):
    def test_losses_are_those_of_a_callback(self):
        for program in PROGRAMS:
            if not program.is_installed():
                print(f"left out, since it is not installed: {program.name}", file=sys.stderr)
                continue
            with self.subTest(program.name), tempfile.TemporaryDirectory() as directory:
                found, recorded = self.read_by_slaq_report(program, directory)
                if not program.late:
                    self.assertEqual([i for i, _ in found], [i for i, _ in recorded])
                self.assertEqual(found[-1][0], recorded[-1][0])
                self.assertIsNotNone(worst_difference(program, found, recorded), (found, recorded))

    def read_by_slaq_report(self, program, directory):
        script = f"{directory}/train.py"
        with open(script, "w", encoding="utf-8") as file:
            file.write(program.text)
        done = subprocess.run([REPORT, "--record", "seen.csv", "--from", program.source, "--", sys.executable, script],
                              capture_output=True, text=True, check=False, cwd=directory,
                              env={**os.environ, "RECORD": "told.csv", "HF_HUB_OFFLINE": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows(f"{directory}/seen.csv"), rows(f"{directory}/told.csv")


if __name__ == "__main__":
    unittest.main()
