"""Linear support vector machines by gradient descent against liblinear's dual coordinate descent."""
import numpy as np

from frame import Trainer, expect
from sklearn.svm import LinearSVC

L2 = 0.01
trainer = Trainer()
problem = ["--algorithm=linear-svm", "--rows=4000", "--features=20", f"--l2={L2}"]
x, y = trainer.rows(*problem)
c = 1 / (L2 * len(y))


def solve(loss, c):
    return LinearSVC(loss=loss, C=c, fit_intercept=False, tol=1e-8, max_iter=1000000).fit(x, y).coef_[0]


def lacks(weights):
    return np.maximum(0, 1 - y * (x @ weights))


weights = solve("hinge", c)
theirs = np.mean(lacks(weights)) + 0.5 * L2 * weights @ weights
# The loss has kinks: gradient descent with falling steps comes near the minimum slowly.
expect("hinge", trainer.train(*problem, "--iterations=3000", "--tolerance=0")[-1], theirs, 1e-4)

weights = solve("squared_hinge", c / 2)
theirs = 0.5 * np.mean(lacks(weights) ** 2) + 0.5 * L2 * weights @ weights
ours = trainer.train(*problem, "--loss=squared-hinge", "--learning-rate=1", "--iterations=3000", "--tolerance=0")[-1]
expect("squared hinge", ours, theirs, 1e-4)
