"""For Lightning: Trainer(callbacks=[slaq.lightning.Report()])"""
from collections.abc import Mapping

try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from slaq.training import Training


class Report(Callback):
    """Reports a loss at the end of each epoch, out of what the module logs.

    A loss of validation data, such as `val_loss`, is preferred to one of training data. `metric` names another:
    Report(metric="train_loss"). With `every=50` it is the mean loss of each 50 training batches instead, for trainings
    of few epochs: of those whose training_step returns a loss.
    """

    def __init__(self, metric=None, every=None):
        self._metric, self._every = metric, every

    def on_train_start(self, trainer, pl_module):
        self._training, self._losses = Training(self._metric), []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if not self._every:
            return
        loss = outputs.get("loss") if isinstance(outputs, Mapping) else outputs
        if loss is None:  # with an optimization of one's own, or of a batch that is passed over
            self._training.report({}, trainer.global_step)
            return
        self._losses.append(loss.detach() if hasattr(loss, "detach") else loss)
        if len(self._losses) == self._every:
            self._training.report({"loss": sum(self._losses) / self._every}, trainer.global_step)
            self._losses = []

    def on_train_epoch_end(self, trainer, pl_module):
        if not self._every:
            self._training.report(trainer.callback_metrics, trainer.current_epoch + 1)
