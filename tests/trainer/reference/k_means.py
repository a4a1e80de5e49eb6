"""k-means by Lloyd's algorithm against scikit-learn's, begun at the same centres."""
from frame import Trainer, expect
from sklearn.cluster import KMeans

CLUSTERS = 12
trainer = Trainer()
problem = ["--algorithm=k-means", "--rows=5000", "--features=6", f"--clusters={CLUSTERS}"]
x, _ = trainer.rows(*problem)
first = trainer.first_state("centres", *problem).reshape(CLUSTERS, -1)
model = KMeans(CLUSTERS, init=first, n_init=1, tol=0, max_iter=1000, algorithm="lloyd").fit(x)
expect("final loss", trainer.train(*problem, "--tolerance=0")[-1], model.inertia_ / len(x), 1e-6)
