"""The reference documents name every field of the resource, every key of the configuration, and every command with its
flags, and they name no others."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import yaml

from documents import COMMANDS, ROOT, all_blocks, blocks, tokens
from sessions import steps

BINARIES = pathlib.Path(os.environ.get("SLAQ_BINARIES", ROOT / "build/release/bin"))


def commented_keys(document):
    """The paths of all keys in the document's first YAML block, those that are commented out included."""
    text = next(block.text for block in blocks(document) if block.language == "yaml")
    # `# key: value` at the place of a key is a key; so is each of `# key, key` with a remark.
    opened = re.sub(r"^( *)# (\w+), (\w+)\b.*$", r"\1\2: x\n\1\3: x", text, flags=re.MULTILINE)
    opened = re.sub(r"^( *)# (?=\w+: )", r"\1", opened, flags=re.MULTILINE)
    return set(paths(yaml.safe_load(opened.replace("{...}", "{}"))))


def paths(value, prefix=""):
    for key, each in value.items() if isinstance(value, dict) else ():
        yield prefix + key
        yield from paths(each, f"{prefix}{key}.")


def fields(schema, definitions, prefix=""):
    """The paths of all fields of a schema; what is only passed on, such as a pod template, is one field."""
    name = schema.get("$ref", "").removeprefix("#/definitions/")
    schema = definitions[name] | schema if name else schema
    for key, value in schema.get("properties", {}).items():
        yield prefix + key
        if key != "template":
            yield from fields(value, definitions, f"{prefix}{key}.")


def resource():
    crd = yaml.safe_load((ROOT / "crds/slaq.io_trainingjobs.yaml").read_text())
    return crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]


def inline_code(document):
    return [child.content for token in tokens(document) for child in token.children or () if child.type == "code_inline"]


def slaq(*arguments):
    return subprocess.run([BINARIES / "slaq", *arguments], capture_output=True, text=True, check=True).stdout


def commands():
    listed = slaq("--help").split("Subcommands:\n")[1]
    return re.findall(r"^  (\w+)", listed, flags=re.MULTILINE)


def flags(command):
    listed = re.findall(r"^  ((?:-\w,)?--[\w-]+|-\w\b)", slaq(command, "--help"), flags=re.MULTILINE)
    return {flag for each in listed for flag in each.split(",")} - {"-h", "--help"}


class TrainingJobs(unittest.TestCase):
    def test_have_each_field_of_the_specification_in_the_example(self):
        described = {path for path in commented_keys("docs/trainingjobs.md") if path.startswith("spec.")}
        declared = set(fields({"properties": {"spec": resource()["spec"]}}, {})) - {"spec"}
        deprecated = {"spec.workers.replicas"}
        self.assertEqual(described, declared - deprecated)

    def test_have_each_field_of_the_status_in_its_table(self):
        table = (ROOT / "docs/trainingjobs.md").read_text().split("| `status` | |\n")[1].split("\n\n")[0]
        leaves, inner = set(), set()
        for row in table.splitlines()[1:]:
            names, text = row.strip("|").split("|")
            leaves |= set(re.findall(r"`([\w.]+)`", names))
            inner |= set(re.findall(r"`([a-z]\w+)`", text))
        status = resource()["status"]
        self.assertEqual(leaves, set(fields(status, {})) - {"progress", "decision", "kind", "resizeCost"})
        lists = (each["items"] for each in (*status["properties"].values(), status["properties"]["progress"]["properties"][
            "iterationsTo"]) if "items" in each)
        self.assertLessEqual({name for each in lists for name in each["properties"]}, inner)


class Configuration(unittest.TestCase):
    def test_has_each_key_in_the_example(self):
        definitions = json.loads((ROOT / "charts/slaq/values.schema.json").read_text())["definitions"]
        declared = set(fields(definitions["configuration"], definitions))
        described = {path for path in commented_keys("docs/configuration.md") if not path.startswith("limits.")}
        self.assertEqual(described | {"limits"}, declared)


class CommandLine(unittest.TestCase):
    def sections(self):
        parts = re.split(r"^## slaq (\w+)$", (ROOT / "docs/cli.md").read_text(), flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2]))

    def test_has_each_command(self):
        listed = re.findall(r"^\| `slaq (\w+)", (ROOT / "docs/cli.md").read_text(), flags=re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(commands()))

    def test_has_each_flag_of_a_command_in_its_section(self):
        document = (ROOT / "docs/cli.md").read_text()
        common = "".join(document.split(f"## {title}\n")[1].split("\n## ")[0]
                         for title in ("Finding the cluster", "Output for programs"))
        for command in commands():
            text = self.sections().get(command, "").split("\n## ")[0]
            for flag in flags(command):
                self.assertRegex(text + common, rf"(?<![\w-]){flag}\b(?!-)", f"docs/cli.md, slaq {command}")

    def test_names_no_flag_that_is_not_there(self):
        for command, text in self.sections().items():
            text = re.sub(r"^```(?!console).*?^```$|`(?:helm|slaq(?:-report)?) .*?`|-> helm.*", "", text.split("\n## ")[0],
                          flags=re.MULTILINE | re.DOTALL)
            for flag in set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text)) - {"--help"}:
                self.assertIn(flag, flags(command), f"docs/cli.md, slaq {command}")

    def test_is_asked_for_nothing_else_in_any_document(self):
        every = {command: flags(command) | {"-h", "--help"} for command in commands()}
        code = [command for block in all_blocks() if block.language in COMMANDS for command, _ in steps(block)]
        for document in ("README.md", "docs/troubleshooting.md", "docs/alerts.md", "docs/your-trainer.md"):
            code += inline_code(document)
        for line in code:
            for command, rest in re.findall(r"(?:\bkubectl |/|^)slaq (\w+)((?:(?! -- )[^|;#\n])*)", line, re.MULTILINE):
                self.assertIn(command, every, line)
                self.assertLessEqual(set(re.findall(r"(?<!\S)--?[a-zA-Z][\w-]*", rest)), every[command], line)


class Images(unittest.TestCase):
    def test_are_made_of_programs_that_their_build_compiles(self):
        copied = set(re.findall(r"/slaq/build/release/bin/([\w-]+)", (ROOT / "Dockerfile").read_text()))
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["buildPresets"]
        compiled = next(set(preset["targets"]) for preset in presets if preset["name"] == "programs")
        self.assertTrue(copied)
        self.assertLessEqual(copied, compiled)


class Targets(unittest.TestCase):
    def test_of_make_are_there(self):
        there = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
        for document in ("README.md", "CONTRIBUTING.md", "docs/reliability.md", "docs/evaluation.md", "docs/cli.md"):
            for code in inline_code(document):
                for target in re.findall(r"^make ([a-z-]+)", code):
                    self.assertIn(target, there, document)


if __name__ == "__main__":
    unittest.main()
