"""Latent Dirichlet allocation against scikit-learn's from several first states: there are many local optima, so
that ours must come near to one of theirs."""
import numpy as np
from frame import Trainer, expect
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation

DOCUMENTS, WORDS, TOPICS, ALPHA, ETA, BATCH = 800, 600, 6, 0.2, 0.1, 100
trainer = Trainer()
data = [f"--rows={DOCUMENTS}", f"--features={WORDS}", f"--topics={TOPICS}", "--document-length=80", "--chunks=5",
        "--seed=2"]
problem = [*data, f"--alpha={ALPHA}", f"--eta={ETA}", "--tolerance=0"]


def documents():
    begins, words, counts = [0], [], []
    for line in open(trainer.export("--algorithm=lda", *data, format="lda-c")):
        pairs = [pair.split(":") for pair in line.split()[1:]]
        words += [int(word) for word, _ in pairs]
        counts += [float(count) for _, count in pairs]
        begins.append(len(words))
    return csr_matrix((counts, words, begins), (DOCUMENTS, WORDS))


corpus = documents()


def nearest(ours, **options):
    """The log of the perplexity."""
    losses = []
    for seed in range(4):
        model = LatentDirichletAllocation(TOPICS, doc_topic_prior=ALPHA, topic_word_prior=ETA, random_state=seed,
                                          **options).fit(corpus)
        losses.append(np.log(model.perplexity(corpus)))
    return min(losses, key=lambda loss: abs(loss - ours))


ours = trainer.train("--algorithm=lda", *problem, "--iterations=60")[-1]
expect("EM", ours, nearest(ours, learning_method="batch", max_iter=60), 5e-3)

# 32 passes of 8 mini-batches; the mean of the last pass.
ours = trainer.train("--algorithm=lda-online", *problem, f"--batch-size={BATCH}", "--tau=10", "--kappa=0.7",
                     "--iterations=256")[-8:].mean()
theirs = nearest(ours, learning_method="online", batch_size=BATCH, learning_offset=10, learning_decay=0.7, max_iter=32)
expect("online", ours, theirs, 1e-2)
