"""Runs a block's commands as a reader would, and compares what they print with what the document shows."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile

import yaml

PLAN = yaml.safe_load(pathlib.Path(__file__).with_name("plan.yaml").read_text())
PATIENCE = 1200  # seconds until a command is taken for hanging


class Failed(AssertionError):
    pass


def steps(block):
    """The block's commands, each with the output that is shown, or with None."""
    if block.language == "sh":
        return [(block.text, None)]
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block.text, flags=re.MULTILINE)
    if parts[0]:
        raise Failed(f"{block.place}: a session begins with a command")
    return list(zip(parts[1::2], parts[2::2]))


def substituted(command, place):
    """The command as the test runs it."""
    for each in PLAN["substitutions"]:
        if each["where"] == place:
            command = command.replace(each["what"], each["by"])
    return command


def pattern(shown, entry):
    """What the shown output stands for: `...` is anything, and so is another value of a kind that varies."""
    varies, optional = entry.get("varies", []), entry.get("optional", [])
    kinds = {name: PLAN["kinds"][name] for name in [*optional, *varies]}
    parts = [r"(?P<any>\.\.\.\n?)", *(f"(?P<{name}>{kind})" for name, kind in kinds.items())]
    parts.append(r"(?P<space>[ ]+)" if kinds else r"(?P<space>(?!))")
    out, end = "", 0
    for found in re.finditer("|".join(parts), shown, re.MULTILINE):
        name = found.lastgroup
        out += re.escape(shown[end:found.start()])
        out += {"any": "(?s:.*)", "space": "[ ]+"}.get(name) or f"(?:{kinds[name]})" + "?" * (name in optional)
        end = found.end()
    return re.compile(out + re.escape(shown[end:]), re.MULTILINE)


def differs(shown, printed, entry):
    """A sentence if the output is not what is shown, else nothing."""
    def trimmed(text):
        return "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())
    if pattern(trimmed(shown), entry).fullmatch(trimmed(printed)):
        return None
    return f"shown:\n{shown}\nprinted:\n{printed}"


def run(command, folder, environment):
    """The command's exit code and all that it printed. What it left in the background ends with it."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            code = "it hangs"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        return code, output.read()


def perform(block, entry, folder, environment, place):
    """Runs a block as its entry of the plan says, and raises Failed where it does not do what the document says."""
    found = steps(block)
    for number, (command, shown) in enumerate(found):
        command = substituted(command, place)
        code, printed = run(command, folder, environment)
        expected = entry.get("exit", 0) if number == len(found) - 1 else 0
        if code != expected:
            raise Failed(f"{block.place}: {command}\nended with {code}, not {expected}:\n{printed}")
        wrong = shown is not None and shown.strip() and differs(shown, printed, entry)
        if wrong:
            raise Failed(f"{block.place}: {command}\n{wrong}")
