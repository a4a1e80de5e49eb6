"""What the page of `slaq web` has of the time before it: out of a real Prometheus."""

import http.server
import itertools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest
import urllib.request

import browser


class Exporter:
    """Exports what slaq's controller exports of one job. It has one worker in the first four scrapes and two in the next."""

    def __init__(self):
        scrapes = itertools.count()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                past = next(scrapes)
                workers = 1 if past < 4 else 2
                labels = 'training_namespace="default",training_job="train"'
                self.send_response(200)
                self.end_headers()
                self.wfile.write(f"slaq_job_loss{{{labels}}} {1 / (1 + past)}\n"
                                 f"slaq_job_iterations{{{labels}}} {10 * past}\n"
                                 f"slaq_job_workers{{{labels}}} {workers}\n"
                                 f"slaq_job_desired_workers{{{labels}}} {workers}\n"
                                 f"slaq_job_held_cores{{{labels}}} {workers}\n"
                                 f'slaq_job_state{{{labels},state="Running"}} 1\n'
                                 "slaq_capacity_cores 4\nslaq_price_per_core 0.01\n".encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server.server_address[1]}"


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.exporter = Exporter()
        self.addCleanup(self.exporter.server.shutdown)
        self.prometheus = self.start_prometheus()

    def start_prometheus(self):
        config = {"global": {"scrape_interval": "1s"},
                  "scrape_configs": [{"job_name": "slaq", "static_configs": [{"targets": [self.exporter.address]}]}]}
        (self.folder / "prometheus.yml").write_text(json.dumps(config))
        port = browser.free_port()
        process = subprocess.Popen(
            ["prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (process.terminate(), process.communicate()))
        return f"http://127.0.0.1:{port}"

    def scraped(self):
        """How often it was scraped."""
        try:
            with urllib.request.urlopen(f"{self.prometheus}/api/v1/query?query=count_over_time(slaq_job_workers[1h])") as answer:
                result = json.load(answer)["data"]["result"]
                return float(result[0]["value"][1]) if result else 0
        except OSError:
            return 0

    def start(self, *command, until):
        process = subprocess.Popen([browser.SLAQ, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "SLAQ_SERVER": ""})
        self.addCleanup(lambda: (process.terminate(), process.communicate()))
        for line in process.stderr:
            if until in line:
                return
        self.fail(f"slaq {command[0]} did not say {until}")

    def test_begins_before_the_command(self):
        page = browser.start()
        self.addCleanup(page.quit)
        browser.wait(page, lambda: self.scraped() >= 8)
        server, port = f"{self.folder}/slaq.sock", browser.free_port()
        self.start("serve", "--directory", f"{self.folder}/jobs", "--socket", server, until="reach it at")
        self.start("web", "--server", server, "--address", str(port), "--prometheus", self.prometheus, "--hours", "0.1",
                   until="The page of the jobs is at")
        page.get(f"http://127.0.0.1:{port}/")
        browser.wait(page, lambda: [each.text for each in browser.find_all(page, ".rows a.name")] == ["train"])
        browser.wait(page, lambda: browser.has_curves(page))
        told = browser.find(page, ".decisions").text
        self.assertIn("1 -> 2", told)
        self.assertEqual(browser.complaints(page), [])

    def test_ends_on_a_signal_that_comes_while_history_is_read(self):
        asked, may_answer = threading.Event(), threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.set()
                may_answer.wait(browser.PATIENCE_S)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"status": "success", "data": {"resultType": "matrix", "result": []}}')

            def log_message(self, *_):
                pass

        prometheus = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=prometheus.serve_forever, daemon=True).start()
        self.addCleanup(prometheus.shutdown)
        server = f"{self.folder}/slaq.sock"
        self.start("serve", "--directory", f"{self.folder}/jobs", "--socket", server, until="reach it at")
        web = subprocess.Popen([browser.SLAQ, "web", "--server", server, "--address", "127.0.0.1:0", "--prometheus",
                                f"http://127.0.0.1:{prometheus.server_address[1]}"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(web.kill)
        self.assertTrue(asked.wait(browser.PATIENCE_S))
        web.send_signal(signal.SIGINT)
        may_answer.set()
        _, told = web.communicate(timeout=browser.PATIENCE_S)
        self.assertEqual(web.returncode, 0)
        self.assertNotIn("The page of the jobs", told)


if __name__ == "__main__":
    unittest.main()
