"""What only real programs can show: the CPU time of an iteration by workers and size of the model (figure 10(b)),
and the time of one division of the cores (figure 10(c))."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

import record
import runs

TRAINER = runs.ROOT / "build/release/bin/slaq-trainer"
BENCH = runs.ROOT / "build/release/bin/slaq-bench"
WORKERS = (1, 2, 4, 8)
# A perceptron's hidden units, which make up its size, and iterations enough to be measured.
MODELS = {"10 KB": (2, 400), "100 KB": (16, 100), "1 MB": (157, 12), "10 MB": (1572, 3)}
ROWS = 2048
CHUNKS = 8
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
WARM_UP = 2  # iterations that count for nothing, with the start of the programs and the making of the data


def _cpu_seconds(process):
    """What it and all its threads have used, once it ends."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _training(hidden, iterations, workers):
    """CPU seconds of the driver and all workers."""
    with tempfile.TemporaryDirectory(prefix="slaq-measure-") as folder:
        log = pathlib.Path(folder, "log")
        driver = subprocess.Popen(
            [TRAINER, "driver", "--algorithm=perceptron-sgd", f"--hidden={hidden}", f"--rows={ROWS}",
             f"--batch-size={ROWS}", f"--chunks={CHUNKS}", "--learning-rate=0.01", f"--iterations={iterations}",
             "--tolerance=0", "--listen=127.0.0.1:0", "--metrics-port=0", "--linger=0"], stderr=log.open("w"))
        address = "127.0.0.1:" + record.port_of(driver, log)
        crew = [subprocess.Popen([TRAINER, "worker"], env={"SLAQ_DRIVER_ADDRESS": address}, stderr=subprocess.DEVNULL)
                for _ in range(workers)]
        return sum(_cpu_seconds(process) for process in (driver, *crew))


def _iteration(hidden, iterations, workers):
    """CPU seconds of one iteration."""
    return (_training(hidden, WARM_UP + iterations, workers) - _training(hidden, WARM_UP, workers)) / iterations


def iterations():
    """{model: [CPU seconds of an iteration by 1, 2, 4 and 8 workers]}; one training at a time."""
    bar = runs.Bar("iterations measured", len(MODELS) * len(WORKERS))
    measured = {}
    for model, (hidden, count) in MODELS.items():
        for workers in WORKERS:
            measured.setdefault(model, []).append(_iteration(hidden, count, workers))
            bar.step()
    return measured


def divisions():
    """[way, jobs, cores, milliseconds] of each division that slaq-bench times: of CPU, or, where several threads
    work, by the clock."""
    done = subprocess.run([BENCH, "--benchmark_filter=/jobs:.*/cores:", "--benchmark_format=json",
                           "--benchmark_min_time=0.5"], capture_output=True, text=True, check=True)
    measured = []
    for row in json.loads(done.stdout)["benchmarks"]:
        way, jobs, cores = re.match(r"BM_(\w+)/jobs:(\d+)/cores:(\d+)", row["name"]).groups()
        time = row["real_time" if row["name"].endswith("/real_time") else "cpu_time"]
        measured.append([way, int(jobs), int(cores), time * MILLISECONDS[row["time_unit"]]])
    return measured


def kept(name, measure, program):
    """What measure() gives, measured again only when the program has changed."""
    path = runs.KEPT / f"{name}-{runs.digest(program)[:16]}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(measure()))
    return json.loads(path.read_text())
