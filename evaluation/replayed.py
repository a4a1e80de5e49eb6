"""What replay.py found on the control plane, as tables and pictures of docs/evaluation.md; it takes the clock's time, so it
is not done here."""
import json
import pathlib
import statistics

from aims import Aim
from document import number, put, table
from figures import replayed as pictures

FILE = pathlib.Path(__file__).resolve().parent / "replay.json"
MEASURES = {"meanLossIntegralSeconds": "integral, s", "secondsTo25": "to 25%", "secondsTo50": "to 50%", "secondsTo75": "to 75%",
            "secondsTo90": "to 90%", "secondsTo95": "to 95%", "completionSeconds": "completion",
            "averageNormalizedLoss": "mean level", "resizes": "resizes"}
AIMED = ("meanLossIntegralSeconds", "secondsTo90")
GROUPS = {"highestQuarterShare": "25% with the highest loss", "middleQuarterShare": "next 25%",
          "lowestHalfShare": "50% with the lowest loss"}
PAPER_SHARES = ("60%", "18%", "22%")
PAPER_LESS = {"secondsTo90": "45%", "secondsTo95": "30%"}  # than fair, section 6.2


def read():
    return json.loads(FILE.read_text())


def difference(policy, measure):
    """Of the simulations' mean from the replay."""
    return statistics.fmean(policy["simulated"][measure]) / policy["replay"][measure] - 1


def replayed_with(told):
    """What the figures depend on besides the tree."""
    load = told["loadAverage"]
    return (f"{told['jobs']} jobs, seed {told['seed']}, arrivals of {told['arrivals']:g} s, workers of "
            f"{told['workerCores']} cores. A pod is ready {told['startDelay']} after it has a node and ends "
            f"{told['stopDelay']} after it is told to; what the control plane takes comes on top. The machine has "
            f"{told['cpus']} cores, and its load average was {load['mean']:.1f} in the mean and {load['most']:.1f} at most.")


def measures(told):
    rows = []
    for name, policy in told["policies"].items():
        rows.append([f"{name}, replayed", *(number(policy["replay"][measure]) for measure in MEASURES)])
        rows.append([f"{name}, simulated",
                     *(number(statistics.fmean(policy["simulated"][measure])) for measure in MEASURES)])
        rows.append([f"{name}, simulated, from and to", *(f"{number(min(values))} to {number(max(values))}" for values in
                                                 (policy["simulated"][measure] for measure in MEASURES))])
        rows.append([f"{name}, difference", *(f"{100 * difference(policy, measure):+.1f}%" for measure in MEASURES)])
    return table(["", *MEASURES.values()], rows)


def aims(told):
    rows = [Aim(f"{MEASURES[measure]}, {name}: a simulation from the replay", told["aimOfMeans"],
                abs(difference(policy, measure)), False).cells()
            for name, policy in told["policies"].items() for measure in AIMED]
    return table(["", "aim", "measured", "met"], rows)


def near_jobs(told):
    """How many jobs agree, and how many do by chance among the simulations."""
    rows = []
    for name, policy in told["policies"].items():
        cells = []
        for measure in ("to90", "integral"):
            each = [job[measure] for job in policy["jobs"].values()]
            within = sum(job["replay"] is not None and job["least"] <= job["replay"] <= job["most"] for job in each)
            cells += [f"{sum(job['near'] for job in each)}", f"{sum(job['byChance'] for job in each):.0f}", f"{within}"]
        rows.append([f"{name}, of {len(policy['jobs'])} jobs", *cells])
    aim = f"{100 * told['aim']:.0f}%"
    return table(["", f"to 90%: within {aim}", "a simulation among the others", "in their range",
                  f"integral: within {aim}", "a simulation among the others", "in their range"], rows)


def shares(told):
    rows = []
    for name, policy in told["policies"].items():
        rows.append([f"{name}, replayed", *(f"{100 * policy['replay'][group]:.0f}%" for group in GROUPS)])
        rows.append([f"{name}, simulated", *(f"{100 * statistics.fmean(policy['simulated'][group]):.0f}%" for group in GROUPS)])
    return table(["share of the cores", *GROUPS.values()], [*rows, ["the paper's SLAQ", *PAPER_SHARES]])


def less_than_fair(told):
    policies = told["policies"]
    if "Fair" not in policies:
        return ""
    rows = []
    for name in policies:
        if name != "Fair":
            of = lambda way: [f"{100 * (1 - way(policies[name], measure) / way(policies['Fair'], measure)):.0f}%"
                              for measure in PAPER_LESS]
            rows.append([f"{name}, replayed", *of(lambda policy, measure: policy["replay"][measure])])
            rows.append([f"{name}, simulated", *of(lambda policy, measure: statistics.fmean(policy["simulated"][measure]))])
    return table(["less time than fair", "to 90%", "to 95%"], [*rows, ["the paper's SLAQ", *PAPER_LESS.values()]])


def delays(told):
    names = {"start": "a start", "grow": "a growth", "release": "a shrink", "end": "an end"}
    rows = []
    for name, policy in told["policies"].items():
        cells = [f"{each['mean']:.2f}, {each['p95']:.2f}" if each["count"] else "" for each in
                 (policy["delays"][delay] for delay in names)]
        epochs = policy["epochs"]
        rows.append([name, *cells, f"{epochs['count']:,}", f"{1000 * epochs['meanSeconds']:.0f}",
                     f"{1000 * epochs['longestSeconds']:.0f}", f"{epochs['cpuSeconds']:.0f}"])
    return table(["", *(f"{each}, s" for each in names.values()), "epochs", "mean, ms", "longest, ms",
                  "their CPU, s"], rows)


def speeds(told):
    rows = []
    for name, policy in told["policies"].items():
        off = policy["speedsOff"]
        rows.append([name, *(str(off[key]) for key in ("jobs", "1.5", "3"))])
    return table(["jobs by what the controller measured", "measured", "ever off 1.5 times", "3 times"], rows)


TABLES = {"replayed with": replayed_with, "replayed measures": measures, "replayed aims": aims,
          "replayed shares": shares, "replayed less": less_than_fair, "replayed jobs": near_jobs,
          "replayed delays": delays, "replayed speeds": speeds}


def text(told):
    return "\n\n".join(make(told) for make in TABLES.values())


def write(path):
    told = read()
    content = path.read_text()
    for name, make in TABLES.items():
        content = put(content, name, make(told))
    path.write_text(content)
    pictures.draw(told)
