"""Figures 6 and 10(a): how well losses are forecast."""
import forecasts
import workloads
from figures import style
from figures.traces import SHORT

LABELS = {"Strawman": "strawman", "Published": "as published", "Ensemble": "slaq"}
PAPERS_BOUND = 5  # percent, "less than 5% for all the algorithms"


def _by_algorithm(ours, error, ylabel, name, bound=None):
    figure, ax = style.axes(width=6.4)
    series = {predictor: ([100 * ours.of_algorithm(error, predictor, algorithm)
                           for algorithm in workloads.algorithms()], None) for predictor in forecasts.PREDICTORS}
    style.bars(ax, [SHORT[algorithm] for algorithm in workloads.algorithms()], series, LABELS)
    if bound:
        ax.axhline(bound, color="black", linewidth=0.8, linestyle="--", label="the paper's bound")
    ax.set(ylabel=ylabel)
    style.logarithmic("y", ax)
    ax.legend(ncols=4, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 1.16))
    style.save(figure, name)


def figure6(ours):
    _by_algorithm(ours, "rangeError", "error 10 ahead, % of the range", "figure-6a")
    figure, ax = style.axes()
    series = {predictor: ([100 * ours.overall("relativeError", predictor, horizon=horizon)
                           for horizon in forecasts.HORIZONS], None) for predictor in forecasts.PREDICTORS}
    style.bars(ax, [str(horizon) for horizon in forecasts.HORIZONS], series, LABELS)
    ax.set(xlabel="iterations ahead", ylabel="error, % of the loss")
    ax.legend()
    style.save(figure, "figure-6b")


def figure10a(ours):
    _by_algorithm(ours, "relativeError", "error 10 ahead, % of the loss", "figure-10a", PAPERS_BOUND)
