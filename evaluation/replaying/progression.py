"""How the loss of one job fell over time, in the measures of `slaq simulate`, from the iterations that were seen."""
import bisect
import csv
import dataclasses
import functools

import workloads

REDUCTIONS = (25, 50, 75, 80, 90, 95, 99)  # percent
ROUNDING = 1e-12  # a level that is reached but for so much is reached


@functools.cache
def levels_of(trace):
    """The normalized loss after each iteration of a trace's file."""
    with (workloads.TRACES / trace).open(newline="") as file:
        losses = [float(row["loss"]) for row in csv.DictReader(file)]
    lowest = min(losses)
    span = losses[0] - lowest
    return [(loss - lowest) / span if span > 0 else 0.0 for loss in losses]


def finishes(looks, ended, iterations):
    """When each iteration was done, the first one first, as far as the job came. `looks` are (time of the look before,
    time, iterations done) at each change; `ended` is when the training was over, or None. The iterations that were done
    between two looks ended at even distances, the last of them half an iteration before the second look, as is likely."""
    times, done = [], 0
    for before, now, count in looks:
        times += [before + (now - before) * (each - 0.5) / (count - done) for each in range(1, count - done + 1)]
        done = max(done, count)
    if ended is not None and done < iterations:
        since = times[-1] if times else looks[-1][1] if looks else ended
        times += [since + (ended - since) * each / (iterations - done) for each in range(1, iterations - done + 1)]
    return times


@dataclasses.dataclass
class Progression:
    """A job from its arrival on; its level is 1 until its first iteration is done."""
    arrival: float
    ended: float | None
    times: list  # of its iterations
    levels: list  # after each, from 0 on

    def level(self, time):
        """At an instant between its arrival and its end."""
        return self.levels[bisect.bisect_right(self.times, time)]

    def seconds_to(self, percent):
        """From arrival; None if it never came so far."""
        bound = 1 - percent / 100 + ROUNDING
        if self.levels[0] <= bound:
            return 0.0
        return next((time - self.arrival for time, level in zip(self.times, self.levels[1:]) if level <= bound), None)

    def integral(self):
        """Of the level over the time from arrival to the last iteration, in seconds."""
        starts = [self.arrival, *self.times]
        return sum(level * (after - before) for level, before, after in zip(self.levels, starts, starts[1:]))

    def completion(self):
        return None if self.ended is None else self.ended - self.arrival


def progression_of(job, seen):
    """`seen` is what the recorder noted of it."""
    levels = levels_of(job.trace)
    times = finishes(seen["looks"], seen["ended"], len(levels) - 1)
    return Progression(seen["created"], seen["ended"], times, levels)
