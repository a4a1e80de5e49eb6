"""What scripts/release makes of the compiled programs: each part is read as those do who get it. Skips with one loud line
where no images can be built; with CI=true that is a failure."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIG = ROOT / "tests/rig/rig"
SKIPPED = 77
VERSION = re.search(r"project\(slaq VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def blob(archive, descriptor):
    return archive.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()


def manifest_of(archive):
    return json.loads(blob(archive, json.load(archive.extractfile("index.json"))["manifests"][0]))


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.output = cls.folder / "dist"
        cls.architecture = run("dpkg", "--print-architecture").strip()
        cls.name = f"slaq-{VERSION}-linux-{cls.architecture}"
        helm = run(RIG, "binaries").strip() + "/helm"
        run(ROOT / "scripts/release", "--platforms", f"linux/{cls.architecture}", "--binaries", "prebuilt", "--output", cls.output,
            "--url", "https://example.com/1", env=os.environ | {"SLAQ_IMAGE_BUILDER": f"{RIG} buildah", "HELM": helm})

    def image(self, name):
        return tarfile.open(self.output / f"slaq-{name}-{VERSION}-linux-{self.architecture}.tar")

    def test_is_all_there_with_its_checksums(self):
        images = [f"slaq-{name}-{VERSION}-linux-{self.architecture}" for name in ("controller", "trainer")]
        expected = {f"{images[0]}.tar", f"{images[0]}.cdx.json", f"{images[1]}.tar", f"{self.name}.tar.gz", f"slaq-{VERSION}.tgz",
                    f"slaq-chart-{VERSION}.tar", "slaq.yaml", f"slaq-{VERSION}-py3-none-any.whl"}
        self.assertEqual({file.name for file in self.output.iterdir()}, expected | {"SHA256SUMS"})
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.output)

    def test_images_say_their_version_and_architecture(self):
        for name in ("controller", "trainer"):
            with self.image(name) as archive:
                config = json.loads(blob(archive, manifest_of(archive)["config"]))
            self.assertEqual(config["architecture"], self.architecture)
            labels = config["config"]["Labels"]
            self.assertEqual(labels["org.opencontainers.image.version"], VERSION, name)
            self.assertNotIn("unknown", labels["org.opencontainers.image.revision"], name)
            self.assertEqual(config["config"]["User"], "65532:65532", name)

    def test_bill_of_materials_has_each_package_whose_files_are_in_the_image(self):
        bill = json.loads((self.output / f"slaq-controller-{VERSION}-linux-{self.architecture}.cdx.json").read_text())
        self.assertEqual((bill["bomFormat"], bill["metadata"]["component"]["version"]), ("CycloneDX", VERSION))
        listed = {each["name"]: each.get("purl") for each in bill["components"]}
        self.assertLessEqual({"libssl3", "libcpprest2.10", "libc6", "ca-certificates", "rapidjson-dev"}, set(listed))
        with self.image("controller") as archive:
            files = set()
            for layer in manifest_of(archive)["layers"]:
                with tarfile.open(fileobj=archive.extractfile("blobs/" + layer["digest"].replace(":", "/"))) as tree:
                    files |= {name.removeprefix("./") for name in tree.getnames()}
        recorded = {file.rpartition("/")[2] for file in files if file.startswith("var/lib/dpkg/status.d/")}
        self.assertLessEqual(recorded, set(listed))
        self.assertRegex(listed["libssl3"], r"^pkg:deb/debian/libssl3@3.*distro=debian-\d+.*upstream=openssl")
        # Without these no scanner knows whose advisories to look at.
        self.assertLessEqual({"etc/debian_version", "etc/os-release", "usr/lib/os-release"}, files)
        self.assertEqual(listed["debian"], None)

    def test_command_runs_from_its_tarball_without_the_libraries_of_the_machine(self):
        run("tar", "-xf", self.output / f"{self.name}.tar.gz", "-C", self.folder)
        folder = self.folder / self.name
        self.assertEqual(run(folder / "slaq", "--version", env={"PATH": "/usr/bin:/bin"}).split()[:2], ["slaq", VERSION])
        plugin = self.folder / "kubectl-slaq"  # as krew links it
        plugin.symlink_to(folder / "slaq")
        self.assertIn("Usage: kubectl slaq ", run(plugin, "--help"))
        maps = run("sh", "-c", f"{folder}/lib/loader --library-path {folder}/lib --list {folder}/lib/slaq")
        foreign = [line for line in maps.splitlines() if "=>" in line and str(folder) not in line]
        self.assertEqual(foreign, [])

    def test_manifest_for_krew_names_the_tarball(self):
        platform = yaml.safe_load((self.output / "slaq.yaml").read_text())["spec"]["platforms"][0]
        content = (self.output / f"{self.name}.tar.gz").read_bytes()
        self.assertEqual(platform["uri"], f"https://example.com/1/{self.name}.tar.gz")
        self.assertEqual(platform["sha256"], hashlib.sha256(content).hexdigest())
        self.assertEqual(platform["selector"], {"matchLabels": {"os": "linux", "arch": self.architecture}})

    def test_chart_is_the_same_in_both_forms(self):
        with tarfile.open(self.output / f"slaq-chart-{VERSION}.tar") as archive:
            manifest = manifest_of(archive)
            chart = blob(archive, manifest["layers"][0])
            self.assertEqual(json.loads(blob(archive, manifest["config"]))["version"], VERSION)
        self.assertEqual(manifest["config"]["mediaType"], "application/vnd.cncf.helm.config.v1+json")
        self.assertEqual(chart, (self.output / f"slaq-{VERSION}.tgz").read_bytes())

    def test_python_package_is_of_the_version_and_reports_out_of_the_wheel(self):
        wheel = self.output / f"slaq-{VERSION}-py3-none-any.whl"  # Python reads a package out of an archive, too
        program = "import slaq\nslaq.report(0.5)\nprint(slaq.__file__)"
        done = run("/usr/bin/python3", "-c", program, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(wheel)})
        self.assertEqual(done, f"{wheel}/slaq/__init__.py\n")
        with zipfile.ZipFile(wheel) as files:
            self.assertIn(f"\nVersion: {VERSION}\n", files.read(f"slaq-{VERSION}.dist-info/METADATA").decode())


if __name__ == "__main__":
    able = subprocess.run([RIG, "check"], capture_output=True, text=True, check=False)
    if able.returncode:
        print(f"SKIPPED: MAKING A RELEASE BUILDS IMAGES: {able.stderr}", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
