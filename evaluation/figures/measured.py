"""Figures 10(b) and 10(c): the cost of an iteration by workers, and of a division by jobs and cores."""
from figures import style
from measurements import WORKERS

# As slaq-bench calls them: the label and the line. Those that it does not measure are not drawn.
WAYS = {"Algorithm1OfFallingGains": ("Algorithm 1", "--"), "AllocateByPrice": ("by a price", "-")}
JOBS = (1000, 2000, 4000)
CORES = (8000, 16000, 32000)


def figure10b(iterations):
    figure, ax = style.axes()
    for (model, seconds), colour in zip(iterations.items(), style.CYCLE):
        ax.plot(WORKERS, seconds, label=f"model of {model}", color=colour, marker="o", markersize=3)
    ax.set(xlabel="workers", ylabel="CPU time of an iteration, s")
    style.logarithmic("y", ax)
    ax.set_xticks(WORKERS)
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    style.save(figure, "figure-10b")


def figure10c(divisions):
    """divisions: [way, jobs, cores, milliseconds] rows; one line for each way and number of jobs."""
    figure, ax = style.axes()
    for (way, (label, dash)) in WAYS.items():
        for jobs, colour in zip(JOBS, style.CYCLE):
            line = sorted((cores, time) for name, count, cores, time in divisions if (name, count) == (way, jobs))
            if not line:
                continue
            ax.plot(*zip(*line), label=f"{label}, {jobs:,} jobs", color=colour, linestyle=dash, marker="o",
                    markersize=3)
    ax.set(xlabel="cores", ylabel="time of a division, ms")
    style.logarithmic("y", ax)
    style.logarithmic("x", ax)
    ax.set_xticks(CORES, [f"{cores:,}" for cores in CORES])
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    style.save(figure, "figure-10c")
