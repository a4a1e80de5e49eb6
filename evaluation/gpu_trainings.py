#!/usr/bin/python3
"""Simulates the measured GPU trainings of evaluation/gpu under each policy and writes the tables of the part "Real GPU
trainings" of docs/evaluation.md. Takes four minutes."""
import csv
import dataclasses
import functools
import pathlib
import random
import re
import statistics

import document
import runs
from figures import gpu

GPU = pathlib.Path(__file__).resolve().parent / "gpu"
FOLDER = runs.KEPT / "workloads"
WORKLOADS = (1, 2, 3, 4)
# What one decision changes moves all later ones: the figures of one run are off by some percent. So each workload is
# simulated with the published arrivals, and with arrivals that come up to so many seconds later, each by itself.
COPIES = 6
LATER = 120  # seconds
POLICIES = ("LookAhead", "TotalQuality", "MinQuality", "Fair", "LeastAttainedService", "FinishTime", "Oracle")
NAMES = {"LookAhead": "LookAhead (default)", "Oracle": "oracle"}
LOADS = (0.5, 1, 1.5, 2)
PAUSES = (0, 30, 120)  # seconds
CHECKPOINT = 600  # seconds
# A line of --changes that tells of a number of workers.
RESIZE = re.compile(r" default/(\S+)  \d+ -> (\d+) workers?\b")
# The mean completion on the four workloads in seconds, as published with the artifact.
PUBLISHED = {"Pollux": (2089, 3323, 2188, 2721), "Tiresias": (2474, 5145, 3876, 3280),
             "Optimus with an oracle": (4087, 6914, 3944, 5968)}


@dataclasses.dataclass(frozen=True)
class Setting:
    workload: int
    copy: int = 0  # 0: as published
    load: float = 1  # arrivals come so many times as fast
    pause: float = 30  # seconds for which a change stops a job
    checkpoint: float = 0  # seconds between checkpoints, to which a change falls back; 0: nothing is lost
    kinds: bool = True  # jobs of one training tell each other
    strangers: frozenset = frozenset()  # the names of the jobs that say no kind though others do
    group: str = ""  # what tells workloads with other strangers apart

    def path(self):
        kinds = ("kinds" if self.kinds else "strangers") + self.group
        checkpoint = f"-checkpoint{self.checkpoint:g}" if self.checkpoint else ""
        return FOLDER / f"gpu-{self.workload}-{self.copy}-load{self.load:g}-pause{self.pause:g}{checkpoint}-{kinds}.yaml"

    def jobs(self):
        with open(GPU / f"workload-{self.workload}.csv", encoding="utf-8") as file:
            jobs = list(csv.DictReader(file))
        generator = random.Random(f"{self.workload} {self.copy}")
        for job in jobs if self.copy else []:
            job["arrivalSeconds"] = float(job["arrivalSeconds"]) + generator.uniform(0, LATER)
        return jobs

    def text(self):
        """The pods of new workers are ready after 10 s; the program itself needs the rest of the pause."""
        lines = ["cores: 64", "epochSeconds: 60", "scrapeSeconds: 10", f"resizeSeconds: {self.pause:g}",
                 f"readySeconds: {min(10, self.pause):g}"]
        if self.checkpoint:
            lines.append(f"checkpointSeconds: {self.checkpoint:g}")
        lines.append("jobs:")
        for job in self.jobs():
            kind = f", kind: {job['curve']}" if self.kinds and job["name"] not in self.strangers else ""
            lines.append(f"  - {{name: {job['name']}, arrivalSeconds: {float(job['arrivalSeconds']) / self.load:g}, "
                         f"trace: {GPU}/curves/{job['curve']}.csv, scaling: {GPU}/scaling/{job['curve']}.csv{kind}}}")
        return "\n".join(lines) + "\n"


def settings_of(**variant):
    """One variant, of each workload and copy."""
    return [Setting(workload, copy, **variant) for workload in WORKLOADS for copy in range(COPIES)]


def _arguments(run):
    """Those of the program, and the files that it reads."""
    policy, setting = run
    curves = {job["curve"] for job in setting.jobs()}
    reads = [setting.path(), *(GPU / part / f"{curve}.csv" for part in ("curves", "scaling") for curve in sorted(curves))]
    return ["simulate", str(setting.path()), "--policy", policy], reads


def _answer(run):
    return runs.answer(*_arguments(run))


def _for_all(what, function, wanted):
    FOLDER.mkdir(parents=True, exist_ok=True)
    for _, setting in wanted:
        setting.path().write_text(setting.text())
    return dict(zip(wanted, runs.for_all(what, function, wanted)))


def simulate(wanted):
    """The answers by policy and setting."""
    return _for_all("GPU trainings", _answer, wanted)


def files(flag, wanted):
    """By policy and setting the text that the program writes into the file of a flag, such as --jobs."""
    return _for_all(f"GPU trainings, {flag}", lambda run: runs.file(flag, *_arguments(run)), wanted)


def mean(answers, policy, figure, **variant):
    return statistics.mean(figure(answers[policy, setting]) for setting in settings_of(**variant))


def integral(answer):
    return answer["meanLossIntegralSeconds"]


def to(percent):
    return lambda answer: answer["secondsToReduction"][str(percent)]["mean"]


def share_of_oracle(answers, **variant):
    """Of what the oracle takes off fair's integral, how much LookAhead takes off. Neither of them knows of kinds."""
    same = {**variant, "kinds": True}
    fair, best = (mean(answers, policy, integral, **same) for policy in ("Fair", "Oracle"))
    return (fair - mean(answers, "LookAhead", integral, **variant)) / (fair - best)


FIGURES = {"integral": integral, "to 50%": to(50), "to 90%": to(90), "to 95%": to(95), "to 99%": to(99),
           "completion": lambda answer: answer["completionSeconds"]["mean"],
           "its p95": lambda answer: answer["completionSeconds"]["p95"],
           "makespan": lambda answer: answer["makespanSeconds"]}


def policies_table(answers):
    rows = []
    for kinds in (True, False):
        for policy in POLICIES if kinds else ("LookAhead", "FinishTime"):
            name = NAMES.get(policy, policy) if kinds else f"{policy}, kinds unknown"
            figures = [f"{mean(answers, policy, figure, kinds=kinds):.0f}" for figure in FIGURES.values()]
            rows.append([name, *figures, f"{mean(answers, policy, lambda answer: answer['resizes'], kinds=kinds):.0f}"])
    return document.table(["", *(f"{name}, s" for name in FIGURES), "changes"], rows)


def variants_table(answers):
    variants = [(f"load {load:g}", {"load": load}) for load in LOADS]
    variants += [(f"pauses of {pause:g} s", {"pause": pause}) for pause in PAUSES]
    variants.append((f"checkpoints every {CHECKPOINT} s", {"checkpoint": CHECKPOINT}))
    variants.append(("kinds unknown", {"kinds": False}))
    rows = []
    for name, variant in variants:
        same = {**variant, "kinds": True}
        fair, best = (mean(answers, policy, integral, **same) for policy in ("Fair", "Oracle"))
        ours = mean(answers, "LookAhead", integral, **variant)
        fair_to_90, ours_to_90 = mean(answers, "Fair", to(90), **same), mean(answers, "LookAhead", to(90), **variant)
        rows.append([name, f"{fair:.0f}", f"{ours:.0f}", f"{best:.0f}", f"{ours / fair - 1:+.0%}",
                     f"{ours_to_90 / fair_to_90 - 1:+.0%}", f"{share_of_oracle(answers, **variant):.0%}"])
    return document.table(["", "fair, s", "LookAhead, s", "oracle, s", "integral against fair", "to 90% against fair",
                           "share of the oracle's gain"], rows)


def published_table(answers):
    rows = [[f"{name} (published)", *(f"{value:,}" for value in values), f"{statistics.mean(values):,.0f}"]
            for name, values in PUBLISHED.items()]
    for policy in ("Fair", "FinishTime", "LookAhead"):
        each = [statistics.mean(FIGURES["completion"](answers[policy, setting]) for setting in settings_of()
                                if setting.workload == workload) for workload in WORKLOADS]
        rows.append([NAMES.get(policy, policy), *(f"{value:,.0f}" for value in each), f"{statistics.mean(each):,.0f}"])
    return document.table(["mean completion, s", *(f"workload {workload}" for workload in WORKLOADS), "mean"], rows)


@functools.cache
def fastest_size(curve):
    """The number of workers with which an iteration takes the least time."""
    with open(GPU / "scaling" / f"{curve}.csv", encoding="utf-8") as file:
        return int(min(csv.DictReader(file), key=lambda row: float(row["secondsPerIteration"]))["workers"])


def stays_beyond(sizes, fastest):
    """Of each time that a job grew beyond a size until it came back or ended: how many changes put it beyond."""
    stays, inside = [], False
    for size in sizes:
        if size > fastest:
            stays = [*stays[:-1], stays[-1] + 1] if inside else [*stays, 1]
        inside = size > fastest
    return stays


def stays_of_jobs(setting, changes):
    """stays_beyond() of each job of a simulation."""
    sizes = {job["name"]: [] for job in setting.jobs()}
    for name, size in RESIZE.findall(changes):
        sizes[name].append(int(size))
    return [stays_beyond(sizes[job["name"]], fastest_size(job["curve"])) for job in setting.jobs()]


def fastest_table():
    """How many jobs were given more workers than they are fastest with, and how often, in the mean of a simulation."""
    wanted = [(policy, setting) for policy in ("LookAhead", "Fair", "Oracle") for setting in settings_of()]
    wanted += [("LookAhead", setting) for setting in settings_of(kinds=False)]
    changes = files("--changes", wanted)
    rows = []
    for policy, kinds in (("LookAhead", True), ("LookAhead", False), ("Fair", True), ("Oracle", True)):
        same = settings_of(kinds=kinds)
        jobs = [stays for setting in same for stays in stays_of_jobs(setting, changes[policy, setting])]
        counts = [len(jobs), sum(map(bool, jobs)), sum(map(len, jobs)), sum(len(stays) > 2 for stays in jobs),
                  sum(map(sum, jobs)), sum(sum(stays) > 2 for stays in jobs)]
        rows.append([NAMES.get(policy, policy) + ("" if kinds else ", kinds unknown"),
                     *(f"{count / len(same):.1f}" for count in counts)])
    return document.table(["", "jobs", "jobs ever beyond", "stays beyond", "jobs with more than two stays",
                           "changes to a size beyond", "jobs with more than two of these"], rows)


def draw(answers):
    """The same as the variants' table, to look at."""
    def means(variants):
        return {policy: [(mean(answers, policy, integral, **variant), mean(answers, policy, to(90), **variant))
                         for variant in variants] for policy in ("Fair", "LookAhead", "Oracle")}
    gpu.by_variant("gpu-loads", "load", [f"{load:g}" for load in LOADS], means([{"load": load} for load in LOADS]))
    gpu.by_variant("gpu-pauses", "pause of a change", [f"{pause:g} s" for pause in PAUSES],
                   means([{"pause": pause} for pause in PAUSES]))


def settings():
    """All that is simulated: each policy and setting once."""
    variants = [{}, *({"load": load} for load in LOADS), *({"pause": pause} for pause in PAUSES),
                {"checkpoint": CHECKPOINT}]
    wanted = [(policy, setting) for policy in POLICIES for setting in settings_of()]
    wanted += [(policy, setting) for policy in ("Fair", "LookAhead", "Oracle") for variant in variants
               for setting in settings_of(**variant)]
    wanted += [(policy, setting) for policy in ("LookAhead", "FinishTime") for setting in settings_of(kinds=False)]
    return list(dict.fromkeys(wanted))


def write(path):
    answers = simulate(settings())
    text = path.read_text()
    for name, content in (("gpu policies", policies_table(answers)), ("gpu variants", variants_table(answers)),
                          ("gpu published", published_table(answers)), ("gpu fastest", fastest_table())):
        text = document.put(text, name, content)
    path.write_text(text)
    draw(answers)


if __name__ == "__main__":
    write(runs.ROOT / "docs/evaluation.md")
