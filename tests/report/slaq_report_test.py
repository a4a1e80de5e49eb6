"""slaq-report as a process: what a program must not notice of it, and what it serves."""
import os
import pty
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from ports import free_port  # noqa: E402  # pylint: disable=wrong-import-position

REPORT = os.environ["SLAQ_REPORT"]
PATIENCE = 60  # seconds, on a busy machine


def run(*command, options=(), **keywords):
    return subprocess.run([REPORT, *options, "--", *command], capture_output=True, timeout=PATIENCE, check=False,
                          **keywords)


def shell(script, **keywords):
    return run("sh", "-c", script, **keywords)


def page(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        return answer.read().decode()


def served(port):
    """(iteration, loss), or nothing yet."""
    try:
        found = dict(re.findall(r"^slaq_training_(loss|iterations_total) (\S+)$", page(port), re.MULTILINE))
    except OSError:
        return None
    return (float(found["iterations_total"]), float(found["loss"])) if found else None


def is_over(process):
    """It has ended, whether or not somebody has waited for it."""
    try:
        return ") Z " in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return True


def eventually(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Unnoticed(unittest.TestCase):
    def test_every_byte_goes_on(self):
        every = bytes(range(256)) * 1000
        with tempfile.NamedTemporaryFile() as file:
            file.write(every)
            file.flush()
            done = shell(f"cat {file.name}; cat {file.name} >&2")
        self.assertEqual(done.stdout, every)
        self.assertEqual(done.stderr, every)

    def test_a_full_disk_ends_no_program(self):
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "wb") as full:
            done = subprocess.run([REPORT, "--", "sh", "-c", f"for i in 1 2 3; do seq 20000; done; touch {folder}/done"],
                                  stdout=full, stderr=full, timeout=PATIENCE, check=False)
            self.assertEqual((done.returncode, os.listdir(folder)), (0, ["done"]))

    def test_standard_input_is_the_programs(self):
        self.assertEqual(run("cat", input=b"words\n").stdout, b"words\n")

    def test_the_exit_code_is_the_programs(self):
        self.assertEqual(shell("exit 7").returncode, 7)
        self.assertEqual(shell("exit 0").returncode, 0)
        self.assertEqual(shell("kill -SEGV $$").returncode, -signal.SIGSEGV)

    def test_a_program_that_cannot_be_run(self):
        missing = run("there-is-no-such-program")
        self.assertEqual((missing.returncode, missing.stderr),
                         (127, b"slaq-report: there-is-no-such-program can't be run: No such file or directory\n"))
        self.assertEqual(run("/etc").returncode, 126)

    def test_signals_are_passed_on(self):
        for name in ("TERM", "INT", "USR1", "HUP"):
            with subprocess.Popen([REPORT, "--", "sh", "-c", f"trap 'exit 3' {name}; echo ready; "
                                   "while :; do sleep 0.05; done"], stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), b"ready\n")
                process.send_signal(getattr(signal, f"SIG{name}"))
                self.assertEqual(process.wait(PATIENCE), 3, name)

    def test_the_programs_of_a_shell_get_the_signal_too(self):
        with tempfile.TemporaryDirectory() as directory:
            saved = Path(directory) / "saved"
            line = (f"(trap 'sleep 0.3; touch {saved}; exit' TERM; echo ready; "
                    "while :; do sleep 0.05; done) | cat")
            with subprocess.Popen([REPORT, "--", "sh", "-c", line], stdout=subprocess.PIPE,
                                  start_new_session=True) as process:
                self.assertEqual(process.stdout.readline(), b"ready\n")
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(PATIENCE), -signal.SIGTERM)
            self.assertTrue(saved.exists())

    def test_the_program_ends_with_it(self):
        with subprocess.Popen([REPORT, "--", "sh", "-c", "echo $$; exec sleep 1000"],
                              stdout=subprocess.PIPE) as process:
            child = int(process.stdout.readline())
            process.kill()
        self.assertTrue(eventually(lambda: is_over(child)))

    def test_a_reader_that_is_gone_ends_the_program_as_without_it(self):
        with subprocess.Popen([REPORT, "--", "yes"], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(PATIENCE), -signal.SIGPIPE)

    def test_a_terminal_stays_one(self):
        script = "test -t 1 && test -t 2 && printf 'a\\nb\\033[1m\\r\\n' && stty size <&1"
        ours, its = pty.openpty()
        with subprocess.Popen([REPORT, "--", "sh", "-c", script], stdout=its, stderr=its, stdin=its) as process:
            process.wait(PATIENCE)
            self.assertEqual(process.returncode, 0)
            text = b""
            while select.select([ours], [], [], 1)[0]:
                text += os.read(ours, 4096)
        os.close(its)
        os.close(ours)
        self.assertEqual(text, b"a\r\nb\x1b[1m\r\r\n0 0\r\n", "the terminal itself adds carriage returns")

    def test_output_without_an_end_takes_no_memory(self):
        run("head", "-c", "300000000", "/dev/zero")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 400_000,
                        "what subprocess reads is kept by this test, not by its child")
        with subprocess.Popen([REPORT, "--", "sh", "-c", "head -c 300000000 /dev/zero; echo; sleep 1000"],
                              stdout=subprocess.DEVNULL) as process:
            time.sleep(0.5)
            peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))
            process.terminate()
        self.assertLess(int(peak[1]), 20_000)


class Served(unittest.TestCase):
    SCRIPT = "echo 'Iteration 1, loss = 0.5'; echo 'Iteration 2, loss = 0.25'; sleep 1000"

    def assert_serves(self, expected, script, *options, why=None):
        """What it writes to standard error. It serves each iteration as it comes, and in the end the expected one."""
        port = free_port()
        with subprocess.Popen([REPORT, *options, "--", "sh", "-c", script], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, env={**os.environ, "SLAQ_METRICS_PORT": str(port)}) as process:
            eventually(lambda: served(port) == expected)
            found = served(port)
            process.terminate()
            self.assertEqual(found, expected, why)
            return process.stderr.read().decode()

    def test_the_loss_of_the_output(self):
        errors = self.assert_serves((2, 0.25), self.SCRIPT)
        self.assertIn("slaq-report: 'loss' is reported as the loss", errors)

    def test_the_loss_of_the_standard_error(self):
        self.assert_serves((2, 0.25), f"({self.SCRIPT}) >&2", "--quiet")

    def test_the_loss_of_a_file(self):
        with tempfile.TemporaryDirectory() as directory:
            file = f"{directory}/metrics.csv"
            self.assert_serves((2, 0.55), f"printf 'epoch,loss,val_loss\\n1,0.5,0.6\\n2,0.4,0.55\\n' > {file}; sleep 1000",
                               "--from", f"file:{file}")

    def test_the_loss_that_an_expression_finds(self):
        script = "for i in 0 1 2; do echo step=$i lr=0.1 nll=0.$((5 - i)), loss=9; done; sleep 1000"
        self.assert_serves((3, 0.3), script, "--from", "output", "--pattern", r"step=(?<iteration>\d+) .* nll=(?P<loss>\S+)",
                           why="a program that counts from 0 has done one iteration more than it says")
        self.assert_serves((2, -0.75), "echo acc 0.5; echo acc 0.75; sleep 1000", "--pattern", r"^acc (?<loss>.+)$", "--maximize")

    def test_an_expression_that_takes_long_does_not_hold_up_the_program(self):
        script = "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacb | head -n 200000"
        begin = time.monotonic()
        done = run("sh", "-c", script, options=("--port", str(free_port()), "--pattern", "(a*)*(?<loss>b)"))
        self.assertLess(time.monotonic() - begin, PATIENCE)
        self.assertEqual(done.stdout.count(b"\n"), 200000)

    def test_the_first_loss_after_a_while(self):
        self.assert_serves((1, 0.5), "echo 'epoch 1 loss 0.5'; sleep 1000")

    def test_lines_come_at_once_from_python(self):
        script = "import time\nfor i in range(2): print('step', i + 1, 'loss', 0.5)\ntime.sleep(1000)"
        self.assert_serves((2, 0.5), f'exec {sys.executable} -c "{script}"')

    def test_a_port_that_is_taken_does_not_end_the_program(self):
        with socket.socket() as taken:
            taken.bind(("", 0))
            taken.listen()
            done = run("echo", "loss 1", options=("--port", str(taken.getsockname()[1])))
        self.assertEqual((done.returncode, done.stdout), (0, b"loss 1\n"))
        self.assertIn(b"the loss is not served yet: port", done.stderr)

    def test_a_port_that_becomes_free_is_used(self):
        port = free_port()
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("", port))
            taken.listen()
            # pylint: disable-next=consider-using-with
            program = subprocess.Popen([REPORT, "--port", str(port), "--quiet", "--", "sh", "-c", self.SCRIPT],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.addCleanup(program.communicate)
            self.addCleanup(program.terminate)
            self.assertIn(b"the loss is not served yet: port", program.stderr.readline())
        self.assertTrue(eventually(lambda: served(port) == (2, 0.25)))


class CommandLine(unittest.TestCase):
    def test_help(self):
        done = subprocess.run([REPORT, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("slaq-report -- python train.py", done.stdout)

    def test_what_is_wrong_is_said(self):
        for options, words in ((["--from", "x"], "--from: must be output or kubeflow, or file:"),
                               (["--port", "0", "x"], "--port"),
                               (["--pattern", "nll=(?<loss>.+", "x"], "missing closing parenthesis, at its end"),
                               (["--pattern", "nll=(.+)", "x"], "--pattern: must have one group named loss"),
                               (["--pattern", "(?<loss>.)", "--metric", "nll", "x"], "--metric: can't be given together"),
                               (["--pattern", "(?<loss>.)", "--from", "file:a", "x"], "--pattern: can't be given together"),
                               (["--nothing"], "--help"), ([], "there is no command to run")):
            done = subprocess.run([REPORT, *options], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_options_of_the_command_are_its_own(self):
        done = subprocess.run([REPORT, "printf", "%s", "--quiet"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "--quiet")

    def test_it_says_why_no_line_fits(self):
        for words, sentence in (("nll=low", "held 'low', which is no number"), ("loss=1", "no line of the output fits")):
            done = run("echo", words, options=("--port", str(free_port()), "--pattern", "nll=(?<loss>.+)"))
            self.assertIn(sentence, done.stderr.decode())

    def test_it_copies_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                subprocess.run([REPORT, "--install", folder], check=True)
            copy = Path(folder, "slaq-report")
            self.assertEqual(copy.read_bytes(), Path(REPORT).read_bytes())
            self.assertEqual(subprocess.run([copy, "--", "sh", "-c", "exit 3"], check=False).returncode, 3)
        missing = subprocess.run([REPORT, "--install", "/none/such"], capture_output=True, text=True, check=False)
        self.assertEqual((missing.returncode, missing.stderr),
                         (1, "slaq-report: it can't be copied to /none/such: No such file or directory\n"))

    def test_it_needs_no_library(self):
        self.assertIn("not a dynamic executable",
                      subprocess.run(["ldd", REPORT], capture_output=True, text=True, check=False).stderr)
        self.assertLess(os.path.getsize(REPORT), 2_000_000)


if __name__ == "__main__":
    unittest.main()
