"""Which simulations make up the evaluation: who is compared, and on which workloads."""
import dataclasses

from workloads import CORES, Setting

ARRIVALS = (15, 10, 4)
CAPS = (CORES, 96, 32)
PAUSES = ((1, False), (5, False), (1, True), (5, True))  # seconds, and whether gentle
SHARES = (0, 30, 100)  # percent of non-convex jobs


@dataclasses.dataclass(frozen=True)
class Contender:
    name: str
    policy: str
    predictor: str = ""  # the default one, where nothing is forecast

    def flags(self):
        return ["--policy", self.policy] + (["--predictor", self.predictor] if self.predictor else [])


OURS = Contender("slaq", "LookAhead", "Ensemble")
PUBLISHED = Contender("as published", "TotalQuality", "Published")
FAIR = Contender("fair", "Fair")
LAS = Contender("least attained service", "LeastAttainedService")
ORACLE = Contender("oracle", "Oracle")
NEW_FORECASTS = Contender("Algorithm 1, our forecasts", "TotalQuality", "Ensemble")
NEW_DIVISION = Contender("look-ahead, published forecasts", "LookAhead", "Published")

MAIN = (OURS, PUBLISHED, FAIR, LAS, ORACLE)
HALVES = (NEW_FORECASTS, NEW_DIVISION)


@dataclasses.dataclass(frozen=True)
class Run:
    contender: Contender
    setting: Setting
    series: bool = False  # also epoch by epoch, for the figures over time


def _settings():
    """Each variant of the workload, with who runs it."""
    for arrivals in ARRIVALS:
        yield {"arrivals": arrivals}, MAIN + HALVES
        for cap in CAPS[1:]:
            yield {"arrivals": arrivals, "cap": cap}, (OURS, PUBLISHED, FAIR, ORACLE)
        for share in SHARES[1:]:
            yield {"arrivals": arrivals, "non_convex": share}, MAIN
    for pause, gentle in PAUSES:
        yield {"pause": pause, "gentle": gentle}, (OURS, PUBLISHED, FAIR, LAS)


def runs(seeds):
    """All simulations, the shares of the work so ordered that the main comparison comes first."""
    for variant, contenders in _settings():
        for seed in range(1, seeds + 1):
            plain = variant == {"arrivals": ARRIVALS[0]} and seed == 1
            for contender in contenders:
                yield Run(contender, Setting(seed=seed, **variant), series=plain)
