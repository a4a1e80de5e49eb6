"""How all figures look: on white, so that they read alike in print and on pages of any colour."""
import pathlib

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "slaq", "font.family": "sans-serif", "font.size": 9,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd",
    "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False, "lines.linewidth": 1.6,
    "figure.facecolor": "white", "savefig.facecolor": "white", "figure.constrained_layout.use": True,
})
from matplotlib import pyplot, ticker  # noqa: E402, after the settings

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/evaluation"

# Told apart by people who see few colours, and in grey.
COLOURS = {"slaq": "#0072b2", "as published": "#e69f00", "fair": "#7f7f7f", "least attained service": "#cc79a7",
           "oracle": "#009e73", "Strawman": "#bbbbbb", "Published": "#e69f00", "Ensemble": "#0072b2"}
CYCLE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000", "#9a8c00", "#7f7f7f")


def axes(width=4.6, height=2.9, **options):
    """A figure's axes; more than one with rows or columns given as for subplots."""
    return pyplot.subplots(figsize=(width, height), **options)


def bars(ax, groups, series, labels=None):
    """Bars side by side: series is {name: (values, half-widths or None)}, a value for each group."""
    width = 0.8 / len(series)
    for number, (name, (values, halves)) in enumerate(series.items()):
        at = [group + (number - (len(series) - 1) / 2) * width for group in range(len(groups))]
        ax.bar(at, values, width * 0.92, yerr=halves, label=(labels or {}).get(name, name), color=COLOURS[name],
               error_kw={"elinewidth": 0.8, "capsize": 1.5})
    ax.set_xticks(range(len(groups)), groups)
    ax.grid(axis="x", visible=False)


def logarithmic(axis, ax):
    """That axis (x or y) in powers of ten, written out."""
    getattr(ax, f"set_{axis}scale")("log")
    own = getattr(ax, f"{axis}axis")
    own.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}"))
    own.set_minor_formatter(ticker.NullFormatter())


def save(figure, name):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    # Without blanks at the ends of lines, which matplotlib leaves.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")
