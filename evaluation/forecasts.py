"""How well losses are forecast, by `slaq predict` (docs/cli.md) over all traces, as seen and as disturbed."""
import csv
import statistics

import runs
import workloads

PREDICTORS = ("Strawman", "Published", "Ensemble")
HORIZONS = (1, 5, 10)
SEED = "1"
SIGHTS = {  # what the predictor sees of a trace
    "dense": [],
    "every5": ["--every", "5"],
    "gaps": ["--every", "1..20", "--seed", SEED],
    "noise": ["--noise", "2", "--seed", SEED],
}


def _span(losses):
    return losses[0] - min(losses)


# Changes of a loss under which the error of its range should stay what it is.
CHANGES = {
    "scaled": lambda losses: [1000 * loss for loss in losses],
    "raised": lambda losses: [loss + 10 * _span(losses) for loss in losses],
    "belowZero": lambda losses: [loss - losses[-1] - 1 for loss in losses],
    "throughZero": lambda losses: [loss - (losses[0] + min(losses)) / 2 for loss in losses],
}


def _losses(path):
    with path.open() as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def _changed(name):
    """The folder with the convex traces changed so."""
    folder = runs.KEPT / "changed" / name
    folder.mkdir(parents=True, exist_ok=True)
    for row in workloads.traces(convex=True):
        losses = CHANGES[name](_losses(workloads.TRACES / f"{row['name']}.csv"))
        lines = ["iteration,loss", *(f"{k},{loss!r}" for k, loss in enumerate(losses))]
        (folder / f"{row['name']}.csv").write_text("\n".join(lines) + "\n")
    return folder


def _predict(predictor, folder, rows, flags):
    files = [folder / f"{row['name']}.csv" for row in rows]
    horizons = ",".join(str(horizon) for horizon in HORIZONS)
    return runs.answer(["predict", *map(str, files), "--predictor", predictor, "--horizons", horizons, *flags], files)


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
        return _predict(predictor, folder, workloads.traces(convex), SIGHTS.get(how, []))

    def overall(self, error, predictor, how="dense", convex=True, horizon=10):
        """error: relativeError or rangeError; the mean over all traces."""
        return self._answers[predictor, how, convex]["overall"][error][str(horizon)]

    def of_algorithm(self, error, predictor, algorithm, horizon=10):
        names = [row["name"] for row in workloads.traces(convex=True)]
        files = self._answers[predictor, "dense", True]["files"]
        own = {row["name"] for row in workloads.traces(True, algorithm)}
        return statistics.fmean(file[error][str(horizon)] for name, file in zip(names, files) if name in own)

    def json(self):
        return [{"predictor": predictor, "seen": how, "convex": convex, **answer["overall"]}
                for (predictor, how, convex), answer in self._answers.items()]
