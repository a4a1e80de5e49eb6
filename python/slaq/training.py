"""What the callbacks of all libraries share: which of several numbers is the loss, and how iterations are numbered."""
import functools
import re

from slaq import reporting

# What a number is follows from the words of its name, as for `slaq-report` (src/metrics/metric_name.cpp).
LOSSES = {"loss", "logloss", "mlogloss", "nll", "deviance", "cost", "objective", "crossentropy"}
ERRORS = {"error", "err", "merror", "rmse", "mse", "mae", "mape", "rmsle", "l1", "l2", "wer", "perplexity", "ppl", "bpc",
          "cer", "inertia"}
GAINS = {"accuracy", "acc", "auc", "f1", "reward", "return", "score", "bleu", "map", "iou", "r2", "ndcg", "recall",
         "precision"}
VALIDATION = {"val", "valid", "validation", "eval", "evaluation", "test", "dev", "heldout", "oob"}
# These words mark numbers that are no losses although they may stand beside one: "loss scale".
OTHERS = {"scale", "weight", "rate", "lr", "grad", "best", "time", "norm"}


def rank_of(name):
    """0 for the number that tells best how far a training is: a loss of validation data. A loss of training data is next,
    then other errors, then what is to rise, then what has an unknown name. None for what is no measure of a model."""
    words = set(re.findall("[a-z0-9]+", name.lower()))
    if words & OTHERS:
        return None
    if words & LOSSES or any(word.endswith("loss") for word in words):
        kind = 0
    elif words & ERRORS:
        kind = 2
    else:
        kind = 4 if words & GAINS else 6
    return kind + (0 if words & VALIDATION else 1)


def is_to_rise(name):
    return rank_of(name) in (4, 5)


@functools.cache  # once, where a process has several trainings
def tell_to_maximize(name):
    reporting.tell(f"'{name}' is to rise: write spec.loss.mode: Maximize in the manifest unless it is there, or name a loss with "
                   f"Report(metric=...)")


def best_of(names):
    """The name that tells best how far a training is; None if none does. Of equals the shortest: a model of several losses
    calls their sum `loss`."""
    ranked = [(rank_of(name), len(name), name) for name in names]
    return min((each for each in ranked if each[0] is not None), key=lambda each: each[:2], default=(None,) * 3)[2]


class Training:
    """One training by a library, which gives several numbers by their names in each iteration.

    The loss is the one called `metric`; without it, the best of those that come first. It stays the same one, since the
    loss would jump from one measure to the other. A library numbers its iterations from 1 in each training; where a
    process has several, one goes on where the one before it ended. What is to rise is exported as it is, since only slaq
    knows the mode of the job, and a line on standard error says what to write.
    """

    def __init__(self, metric=None):
        self._metric = metric
        self._ahead = None  # how far the iterations reported are ahead of the library's
        self._missed = 0    # iterations without the metric, before it came for the first time

    def report(self, numbers, iteration):
        if self._metric is None:
            self._metric = best_of(numbers)
        if self._metric in numbers:
            if is_to_rise(self._metric):
                tell_to_maximize(self._metric)
            reporting.report(numbers[self._metric], self._number(iteration))
        elif self._ahead is None:
            self._miss(numbers)

    def _number(self, iteration):
        if self._ahead is None:
            last = reporting.last_iteration()
            self._ahead = 0 if iteration > last else last + 1 - iteration
        return iteration + self._ahead

    def _miss(self, numbers):
        self._missed += 1
        if self._missed == 3:  # by then a validation in every other epoch would have come
            wanted = f"metric '{self._metric}'" if self._metric else "loss"
            reporting.tell(f"no loss is exported yet, since there is no {wanted} among what the library gives: "
                           f"{', '.join(numbers) or 'nothing'}")
