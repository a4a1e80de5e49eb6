"""Figures 10(b) and 10(c): the cost of an iteration by workers, and of a division by jobs and cores."""
from figures import style
from measurements import WORKERS

NAMES = {"Algorithm1": "Algorithm 1", "LookAhead": "slaq"}
DASHES = {"Algorithm1": "--", "LookAhead": "-"}


def figure10b(iterations):
    figure, ax = style.axes()
    for (model, seconds), colour in zip(iterations.items(), style.CYCLE):
        ax.plot(WORKERS, seconds, label=f"model of {model}", color=colour, marker="o", markersize=3)
    ax.set(xlabel="workers", ylabel="CPU time of an iteration, s", yscale="log")
    ax.set_xticks(WORKERS)
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    style.save(figure, "figure-10b")


def figure10c(divisions):
    """divisions: [policy, jobs, cores, milliseconds] rows."""
    figure, ax = style.axes()
    jobs = sorted({row[1] for row in divisions})
    for policy in NAMES:
        for count, colour in zip(jobs, style.CYCLE):
            line = sorted((cores, time) for name, number, cores, time in divisions if (name, number) == (policy, count))
            if line:
                ax.plot(*zip(*line), label=f"{NAMES[policy]}, {count:,} jobs", color=colour, linestyle=DASHES[policy],
                        marker="o", markersize=3)
    ax.set(xlabel="cores", ylabel="time of a division, ms", yscale="log")
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    style.save(figure, "figure-10c")
