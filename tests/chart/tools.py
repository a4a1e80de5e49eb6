"""The tools that judge the chart, installed once into build/chart-tools, and what Helm renders."""
import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/chart-tools"
RETRY = ROOT / "scripts/retry"
REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
KUBE_SCORE = "github.com/zegl/kube-score/cmd/kube-score@v1.20.0"
KUBERNETES = "1.35.0"
CANNOT_BE_HAD = 3  # the rig's exit code where this machine lacks what is asked for

# Each optional part of the chart, by the value that turns it on or off.
SWITCHES = ["configCheck.enabled", "podDisruptionBudget.enabled", "networkPolicy.enabled", "serviceMonitor.enabled",
            "podMonitor.enabled", "prometheusRule.enabled", "dashboards.enabled", "tests.enabled",
            "workerPriorityClass.create"]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install():
    wanted = KUBE_SCORE + "\n" + REQUIREMENTS.read_text()
    stamp = FOLDER / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    run(RETRY, "go", "install", KUBE_SCORE, cwd=FOLDER, env=os.environ | {"GOBIN": str(FOLDER), "GOFLAGS": "-mod=mod"})
    run("/usr/bin/python3", "-m", "venv", FOLDER / "venv")
    run(RETRY, FOLDER / "venv/bin/pip", "--quiet", "--disable-pip-version-check", "install", "-r", REQUIREMENTS)
    stamp.write_text(wanted)


def helm():
    """That of the rig, which takes Go to be built."""
    done = subprocess.run([ROOT / "tests/rig/rig", "binaries"], capture_output=True, text=True, check=False)
    if done.returncode == CANNOT_BE_HAD and os.environ.get("CI") != "true":
        raise unittest.SkipTest(f"NO HELM: {done.stderr}")
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.strip() + "/helm"


CAPACITY = "config.capacity.cores=64"
AUTOMATIC = "config.capacity.automatic=true"
VARIANTS = {
    "all on": [CAPACITY, *(f"{switch}=true" for switch in SWITCHES)],
    "all off": [CAPACITY, *(f"{switch}=false" for switch in SWITCHES)],
    "one namespace": [CAPACITY, "config.namespace=team-a"],
    "automatic": [AUTOMATIC],
    "observer": [AUTOMATIC, "config.mode=Observe"],
}


def arguments_of(variant):
    """Helm's arguments for one of VARIANTS."""
    return [argument for value in VARIANTS[variant] for argument in ("--set", value)]


def rendered(variant, into):
    file = pathlib.Path(into) / (variant.replace(" ", "-") + ".yaml")
    file.write_text(run(helm(), "template", "slaq", ROOT / "charts/slaq", "--kube-version", KUBERNETES,
                        "--namespace", "slaq-system", *arguments_of(variant)))
    return file
