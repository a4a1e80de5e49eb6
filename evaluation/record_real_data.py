#!/usr/bin/python3
"""Records trainings on real data by programs that are not ours: scikit-learn, XGBoost and PyTorch on the data sets that
come with scikit-learn's package. evaluation/recordings is a test set: no constant of slaq is ever fitted to it.

Each recording is the loss after each iteration, iteration 0 being the model before training. All seeds are fixed and
everything runs on one thread, so that a second recording on the same machine gives the same losses.
"""
import argparse
import itertools
import math
import os
import pathlib
import warnings
from dataclasses import dataclass, field
from typing import Callable

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import real_trainings as real  # noqa: E402
import runs  # noqa: E402
import torch_trainings as nets  # noqa: E402
from record import settled, write  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "recordings"
LEAST = 60  # iterations
MOST = 300
STEADY = 0.001  # losses that never rise by more than this share of their range count as convex, as in traces_test.py


@dataclass(frozen=True)
class Training:
    kind: str  # the kind of training, which a workload draws before it draws one of its recordings
    convergence: str  # what the owner of such a job would write into its manifest
    losses: Callable  # gives a generator of losses, the first of them before training
    settings: dict = field(default_factory=dict)
    iterations: int = MOST


def trainings():
    """Every recording, in the order of the index."""
    def of(kind, convergence, losses, *variants, iterations=MOST):
        return [Training(kind, convergence, losses, settings, settings.pop("iterations", iterations))
                for settings in map(dict, variants)]

    return [
        *of("sgd-classifier", "Auto", real.sgd_classifier,
            {"data": "breast_cancer", "loss": "log_loss", "rate": 0.0003},
            {"data": "digits", "loss": "log_loss", "rate": 0.0003},
            {"data": "wine", "loss": "log_loss", "rate": 0.003},
            {"data": "iris", "loss": "modified_huber", "rate": 0.0005},
            {"data": "breast_cancer", "loss": "hinge", "rate": 0.0001}),
        *of("sgd-regressor", "Auto", real.sgd_regressor,
            {"data": "diabetes", "loss": "squared_error", "rate": 0.0005},
            {"data": "diabetes", "loss": "huber", "rate": 0.001},
            {"data": "linnerud", "loss": "squared_error", "rate": 0.002},
            {"data": "digits", "loss": "squared_error", "rate": 0.0001}),
        *of("mlp-classifier", "NonConvex", real.mlp_classifier,
            {"data": "digits", "solver": "sgd", "rate": 0.01, "hidden": (32,), "iterations": 150},
            {"data": "breast_cancer", "solver": "adam", "rate": 0.001, "hidden": (16,)},
            {"data": "wine", "solver": "sgd", "rate": 0.02, "hidden": (8, 8)},
            {"data": "iris", "solver": "adam", "rate": 0.003, "hidden": (10,)}),
        *of("gradient-boosting", "Auto", real.boosted_classifier,
            {"data": "breast_cancer", "rate": 0.05, "depth": 2},
            {"data": "wine", "rate": 0.03, "depth": 2},
            {"data": "iris", "rate": 0.02, "depth": 1},
            {"data": "digits", "rate": 0.1, "depth": 2, "subsample": 0.3, "trees": 80},
            {"data": "breast_cancer", "rate": 0.05, "depth": 2, "held_out": True}),
        *of("gradient-boosting-regressor", "Auto", real.boosted_regressor,
            {"data": "diabetes", "rate": 0.05, "depth": 3},
            {"data": "diabetes", "rate": 0.02, "depth": 4, "subsample": 0.5},
            {"data": "linnerud", "rate": 0.03, "depth": 2},
            {"data": "digits", "rate": 0.1, "depth": 3}),
        *of("logistic-regression", "Sublinear", real.logistic_regression,
            {"data": "breast_cancer", "solver": "saga", "penalty": 0.01},
            {"data": "digits", "solver": "saga", "penalty": 0.1, "iterations": 100},
            {"data": "breast_cancer", "solver": "lbfgs", "penalty": 1e-4, "iterations": 120},
            {"data": "iris", "solver": "lbfgs", "penalty": 1e-5, "iterations": 100}),
        *of("mini-batch-k-means", "NonConvex", real.mini_batch_k_means,
            {"data": "digits", "clusters": 10, "batch": 50},
            {"data": "digits", "clusters": 40, "batch": 100},
            {"data": "breast_cancer", "clusters": 8, "batch": 20},
            {"data": "wine", "clusters": 6, "batch": 15}),
        *of("gaussian-mixture", "Auto", real.gaussian_mixture,
            {"data": "digits", "parts": 12, "covariance": "diag"},
            {"data": "breast_cancer", "parts": 8, "covariance": "diag"},
            {"data": "diabetes", "parts": 10, "covariance": "diag"},
            {"data": "wine", "parts": 5, "covariance": "spherical"}),
        *of("online-lda", "NonConvex", real.online_lda,
            {"topics": 10, "batch": 50, "iterations": 80},
            {"topics": 20, "batch": 100, "iterations": 80}),
        *of("nmf", "Auto", real.nmf,
            {"data": "digits", "parts": 16},
            {"data": "digits", "parts": 40},
            {"data": "breast_cancer", "parts": 8},
            {"data": "wine", "parts": 4}),
        *of("xgboost", "Auto", real.xgboost_training,
            {"data": "breast_cancer", "objective": "binary:logistic", "eta": 0.05, "depth": 3},
            {"data": "digits", "objective": "multi:softprob", "eta": 0.1, "depth": 3, "trees": 120},
            {"data": "wine", "objective": "multi:softprob", "eta": 0.05, "depth": 2},
            {"data": "breast_cancer", "objective": "binary:logistic", "eta": 0.1, "depth": 4, "held_out": True}),
        *of("xgboost-regression", "Auto", real.xgboost_training,
            {"data": "diabetes", "objective": "reg:squarederror", "eta": 0.05, "depth": 3},
            {"data": "diabetes", "objective": "reg:squarederror", "eta": 0.03, "depth": 3, "held_out": True},
            {"data": "linnerud", "objective": "reg:squarederror", "eta": 0.02, "depth": 2},
            {"data": "digits", "objective": "reg:squarederror", "eta": 0.1, "depth": 4}),
        *of("torch-perceptron", "NonConvex", nets.training,
            {"data": "digits", "net": "perceptron", "optimizer": "sgd", "rate": 0.1, "iterations": 200},
            {"data": "digits", "net": "perceptron", "optimizer": "momentum", "rate": 0.002, "schedule": "steps",
             "iterations": 200},
            {"data": "breast_cancer", "net": "perceptron", "optimizer": "adam", "rate": 0.0005},
            {"data": "wine", "net": "perceptron", "optimizer": "rmsprop", "rate": 0.0005},
            {"data": "diabetes", "net": "perceptron", "optimizer": "adam", "rate": 0.001, "held_out": True},
            {"data": "digits", "net": "perceptron", "optimizer": "sgd", "rate": 0.1, "each": "step"}),
        *of("torch-convolution", "NonConvex", nets.training,
            {"data": "digits", "net": "convolution", "optimizer": "adam", "rate": 0.001, "iterations": 80},
            {"data": "digits", "net": "convolution", "optimizer": "momentum", "rate": 0.003, "schedule": "cosine",
             "iterations": 80},
            {"data": "digits", "net": "convolution", "optimizer": "sgd", "rate": 0.05, "each": "step",
             "iterations": 200}),
        *of("torch-autoencoder", "NonConvex", nets.training,
            {"data": "digits", "net": "autoencoder", "optimizer": "adam", "rate": 0.002, "iterations": 150},
            {"data": "digits", "net": "autoencoder", "optimizer": "momentum", "rate": 0.1, "schedule": "cosine",
             "iterations": 200},
            {"data": "breast_cancer", "net": "autoencoder", "optimizer": "adam", "rate": 0.003}),
        *of("torch-recurrent", "NonConvex", nets.training,
            {"data": "digits", "net": "recurrent", "optimizer": "adam", "rate": 0.003, "iterations": 70},
            {"data": "digits", "net": "recurrent", "optimizer": "momentum", "rate": 0.05, "schedule": "steps",
             "iterations": 70},
            {"data": "digits", "net": "recurrent", "optimizer": "adam", "rate": 0.002, "each": "step",
             "iterations": 150}),
    ]


def named(table):
    """(name, training) pairs: numbered within their kind."""
    counts = {}
    for training in table:
        counts[training.kind] = counts.get(training.kind, 0) + 1
        yield f"{training.kind}-{counts[training.kind]:02}", training


def steady(losses):
    """Whether the loss hardly ever rises."""
    span = losses[0] - min(losses)
    return all(after - before < STEADY * span for before, after in zip(losses, losses[1:]))


def record(training):
    """The (iteration, loss) pairs up to where the training has settled."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        losses = [float(loss) for loss in itertools.islice(training.losses(**training.settings),
                                                           training.iterations + 1)]
    if not all(map(math.isfinite, losses)) or min(losses) >= losses[0]:
        raise ValueError(f"{training} does not train: {losses[:3]} ... {losses[-3:]}")
    return settled(list(enumerate(losses)), LEAST)


def write_index(folder, rows):
    """Of (name, training, pairs) rows; in the columns of evaluation/traces/index.csv."""
    lines = ["name,algorithm,convex,convergence,iterations"]
    for name, training, pairs in rows:
        convex = "yes" if steady([loss for _, loss in pairs]) else "no"
        lines.append(f"{name},{training.kind},{convex},{training.convergence},{pairs[-1][0]}")
    (folder / "index.csv").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", default=FOLDER, type=pathlib.Path)
    options = parser.parse_args()
    options.output.mkdir(exist_ok=True)
    table = list(named(trainings()))
    bar = runs.Bar("recordings", len(table))
    rows = []
    for name, training in table:
        pairs = record(training)
        write(options.output, {"name": name}, pairs)
        rows.append((name, training, pairs))
        bar.step()
    write_index(options.output, rows)


if __name__ == "__main__":
    main()
