"""The figures of the part "Real GPU trainings": by load, and what a pause costs."""
from figures import style

NAMES = {"Fair": "fair", "LookAhead": "slaq", "Oracle": "oracle"}
LABELS = {"slaq": "LookAhead"}


def by_variant(name, xlabel, groups, means):
    """Bars of the mean integral and of the mean time to 90%: means is {policy: [(integral, to90) for each group]}."""
    figure, columns = style.axes(width=6.4, ncols=2)
    for number, (ax, ylabel) in enumerate(zip(columns, ("mean integral, s", "mean time to 90%, s"))):
        series = {NAMES[policy]: ([each[number] for each in values], None) for policy, values in means.items()}
        style.bars(ax, groups, series, LABELS)
        ax.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, None))
    columns[0].legend(fontsize=8)
    style.save(figure, name)
