#!/usr/bin/python3
"""Gradient boosted trees of scikit-learn. It knows nothing of slaq: it prints a table."""
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier

features, classes = make_classification(8000, 30, n_informative=15, random_state=0)
GradientBoostingClassifier(n_estimators=120, max_depth=4, verbose=2, random_state=0).fit(features, classes)
