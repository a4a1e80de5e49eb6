"""A watch of a collection by a client of its own."""
import http.client
import json
import socket
import threading
import time

from harness.progress import say

AGAIN_AFTER = 0.2  # seconds


class Watch:
    """Calls `take` with each object of a collection and when it came, and again with each change; and `drop`, where it
    is given, with each that was deleted."""

    def __init__(self, api, path, take, drop=None):
        self.api, self.path, self.take, self.drop = api, path, take, drop
        self.known = {}  # by uid, where deletions are told
        self.stopped = False
        version = self.list()
        self.thread = threading.Thread(target=self.follow, args=(version,), daemon=True)
        self.thread.start()

    def close(self):
        """The thread waits in a read, which a close alone would not end."""
        self.stopped = True
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        self.thread.join(10)

    def list(self):
        more, before = "", set(self.known)
        while True:
            answer = self.api.get(f"{self.path}&limit=500{more}")
            for item in answer["items"]:
                before.discard(item["metadata"]["uid"])
                self.tell(item)
            token = answer["metadata"].get("continue")
            if not token:
                for uid in before:
                    self.forget(self.known[uid])
                return answer["metadata"]["resourceVersion"]
            more = f"&continue={token}"

    def tell(self, item):
        if self.drop:
            self.known[item["metadata"]["uid"]] = item
        self.take(item, time.time())

    def forget(self, item):
        if self.drop:
            self.known.pop(item["metadata"]["uid"], None)
            self.drop(item, time.time())

    def follow(self, version):
        while not self.stopped:
            try:
                self.connection = self.api.connect(timeout=3600)
                self.connection.request("GET", f"{self.path}&watch=1&allowWatchBookmarks=true&resourceVersion={version}")
                for line in self.connection.getresponse():
                    event = json.loads(line)
                    if event.get("type", "ERROR") == "ERROR":  # or a Status in place of a stream
                        version = self.list()
                        break
                    version = event["object"]["metadata"]["resourceVersion"]
                    if event["type"] in ("ADDED", "MODIFIED"):
                        self.tell(event["object"])
                    elif event["type"] == "DELETED":
                        self.forget(event["object"])
            except (OSError, http.client.HTTPException, ValueError, AttributeError, AssertionError, TypeError) as error:
                if not self.stopped:
                    say(f"the watch of {self.path} begins again: {error!r}")
                    time.sleep(AGAIN_AFTER)
