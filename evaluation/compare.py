#!/usr/bin/python3
"""Compares two files of simulate_grid.py, or results.json of two commits: a markdown table with a line for each row that
both have. The difference is paired by seed, as both simulate the same workloads; ± is half its 95% confidence interval.
    evaluation/compare.py BEFORE.json AFTER.json
"""
import argparse
import json
import pathlib

from document import number, table
from intervals import interval, of_means

SETTING = {"arrivals": 15, "cap": 640, "pause": 0, "resize": "blocking", "non_convex": 0, "source": "traces",
           "held_out": False}  # and what it is in files that do not say it
WHO = {"policy": "", "predictor": "", "price": ""}
MEASURES = {"meanLossIntegralSeconds": "integral, s", "secondsTo90": "to 90%, s"}
# Only these decide by what is compared; the others are the frame.
POLICIES = ("LookAhead", "TotalQuality", "Oracle")


def rows_of(told):
    """Rows by what was simulated and who decided, in the order of the file."""
    return {tuple(row.get(key, plain) for key, plain in {**SETTING, **WHO}.items()): row for row in told["simulations"]}


def _resizes(pause, resize):
    if not pause:
        return ""
    return f"pauses of {pause:g} s{'' if resize == 'blocking' else f', {resize}'}"


def name_of(key):
    arrivals, cap, pause, resize, non_convex, source, held_out, policy, predictor, price = key
    words = [f"{arrivals:g} s", source if source != "traces" else "", "held out" if held_out else "",
             f"cap {cap}" if cap != SETTING["cap"] else "", _resizes(pause, resize),
             f"{non_convex}% non-convex" if non_convex else "", " ".join(filter(None, (policy, predictor))),
             f"price {price}" if price else ""]
    return ", ".join(filter(None, words))


def difference(before, after):
    """Of the means, as a share of the one before."""
    return of_means(lambda one, other: other / one - 1, before, after)


def verdict(change):
    """Less is better in every measure."""
    if change.mean - change.half > 0:
        return "worse"
    return "better" if change.mean + change.half < 0 else "same"


def cells(before, after):
    for measure in MEASURES:
        one, other = before[measure]["seeds"], after[measure]["seeds"]
        if len(one) != len(other):
            raise SystemExit(f"the files have {len(one)} and {len(other)} seeds; they cannot be paired")
        change = difference(one, other)
        yield from (number(interval(one).mean), number(interval(other).mean),
                    f"{100 * change.mean:+.1f}% ± {100 * change.half:.1f}%", verdict(change))


def text(before, after, policies=POLICIES):
    one, other = rows_of(before), rows_of(after)
    shared = [key for key in one if key in other and key[len(SETTING)] in policies]
    heads = [head for what in MEASURES.values() for head in (f"{what}: before", "after", "change", "")]
    return table(["", *heads], [[name_of(key), *cells(one[key], other[key])] for key in shared])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--policies", default=",".join(POLICIES), help="whose rows are shown")
    options = parser.parse_args()
    print(text(*(json.loads(path.read_text()) for path in (options.before, options.after)),
               options.policies.split(",")))


if __name__ == "__main__":
    main()
