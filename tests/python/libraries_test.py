"""What is exported of trainings by real libraries, beside what the libraries themselves record, value by value. Those that
are not installed are left out; scikit-learn always is there in `make test`."""
import importlib.util
import json
import os
import sys
import tempfile
import unittest

from programs import free_port, run

# `exported` gets what is read of the process after each report. A program sets `expected`, and `first` if the first of
# its iterations is not 1.
BEGINNING = """
import json, os
import numpy as np
from slaq import reporting
port = {port}
random = np.random.default_rng(0)
x = random.normal(size=(600, 12))
y = (x[:, 0] + x[:, 1] ** 2 > 1).astype(int)
exported, first, every = [], 1, 1
report = reporting.report
def report_and_read(*arguments):
    report(*arguments)
    lines = [line.split()[1] for line in read(port).splitlines() if line[0] != "#"]
    exported.append([int(lines[0]), float(lines[1])])
reporting.report = report_and_read
"""
END = """
json.dump({"exported": exported, "expected": [[first + i * every, float(loss)] for i, loss in enumerate(expected)]},
          open("losses.json", "w"))
"""
# A library is loaded once, and each of its programs is a fork. Libraries that are not here may have threads by then.
LOADED = {
    "sklearn": "import sklearn.ensemble, sklearn.linear_model, sklearn.neural_network, sklearn.cluster, slaq.sklearn",
    "xgboost": "import xgboost, slaq.xgboost",
    "torch": "import torch",
}
# Runs each of `programs`, in a directory of its own.
FORKS = """
import os, sys
for directory, program in programs:
    child = os.fork()
    if child == 0:
        os.chdir(directory)
        exec(program)
        sys.exit()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        print(f"exit code {code} of the program in {directory}", file=sys.stderr)
"""
XGBOOST = """
import xgboost
import slaq.xgboost
train, rest = xgboost.DMatrix(x[:400], y[:400]), xgboost.DMatrix(x[400:], y[400:])
results = {}
def fit(**arguments):
    xgboost.train({"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "nthread": 1}, train, 10,
                  [(train, "train"), (rest, "eval")], verbose_eval=False, evals_result=results,
                  callbacks=[slaq.xgboost.Report(**arguments)])
"""
LIGHTGBM = """
import lightgbm
import slaq.lightgbm
train = lightgbm.Dataset(x[:400], y[:400])
rest = lightgbm.Dataset(x[400:], y[400:], reference=train)
results = {}
def fit(**arguments):
    lightgbm.train({"objective": "binary", "metric": ["auc", "binary_logloss"], "num_threads": 1, "verbose": -1}, train, 10,
                   [train, rest], callbacks=[lightgbm.record_evaluation(results), slaq.lightgbm.Report(**arguments)])
"""
KERAS = """
os.environ.setdefault("KERAS_BACKEND", "jax")
import keras
import slaq.keras
model = keras.Sequential([keras.layers.Input((12,)), keras.layers.Dense(8, activation="relu"),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
callback = slaq.keras.Report()
def fit(**arguments):
    return model.fit(x, y, verbose=0, callbacks=[callback], **arguments).history
"""
LIGHTNING = """
import torch
from lightning.pytorch import Callback, LightningModule, Trainer
import slaq.lightning
torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y[:, None], dtype=torch.float32))
class Module(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(12, 1)
        self.losses = []
    def loss(self, batch):
        return torch.nn.functional.binary_cross_entropy_with_logits(self.layer(batch[0]), batch[1])
    def training_step(self, batch):
        loss = self.loss(batch)
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        self.losses.append(loss.item())
        return loss
    def validation_step(self, batch):
        self.log("val_loss", self.loss(batch))
        self.log("val_accuracy", 0.5)
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)
class History(Callback):
    def __init__(self):
        self.values = {"val_loss": [], "train_loss": []}
    def on_train_epoch_end(self, trainer, module):
        for name, values in self.values.items():
            values.append(trainer.callback_metrics[name].item())
history, module = History(), Module()
def fit(**arguments):
    Trainer(max_epochs=4, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
            accelerator="cpu", callbacks=[history, slaq.lightning.Report(**arguments)]).fit(
        module, torch.utils.data.DataLoader(data, 60), torch.utils.data.DataLoader(data, 600))
"""
TRANSFORMERS = """
import torch, transformers
import slaq.transformers
torch.manual_seed(0)
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(12, 1)
    def forward(self, inputs, labels):
        logits = self.layer(inputs)
        return {"loss": torch.nn.functional.binary_cross_entropy_with_logits(logits, labels), "logits": logits}
data = [{"inputs": torch.tensor(row, dtype=torch.float32), "labels": torch.tensor([float(label)])} for row, label in zip(x, y)]
def fit(callback, **arguments):
    trainer = transformers.Trainer(Model(), transformers.TrainingArguments(
        "out", per_device_train_batch_size=20, num_train_epochs=2, logging_steps=6, report_to=[], disable_tqdm=True,
        save_strategy="no", use_cpu=True, **arguments), train_dataset=data, eval_dataset=data[:60], callbacks=[callback])
    trainer.train()
    return trainer.state.log_history
"""
PROGRAMS = {
    "scikit-learn, partial_fit": ("sklearn", """
from sklearn.neural_network import MLPClassifier
import slaq.sklearn
model = slaq.sklearn.partial_fit(MLPClassifier((8,), random_state=0), x, y, epochs=6, classes=[0, 1])
expected = model.loss_curve_
"""),
    "scikit-learn, partial_fit with validation": ("sklearn", """
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import log_loss
import slaq.sklearn
judged = x[400:], y[400:]
slaq.sklearn.partial_fit(SGDClassifier(loss="log_loss", random_state=0), x[:400], y[:400], 6, validation=judged,
                         classes=[0, 1])
model, expected = SGDClassifier(loss="log_loss", random_state=0), []
for _ in range(6):
    model.partial_fit(x[:400], y[:400], classes=[0, 1])
    expected.append(log_loss(judged[1], model.predict_proba(judged[0])))
"""),
    "scikit-learn, warm_start of boosting": ("sklearn", """
from sklearn.ensemble import GradientBoostingClassifier
import slaq.sklearn
model = slaq.sklearn.warm_start(GradientBoostingClassifier(random_state=0), x, y, iterations=20, step=5)
assert len(model.estimators_) == 20
expected, first, every = model.train_score_[4::5], 5, 5
"""),
    "scikit-learn, warm_start of boosting by histograms": ("sklearn", """
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_squared_error
import slaq.sklearn
model = slaq.sklearn.warm_start(HistGradientBoostingRegressor(random_state=0), x, y, iterations=8)
assert model.n_iter_ == 8
expected = [mean_squared_error(y, staged) for staged in model.staged_predict(x)]
"""),
    "scikit-learn, warm_start by epochs": ("sklearn", """
from sklearn.neural_network import MLPRegressor
import slaq.sklearn
model = slaq.sklearn.warm_start(MLPRegressor(hidden_layer_sizes=(8,), random_state=0), x, y, iterations=6)
expected = model.loss_curve_
"""),
    "scikit-learn, a metric of one's own": ("sklearn", """
from sklearn.cluster import MiniBatchKMeans
import slaq.sklearn
expected = []
def metric(model):
    expected.append(-model.score(x))
    return np.float32(expected[-1])
slaq.sklearn.partial_fit(MiniBatchKMeans(3, n_init=1, random_state=0), x, epochs=4, metric=metric)
expected = [np.float32(loss) for loss in expected]
"""),
    "XGBoost": ("xgboost", XGBOOST + """
fit()
expected = results["eval"]["logloss"]
"""),
    "XGBoost, a metric by its name": ("xgboost", XGBOOST + """
fit(metric="train-auc")
expected = results["train"]["auc"]
"""),
    "XGBoost, the classes of scikit-learn": ("xgboost", XGBOOST + """
model = xgboost.XGBClassifier(n_estimators=5, n_jobs=1, callbacks=[slaq.xgboost.Report()])
model.fit(x[:400], y[:400], eval_set=[(x[400:], y[400:])], verbose=False)
expected = model.evals_result()["validation_0"]["logloss"]
"""),
    "LightGBM": ("lightgbm", LIGHTGBM + """
fit()
expected = results["valid_1"]["binary_logloss"]
"""),
    "LightGBM, a metric by its name": ("lightgbm", LIGHTGBM + """
fit(metric="training's auc")
expected = results["training"]["auc"]
"""),
    "Keras": ("keras", KERAS + """
expected = fit(validation_split=0.2, epochs=4)["val_loss"] + fit(validation_split=0.2, epochs=2)["val_loss"]
"""),
    "Keras, without validation": ("keras", KERAS + """
expected = fit(epochs=4)["loss"]
"""),
    "Keras, validation in every third epoch": ("keras", KERAS + """
expected = fit(validation_split=0.2, validation_freq=3, epochs=6)["loss"]
"""),
    "Keras, a metric by its name": ("keras", KERAS + """
callback = slaq.keras.Report("val_accuracy")
expected = fit(validation_split=0.2, epochs=3)["val_accuracy"]
"""),
    "Keras, from an epoch on": ("keras", KERAS + """
expected, first = fit(epochs=13, initial_epoch=10)["loss"], 11
"""),
    "Lightning": ("lightning", LIGHTNING + """
fit()
expected = history.values["val_loss"]
"""),
    "Lightning, a metric by its name": ("lightning", LIGHTNING + """
fit(metric="train_loss")
expected = history.values["train_loss"]
"""),
    "Lightning, means of batches": ("lightning", LIGHTNING + """
fit(every=5)
losses = torch.tensor(module.losses)
expected, first, every = [sum(losses[i:i + 5]) / 5 for i in range(0, 40, 5)], 5, 5
"""),
    "Lightning, an optimization of one's own": ("lightning", LIGHTNING + """
class Own(Module):
    automatic_optimization = False
    def training_step(self, batch, index):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        loss = super().training_step(batch)
        self.manual_backward(loss)
        optimizer.step()
        return {"loss": loss} if index % 2 else None
module = Own()
fit(every=5)
losses = torch.tensor(module.losses[1::2])
expected, first, every = [sum(losses[i:i + 5]) / 5 for i in range(0, 20, 5)], 10, 10
"""),
    "Transformers": ("transformers", TRANSFORMERS + """
history = fit(slaq.transformers.Report(), eval_strategy="steps", eval_steps=30)
expected, first, every = [each["loss"] for each in history if "loss" in each], 6, 6
"""),
    "Transformers, evaluated often": ("transformers", TRANSFORMERS + """
history = fit(slaq.transformers.Report(), eval_strategy="steps", eval_steps=3)
expected, first, every = [each["eval_loss"] for each in history if "eval_loss" in each], 3, 3
"""),
    "Transformers, a metric by its name": ("transformers", TRANSFORMERS + """
history = fit(slaq.transformers.Report("eval_loss"), eval_strategy="epoch")
expected, first, every = [each["eval_loss"] for each in history if "eval_loss" in each], 30, 30
"""),
    "PyTorch, with processes that load the data": ("torch", """
import torch
class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, row):
        report(100.0)  # of a forked process, which is not the one that is read
        return torch.tensor(float(row))
loader, expected = torch.utils.data.DataLoader(Rows(), batch_size=2, num_workers=2, multiprocessing_context="fork"), [9]
reporting.report(9)
for _ in range(2):
    for losses in loader:
        expected.append(losses.sum().item())
        reporting.report(losses.sum())
"""),
    "PyTorch": ("torch", """
import torch
torch.manual_seed(0)
model = torch.nn.Linear(12, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
inputs, targets = torch.tensor(x, dtype=torch.float32), torch.tensor(y[:, None], dtype=torch.float32)
expected = []
for epoch in range(6):
    optimizer.zero_grad()
    loss = torch.nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)
    loss.backward()
    optimizer.step()
    expected.append(loss.item())
    reporting.report(loss)
"""),
}


class Libraries(unittest.TestCase):
    def test_losses_are_those_that_they_record(self):
        for module in dict.fromkeys(module for module, _ in PROGRAMS.values()):
            programs = {name: program for name, (of, program) in PROGRAMS.items() if of == module}
            if module != "sklearn" and importlib.util.find_spec(module) is None:
                print(f"left out, since it is not installed: {', '.join(programs)}", file=sys.stderr)
            elif module in LOADED:
                self.compare(LOADED[module], programs)
            else:
                for name, program in programs.items():
                    self.compare("", {name: program})

    def compare(self, loaded, programs):
        port = str(free_port())
        with tempfile.TemporaryDirectory() as folder:
            directories = [f"{folder}/{number}" for number in range(len(programs))]
            whole = [BEGINNING.replace("{port}", port) + program + END for program in programs.values()]
            for directory in directories:
                os.mkdir(directory)
            done = run(f"{loaded}\nprograms = {list(zip(directories, whole))!r}\n{FORKS}", SLAQ_METRICS_PORT=port)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name, directory in zip(programs, directories):
                with self.subTest(name):
                    self.assertTrue(os.path.exists(f"{directory}/losses.json"), done.stderr)
                    with open(f"{directory}/losses.json", encoding="utf-8") as file:
                        losses = json.load(file)
                    self.assertGreater(len(losses["expected"]), 1)
                    self.assertEqual(losses["exported"], losses["expected"])

    def test_trainings_outside_slaq_are_as_without_it(self):
        done = run(BEGINNING.replace("{port}", "0").split("report = ", maxsplit=1)[0] + """
from sklearn.linear_model import SGDClassifier
import slaq.sklearn
import threading
slaq.sklearn.partial_fit(SGDClassifier(loss="log_loss"), x, y, 3, classes=[0, 1])
print(reporting.last_iteration(), threading.active_count())
""")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "-1 1\n", ""))


if __name__ == "__main__":
    unittest.main()
