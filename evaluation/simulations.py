"""The grid of simulations, run, and their figures by variant of the workload and contender."""
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
    reads = [path, *{workloads.TRACES / f"{trace['name']}.csv" for _, trace, _ in workloads.draw(run.setting)}]
    series = series_file(run.contender) if run.series else None
    return runs.answer(["simulate", str(path), *run.contender.flags()], sorted(reads), series)


def _write_workloads(all_runs):
    FOLDER.mkdir(parents=True, exist_ok=True)
    SERIES.mkdir(parents=True, exist_ok=True)
    for setting in {run.setting for run in all_runs}:
        (FOLDER / f"{setting.name()}.yaml").write_text(workloads.text(setting, FOLDER))


class Simulations:
    """The answers of all runs, by (arrivals, cap, pause, gentle, share of non-convex jobs) and contender."""

    def __init__(self, seeds):
        self.seeds = seeds
        all_runs = list(grid.runs(seeds))
        _write_workloads(all_runs)
        self._answers = {}
        for run, answer in zip(all_runs, runs.for_all("simulations", _answer, all_runs)):
            self._answers.setdefault((self._variant(run.setting), run.contender), []).append(answer)

    @staticmethod
    def _variant(setting):
        return setting.arrivals, setting.cap, setting.pause, setting.gentle, setting.non_convex

    def values(self, measure, contender, **variant):
        """One figure for each seed."""
        key = self._variant(workloads.Setting(seed=0, **variant)), contender
        return [MEASURES[measure](answer) for answer in self._answers[key]]

    def interval(self, measure, contender, **variant):
        return interval(self.values(measure, contender, **variant))

    def less(self, measure, contender, than, **variant):
        """By which share the contender's mean is below the other's."""
        return of_means(lambda one, other: 1 - one / other, self.values(measure, contender, **variant),
                      self.values(measure, than, **variant))

    def json(self):
        rows = []
        for (arrivals, cap, pause, gentle, share), contender in self._answers:
            variant = {"arrivals": arrivals, "cap": cap, "pause": pause, "gentle": gentle, "non_convex": share}
            figures = {measure: self.interval(measure, contender, **variant).json() for measure in MEASURES}
            rows.append({**variant, "policy": contender.policy, "predictor": contender.predictor, **figures})
        return rows
