"""Figures 1 and 5: what the losses themselves look like."""
import csv

import numpy
import workloads
from figures import style

SHORT = {"logistic-regression": "LogReg", "linear-regression": "LinReg", "linear-svm": "SVM",
         "polynomial-svm": "SVM poly", "k-means": "K-Means", "boosted-trees": "GBT",
         "boosted-trees-regression": "GBT reg", "perceptron": "MLPC", "lda": "LDA"}
FOUR = ("logistic-regression", "linear-svm", "lda", "perceptron")
REDUCTIONS = range(0, 101)


def losses(name):
    with (workloads.TRACES / f"{name}.csv").open() as file:
        return numpy.array([float(row["loss"]) for row in csv.DictReader(file)])


def _time_to(curve):
    """The percentage of all iterations until each percentage of the whole reduction."""
    level = (curve - curve.min()) / (curve[0] - curve.min())
    reached = [numpy.argmax(level <= 1 - percent / 100 + 1e-12) for percent in REDUCTIONS]
    return 100 * numpy.array(reached) / (len(curve) - 1)


def figure1():
    figure, ax = style.axes()
    for algorithm, colour in zip(FOUR, style.CYCLE):
        rows = workloads.traces(True, algorithm)
        ax.plot(REDUCTIONS, numpy.mean([_time_to(losses(row["name"])) for row in rows], axis=0),
                label=SHORT[algorithm], color=colour)
    ax.set(xlabel="loss reduction, %", ylabel="time, % of the whole training", xlim=(0, 100), ylim=(0, 100))
    ax.legend()
    style.save(figure, "figure-1")


def _normalized_changes(curve, count):
    """Each change of the loss over the largest one."""
    changes = -numpy.diff(curve)[:count]
    return changes / changes.max()


def figure5(count=60):
    figure, ax = style.axes()
    for algorithm, colour in zip(workloads.algorithms(), style.CYCLE):
        rows = workloads.traces(True, algorithm)
        mean = numpy.mean([_normalized_changes(losses(row["name"]), count) for row in rows], axis=0)
        ax.plot(range(1, count + 1), mean, label=SHORT[algorithm], color=colour, linewidth=1.2)
    ax.set(xlabel="iteration", ylabel="normalized change of loss", xlim=(1, count), ylim=(0, 1))
    ax.legend(ncols=2, fontsize=8)
    style.save(figure, "figure-5")
