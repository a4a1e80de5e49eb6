"""The support vector machine with a polynomial kernel against liblinear on a factor of the kernel's matrix.

With K = F F', a linear machine on the rows of F is the machine with that kernel, and has no intercept as ours.
"""
import numpy as np

from frame import Trainer, expect
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.svm import LinearSVC

L2 = 0.05
trainer = Trainer()
for degree in (2, 3):
    problem = ["--algorithm=polynomial-svm", "--rows=1000", "--features=5", f"--l2={L2}", f"--degree={degree}",
               "--gamma=0.5", "--offset=1.5", "--condition=4"]
    x, y = trainer.rows(*problem)
    values, vectors = np.linalg.eigh(polynomial_kernel(x, degree=degree, gamma=0.5, coef0=1.5))
    kept = values > 1e-9 * values[-1]
    factor = vectors[:, kept] * np.sqrt(values[kept])
    weights = LinearSVC(loss="hinge", C=1 / (L2 * len(y)), fit_intercept=False, tol=1e-8,
                        max_iter=1000000).fit(factor, y).coef_[0]
    theirs = np.mean(np.maximum(0, 1 - y * (factor @ weights))) + 0.5 * L2 * weights @ weights
    ours = trainer.train(*problem, "--learning-rate=0.2", "--iterations=4000", "--tolerance=0")[-1]
    expect(f"degree {degree}", ours, theirs, 1e-4)
