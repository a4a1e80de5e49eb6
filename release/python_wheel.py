"""The Python package as a wheel. Debian's setuptools builds it, so that nothing is fetched."""
import os
import pathlib
import shutil
import subprocess
import tempfile

# The hook by which every builder asks setuptools for a wheel; its own output is about files that it copies.
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]), file=sys.stderr)"


def write(package, output, time):
    """Builds the folder `package` into the folder `output`, and returns the wheel. The same sources and the same time give the
    same bytes."""
    with tempfile.TemporaryDirectory() as folder:  # setuptools leaves files beside the sources
        sources = pathlib.Path(shutil.copytree(package, pathlib.Path(folder) / "sources",
                                               ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info")))
        for file in sources.rglob("*"):
            file.chmod(0o755 if file.is_dir() else 0o644)
        done = subprocess.run(["/usr/bin/python3", "-c", BUILD, output.resolve()], cwd=sources, capture_output=True, text=True,
                              check=False, env=os.environ | {"SOURCE_DATE_EPOCH": str(time)})
    if done.returncode:
        raise SystemExit(f"release: setuptools ended with {done.returncode}: {done.stderr}")
    return output / done.stderr.split()[-1]
