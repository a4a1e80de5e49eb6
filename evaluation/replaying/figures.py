"""The figures of a replay, and how near the simulations of it are: what evaluation/replay.json holds."""
import statistics

import workloads
from replaying import delays, moments, virtual
from replaying.progression import REDUCTIONS, progression_of

AIM = 0.15  # of each job
AIM_OF_MEANS = 0.05
OFF = (1.5, 3)  # so many times too fast or too slow
OF_JOBS = {"integral": "lossIntegralSeconds", "to90": "secondsTo90"}  # and what `slaq simulate --jobs` calls it


def _mean(values):
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def _makespan(progressions):
    ends = [each.ended for each in progressions.values()]
    return None if None in ends else max(ends)


def _resizes(record):
    return sum(before > 0 and after > 0 for job in record["jobs"].values()
               for (_, before), (_, after) in zip(job["workers"], job["workers"][1:]))


def progressions_of(jobs, record):
    return {job.name: progression_of(job, record["jobs"][job.name]) for job in jobs if job.name in record["jobs"]}


def rows_of(progressions, record):
    changes = {name: job["workers"] for name, job in record["jobs"].items()}
    return moments.every(workloads.EPOCH, progressions, changes)


def of_replay(progressions, rows, record):
    return {"meanLossIntegralSeconds": _mean(each.integral() for each in progressions.values()),
            **{f"secondsTo{percent}": _mean(each.seconds_to(percent) for each in progressions.values())
               for percent in REDUCTIONS},
            "completionSeconds": _mean(each.completion() for each in progressions.values()),
            "makespanSeconds": _makespan(progressions), "resizes": _resizes(record),
            "averageNormalizedLoss": moments.mean_level(rows),
            **dict(zip(moments.GROUPS, moments.mean_shares(rows)))}


def _near(value, middle):
    """Whether it is within the aim; 0 is near 0 alone."""
    return value is not None and middle is not None and abs(value - middle) <= AIM * middle


def _by_chance(values):
    """Of each simulation's value: whether it is near the median of the other simulations'."""
    return [_near(value, statistics.median(values[:place] + values[place + 1:])) for place, value in enumerate(values)]


def job_of(progression, answers, name):
    """One job, replayed and simulated. `byChance` is the share of the simulations that are near the others."""
    told = {"arrival": progression.arrival}
    replayed = {"integral": progression.integral(), "to90": progression.seconds_to(90)}
    for measure, key in OF_JOBS.items():
        values = [answer["jobs"][name][key] for answer in answers]
        middle = statistics.median(values)
        told[measure] = {"replay": replayed[measure], "simulated": middle, "least": min(values), "most": max(values),
                         "near": _near(replayed[measure], middle), "byChance": _mean(map(float, _by_chance(values)))}
    return told


def _columns(rows):
    """Those of a picture, for the window alone."""
    within = moments.within_window(rows)
    return {key: [round(row[key], 4) for row in within]
            for key in ("seconds", "activeJobs", "averageNormalizedLoss", *moments.GROUPS)}


def of_epochs(record):
    """How long the controller's epochs took, and how much processor time."""
    seconds = [each for _, each, _ in record["epochs"]]
    return {"count": len(seconds), "actions": sum(actions for _, _, actions in record["epochs"]),
            "meanSeconds": _mean(seconds), "longestSeconds": max(seconds), "cpuSeconds": record["cpuSeconds"]}


def speeds_off(jobs, record, worker_cores):
    """By how many times the speed that was measured of each job was ever off, at the worst."""
    off = []
    for job in jobs:
        if seen := record["jobs"].get(job.name, {}).get("measuredCost"):
            truth = job.cpu_seconds / worker_cores
            off.append(max(truth / seen[0], seen[1] / truth))
    return {"jobs": len(off), **{f"{times:g}": sum(each > times for each in off) for times in OFF}}


def of_policy(contender, jobs, record, worker_cores, simulate):
    """All of one policy. `simulate` is called with the delays that the cluster had, and gives the answers."""
    progressions = progressions_of(jobs, record)
    rows = rows_of(progressions, record)
    found = delays.samples(record)
    answers = simulate(delays.by_job(found))
    simulated = [virtual.figures_of(answer) for answer in answers]
    return {"predictor": contender.predictor,
            "replay": of_replay(progressions, rows, record),
            "simulated": {measure: [each[measure] for each in simulated] for measure in simulated[0]},
            "jobs": {name: job_of(each, answers, name) for name, each in progressions.items()},
            "delays": {name: delays.spread(values) for name, values in delays.all_of(found).items()},
            "speedsOff": speeds_off(jobs, record, worker_cores), "epochs": of_epochs(record), "surprises": record["surprises"],
            "series": _columns(rows),
            "simulatedSeries": _columns(moments.at_regular_instants(answers[0]["series"], workloads.EPOCH))}
