"""Boosted trees against scikit-learn's over histograms. A tree's small differences, by the cuts between its
bins, add up in the next ones: the losses agree closely after a few trees, less so after many."""
from frame import Trainer, expect
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, mean_squared_error

trainer = Trainer()
MODEL = dict(max_depth=4, max_bins=255, max_leaf_nodes=None, min_samples_leaf=20, learning_rate=0.1,
             l2_regularization=1, early_stopping=False)


def ours(problem, trees):
    return trainer.train(*problem, f"--trees={trees}", "--depth=4", "--bins=255", "--min-leaf=20",
                         "--learning-rate=0.1", "--l2=1", "--tolerance=0")[-1]


problem = ["--algorithm=boosted-trees", "--rows=5000", "--features=12", "--chunks=7"]
rows, classes = trainer.rows(*problem)
for trees, tolerance in (5, 2e-3), (60, 3e-2):
    model = HistGradientBoostingClassifier(max_iter=trees, **MODEL).fit(rows, classes)
    theirs = log_loss(classes, model.predict_proba(rows))
    expect(f"classification by {trees} trees", ours(problem, trees), theirs, tolerance)

problem = ["--algorithm=boosted-trees-regression", "--rows=5000", "--features=12", "--chunks=7"]
rows, targets = trainer.rows(*problem)
for trees, tolerance in (5, 2e-3), (60, 4e-2):
    model = HistGradientBoostingRegressor(max_iter=trees, **MODEL).fit(rows, targets)
    theirs = 0.5 * mean_squared_error(targets, model.predict(rows))
    expect(f"regression by {trees} trees", ours(problem, trees), theirs, tolerance)
