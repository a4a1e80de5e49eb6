"""The tables of docs/evaluation.md, which stand between markers there."""
import os
import platform

import agreement
import aims
import forecasts
import grid
import matplotlib
import workloads
from bounds import bounds
from document import number, plus_minus, put, table
from figures import scheduling
from figures.traces import SHORT
from intervals import of_means

SIGHTS = {"dense": "every iteration", "every5": "every 5th", "gaps": "gaps of 1 to 20", "noise": "2% of noise"}
ERRORS = ("relativeError", "rangeError")
NAMED = {"Strawman": "strawman", "Published": "as published", "Ensemble": "slaq"}
# Section 6.2 of the paper: by how much SLAQ's times to 90 and 95% are under fair's.
PAPER = {15: ("45%", "30%"), 10: ("23%", "20%"), 4: ("44%", "30%")}


def percent(value):
    return f"{100 * value:.0f}%"


def _contenders(results, contenders, **variant):
    rows = []
    for contender in contenders:
        def of(measure):
            return results.interval(measure, contender, **variant)
        rows.append([contender.name, plus_minus(of("meanLossIntegralSeconds")),
                     *(number(of(f"secondsTo{p}").mean) for p in (25, 50, 75, 80)),
                     plus_minus(of("secondsTo90")), plus_minus(of("secondsTo95")), number(of("secondsTo99").mean),
                     number(of("completionSeconds").mean), f"{of('averageNormalizedLoss').mean:.3f}",
                     f"{of('resizes').mean:,.0f}"])
    return table(["", "integral, s", "25%", "50%", "75%", "80%", "90%", "95%", "99%", "completion", "mean level",
                  "resizes"], rows)


def contenders(results):
    return "\n\n".join(f"Arrivals of {mean} s:\n\n{_contenders(results, grid.MAIN, arrivals=mean)}"
                       for mean in grid.ARRIVALS)


def oracle_shares(results):
    """What the page opens with."""
    rows = [[what, *(plus_minus(results.share_of_oracle(contender, oracle, arrivals=mean, **variant), percent)
                     for mean in grid.ARRIVALS)] for what, variant, contender, oracle in aims.SHARES]
    return table(["of the oracle's gain in the integral over fair", *(f"{mean} s" for mean in grid.ARRIVALS)], rows)


def held_out_integrals(results):
    """Beside those with constants that were fitted to all traces."""
    rows = []
    for mean in grid.ARRIVALS:
        for share in grid.SHARES:
            both = ({"arrivals": mean, "non_convex": share, "held_out": held_out} for held_out in (True, False))
            rows.append([f"{mean} s, {share}%", *(plus_minus(results.interval("meanLossIntegralSeconds", grid.OURS,
                                                                              **variant)) for variant in both)])
    return table(["integral, s: arrivals, non-convex", "held out", "in-sample"], rows)


def recordings(results):
    who = (grid.FAIR, grid.PUBLISHED, grid.OURS, grid.DEFAULT, grid.ORACLE)
    rows = [[f"{mean} s", *(plus_minus(results.interval("meanLossIntegralSeconds", contender, arrivals=mean,
                                                        source="recordings")) for contender in who)]
            for mean in grid.ARRIVALS]
    return table(["integral, s", *(contender.name for contender in who)], rows)


def halves(results):
    who = (grid.PUBLISHED, grid.NEW_FORECASTS, grid.NEW_DIVISION, grid.OURS)
    return table(["integral, s", *(f"{mean} s" for mean in grid.ARRIVALS)],
                 [[contender.name, *(plus_minus(results.interval("meanLossIntegralSeconds", contender, arrivals=mean))
                                     for mean in grid.ARRIVALS)] for contender in who])


def against_the_paper(results):
    rows = []
    for mean in grid.ARRIVALS:
        rows.append([f"{mean} s, the paper", *PAPER[mean], "", ""])
        for cap in grid.CAPS:
            def less(p, who):
                return plus_minus(results.less(f"secondsTo{p}", who, grid.FAIR, arrivals=mean, cap=cap), percent)
            rows.append([f"{mean} s, {'no cap' if cap == workloads.CORES else f'at most {cap} cores'}",
                         less(90, grid.PUBLISHED), less(95, grid.PUBLISHED), less(90, grid.OURS), less(95, grid.OURS)])
    return table(["less time than fair to", "published, 90%", "95%", "slaq, 90%", "95%"], rows)


def caps(results):
    rows = []
    for mean in grid.ARRIVALS:
        for cap in grid.CAPS:
            means = (results.interval("meanLossIntegralSeconds", who, arrivals=mean, cap=cap)
                     for who in (grid.FAIR, grid.PUBLISHED, grid.OURS, grid.ORACLE))
            rows.append([f"{mean} s, {cap}", *map(plus_minus, means)])
    return table(["arrivals, cores of a job", "fair", "published", "slaq", "oracle"], rows)


def pauses(results):
    free = results.values("secondsTo90", grid.FAIR)
    who = (grid.FAIR, grid.LAS, grid.PUBLISHED, grid.OURS)
    rows = []
    for pause, resize in ((0, "blocking"), *grid.PAUSES):
        variant = {"pause": pause, "resize": resize}
        ours = results.values("secondsTo90", grid.OURS, **variant)
        rows.append([f"{pause} s{', gentle' if resize == 'gentle' else ''}",
                     *(plus_minus(results.interval("secondsTo90", contender, **variant)) for contender in who),
                     plus_minus(of_means(lambda one, fair: 1 - one / fair, ours, free), percent),
                     *(number(results.interval("meanLossIntegralSeconds", contender, **variant).mean)
                       for contender in (grid.FAIR, grid.OURS))])
    return table(["pause", *(contender.name for contender in who), "slaq under fair without pause", "integral, fair",
                  "slaq"], rows)


def non_convex(results):
    rows = [[f"{mean} s, {share}%", *(plus_minus(results.interval("meanLossIntegralSeconds", who, arrivals=mean,
                                                                  non_convex=share)) for who in grid.MAIN)]
            for mean in grid.ARRIVALS for share in grid.SHARES]
    return table(["arrivals, non-convex", *(contender.name for contender in grid.MAIN)], rows)


def _errors(results, error, predictor, **how):
    return [f"{100 * results.overall(error, predictor, horizon=horizon, **how):.2f}" for horizon in forecasts.HORIZONS]


def predictions(results):
    rows = [[f"{'' if convex else 'non-convex, '}{SIGHTS[sight]}, {NAMED[predictor]}",
             *_errors(results, "relativeError", predictor, how=sight, convex=convex),
             *_errors(results, "rangeError", predictor, how=sight, convex=convex)]
            for convex in (True, False) for sight in forecasts.SIGHTS for predictor in forecasts.PREDICTORS]
    return table(["seen, forecast by", "of the loss, 1 ahead", "5", "10", "of the range, 1 ahead", "5", "10"], rows)


def held_out_predictions(results):
    """Errors 10 ahead of forecasts that nothing was fitted to, and of those in-sample."""
    which = {"convex traces": {"convex": True}, "non-convex traces": {"convex": False}}
    rows = []
    for sight, words in SIGHTS.items():
        for what, convex in which.items():
            rows.append([f"{what}, {words}", *(f"{100 * results.overall(error, 'Ensemble', sight, **convex, **held):.2f}"
                                               for error in ERRORS for held in ({"held_out": True}, {}))])
        rows.append([f"recordings, {words}", *(cell for error in ERRORS for cell in (
            f"{100 * results.overall(error, 'Ensemble', sight, source='recordings'):.2f}", ""))])
    return table(["10 ahead, %", "of the loss, held out", "in-sample", "of the range, held out", "in-sample"], rows)


def held_out_by_algorithm(results):
    rows = [[SHORT[algorithm], *(f"{100 * results.of_algorithm(error, 'Ensemble', algorithm, **held):.2f}"
                                 for error in ERRORS for held in ({"held_out": True}, {}))]
            for algorithm in workloads.algorithms()]
    return table(["10 ahead, %", "of the loss, held out", "in-sample", "of the range, held out", "in-sample"], rows)


def prediction_by_algorithm(results):
    rows = [[SHORT[algorithm], *(f"{100 * results.of_algorithm(error, predictor, algorithm):.2f}"
                                 for error in ("relativeError", "rangeError") for predictor in forecasts.PREDICTORS)]
            for algorithm in workloads.algorithms()]
    names = [NAMED[predictor] for predictor in forecasts.PREDICTORS]
    return table(["10 ahead, %", *(f"of the loss, {name}" for name in names[:1]), *names[1:],
                  f"of the range, {names[0]}", *names[1:]], rows)


def shares(_):
    rows = [[contender.name, *(percent(share) for share in scheduling.mean_shares(contender).values())]
            for contender in scheduling.COMPARED]
    return table(["share of the cores", *(label for label, _ in scheduling.SHARES.values())],
                 [*rows, ["the paper's SLAQ", "60%", "18%", "22%"]])


def aim_rows(reached):
    return table(["", "aim", "measured", "met"], [aim.cells() for aim in reached])


def made_with(results):
    """What the figures depend on besides the tree."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    return (f"{results.seeds} seeds, on {os.cpu_count()} cores of {model}, with "
            f"Python {platform.python_version()} and matplotlib {matplotlib.__version__}.")


def write(path, simulated, predicted, reached, agreed):
    text = path.read_text()
    for function in (oracle_shares, held_out_integrals, recordings, contenders, halves, against_the_paper, caps, pauses, non_convex, shares, made_with):
        text = put(text, function.__name__, function(simulated))
    for function in (held_out_predictions, held_out_by_algorithm, predictions, prediction_by_algorithm, bounds):
        text = put(text, function.__name__, function(predicted))
    text = put(text, "agreement", agreement.rows(agreed))
    text = put(text, "chance", agreement.chance(agreed))
    path.write_text(put(text, "aims", aim_rows(reached)))
