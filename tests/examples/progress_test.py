"""The helper of the Python examples: whatever becomes of its port, it never ends the training."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import unittest

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
# What Prometheus would read of the process.
READ = """
import urllib.request
def read(port):
    return urllib.request.urlopen(f"http://localhost:{port}/metrics").read().decode()
"""


def free_port():
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::1", 0))
        return True
    except OSError:
        return False


def run(program, **environment):
    surroundings = {name: value for name, value in os.environ.items() if name != "SLAQ_METRICS_PORT"}
    return subprocess.run([sys.executable, "-B", "-c", "from training_progress import Progress\n" + READ + program],
                          cwd=PYTHON, env={**surroundings, **environment}, capture_output=True, text=True, timeout=60)


class Helper(unittest.TestCase):
    def test_exports_the_latest_of_several_in_one_process(self):
        port = str(free_port())
        ran = run(f"""
first = Progress()
first.report(0, 9)
first.report(7, 3.5)
second = Progress()
assert "slaq_training_loss" not in read({port}), "of the second nothing is known yet"
second.report(1, 0.25)
print(read({port}))
""", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(re.findall(r"^(slaq_training\w+ \S+)$", ran.stdout, re.MULTILINE),
                         ["slaq_training_iterations_total 1.0", "slaq_training_loss 0.25"])

    @unittest.skipUnless(has_ipv6(), "there is no IPv6")
    def test_is_read_over_both_families(self):
        port = free_port()
        ran = run(f"""
Progress({port}).report(1, 0.5)
for host in ("127.0.0.1", "[::1]"):
    print(urllib.request.urlopen(f"http://{{host}}:{port}/metrics").read().decode().count("slaq_training_loss 0.5"))
""")
        self.assertEqual((ran.returncode, ran.stdout), (0, "1\n1\n"), ran.stderr)

    def test_lets_the_training_run_on_where_the_port_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            ran = run("Progress().report(1, 0.5)\nprint('trained')", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stdout), (0, "trained\n"), ran.stderr)
        self.assertIn(f"port {port} cannot be listened on: Address already in use.", ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_lets_two_trainings_outside_slaq_run_beside_each_other(self):
        ran = run("""
import subprocess, sys
Progress().report(1, 0.5)
other = subprocess.run([sys.executable, "-B", "-c", "from training_progress import Progress; Progress().report(1, 2)"])
print(other.returncode)
""")
        self.assertEqual((ran.returncode, ran.stdout), (0, "0\n"), ran.stderr)


if __name__ == "__main__":
    unittest.main()
