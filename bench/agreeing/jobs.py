"""The jobs that run for real and in virtual time, and the manifests that `slaq run` takes."""

MOST = 6  # workers of one job
ALL = 8  # workers that there are cores for
WORKER = 0.125  # cores: of two, half are left, so that nobody waits for one
LINGER = 0.5  # seconds that a trainer stays after its end, to be read

# Trainings that compute much for each byte of their rows: where all cores wait for one memory, an iteration takes
# another CPU time with every number of workers, and from one minute to the next. No two are alike: which of these
# gets a core first would be decided by a millisecond, in both worlds.
JOBS = {
    "svm": "--algorithm=polynomial-svm --rows=180000 --features=50 --learning-rate=0.1",
    "trees": "--algorithm=boosted-trees --rows=500000 --features=20 --trees=1000",
    "kmeans": "--algorithm=k-means --rows=300000 --features=20 --clusters=500",
    "ranks": "--algorithm=boosted-trees-regression --rows=900000 --features=20 --trees=1000",
}
ITERATIONS = {"svm": 100, "trees": 120, "kmeans": 40, "ranks": 120}
MEASURED = {"svm": 200, "trees": 240, "kmeans": 80, "ranks": 160}  # in a run of its own: 90 s

JOB = """apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {{name: {name}}}
spec:
  workers:
    minReplicas: 1
    maxReplicas: {most}
    template:
      spec:
        containers:
        - name: worker
          command: [slaq-trainer]
          args: [worker]
          resources: {{requests: {{cpu: {cpu}m}}, limits: {{cpu: {cpu}m}}}}
  driver:
    template:
      spec:
        containers:
        - name: driver
          command: [slaq-trainer]
          args: [driver, {arguments}, --tolerance=0, --linger={linger}, "--history={history}"]
          ports: [{{name: driver, containerPort: 7070}}, {{name: metrics, containerPort: 9464}}]
          resources: {{requests: {{cpu: 1m}}, limits: {{cpu: 400m}}}}
"""

# Uses its cores and learns nothing.
BUSY = """apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {{name: {name}}}
spec:
  workers:
    minReplicas: {workers}
    maxReplicas: {workers}
    template:
      spec:
        containers:
        - name: main
          command: [timeout, --preserve-status, "{seconds}", sh, -c, "trap 'exit 0' TERM; while :; do :; done"]
          resources: {{requests: {{cpu: {cpu}m}}, limits: {{cpu: {cpu}m}}}}
"""


def write_job(path, name, history, iterations):
    arguments = ", ".join(JOBS[name].split())
    path.write_text(JOB.format(name=name, most=MOST, linger=LINGER, history=history, cpu=round(1000 * WORKER),
                               arguments=f"{arguments}, --iterations={iterations}"))
    return path


def write_busy(path, name, workers, seconds):
    path.write_text(BUSY.format(name=name, workers=workers, seconds=seconds, cpu=round(1000 * WORKER)))
    return path
