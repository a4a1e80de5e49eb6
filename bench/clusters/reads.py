"""How long Prometheus takes for the newest losses of all jobs, by the way in which they are asked for, and how many bytes
its answer has. What an answer leaves out differs: see docs/scale.md."""
import json
import re
import statistics
import time
import urllib.parse
import urllib.request

from harness import parallel

TIMES = 5
OWN = "200 jobs at a time"  # the controller's way
JOBS_OF_A_QUERY = 200
BY = "__name__, namespace, slaq_io_job, slaq_io_job_uid, pod"
OWN_QUERY = re.compile(r'\{(__name__=~"[^"]*"),.*\}\[(\d+)ms\]$')


def measure(rig, text):
    """`text` is one of the controller's own queries: a selector of some jobs and how far back."""
    metrics, reach = OWN_QUERY.fullmatch(text).groups()
    matchers, reach = f'{metrics},slaq_io_job!=""', int(reach)
    whole = f"{{{matchers}}}[{reach}ms]"
    latest = f"last_over_time({whole})"
    counts = json.loads(query(rig, f"count by (namespace) ({{{matchers}}})"))["data"]["result"]
    namespaces = [each["metric"]["namespace"] for each in counts]
    found = json.loads(query(rig, f"group by (slaq_io_job) ({{{matchers}}})"))["data"]["result"]
    names = sorted(each["metric"]["slaq_io_job"] for each in found)
    ways = {
        OWN: lambda: in_groups(rig, metrics, reach, namespaces, names),
        "one selector of samples": lambda: ask(rig, whole),
        "the newest of each": lambda: ask(rig, latest),
        "the newest, fewer labels": lambda: ask(rig, f"max by ({BY}) ({latest})"),
        "namespaces one by one": lambda: apart(rig, matchers, reach, namespaces, 1),
        "namespaces side by side": lambda: apart(rig, matchers, reach, namespaces, parallel.SIDE_BY_SIDE),
        "remote read, samples": lambda: remote_read(rig, matchers, reach, streamed=False),
        "remote read, chunks": lambda: remote_read(rig, matchers, reach, streamed=True),
    }
    taken = {name: [] for name in ways}
    for _ in range(TIMES):
        for name, way in ways.items():
            begun = time.monotonic()
            size = way()
            taken[name].append((time.monotonic() - begun, size))
    return [{"way": name, "seconds": statistics.median(seconds for seconds, _ in each), "bytes": each[-1][1]}
            for name, each in taken.items()]


def post(url, body, headers):
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        return answer.read()


def query(rig, text):
    form = urllib.parse.urlencode({"query": text, "time": f"{time.time():.3f}"}).encode()
    return post(f"{rig.prometheus}/api/v1/query", form, {})


def ask(rig, text):
    """The size of the answer, as that of all ways below."""
    return len(query(rig, text))


def in_groups(rig, metrics, reach, namespaces, names):
    where = f'{metrics},namespace=~"{"|".join(namespaces)}"'
    groups = [names[first:first + JOBS_OF_A_QUERY] for first in range(0, len(names), JOBS_OF_A_QUERY)]
    return sum(ask(rig, f'{{{where},slaq_io_job=~"{"|".join(group)}"}}[{reach}ms]') for group in groups)


def apart(rig, matchers, reach, namespaces, side_by_side):
    sizes = []
    parallel.each(lambda ns: sizes.append(ask(rig, f'{{{matchers},namespace="{ns}"}}[{reach}ms]')), namespaces, side_by_side)
    return sum(sizes)


def remote_read(rig, matchers, reach, streamed):
    now = round(time.time() * 1000)
    types = {"=": 0, "!=": 1, "=~": 2, "!~": 3}
    asked = varint_field(1, now - reach) + varint_field(2, now)
    for name, operator, value in re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', matchers):
        asked += field(3, varint_field(1, types[operator]) + field(2, name.encode()) + field(3, value.encode()))
    request = field(1, asked) + varint_field(2, int(streamed))
    headers = {"Content-Type": "application/x-protobuf", "Content-Encoding": "snappy",
               "X-Prometheus-Remote-Read-Version": "0.1.0"}
    return len(post(f"{rig.prometheus}/api/v1/read", snappy(request), headers))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def varint_field(number, value):
    return varint(number << 3) + varint(value)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def snappy(content):
    """As one literal of less than 64 KiB, since nothing is gained by compressing a request."""
    return varint(len(content)) + bytes([61 << 2]) + (len(content) - 1).to_bytes(2, "little") + content
