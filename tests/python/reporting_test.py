"""The package's `report`: what is exported and by whom, and that nothing about it ever ends or delays a training."""
import re
import shutil
import socket
import subprocess
import sys
import unittest
import urllib.request

from programs import free_port, run, start
from slaq import reporting


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::1", 0))
        return True
    except OSError:
        return False


def values(text):
    return re.findall(r"^(slaq_training\w+ \S+)$", text, re.MULTILINE)


class Exporting(unittest.TestCase):
    def exported(self, program):
        """What is read at the end of the program."""
        port = str(free_port())
        ran = run(f"from slaq import report\n{program}\nprint(read({port}))", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return values(ran.stdout)

    def test_gives_loss_and_iteration(self):
        self.assertEqual(self.exported("report(0.25, 7)"), ["slaq_training_iterations_total 7", "slaq_training_loss 0.25"])

    def test_counts_iterations_that_are_not_given(self):
        for program, iteration in (("report(9); report(8); report(7)", 3), ("report(9, 0); report(8)", 1),
                                   ("report(9, 40); report(8)", 41), ("report(9); report(8, 40); report(7)", 41)):
            with self.subTest(program):
                self.assertIn(f"slaq_training_iterations_total {iteration}", self.exported(program))

    def test_gives_the_loss_before_the_first_iteration(self):
        self.assertIn("slaq_training_initial_loss 2.5", self.exported("report(2.5, 0); report(1.5)"))
        self.assertNotIn("initial", str(self.exported("report(1.5, 1)")))

    def test_passes_on_what_is_no_finite_number(self):
        for value, text in (("nan", "NaN"), ("inf", "+Inf"), ("-inf", "-Inf")):
            self.assertIn(f"slaq_training_loss {text}", self.exported(f"report(float('{value}'))"))

    def test_takes_what_float_takes(self):
        for loss in ("fractions.Fraction(1, 4)", "'0.25'", "type('Loss', (), {'__float__': lambda self: 0.25})()"):
            self.assertIn("slaq_training_loss 0.25", self.exported(f"import fractions\nreport({loss})"), loss)

    @unittest.skipUnless(has_ipv6(), "there is no IPv6")
    def test_is_read_over_both_families(self):
        port = free_port()
        ran = run(f"""
from slaq import report
report(0.5)
for host in ("127.0.0.1", "[::1]"):
    print(urllib.request.urlopen(f"http://{{host}}:{port}/metrics").read().decode().count("slaq_training_loss 0.5"))
""", SLAQ_METRICS_PORT=str(port))
        self.assertEqual((ran.returncode, ran.stdout), (0, "1\n1\n"), ran.stderr)

    def test_is_in_the_format_of_prometheus(self):
        text = reporting.metrics_text((7, 0.25), 2.5)
        if not shutil.which("promtool"):
            print("left out, since promtool is not installed: the format as Prometheus checks it", file=sys.stderr)
            return
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), text)

    def test_never_mixes_two_iterations(self):
        port = str(free_port())
        ran = run(f"""
import sys, threading
from slaq import report
sys.setswitchinterval(1e-5)  # more turns between the threads in less time
report(0.5, 1)
pairs = set()
def scrape():
    for _ in range(300):
        text = read({port}).splitlines()
        pairs.add(tuple(float(line.split()[1]) for line in text if line[0] != "#"))
reader = threading.Thread(target=scrape)
reader.start()
iteration = 1
while reader.is_alive():
    iteration += 1
    report(iteration / 2, iteration)
print(len(pairs) > 1, all(loss == iteration / 2 for iteration, loss in pairs))
""", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stdout), (0, "True True\n"), ran.stderr)

    def test_serves_others_while_a_reader_stalls(self):
        port = free_port()
        ran = run(f"""
import socket
from slaq import report
report(0.5)
stalled = [socket.create_connection(("localhost", {port})) for _ in range(3)]
print(read({port}).count("slaq_training_loss 0.5"))
""", SLAQ_METRICS_PORT=str(port))
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "1\n", ""))


class Trainings(unittest.TestCase):
    def test_outside_slaq_open_no_port_start_no_thread_and_load_nothing(self):
        ran = run("""
import os, sys, threading
before = set(sys.modules)
from slaq import report
report("no loss at all")
print(sorted(set(sys.modules) - before - {"atexit"}), threading.active_count())
files = [f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")]
print([file for file in files if os.path.islink(file) and os.readlink(file).startswith("socket:")])
""")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(ran.stdout, "['slaq', 'slaq.reporting'] 1\n[]\n")

    def test_run_on_where_the_port_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            ran = run("from slaq import report\nreport(0.5)\nreport(0.4)\nprint('trained')", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stdout), (0, "trained\n"), ran.stderr)
        self.assertIn(f"port {port} cannot be listened on: Address already in use.", ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_run_on_where_the_port_is_none(self):
        for port in ("metrics", "70000"):
            ran = run("from slaq import report\nreport(0.5)\nprint('trained')", SLAQ_METRICS_PORT=port)
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (0, "trained\n", 1), ran.stderr)

    def test_run_on_where_a_loss_is_no_number(self):
        port = free_port()
        ran = run(f"""
from slaq import report
report(0.5)
report(None)
report([1, 2])
print(read({port}))
""", SLAQ_METRICS_PORT=str(port))
        self.assertEqual((ran.returncode, values(ran.stdout)[-1]), (0, "slaq_training_loss 0.5"), ran.stderr)
        self.assertIn("the loss of report(None, None) is not exported: ", ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_end_once_their_last_loss_was_read(self):
        port = free_port()
        with start(f"""
from slaq import report, reporting
reporting.LINGER_SECONDS = 3600
report(0.5)
read({port})  # of an earlier loss
report(0.25)
print("trained", flush=True)
""", SLAQ_METRICS_PORT=str(port)) as process:
            self.assertEqual(process.stdout.readline(), "trained\n")
            with urllib.request.urlopen(f"http://localhost:{port}/metrics") as answer:
                self.assertIn("slaq_training_loss 0.25", answer.read().decode())
            self.assertEqual(process.wait(timeout=300), 0)
            self.assertEqual(process.stderr.read(), "")

    def test_end_although_a_reader_of_an_earlier_loss_is_slow(self):
        progress = reporting.Progress()
        progress.set(1, 0.5)

        def write_slowly(_):
            progress.set(2, 0.25)
            progress.send(lambda text: self.assertIn("0.25", text))

        progress.send(write_slowly)
        self.assertTrue(progress.is_read())
        progress.set(3, 0.125)
        self.assertFalse(progress.is_read())

    def test_end_without_a_reader_and_where_another_process_goes_on(self):
        self.assertEqual(reporting.LINGER_SECONDS, 2)
        for program in ("reporting.LINGER_SECONDS = 0.1", "reporting.LINGER_SECONDS = 3600; reporting.leave_at_once()"):
            ran = run(f"from slaq import report, reporting\nreport(0.5)\n{program}", SLAQ_METRICS_PORT=str(free_port()))
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), program)

    def test_that_failed_keep_their_exit_code(self):
        ran = run("import sys\nfrom slaq import report, reporting\nreporting.LINGER_SECONDS = 0.1\nreport(0.5)\nsys.exit(3)",
                  SLAQ_METRICS_PORT=str(free_port()))
        self.assertEqual(ran.returncode, 3, ran.stderr)


class Processes(unittest.TestCase):
    def test_export_only_as_the_first_of_the_chief(self):
        port = {"SLAQ_METRICS_PORT": "9464"}
        for environment, exports in (({}, True), ({"SLAQ_WORKER_INDEX": "0"}, True), ({"SLAQ_WORKER_INDEX": "1"}, False),
                                     ({"RANK": "0", "LOCAL_RANK": "0"}, True), ({"RANK": "1", "LOCAL_RANK": "1"}, False),
                                     ({"RANK": "4", "LOCAL_RANK": "0"}, False), ({"LOCAL_RANK": "1"}, False),
                                     ({"SLAQ_WORKER_INDEX": "0", "RANK": "3", "LOCAL_RANK": "0"}, True),
                                     ({"SLAQ_WORKER_INDEX": "0", "RANK": "1", "LOCAL_RANK": "1"}, False),
                                     ({"SLAQ_WORKER_INDEX": "2", "RANK": "0", "LOCAL_RANK": "0"}, False),
                                     ({"SLAQ_WORKER_INDEX": "0", "RANK": "1"}, False)):
            with self.subTest(environment):
                self.assertEqual(reporting.port_for(port | environment), "9464" if exports else None)
                self.assertIsNone(reporting.port_for(environment))
        self.assertIsNone(reporting.port_for({"SLAQ_METRICS_PORT": ""}))

    def test_forked_from_one_that_exports_neither_export_nor_hold_its_port(self):
        port = free_port()
        with start(f"""
import os, sys
from slaq import report
report(0.5, 1)
told, tell = os.pipe()
if os.fork() == 0:
    report(0.25, 2)
    os.write(tell, b".")
    sys.stdin.read()  # stays until the test has seen that the port is free
    os._exit(0)
os.read(told, 1)
print(read({port}).count("slaq_training_loss 0.5"), flush=True)
os._exit(0)
""", SLAQ_METRICS_PORT=str(port)) as process:
            self.assertEqual(process.stdout.readline(), "1\n")
            self.assertEqual(process.wait(timeout=300), 0)
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection(("localhost", port))

    def test_forked_before_the_first_report_may_train(self):
        port = free_port()
        ran = run(f"""
import os
from slaq import report
if os.fork() == 0:
    report(0.25)
    print(read({port}).count("slaq_training_loss 0.25"), flush=True)
    os._exit(0)
os.wait()
""", SLAQ_METRICS_PORT=str(port))
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "1\n", ""))


if __name__ == "__main__":
    unittest.main()
