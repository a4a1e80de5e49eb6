"""What the controller does while so many of its jobs change."""
import os
import statistics
import time

from harness.progress import say, wait_until

SETTLED_EPOCHS = 3
NEWS_PATIENCE = 900
FEW = 0.002  # of the jobs: some go on to learn
DRIFTS_OF_AN_EPOCH = 25  # statuses of which only numbers changed; the controller writes five a second


class Load:
    def __init__(self, text, count, share):
        self.text, self.count, self.share = text, count, share

    @classmethod
    def read(cls, text):
        share = float(text[:-1]) / 100 if text.endswith("%") else None
        if share is not None and not 0 <= share <= 0.25:
            raise ValueError(f"{text}: at most 25% of the jobs can change, those that are pinned")
        return cls(text, None if share is not None else int(text), share)

    def of(self, jobs):
        """Jobs that change; an even number, so that as many grow as shrink."""
        count = self.count if self.share is None else round(jobs * self.share)
        count = min(count + count % 2, jobs // 4)
        return count - count % 2


def spread(values):
    if not values:
        return None
    ordered = sorted(values)
    return {"median": statistics.median(ordered), "p95": ordered[max(0, -(-95 * len(ordered) // 100) - 1)],
            "most": ordered[-1]}


def start(controller, observer, rig, count, given):
    """Until all trainings run, from nothing or from the jobs of the size before, and until all statuses say so."""
    told = lambda: observer.count(lambda state, ready: state == "Running" and ready > 0)
    wait_until("all jobs run", lambda: (n := rig.trainings()) >= count or f"{n} of {count}", given.patience,
               every=1)
    all_run, said = time.time() - controller.began, told()
    say(f"{count} jobs: all run after {all_run:.0f} s, and the statuses of {said} say so")
    wait_until("all statuses say so", lambda: (n := told()) >= count or f"{n} of {count}", given.status_seconds)
    return {"secondsUntilAllRun": all_run, "statusesThatSaySo": said, "statusesAtLast": told(),
            "secondsUntilAllSaySo": time.time() - controller.began, "epochs": len(controller.epochs)}


def settle(controller, patience=60):
    """Until hardly anybody is resized any more, and the statuses and events of what came before are sent, which takes
    minutes after thousands of starts; but not for ever."""
    def quiet():
        last = controller.epochs[-SETTLED_EPOCHS:]
        actions = [epoch.actions for epoch in last]
        return len(last) == SETTLED_EPOCHS and sum(actions) <= FEW * last[-1].jobs or f"actions {actions}"

    def told():
        before = controller.requests()
        next_epoch(controller, patience)
        sent = difference(before, controller.requests())
        events = sum(count for name, count in sent.items() if name.endswith(" events"))
        statuses = max(0, sent.get("patch trainingjobs", 0) - DRIFTS_OF_AN_EPOCH)
        return events + statuses <= FEW * controller.epochs[-1].jobs or f"{events + statuses:.0f} in an epoch"
    settled = wait_until("nobody is resized", quiet, patience)
    wait_until("no event and no status waits", told, NEWS_PATIENCE)
    return settled


def next_epoch(controller, patience):
    seen = len(controller.epochs)
    wait_until("the next epoch", lambda: len(controller.epochs) > seen, patience)


class Round:
    """So many jobs change at once, and it is waited for what follows, but not for ever."""

    def __init__(self, changing, observer, jobs, seconds):
        begun = time.monotonic()
        changes = jobs.change(changing)
        self.patching = time.monotonic() - begun
        for what, ages in (("their statuses", observer.ages), ("their workers", observer.ready_ages)):
            wait_until(what, lambda: (n := len(ages(changes))) >= changing or f"{n} of {changing}", seconds)
        self.changing, self.ages, self.ready_ages = changing, observer.ages(changes), observer.ready_ages(changes)


def measure(load, controller, observer, jobs, count, given):
    changing = load.of(count)
    settled = settle(controller)
    say(f"{count} jobs: {changing} of them change at once")
    requests, took, received = controller.requests(), controller.seconds_of_requests(), controller.received()
    first = len(controller.epochs)
    rounds = []
    if not changing:
        wait_until("epochs without a change", lambda: len(controller.epochs) >= first + given.epochs, given.patience)
    for _ in range(given.rounds if changing else 0):
        next_epoch(controller, given.patience)
        rounds.append(Round(changing, observer, jobs, given.round_seconds))
    epochs, before = controller.epochs[first:], controller.epochs[first - 1]
    bytes_now, sent = controller.received(), difference(requests, controller.requests())
    seconds = difference(took, controller.seconds_of_requests())
    return {"load": load.text, "changing": changing, "settled": settled, **figures(epochs, before), **of_rounds(rounds),
            "requests": sent, "secondsOfRequests": seconds, "requestsOfAnEpoch": sum(sent.values()) / max(1, len(epochs)),
            "bytesReceivedOfAnEpoch": sum(difference(received, bytes_now).values()) / max(1, len(epochs)),
            "resident": controller.memory()["resident"], "loadAverage": os.getloadavg()[0]}


def of_rounds(rounds):
    all_of = lambda name: [age for each in rounds for age in getattr(each, name)]
    late = lambda name: sum(each.changing - len(getattr(each, name)) for each in rounds)
    return {"secondsOfPatchingTrainingJobs": [each.patching for each in rounds],
            "statusAge": spread(all_of("ages")), "workersReadyAge": spread(all_of("ready_ages")),
            "notToldInTime": late("ages"), "notReadyInTime": late("ready_ages")}


def figures(epochs, before):
    """The mean of all epochs, and the one that had most to do."""
    largest = max(epochs, key=lambda epoch: (epoch.actions, epoch.seconds))
    mean = lambda name: statistics.mean(getattr(epoch, name) for epoch in epochs)
    return {"epochs": len(epochs),
            "mean": {name: mean(name) for name in ("observe", "decide", "apply", "seconds", "actions")},
            "largest": {name: getattr(largest, name) for name in ("observe", "decide", "apply", "seconds", "actions")},
            "actions": sum(epoch.actions for epoch in epochs),
            "secondsOfApply": sum(epoch.apply for epoch in epochs),
            "cpuOfAnEpoch": (epochs[-1].cpu - before.cpu) / len(epochs),
            "secondsBetweenEpochs": (epochs[-1].at - before.at) / len(epochs)}


def difference(before, after):
    return {name: count - before.get(name, 0) for name, count in after.items() if count > before.get(name, 0)}
