"""Means over seeds, with what is known of how far they may be off."""
import math
import statistics
from dataclasses import dataclass

# Student's t at 97.5% by degrees of freedom; beyond these the normal distribution's is near enough.
T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
     2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
NORMAL = 1.960


@dataclass(frozen=True)
class Interval:
    """A mean and the half-width of its 95% confidence interval (nan of a single value)."""
    mean: float
    half: float

    def json(self):
        return {"mean": self.mean, "halfWidth": None if math.isnan(self.half) else self.half}


def _t(count):
    return T[count - 2] if count - 1 <= len(T) else NORMAL


def interval(values):
    values = list(values)
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Interval(mean, math.nan)
    return Interval(mean, _t(len(values)) * statistics.stdev(values) / math.sqrt(len(values)))


def of_means(function, *samples):
    """function(...) of the samples' means, a value of each sample belonging to one seed; its interval by the
    jackknife, which leaves out one seed after the other."""
    whole = function(*map(statistics.fmean, samples))
    count = len(samples[0])
    if count < 2:
        return Interval(whole, math.nan)
    without = [function(*(statistics.fmean(sample[:i] + sample[i + 1:]) for sample in samples)) for i in range(count)]
    error = (count - 1) / math.sqrt(count) * statistics.stdev(without)
    return Interval(whole, _t(count) * error)
