"""Who held the Lease of a namespace, revision by revision, and which writes others made meanwhile."""
import bisect
import dataclasses
import http.client
import json
import socket
import threading
import time

from harness.api import HANG

DELETED = "nobody, since it was deleted"
# A leader stops so long before others may take its lease that only a write on its way can come later.
ON_ITS_WAY = 0.5


@dataclasses.dataclass
class Change:
    revision: int
    holder: str  # empty: its holder gave it back
    seen: float  # when this was told, on the monotonic clock


class Lateness(threading.Thread):
    """How long a thread of this process waited for its turn at worst: a write may be noted so much later than it came."""
    EVERY = 0.05  # seconds

    def __init__(self):
        super().__init__(daemon=True)
        self.worst = 0.0
        self.stopped = False
        self.start()

    def run(self):
        while not self.stopped:
            before = time.monotonic()
            time.sleep(self.EVERY)
            self.worst = max(self.worst, time.monotonic() - before - self.EVERY)


class Leases(threading.Thread):
    """Follows the Lease as any client does, so that nothing that happens to it is missed."""

    def __init__(self, api, namespace):
        super().__init__(daemon=True)
        self.api = api
        self.path = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
        self.changes = []
        self.newest = 0
        self.stopped = threading.Event()
        self.lock = threading.Lock()
        self.connection = None
        self.lateness = Lateness()
        self.start()

    def run(self):
        while not self.stopped.is_set():
            try:
                self.follow()
            except (OSError, http.client.HTTPException, ValueError, AttributeError, KeyError):
                self.stopped.wait(0.2)

    def follow(self):
        self.connection = self.api.connect(timeout=60)
        since = f"&resourceVersion={self.newest}" if self.newest else ""
        self.connection.request("GET", f"{self.path}?watch=true{since}")
        answer = self.connection.getresponse()
        while (line := answer.readline()) and not self.stopped.is_set():
            self.take(json.loads(line))

    def take(self, event):
        if event.get("type", "ERROR") == "ERROR":  # an answer that is no event, too
            self.newest = 0  # too old: the next watch begins with what there is now
            return
        lease = event["object"]
        holder = DELETED if event["type"] == "DELETED" else lease["spec"].get("holderIdentity") or ""
        with self.lock:
            self.newest = int(lease["metadata"]["resourceVersion"])
            if not self.changes or self.changes[-1].holder != holder:
                self.changes.append(Change(self.newest, holder, time.monotonic()))

    def catch_up(self):
        """Until all that has happened to the Lease by now is known here."""
        leases = self.api.get(self.path) or {"items": []}
        newest = max((int(each["metadata"]["resourceVersion"]) for each in leases["items"]), default=0)
        end = time.monotonic() + HANG
        while self.newest < newest and time.monotonic() < end:
            time.sleep(0.05)

    def close(self):
        self.stopped.set()
        self.lateness.stopped = True
        try:
            # Closing it would wait for the line that is being read.
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # there is none at the moment

    def written_without(self, request, identities, theirs, seized):
        with self.lock:
            return written_without(list(self.changes), request, identities, theirs, seized, self.lateness.worst)


def written_without(changes, request, identities, theirs, seized, late=0):
    """Whether that write came from a controller that did not lead. `identities`: under which it held the lease, `theirs`:
    those of all controllers. Where somebody else seized the lease, its holder has `seized` seconds to learn of it."""
    if request.revision:
        place = bisect.bisect_left([each.revision for each in changes], request.revision) - 1
    else:
        place = bisect.bisect_left([each.seen for each in changes], request.begun) - 1
    if place >= 0 and changes[place].holder in identities:
        return False
    while place >= 0 and changes[place].holder not in identities:
        lost = changes[place]
        place -= 1
    if place < 0:
        return True  # it had not led before
    allowed = late + (ON_ITS_WAY if lost.holder in theirs or not lost.holder else seized)
    return request.begun > lost.seen + allowed
