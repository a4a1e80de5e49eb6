# Images, without a registry: built by buildah, handed to containerd as archives.
# shellcheck shell=bash

# buildah keeps its layers in the cache, away from a storage that the machine may have, and mounts them where
# nobody else sees it; its notes of what is mounted are void with the namespace.
build() {
  local runroot result=0
  runroot=$(mktemp -d "${TMPDIR:-/tmp}/slaq-rig-buildah.XXXXXX")
  unshare --mount --propagation private \
    buildah --root "$CACHE/buildah" --runroot "$runroot" --storage-driver overlay "$@" || result=$?
  rm -rf "$runroot"
  return $result
}

# For builds of others: no registry is asked, and no other rig builds meanwhile.
buildah_with_images() {
  base_image
  case ${1:-} in
    bud) locked images build bud --isolation chroot --pull-never "${@:2}" ;;
    *) build "$@" ;;
  esac
}

# image TARGET [NAME]
image() {
  local target=${1:-} name started=$SECONDS
  [ -n "$target" ] || die 'image takes a target of the Dockerfile' 2
  [ -r "$CONTEXT/Dockerfile" ] || die "no Dockerfile in $CONTEXT"
  name=$(full_name "${2:-slaq-$target:dev}")
  base_image
  say "building $target as $name"
  locked images build_image "$target" "$name" || die "the image $target could not be built"
  deliver "$name"
  say "$name took $((SECONDS - started)) s"
}

build_image() {
  build bud --isolation chroot --layers --pull-never --target "$1" --build-arg "BINARIES=$BINARIES_FROM" \
    --tag "$2" --file "$CONTEXT/Dockerfile" "$CONTEXT" >&2 || return
  tidy_up_builds
}

# locked NAME COMMAND...: one at a time on this machine. What it starts in the background must close descriptor 8.
locked() {
  local name=$1
  shift
  mkdir -p "$CACHE"
  {
    flock -n 8 || { say "waiting for another rig command that makes $name"; flock 8; }
    "$@"
  } 8>"$CACHE/$name.lock"
}

base() {
  base_image
  deliver "$BASE_IMAGE"
}

# deliver NAME: to the cluster, if one is up.
deliver() {
  local archive=$CACHE/image.$$.tar
  if [ ! -S "$SOCKET" ]; then
    say "no cluster is up to take $1"
    return 0
  fi
  # shellcheck disable=SC2064
  trap "rm -f '$archive'" EXIT
  build push --quiet "$1" "docker-archive:$archive:$1" || die "the image $1 could not be written"
  load_archive "$archive"
  rm -f "$archive"
  trap - EXIT
}

# buildah forgets the containers of stages that others start from; images that nothing is based on lost their name to
# a newer one. Those of a compiled tree are kept: making them again takes minutes.
tidy_up_builds() {
  build rm --all >/dev/null 2>&1 || true
  [ "$BINARIES_FROM" = build ] || build rmi --prune >/dev/null 2>&1 || true
}

load_archive() {
  [ -r "${1:-}" ] || die "load takes an image archive, not '${1:-}'" 2
  [ -S "$SOCKET" ] || die 'no cluster is up to take an image; `rig up` brings one up'
  ctr --address "$SOCKET" --namespace k8s.io images import "$1" >&2 || die "containerd did not take $1"
}

# Pods say `slaq-trainer:dev`; containerd knows it by its full name.
full_name() {
  case $1 in
    */*) echo "$1" ;;
    *) echo "docker.io/library/$1" ;;
  esac
}

# The name under which Dockerfiles know Debian, made from the machine's own package mirror.
base_image() {
  local archive=$CACHE/debian-$DEBIAN-$BASE_EDITION.tar
  [ -r "$archive" ] && has_image "$BASE_IMAGE" && return 0
  locked images make_base_image "$archive"
}

make_base_image() {
  [ -r "$1" ] || bootstrap_debian "$1"
  has_image "$BASE_IMAGE" || image_of_files "$1" "$BASE_IMAGE" /bin/bash || die "$BASE_IMAGE could not be made"
}

has_image() { build inspect --type image "$1" >/dev/null 2>&1; }

# bootstrap_debian ARCHIVE
bootstrap_debian() {
  local root started=$SECONDS sources mirror
  sources=$(debian_sources)
  mirror=$(awk -v suite="$DEBIAN" '$3 == suite {print $2; exit}' <<<"$sources")
  [ -n "$mirror" ] || die "apt knows no source of Debian $DEBIAN"
  root=$(mktemp -d "$CACHE/debian.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$root'" EXIT
  say "making Debian $DEBIAN, once; log in $CACHE/debootstrap.log"
  debootstrap --variant=minbase "$DEBIAN" "$root" "$mirror" >"$CACHE/debootstrap.log" 2>&1 ||
    { tail -n 10 "$CACHE/debootstrap.log" >&2; die 'debootstrap failed'; }
  echo "$sources" >"$root/etc/apt/sources.list"
  rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* \
    "$root"/var/log/*.log "$root"/usr/share/{doc,man,info,locale}/* "${root:?}"/dev/*
  printf 'path-exclude /usr/share/%s/*\n' doc man info locale >"$root/etc/dpkg/dpkg.cfg.d/slim"
  tar -C "$root" --numeric-owner -cf "$1.part" .
  mv "$1.part" "$1"
  rm -rf "$root"
  trap - EXIT
  say "made Debian $DEBIAN in $((SECONDS - started)) s"
}

# The machine's sources of Debian itself, as lines of a sources.list.
debian_sources() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$DEBIAN" '($2 == suite || index($2, suite "-") == 1) && !seen[$0]++ {print "deb", $1, $2, $3}'
}

# image_of_files ARCHIVE NAME COMMAND: an image of one layer that holds the files of the archive.
image_of_files() {
  local container
  container=$(build from scratch) &&
    build add --quiet "$container" "$1" / >/dev/null &&
    build config --cmd "$3" --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container" &&
    build commit --quiet --rm "$container" "$2" >/dev/null
}

# The sandbox of every pod, compiled here; a few hundred kilobytes.
pause_image() {
  local archive=$CACHE/pause-$PAUSE_EDITION.tar
  [ -r "$archive" ] || locked images make_pause_image "$archive" || return
  load_archive "$archive" 2>/dev/null
}

make_pause_image() {
  local work
  work=$(mktemp -d)
  if gcc -Os -static -s -o "$work/pause" "$RIG_HOME/pause/pause.c" &&
    tar -C "$work" -cf "$work/files.tar" pause &&
    image_of_files "$work/files.tar" "$PAUSE_IMAGE" /pause &&
    build push --quiet "$PAUSE_IMAGE" "docker-archive:$work/image.tar:$PAUSE_IMAGE"; then
    mv "$work/image.tar" "$1"
  fi
  rm -rf "$work"
  [ -r "$1" ]
}
