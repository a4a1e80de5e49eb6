"""For scikit-learn: loops around models that learn by and by, with partial_fit or with warm_start.

    slaq.sklearn.partial_fit(SGDClassifier(loss="log_loss"), x, y, epochs=100, classes=[0, 1])
    slaq.sklearn.warm_start(GradientBoostingClassifier(), x, y, iterations=300)

Both report a loss after each epoch or iteration and return the model. A loss of validation data is preferred: with
`validation=(x, y)` it is computed on them, the log loss of a classifier and the mean squared error of a regressor. Without,
it is the training's loss as the model has it, or else computed on the training data. `metric` replaces all that: it is a
function that takes the model.
"""
import warnings

from sklearn import metrics
from sklearn.exceptions import ConvergenceWarning

from slaq.training import Training


def partial_fit(model, x, y=None, epochs=100, *, validation=None, metric=None, **arguments):
    """Learns from all of `x` once in each epoch. `arguments` are those of the model's partial_fit, such as `classes`."""
    training = Training("loss")
    for epoch in range(1, epochs + 1):
        model.partial_fit(x, y, **arguments)
        training.report({"loss": loss_of(model, x, y, validation, metric)}, epoch)
    return model


def warm_start(model, x, y=None, iterations=100, *, step=1, validation=None, metric=None):
    """Fits again and again, each time from where the last fit ended and `step` iterations (trees, rounds, epochs) farther."""
    training = Training("loss")
    limit = limit_of(model)
    model.set_params(warm_start=True)
    for iteration in range(step, iterations + 1, step):
        model.set_params(**{limit: iteration if counts_from_start(model, limit) else step})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # each fit ends before it converges, on purpose
            model.fit(x, y)
        training.report({"loss": loss_of(model, x, y, validation, metric)}, iteration)
    return model


def limit_of(model):
    """The parameter that says how far a fit goes."""
    for name in ("n_estimators", "max_iter"):
        if name in model.get_params(deep=False):
            return name
    raise ValueError(f"{type(model).__name__} has neither n_estimators nor max_iter")


def counts_from_start(model, limit):
    """Trees that are there count; the epochs of an earlier fit do not. For boosting by histograms max_iter counts trees."""
    return limit == "n_estimators" or type(model).__name__.startswith("HistGradientBoosting")


def loss_of(model, x, y, validation, metric):
    if metric is not None:
        return metric(model)
    if validation is not None:
        return measured_loss(model, *validation)
    if hasattr(model, "train_score_") and not type(model).__name__.startswith("HistGradientBoosting"):
        return model.train_score_[-1]
    for name in ("loss_", "inertia_"):
        if isinstance(getattr(model, name, None), float):
            return getattr(model, name)
    return measured_loss(model, x, y)


def measured_loss(model, x, y):
    """The log loss of a classifier, the mean squared error of a regressor."""
    if hasattr(model, "predict_proba"):
        return metrics.log_loss(y, model.predict_proba(x), labels=model.classes_)
    if hasattr(model, "classes_"):
        raise ValueError(f"{type(model).__name__} gives no probabilities; give metric=, such as a function of its score")
    return metrics.mean_squared_error(y, model.predict(x))
