"""What the documents show of YAML is taken by the program that reads it."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import yaml

from documents import ROOT, all_blocks

BINARIES = pathlib.Path(os.environ.get("SLAQ_BINARIES", ROOT / "build/release/bin"))
# What a template that is left out, {...}, could be.
TEMPLATE = "{spec: {containers: [{name: main, image: trainer, command: [trainer], resources: {requests: {cpu: 500m}}}]}}"
JOB = {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "job"},
       "spec": {"workers": {"maxReplicas": 4, "template": yaml.safe_load(TEMPLATE)}}}


def refusal(text, *command):
    """What the command says against a file with the text, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "block.yaml"
        file.write_text(text)
        done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    return done.returncode and done.stdout + done.stderr


def refused_job(text):
    return refusal(text.replace("{...}", TEMPLATE), BINARIES / "slaq", "validate")


def refused_part_of_a_job(text):
    part = yaml.safe_load(text)
    whole = {key: JOB[key] | part[key] if key in part else JOB[key] for key in JOB}
    return refused_job(yaml.safe_dump(whole))


def refused_configuration(text):
    return refusal(text, BINARIES / "slaq-controller", "--check", "--config")


def refused_scrapes(text):
    """Debian's promtool knows all of it but the discovery of pods; tests/rig runs a Prometheus with the same."""
    scrapes = yaml.safe_load(text)
    for each in scrapes:
        del each["kubernetes_sd_configs"]
    return refusal(yaml.safe_dump({"scrape_configs": scrapes}), "promtool", "check", "config")


def refused_workload(text):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "traces").mkdir()
        shutil.copy(ROOT / "examples/workloads/traces/sublinear.csv", pathlib.Path(folder) / "traces/a.csv")
        shutil.copy(next(ROOT.glob("evaluation/constants/*.yaml")), pathlib.Path(folder) / "fitted.yaml")
        (pathlib.Path(folder) / "workload.yaml").write_text(text)
        done = subprocess.run([BINARIES / "slaq", "simulate", f"{folder}/workload.yaml"], capture_output=True, text=True,
                              check=False)
    return done.returncode and done.stderr


def paths(value, prefix=""):
    for key, each in value.items() if isinstance(value, dict) else ():
        yield prefix + key
        yield from paths(each, f"{prefix}{key}.")


def refused_values(text):
    known = yaml.safe_load((ROOT / "charts/slaq/values.yaml").read_text())
    return [path for path in paths(yaml.safe_load(text)) if path not in set(paths(known))]


def refused_kueue(text):
    """Kueue takes any name; it must be that of TrainingJobs."""
    crd = yaml.safe_load((ROOT / "crds/slaq.io_trainingjobs.yaml").read_text())["spec"]
    name = ".".join((crd["names"]["kind"], crd["versions"][0]["name"], crd["group"]))
    return name not in yaml.safe_load(text)["integrations"]["externalFrameworks"] and f"{name} is not named"


def refused_template(text):
    """The template runs its program under the slaq-report that its init container installs."""
    pod = yaml.safe_load(text)["template"]["spec"]
    program, flag, folder = pod["initContainers"][0]["command"]
    if f'"{program}"' not in (ROOT / "src/kube/pods/report_container.cpp").read_text():
        return f"slaq's image has no {program}"
    with tempfile.TemporaryDirectory() as installed:
        done = subprocess.run([BINARIES / "slaq-report", flag, installed], capture_output=True, text=True, check=False)
        names = [f"{folder}/{file.name}" for file in pathlib.Path(installed).iterdir()]
    command = pod["containers"][0]["command"][0]
    return done.stderr or (command not in names and f"{command} is none of {names}")


# By a key that tells what a block is.
READERS = {"template": refused_template, "kind": refused_job, "spec": refused_part_of_a_job, "metadata": refused_part_of_a_job,
           "integrations": refused_kueue, "epochSeconds: jobs": refused_workload, "epochSeconds": refused_configuration, "config": refused_values}


def reader(parsed):
    if isinstance(parsed, list):
        return refused_scrapes
    return next((read for keys, read in READERS.items() if set(keys.split(": ")) <= set(parsed)), None)


class Yaml(unittest.TestCase):
    def test_is_taken_by_what_reads_it(self):
        used = set()
        for block in all_blocks():
            if block.language != "yaml":
                continue
            read = reader(yaml.safe_load(block.text))
            self.assertTrue(read, f"{block.place}: what reads this?")
            refused = read(block.text)
            self.assertFalse(refused, f"{block.place}: {refused}")
            used.add(read)
        self.assertEqual(used, {*READERS.values(), refused_scrapes}, "nothing is for this reader")


if __name__ == "__main__":
    unittest.main()
