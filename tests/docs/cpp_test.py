"""The blocks of C++ in the documents compile as the files that the text before them names."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from documents import ROOT, all_blocks

COMPILE = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def named_before(block):
    """The path in src that stands last before the block."""
    before = (ROOT / block.document).read_text().splitlines()[:block.line - 1]
    return re.findall(r"`(src/[\w/]+\.(?:h|cpp))`", "\n".join(before))[-1]


class BlocksOfCpp(unittest.TestCase):
    def test_compile_beside_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for block in all_blocks():
                if block.language != "cpp":
                    continue
                path = pathlib.Path(folder) / named_before(block)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text)
                files.append((block.place, path))
            self.assertTrue(files)
            # A class that lacks a function of its interface compiles, and no object of it can be made.
            whole = "".join(f'#include "{path}"\n' for _, path in files if path.suffix == ".h")
            classes = [(re.search(r"namespace ([\w:]+)", text)[1], name) for text in (path.read_text() for _, path in files)
                       for name in re.findall(r"^class (\w+)", text, re.MULTILINE)]
            checks = pathlib.Path(folder) / "checks.cpp"
            checks.write_text(whole + "".join(f"static_assert(!std::is_abstract_v<{space}::{name}>);\n"
                                              for space, name in classes))
            for place, path in [*((place, path) for place, path in files if path.suffix == ".cpp"), ("classes", checks)]:
                done = subprocess.run([*COMPILE, f"-I{folder}/src", f"-I{ROOT}/src", str(path)], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{place}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
