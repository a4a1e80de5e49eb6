"""Logistic regression by gradient descent against Newton's method."""
import numpy as np

from frame import Trainer, expect
from sklearn.linear_model import LogisticRegression

L2 = 0.01
trainer = Trainer()
problem = ["--algorithm=logistic-regression", "--rows=4000", "--features=20", f"--l2={L2}"]
x, y = trainer.rows(*problem)
weights = LogisticRegression(C=1 / (L2 * len(y)), fit_intercept=False, solver="newton-cg", tol=1e-8,
                             max_iter=1000).fit(x, y).coef_[0]
theirs = np.mean(np.logaddexp(0, -y * (x @ weights))) + 0.5 * L2 * weights @ weights
expect("final loss", trainer.train(*problem, "--iterations=1000", "--tolerance=1e-12")[-1], theirs, 1e-6)
