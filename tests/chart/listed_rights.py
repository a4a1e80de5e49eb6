"""On a cluster with the operator: what the API server says that its service account may do is what
docs/threat-model.md lists, besides what each account may."""
import re
import subprocess
import sys

from rights_test import documented


def allowed(user):
    """(group, resource, verb) of all rights in the operator's namespace. None of URLs."""
    listed = subprocess.run(["kubectl", "auth", "can-i", "--list", "--as", user, "-n", "slaq-system"], capture_output=True,
                            text=True, check=True).stdout
    for line in listed.splitlines()[1:]:
        row = re.match(r"(\S+)\s+\[.*?\]\s+\[.*?\]\s+\[(.*?)\]$", line)
        if row:
            resource, _, rest = row[1].partition(".")
            group, _, subresource = rest.partition("/")
            for verb in row[2].split():
                yield group, resource + (f"/{subresource}" if subresource else ""), verb


def main():
    may = set(allowed("system:serviceaccount:slaq-system:slaq"))
    own = may - set(allowed("system:serviceaccount:slaq-system:nobody"))
    listed = {right for right, when in documented() if when != "`config.capacity.automatic`"}
    if own != listed:
        sys.exit(f"not listed: {sorted(own - listed)}; not there: {sorted(listed - own)}")


if __name__ == "__main__":
    main()
