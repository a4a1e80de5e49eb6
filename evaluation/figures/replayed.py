"""Figures 7 and 8 of what ran on the control plane, with the simulations of the same."""
import statistics

from figures import style
from figures.scheduling import SHARES
from replaying.moments import WINDOW

REDUCTIONS = (25, 50, 75, 80, 90, 95, 99)
# The policies by the names that the other figures have for them.
NAMES = {"LookAhead": "slaq", "TotalQuality": "as published", "Fair": "fair"}


def _colour(policy):
    return style.COLOURS[NAMES[policy]]


def _times(series):
    return [time - WINDOW[0] for time in series["seconds"]]


def level(told):
    figure, rows = style.axes(width=6.4, height=4.6, nrows=len(told["policies"]), sharex=True, squeeze=False)
    for ax, (name, policy) in zip(rows[:, 0], told["policies"].items()):
        for series, dash, label in (("simulatedSeries", ":", "simulated"), ("series", "-", "replayed")):
            ax.plot(_times(policy[series]), policy[series]["averageNormalizedLoss"], dash, color=_colour(name),
                    linewidth=1.1, label=label)
        ax.set(ylabel="mean level", xlim=(0, WINDOW[1] - WINDOW[0]), ylim=(0, None))
        ax.set_title(name, loc="left", fontsize=9)
    rows[-1, 0].set_xlabel("time, s")
    rows[0, 0].legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), fontsize=8)
    style.save(figure, "replay-7a")


def reductions(told):
    figure, ax = style.axes()
    for name, policy in told["policies"].items():
        measures = [f"secondsTo{percent}" for percent in REDUCTIONS]
        ax.plot(range(len(REDUCTIONS)), [policy["replay"][each] for each in measures], "o-", markersize=3,
                color=_colour(name), label=f"{name}, replayed")
        ax.plot(range(len(REDUCTIONS)), [statistics.fmean(policy["simulated"][each]) for each in measures], ":",
                color=_colour(name), label="simulated")
    ax.set(xlabel="loss reduction, %", ylabel="mean time to it, s")
    style.logarithmic("y", ax)
    ax.set_xticks(range(len(REDUCTIONS)), REDUCTIONS)
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    style.save(figure, "replay-7b")


def cores(told):
    figure, rows = style.axes(width=6.4, height=4.6, nrows=len(told["policies"]), sharex=True, sharey=True, squeeze=False)
    for ax, (name, policy) in zip(rows[:, 0], told["policies"].items()):
        series = policy["series"]
        ax.stackplot(_times(series), [[100 * share for share in series[key]] for key in SHARES],
                     labels=[label for label, _ in SHARES.values()], colors=[colour for _, colour in SHARES.values()],
                     linewidth=0)
        ax.set(ylabel="cores, %", xlim=(0, WINDOW[1] - WINDOW[0]), ylim=(0, 100))
        ax.set_title(name, loc="left", fontsize=9)
    rows[-1, 0].set_xlabel("time, s")
    rows[0, 0].legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.12), fontsize=8)
    style.save(figure, "replay-8")


def draw(told):
    level(told)
    reductions(told)
    cores(told)
