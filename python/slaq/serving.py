"""An HTTP server for one text, by the standard library: Prometheus needs no more."""
import http.server
import socket
import socketserver
import threading


def serve(port, progress):
    """Serves the progress by threads that end with the process. Raises OSError if the port cannot be listened on."""
    try:
        server = Server(socket.AF_INET6, "::", port, progress)  # takes connections of IPv4, too
    except OSError:
        server = Server(socket.AF_INET, "0.0.0.0", port, progress)  # on a machine without IPv6
    threading.Thread(target=server.serve_forever, name="slaq", daemon=True).start()
    return server


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True  # a training that is started again finds the port of its predecessor free
    daemon_threads = True
    block_on_close = False

    def __init__(self, family, address, port, progress):
        self.address_family = family
        self.progress = progress
        super().__init__((address, port), Handler)

    def server_bind(self):
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()

    def process_request(self, request, client_address):
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # a program that ends starts no thread any more, but its last loss is still to be read
            self.process_request_thread(request, client_address)

    def handle_error(self, request, client_address):
        """A reader that went away is no matter of the training's output."""


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 5  # seconds that a reader may stall
    server_version = "slaq"
    sys_version = ""

    def do_GET(self):
        self.server.progress.send(self._answer)

    def _answer(self, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Standard error is the training's."""
