"""What slaq sets out to reach, and what was measured."""
from dataclasses import dataclass

import grid
import workloads
from intervals import of_means


@dataclass(frozen=True)
class Aim:
    what: str
    aim: float
    measured: float
    least: bool  # the aim is a lower bound; else an upper one
    form: str = "{:.1%}"

    def met(self):
        return self.measured >= self.aim if self.least else self.measured <= self.aim

    def cells(self):
        bound = ("at least " if self.least else "at most ") + self.form.format(self.aim)
        return [self.what, bound, self.form.format(self.measured), "yes" if self.met() else "no"]


def _share_of_oracle(results, arrivals):
    """Of what perfect knowledge takes off fair's integral, how much we take off."""
    samples = [results.values("meanLossIntegralSeconds", contender, arrivals=arrivals)
               for contender in (grid.OURS, grid.FAIR, grid.ORACLE)]
    return of_means(lambda ours, fair, oracle: (fair - ours) / (fair - oracle), *samples).mean


def _under_fair_without_pause(results, pause, resize):
    ours = results.values("secondsTo90", grid.OURS, pause=pause, resize=resize)
    return of_means(lambda one, fair: 1 - one / fair, ours, results.values("secondsTo90", grid.FAIR)).mean


def scheduling(results):
    for arrivals, aim in zip(grid.ARRIVALS, (0.95, 0.95, 0.92)):
        yield Aim(f"of the oracle's gain in the integral over fair, arrivals of {arrivals} s", aim,
                  _share_of_oracle(results, arrivals), True)
    for arrivals in (15, 10):
        yield Aim(f"integral under the published way's, {arrivals} s", 0.40,
                  results.less("meanLossIntegralSeconds", grid.OURS, grid.PUBLISHED, arrivals=arrivals).mean, True)
    yield Aim("time to 90% under fair's, 15 s", 0.82, results.less("secondsTo90", grid.OURS, grid.FAIR).mean, True)
    for (pause, resize), aim in zip(grid.PAUSES, (0.72, 0.40, 0.75, 0.55)):
        how = ", shrinking free and old workers going on" if resize == "gentle" else ""
        yield Aim(f"the same with pauses of {pause} s{how} (fair without any)", aim,
                  _under_fair_without_pause(results, pause, resize), True)


def forecasting(results):
    well = sum(results.of_algorithm("relativeError", "Published", algorithm) < 0.05
               for algorithm in workloads.algorithms())
    yield Aim("algorithms whose loss the published curves forecast within 5%, 10 ahead", 5, well, True, "{:.0f} of 9")
    yield Aim("our error 10 ahead, of the loss", 0.025, results.overall("relativeError", "Ensemble"), False, "{:.2%}")
    yield Aim("our error 10 ahead, of the range", 0.0045, results.overall("rangeError", "Ensemble"), False, "{:.2%}")
    yield Aim("the same of non-convex jobs", 0.032, results.overall("rangeError", "Ensemble", convex=False), False,
              "{:.2%}")
    yield Aim("the same with 2% of noise", 0.012, results.overall("rangeError", "Ensemble", "noise"), False, "{:.2%}")
    dense = results.overall("rangeError", "Ensemble")
    for sight, what in (("every5", "seen at every 5th iteration only"), ("gaps", "seen at gaps of 1 to 20")):
        yield Aim(f"error of the range, {what}, over the dense one", 1.3,
                  results.overall("rangeError", "Ensemble", sight) / dense, False, "{:.2f}")
    for change, what, aim in (("scaled", "1000 times the loss", 1.0001), ("raised", "loss raised by 10 ranges", 1.15),
                              ("belowZero", "loss ending at -1", 1.15), ("throughZero", "loss crossing zero", 1.15)):
        yield Aim(f"error of the range, {what}, over the plain one", aim,
                  results.overall("rangeError", "Ensemble", change) / dense, False, "{:.2f}")


def dividing(divisions):
    """divisions: [way, jobs, cores, milliseconds] rows."""
    measured = {(way, jobs, cores): time for way, jobs, cores, time in divisions}
    for jobs, cores, ways in ((4000, 16000, (("Cold", 0.15), ("Warm", 0.05))), (100000, 1000000, (("Cold", 1.5),))):
        for way, aim in ways:
            start = "without" if way == "Cold" else "with"
            yield Aim(f"search of the price, {jobs:,} jobs on {cores:,} cores, {start} one to begin from", aim,
                      measured[f"PriceSearch{way}", jobs, cores], False, "{:.3f} ms")
    for jobs, cores, aim in ((4000, 16000, 1.5), (100000, 1000000, 40)):
        yield Aim(f"fits of all jobs and division, {jobs:,} jobs on {cores:,} cores, 2 threads", aim,
                  measured["FitAllAndDivideOnTwoThreads", jobs, cores], False, "{:.2f} ms")


def agreeing(agreed):
    """agreed: what `measure_agreement.py --json` wrote."""
    for policy, told in agreed["policies"].items():
        yield Aim(f"time to 90% in a simulation and really, {policy} on real trainers, worst job", agreed["aim"],
                  told["worstDifference"], False)


def all_aims(simulations, predictions, divisions, agreed):
    return [*scheduling(simulations), *forecasting(predictions), *dividing(divisions), *agreeing(agreed)]
