"""The files of an image in an OCI archive."""
import json
import tarfile


def extract(archive, folder):
    """REQUIRES: no layer takes away what another one brought, as in an image that is only copied together."""
    with tarfile.open(archive) as files:
        def blob(descriptor):
            return files.extractfile("blobs/" + descriptor["digest"].replace(":", "/"))
        index = json.load(files.extractfile("index.json"))
        manifest = json.load(blob(index["manifests"][0]))
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=blob(layer)) as tree:
                tree.extractall(folder)
