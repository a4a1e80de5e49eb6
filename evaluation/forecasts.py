"""How well losses are forecast, by `slaq predict` (docs/cli.md) over all traces, as seen and as disturbed."""
import csv
import dataclasses
import functools
import statistics

import runs
import workloads

PREDICTORS = ("Strawman", "Published", "Ensemble")
HORIZONS = (1, 5, 10)
SIGHTS = {  # what the predictor sees of a trace
    "dense": [],
    "every5": ["--every", "5"],
    "gaps": ["--every", "1..20"],
    "noise": ["--noise", "2"],
}
DRAWS = {"gaps": 5, "noise": 5}  # how often what is random is drawn


def _span(losses):
    return losses[0] - min(losses)


# Changes of a loss under which the error of its range should stay what it is.
CHANGES = {
    "scaled": lambda losses: [1000 * loss for loss in losses],
    "raised": lambda losses: [loss + 10 * _span(losses) for loss in losses],
    "belowZero": lambda losses: [loss - losses[-1] - 1 for loss in losses],
    "throughZero": lambda losses: [loss - (losses[0] + min(losses)) / 2 for loss in losses],
}


def losses_of(name):
    with (workloads.TRACES / f"{name}.csv").open() as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def _write(path, text):
    """Files that are as they should be stay untouched, as another evaluation may be reading them."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


@functools.cache
def _changed(name):
    """The folder with the convex traces changed so."""
    folder = runs.KEPT / "changed" / name
    folder.mkdir(parents=True, exist_ok=True)
    for row in workloads.traces(convex=True):
        losses = CHANGES[name](losses_of(row["name"]))
        lines = ["iteration,loss", *(f"{k},{loss!r}" for k, loss in enumerate(losses))]
        _write(folder / f"{row['name']}.csv", "\n".join(lines) + "\n")
    return folder


@dataclasses.dataclass(frozen=True)
class Case:
    """What is forecast by whom, and how it is seen or changed."""
    predictor: str
    how: str = "dense"
    convex: bool = True
    held_out: bool = False  # with constants that were fitted without the trace's algorithm
    source: str = "traces"  # all of the recordings count, convex or not

    def rows(self):
        return workloads.traces(self.convex) if self.source == "traces" else workloads.index(self.source)

    def folder(self):
        return _changed(self.how) if self.how in CHANGES else workloads.SOURCES[self.source]

    def constants(self, row):
        return workloads.constants_without(row) if self.held_out else None


def _predict(case, flags):
    """Errors by trace, every trace forecast as its owner would have declared it."""
    horizons = ",".join(str(horizon) for horizon in HORIZONS)
    together = {}
    for row in case.rows():
        together.setdefault((row["convergence"], case.constants(row)), []).append(row["name"])
    found, folder = {}, case.folder()
    for (convergence, constants), names in together.items():
        files = [folder / f"{name}.csv" for name in names]
        given = ["--constants", str(constants)] if constants else []
        answer = runs.answer(["predict", *map(str, files), "--predictor", case.predictor, "--convergence", convergence,
                              "--horizons", horizons, *given, *flags], [*files, *([constants] if constants else [])])
        found.update(zip(names, answer["files"]))
    return found


def _mean(files, error, horizon):
    """Over those that have a figure: the share of a loss of 0 says nothing."""
    return statistics.fmean(file[error][str(horizon)] for file in files if file[error][str(horizon)] is not None)


def _cases(held_out):
    cases = [Case(predictor, sight, convex) for predictor in PREDICTORS for sight in SIGHTS for convex in (True, False)]
    cases += [Case(predictor, change) for predictor in PREDICTORS[1:] for change in CHANGES]
    cases += [Case(predictor, sight, source="recordings") for predictor in PREDICTORS[1:] for sight in SIGHTS]
    if held_out:
        cases += [Case("Ensemble", sight, convex, held_out=True) for sight in SIGHTS for convex in (True, False)]
        cases += [Case("Ensemble", change, held_out=True) for change in CHANGES]
    return cases


class Forecasts:
    """Errors as fractions, by case and horizon."""

    def __init__(self, held_out=True):
        for change in CHANGES:
            _changed(change)  # before several threads read them
        self._answers = dict(zip(_cases(held_out), runs.for_all("forecasts", self._one, _cases(held_out))))

    @staticmethod
    def _one(case):
        return [_predict(case, [*SIGHTS.get(case.how, []), "--seed", str(draw)])
                for draw in range(1, DRAWS.get(case.how, 1) + 1)]

    def overall(self, error, predictor, how="dense", convex=True, horizon=10, **which):
        """error: relativeError or rangeError; the mean over all traces."""
        draws = self._answers[Case(predictor, how, convex, **which)]
        return _mean([file for draw in draws for file in draw.values()], error, horizon)

    def of_algorithm(self, error, predictor, algorithm, horizon=10, **which):
        files, = self._answers[Case(predictor, **which)]
        return _mean([files[row["name"]] for row in workloads.traces(True, algorithm)], error, horizon)

    def of_trace(self, error, predictor, how, name, horizon=10):
        """Of a convex one, the mean over the draws."""
        return _mean([draw[name] for draw in self._answers[Case(predictor, how)]], error, horizon)

    def json(self):
        return [{**dataclasses.asdict(case),
                 **{error: {str(horizon): self.overall(error, horizon=horizon, **dataclasses.asdict(case))
                            for horizon in HORIZONS} for error in ("relativeError", "rangeError")}}
                for case in self._answers]
