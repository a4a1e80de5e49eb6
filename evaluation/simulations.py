"""The grid of simulations, run, and their figures by variant of the workload and contender."""
import dataclasses

import grid
import runs
import workloads
from intervals import interval, of_means

FOLDER = runs.KEPT / "workloads"
SERIES = runs.KEPT / "series"

# Of one answer of `slaq simulate`.
MEASURES = {
    "averageNormalizedLoss": lambda answer: answer["averageNormalizedLoss"],
    "meanLossIntegralSeconds": lambda answer: answer["meanLossIntegralSeconds"],
    **{f"secondsTo{percent}": lambda answer, percent=percent: answer["secondsToReduction"][str(percent)]["mean"]
       for percent in (25, 50, 75, 80, 90, 95, 99)},
    "completionSeconds": lambda answer: answer["completionSeconds"]["mean"],
    "makespanSeconds": lambda answer: answer["makespanSeconds"],
    "resizes": lambda answer: answer["resizes"],
}


def series_file(contender):
    return SERIES / f"{contender.policy}.csv"


def _answer(run):
    path = FOLDER / f"{run.setting.name()}.yaml"
    folder = workloads.SOURCES[run.setting.source]
    reads = [path, *{folder / f"{trace['name']}.csv" for _, trace, _ in workloads.draw(run.setting)}]
    if run.setting.held_out:
        reads += {workloads.constants_without(trace) for _, trace, _ in workloads.draw(run.setting)}
    series = series_file(run.contender) if run.series else None
    return runs.answer(["simulate", str(path), *run.contender.flags()], sorted(reads), series)


def _write_workloads(all_runs):
    FOLDER.mkdir(parents=True, exist_ok=True)
    SERIES.mkdir(parents=True, exist_ok=True)
    for setting in {run.setting for run in all_runs}:
        (FOLDER / f"{setting.name()}.yaml").write_text(workloads.text(setting, FOLDER))


class Simulations:
    """Figures of each seed, by what distinguishes their workload but for the seed, and by contender."""

    def __init__(self, seeds, figures):
        self.seeds = seeds
        self._figures = figures

    def values(self, measure, contender, **variant):
        """One figure for each seed."""
        return self._figures[workloads.Setting(seed=0, **variant), contender][measure]

    def interval(self, measure, contender, **variant):
        return interval(self.values(measure, contender, **variant))

    def share_of_oracle(self, contender, oracle, **variant):
        """Of what perfect knowledge of the losses takes off fair's integral, how much the contender takes off. Neither
        fair nor the oracle takes constants, so theirs are the same where those are held out."""
        same = {**variant, "held_out": False}
        return of_means(lambda one, fair, best: (fair - one) / (fair - best),
                        self.values("meanLossIntegralSeconds", contender, **variant),
                        self.values("meanLossIntegralSeconds", grid.FAIR, **same),
                        self.values("meanLossIntegralSeconds", oracle, **same))

    def less(self, measure, contender, than, **variant):
        """By which share the contender's mean is below the other's."""
        return of_means(lambda one, other: 1 - one / other, self.values(measure, contender, **variant),
                      self.values(measure, than, **variant))

    def json(self):
        rows = []
        for setting, contender in self._figures:
            variant = {key: value for key, value in dataclasses.asdict(setting).items() if key != "seed"}
            figures = {measure: {**self.interval(measure, contender, **variant).json(),
                                 "seeds": self.values(measure, contender, **variant)} for measure in MEASURES}
            rows.append({**variant, "policy": contender.policy, "predictor": contender.predictor,
                         "price": contender.price, **figures})
        return rows


def simulate(seeds, held_out=True):
    """The whole grid."""
    return simulate_all(list(grid.runs(seeds, held_out)), seeds)


def simulate_all(all_runs, seeds, what="simulations"):
    _write_workloads(all_runs)
    figures = {}
    for run, answer in zip(all_runs, runs.for_all(what, _answer, all_runs)):
        row = figures.setdefault((dataclasses.replace(run.setting, seed=0), run.contender), {})
        for measure, of in MEASURES.items():
            row.setdefault(measure, []).append(of(answer))
    return Simulations(seeds, figures)


def read(told):
    """Of what json() gave."""
    fields = {field.name for field in dataclasses.fields(workloads.Setting)} - {"seed"}
    contenders = {(each.policy, each.predictor, each.price): each for each in grid.EVERYBODY}
    return Simulations(told["seeds"], {
        (workloads.Setting(seed=0, **{key: row[key] for key in fields if key in row}),
         contenders[row["policy"], row["predictor"], row["price"]]):
        {measure: row[measure]["seeds"] for measure in MEASURES} for row in told["simulations"]})
