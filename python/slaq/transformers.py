"""For the Trainer of Hugging Face: Trainer(..., callbacks=[slaq.transformers.Report()])"""
import transformers

from slaq.training import Training

FEWEST_EVALUATIONS = 20  # fewer say too little about how a training goes on


class Report(transformers.TrainerCallback):
    """Reports the loss whenever the Trainer logs one, as the loss of the step.

    The validation's loss, `eval_loss`, is preferred to the training's if there are at least 20 evaluations in the whole
    training; else it is the training's, `loss`, which is logged every `logging_steps`. `metric` names another.
    """

    def __init__(self, metric=None):
        self._metric = metric

    def on_train_begin(self, args, state, control, **kwargs):
        self._name = self._metric or ("eval_loss" if evaluations(args, state) >= FEWEST_EVALUATIONS else "loss")
        self._training = Training(self._name)

    def on_log(self, args, state, control, logs=None, **kwargs):
        if self._name in (logs or {}):
            self._training.report(logs, state.global_step)


def evaluations(args, state):
    """How many the whole training has."""
    strategy = str(getattr(args, "eval_strategy", None) or args.evaluation_strategy).rpartition(".")[2].lower()
    if strategy == "steps":
        return state.max_steps // (getattr(state, "eval_steps", None) or args.eval_steps)  # the state of old versions has none
    return state.num_train_epochs if strategy == "epoch" else 0
