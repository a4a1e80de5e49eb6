"""The page of a run that goes on, in a real browser."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

import browser

# A program whose loss falls for as long as it is let.
PROGRAM = """
import itertools, sys, time
for step in itertools.count(1):
    print(f"step {step} loss {1 / step + 0.1:.5f}", flush=True)
    time.sleep(0.1)
"""


class Run:
    """`slaq run --web` with one program, or with several."""

    def __init__(self, folder, port, names):
        program = pathlib.Path(folder) / "train.py"
        program.write_text(PROGRAM)
        jobs = [word for name in names for word in ("--job", f"{sys.executable} {program} {name}")]
        self.process = subprocess.Popen(
            [browser.SLAQ, "run", "--epoch", "0.3", f"--web={port}", *jobs], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder})
        self.url = self.find_url()

    def find_url(self):
        for line in self.process.stderr:
            found = re.search(r"http://\S+", line)
            if found:
                return found.group()
        raise AssertionError("it named no address")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.communicate()


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = browser.start()

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, names, port=None):
        run = Run(self.folder, port or browser.free_port(), names)
        self.addCleanup(run.end)
        return run

    def text(self, selector):
        return self.page.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def picture(self):
        return self.page.execute_script("return document.querySelector('canvas')?.toDataURL()")

    def test_curves_move_and_jobs_have_their_own_view(self):
        run = self.start(["a"])
        self.page.get(run.url)
        browser.wait(self.page, lambda: browser.has_curves(self.page))
        browser.wait(self.page, lambda: self.text(".connection") == "live")
        before = self.picture()
        browser.wait(self.page, lambda: self.picture() != before)
        loss = lambda: self.text(".rows .row [role=cell]:nth-child(5)")
        first = browser.wait(self.page, lambda: loss() not in ("", "-") and loss())
        browser.wait(self.page, lambda: float(loss()) < float(first))
        browser.find(self.page, ".rows a.name").click()
        browser.wait(self.page, lambda: self.text(".job-name") == "default/train")
        browser.wait(self.page, lambda: browser.has_curves(self.page))
        before = self.picture()
        browser.wait(self.page, lambda: self.picture() != before)
        self.assertEqual(browser.complaints(self.page), [])

    def test_goes_on_after_the_server_was_started_again(self):
        port = browser.free_port()
        first = self.start(["a"], port)
        self.page.get(first.url)
        browser.wait(self.page, lambda: len(browser.find_all(self.page, ".rows .row")) == 1)
        first.process.kill()  # so that it cannot tell that all is over
        first.process.communicate()
        browser.wait(self.page, lambda: self.text(".connection").startswith("not connected"))
        self.start(["a", "b"], port)
        browser.wait(self.page, lambda: len(browser.find_all(self.page, ".rows .row")) == 2)
        browser.wait(self.page, lambda: self.text(".connection") == "live")

    def test_shows_the_queue_of_a_machine(self):
        """By the server itself, and by `slaq web`, which asks the server as it would ask a cluster."""
        socket_path, ports = f"{self.folder}/slaq.sock", (browser.free_port(), browser.free_port())
        program = pathlib.Path(self.folder) / "train.py"
        program.write_text(PROGRAM)
        serve = [browser.SLAQ, "serve", "--directory", f"{self.folder}/jobs", "--socket", socket_path, f"--web={ports[0]}"]
        server = subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (server.terminate(), server.communicate()))
        for line in server.stderr:
            if "reach it at" in line:
                break
        client = lambda command, *words: subprocess.run([browser.SLAQ, command, "--server", socket_path, *words], check=True,
                                                        stdout=subprocess.DEVNULL)
        client("submit", "--", sys.executable, str(program))
        runs = lambda: subprocess.run(["pgrep", "-f", str(program)], stdout=subprocess.DEVNULL, check=False).returncode == 0
        self.addCleanup(browser.wait, self.page, lambda: not runs())  # a server that ends leaves programs running
        self.addCleanup(client, "stop", "train")
        follower = subprocess.Popen([browser.SLAQ, "web", "--server", socket_path, "--address", str(ports[1])],
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (follower.terminate(), follower.communicate()))
        follower.stderr.readline()
        for port in ports:
            with self.subTest(port=port):
                self.page.get(f"http://127.0.0.1:{port}/")
                browser.wait(self.page, lambda: self.text(".rows a.name") == "train")
                browser.wait(self.page, lambda: self.text(".rows .state") == "Running")
                browser.wait(self.page, lambda: browser.has_curves(self.page))
        self.assertEqual(browser.complaints(self.page), [])

    def test_tells_only_those_who_call_it_by_its_name(self):
        run = self.start(["a"])
        port = run.url.rstrip("/").rsplit(":", 1)[1]
        for host, status in ((f"127.0.0.1:{port}", "200"), (f"localhost:{port}", "200"), ("slaq.example", "403")):
            with self.subTest(host):
                with socket.create_connection(("127.0.0.1", int(port))) as asked:
                    asked.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                    self.assertEqual(asked.makefile("rb").readline().split()[1].decode(), status)


if __name__ == "__main__":
    unittest.main()
