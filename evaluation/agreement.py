"""What `measure_agreement.py --json` found of simulated and real runs; it takes the clock's time, so it is not done here."""
import json
import pathlib
import statistics

from document import number, table

FILE = pathlib.Path(__file__).resolve().parent / "agreement.json"


def read():
    return json.loads(FILE.read_text())


def rows(told):
    lines = []
    for policy, each in told["policies"].items():
        for job, figures in each["jobs"].items():
            least, middle, most = (number(of(figures["real"])) for of in (min, statistics.median, max))
            lines.append([f"{policy}, {job}", middle, f"{least} to {most}",
                          number(statistics.median(figures["simulated"])), f"{100 * figures['difference']:+.1f}%"])
    return table(["seconds to 90%", "real", "from and to", "simulated", "difference"], lines)


def chance(told):
    shaken = told["shaken"]
    return table(["at slightly other costs", f"of {shaken['simulations']} simulations"],
                 [[policy, str(far)] for policy, far in shaken["far"].items()])
