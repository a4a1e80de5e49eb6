"""The command as a tarball that runs on any Linux of its architecture: with its libraries, and with the loader that they
belong to."""
import gzip
import io
import tarfile

# The program is started by its own loader, so that it asks nothing of the machine's libraries. Certificates are where
# distributions have them.
LAUNCHER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for file in "$SSL_CERT_FILE" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem \\
  /etc/ssl/cert.pem; do
  [ ! -r "$file" ] || { export SSL_CERT_FILE="$file"; break; }
done
exec "$here/lib/loader" --argv0 "$0" --library-path "$here/lib" "$here/lib/slaq" "$@"
"""


def write(files, output, root, platform, version, time):
    """`files` are those of the controller's image. Returns the tarball."""
    name = f"slaq-{version}-{platform.replace('/', '-')}"
    tarball = output / f"{name}.tar.gz"
    with gzip.GzipFile(tarball, "wb", mtime=time) as compressed, tarfile.open(fileobj=compressed, mode="w") as tar:
        def add(path, content, mode=0o644):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(content), mode, time
            tar.addfile(entry, io.BytesIO(content))

        add("slaq", LAUNCHER.encode(), 0o755)
        add("kubectl_complete-slaq", (root / "cli/kubectl_complete-slaq").read_bytes(), 0o755)
        add("LICENSE", (root / "LICENSE").read_bytes())
        program = files / "usr/local/bin/slaq"
        add("lib/slaq", program.read_bytes(), 0o755)
        for library in libraries(files):
            is_loader = library.name.startswith("ld-linux")
            add("lib/loader" if is_loader else f"lib/{library.name}", library.read_bytes(), 0o755)
        for license_text in sorted(files.glob("usr/share/doc/*/copyright")):
            add(f"licenses/{license_text.parent.name}", license_text.read_bytes())
    return tarball


def libraries(files):
    return sorted({file.name: file for file in files.glob("lib*/**/*.so*") if file.is_file()}.values(),
                  key=lambda file: file.name)
