"""For XGBoost: xgboost.train(..., evals=[(train, "train"), (rest, "eval")], callbacks=[slaq.xgboost.Report()])"""
import xgboost

from slaq.training import Training


class Report(xgboost.callback.TrainingCallback):
    """Reports a loss after each round.

    Of the data sets in `evals` one that is called like validation data (eval, val, test, ...) is preferred, and of several
    metrics a loss. `metric` names another as XGBoost prints it: Report(metric="train-logloss").
    """

    def __init__(self, metric=None):
        super().__init__()
        self._metric = metric

    def before_training(self, model):
        self._training = Training(self._metric)
        return model

    def after_iteration(self, model, epoch, evals_log):
        numbers = {f"{data}-{name}": values[-1] for data, metrics in evals_log.items() for name, values in metrics.items()}
        self._training.report(numbers, epoch + 1)
        return False  # the training goes on
