"""For Lightning: Trainer(callbacks=[slaq.lightning.Report()])"""
try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from slaq.training import Training


class Report(Callback):
    """Reports a loss at the end of each epoch, out of what the module logs.

    A loss of validation data, such as `val_loss`, is preferred to one of training data. `metric` names another:
    Report(metric="train_loss"). With `every=50` it is the mean loss of each 50 training batches instead, for trainings
    of few epochs.
    """

    def __init__(self, metric=None, every=None):
        self._metric, self._every = metric, every

    def on_train_start(self, trainer, pl_module):
        self._training, self._losses = Training(self._metric), []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if self._every:
            self._losses.append(outputs["loss"].detach())
            if len(self._losses) == self._every:
                self._training.report({"loss": sum(self._losses) / self._every}, trainer.global_step)
                self._losses = []

    def on_train_epoch_end(self, trainer, pl_module):
        if not self._every:
            self._training.report(trainer.callback_metrics, trainer.current_epoch + 1)
