# The cluster's programs: found, or built once from the pinned modules of go/.
# shellcheck shell=bash

readonly PROGRAMS='etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl coredns helm prometheus'

# Prints the folder that holds every program; fails when none does. What was built from other versions does not count.
find_binaries() {
  local built=$CACHE/$KUBERNETES
  if [ -n "${KUBEBUILDER_ASSETS:-}" ] && has_programs "$KUBEBUILDER_ASSETS"; then
    echo "$KUBEBUILDER_ASSETS"
  elif has_programs "$built" && cmp -s "$built/go.mod" "$RIG_HOME/go/go.mod" &&
    cmp -s "$built/plugins.go" "$RIG_HOME/go/prometheus/plugins.go"; then
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
  local build=$CACHE/$KUBERNETES.building sources=$CACHE/$KUBERNETES.sources
  own_sources "$sources"
  # shellcheck disable=SC2046
  build_module "Kubernetes $KUBERNETES and its company" "$RIG_HOME/go" "$build" -modfile "$sources/go.mod" \
    -ldflags "$(stamp "$KUBERNETES")" \
    $(packages_to_build)
  rm -rf "$sources"
  cp "$RIG_HOME/go/prometheus/plugins.go" "$build/"
  has_programs "$build" || die "the build left some program out: $(ls "$build")"
  keep_build "$build" "$CACHE/$KUBERNETES"
}

# own_sources FOLDER: the module of go/ with a Prometheus in it that has our list of service discoveries, as its makers
# build theirs from plugins.yml.
own_sources() {
  local answer release prometheus=github.com/prometheus/prometheus
  answer=$(cd "$RIG_HOME/go" && GOTOOLCHAIN=local GOWORK=off "$RETRY" go mod download -json $prometheus) ||
    die "the sources of Prometheus could not be downloaded: $(sed -n 's/.*"Error": "\(.*\)".*/\1/p' <<<"$answer")"
  release=$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p' <<<"$answer")
  rm -rf "$1"
  mkdir -p "$1"
  cp -r "$release" "$1/prometheus"
  chmod -R u+w "$1/prometheus"
  cp "$RIG_HOME/go/prometheus/plugins.go" "$1/prometheus/plugins/"
  cp "$RIG_HOME/go/go.mod" "$RIG_HOME/go/go.sum" "$1/"
  (cd "$1" && GOTOOLCHAIN=local GOWORK=off go mod edit -replace "$prometheus=$1/prometheus")
}

# All modules are compiled with the same flags, so that they share what is compiled. The programs need no symbols for a
# debugger. A process of the compiler ends after a second, so it need not collect its garbage.
set_go() {
  export CGO_ENABLED=0 GOTOOLCHAIN=local GOMAXPROCS=2 GOWORK=off GOGC=800
  export GOFLAGS='-mod=readonly -trimpath -gcflags=all=-dwarf=false'
}

# build_module WHAT MODULE FOLDER ARGUMENTS...: one `go build` in the module's folder for all programs, so that what they
# share is compiled once.
build_module() {
  local what=$1 module=$2 build=$3 log=${3%.building}.log started=$SECONDS builder
  shift 3
  say "building $what, once; log in $log"
  rm -rf "$build"
  mkdir -p "$build"
  (
    cd "$module" || exit
    set_go
    exec nice "$RETRY" go build -p 2 -buildvcs=false -o "$build/" "$@"
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

# stamp KUBERNETES: programs that do not know their version confuse their clients.
stamp() {
  local package minor=${1#v1.}
  printf '%s' '-s -w'
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf ' -X %s' "$package.gitVersion=$1" "$package.gitMajor=1" "$package.gitMinor=${minor%%.*}" \
      "$package.gitTreeState=clean"
  done
  printf ' -X %s' "helm.sh/helm/v3/internal/version.version=$(pinned helm.sh/helm/v3)"
  printf ' -X %s' "github.com/prometheus/common/version.Version=$(prometheus_version)"
}

# The module v0.309.1 is the release 3.9.1.
prometheus_version() {
  pinned github.com/prometheus/prometheus | sed -E 's/^v0\.([0-9])([0-9]{2})\./\1.\2./; s/\.0([0-9])/.\1/'
}

# pinned MODULE [FOLDER]: its version in that folder's go.mod.
pinned() { sed -n "s|^[[:space:]]*$1 \(v[^ ]*\).*|\1|p" "$RIG_HOME/${2:-go}/go.mod"; }
