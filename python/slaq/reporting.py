"""Keeps the newest loss of this process with its iteration, and exports both to Prometheus where slaq reads them."""
import atexit
import math
import os
import sys
import time

LINGER_SECONDS = 2.0  # how long the end of a program waits for its last loss to be read


def report(loss, iteration=None):
    """Exports `loss`, anything that float() takes, as the loss after `iteration`.

    Without `iteration` reports are counted from 1 on. Iteration 0 is before the first one: its loss is also exported as
    slaq_training_initial_loss. Call it from one thread at a time. It never ends a training: what keeps the loss from being
    exported is told in one line on standard error.
    """
    _exporter.report(loss, iteration)


def last_iteration():
    """The iteration that was reported last; -1 if there is none."""
    return _exporter.progress.iteration


def tell(sentence):
    """Writes a line to standard error if this process exports its loss; nobody else wants to know."""
    if _exporter.exports():
        print(f"slaq: {sentence}", file=sys.stderr, flush=True)


def leave_at_once():
    """Lets the program end without waiting for its last loss to be read: another process goes on with the training."""
    atexit.unregister(_exporter.wait_for_reader)


def port_for(environment):
    """The port, as text, on which a process with this environment exports its loss; None if it does not.

    slaq reads the chief: the driver or worker 0. Each of its pods may run several processes, of which the first exports.
    torchrun numbers workers as they come, so that rank 0 need not be at worker 0: LOCAL_RANK counts there, and not RANK.
    """
    index, local, rank = (environment.get(name) for name in ("SLAQ_WORKER_INDEX", "LOCAL_RANK", "RANK"))
    if index is None:
        is_first = {local, rank} <= {None, "0"}
    else:
        is_first = index == "0" and (local or rank or "0") == "0"
    return environment.get("SLAQ_METRICS_PORT") or None if is_first else None


class Reported:
    """A loss with its iteration, and whether a reader has got them."""

    def __init__(self, iteration, loss):
        self.iteration, self.loss, self.is_read = iteration, loss, False


class Progress:
    """The newest loss with its iteration: one thread replaces them while others read them."""

    def __init__(self):
        self._now = None  # one assignment, so that no reader sees the loss of one iteration and the number of another
        self._initial = None

    @property
    def iteration(self):
        return -1 if self._now is None else self._now.iteration

    def set(self, iteration, loss):
        if iteration == 0 and self._initial is None:
            self._initial = loss
        self._now = Reported(iteration, loss)

    def send(self, write):
        """Gives `write` the metrics as text. They count as read once it returns, be others reported meanwhile."""
        now = self._now
        write(metrics_text(now and (now.iteration, now.loss), self._initial))
        if now:
            now.is_read = True

    def is_read(self):
        return self._now is None or self._now.is_read


def metrics_text(now, initial):
    """`now`, an iteration and a loss or None, in Prometheus' text format."""
    if now is None:
        return ""
    families = [("slaq_training_iterations_total", "counter", "Completed iterations.", now[0]),
                ("slaq_training_loss", "gauge", "Loss after them.", now[1])]
    if initial is not None:
        families.append(("slaq_training_initial_loss", "gauge", "Loss before the first.", initial))
    return "".join(f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n{name} {number(value)}\n"
                   for name, kind, meaning, value in families)


def number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value)


class Exporter:
    """Serves the progress from the first report on, if this process is the one to do it."""

    def __init__(self):
        self.progress = Progress()
        self._is_begun = False
        self._server = None
        self._has_refused = False

    def exports(self):
        if not self._is_begun:
            self._is_begun = True
            self._begin(port_for(os.environ))
        return self._server is not None

    def report(self, loss, iteration):
        if not self.exports():
            return
        try:
            self.progress.set(max(self.progress.iteration, 0) + 1 if iteration is None else int(iteration), float(loss))
        except (TypeError, ValueError, OverflowError, RuntimeError) as error:
            self._refuse(loss, iteration, error)

    def wait_for_reader(self):
        end = time.monotonic() + LINGER_SECONDS
        while self._server and not self.progress.is_read() and time.monotonic() < end:
            time.sleep(0.02)

    def _refuse(self, loss, iteration, error):
        if not self._has_refused:
            self._has_refused = True
            what = f"{loss!r}".split("\n", maxsplit=1)[0][:60]
            tell(f"the loss of report({what}, {iteration!r}) is not exported: {error}".replace("\n", " "))

    def _begin(self, port):
        if port is None:
            return
        from slaq import serving  # pylint: disable=import-outside-toplevel  # nothing is loaded outside slaq
        try:
            self._server = serving.serve(int(port), self.progress)
        except (OSError, ValueError, OverflowError) as error:
            problem = getattr(error, "strerror", None) or error
            print(f"slaq: the loss is not exported, since port {port} cannot be listened on: {problem}. The training runs on.",
                  file=sys.stderr, flush=True)
            return
        atexit.register(self.wait_for_reader)
        os.register_at_fork(after_in_child=self._leave_to_parent)

    def _leave_to_parent(self):
        """A forked process has the socket, but not the thread that answers: readers would wait for it in vain."""
        if self._server:
            self._server.socket.close()
            self._server = None


_exporter = Exporter()
