"""Which simulations make up the evaluation: who is compared, and on which workloads."""
import dataclasses
import itertools

from workloads import CORES, SOURCES, Setting

ARRIVALS = (15, 10, 4)
CAPS = (CORES, 96, 32)
PAUSES = ((1, "blocking"), (5, "blocking"), (1, "gentle"), (5, "gentle"))  # seconds, and how resizes go
# What the controller's default price of resizes supposes: 5 s for a growth, nothing for a shrink.
PRODUCTION = {"pause": 5, "resize": "free-shrinks"}
SHARES = (0, 30, 100)  # percent of non-convex jobs


@dataclasses.dataclass(frozen=True)
class Contender:
    name: str
    policy: str
    predictor: str = ""  # the default one, where nothing is forecast
    price: str = ""  # of resizes; where there is none, that of the workload's pauses

    def flags(self):
        return ["--policy", self.policy, *(["--predictor", self.predictor] if self.predictor else []),
                *(["--resize-price", self.price] if self.price else [])]


OURS = Contender("slaq", "LookAhead", "Ensemble")
PUBLISHED = Contender("as published", "TotalQuality", "Published")
FAIR = Contender("fair", "Fair")
LAS = Contender("least attained service", "LeastAttainedService")
ORACLE = Contender("oracle", "Oracle")
# As the controller does it without any configuration: it weighs each resize by its default price.
DEFAULT = Contender("slaq with the default price of resizes", "LookAhead", "Ensemble", "Configured")
DEFAULT_ORACLE = Contender("oracle with the default price of resizes", "Oracle", price="Configured")
NEW_FORECASTS = Contender("Algorithm 1, our forecasts", "TotalQuality", "Ensemble")
NEW_DIVISION = Contender("look-ahead, published forecasts", "LookAhead", "Published")

MAIN = (OURS, PUBLISHED, FAIR, LAS, ORACLE)
HALVES = (NEW_FORECASTS, NEW_DIVISION)
EVERYBODY = (*MAIN, *HALVES, DEFAULT, DEFAULT_ORACLE)
BOUNDS = (OURS, FAIR, ORACLE)  # what the share of the oracle's gain over fair needs


@dataclasses.dataclass(frozen=True)
class Run:
    contender: Contender
    setting: Setting
    series: bool = False  # also epoch by epoch, for the figures over time


def _settings():
    """Each variant of the workload, with who runs it. What the page opens with comes first."""
    for arrivals in ARRIVALS:
        for source in SOURCES:
            yield {"arrivals": arrivals, "source": source}, (*BOUNDS, DEFAULT, PUBLISHED)
            yield {"arrivals": arrivals, "source": source, **PRODUCTION}, (DEFAULT, FAIR, DEFAULT_ORACLE)
    for arrivals in ARRIVALS:
        yield {"arrivals": arrivals}, (LAS, *HALVES)
        for cap in CAPS[1:]:
            yield {"arrivals": arrivals, "cap": cap}, (OURS, PUBLISHED, FAIR, ORACLE)
        for share in SHARES[1:]:
            yield {"arrivals": arrivals, "non_convex": share}, MAIN
    for pause, resize in PAUSES:
        yield {"pause": pause, "resize": resize}, (OURS, PUBLISHED, FAIR, LAS)


def _held_out_settings():
    """Those whose jobs are forecast with constants that were fitted without their algorithm; others know no constants."""
    for arrivals in ARRIVALS:
        yield {"arrivals": arrivals, "held_out": True}, (OURS, DEFAULT)
        yield {"arrivals": arrivals, "held_out": True, **PRODUCTION}, (DEFAULT,)
        for share in SHARES[1:]:
            yield {"arrivals": arrivals, "held_out": True, "non_convex": share}, (OURS,)


def runs(seeds, held_out=True):
    """All simulations; without `held_out` those that a program can do which takes no constants."""
    for variant, contenders in itertools.chain(_held_out_settings() if held_out else (), _settings()):
        for seed in range(1, seeds + 1):
            plain = Setting(seed=seed, **variant) == Setting(seed=1, arrivals=ARRIVALS[0])
            for contender in contenders:
                yield Run(contender, Setting(seed=seed, **variant), plain and contender in MAIN + HALVES)
