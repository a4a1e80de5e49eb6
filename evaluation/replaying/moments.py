"""The cluster at regular instants: how high the losses of the active jobs are, and who has the cores."""
import bisect

WINDOW = (800, 1600)  # seconds of the workload that are drawn, as in the figures of the simulations
GROUPS = ("highestQuarterShare", "middleQuarterShare", "lowestHalfShare")


def workers_at(changes, time):
    """`changes` are (time, workers), in order."""
    place = bisect.bisect_right([then for then, _ in changes], time)
    return changes[place - 1][1] if place else 0


def shares(jobs):
    """Of (level, workers) of each active job: the shares of the workers that the quarter of the jobs with the highest
    level, the next quarter and the other half have."""
    groups = [0, 0, 0]
    ordered = sorted(jobs, key=lambda job: -job[0])
    for place, (_, workers) in enumerate(ordered):
        groups[0 if 4 * place < len(ordered) else 1 if 2 * place < len(ordered) else 2] += workers
    held = sum(groups)
    return [each / held if held else 0.0 for each in groups]


def moment(time, progressions, changes):
    """As a row of `slaq simulate --series`."""
    active = [(progression.level(time), workers_at(changes[name], time)) for name, progression in progressions.items()
              if progression.arrival <= time and (progression.ended is None or time < progression.ended)]
    mean = sum(level for level, _ in active) / len(active) if active else 0.0
    return {"seconds": time, "activeJobs": len(active), "averageNormalizedLoss": mean, **dict(zip(GROUPS, shares(active)))}


def every(seconds, progressions, changes):
    """From second 0 until the last job is over."""
    last = max((each.ended or (each.times or [each.arrival])[-1]) for each in progressions.values())
    return [moment(number * seconds, progressions, changes) for number in range(int(last // seconds) + 1)]


def at_regular_instants(rows, seconds):
    """The rows of a simulation, which come whenever it decides: of each instant the last one until then."""
    times = [row["seconds"] for row in rows]
    chosen = []
    for number in range(int(times[-1] // seconds) + 1):
        place = bisect.bisect_right(times, number * seconds)
        if place:
            chosen.append({**rows[place - 1], "seconds": number * seconds})
    return chosen


def mean_level(rows):
    """Over the instants with an active job."""
    levels = [row["averageNormalizedLoss"] for row in rows if row["activeJobs"] > 0]
    return sum(levels) / len(levels) if levels else 0.0


def within_window(rows):
    return [row for row in rows if WINDOW[0] <= row["seconds"] <= WINDOW[1]]


def mean_shares(rows):
    """Over the instants of the window with four active jobs or more."""
    full = [row for row in within_window(rows) if row["activeJobs"] >= 4]
    return [sum(row[group] for row in full) / len(full) if full else 0.0 for group in GROUPS]
