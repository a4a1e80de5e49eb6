"""Plain calls to an API server, as the proxy and the observers make them: nothing of slaq is in between."""
import base64
import http.client
import json
import pathlib
import re
import ssl
import tempfile
import threading
import urllib.parse

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
HANG = 600  # seconds after which nothing comes any more, however busy the machine is


class Refused(AssertionError):
    """The server answered a read with an error: path, status, answer."""


class Api:
    """One thread has one connection. Any thread may call it."""

    def __init__(self, kubeconfig):
        text = pathlib.Path(kubeconfig).read_text()
        field = lambda name: re.search(rf"{name}: (\S+)", text).group(1)
        address = urllib.parse.urlparse(field("server"))
        self.host, self.port = address.hostname, address.port
        self.tls = ssl.create_default_context(cadata=base64.b64decode(field("certificate-authority-data")).decode())
        with tempfile.NamedTemporaryFile() as pair:
            pair.write(base64.b64decode(field("client-certificate-data")))
            pair.write(base64.b64decode(field("client-key-data")))
            pair.flush()
            self.tls.load_cert_chain(pair.name)
        self.own = threading.local()

    def connect(self, timeout=HANG):
        return http.client.HTTPSConnection(self.host, self.port, context=self.tls, timeout=timeout)

    def call(self, method, path, body=None, kind=JSON):
        """(status, what was answered)."""
        while True:
            is_used = hasattr(self.own, "connection")
            if not is_used:
                self.own.connection = self.connect()
            try:
                self.own.connection.request(method, path, self.encoded(body),
                                            {"Content-Type": kind, "Accept": JSON})
                answer = self.own.connection.getresponse()
                return answer.status, self.decoded(answer)
            except (OSError, http.client.HTTPException) as error:
                del self.own.connection
                # The server closes a connection that has been idle for long. It has not seen this request then.
                if not is_used or not isinstance(error, (ConnectionError, http.client.NotConnected, ssl.SSLEOFError)):
                    raise

    @staticmethod
    def encoded(body):
        """Text as it is, all else as JSON."""
        return body.encode() if isinstance(body, str) else None if body is None else json.dumps(body)

    @staticmethod
    def decoded(answer):
        """An answer that is no JSON says what is wrong in plain text."""
        text = answer.read().decode()
        return json.loads(text) if text.startswith("{") else {"message": text}

    def get(self, path):
        """The object, or None where there is none."""
        status, answer = self.call("GET", path)
        if status == 404:
            return None
        if status != 200:
            raise Refused(path, status, answer)
        return answer

    def items(self, path):
        """None where the server does not know the kind (any more)."""
        return (self.get(path) or {"items": []})["items"]

    def create(self, path, body):
        status, answer = self.call("POST", path, body)
        assert status == 201, (path, status, answer)
        return answer

    def patch(self, path, body):
        status, answer = self.call("PATCH", path, body, MERGE_PATCH)
        assert status == 200, (path, status, answer)
        return answer

    def delete(self, path, grace=None):
        """Also where it is gone already."""
        body = {} if grace is None else {"gracePeriodSeconds": grace}
        status, answer = self.call("DELETE", path, {"propagationPolicy": "Background", **body})
        assert status in (200, 202, 404), (path, status, answer)
