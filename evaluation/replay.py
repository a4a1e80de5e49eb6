#!/usr/bin/python3
"""The paper's workload on the control plane, in real time: 160 TrainingJobs come by a Poisson process to 640 cores, at an
API server, a Prometheus and a slaq-controller that are real. Nodes, pods and trainings are played by tests/rig/fake-nodes:
each training replays the losses of a trace of the evaluation. There are three controllers, one for each of the policies
LookAhead, TotalQuality and Fair, with a namespace and 640 cores each, and the same jobs are submitted to all of them at the
same time. What is measured is seen from outside. Then `slaq simulate` gets the arrivals and the delays of pods that the
cluster had, and both are compared in evaluation/replay.json and docs/evaluation.md. It takes root, as tests/rig does, and
about as long as the workload: 50 minutes."""
import argparse
import json
import os
import pathlib
import signal
import statistics
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/rig"))

import replayed  # noqa: E402
import results  # noqa: E402
import runs  # noqa: E402
import workloads  # noqa: E402
from harness.progress import say  # noqa: E402
from replaying import cluster, figures, virtual, workload  # noqa: E402
from replaying.recorder import Recorder  # noqa: E402

TOLD_EVERY = 30  # seconds
LEAD = 5  # seconds until the workload begins
POLICIES = {each.policy: each for each in workload.CONTENDERS}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policies", default=",".join(POLICIES), metavar="NAME,...", help="side by side (%(default)s)")
    parser.add_argument("--jobs", type=int, default=workloads.JOBS, help="only the first ones (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the workload (%(default)s)")
    parser.add_argument("--arrivals", type=float, default=15, help="mean seconds between two (%(default)s)")
    parser.add_argument("--worker-cores", type=int, default=4, metavar="CORES",
                        help="of one worker: with fewer there are more pods than two cores can start in time (%(default)s)")
    parser.add_argument("--start-delay", default="1s", help="from a pod's binding until it is ready (%(default)s)")
    parser.add_argument("--stop-delay", default="200ms", help="that a pod takes to end (%(default)s)")
    parser.add_argument("--copies", type=int, default=20, help="simulations of each policy (%(default)s)")
    parser.add_argument("--most-seconds", type=float, default=7200,
                        help="after which the replay ends in any case (%(default)s)")
    parser.add_argument("--controller", default=str(TOP / "build/release/bin/slaq-controller"), metavar="PROGRAM")
    parser.add_argument("--work", type=pathlib.Path, default=TOP / "build/replay", metavar="FOLDER",
                        help="records, logs and simulations (%(default)s)")
    parser.add_argument("--output", type=pathlib.Path, default=replayed.FILE, metavar="FILE", help="figures (%(default)s)")
    parser.add_argument("--again", action="store_true", help="replay nothing; take the record of the last replay")
    given = parser.parse_args()
    check(parser, given)
    return given


def check(parser, given):
    if unknown := [each for each in given.policies.split(",") if each not in POLICIES]:
        parser.error(f"--policies: {unknown[0]} is none of {', '.join(POLICIES)}")
    if workloads.CORES % given.worker_cores or given.copies < 2 or not 1 <= given.jobs <= workloads.JOBS:
        parser.error(f"--worker-cores must divide {workloads.CORES}, --copies be 2 at least, --jobs from 1 to {workloads.JOBS}")
    for program in (runs.PROGRAM, given.controller):
        if not os.access(program, os.X_OK):
            parser.error(f"there is no {program}; `make build` compiles it")


class Replay:
    """All jobs submitted when they are due, until all trainings are over."""

    def __init__(self, up, jobs, most_seconds):
        self.up, self.jobs, self.most_seconds = up, jobs, most_seconds
        self.origin = time.time() + LEAD
        self.created = {contender.policy: {} for contender in up.contenders}
        self.told = 0
        self.loads = []  # of the machine, at each line of progress

    def run(self):
        recorder = Recorder(self.up.rig, self.origin)
        try:
            for job in self.jobs:
                self.wait(recorder, lambda: self.now() >= job.arrival)
                for policy, then in self.up.submit(job).items():
                    self.created[policy][job.name] = then - self.origin
            self.wait(recorder, lambda: all(recorder.over(cluster.namespace_of(each)) == len(self.jobs)
                                            for each in self.up.contenders))
        finally:
            recorder.close()
        return {each.policy: self.record(recorder, each) for each in self.up.contenders}

    def now(self):
        return time.time() - self.origin

    def wait(self, recorder, holds):
        while not holds() and self.now() < self.most_seconds:
            time.sleep(0.02)
            if self.now() >= self.told:
                self.told += TOLD_EVERY
                self.tell(recorder)

    def tell(self, recorder):
        self.loads.append(os.getloadavg()[0])
        over = ", ".join(f"{each.policy} {recorder.over(cluster.namespace_of(each))}" for each in self.up.contenders)
        say(f"second {self.now():.0f} of the workload: {max(map(len, self.created.values()))} of {len(self.jobs)} jobs came; "
            f"over are {over}; load {self.loads[-1]:.1f}")

    def record(self, recorder, contender):
        controller = self.up.controllers[contender.policy]
        for name, then in self.created[contender.policy].items():
            recorder.job((cluster.namespace_of(contender), name))["created"] = then
        seen = recorder.record(cluster.namespace_of(contender))
        return {**seen, "epochs": cluster.epochs_of(controller, self.origin), "cpuSeconds": cluster.cpu_of(controller),
                "surprises": controller.surprises(), "loads": self.loads}


def setting_of(given):
    return workloads.Setting(seed=given.seed, arrivals=given.arrivals)


def record_of(given, jobs, contenders):
    """Of a new replay, or the one that is kept."""
    kept = given.work / "record.json"
    if not given.again:
        with cluster.Cluster(TOP, contenders, given) as up:
            record = Replay(up, jobs, given.most_seconds).run()
        kept.write_text(json.dumps(record) + "\n")
    return json.loads(kept.read_text())


def figures_of(given, jobs, contenders, record):
    told = {}
    for contender in contenders:
        simulate = lambda delays: virtual.simulate_all(contender, jobs, record[contender.policy], delays,
                                                       given.worker_cores, given.copies, given.work / "simulations")
        told[contender.policy] = figures.of_policy(contender, jobs, record[contender.policy], given.worker_cores, simulate)
    loads = record[contenders[0].policy]["loads"]
    return {"jobs": given.jobs, "seed": given.seed, "arrivals": given.arrivals, "workerCores": given.worker_cores,
            "startDelay": given.start_delay, "stopDelay": given.stop_delay, "cpus": os.cpu_count(),
            "loadAverage": {"mean": statistics.fmean(loads), "most": max(loads)},
            "aim": figures.AIM, "aimOfMeans": figures.AIM_OF_MEANS, "policies": told}


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left running
    given.work.mkdir(parents=True, exist_ok=True)
    contenders = [POLICIES[each] for each in given.policies.split(",")]
    jobs = workload.jobs_of(setting_of(given), given.jobs)
    record = record_of(given, jobs, contenders)
    told = figures_of(given, jobs, contenders, record)
    results.write(given.output, told)
    print(replayed.text(told))
    if given.output == replayed.FILE:
        replayed.write(TOP / "docs/evaluation.md")


if __name__ == "__main__":
    main()
