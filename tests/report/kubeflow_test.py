"""What slaq-report takes of Kubeflow Trainer's protocol: of a program that speaks it with Python's own library, and of Hugging
Face transformers, whose Trainer speaks it by itself; that part is left out where they are not installed."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "libraries"))
from programs import TRANSFORMERS_MODEL, rows  # noqa: E402

REPORT = os.environ["SLAQ_REPORT"]
LIMIT_SECONDS = 600  # only what hangs takes so long
EPOCH = 40  # steps: what TRAIN has of data, by rows of a batch

# As transformers' KubeflowCallback posts it.
POST = """
import json, os, urllib.request
def post(metrics, percent=None):
    with open(os.environ["KUBEFLOW_TRAINER_SERVER_TOKEN"]) as file:
        token = file.read().strip()
    status = {"metrics": [{"name": name, "value": str(value)} for name, value in metrics.items()]}
    if percent is not None:
        status["progressPercentage"] = percent
    request = urllib.request.Request(os.environ["KUBEFLOW_TRAINER_SERVER_URL"], method="POST",
                                     data=json.dumps({"trainerStatus": status}).encode(),
                                     headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        assert answer.status == 200
"""

TRAIN = "INPUTS = 4\n" + TRANSFORMERS_MODEL + """
import json, os

class Early(TrainerCallback):
    def on_step_end(self, args, state, control, **rest):
        if state.global_step == int(os.environ["STOP"]):
            control.should_training_stop = True

torch.manual_seed(0)
data = [{"x": x, "labels": int(x[0] > 0)} for x in torch.randn(320, 4)]
trainer = Trainer(Model(PretrainedConfig()), TrainingArguments(
    os.environ["FOLDER"], max_steps=250, per_device_train_batch_size=8, logging_steps=5, report_to="none", use_cpu=True,
    save_strategy="no", eval_strategy=os.environ["EVALUATION"], eval_steps=20, learning_rate=0.05, disable_tqdm=True),
    train_dataset=data, eval_dataset=data[:16], callbacks=[Early()])
trainer.train()
with open(os.environ["HISTORY"], "w") as file:
    json.dump(trainer.state.log_history, file)
"""


def train(directory, program, options=(), **variables):
    """What slaq-report recorded, and what it said."""
    script, seen = f"{directory}/train.py", f"{directory}/seen.csv"
    with open(script, "w", encoding="utf-8") as file:
        file.write(program)
    done = subprocess.run([REPORT, "--record", seen, "--from", "kubeflow", *options, "--", sys.executable, script],
                          capture_output=True, text=True, check=False, env={**os.environ, **variables},
                          timeout=LIMIT_SECONDS)
    assert done.returncode == 0, done.stderr
    return rows(seen), done.stderr


class Protocol(unittest.TestCase):
    PROGRAM = POST + """
post({"total_steps": 300}, 0)
post({"loss": 0.9, "eval_loss": 0.95, "current_step": 100})
post({"loss": 0.7, "eval_loss": 0.95, "current_step": 150})
post({"loss": 0.5, "eval_loss": 0.75, "current_step": 200})
post({"loss": 0.4, "eval_loss": 0.65, "train_loss": 0.6}, 100)
"""

    def test_a_loss_of_validation_data_is_preferred(self):
        with tempfile.TemporaryDirectory() as directory:
            found, _ = train(directory, self.PROGRAM)
            self.assertEqual(found[-2:], [(200, 0.75), (300, 0.65)])
            found, _ = train(directory, self.PROGRAM, ("--metric", "loss"))
            self.assertEqual(found, [(100, 0.9), (150, 0.7), (200, 0.5), (300, 0.4)])

    def test_proxies_are_passed_by(self):
        with tempfile.TemporaryDirectory() as directory:
            found, _ = train(directory, self.PROGRAM, http_proxy="http://127.0.0.1:1")
            self.assertEqual(found[-1], (300, 0.65))

    def test_a_program_that_does_not_speak_it(self):
        with tempfile.TemporaryDirectory() as directory:
            found, errors = train(directory, "print('loss 1')\nprint('loss 0.5')")
        self.assertEqual(found, [])
        self.assertIn("the command told no loss by Kubeflow's protocol", errors)


@unittest.skipUnless(importlib.util.find_spec("transformers") and importlib.util.find_spec("accelerate"),
                     "transformers are not installed")
class Transformers(unittest.TestCase):
    """A status tells the values that were logged before its step ended."""

    def compare(self, metric, **variables):
        with tempfile.TemporaryDirectory() as directory:
            history = f"{directory}/history.json"
            found, _ = train(directory, TRAIN, ("--metric", metric), HISTORY=history, FOLDER=directory,
                             HF_HUB_OFFLINE="1", **variables)
            with open(history, encoding="utf-8") as file:
                logged = [(entry["step"], entry[metric]) for entry in json.load(file) if metric in entry]
        print(f"transformers, {metric}: {found} of {len(logged)} that were logged", file=sys.stderr)
        self.assertGreaterEqual(len(found), 2)
        for step, loss in found[:-1]:
            self.assertEqual(loss, [value for at, value in logged if at < step][-1])
        self.assertEqual(found[-1][1], logged[-1][1])
        return found

    def test_losses_are_those_of_the_history(self):
        found = self.compare("loss", EVALUATION="no", STOP="0")
        self.assertEqual(found[-1][0], 250)

    def test_losses_of_validation_data(self):
        found = self.compare("eval_loss", EVALUATION="steps", STOP="0")
        self.assertLessEqual(found[-1][0], 250)

    def test_a_training_that_stops_early(self):
        """Its last step follows from that of the status before and from the epochs of both, of which that of the status is
        rounded to hundredths."""
        found = self.compare("loss", EVALUATION="no", STOP="150")
        rounding = 0.005 / (found[-2][0] / EPOCH)
        self.assertAlmostEqual(found[-1][0], 150, delta=150 * rounding / (1 - rounding) + 0.5)


if __name__ == "__main__":
    unittest.main()
