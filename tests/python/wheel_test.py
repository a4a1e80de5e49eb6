"""The package as a release has it: a wheel that installs without a network and without other packages."""
import ast
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

from programs import ROOT, environment

sys.path.insert(0, str(ROOT / "release"))
import python_wheel  # pylint: disable=wrong-import-position

PACKAGE = ROOT / "python"
VERSION = re.search(r"project\(slaq VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
TIME = 1700000000


def files_of(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if "__pycache__" not in file.parts)


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.before = files_of(PACKAGE)
        cls.wheel = python_wheel.write(PACKAGE, cls.folder, TIME)

    def test_has_the_package_and_its_licence_alone(self):
        self.assertEqual(self.wheel, self.folder / f"slaq-{VERSION}-py3-none-any.whl")
        with zipfile.ZipFile(self.wheel) as wheel:
            names = set(wheel.namelist())
            metadata = wheel.read(f"slaq-{VERSION}.dist-info/METADATA").decode()
            licence = wheel.read(f"slaq-{VERSION}.dist-info/LICENSE").decode()
        modules = {f"slaq/{file.name}" for file in (PACKAGE / "slaq").glob("*.py")}
        self.assertLessEqual({"slaq/__init__.py", "slaq/reporting.py", "slaq/serving.py", "slaq/torch.py"}, modules)
        self.assertEqual(names, modules | {f"slaq-{VERSION}.dist-info/{name}"
                                           for name in ("LICENSE", "METADATA", "RECORD", "WHEEL", "top_level.txt")})
        self.assertEqual(licence, (ROOT / "LICENSE").read_text())
        self.assertIn("\nRequires-Python: >=3.9\n", metadata)
        self.assertNotIn("Requires-Dist", metadata)
        self.assertIn("from slaq import report", metadata)  # its README

    def test_is_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            again = python_wheel.write(PACKAGE, pathlib.Path(folder), TIME)
            self.assertEqual(again.read_bytes(), self.wheel.read_bytes())

    def test_leaves_nothing_in_the_sources(self):
        self.assertEqual(files_of(PACKAGE), self.before)

    def test_installs_alone_and_reports(self):
        venv = self.folder / "venv"
        subprocess.run(["/usr/bin/python3", "-m", "venv", venv], check=True, capture_output=True)
        pip = [venv / "bin/pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--no-index", self.wheel], check=True)
        program = ("import slaq, importlib.metadata\nslaq.report(0.5)\n"
                   "print(slaq.__file__.startswith(__import__('sys').prefix), importlib.metadata.version('slaq'))")
        ran = subprocess.run([venv / "bin/python", "-I", "-c", program], env=environment(), capture_output=True, text=True,
                             check=False)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, f"True {VERSION}\n", ""))


class Sources(unittest.TestCase):
    def test_are_read_by_the_oldest_python_that_is_promised(self):
        for file in (PACKAGE / "slaq").glob("*.py"):
            ast.parse(file.read_text(), filename=file, feature_version=(3, 9))

    def test_load_nothing_but_the_standard_library_and_their_own_library(self):
        for file in (PACKAGE / "slaq").glob("*.py"):
            tree = ast.parse(file.read_text())
            loaded = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
            loaded |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            own = {"slaq", file.stem} | ({"pytorch_lightning"} if file.stem == "lightning" else set())
            self.assertLessEqual({name.split(".")[0] for name in loaded}, sys.stdlib_module_names | own, file)


if __name__ == "__main__":
    unittest.main()
