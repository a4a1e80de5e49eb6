#!/usr/bin/python3
"""A neural network of scikit-learn. It knows nothing of slaq: it prints its loss."""
from sklearn.datasets import make_classification
from sklearn.neural_network import MLPClassifier

features, classes = make_classification(20000, 60, n_informative=30, random_state=0)
network = MLPClassifier((96,), max_iter=60, tol=0, n_iter_no_change=60, verbose=True, random_state=0)
network.fit(features, classes)
