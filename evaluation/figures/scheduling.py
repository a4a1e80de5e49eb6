"""Figures 7, 8 and 9: how fast losses fall under each policy."""
import csv

import grid
import simulations
from figures import style

WINDOW = (800, 1600)  # seconds of the workload
COMPARED = (grid.OURS, grid.PUBLISHED, grid.FAIR)
REDUCTIONS = (25, 50, 75, 80, 90, 95, 99)
SHARES = {"highestQuarterShare": ("25% with the highest loss", "#d55e00"),
          "middleQuarterShare": ("next 25%", "#f0c27b"), "lowestHalfShare": ("50% with the lowest loss", "#56b4e9")}


def series(contender):
    """The columns of the contender's epochs within the window."""
    with simulations.series_file(contender).open() as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    within = [row for row in rows if WINDOW[0] <= row["seconds"] <= WINDOW[1]]
    return {key: [row[key] for row in within] for key in rows[0]}


def mean_shares(contender):
    """Of each group's share of the cores, over the window's epochs with four active jobs or more."""
    epochs = series(contender)
    full = [i for i, active in enumerate(epochs["activeJobs"]) if active >= 4]
    return {key: sum(epochs[key][i] for i in full) / len(full) for key in SHARES}


def figure7a():
    figure, ax = style.axes(width=6.4)
    for contender in reversed(COMPARED):
        epochs = series(contender)
        ax.plot([t - WINDOW[0] for t in epochs["seconds"]], epochs["averageNormalizedLoss"], label=contender.name,
                color=style.COLOURS[contender.name], linewidth=1.1)
    ax.set(xlabel="time, s", ylabel="mean normalized loss", xlim=(0, WINDOW[1] - WINDOW[0]), ylim=(0, None))
    ax.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.16))
    style.save(figure, "figure-7a")


def figure7b(results):
    figure, ax = style.axes()
    for contender in COMPARED:
        means = [results.interval(f"secondsTo{percent}", contender) for percent in REDUCTIONS]
        ax.errorbar(range(len(REDUCTIONS)), [i.mean for i in means], yerr=[i.half for i in means], capsize=2,
                    elinewidth=0.8, label=contender.name, color=style.COLOURS[contender.name], marker="o", markersize=3)
    ax.set(xlabel="loss reduction, %", ylabel="mean time to it, s", ylim=(0, None))
    ax.set_xticks(range(len(REDUCTIONS)), REDUCTIONS)
    ax.legend()
    style.save(figure, "figure-7b")


def figure8():
    figure, rows = style.axes(width=6.4, height=4.6, nrows=3, sharex=True, sharey=True)
    for ax, contender in zip(rows, COMPARED):
        epochs = series(contender)
        times = [t - WINDOW[0] for t in epochs["seconds"]]
        ax.stackplot(times, [[100 * share for share in epochs[key]] for key in SHARES],
                     labels=[label for label, _ in SHARES.values()], colors=[colour for _, colour in SHARES.values()],
                     linewidth=0)
        ax.set(ylabel="cores, %", xlim=(0, WINDOW[1] - WINDOW[0]), ylim=(0, 100))
        ax.set_title(contender.name, loc="left", fontsize=9)
    rows[-1].set_xlabel("time, s")
    rows[0].legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.12), fontsize=8)
    style.save(figure, "figure-8")


def figure9(results):
    figure, columns = style.axes(width=6.4, ncols=2)
    for ax, percent in zip(columns, (90, 95)):
        def of(contender):
            means = [results.interval(f"secondsTo{percent}", contender, arrivals=mean) for mean in grid.ARRIVALS]
            return [i.mean for i in means], [i.half for i in means]
        style.bars(ax, [f"{mean} s" for mean in grid.ARRIVALS], {c.name: of(c) for c in reversed(COMPARED)})
        ax.set(xlabel="mean time between arrivals", ylabel=f"mean time to {percent}%, s", ylim=(0, None))
    columns[0].legend(fontsize=8)
    style.save(figure, "figure-9")
