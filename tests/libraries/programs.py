"""Trainings with people's libraries, which know nothing of slaq. What a callback records of a training, or the training
itself, is written to the file RECORD: an iteration and its loss in each line."""
import csv
import dataclasses
import importlib.metadata
import importlib.util

DATA = """
import os, time
import numpy as np
random = np.random.default_rng(0)
rows = int(os.environ.get("ROWS", 1500))
x = random.normal(size=(rows, 12))
y = (x[:, 0] + x[:, 1] ** 2 > 1).astype(int)
def record(losses):
    with open(os.environ["RECORD"], "w") as file:
        file.writelines(f"{i},{float(loss)!r}\\n" for i, loss in losses)
"""
TORCH = DATA + """
import torch
torch.manual_seed(0)
model = torch.nn.Linear(12, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
inputs, targets = torch.tensor(x, dtype=torch.float32), torch.tensor(y[:, None], dtype=torch.float32)
def step():
    time.sleep(rows / 2e5)
    optimizer.zero_grad()
    loss = torch.nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
"""
# A model of INPUTS numbers. Each step takes a moment, because the callback tells Kubeflow at most once in five seconds.
TRANSFORMERS_MODEL = """
import time
import torch
from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainerCallback, TrainingArguments

class Model(PreTrainedModel):
    config_class = PretrainedConfig
    def __init__(self, config):
        super().__init__(config)
        self.layer = torch.nn.Linear(INPUTS, 2)
        self.post_init()
    def _init_weights(self, module):
        pass
    def forward(self, x=None, labels=None):
        time.sleep(0.05)
        out = self.layer(x)
        return {"loss": torch.nn.functional.cross_entropy(out, labels), "logits": out}
"""
TRANSFORMERS = DATA + "INPUTS = 12\n" + TRANSFORMERS_MODEL + """
torch.manual_seed(0)
data = [{"x": torch.tensor(row, dtype=torch.float32), "labels": int(label)} for row, label in zip(x[:320], y)]
trainer = Trainer(Model(PretrainedConfig()), TrainingArguments(
    "model", max_steps=250, per_device_train_batch_size=8, logging_steps=5, report_to="none", use_cpu=True,
    save_strategy="no", learning_rate=0.05, disable_tqdm=True), train_dataset=data)
trainer.train()
logged = [(entry["step"], entry["loss"]) for entry in trainer.state.log_history if "loss" in entry]
"""


@dataclasses.dataclass(frozen=True)
class Program:
    name: str  # as the table has it
    module: str  # without which it is left out
    distribution: str  # whose version the table tells
    text: str
    source: str = "output"  # what slaq-report --from takes
    # The Trainer tells Kubeflow the newest loss, some steps after it was logged, and not each one.
    late: bool = False

    def is_installed(self):
        return all(importlib.util.find_spec(each) for each in self.module.split())

    def version(self):
        return importlib.metadata.version(self.distribution)


PROGRAMS = (
    Program("scikit-learn, `MLPClassifier(verbose=True)`", "sklearn", "scikit-learn", DATA + """
from sklearn.neural_network import MLPClassifier
network = MLPClassifier((16,), max_iter=20, tol=0, n_iter_no_change=20, verbose=True, random_state=0).fit(x, y)
record((i + 1, float(loss)) for i, loss in enumerate(network.loss_curve_))
"""),
    Program("scikit-learn, `GradientBoostingClassifier(verbose=2)`", "sklearn", "scikit-learn", DATA + """
from sklearn.ensemble import GradientBoostingClassifier
trees = GradientBoostingClassifier(n_estimators=20, verbose=2, random_state=0).fit(x, y)
record((i + 1, float(loss)) for i, loss in enumerate(trees.train_score_))
"""),
    Program("XGBoost, `verbose_eval=1`", "xgboost", "xgboost", DATA + """
import xgboost
train, rest = xgboost.DMatrix(x[::2], y[::2]), xgboost.DMatrix(x[1::2], y[1::2])
results = {}
xgboost.train({"objective": "binary:logistic", "eval_metric": "logloss", "max_depth": 12, "tree_method": "exact"}, train, 20, [(train, "train"), (rest, "eval")],
              verbose_eval=1, evals_result=results)
record((i + 1, loss) for i, loss in enumerate(results["eval"]["logloss"]))
"""),
    Program("LightGBM, `log_evaluation(1)`", "lightgbm", "lightgbm", DATA + """
import lightgbm
train = lightgbm.Dataset(x[::2], y[::2])
rest = lightgbm.Dataset(x[1::2], y[1::2], reference=train)
results = {}
lightgbm.train({"objective": "binary", "metric": "binary_logloss", "num_threads": 1, "num_leaves": 2000,
                "min_data_in_leaf": 2}, train, 20, [train, rest],
               callbacks=[lightgbm.log_evaluation(1), lightgbm.record_evaluation(results)])
record((i + 1, loss) for i, loss in enumerate(results["valid_1"]["binary_logloss"]))
"""),
    Program("Keras, `fit(verbose=1)`", "keras", "keras", DATA + """
os.environ.setdefault("KERAS_BACKEND", "jax")
import keras
model = keras.Sequential([keras.layers.Input((12,)), keras.layers.Dense(8, activation="relu"),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
history = model.fit(x, y, validation_split=0.2, epochs=6, verbose=1)
record((i + 1, loss) for i, loss in enumerate(history.history["val_loss"]))
"""),
    Program("PyTorch, `print`", "torch", "torch", TORCH + """
losses = []
for epoch in range(20):
    losses.append((epoch + 1, step()))
    print(f"Epoch [{epoch + 1}/20], Loss: {losses[-1][1]:.6f}")
record(losses)
"""),
    Program("PyTorch, TensorBoard's `SummaryWriter`", "torch tensorboard", "tensorboard", TORCH + """
from torch.utils.tensorboard import SummaryWriter
losses, writer = [], SummaryWriter("runs")
for epoch in range(20):
    losses.append((epoch + 1, step()))
    writer.add_scalar("train/loss", losses[-1][1], epoch + 1)
    writer.flush()
record(losses)
""", "tensorboard:runs"),
    Program("PyTorch, MLflow's file store", "torch mlflow", "mlflow-skinny", TORCH + """
import mlflow
losses = []
with mlflow.start_run():
    for epoch in range(20):
        losses.append((epoch + 1, step()))
        mlflow.log_metric("loss", losses[-1][1], step=epoch + 1)
record(losses)
""", "mlflow:mlruns"),
    Program("Hugging Face `Trainer`, its output", "transformers accelerate", "transformers", TRANSFORMERS + """
record((i + 1, loss) for i, (_, loss) in enumerate(logged))
"""),
    Program("Hugging Face `Trainer`, its `KubeflowCallback`", "transformers accelerate", "transformers", TRANSFORMERS + """
record(logged)
""", "kubeflow", late=True),
)


def rows(file):
    """The iterations and losses of a CSV file whose last columns they are."""
    with open(file, newline="", encoding="utf-8") as text:
        return [(float(row[-2]), float(row[-1])) for row in csv.reader(text) if row[-2] != "iteration"]


def worst_difference(program, found, recorded):
    """How far the losses that were found are off, as a part of the loss; None where an iteration or its loss is another's.
    All outputs have four digits, or four decimals, at least."""
    worst = 0.0
    for iteration, loss in found:
        same = [value for at, value in recorded if (at <= iteration if program.late else at == iteration)]
        if not same:
            return None
        nearest = min(same, key=lambda value: abs(loss - value)) if program.late else same[-1]
        difference = abs(loss - nearest)
        if difference > 6e-5 and difference > 6e-4 * abs(nearest):
            return None
        worst = max(worst, difference / max(1e-12, abs(nearest)))
    return worst
