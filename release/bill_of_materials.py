"""What an image is made of, as CycloneDX: Debian's packages whose files are in it, and libraries that were compiled in."""
import datetime
import subprocess
import uuid

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

# Of these headers, or a static library, are compiled in, so that no file of theirs is in the image.
COMPILED_IN = ("libboost-dev", "libcli11-dev", "libeigen3-dev", "libexpected-dev", "libjs-chart.js", "libpcre2-dev", "libprotozero-dev",
               "rapidjson-dev")


def of_image(files, root, version, time):
    """`files` are those of the image."""
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"slaq-{version}-{time}"))
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    slaq = Component(name="slaq", version=version, type=ComponentType.APPLICATION, bom_ref=f"slaq@{version}")
    bom.metadata.component = slaq
    system = dict(line.replace('"', "").split("=", 1) for line in (files / "usr/lib/os-release").read_text().splitlines())
    bom.components.add(Component(name=system["ID"], version=system["VERSION_ID"], type=ComponentType.OPERATING_SYSTEM,
                                 bom_ref=f"{system['ID']}@{system['VERSION_ID']}"))
    distribution = f"{system['ID']}-{system['VERSION_ID']}"
    parts = [part(fields(record.read_text()), distribution) for record in sorted((files / "var/lib/dpkg/status.d").iterdir())]
    parts += [part(package, distribution) for package in installed(COMPILED_IN, root)]
    for each in parts:
        bom.components.add(each)
    bom.register_dependency(slaq, parts)
    return JsonV1Dot6(bom).output_as_string(indent=2)


def fields(record):
    """Of a record of dpkg, those of one line."""
    return dict(line.split(": ", 1) for line in record.splitlines() if ": " in line and not line.startswith(" "))


def installed(packages, root):
    names = set(subprocess.run([root / "scripts/install-deps", "--programs", "--list"], capture_output=True, text=True,
                               check=True).stdout.split())
    for name in packages:
        assert name in names, f"{name} is not among what programs are compiled with"
        yield fields(subprocess.run(["dpkg-query", "--status", name], capture_output=True, text=True, check=True).stdout)


def part(package, distribution):
    """Advisories are about source packages: `upstream` names it where it has another name."""
    qualifiers = {"arch": package["Architecture"], "distro": distribution}
    if "Source" in package:
        qualifiers["upstream"] = package["Source"].split()[0]
    url = PackageURL("deb", "debian", package["Package"], package["Version"], qualifiers)
    return Component(name=package["Package"], version=package["Version"], type=ComponentType.LIBRARY, purl=url,
                     scope=ComponentScope.REQUIRED, bom_ref=str(url))
