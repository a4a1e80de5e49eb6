"""What is read of libraries' own output, beside what a callback records of the same training, value by value. Those that
are not installed are left out; scikit-learn always is there in `make test`."""
import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

REPORT = os.environ["SLAQ_REPORT"]
# The programs know nothing of slaq. What a callback records is written to the file RECORD.
DATA = """
import os
import numpy as np
random = np.random.default_rng(0)
x = random.normal(size=(1500, 12))
y = (x[:, 0] + x[:, 1] ** 2 > 1).astype(int)
def record(losses):
    with open(os.environ["RECORD"], "w") as file:
        file.writelines(f"{i},{float(loss)!r}\\n" for i, loss in losses)
"""
PROGRAMS = {
    "scikit-learn, MLPClassifier(verbose=True)": ("sklearn", DATA + """
from sklearn.neural_network import MLPClassifier
network = MLPClassifier((16,), max_iter=20, tol=0, n_iter_no_change=20, verbose=True, random_state=0).fit(x, y)
record((i + 1, float(loss)) for i, loss in enumerate(network.loss_curve_))
"""),
    "scikit-learn, GradientBoostingClassifier(verbose=2)": ("sklearn", DATA + """
from sklearn.ensemble import GradientBoostingClassifier
trees = GradientBoostingClassifier(n_estimators=20, verbose=2, random_state=0).fit(x, y)
record((i + 1, float(loss)) for i, loss in enumerate(trees.train_score_))
"""),
    "XGBoost, verbose_eval=1": ("xgboost", DATA + """
import xgboost
train, rest = xgboost.DMatrix(x[:1000], y[:1000]), xgboost.DMatrix(x[1000:], y[1000:])
results = {}
xgboost.train({"objective": "binary:logistic", "eval_metric": "logloss"}, train, 20, [(train, "train"), (rest, "eval")],
              verbose_eval=1, evals_result=results)
record((i + 1, loss) for i, loss in enumerate(results["eval"]["logloss"]))
"""),
    "LightGBM, log_evaluation(1)": ("lightgbm", DATA + """
import lightgbm
train = lightgbm.Dataset(x[:1000], y[:1000])
rest = lightgbm.Dataset(x[1000:], y[1000:], reference=train)
results = {}
lightgbm.train({"objective": "binary", "metric": "binary_logloss", "num_threads": 1}, train, 20, [train, rest],
               callbacks=[lightgbm.log_evaluation(1), lightgbm.record_evaluation(results)])
record((i + 1, loss) for i, loss in enumerate(results["valid_1"]["binary_logloss"]))
"""),
    "Keras, fit(verbose=1)": ("keras", DATA + """
os.environ.setdefault("KERAS_BACKEND", "jax")
import keras
model = keras.Sequential([keras.layers.Input((12,)), keras.layers.Dense(8, activation="relu"),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
history = model.fit(x, y, validation_split=0.2, epochs=6, verbose=1)
record((i + 1, loss) for i, loss in enumerate(history.history["val_loss"]))
"""),
    "PyTorch, print": ("torch", DATA + """
import torch
torch.manual_seed(0)
model = torch.nn.Linear(12, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
inputs, targets = torch.tensor(x, dtype=torch.float32), torch.tensor(y[:, None], dtype=torch.float32)
losses = []
for epoch in range(20):
    optimizer.zero_grad()
    loss = torch.nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)
    loss.backward()
    optimizer.step()
    losses.append((epoch + 1, loss.item()))
    print(f"Epoch [{epoch + 1}/20], Loss: {loss.item():.6f}")
record(losses)
"""),
}


def rows(file):
    with open(file, newline="", encoding="utf-8") as text:
        return [(float(iteration), float(loss)) for iteration, loss in csv.reader(text) if iteration != "iteration"]


class Libraries(unittest.TestCase):
    def test_losses_are_those_of_a_callback(self):
        for name, (module, program) in PROGRAMS.items():
            if module != "sklearn" and importlib.util.find_spec(module) is None:
                print(f"left out, since it is not installed: {name}", file=sys.stderr)
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as directory:
                script, seen, told = (f"{directory}/{each}" for each in ("train.py", "seen.csv", "told.csv"))
                with open(script, "w", encoding="utf-8") as file:
                    file.write(program)
                done = subprocess.run([REPORT, "--record", seen, "--", sys.executable, script], capture_output=True,
                                      text=True, check=False, env={**os.environ, "RECORD": told})
                self.assertEqual(done.returncode, 0, done.stderr)
                expected, found = rows(told), rows(seen)
                # The first is known when the second shows that it was whole, or after some seconds.
                self.assertGreaterEqual(len(found), len(expected) - 1)
                expected = expected[len(expected) - len(found):]
                self.assertEqual([i for i, _ in found], [i for i, _ in expected])
                for (_, loss), (_, recorded) in zip(found, expected):
                    self.assertAlmostEqual(loss, recorded, delta=6e-4 * max(1, abs(recorded)))


if __name__ == "__main__":
    unittest.main()
