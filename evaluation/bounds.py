#!/usr/bin/python3
"""How well losses that are seen with noise could be forecast by who knows more than any forecaster can: the noise, and
the training's own curve or those of all other trainings. The error is that of `slaq predict --noise 2`: 10 iterations
ahead, as a share of the trace's range, after each of the iterations 5 to 100."""
import functools

import numpy as np

import forecasts
import workloads
from document import table

NOISE = 0.02
AHEAD = 10
FIRST, LAST = 5, 100
DRAWS = 5
# The other trainings' curves may be faster or slower, and their falls be larger or smaller beside the first loss.
STRETCHES = (0.5, 0.7, 1, 1.4, 2)
HEIGHT_SPREAD = 0.3
ITERATIONS = np.arange(LAST + AHEAD + 1)


class Traces:
    """The convex traces, a row each, as far as they are forecast; after its end a trace stays as it was."""

    def __init__(self):
        rows = workloads.traces(convex=True)
        losses = [np.array(forecasts.losses_of(row["name"])) for row in rows]
        self.algorithm = np.array([row["algorithm"] for row in rows])
        self.name = [row["name"] for row in rows]
        self.loss = np.array([loss[np.minimum(ITERATIONS, len(loss) - 1)] for loss in losses])
        self.range = np.array([loss[0] - loss.min() for loss in losses])
        self.noise = NOISE * np.abs(self.loss)
        last = np.array([len(loss) - 1 - AHEAD for loss in losses])
        self.forecast = (ITERATIONS >= FIRST) & (ITERATIONS <= np.minimum(LAST, last)[:, None])

    def error(self, foretold):
        """By trace. `foretold`: what was expected AHEAD of each iteration."""
        true = np.roll(self.loss, -AHEAD, axis=1)
        off = np.where(self.forecast, np.abs(foretold - true), 0)
        return off.sum(1) / self.forecast.sum(1) / self.range

    def noise_of_range(self):
        return np.where(self.forecast, self.noise, 0).sum(1) / self.forecast.sum(1) / self.range


@functools.cache
def traces():
    return Traces()


def _sums(values):
    return np.cumsum(values, axis=1)


def known_shape(seen):
    """Only the floor and the height are sought: least squares, weighted by the noise."""
    shape, weight = traces().loss, 1 / traces().noise ** 2
    all_, shapes = _sums(weight), _sums(weight * shape)
    together = _sums(weight * shape * seen) - shapes * _sums(weight * seen) / all_
    spread = np.maximum(_sums(weight * shape ** 2) - shapes ** 2 / all_, np.finfo(float).tiny)  # of one loss it is 0
    height = together / spread
    floor = (_sums(weight * seen) - height * shapes) / all_
    return floor + height * np.roll(shape, -AHEAD, axis=1)


def _curves():
    """Those of all traces from 1 down to 0, at each stretch, and their heights beside the first loss."""
    lowest = traces().loss[:, 0] - traces().range
    levels = (traces().loss - lowest[:, None]) / traces().range[:, None]
    stretched = [[np.interp(np.minimum(stretch * ITERATIONS, ITERATIONS[-1]), ITERATIONS, level) for level in levels]
                 for stretch in STRETCHES]
    heights = traces().range / np.abs(traces().loss[:, 0])
    return np.concatenate(stretched), np.tile(heights, len(STRETCHES))


def _unknown(related):
    """Which curves each trace must not know: its own, and with `related` those of its algorithm."""
    own = traces().algorithm[:, None] == traces().algorithm if related else np.eye(len(traces().name), dtype=bool)
    return np.tile(own, len(STRETCHES))


def learned(seen, related):
    """The mean over the curves of other traces by how likely they make what was seen: normal noise of known size, a
    height normally distributed around the curve's own, and any floor."""
    curves, heights = _curves()
    expected = heights * np.abs(seen[:, :1])
    ridge = 1 / (HEIGHT_SPREAD * expected) ** 2
    barred = np.where(_unknown(related), -np.inf, 0)
    weight = 1 / traces().noise ** 2
    change = seen - seen[:, :1]
    all_, changes = _sums(weight), _sums(weight * change)
    foretold = np.zeros_like(seen)
    for k in range(FIRST, LAST + 1):
        past, shape, total = weight[:, :k + 1], curves[:, :k + 1], all_[:, k:k + 1]
        mean = past @ shape.T / total
        spread = past @ shape.T ** 2 - total * mean ** 2
        together = (past * change[:, :k + 1]) @ shape.T - changes[:, k:k + 1] * mean
        height = (together + ridge * expected) / (spread + ridge)
        squares = ridge * expected ** 2 - height ** 2 * (spread + ridge)
        likely = barred - 0.5 * (squares + np.log((spread + ridge) / ridge))
        chance = np.exp(likely - likely.max(1, keepdims=True))
        ahead = height * (curves[:, k + AHEAD] - mean)
        foretold[:, k] = (chance * ahead).sum(1) / chance.sum(1) + changes[:, k] / total[:, 0]
    return seen[:, :1] + foretold


def _mean_error(forecaster):
    random = np.random.default_rng(1)
    loss = traces().loss
    return np.mean([traces().error(forecaster(loss * (1 + NOISE * random.standard_normal(loss.shape))))
                    for _ in range(DRAWS)], axis=0)


def _quarters(shares):
    """Of the traces by how large the noise is beside the range: the mean of each quarter."""
    return np.array([shares[quarter].mean() for quarter in np.array_split(np.argsort(traces().noise_of_range()), 4)])


def bounds(predicted):
    """predicted: forecasts.Forecasts."""
    ours = np.array([predicted.of_trace("rangeError", "Ensemble", "noise", name) for name in traces().name])
    others = _mean_error(lambda seen: learned(seen, related=False))
    better = np.minimum(_quarters(ours), _quarters(others))
    rows = {"the noise itself": traces().noise_of_range(),
            "who knows the curve but for floor and height": _mean_error(known_shape),
            "who knows the curves of all other traces": others,
            "who knows those of the other algorithms": _mean_error(lambda seen: learned(seen, related=True)),
            "slaq": ours}
    cells = {what: [shares.mean(), *_quarters(shares)] for what, shares in rows.items()}
    cells["in each quarter the better of slaq and who knows all other traces"] = [better.mean(), *better]
    return table(["% of the range, 10 ahead", "all traces", "the quarter with the least noise", "", "", "the most"],
                 [[what, *(f"{100 * cell:.2f}" for cell in row)] for what, row in cells.items()])


if __name__ == "__main__":
    print(bounds(forecasts.Forecasts()))
