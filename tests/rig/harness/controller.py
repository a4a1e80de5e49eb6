"""slaq-controller as a process: what it logs of its epochs, and what it uses for them."""
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
EPOCH = re.compile(r"event=epoch epoch=(\d+) jobs=(\d+) capacity=\S+ actions=(\d+) observe=(\S+) decide=(\S+) apply=(\S+)")
# What a cluster that works well gives no reason for.
SURPRISE = re.compile(r"level=(?:warning|warn|error|critical) |event=epoch_skipped")


class Epoch:
    def __init__(self, found, cpu):
        self.at = time.time()
        self.number, self.jobs, self.actions = (int(found.group(i)) for i in (1, 2, 3))
        self.observe, self.decide, self.apply = (float(found.group(i)) for i in (4, 5, 6))
        self.cpu = cpu  # seconds that the process has used so far

    @property
    def seconds(self):
        return self.observe + self.decide + self.apply


class Controller:
    def __init__(self, program, kubeconfig, place, ports, configuration):
        """`place` is the folder of its configuration and its log, `ports` those of its metrics and of its probes.
        The level of the log is that at which it tells of its epochs."""
        self.program, self.kubeconfig, self.place = program, kubeconfig, pathlib.Path(place)
        self.metrics_port, self.probe_port = ports
        self.place.mkdir(parents=True, exist_ok=True)
        self.config = self.place / "config.yaml"
        self.config.write_text(json.dumps({
            **configuration,
            "telemetry": {"address": f"127.0.0.1:{self.metrics_port}", "probeAddress": f"127.0.0.1:{self.probe_port}"},
            "log": {"level": "debug"}}))
        self.warnings = {}
        self.process = None
        self.start()

    def start(self):
        """The log of epochs is not written at once unless the lines are flushed one by one."""
        self.epochs = []
        self.leads = None
        self.began = time.time()
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", self.program, "--config", str(self.config), "--kubeconfig", self.kubeconfig],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self.read, args=(self.process,), daemon=True)
        self.reader.start()

    def read(self, process):
        with open(self.place / "controller.log", "a") as log:
            for line in process.stdout:
                log.write(line)
                if found := EPOCH.search(line):
                    self.epochs.append(Epoch(found, self.cpu()))
                    log.flush()
                elif "event=election leading=true" in line:
                    self.leads = time.time()
                elif SURPRISE.search(line):
                    self.note(line)

    def note(self, line):
        """Lines that differ in names and numbers only are counted together."""
        kind = re.sub(r"^time=\S+ ", "", re.sub(r"\b(?:bench|job)-[-\w]+|\d+(?:\.\d+)?", "N", line.strip()))[:300]
        count, first = self.warnings.get(kind, (0, line.strip()))
        self.warnings[kind] = (count + 1, first)

    def surprises(self):
        return [{"times": count, "first": first} for count, first in
                sorted(self.warnings.values(), reverse=True)[:20]]

    def stop(self):
        """How many seconds that took."""
        if self.process is None:
            return 0
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process = None
        return time.monotonic() - begun

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self):
        """Resident now and at most, in MiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return {name: int(re.search(rf"{key}:\s+(\d+)", text).group(1)) / 1024
                for name, key in (("resident", "VmRSS"), ("most", "VmHWM"))}

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.probe_port}/readyz", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def requests(self):
        """Those to the API server so far, by verb and resource."""
        return self.by_request("slaq_api_requests_total")

    def seconds_of_requests(self):
        """How long these took together; watches are not among them."""
        return self.by_request("slaq_api_request_duration_seconds_sum")

    def by_request(self, metric):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=30) as answer:
            text = answer.read().decode()
        sums = {}
        for labels, value in re.findall(rf"^{metric}\{{(.*)\}} (\S+)$", text, re.M):
            label = dict(re.findall(r'(\w+)="([^"]*)"', labels))
            name = f"{label['verb']} {label['resource']}"
            sums[name] = sums.get(name, 0) + float(value)
        return sums

    def received(self):
        """Bytes by its connections that are open, by their local port."""
        text = subprocess.run(["ss", "-tinpH"], capture_output=True, text=True, check=True).stdout
        counts = {}
        for connection in re.split(r"\n(?=\S)", text):
            found = re.search(r":(\d+)\s+\S+:(\d+) ", connection)
            if f"pid={self.process.pid}," in connection and found:
                count = re.search(r"bytes_received:(\d+)", connection)
                counts[found.group(1)] = int(count.group(1)) if count else 0
        return counts
