"""Real operators of other projects, compiled once into the cache of Go's programs, as processes beside a real API server."""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

from harness.api import HANG
from harness.control_plane import ENVIRONMENT, FOLDER, TOP
from harness.progress import wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from ports import free_port  # noqa: E402, F401  # pylint: disable=wrong-import-position,unused-import

KUBERAY = ("github.com/ray-project/kuberay/ray-operator", "v1.6.1")
PROGRAMS = pathlib.Path(os.environ.get("SLAQ_OPERATORS_DIR", pathlib.Path.home() / ".cache/slaq/operators"))


def module(operator):
    """The folder with the sources of an operator."""
    path, version = operator
    with tempfile.TemporaryDirectory() as empty:
        answer = subprocess.run(["go", "mod", "download", "-json", f"{path}@{version}"], cwd=empty, capture_output=True,
                                text=True, check=True)
    return pathlib.Path(json.loads(answer.stdout)["Dir"])


def built(operator, package=""):
    """The program of an operator, compiled where it is not there yet. `package` is where it is in the module."""
    path, version = operator[0] + package, operator[1]
    folder = PROGRAMS / f"{path.rsplit('/', 1)[-1]}-{version}"
    program = folder / path.rsplit("/", 1)[-1]
    if not program.exists():
        print(f"compiling {path}@{version}, which takes some minutes", file=sys.stderr, flush=True)
        # Within its module: to install it by its name, go asks for all its versions, which not every proxy lists.
        subprocess.run(["go", "build", "-C", module(operator), "-o", program, f".{package}"], check=True,
                       env={**os.environ, "CGO_ENABLED": "0"})
    return program


def kubectl(*arguments):
    done = subprocess.run([TOP / "tests/rig/rig", "kubectl", *arguments], env=ENVIRONMENT, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise RuntimeError(f"kubectl {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def objects_in(manifest):
    text, decoder = kubectl("create", "--dry-run=client", "-o", "json", "-f", manifest).strip(), json.JSONDecoder()
    while text:
        each, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        yield each


def definitions_in(folder):
    found = json.loads(kubectl("get", "-f", folder, "-o", "json"))
    return found.get("items", [found])


def is_established(definition):
    conditions = definition.get("status", {}).get("conditions") or ()
    return any((each["type"], each["status"]) == ("Established", "True") for each in conditions)


def is_listed(definition):
    """A moment after a kind is established the server may still refuse to list its objects."""
    spec = definition["spec"]
    version = next(each["name"] for each in spec["versions"] if each["served"])
    try:
        return bool(kubectl("get", "--raw", f"/apis/{spec['group']}/{version}/{spec['names']['plural']}?limit=1"))
    except RuntimeError:
        return False


def define(operator, folder):
    kubectl("apply", "--server-side", "-f", module(operator) / folder)
    knows = lambda: all(is_established(each) and is_listed(each) for each in definitions_in(module(operator) / folder))
    wait_until("the server knows its kinds", knows, HANG)


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def certify(folder):
    """A certificate of its own for a webhook at 127.0.0.1; the text by which clients trust it."""
    folder.mkdir(parents=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1", "-keyout", folder / "tls.key", "-out", folder / "tls.crt"],
                   check=True, capture_output=True)
    return base64.b64encode((folder / "tls.crt").read_bytes()).decode()


class Operated:
    """For tests whose scenarios have operators."""

    def operate(self, scenario, program, *arguments, mounted="", mounts=(), **environment):
        """Starts an operator. `mounted` is where it sees the folder "mounted" of the scenario, as a volume of its pod; into
        it go copies of folders, by the paths in `mounts`."""
        log = open(scenario.folder / f"{program.name}.log", "w")
        (scenario.folder / "mounted").mkdir(exist_ok=True)
        for path, folder in mounts:
            shutil.copytree(folder, scenario.folder / "mounted" / path)
        within = ["unshare", "--mount", "sh", "-c", 'mkdir -p "$0" && mount --bind mounted "$0" && exec "$@"', mounted]
        process = subprocess.Popen([*(within if mounted else []), program, *arguments], stdout=log, stderr=log, cwd=scenario.folder,
                                   env={**os.environ, "KUBECONFIG": f"{FOLDER}/kubeconfig/admin", **environment})
        self.addCleanup(log.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until_open(self, scenario, operator, *ports):
        """Until the operator, as operate() returned it, listens on these ports. It fails at once if the operator has ended."""
        def are_open():
            self.assertIsNone(operator.poll(), f"the operator has ended; its log is in {scenario.folder}")
            return all(is_open(port) for port in ports)

        scenario.wait("the operator listens", are_open)

    def operate_ray(self, scenario):
        define(KUBERAY, "config/crd/bases")
        self.operate(scenario, built(KUBERAY), f"--watch-namespace={scenario.namespace}", "--enable-leader-election=false",
                     "--metrics-addr=0", "--health-probe-bind-address=0")

    def mount_secret(self, scenario, name, folder):
        """As the kubelet does, once the secret has its contents."""
        secret = lambda: scenario.api.get(f"/api/v1/namespaces/{scenario.namespace}/secrets/{name}").get("data")
        scenario.wait("the secret has its contents", secret)
        folder.mkdir()
        for key, content in secret().items():
            (folder / key).write_bytes(base64.b64decode(content))

    def ask_webhooks(self, scenario, manifest, plural, name, client, **limits):
        """The API server asks the operator about each change of its objects, as where it is installed. `client` gives the
        configuration by which it finds a path of the operator, `limits` are more fields of the webhooks."""
        for each in objects_in(manifest):
            each["metadata"]["name"] = name(each)
            each["webhooks"] = [hook for hook in each["webhooks"] if plural in hook["rules"][0]["resources"]]
            for hook in each["webhooks"]:
                hook.update(clientConfig=client(hook["clientConfig"]["service"]["path"]), **limits)
            path = f"/apis/admissionregistration.k8s.io/v1/{each['kind'].lower()}s"
            scenario.api.delete(f"{path}/{each['metadata']['name']}")
            scenario.api.create(path, each)
            self.addCleanup(scenario.api.delete, f"{path}/{each['metadata']['name']}")
