"""How fast the machine is while something runs on it: it is not equally fast from one minute to the next, as its
cores are shared with other programs and, where it is virtual, with other machines."""
import hashlib
import statistics
import threading
import time

EVERY = 0.25  # s
# Hashed, about a millisecond of CPU time. It fits into the cache next to a core, as what the jobs work on does: what
# waits for memory is slowed by others in another measure.
BYTES = bytes(1 << 16)
TIMES = 16


class Pace(threading.Thread):
    """Times a fixed piece of work now and then, until it is left."""

    def __init__(self):
        super().__init__(daemon=True)
        self._over = threading.Event()
        self._times = []

    def run(self):
        while not self._over.wait(EVERY):
            begin = time.thread_time()
            for _ in range(TIMES):
                hashlib.blake2b(BYTES).digest()
            self._times.append(time.thread_time() - begin)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self.join()

    def seconds(self):
        """CPU time of the work, the median; 0 if it was left too soon for any."""
        return statistics.median(self._times) if self._times else 0.0
