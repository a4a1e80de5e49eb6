"""Multi-layer perceptrons against scikit-learn's from several first weights: the loss is not convex, so that ours
must come near to one of theirs."""
import warnings

from frame import Trainer, expect
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

warnings.filterwarnings("ignore", category=ConvergenceWarning)
ROWS, BATCH, L2 = 1500, 100, 0.01
trainer = Trainer()
problem = [f"--rows={ROWS}", "--features=64", "--noise=3", "--chunks=5", "--hidden=16", f"--l2={L2}", "--tolerance=0"]
x, y = trainer.rows("--algorithm=perceptron", *problem[:4])


# Theirs divides alpha by the number of rows of a step.
def nearest(ours, alpha, **options):
    losses = [MLPClassifier((16,), activation="tanh", alpha=alpha, random_state=seed, **options).fit(x, y).loss_
              for seed in range(3)]
    return min(losses, key=lambda loss: abs(loss - ours))


ours = trainer.train("--algorithm=perceptron", *problem, "--iterations=400")[-1]
expect("L-BFGS", ours, nearest(ours, L2 * ROWS, solver="lbfgs", max_iter=400, tol=1e-9), 5e-3)

# 60 epochs of 15 mini-batches; smoothed over about one of them, as theirs is.
ours = trainer.train("--algorithm=perceptron-sgd", *problem, f"--batch-size={BATCH}", "--learning-rate=0.1",
                     "--momentum=0.9", "--smoothing=0.93", "--iterations=900")[-1]
theirs = nearest(ours, L2 * BATCH, solver="sgd", batch_size=BATCH, learning_rate_init=0.1, momentum=0.9,
                 nesterovs_momentum=False, max_iter=60, tol=0, n_iter_no_change=1000)
expect("momentum on mini-batches", ours, theirs, 2e-2)
