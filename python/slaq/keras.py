"""For Keras: model.fit(..., callbacks=[slaq.keras.Report()])"""
import keras

from slaq.training import Training


class Report(keras.callbacks.Callback):
    """Reports a loss at the end of each epoch.

    The validation's loss, `val_loss`, is preferred to the training's. Where the first epoch has no validation, as with
    `validation_freq=5`, it is the training's loss throughout. `metric` names another: Report(metric="loss").
    """

    def __init__(self, metric=None):
        super().__init__()
        self._metric = metric

    def on_train_begin(self, logs=None):
        self._training = Training(self._metric)

    def on_epoch_end(self, epoch, logs=None):
        self._training.report(logs or {}, epoch + 1)
