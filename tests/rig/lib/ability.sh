# Whether this machine can carry a rig.
# shellcheck shell=bash

check() {
  local reason
  if reason=$(inability); then
    printf '\n*** NO CLUSTER HERE: %s ***\n\n' "$reason" >&2
    return 3
  fi
  say "this machine can carry a rig (Kubernetes $KUBERNETES)"
}

# Prints the first reason against a rig; fails when there is none.
inability() {
  if [ "$(uname -s)" != Linux ]; then echo "it takes Linux"; return; fi
  if [ "$(id -u)" != 0 ]; then echo "it takes root"; return; fi
  if [ -n "$(missing_packages)" ] && ! command -v apt-get >/dev/null; then
    echo "these packages are missing, and there is no apt-get: $(missing_packages | tr '\n' ' ')"
    return
  fi
  if ! find_binaries >/dev/null && ! go_is_new_enough; then
    echo "the cluster's programs are neither in KUBEBUILDER_ASSETS nor in $CACHE, and building them takes Go 1.$GO_MINOR_NEEDED or later"
    return
  fi
  if [ -z "$(roster)" ]; then echo "no control groups are mounted"; return; fi
  local probe
  probe=$(roster)/slaq-rig-probe-$$
  if ! mkdir "$probe" 2>/dev/null; then echo "control groups cannot be made"; return; fi
  rmdir "$probe"
  if ! grep -qw overlay /proc/filesystems; then echo "the kernel has no overlayfs"; return; fi
  if ! unshare --net --mount true 2>/dev/null; then echo "namespaces cannot be made"; return; fi
  if command -v ip >/dev/null && ! can_bridge; then echo "network bridges cannot be made"; return; fi
  if command -v nft >/dev/null && ! unshare --net nft add table inet probe 2>/dev/null; then
    echo "the kernel has no nftables"
    return
  fi
  return 1
}

can_bridge() {
  unshare --net sh -c 'ip link add probe0 type bridge && ip link add probe1 type veth peer name probe2' 2>/dev/null
}

go_is_new_enough() {
  local minor
  command -v go >/dev/null || return 1
  minor=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge "$GO_MINOR_NEEDED" ]
}
