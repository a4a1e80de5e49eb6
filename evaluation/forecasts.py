"""How well losses are forecast, by `slaq predict` (docs/cli.md) over all traces, as seen and as disturbed."""
import csv
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


def _changed(name):
    """The folder with the convex traces changed so."""
    folder = runs.KEPT / "changed" / name
    folder.mkdir(parents=True, exist_ok=True)
    for row in workloads.traces(convex=True):
        losses = CHANGES[name](losses_of(row["name"]))
        lines = ["iteration,loss", *(f"{k},{loss!r}" for k, loss in enumerate(losses))]
        (folder / f"{row['name']}.csv").write_text("\n".join(lines) + "\n")
    return folder


def _predict(predictor, folder, rows, flags):
    """Errors by trace, every trace forecast as its owner would have declared it."""
    horizons = ",".join(str(horizon) for horizon in HORIZONS)
    found = {}
    for convergence in sorted({row["convergence"] for row in rows}):
        names = [row["name"] for row in rows if row["convergence"] == convergence]
        files = [folder / f"{name}.csv" for name in names]
        answer = runs.answer(["predict", *map(str, files), "--predictor", predictor, "--convergence", convergence,
                              "--horizons", horizons, *flags], files)
        found.update(zip(names, answer["files"]))
    return found


def _mean(files, error, horizon):
    """Over those that have a figure: the share of a loss of 0 says nothing."""
    return statistics.fmean(file[error][str(horizon)] for file in files if file[error][str(horizon)] is not None)


class Forecasts:
    """Errors as fractions, by predictor, sight or change, and horizon."""

    def __init__(self):
        self._answers = {}
        todo = [(predictor, sight, convex) for predictor in PREDICTORS for sight in SIGHTS for convex in (True, False)]
        todo += [(predictor, change, True) for predictor in PREDICTORS[1:] for change in CHANGES]
        for key, answer in zip(todo, runs.for_all("forecasts", self._one, todo)):
            self._answers[key] = answer

    @staticmethod
    def _one(key):
        predictor, how, convex = key
        folder = _changed(how) if how in CHANGES else workloads.TRACES
        return [_predict(predictor, folder, workloads.traces(convex), [*SIGHTS.get(how, []), "--seed", str(draw)])
                for draw in range(1, DRAWS.get(how, 1) + 1)]

    def overall(self, error, predictor, how="dense", convex=True, horizon=10):
        """error: relativeError or rangeError; the mean over all traces."""
        draws = self._answers[predictor, how, convex]
        return _mean([file for draw in draws for file in draw.values()], error, horizon)

    def of_algorithm(self, error, predictor, algorithm, horizon=10):
        files, = self._answers[predictor, "dense", True]
        return _mean([files[row["name"]] for row in workloads.traces(True, algorithm)], error, horizon)

    def of_trace(self, error, predictor, how, name, horizon=10):
        """Of a convex one, the mean over the draws."""
        return _mean([draw[name] for draw in self._answers[predictor, how, True]], error, horizon)

    def json(self):
        return [{"predictor": predictor, "seen": how, "convex": convex,
                 **{error: {str(horizon): self.overall(error, predictor, how, convex, horizon) for horizon in HORIZONS}
                    for error in ("relativeError", "rangeError")}}
                for predictor, how, convex in self._answers]
