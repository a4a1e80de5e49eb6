# The cluster's programs: found, or built once from the pinned modules of go/.
# shellcheck shell=bash

readonly PROGRAMS='etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl coredns helm prometheus'

# Prometheus discovers its targets in Kubernetes here, and in none of the clouds whose libraries take minutes to compile.
readonly TAGS=remove_all_sd,enable_kubernetes_sd

# Prints the folder that holds every program; fails when none does. What was built from other versions does not count.
find_binaries() {
  local built=$CACHE/$KUBERNETES
  if [ -n "${KUBEBUILDER_ASSETS:-}" ] && has_programs "$KUBEBUILDER_ASSETS"; then
    echo "$KUBEBUILDER_ASSETS"
  elif has_programs "$built" && cmp -s "$built/go.mod" "$RIG_HOME/go/go.mod"; then
    echo "$built"
  else
    return 1
  fi
}

has_programs() {
  local program
  for program in $PROGRAMS; do
    [ -x "$1/$program" ] || return 1
  done
}

binaries() {
  find_binaries && return 0
  go_is_new_enough || die "building the cluster's programs takes Go 1.$GO_MINOR_NEEDED or later" 3
  locked binaries build_unless_found
  find_binaries
}

build_unless_found() { find_binaries >/dev/null || build_binaries; }

build_binaries() {
  local build=$CACHE/$KUBERNETES.building
  # shellcheck disable=SC2046
  build_module "Kubernetes $KUBERNETES and its company" go "$build" -tags "$TAGS" -ldflags "$(stamp)" $(packages_to_build)
  has_programs "$build" || die "the build left some program out: $(ls "$build")"
  keep_build "$build" "$CACHE/$KUBERNETES"
}

# build_module WHAT MODULE FOLDER ARGUMENTS...: one `go build` in a folder of the rig for all, so that what they share is
# compiled once.
build_module() {
  local what=$1 module=$RIG_HOME/$2 build=$3 log=${3%.building}.log started=$SECONDS builder
  shift 3
  say "building $what, once; log in $log"
  rm -rf "$build"
  mkdir -p "$build"
  (
    cd "$module" || exit
    export CGO_ENABLED=0 GOTOOLCHAIN=local GOMAXPROCS=2 GOWORK=off GOFLAGS=-mod=readonly
    exec nice go build -p 2 -trimpath -buildvcs=false -o "$build/" "$@"
  ) >"$log" 2>&1 8>&- &
  builder=$!
  # shellcheck disable=SC2064
  trap "kill $builder 2>/dev/null; rm -rf '$build'" EXIT
  while kill -0 $builder 2>/dev/null; do
    sleep 1
    (((SECONDS - started) % 60)) || say "building for $(((SECONDS - started) / 60)) min"
  done
  if ! wait $builder; then
    tail -n 15 "$log" >&2
    die "$what could not be built"
  fi
  cp "$module/go.mod" "$build/"
  say "built in $((SECONDS - started)) s"
}

# keep_build FOLDER PLACE: a build that is cut short leaves no program.
keep_build() {
  rm -rf "${2:?}"
  mv "$1" "$2"
  trap - EXIT
}

packages_to_build() {
  local program
  echo ./cmd/etcd ./cmd/coredns helm.sh/helm/v3/cmd/helm github.com/prometheus/prometheus/cmd/prometheus
  for program in $PROGRAMS; do
    case $program in kube*) echo "k8s.io/kubernetes/cmd/$program" ;; esac
  done
}

# Programs that do not know their version confuse their clients.
stamp() {
  local package minor=${KUBERNETES#v1.}
  printf '%s' '-s -w'
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf ' -X %s' "$package.gitVersion=$KUBERNETES" "$package.gitMajor=1" "$package.gitMinor=${minor%%.*}" \
      "$package.gitTreeState=clean"
  done
  printf ' -X %s' "helm.sh/helm/v3/internal/version.version=$(pinned helm.sh/helm/v3)"
  printf ' -X %s' "github.com/prometheus/common/version.Version=$(prometheus_version)"
}

# The module v0.310.0 is the release 3.10.0.
prometheus_version() {
  pinned github.com/prometheus/prometheus | sed -E 's/^v0\.([0-9])([0-9]{2})\./\1.\2./; s/\.0([0-9])/.\1/'
}

# pinned MODULE [FOLDER]: its version in that folder's go.mod.
pinned() { sed -n "s|^[[:space:]]*$1 \(v[^ ]*\).*|\1|p" "$RIG_HOME/${2:-go}/go.mod"; }
