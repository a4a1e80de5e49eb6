"""The cluster of team_a.yaml: as much of an API server as the slaq command reads, a Prometheus behind it included."""
import contextlib
import datetime
import http.server
import json
import pathlib
import threading
import time
import urllib.parse

import yaml

DATA = pathlib.Path(__file__).with_name("team_a.yaml")
JOBS = "/apis/slaq.io/v1alpha1/namespaces/"
PROMETHEUS = "/api/v1/namespaces/monitoring/services/prometheus-operated:9090/proxy/api/v1/query_range"


def dated(value):
    """The value with times for {ago: SECONDS}."""
    if isinstance(value, list):
        return [dated(each) for each in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["ago"]:
        then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=value["ago"])
        return then.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {key: dated(each) for key, each in value.items()}


def trainingjob(job):
    namespace = job.get("namespace", "team-a")
    name = {"name": job["name"], "namespace": namespace, "uid": "uid-" + job["name"], "resourceVersion": "1"}
    return {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "spec": job["spec"], "status": job["status"],
            "metadata": name | {"creationTimestamp": job["status"].get("startTime", dated({"ago": 60}))}}


def losses(curve):
    """What Prometheus answers: a loss that falls as 1/k."""
    def loss(age):
        done = (curve["seconds"] - age) / curve["seconds"]
        return curve["last"] + (curve["first"] - curve["last"]) * (1 - done) / (1 + 9 * done)
    values = [[time.time() - age, str(loss(age))] for age in range(curve["seconds"], 0, -4)]
    return {"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {}, "values": values}]}}


def answer(path):
    """What the cluster says at the path, or nothing."""
    data = dated(yaml.safe_load(DATA.read_text()))
    jobs = [trainingjob(job) for job in data["jobs"]]
    for job in jobs:
        here = JOBS + job["metadata"]["namespace"] + "/trainingjobs"
        if path == here:
            same = [each for each in jobs if each["metadata"]["namespace"] == job["metadata"]["namespace"]]
            return {"metadata": {"resourceVersion": "1"}, "items": same}
        if path == f"{here}/{job['metadata']['name']}":
            return job
    if path == "/api/v1/namespaces/team-a/events":
        return {"metadata": {"resourceVersion": "1"}, "items": [{"type": "Normal"} | each for each in data["events"]]}
    return losses(data["curve"]) if path == PROMETHEUS else None


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = answer(urllib.parse.urlparse(self.path).path)
        body = json.dumps(found or {"message": "not found"}).encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(kubeconfig):
    """Serves while the block runs; the file says where."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    kubeconfig.write_text(json.dumps({
        "current-context": "team-a",
        "contexts": [{"name": "team-a", "context": {"cluster": "c", "user": "u", "namespace": "team-a"}}],
        "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
        "users": [{"name": "u", "user": {"token": "t"}}]}))
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
