"""Trainings by scikit-learn and XGBoost, each a generator of losses of the whole data set: before training, and then
after each iteration. All run until they are not asked for more."""
import itertools

import numpy as np
import sklearn.datasets
import xgboost
from sklearn import cluster, decomposition, ensemble, linear_model, metrics, mixture, neural_network
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale, scale

SEED = 1
HELD_OUT = 0.3  # the share of the rows that a training with held_out does not see and is judged by


def load(name, regression=False):
    """Standardized features, and classes from 0 or standardized values."""
    data = getattr(sklearn.datasets, f"load_{name}")()
    target = data.target[:, 0] if data.target.ndim > 1 else data.target
    return scale(data.data), scale(target.astype(float)) if regression else target.astype(int)


def split(rows, targets, held_out):
    """Rows and targets to train with, and those to be judged by."""
    if not held_out:
        return rows, targets, rows, targets
    train, test, train_targets, test_targets = train_test_split(rows, targets, test_size=HELD_OUT, random_state=SEED)
    return train, train_targets, test, test_targets


def _class_loss(loss, targets, scores):
    """The mean loss of the scores of a linear classifier, one against the rest where there are several classes."""
    classes = np.unique(targets)
    scores = scores.reshape(len(targets), -1)
    signs = np.where(targets[:, None] == (classes[1:] if scores.shape[1] == 1 else classes), 1, -1)
    margin = signs * scores
    losses = {"log_loss": lambda: np.logaddexp(0, -margin), "hinge": lambda: np.maximum(0, 1 - margin),
              "modified_huber": lambda: np.where(margin < -1, -4 * margin, np.maximum(0, 1 - margin) ** 2)}[loss]()
    return losses.sum(1).mean()


def sgd_classifier(data, loss, rate):
    rows, targets = load(data)
    classes = np.unique(targets)
    model = linear_model.SGDClassifier(loss=loss, learning_rate="constant", eta0=rate, random_state=SEED)
    yield _class_loss(loss, targets, np.zeros((len(rows), 1 if len(classes) == 2 else len(classes))))
    while True:
        model.partial_fit(rows, targets, classes=classes)
        yield _class_loss(loss, targets, model.decision_function(rows))


def _value_loss(loss, errors):
    if loss == "squared_error":
        return np.mean(errors ** 2) / 2
    size = np.abs(errors)
    return np.mean(np.where(size < 0.1, errors ** 2 / 2, 0.1 * size - 0.005))  # the epsilon of SGDRegressor's huber


def sgd_regressor(data, loss, rate):
    rows, targets = load(data, regression=True)
    model = linear_model.SGDRegressor(loss=loss, learning_rate="constant", eta0=rate, random_state=SEED)
    yield _value_loss(loss, targets)
    while True:
        model.partial_fit(rows, targets)
        yield _value_loss(loss, targets - model.predict(rows))


def mlp_classifier(data, solver, rate, hidden):
    rows, targets = load(data)
    classes = np.unique(targets)

    def model_with(rate):
        return neural_network.MLPClassifier(hidden, solver=solver, learning_rate_init=rate, random_state=SEED)
    still = model_with(1e-12).partial_fit(rows, targets, classes)  # the same first weights, hardly changed
    yield metrics.log_loss(targets, still.predict_proba(rows))
    model = model_with(rate)
    while True:
        model.partial_fit(rows, targets, classes)
        yield metrics.log_loss(targets, model.predict_proba(rows))


def boosted_classifier(data, rate, depth, subsample=1.0, held_out=False, trees=300):
    rows, targets, judged, truth = split(*load(data), held_out)
    model = ensemble.GradientBoostingClassifier(learning_rate=rate, max_depth=depth, subsample=subsample,
                                                n_estimators=trees, random_state=SEED).fit(rows, targets)
    prior = np.bincount(targets) / len(targets)
    yield metrics.log_loss(truth, np.tile(prior, (len(truth), 1)))
    for chances in model.staged_predict_proba(judged):
        yield metrics.log_loss(truth, chances)


def boosted_regressor(data, rate, depth, subsample=1.0):
    rows, targets = load(data, regression=True)
    model = ensemble.GradientBoostingRegressor(learning_rate=rate, max_depth=depth, subsample=subsample,
                                               n_estimators=300, random_state=SEED).fit(rows, targets)
    yield np.mean((targets - targets.mean()) ** 2)
    for values in model.staged_predict(rows):
        yield np.mean((targets - values) ** 2)


def logistic_regression(data, solver, penalty):
    """saga goes on from where it was; lbfgs would forget the curvature, so each length is trained from the start."""
    rows, targets = load(data)
    classes = len(np.unique(targets))

    def objective(chances, weights):
        return metrics.log_loss(targets, chances) + penalty * np.sum(weights ** 2) / 2 / len(rows)
    yield objective(np.full((len(rows), classes), 1 / classes), np.zeros(1))
    goes_on = solver == "saga"
    model = linear_model.LogisticRegression(C=1 / penalty, solver=solver, max_iter=1, tol=0, random_state=SEED,
                                            multi_class="multinomial", warm_start=goes_on)
    for length in itertools.count(1):
        model.set_params(max_iter=1 if goes_on else length).fit(rows, targets)
        yield objective(model.predict_proba(rows), model.coef_)


def mini_batch_k_means(data, clusters, batch):
    """An iteration is one batch; the loss is that of all rows."""
    rows, _ = load(data)
    random = np.random.default_rng(SEED)
    start = rows[random.choice(len(rows), clusters, replace=False)]
    model = cluster.MiniBatchKMeans(clusters, init=start, n_init=1, random_state=SEED, reassignment_ratio=0)

    def inertia(centers):
        return metrics.pairwise_distances_argmin_min(rows, centers, metric="sqeuclidean")[1].mean()
    yield inertia(start)
    while True:
        model.partial_fit(rows[random.choice(len(rows), batch, replace=False)])
        yield inertia(model.cluster_centers_)


def gaussian_mixture(data, parts, covariance):
    """The negative logarithm of the likelihood, which may well be below zero. EM starts at random responsibilities."""
    rows, _ = load(data)
    model = mixture.GaussianMixture(parts, covariance_type=covariance, init_params="random", warm_start=True,
                                    max_iter=1, tol=0, reg_covar=0.01, random_state=SEED)
    while True:
        model.fit(rows)
        yield -model.score(rows)


def online_lda(topics, batch, rows=300):
    """Images as documents of words, which are their pixels; the logarithm of the perplexity of some of them."""
    counts = sklearn.datasets.load_digits().data
    judged, random = counts[:rows], np.random.default_rng(SEED)
    model = decomposition.LatentDirichletAllocation(topics, learning_method="online", learning_offset=20,
                                                    total_samples=len(counts), max_doc_update_iter=30,
                                                    random_state=SEED)
    while True:
        model.partial_fit(counts[random.choice(len(counts), batch, replace=False)])
        yield np.log(model.perplexity(judged))


def nmf(data, parts):
    """Multiplicative updates; the error of the reconstruction."""
    rows = minmax_scale(load(data)[0])
    random = np.random.default_rng(SEED)
    most = 2 * np.sqrt(rows.mean() / parts)  # so that the first product is of the size of the rows
    left, right = random.uniform(0, most, (len(rows), parts)), random.uniform(0, most, (parts, rows.shape[1]))
    while True:
        yield np.linalg.norm(rows - left @ right)
        left, right, _ = decomposition.non_negative_factorization(
            rows, left, right, n_components=parts, init="custom", update_H=True, solver="mu", max_iter=1, tol=0,
            random_state=SEED)


def xgboost_training(data, objective, eta, depth, held_out=False, trees=300):
    regression = objective.startswith("reg:")
    rows, targets, judged, truth = split(*load(data, regression), held_out)
    classes = {"num_class": len(np.unique(targets))} if objective.startswith("multi:") else {}
    told = {}
    xgboost.train({"objective": objective, "eta": eta, "max_depth": depth, "nthread": 1, "seed": SEED,
                   "base_score": 0.0 if regression else 0.5, **classes},
                  xgboost.DMatrix(rows, targets), trees,
                  evals=[(xgboost.DMatrix(judged, truth), "judged")], evals_result=told, verbose_eval=False)
    (losses,) = told["judged"].values()
    yield np.sqrt(np.mean(truth ** 2)) if regression else np.log(classes.get("num_class", 2))
    yield from losses
