"""Reports the loss of a training to slaq, which gives a training more or less of a cluster by it.

    from slaq import report

    for epoch in range(100):
        ...
        report(loss)

Outside slaq, where the environment has no SLAQ_METRICS_PORT, nothing happens. There is a callback for each library in the
module of its name: slaq.keras, slaq.lightgbm, slaq.xgboost, slaq.lightning, slaq.transformers; slaq.sklearn has loops, and
slaq.torch what a training needs whose workers come and go.
"""
from slaq.reporting import report

__all__ = ["report"]
