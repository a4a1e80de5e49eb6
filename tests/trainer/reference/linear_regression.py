"""Linear regression by L-BFGS against ridge regression in closed form."""
import numpy as np

from frame import Trainer, expect
from sklearn.linear_model import Ridge

trainer = Trainer()
for l2 in (0, 0.1):
    problem = ["--algorithm=linear-regression", "--rows=3000", "--features=30", f"--l2={l2}"]
    x, y = trainer.rows(*problem)
    weights = Ridge(alpha=l2 * len(y), fit_intercept=False, solver="svd").fit(x, y).coef_
    theirs = 0.5 * np.mean((x @ weights - y) ** 2) + 0.5 * l2 * weights @ weights
    expect(f"with l2 = {l2}", trainer.train(*problem, "--tolerance=1e-9")[-1], theirs, 1e-6)
