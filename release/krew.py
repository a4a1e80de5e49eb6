"""The manifest by which krew, the manager of kubectl's plugins, installs the command."""
import hashlib

import yaml

DESCRIPTION = """Shows the TrainingJobs of a cluster as a table that follows them (top), says why a job has its workers
(explain) and with how many it is best run (advise), and what keeps slaq from its work (check).
"""


def manifest(tarballs, url, version):
    """`tarballs` by platform, such as linux/amd64."""
    return yaml.safe_dump({
        "apiVersion": "krew.googlecontainertools.github.com/v1alpha2",
        "kind": "Plugin",
        "metadata": {"name": "slaq"},
        "spec": {
            "version": f"v{version}",
            "homepage": "https://slaq.io",
            "shortDescription": "Watch and explain quality-driven training jobs",
            "description": DESCRIPTION,
            "platforms": [{
                "selector": {"matchLabels": dict(zip(("os", "arch"), platform.split("/")))},
                "uri": f"{url}/{tarball.name}",
                "sha256": hashlib.sha256(tarball.read_bytes()).hexdigest(),
                "files": [{"from": f"{tarball.name.removesuffix('.tar.gz')}/*", "to": "."}],
                "bin": "slaq",
            } for platform, tarball in tarballs.items()],
        },
    }, sort_keys=False)
