"""For LightGBM: lightgbm.train(..., valid_sets=[rest], callbacks=[slaq.lightgbm.Report()])

It does not import LightGBM, whose callbacks are functions.
"""
from slaq.training import Training


class Report:
    """Reports a loss after each round.

    A validation set is preferred to the training data, and of several metrics a loss. `metric` names another as LightGBM
    prints it: Report(metric="training's binary_logloss").
    """

    order = 10  # after the callbacks that change parameters, as those of LightGBM that record

    def __init__(self, metric=None):
        self._metric = metric
        self._training = None

    def __call__(self, env):
        if self._training is None or env.iteration == env.begin_iteration:
            self._training = Training(self._metric)
        self._training.report({f"{data}'s {name}": value for data, name, value, *_ in env.evaluation_result_list or ()},
                              env.iteration + 1)
