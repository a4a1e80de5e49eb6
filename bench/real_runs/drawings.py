"""Which jobs run together: drawings of seeds, by row of the table."""
import random
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEMONSTRATION = [ROOT / f"examples/{name}.yaml" for name in ("logreg", "kmeans", "linreg")]
ALGORITHMS = sorted((ROOT / "examples/algorithms").glob("*.yaml")) + DEMONSTRATION
# Kind of bench/programs/train, and the seconds that an iteration of it waits for data. One takes some 50 ms of CPU.
PROGRAMS = [("torch-convolution", 0), ("torch-recurrent", 0), ("torch-autoencoder", 0), ("torch-perceptron", 0),
            ("torch-recurrent", 0.05), ("sklearn-perceptron", 0), ("sklearn-lda", 0), ("sklearn-nmf", 0)]
SWEPT = ["torch-convolution", "torch-recurrent", "torch-autoencoder", "torch-perceptron", "sklearn-perceptron"]
MANIFEST = """apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {{name: {name}}}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 1
    scaling: CPU
    cpu: {{min: 100m, max: "1"}}
    template:
      spec:
        containers:
        - name: trainer
          image: none
          command: [{root}/bench/programs/train]
          args: ["{kind}", "--iterations={iterations}", "--wait={wait}", "--rate={rate}"]
          env:
          - {{name: OMP_NUM_THREADS, value: "1"}}
          - {{name: OPENBLAS_NUM_THREADS, value: "1"}}
          ports:
          - {{name: metrics, containerPort: 9464}}
          resources: {{requests: {{cpu: 500m}}}}
"""


@dataclass(frozen=True)
class Drawing:
    files: list  # of manifests, in the order of arrival; one job each
    interarrival: float  # seconds


def _file(name, directory, **program):
    file = directory / f"{name}.yaml"
    file.write_text(MANIFEST.format(name=name, root=ROOT, **{"wait": 0, "rate": 1} | program), encoding="utf-8")
    return file


def _programs(chosen, iterations, interarrival, directory):
    return Drawing([_file(f"{kind}{'-waiting' if wait else ''}", directory, kind=kind, wait=wait, iterations=iterations)
                    for kind, wait in chosen], interarrival)


def _sweep(chance, directory):
    """One program with six learning rates, all submitted at once, as the lines of a file of commands are."""
    kind = chance.choice(SWEPT)
    rates = [2 ** chance.uniform(-4, 3) for _ in range(6)]
    return Drawing([_file(f"{kind}-{i}", directory, kind=kind, iterations=250, rate=round(rate, 4))
                    for i, rate in enumerate(rates)], 0)


# By row: how a drawing of it is made.
ROWS = {
    "algorithms": lambda chance, _: Drawing(chance.sample(ALGORITHMS, 5), 3),
    "short programs": lambda chance, into: _programs(chance.sample(PROGRAMS, 6), 120, 1, into),
    "long programs": lambda chance, into: _programs(chance.sample(PROGRAMS, 6), 450, 3, into),
    "sweep": _sweep,
    "demonstration": lambda chance, _: Drawing(DEMONSTRATION, 15),
}


# The paper's policy decides by the paper's forecasts.
PREDICTORS = {"TotalQuality": "Published"}

# The manifests of these rows name images, so that a cluster can run them.
WITH_IMAGES = {"algorithms", "demonstration"}


def draw(row, seed, directory):
    """The drawing of that row and seed; what it needs is written to the directory."""
    return ROWS[row](random.Random(f"{row} {seed}"), directory)
