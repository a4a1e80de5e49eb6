"""The jobs that run for real and in virtual time, and the manifests that `slaq run` takes."""

MOST = 6  # workers of one job
ALL = 8  # workers that there are cores for
WORKER = 0.125  # cores: of two, half are left, so that nobody waits for one
LINGER = 0.5  # seconds that a trainer stays after its end, to be read

# Their iterations have one price, whoever runs beside them. What they compute with fits into the cache next to a core:
# a worker runs for 2.5 ms of 20, and what others have put there meanwhile would have to be fetched anew. Their rows are
# cheap: where they cost many iterations, as trees' do, workers that hand them on to each other have no steady speed.
# And rounds last for many of those 20 ms, with 60 chunks, of which each number of workers up to 6 has equal parts.
#
# They come in this order. k-means is over 90% of its way after six iterations: later its time would be that of one
# decision or two, and a few tenths of a second to either side of an epoch would double it.
JOBS = {
    "kmeans": "--algorithm=k-means --rows=300000 --features=20 --clusters=450",
    "perceptron": "--algorithm=perceptron --data=interacting-classes --features=40 --rows=400000 --hidden=32",
    "cubic": "--algorithm=polynomial-svm --rows=480000 --features=12 --degree=3 --learning-rate=0.05",
    "svm": "--algorithm=polynomial-svm --rows=720000 --features=20 --learning-rate=0.1",
}
CHUNKS = 60
ITERATIONS = {"kmeans": 60, "perceptron": 100, "cubic": 150, "svm": 80}
MEASURED = {"kmeans": 115, "perceptron": 330, "cubic": 430, "svm": 530}  # in a run of its own: 120 s
FEW = 2  # workers of its other start
STARTED = {"kmeans": 10, "perceptron": 22, "cubic": 28, "svm": 34}  # iterations then: 13 s

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
          args: [driver, {arguments}, --chunks={chunks}, --tolerance=0, --linger={linger}, "--history={history}"]
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


def write_job(path, name, history, iterations, most=MOST):
    arguments = ", ".join(JOBS[name].split())
    path.write_text(JOB.format(name=name, most=most, chunks=CHUNKS, linger=LINGER, history=history,
                               cpu=round(1000 * WORKER), arguments=f"{arguments}, --iterations={iterations}"))
    return path


def write_busy(path, name, workers, seconds):
    path.write_text(BUSY.format(name=name, workers=workers, seconds=seconds, cpu=round(1000 * WORKER)))
    return path
