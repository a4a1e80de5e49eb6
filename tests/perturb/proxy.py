"""Stands between a controller and the real API server, notes every write, and misbehaves where it is told to."""
import dataclasses
import http.client
import json
import socket
import threading
import time

from harness.local_server import Handler, LocalServer


@dataclasses.dataclass
class Request:
    method: str
    path: str  # with its query
    body: bytes
    token: str = ""
    streams: bool = False  # this is asked again for each line of a watch that was let through
    begun: float = 0.0  # when it arrived, on the monotonic clock
    known: int = 0  # the newest revision that the server had told this proxy by then
    revision: int = 0  # which the server gave what this wrote; 0 where its answer has none

    @property
    def is_write(self):
        return self.method != "GET"

    @property
    def is_watch(self):
        return "watch=true" in self.path

    @property
    def is_lease(self):
        return "/leases" in self.path

    @property
    def place(self):
        """The object, or for a creation the collection: "jobs/a-workers", "trainingjobs/a/status"."""
        parts = self.path.split("?")[0].split("/")
        return "/".join(parts[parts.index("namespaces") + 2:]) if "namespaces" in parts else parts[-1]

    @property
    def changed_nothing(self):
        """The server took it, but it had all of it already: only what changes gets a new revision. All objects of a
        server share one count of revisions."""
        return self.method == "PATCH" and 0 < self.revision <= self.known

    def __str__(self):
        return f"{self.method} {self.place}"


@dataclasses.dataclass
class Answer:
    """This instead of the server's."""
    status: int
    headers: dict = dataclasses.field(default_factory=dict)
    body: bytes = b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"injected"}'


class LoseReply:
    """The server does it; nobody hears of it."""


class Refuse:
    """The connection is closed before anything is read of it."""


@dataclasses.dataclass
class Delay:
    seconds: float


@dataclasses.dataclass
class Hold:
    """The request waits until the event is set."""
    event: threading.Event


@dataclasses.dataclass
class CutAfter:
    """The answer ends after so many bytes, wherever that is."""
    count: int


class Silence:
    """An open connection from which nothing comes any more."""


class Proxy:
    def __init__(self, api):
        self.api = api
        self.lock = threading.Lock()
        self.rules = []  # functions of a request: a fault, or None
        self.keeps = lambda request, line: True  # which lines of watches arrive
        self.afterwards = []  # called with a request and its status before its answer goes back
        self.writes = []  # requests with the server's status, in the order in which they were done
        self.under_way = 0  # writes that the server got and that are not among `writes` yet
        self.identities = set()  # under which the controller wrote the lease, one for each of its starts
        self.newest = 0  # revision that was seen in the answer to a write
        self.stopped = threading.Event()
        self.server = LocalServer(self.handler())
        self.url = self.server.url

    def close(self):
        self.stopped.set()
        self.server.close()

    def fault_of(self, request):
        with self.lock:
            rules = list(self.rules)
        for rule in rules:
            if (fault := rule(request)) is not None:
                return fault
        return None

    def count(self, request, change):
        with self.lock:
            self.under_way += change if request.is_write else 0

    def note(self, request, status, answer):
        request.revision = revision_of(answer) if request.is_write and status < 300 else 0
        with self.lock:
            if request.is_write:
                self.writes.append((request, status))
            self.newest = max(self.newest, request.revision)
            if request.is_write and request.is_lease:
                self.identities.add(json.loads(request.body or "{}").get("spec", {}).get("holderIdentity"))
            afterwards = list(self.afterwards)
        for each in afterwards:
            each(request, status)

    def taken(self):
        """The writes that the server took, the lease and events apart."""
        with self.lock:
            return [request for request, status in self.writes
                    if status < 300 and not request.is_lease and "events" not in request.place]

    def written(self):
        return [str(request) for request in self.taken()]

    def handler(self):
        proxy = self

        class Forward(Handler):
            def serve(self):
                token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
                request = Request(self.command, self.path, self.body(), token,
                                  begun=time.monotonic(), known=proxy.newest)
                try:
                    proxy.forward(self, request)
                except (OSError, http.client.HTTPException):
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = serve

        return Forward

    def forward(self, handler, request):
        fault = self.fault_of(request)
        if isinstance(fault, Refuse):
            handler.close_connection = True
            return
        if isinstance(fault, Answer):
            self.answer(handler, fault.status, fault.headers, fault.body)
            return
        if isinstance(fault, Delay):
            self.stopped.wait(fault.seconds)
        if isinstance(fault, Hold):
            fault.event.wait()
        if isinstance(fault, Silence) and not request.is_watch:
            self.stopped.wait()
        if request.is_watch:
            answer = self.ask(handler, request)
            if answer.status == 200:
                self.stream(handler, answer, fault, dataclasses.replace(request, streams=True))
                return
            body = answer.read()
            self.note(request, answer.status, body)
        else:
            answer, body = self.ask_and_note(handler, request)
        if isinstance(fault, LoseReply):
            handler.close_connection = True
            return
        if isinstance(fault, CutAfter):
            self.answer(handler, answer.status, {}, body, fault.count)
            handler.close_connection = True
            return
        kept = {name: answer.headers[name] for name in ("Retry-After",) if name in answer.headers}
        self.answer(handler, answer.status, kept, body)

    def ask(self, handler, request):
        server = self.connection_for(handler, request)
        headers = {name: handler.headers[name] for name in ("Content-Type", "Accept", "User-Agent") if name in handler.headers}
        server.request(request.method, request.path, request.body or None, headers)
        return server.getresponse()

    def ask_and_note(self, handler, request):
        self.count(request, 1)
        try:
            answer = self.ask(handler, request)
            body = answer.read()
            self.note(request, answer.status, body)
        finally:
            self.count(request, -1)
        return answer, body

    def connection_for(self, handler, request):
        """A watch has one of its own; other requests of one connection share one, as they would without a proxy."""
        if request.is_watch:
            return self.api.connect(timeout=120)
        if not hasattr(handler, "server_connection"):
            handler.server_connection = self.api.connect(timeout=120)
        return handler.server_connection

    @staticmethod
    def answer(handler, status, headers, body, count=None):
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:count])
        handler.wfile.flush()

    def stream(self, handler, answer, fault, request):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        left = fault.count if isinstance(fault, CutAfter) else None
        while not self.stopped.is_set():
            part = answer.readline()
            current = self.fault_of(request)
            if isinstance(fault, Silence) or isinstance(current, Silence):
                self.stopped.wait()
            if isinstance(current, Refuse) or not part:
                break
            if not self.keeps(request, part):
                continue
            if left is not None:
                part, left = part[:left], left - len(part)
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            handler.wfile.flush()
            if left is not None and left <= 0:
                handler.close_connection = True
                handler.connection.shutdown(socket.SHUT_RDWR)
                return
        handler.wfile.write(b"0\r\n\r\n")


def revision_of(answer):
    """Of the object in an answer, or 0 where it is none."""
    return int(json.loads(answer).get("metadata", {}).get("resourceVersion") or 0) if answer.startswith(b"{") else 0


def times(count, fault, matches):
    """A rule: the first so many requests that match get the fault."""
    left = [count]

    def rule(request):
        if not matches(request) or left[0] <= 0:
            return None
        left[0] -= 1
        return fault

    return rule


def until(moment, fault, matches=lambda request: True):
    """A rule: until then, on the monotonic clock, all that match get the fault."""
    return lambda request: fault if time.monotonic() < moment and matches(request) else None
