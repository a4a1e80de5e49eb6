"""Makes what a release consists of, in one folder: images and chart as OCI archives, the command as tarballs, a bill of
materials of the controller's image, a manifest for krew, the Python package as a wheel, checksums. Nothing is published."""
import argparse
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import bill_of_materials
import chart_archive
import command_archive
import image_files
import krew
import python_wheel

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(r"project\(slaq VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
URL = "https://slaq.io/releases"


def native():
    return "linux/" + subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__, epilog="environment: SLAQ_IMAGE_BUILDER, "
                                     "the command that builds and takes buildah's arguments (buildah); HELM (helm)")
    parser.add_argument("--platforms", default="linux/amd64,linux/arm64", metavar="LIST",
                        help="of the controller and of the command (%(default)s); the trainer is for this machine's alone")
    parser.add_argument("--binaries", choices=["build", "prebuilt"], default="build",
                        help="compile in the images, or take build/release/bin (%(default)s)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/dist", metavar="FOLDER",
                        help="is made anew (build/dist)")
    parser.add_argument("--url", default=f"{URL}/{VERSION}", help="where the tarballs will be, for krew (%(default)s)")
    parser.add_argument("--prefix", default="", metavar="REGISTRY/", help="goes before the names of the images")
    chosen = parser.parse_args()
    chosen.platforms = chosen.platforms.split(",")
    for platform in chosen.platforms:
        if platform not in ("linux/amd64", "linux/arm64"):
            parser.error(f"--platforms: '{platform}' is not linux/amd64 or linux/arm64")
    if chosen.output.exists() and not (chosen.output / "SHA256SUMS").exists() and any(chosen.output.iterdir()):
        parser.error(f"--output: {chosen.output} holds other files; name an empty folder")
    helm = shlex.split(os.environ.get("HELM", "helm"))[0]
    if not shutil.which(helm):
        parser.error(f"there is no {helm}; HELM names the program")
    if f"\nversion: {VERSION}\n" not in (ROOT / "charts/slaq/Chart.yaml").read_text():
        parser.error(f"charts/slaq/Chart.yaml is not of the version {VERSION}, which CMakeLists.txt has")
    if f'\nversion = "{VERSION}"\n' not in (ROOT / "python/pyproject.toml").read_text():
        parser.error(f"python/pyproject.toml is not of the version {VERSION}, which CMakeLists.txt has")
    return chosen


class Release:
    def __init__(self, chosen):
        self.chosen, self.output = chosen, chosen.output.with_name(chosen.output.name + ".partial")
        self.builder = shlex.split(os.environ.get("SLAQ_IMAGE_BUILDER", "buildah"))
        self.commit_time = int(run("git", "log", "-1", "--format=%ct") or time.time())
        self.begun = time.monotonic()

    def say(self, what):
        print(f"{time.monotonic() - self.begun:6.0f} s  {what}", file=sys.stderr, flush=True)

    def make(self):
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir(parents=True)
        tarballs = {platform: self.make_of(platform) for platform in self.chosen.platforms}
        if native() in self.chosen.platforms:
            self.image("trainer", native())
        self.say("chart")
        chart_archive.write(ROOT / "charts/slaq", self.output, VERSION, shlex.split(os.environ.get("HELM", "helm")))
        self.say("Python package")
        python_wheel.write(ROOT / "python", self.output, self.commit_time)
        (self.output / "slaq.yaml").write_text(krew.manifest(tarballs, self.chosen.url, VERSION))
        sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(self.output.iterdir())]
        (self.output / "SHA256SUMS").write_text("".join(sums))
        shutil.rmtree(self.chosen.output, ignore_errors=True)
        self.output.rename(self.chosen.output)
        self.say(f"done: {self.chosen.output}")

    def make_of(self, platform):
        """The image of the controller, its bill of materials, and the command out of it. Returns the command's tarball."""
        archive = self.image("controller", platform)
        with tempfile.TemporaryDirectory() as folder:
            files = pathlib.Path(folder)
            image_files.extract(archive, files)
            bill = archive.with_name(archive.name.removesuffix(".tar") + ".cdx.json")
            bill.write_text(bill_of_materials.of_image(files, ROOT, VERSION, self.commit_time))
            self.say(f"slaq for {platform}")
            return command_archive.write(files, self.output, ROOT, platform, VERSION, self.commit_time)

    def image(self, name, platform):
        """Builds an image, and writes it as an OCI archive."""
        self.say(f"image of the {name} for {platform}")
        of_platform = platform.replace("/", "-")
        tag = f"{VERSION}-{of_platform.removeprefix('linux-')}"
        run("scripts/images", "--platform", platform, "--binaries", self.chosen.binaries, "--prefix", self.chosen.prefix,
            "--tag", tag, name, env=os.environ | {"SLAQ_IMAGE_BUILDER": shlex.join(self.builder)})
        archive = self.output / f"slaq-{name}-{VERSION}-{of_platform}.tar"
        image = f"{self.chosen.prefix}slaq-{name}:{tag}"
        run(*self.builder, "push", "--quiet", image, f"oci-archive:{archive}:{VERSION}")
        return archive


def run(*command, **options):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"release: {shlex.join(map(str, command))} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout.strip()


if __name__ == "__main__":
    Release(arguments()).make()
