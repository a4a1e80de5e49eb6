"""What the documents say of the package is there: each name, and code that is Python."""
import ast
import re
import unittest

from programs import ROOT

DOCUMENTS = [ROOT / "docs/your-trainer.md", ROOT / "python/README.md", ROOT / "CHANGELOG.md"]
PACKAGE = ROOT / "python/slaq"


def names_in(module):
    """What the module defines or takes from another one of the package."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text()).body
    defined = {node.name for node in tree if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assigned = {target.id for node in tree if isinstance(node, ast.Assign) for target in node.targets}
    taken = {alias.name for node in tree if isinstance(node, ast.ImportFrom) for alias in node.names}
    return defined | assigned | taken


class Documents(unittest.TestCase):
    def test_name_only_what_the_package_has(self):
        for document in DOCUMENTS:
            text = document.read_text()
            for module, name in re.findall(r"\bslaq\.(\w+)\.(\w+)", text):
                self.assertIn(name, names_in(module), document)
            for module in re.findall(r"\bimport slaq\.(\w+)", text):
                self.assertTrue((PACKAGE / f"{module}.py").exists(), f"{document}: {module}")
            for module, names in re.findall(r"\bfrom slaq(?:\.(\w+))? import (\w+(?:, \w+)*)", text):
                self.assertLessEqual(set(names.split(", ")), names_in(module or "__init__"), document)

    def test_have_blocks_that_are_python(self):
        blocks = [block for document in DOCUMENTS
                  for block in re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)]
        self.assertGreaterEqual(len(blocks), 3)
        for block in blocks:
            ast.parse(block)

    def test_name_each_library_that_has_a_module(self):
        own = {"__init__", "reporting", "serving", "training"}
        for module in (PACKAGE.glob("*.py")):
            for document in DOCUMENTS[:2]:
                if module.stem not in own:
                    self.assertIn(f"slaq.{module.stem}", document.read_text())


if __name__ == "__main__":
    unittest.main()
