"""slaq serve: real servers, killed and started again, with real programs; who may do what; full disks."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from unittest import mock

SLAQ = os.environ["SLAQ"]
PATIENCE = 120  # seconds; only what hangs reaches it
NOBODY = 65534

MANIFEST = """apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {{name: {name}}}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 1
    scaling: CPU
    cpu: {{min: 100m, max: "1"}}
    template:
      spec:
        containers:
        - name: main
          image: trainer
          command: ["/bin/sh", "-c", {script}]
          resources: {{requests: {{cpu: 100m}}}}
  loss:
    from: {{output: {{}}}}
"""

# Prints a loss ten times a second until there is a file `stop` beside it, and ends with what that holds.
TRAINING = ("i=0; while [ ! -e stop-NAME ]; do i=$((i + 1)); echo \"iteration $i, loss = 0.$((99999 - i))\"; sleep 0.1; done; "
            "exit $(cat stop-NAME)")


class Serve(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        self.jobs = self.folder / "jobs"
        self.jobs.mkdir(mode=0o755)
        self.socket = self.folder / "slaq.sock"
        self.server = None
        self.addCleanup(self.end_all)

    def start(self, *more):
        capacity = [] if {"--gpus", "--cores"} & set(more) else ["--cores", "2"]
        log = open(self.folder / "server.log", "ab")
        self.server = subprocess.Popen([SLAQ, "serve", "--directory", self.jobs, "--socket", self.socket, "--epoch", "0.5",
                                        *capacity, *more], stdout=log, stderr=log, cwd=self.folder)
        log.close()
        self.until(lambda: self.server.poll() is not None or self.slaq("top", "-o", "json", check=False).returncode == 0)
        self.assertIsNone(self.server.poll(), self.log())

    def end_all(self):
        """Ends what the programs are, by the rule that people have: no manifest, no process."""
        if self.server is None:
            return
        if self.server.poll() is not None:
            self.start()
        for manifest in self.jobs.glob("*.yaml"):
            manifest.unlink()
        self.until(lambda: not list((self.jobs / ".slaq/logs").glob("*.process")))
        self.server.terminate()
        self.assertEqual(self.server.wait(PATIENCE), 0)

    def kill_server(self):
        self.server.kill()
        self.server.wait()

    def until(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                self.fail(self.log() + self.outputs())
            time.sleep(0.05)

    def log(self):
        return (self.folder / "server.log").read_text()

    def outputs(self):
        logs = sorted((self.jobs / ".slaq/logs").glob("*.log"))
        return "".join(f"\n{log.name}:\n{log.read_text(errors='replace')[-1000:]}" for log in logs[:10])

    def slaq(self, command, *words, check=True, **more):
        environment = os.environ | {"SLAQ_SERVER": str(self.socket)}
        done = subprocess.run([SLAQ, command, *words], capture_output=True, text=True, check=False, env=environment,
                              cwd=self.folder, **more)
        if check:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr + self.log())
        return done

    def write(self, name, script=None):
        script = json.dumps((script or TRAINING.replace("NAME", name)).replace("$(", "$$("))
        text = MANIFEST.format(name=name, script=script)
        (self.jobs / f"{name}.yaml").write_text(text)

    def object(self, name):
        try:
            return json.loads((self.jobs / f"{name}.status.json").read_text())
        except FileNotFoundError:
            return {}

    def status(self, name):
        return self.object(name).get("status", {})

    def is_in(self, name, state):
        return self.status(name).get("state") == state

    def rows(self):
        return json.loads(self.slaq("top", "-o", "json").stdout)["jobs"]

    def output(self, name):
        file = self.jobs / f".slaq/logs/default.{name}.worker-0.log"
        return file.read_text() if file.exists() else ""

    def losses(self, name):
        file = self.jobs / f".slaq/losses/default.{name}.csv"
        return file.read_text().splitlines()[2:] if file.exists() else []

    def pids(self):
        # The record of a process has its number as the second of four words of 32 bits. The server removes it.
        pids = {}
        for record in (self.jobs / ".slaq/logs").glob("*.process"):
            with contextlib.suppress(FileNotFoundError):
                pids[record.name] = int.from_bytes(record.read_bytes()[4:8], "little")
        return pids

    def iteration(self, name):
        losses = self.losses(name)
        return float(losses[-1].split(",")[1]) if losses else 0

    def test_a_manifest_that_is_written_is_run_and_one_that_is_removed_is_stopped(self):
        self.start()
        self.write("a")
        self.write("b", script="echo done")
        self.until(lambda: self.is_in("b", "Complete"))
        self.until(lambda: self.iteration("a") > 5)
        pid = self.pids()["default.a.worker-0.process"]
        (self.jobs / "a.yaml").unlink()
        self.until(lambda: not pathlib.Path(f"/proc/{pid}").exists())
        self.until(lambda: not (self.jobs / "a.status.json").exists())
        self.assertIn("done\n", self.output("b"))
        (self.jobs / "b.yaml").unlink()
        self.until(lambda: not self.object("b"))
        self.write("b", script="echo another")
        self.until(lambda: self.is_in("b", "Complete"))
        self.assertNotIn("done", self.output("b"))
        self.assertIn("another\n", self.output("b"))

    def test_programs_outlive_a_server_that_is_killed_and_the_next_takes_them_up(self):
        self.start()
        self.write("a")
        self.write("fails-meanwhile")
        self.write("ends-meanwhile")
        names = ["a", "fails-meanwhile", "ends-meanwhile"]
        self.until(lambda: all(self.iteration(name) > 5 for name in names))
        self.until(lambda: len(self.losses("a")) > 3)
        pids, uid, losses = self.pids(), self.object("a")["metadata"]["uid"], self.losses("a")[:3]
        before = self.iteration("a")
        self.kill_server()
        (self.folder / "stop-fails-meanwhile").write_text("3")
        (self.folder / "stop-ends-meanwhile").write_text("0")
        lines = self.output("a").count("\n")
        self.until(lambda: self.output("a").count("\n") > lines + 5)
        self.until(lambda: not any(pathlib.Path(f"/proc/{pids[f'default.{name}.worker-0.process']}").exists()
                                   for name in names[1:]))
        self.start()
        self.until(lambda: self.is_in("ends-meanwhile", "Complete"))
        self.until(lambda: self.is_in("fails-meanwhile", "Failed"))  # when its restarts failed too
        self.assertIn("ended with exit code 3", self.slaq("explain", "fails-meanwhile").stdout)
        self.until(lambda: self.iteration("a") > before + 5)
        self.assertEqual(self.object("a")["metadata"]["uid"], uid)
        self.assertEqual(self.pids()["default.a.worker-0.process"], pids["default.a.worker-0.process"])
        numbers = [line.split(",")[0] for line in self.output("a").splitlines()]
        self.assertEqual(len(numbers), len(set(numbers)), "it was started again")
        self.assertEqual(self.losses("a")[:3], losses, "what the first server read is lost")
        (self.folder / "stop-a").write_text("0")
        self.until(lambda: self.is_in("a", "Complete"))

    def test_a_driver_and_its_workers_are_taken_up_together(self):
        self.start()
        worker = "while :; do sleep 0.05; done"
        self.write("a", script=worker)
        text = (self.jobs / "a.yaml").read_text()
        (self.jobs / "a.yaml").write_text(text.replace("spec:\n", "spec:\n  driver:\n    template:\n      spec:\n        containers:\n"
                                                       "        - {name: main, image: trainer, resources: {requests: {cpu: 100m}}, command: "
                                                       f"[sh, -c, {json.dumps(TRAINING.replace('NAME', 'a').replace('$(', '$$('))}]}}\n", 1))
        self.until(lambda: self.iteration("a") > 3)
        pids = self.pids()
        self.assertEqual(len(pids), 2)
        self.kill_server()
        before = self.iteration("a")
        self.start()
        self.until(lambda: self.iteration("a") > before + 3)
        self.assertEqual(self.pids(), pids)
        (self.folder / "stop-a").write_text("0")
        self.until(lambda: self.is_in("a", "Complete"))
        self.until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids.values()))

    def test_a_restart_ends_no_job_whose_manifest_cannot_be_read_at_that_moment(self):
        self.start()
        self.write("wrong")
        self.write("new")
        self.write("link")
        self.until(lambda: all(self.iteration(name) > 3 for name in ["wrong", "new", "link"]))
        pids = self.pids()
        self.kill_server()
        text = (self.jobs / "wrong.yaml").read_text()
        (self.jobs / "wrong.yaml").write_text(text[:100])
        (self.jobs / "loop.yaml").symlink_to("loop.yaml")
        self.write("new")  # and is not settled when the server begins
        before = self.iteration("wrong")
        self.start()
        self.until(lambda: "wrong.yaml:" in self.log())
        self.until(lambda: self.iteration("wrong") > before + 3)
        self.assertEqual(self.pids(), pids)
        (self.jobs / "wrong.yaml").write_text(text)

    def test_a_directory_that_is_away_for_a_moment_stops_nothing(self):
        self.start()
        self.write("a")
        self.until(lambda: self.iteration("a") > 3)
        pids = self.pids()
        self.jobs.rename(self.folder / "elsewhere")
        self.until(lambda: "its jobs go on as they are until it is back" in self.log())
        (self.folder / "elsewhere").rename(self.jobs)
        before = self.iteration("a")
        self.until(lambda: self.iteration("a") > before + 3)
        self.assertEqual(self.pids(), pids)

    def test_a_job_that_is_removed_while_there_is_no_server_ends_in_order(self):
        self.start()
        self.write("a", script="trap 'echo told; exit 143' TERM; echo ready; while :; do sleep 0.05; done")
        self.until(lambda: "ready" in self.output("a"))
        self.kill_server()
        log = open(self.jobs / ".slaq/logs/default.a.worker-0.log")
        self.addCleanup(log.close)
        (self.jobs / "a.yaml").unlink()
        self.start()
        self.until(lambda: not self.pids())
        self.assertIn("told", log.read())
        self.assertEqual(list(self.jobs.glob("*.status.json")), [])

    def test_a_job_does_not_become_another_kind_of_job(self):
        self.start()
        self.write("a")
        self.until(lambda: self.iteration("a") > 3)
        text = (self.jobs / "a.yaml").read_text()
        (self.jobs / "a.yaml").write_text(text.replace("  loss:\n    from: {output: {}}\n", "").replace(
            "spec:\n", "spec:\n  driver:\n    template:\n      spec:\n        containers:\n"
            "        - {name: main, image: trainer, command: [\"true\"], resources: {requests: {cpu: 100m}}}\n", 1))
        self.until(lambda: "spec.driver of default/a can't be added, removed or changed" in self.log())
        before = self.iteration("a")
        self.until(lambda: self.iteration("a") > before + 3)

    def test_a_server_that_is_killed_again_and_again_starts_nothing_twice(self):
        self.start()
        names = [f"job-{i}" for i in range(6)]
        for name in names:
            self.write(name)
        for _ in range(6):
            time.sleep(0.4)  # whatever it is doing
            self.kill_server()
            self.start()
        self.until(lambda: all(self.iteration(name) > 3 for name in names))
        for name in names:
            self.assertEqual(self.output(name).count("iteration 1,"), 1, name)
            (self.folder / f"stop-{name}").write_text("0")
        self.until(lambda: all(self.is_in(name, "Complete") for name in names))

    def test_a_manifest_that_is_half_written_or_wrong_harms_no_other(self):
        self.start()
        self.write("a")
        self.until(lambda: self.iteration("a") > 3)
        pids = self.pids()
        text = (self.jobs / "a.yaml").read_text()
        (self.jobs / "a.yaml").write_text(text[:-40])
        (self.jobs / "wrong.yaml").write_text(text.replace("name: a", "name: wrong").replace("max: \"1\"", "max: many"))
        self.until(lambda: "wrong.yaml:9: spec.workers.cpu.max:" in self.log())
        self.until(lambda: "a.yaml:" in self.log())
        (self.jobs / "a.yaml").write_text(text)
        before = self.iteration("a")
        self.until(lambda: self.iteration("a") > before + 3)
        self.assertEqual(self.pids(), pids)

    def test_commands_reach_it_as_a_cluster(self):
        self.start()
        done = self.slaq("submit", "--name", "train", "--", "sh", "-c", TRAINING.replace("NAME", "train"))
        self.assertIn("default/train", done.stdout)
        self.assertIn("train", self.slaq("explain", "train").stdout)  # at once
        self.until(lambda: self.iteration("train") > 5)
        self.assertIn("train", self.slaq("top", "--once").stdout)
        self.assertIn("train", self.slaq("explain", "train").stdout)
        self.assertIn("loss = 0.9999", self.slaq("logs", "train").stdout)
        self.assertEqual([each["name"] for each in self.rows()], ["train"])
        again = self.slaq("submit", "--name", "train", "--", "true", check=False)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("already", again.stderr)
        self.slaq("stop", "train")
        self.until(lambda: self.slaq("explain", "train", check=False).returncode == 1)
        self.until(lambda: not (self.jobs / "train.yaml").exists() and not self.pids())

    def test_a_thousand_submissions(self):
        self.start()
        for first in range(0, 1000, 100):
            file = self.folder / "hundred.yaml"
            file.write_text("---\n".join(MANIFEST.format(name=f"job-{i}", script='"true"') for i in range(first, first + 100)))
            self.slaq("submit", file)
        self.until(lambda: len(self.rows()) == 1000)
        self.until(lambda: sum(self.is_in(f"job-{i}", "Complete") for i in range(1000)) > 20)
        self.kill_server()
        self.start()
        self.assertEqual(len(self.rows()), 1000)

    @unittest.skipUnless(os.geteuid() == 0, "only root runs programs of others")
    def test_a_job_runs_as_who_submits_it_and_nobody_else_can_stop_it(self):
        self.start()
        self.slaq("submit", "--name", "roots", "--", "sh", "-c", "id -u; sleep 600")
        self.slaq("submit", "--name", "nobodys", "--", "sh", "-c", "id -u; sleep 600", user=NOBODY, group=NOBODY, extra_groups=[])
        self.until(lambda: self.output("roots") == "0\n" and self.output("nobodys") == f"{NOBODY}\n")
        self.assertEqual((self.jobs / ".slaq/logs/default.nobodys.worker-0.log").stat().st_mode & 0o777, 0o600)
        self.write("given", script="id -g; id -G; sleep 600")
        os.chown(self.jobs / "given.yaml", NOBODY, 0)  # with the group of root
        self.until(lambda: self.output("given") == f"{NOBODY}\n{NOBODY}\n")
        refused = self.slaq("stop", "roots", check=False, user=NOBODY, group=NOBODY, extra_groups=[])
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("default/roots belongs to root", refused.stderr)
        self.assertTrue((self.jobs / "roots.yaml").exists())
        self.slaq("stop", "nobodys", user=NOBODY, group=NOBODY, extra_groups=[])
        self.until(lambda: not (self.jobs / "nobodys.yaml").exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_a_full_disk_loses_no_job(self):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "slaq-test", self.jobs], check=False).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.jobs], check=True)
        self.addCleanup(self.end_all)
        self.start()
        self.write("a")
        self.until(lambda: self.iteration("a") > 3)
        with open(self.jobs / "ballast", "wb", buffering=0) as ballast, self.assertRaises(OSError):
            while True:
                ballast.write(bytes(4096))
        before = self.pids()
        refused = self.slaq("submit", "--name", "late", "--", "true", check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("No space left on device", refused.stderr)
        self.until(lambda: "No space left on device" in self.log())
        self.assertEqual(self.pids(), before)
        (self.folder / "stop-a").write_text("0")
        self.until(lambda: not pathlib.Path(f"/proc/{before['default.a.worker-0.process']}").exists())
        (self.jobs / "ballast").unlink()
        self.until(lambda: self.is_in("a", "Complete"))
        self.slaq("submit", "--name", "late", "--", "true")
        self.until(lambda: self.is_in("late", "Complete"))

    def test_gpus_belong_to_one_job_each_and_stay_its_own_over_a_restart(self):
        self.start("--gpus", "0,1")
        for name in ["a", "b", "c"]:
            self.slaq("submit", "--gpu", "--name", name, "--", "sh", "-c",
                      f'echo "has $CUDA_VISIBLE_DEVICES"; while [ ! -e stop-{name} ]; do sleep 0.05; done')
        has = lambda name: self.output(name).splitlines()[:1]
        self.until(lambda: sum(bool(has(name)) for name in "abc") == 2)
        running = [name for name in "abc" if has(name)]
        waiting, = set("abc") - set(running)
        self.assertEqual(sorted(has(name)[0] for name in running), ["has 0", "has 1"])
        self.kill_server()
        self.start("--gpus", "0,1")
        (self.folder / f"stop-{running[0]}").write_text("")
        self.until(lambda: has(waiting))
        self.assertEqual(has(waiting), has(running[0]))
        self.assertEqual(len(self.output(running[1]).splitlines()), 1, self.output(running[1]) + self.log())
        refused = self.slaq("submit", "--name", "cpu", "--", "true", check=False)
        self.assertIn("nvidia.com/gpu", refused.stderr)

    def play_gpu(self, total):
        """nvidia-smi is played, since few machines have a GPU: a process has what it wrote to a file of its number."""
        (self.folder / "bin").mkdir()
        (self.folder / "gpu").mkdir(mode=0o777)
        (self.folder / "bin/nvidia-smi").write_text(
            "#!/bin/sh\ncd " + str(self.folder / "gpu") + r"""
for each in *; do [ -e /proc/$each ] || rm -f "$each"; done
case "$*" in
  *memory.total*) echo "%d, $(cat * /dev/null | awk '{s += $1} END {print s + 300}')";;
  *query-compute-apps*) [ -e ../silent ] || for each in *; do [ -e "$each" ] && echo "$each, $(cat $each)"; done;;
esac
""" % total)
        (self.folder / "bin/nvidia-smi").chmod(0o755)
        (self.folder / "gpu").chmod(0o777)
        path = mock.patch.dict(os.environ, {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)

    def test_a_shared_gpu_gets_as_many_trainings_as_its_memory_holds(self):
        self.play_gpu(10_000)
        share = ["--share-gpu", "--gpus", "0", "--cores", "1"]
        self.start(*share)
        self.assertIn("GPU 0 by 1 core", self.log())
        takes = lambda memory, name: ["--name", name, "--", "sh", "-c",
                                      f"echo {memory} > gpu/$$; echo has $CUDA_VISIBLE_DEVICES; " + TRAINING.replace("NAME", name)]
        self.slaq("submit", *takes(4000, "first"))
        self.slaq("submit", *takes(4000, "second"))
        self.until(lambda: self.iteration("first") > 1 and self.iteration("second") > 1)
        self.assertEqual(self.output("second").splitlines()[0], "has 0")
        self.slaq("submit", *takes(3000, "third"))
        self.slaq("submit", "--gpu-memory", "11G", *takes(11_000, "large"))
        waits = "waits for 3.91 GiB of the GPU's memory; 1.66 GiB are left"
        self.until(lambda: waits in self.slaq("explain", "third").stdout)
        self.until(lambda: "needs 10.2 GiB of the GPU's memory, which is 9.77 GiB" in self.slaq("explain", "large").stdout)
        self.kill_server()
        (self.folder / "silent").touch()  # the next server cannot measure them again
        self.start(*share)
        self.until(lambda: waits in self.slaq("explain", "third").stdout)
        self.assertEqual(self.output("third"), "")
        (self.folder / "stop-first").write_text("0")
        self.until(lambda: self.iteration("third") > 1)

    def test_a_program_that_a_killed_server_was_starting_is_waited_for(self):
        """It has the server's lock until it is executed."""
        (self.jobs / ".slaq").mkdir(mode=0o755)
        with subprocess.Popen(["flock", self.jobs / ".slaq/launches", "sh", "-c", f"echo; sleep 1; touch {self.folder}/executed"],
                              stdout=subprocess.PIPE) as starting:
            starting.stdout.readline()
            self.start()
            self.assertTrue((self.folder / "executed").exists())

    def test_one_directory_has_one_server(self):
        self.start()
        second = subprocess.run([SLAQ, "serve", "--directory", self.jobs, "--socket", self.folder / "other.sock"],
                                capture_output=True, text=True, check=False)
        self.assertEqual(second.returncode, 2)
        self.assertIn(f"another slaq serve has the directory {self.jobs}", second.stderr)


if __name__ == "__main__":
    unittest.main()
