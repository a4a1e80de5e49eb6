"""What is replayed: jobs of the evaluation's workloads (workloads.py), for the cluster and for `slaq simulate`."""
import dataclasses
import itertools

import grid
import workloads

# By default as users get it: each resize is weighed by the default price, in the replay and in the simulation.
CONTENDERS = tuple(dataclasses.replace(each, price=grid.DEFAULT.price) for each in (grid.OURS, grid.PUBLISHED, grid.FAIR))
SCRAPE = 1  # seconds between two reads of the losses


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    arrival: float  # seconds
    trace: str  # the name of its file
    cpu_seconds: float  # of an iteration
    convergence: str


def jobs_of(setting, count):
    """The first ones of a workload."""
    return [Job(f"job-{number:03}", arrival, f"{trace['name']}.csv", cost, trace["convergence"])
            for number, (arrival, trace, cost) in enumerate(itertools.islice(workloads.draw(setting), count))]


def most_workers(worker_cores):
    return workloads.CORES // worker_cores


def manifest(job, worker_cores):
    """The first worker is the chief, so that all cores are for workers, as in the simulation. The kind is each job's
    own: otherwise all would be of one, since their pods run the same image."""
    cpu = {"cpu": str(worker_cores)}
    container = {"name": "trainer", "image": "fake", "ports": [{"name": "metrics", "containerPort": 9464}],
                 "resources": {"requests": cpu, "limits": cpu}}
    annotations = {"fake-nodes/trace": job.trace, "fake-nodes/cpu-seconds-per-iteration": f"{job.cpu_seconds:.4f}"}
    workers = {"minReplicas": 1, "maxReplicas": most_workers(worker_cores),
               "template": {"metadata": {"annotations": annotations}, "spec": {"containers": [container]}}}
    return {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob",
            "metadata": {"name": job.name, "labels": {"slaq.io/kind": job.name}},
            "spec": {"workers": workers, "loss": {"convergence": job.convergence}}}


def text(jobs, arrivals, delays, worker_cores):
    """The same for `slaq simulate`, whose workers are a core each: a worker of several cores is told as one that does
    so many times the work. `arrivals` are seconds, `delays` those that the cluster had; both by name."""
    lines = [f"cores: {most_workers(worker_cores)}", f"epochSeconds: {workloads.EPOCH}", f"scrapeSeconds: {SCRAPE}",
             f"lingerSeconds: {delays[jobs[0].name].end:.3f}", "endReleases: true", "resizeBlocks: false", "jobs:"]
    for job in jobs:
        own = delays[job.name]
        lines.append(f"  - {{name: {job.name}, kind: {job.name}, arrivalSeconds: {arrivals[job.name]:.3f}, "
                     f"trace: {workloads.TRACES / job.trace}, cpuSecondsPerIteration: {job.cpu_seconds / worker_cores:.6f}, "
                     f"startSeconds: {own.start:.3f}, resizeSeconds: {own.grow:.3f}, shrinkSeconds: 0, "
                     f"releaseSeconds: {own.release:.3f}, "
                     f"convergence: {job.convergence}}}")
    return "\n".join(lines) + "\n"
