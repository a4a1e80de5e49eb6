# The Debian packages of the rig.
# shellcheck shell=bash

# PACKAGE PROGRAM (or file) pairs: a package is missing when its program is.
readonly PACKAGES='
containerd containerd
runc runc
containernetworking-plugins /usr/lib/cni/bridge
nftables nft
iproute2 ip
procps sysctl
util-linux setsid
openssl openssl
ca-certificates /etc/ssl/certs/ca-certificates.crt
curl curl
gcc gcc
libc6-dev /usr/include/stdlib.h
buildah buildah
debootstrap debootstrap
'

missing_packages() {
  local package program
  while read -r package program; do
    [ -n "$package" ] || continue
    case $program in
      /*) [ -e "$program" ] || echo "$package" ;;
      *) command -v "$program" >/dev/null || echo "$package" ;;
    esac
  done <<<"$PACKAGES"
}

# Debian starts what it installs, and again at each boot; the rig wants the programs only.
install_packages() {
  local missing guard=/usr/sbin/policy-rc.d guarded='' service
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "$missing" ] || { say 'every package is there'; return 0; }
  [ "$(id -u)" = 0 ] || die "installing $missing takes root"
  say "installing $missing"
  if [ ! -e $guard ]; then
    printf '#!/bin/sh\nexit 101\n' >$guard
    chmod 755 $guard
    guarded=yes
  fi
  # shellcheck disable=SC2064
  [ -z "$guarded" ] || trap "rm -f $guard" EXIT
  # shellcheck disable=SC2086
  { apt_get install $missing || { apt_get update && apt_get install $missing; }; } ||
    die "apt-get could not install $missing"
  for service in containerd nftables; do
    case " $missing " in *" $service "*) keep_from_starting $service ;; esac
  done
  if [ -n "$guarded" ]; then
    rm -f $guard
    trap - EXIT
  fi
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -y -q=2 -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >&2
}

keep_from_starting() {
  if command -v systemctl >/dev/null; then systemctl disable "$1" >/dev/null 2>&1 || true; fi
  if command -v update-rc.d >/dev/null; then update-rc.d "$1" disable >/dev/null 2>&1 || true; fi
}
