"""The figures as Markdown."""

HEAD = ("jobs", "change", "epochs", "every s", "observe s", "decide s", "apply s", "actions", "largest epoch s (its actions)",
        "CPU s", "requests", "MB received", "MiB", "status age s: median, p95, most", "workers ready s: the same", "a Job's patch ms",
        "epoch / bare", "epoch / bare that scales", "load of the machine")


def table(results):
    lines = [row(HEAD), row(["---"] * len(HEAD))]
    for result in results:
        lines += [row(cells(result, load)) for load in result["loads"]]
    lines += ["", *(sentence(result) for result in results)]
    return "\n".join(lines + ["", *ways(results)])


def ways(results):
    """To read the losses of all jobs."""
    known = [result for result in results if result["bare"]["query"]]
    if not known:
        return []
    head = ["way of reading", *(f"{result['jobs']} jobs: s, MB" for result in known)]
    columns = [result["bare"]["query"]["ways"] for result in known]
    rows = [[same[0]["way"], *(f"{each['seconds']:.3f}, {each['bytes'] / 1e6:.1f}" for each in same)]
            for same in zip(*columns)]
    return [row(head), row(["---"] * len(head)), *(row(cells) for cells in rows)]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def cells(result, load):
    mean, largest = load["mean"], load["largest"]
    return [str(result["jobs"]), f"{load['load']} ({load['changing']})", str(load["epochs"]),
            f"{load['secondsBetweenEpochs']:.1f}", f"{mean['observe']:.3f}", f"{mean['decide']:.3f}",
            f"{mean['apply']:.3f}", f"{mean['actions']:.0f}", f"{largest['seconds']:.2f} ({largest['actions']})",
            f"{load['cpuOfAnEpoch']:.2f}", f"{load['requestsOfAnEpoch']:.0f}",
            f"{load['bytesReceivedOfAnEpoch'] / 1e6:.1f}", f"{load['resident']:.0f}",
            ages(load["statusAge"], load["notToldInTime"]), ages(load["workersReadyAge"], load["notReadyInTime"]),
            patch(load), ratio(result, load, of_patches), ratio(result, load, of_scales), f"{load['loadAverage']:.1f}"]


def ages(spread, late):
    """Of those that came, and how many did not come in time."""
    text = ", ".join(f"{spread[name]:.1f}" for name in ("median", "p95", "most")) if spread else ""
    return text + (f" ({late} later)" if late else "")


def patch(load):
    count = load["requests"].get("patch jobs", 0)
    return f"{1000 * load['secondsOfRequests']['patch jobs'] / count:.0f}" if count else ""


def ratio(result, load, of_each):
    """The epoch with most actions to the bare query and as many bare writes as it had actions, 16 side by side."""
    query = result["bare"]["query"]
    if query is None:
        return ""
    actions = load["largest"]["actions"]
    return f"{load['largest']['seconds'] / (query['seconds'] + actions * of_each(result['bare'], actions)):.1f}"


def of_patches(bare, _):
    most = max(bare["patches"], key=lambda each: each["count"], default=None)
    return most["seconds"] / most["count"] if most else 0


def of_scales(bare, actions):
    """Of those that lose workers, of the changes that come next in number: these are one epoch's."""
    next_one = min(bare["scales"], key=lambda each: abs(each["count"] / 2 - actions), default=None)
    return next_one["secondsOfFewer"] / (next_one["count"] / 2) if next_one else 0


def start(seen):
    text = f"all ran after {seen['secondsUntilAllRun']:.0f} s"
    return f"{text}; {seen['statusesAtLast']} statuses said so after {seen['secondsUntilAllSaySo']:.0f} s."


def sentence(result):
    query, restart = result["bare"]["query"], result["restart"]
    text = f"{result['jobs']} jobs: {start(result['start'])} "
    if query:
        text += f"The bare query takes {query['seconds']:.3f} s for {query['bytes'] / 1e6:.1f} MB. "
    single = result["bare"]["oneByOne"]
    if single["count"]:
        text += f"A patch takes {1000 * single['seconds'] / single['count']:.0f} ms where one follows the other. "
    for each in result["bare"]["patches"]:
        text += f"{each['count']} bare patches take {each['seconds']:.2f} s. "
    for each in result["bare"]["scales"]:
        text += f"{each['count'] // 2} Jobs that lose a worker take {each['secondsOfFewer']:.2f} s. "
    leads = f"leads after {restart['leads']:.1f} s, " if restart["leads"] else ""
    text += f"Started again it is ready after {restart['ready']:.1f} s, {leads}and has decided after {restart['decided']:.1f} s. "
    return text + f"At most {result['memory']['most']:.0f} MiB resident."
