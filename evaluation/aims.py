"""What slaq sets out to reach, and what was measured."""
from dataclasses import dataclass

import grid
import workloads
from intervals import of_means


# The benchmark of slaq-bench that decides with forecasts.
DECISION = "ForecastAndDecide"


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


def _under_fair_without_pause(results, pause, resize):
    ours = results.values("secondsTo90", grid.OURS, pause=pause, resize=resize)
    return of_means(lambda one, fair: 1 - one / fair, ours, results.values("secondsTo90", grid.FAIR)).mean


# What the shares of the oracle's gain are shown of: what it is called, what is simulated, by whom, and which oracle is the
# bound. An oracle that weighs resizes by the default price is one for workloads whose resizes do cost time.
HELD_OUT = {"held_out": True}
RECORDED = {"source": "recordings"}
SHARES = (
    ("constants fitted without each job's algorithm", HELD_OUT, grid.OURS, grid.ORACLE),
    ("the same with the default price of resizes", HELD_OUT, grid.DEFAULT, grid.ORACLE),
    ("the same where growths take the 5 s that they are priced", {**HELD_OUT, **grid.PRODUCTION}, grid.DEFAULT,
     grid.DEFAULT_ORACLE),
    ("recordings of real data", RECORDED, grid.OURS, grid.ORACLE),
    ("recordings with the default price of resizes", RECORDED, grid.DEFAULT, grid.ORACLE),
    ("recordings where growths take the 5 s that they are priced", {**RECORDED, **grid.PRODUCTION}, grid.DEFAULT,
     grid.DEFAULT_ORACLE),
    ("in-sample", {}, grid.OURS, grid.ORACLE),
    ("in-sample with the default price of resizes", {}, grid.DEFAULT, grid.ORACLE),
    ("in-sample where growths take the 5 s that they are priced", grid.PRODUCTION, grid.DEFAULT, grid.DEFAULT_ORACLE),
)
AIMED = (SHARES[0], SHARES[3], SHARES[6])


def _shares_of_oracle(results, aimed):
    for what, variant, contender, oracle in aimed:
        for arrivals, aim in zip(grid.ARRIVALS, (0.95, 0.95, 0.92)):
            yield Aim(f"of the oracle's gain in the integral over fair, {what}, arrivals of {arrivals} s", aim,
                      results.share_of_oracle(contender, oracle, arrivals=arrivals, **variant).mean, True)


def held_out(simulations, predictions):
    """Of trainings that no constant was fitted to."""
    yield from _shares_of_oracle(simulations, AIMED[:2])
    for convex, what, aims in ((True, "", (0.025, 0.0045)), (False, " of non-convex jobs", (None, 0.032))):
        for error, aim in zip(("relativeError", "rangeError"), aims):
            if aim:
                of = "the loss" if error == "relativeError" else "the range"
                yield Aim(f"our error 10 ahead, of {of}{what}, fitted without their algorithm", aim,
                          predictions.overall(error, "Ensemble", convex=convex, held_out=True), False, "{:.2%}")


def scheduling(results):
    yield from _shares_of_oracle(results, AIMED[2:])
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
    yield Aim("our error 10 ahead, of the loss, in-sample", 0.025, results.overall("relativeError", "Ensemble"), False, "{:.2%}")
    yield Aim("our error 10 ahead, of the range, in-sample", 0.0045, results.overall("rangeError", "Ensemble"), False, "{:.2%}")
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


def deciding(divisions):
    """divisions: [way, jobs, cores, milliseconds] rows."""
    measured = {(way, jobs, cores): time for way, jobs, cores, time in divisions}
    for jobs, cores, aim in ((4000, 16000, 30), (100000, 1000000, 1000)):
        yield Aim(f"a decision with the forecasts of all jobs, {jobs:,} jobs on {cores:,} cores, 2 threads", aim,
                  measured[DECISION, jobs, cores], False, "{:.2f} ms")


def agreeing(agreed):
    """agreed: what `measure_agreement.py --json` wrote."""
    for policy, told in agreed["policies"].items():
        yield Aim(f"time to 90% in a simulation and really, {policy} on real trainers, worst job", agreed["aim"],
                  told["worstDifference"], False)


def all_aims(simulations, predictions, divisions, agreed):
    return [*held_out(simulations, predictions), *scheduling(simulations), *forecasting(predictions),
            *deciding(divisions), *agreeing(agreed)]
