"""The chart as Helm packages it, and as an OCI archive of what `helm push` would send to a registry."""
import hashlib
import io
import json
import subprocess
import tarfile

import yaml


def write(chart, output, version, helm):
    done = subprocess.run([*helm, "package", chart, "--destination", output], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"release: helm package ended with {done.returncode}: {done.stderr}")
    package = (output / f"slaq-{version}.tgz").read_bytes()
    metadata = yaml.safe_load((chart / "Chart.yaml").read_text())
    (output / f"slaq-chart-{version}.tar").write_bytes(layout(package, metadata, version))


def layout(package, metadata, version):
    """An image layout of the Open Container Initiative, with the media types of Helm."""
    blobs = {}

    def add(content, media_type, **more):
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content), **more}

    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": add(json.dumps(metadata, default=str).encode(), "application/vnd.cncf.helm.config.v1+json"),
        "layers": [add(package, "application/vnd.cncf.helm.chart.content.v1.tar+gzip")],
        "annotations": {f"org.opencontainers.image.{key}": metadata[name] for key, name in
                        (("title", "name"), ("version", "version"), ("description", "description"))},
    }
    described = add(json.dumps(manifest).encode(), manifest["mediaType"],
                    annotations={"org.opencontainers.image.ref.name": version})
    files = {"oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode(),
             "index.json": json.dumps({"schemaVersion": 2, "manifests": [described]}).encode(),
             **{f"blobs/sha256/{digest}": content for digest, content in blobs.items()}}
    return tar_of(files)


def tar_of(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return stream.getvalue()
