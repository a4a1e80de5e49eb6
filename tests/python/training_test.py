"""Which of several numbers a callback reports, and how it numbers iterations."""
import re
import unittest

from programs import ROOT, free_port, run
from slaq import training

# Prints what is reported instead of exporting it.
PRINTED = """
from slaq import reporting
from slaq.training import Training
port = {port}
def report(numbers, iteration):
    training.report(numbers, iteration)
    print([line.split()[1] for line in read(port).splitlines() if line[0] != "#"][:2])
training = Training()
"""


class Names(unittest.TestCase):
    def test_mean_what_they_mean_to_slaq_report(self):
        source = (ROOT / "src/metrics/metric_name.cpp").read_text()
        for name, words in (("Losses", training.LOSSES), ("Errors", training.ERRORS), ("Gains", training.GAINS),
                            ("Validation", training.VALIDATION), ("Others", training.OTHERS)):
            listed = re.search(rf"const Words k{name} = {{(.*?)}};", source, re.DOTALL)[1]
            self.assertEqual(set(re.findall(r'"(\w+)"', listed)), words, name)

    def test_say_which_number_is_best(self):
        for names, best in ((["loss", "val_loss"], "val_loss"), (["accuracy", "loss"], "loss"),
                            (["val_accuracy", "loss", "accuracy"], "loss"), (["train-rmse", "eval-rmse"], "eval-rmse"),
                            (["eval-error", "eval-logloss", "train-logloss"], "eval-logloss"),
                            (["training's l2", "valid_0's l2"], "valid_0's l2"), (["auc", "grad_norm"], "auc"),
                            (["val_digits_loss", "val_loss", "loss"], "val_loss"), (["first-x", "second-x"], "first-x"),
                            (["train_x", "val_x"], "val_x"), (["learning_rate", "lr"], None), ([], None)):
            with self.subTest(names):
                self.assertEqual(training.best_of(names), best)


class Trainings(unittest.TestCase):
    def reported(self, program):
        port = free_port()
        ran = run(PRINTED.replace("{port}", str(port)) + program, SLAQ_METRICS_PORT=str(port))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return re.findall(r"\['(\S+)', '(\S+)'\]", ran.stdout), ran.stderr

    def test_keep_the_number_that_they_began_with(self):
        reports, _ = self.reported("report({'loss': 3}, 1); report({'loss': 2, 'val_loss': 9}, 2)")
        self.assertEqual(reports, [("1", "3.0"), ("2", "2.0")])

    def test_report_the_number_that_is_named(self):
        reports, _ = self.reported("training = Training('f'); report({'loss': 3, 'f': 1}, 1); report({'loss': 2}, 2)")
        self.assertEqual(reports, [("1", "1.0"), ("1", "1.0")])

    def test_go_on_where_the_one_before_ended(self):
        reports, _ = self.reported("report({'loss': 3}, 1); report({'loss': 2}, 2)\n"
                                   "training = Training(); report({'loss': 9}, 1); report({'loss': 8}, 2)\n"
                                   "training = Training(); report({'loss': 7}, 50)\n"
                                   "training = Training(); reporting.report(1, 60); report({'loss': 7}, 1)")
        self.assertEqual([iteration for iteration, _ in reports], ["1", "2", "3", "4", "50", "61"])

    def test_say_once_that_there_is_no_number_of_that_name(self):
        for metric, numbers, said in (("'val_los'", "{'loss': 3, 'val_loss': 2}", "no metric 'val_los' among what the library gives: "
                                       "loss, val_loss"), ("None", "{}", "no loss among what the library gives: nothing")):
            _, errors = self.reported(f"reporting.report(1); training = Training({metric})\n"
                                      f"for i in range(1, 9): report({numbers}, i)")
            self.assertEqual(errors, f"slaq: no loss is exported yet, since there is {said}\n")

    def test_say_once_that_a_number_is_to_rise_and_export_it_as_it_is(self):
        for metric, name in (("None", "auc"), ("'train-accuracy'", "train-accuracy")):
            reports, errors = self.reported(f"for i in range(1, 4): report({{'{name}': i / 4}}, i)\n"
                                            f"training = Training({metric}); report({{'{name}': 0.5}}, 1)")
            self.assertEqual([value for _, value in reports], ["0.25", "0.5", "0.75", "0.5"])
            self.assertEqual(errors, f"slaq: '{name}' is to rise: write spec.loss.mode: Maximize in the manifest unless it is "
                                     "there, or name a loss with Report(metric=...)\n")
        for name in ("loss", "rmse", "x", "best_score", "score_loss"):
            self.assertFalse(training.is_to_rise(name), name)


class Callbacks(unittest.TestCase):
    """Of libraries in the place of which there is nothing but what the callbacks take of them."""

    def test_of_lightning_pass_over_batches_without_a_loss(self):
        port = str(free_port())
        ran = run(f"""
import sys, types
sys.modules["lightning"] = types.ModuleType("lightning")
sys.modules["lightning.pytorch"] = types.SimpleNamespace(Callback=object)
import slaq.lightning
callback, trainer = slaq.lightning.Report(every=2), types.SimpleNamespace(global_step=0)
callback.on_train_start(trainer, None)
for outputs in (None, {{}}, {{"loss": None}}, {{"other": 1}}, 1.0, {{"loss": 0.5}}, None, {{"loss": 9}}):
    trainer.global_step += 1
    callback.on_train_batch_end(trainer, None, outputs, None, 0)
print([line.split()[1] for line in read({port}).splitlines() if line[0] != "#"])
""", SLAQ_METRICS_PORT=port)
        self.assertEqual((ran.returncode, ran.stdout), (0, "['6', '0.75']\n"), ran.stderr)
        self.assertIn("no loss is exported yet", ran.stderr)

    def test_of_transformers_count_the_evaluations_of_old_versions(self):
        ran = run("""
import sys, types
sys.modules["transformers"] = types.SimpleNamespace(TrainerCallback=object)
from slaq.transformers import evaluations
of = types.SimpleNamespace
old = of(max_steps=100, num_train_epochs=7)
print(evaluations(of(evaluation_strategy="steps", eval_steps=5), old), evaluations(of(evaluation_strategy="epoch"), old),
      evaluations(of(eval_strategy="IntervalStrategy.STEPS", eval_steps=0.1), of(max_steps=100, eval_steps=10)))
""")
        self.assertEqual((ran.returncode, ran.stdout), (0, "20 7 10\n"), ran.stderr)


if __name__ == "__main__":
    unittest.main()
