"""`slaq run` as a process of its own, and the commands that reach it from another terminal."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SLAQ = os.environ["SLAQ"]
PATIENCE = 120  # seconds; only what hangs reaches it
NOBODY = 65534


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        # Root's jobs are on the socket of the machine, where another test may have its own.
        self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder), "HOME": str(self.folder), "KUBECONFIG": "",
                            "SLAQ_SERVER": ""}
        (self.folder / "slaq").mkdir()
        for each in (self.folder, self.folder / "slaq"):
            each.chmod(0o777)

    def slaq(self, *words):
        return subprocess.run([SLAQ, *words], capture_output=True, text=True, env=self.environment, cwd=self.folder, check=False,
                              **self.user)

    def states(self):
        said = self.slaq("top", "-o", "json")
        return {job["name"]: job["state"] for job in json.loads(said.stdout)["jobs"]} if said.returncode == 0 else {}

    def test_a_stopped_job_runs_under_neither_policy_of_a_comparison(self):
        words = ["run", "--plain", "--compare", "--job", "exec sleep 1000 # long.py", "--job", "sleep 1 # short.py"]
        with open(self.folder / "output", "w", encoding="utf-8") as output:
            run = subprocess.Popen([SLAQ, *words], stdout=output, stderr=output, env=self.environment, cwd=self.folder, **self.user)
        self.addCleanup(run.kill)
        end = time.monotonic() + PATIENCE
        while self.states().get("long") != "Running":
            self.assertLess(time.monotonic(), end, (self.folder / "output").read_text())
            time.sleep(0.05)
        stopped = self.slaq("stop", "long")
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        self.assertEqual(run.wait(PATIENCE), 1)  # not all jobs are complete
        said = (self.folder / "output").read_text()
        under_fair = said.split("Running under Fair")[1]
        self.assertIn("default/long was stopped, and does not count in the comparison", under_fair)
        self.assertIn("default/short  arrived", under_fair)
        self.assertNotIn("default/long  arrived", under_fair)

    def test_a_program_without_retries_runs_once(self):
        """It trains until it fails, and its iterations forgive only the failures before them."""
        script = 'echo begun >> begun; for i in 1 2 3 4 5 6; do echo "step $i loss 0.$((9 - i))"; sleep 0.3; done; exit 3'
        done = self.slaq("run", "--plain", "--retries", "0", "--", "sh", "-c", script)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual((self.folder / "begun").read_text(), "begun\n")

    def test_a_run_under_nohup_outlives_its_terminal(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        run = subprocess.Popen([SLAQ, "run", "--plain", "--", "sh", "-c", "touch begun; sleep 1"], env=self.environment,
                               cwd=self.folder, preexec_fn=ignore, stdout=subprocess.DEVNULL, **self.user)
        self.addCleanup(run.kill)
        end = time.monotonic() + PATIENCE
        while not (self.folder / "begun").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(PATIENCE), 0)

    def test_a_home_that_cannot_be_written_keeps_no_output(self):
        self.environment["HOME"] = "/proc/none"
        self.environment.pop("XDG_STATE_HOME", None)
        done = self.slaq("run", "--plain", "--", "true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("what the programs write is not kept", done.stderr)


if __name__ == "__main__":
    unittest.main()
