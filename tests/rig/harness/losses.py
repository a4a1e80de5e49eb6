"""Answers the controller's queries as Prometheus does, with the samples of trainings. What it must not be made to do
to a real one, it does when it is told to: `fault` is called with each request and may answer in its place."""
import bisect
import json
import re
import urllib.parse

from harness.local_server import Handler, LocalServer

LOSS, ITERATIONS = "slaq_training_loss", "slaq_training_iterations_total"


class Losses:
    def __init__(self, trainings, namespace):
        """`trainings`: of one namespace, by job, with the uid that their series have, as a function."""
        self.trainings, self.namespace = trainings, namespace
        self.fault = lambda path, form: None  # or (status, body)
        self.server = LocalServer(self.handler())
        self.url = self.server.url

    def close(self):
        self.server.close()

    def handler(self):
        losses = self

        class Query(Handler):
            def do_POST(self):
                form = {key: values[0] for key, values in urllib.parse.parse_qs(self.body().decode()).items()}
                status, body = losses.fault(self.path, form) or (200, losses.answer(form))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Query

    def answer(self, form):
        series = []
        counts = form["query"].startswith("count by")  # who has too many series: nobody
        for job, (training, uid) in self.trainings().items():
            samples = self.chosen(training.seen(), form)
            if not samples or counts:
                continue
            labels = {"namespace": self.namespace, "slaq_io_job": job, "slaq_io_job_uid": uid}
            for name, value in ((LOSS, lambda k: training.loss(k)), (ITERATIONS, lambda k: k)):
                series.append({"metric": {"__name__": name, **labels},
                               "values": [[when, repr(float(value(k)))] for when, k in samples]})
        return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}).encode()

    @staticmethod
    def chosen(samples, form):
        """Those of a range of raw samples, or the newest at each step."""
        window = re.search(r"\[(\d+)ms\]$", form["query"])
        if window:
            until = float(form["time"])
            return [each for each in samples if until - int(window.group(1)) / 1000 < each[0] <= until]
        times = [when for when, _ in samples]
        chosen, moment = [], float(form["start"])
        while moment <= float(form["end"]):
            place = bisect.bisect_right(times, moment)
            if place and moment - times[place - 1] < 300:
                chosen.append((moment, samples[place - 1][1]))
            moment += float(form["step"])
        return chosen
