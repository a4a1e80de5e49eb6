"""What the benchmark says while it runs, on standard error."""
import sys
import time

BEGUN = time.monotonic()


def say(sentence):
    print(f"[{time.monotonic() - BEGUN:6.0f} s] {sentence}", file=sys.stderr, flush=True)


def wait_until(what, holds, patience, told=10, every=0.05):
    """False after so many seconds of waiting, which is said and no error."""
    begun = last = time.monotonic()
    while not (done := holds()) or isinstance(done, str):
        now = time.monotonic()
        if now - begun > patience:
            say(f"{what}: not after {patience:.0f} s ({done})")
            return False
        if now - last > told:
            say(f"waiting: {what} ({done})" if isinstance(done, str) else f"waiting: {what}")
            last = now
        time.sleep(every)
    return True
