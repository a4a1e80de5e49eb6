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


def interval(values):
    values = list(values)
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Interval(mean, math.nan)
    freedom = len(values) - 1
    t = T[freedom - 1] if freedom <= len(T) else NORMAL
    return Interval(mean, t * statistics.stdev(values) / math.sqrt(len(values)))


def paired(function, *samples):
    """The interval of function(...) of the values that belong to one seed."""
    return interval(function(*values) for values in zip(*samples))
