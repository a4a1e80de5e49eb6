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

# One `go build` for all, so that what they share is compiled once; a build that is cut short leaves no program.
build_binaries() {
  local build=$CACHE/$KUBERNETES.building log=$CACHE/binaries.log started=$SECONDS builder
  say "building Kubernetes $KUBERNETES and its company, once; log in $log"
  rm -rf "$build"
  mkdir -p "$build"
  (
    cd "$RIG_HOME/go" || exit
    export CGO_ENABLED=0 GOTOOLCHAIN=local GOMAXPROCS=2 GOWORK=off GOFLAGS=-mod=readonly
    # shellcheck disable=SC2046
    exec nice go build -p 2 -trimpath -buildvcs=false -tags "$TAGS" -ldflags "$(stamp)" -o "$build/" $(packages_to_build)
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
    die "the cluster's programs could not be built"
  fi
  has_programs "$build" || die "the build left some program out: $(ls "$build")"
  cp "$RIG_HOME/go/go.mod" "$build/"
  rm -rf "${CACHE:?}/$KUBERNETES"
  mv "$build" "$CACHE/$KUBERNETES"
  trap - EXIT
  say "built in $((SECONDS - started)) s"
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
  # The module v0.310.0 is the release 3.10.0.
  printf ' -X %s' "github.com/prometheus/common/version.Version=$(pinned github.com/prometheus/prometheus |
    sed -E 's/^v0\.([0-9])([0-9]{2})\./\1.\2./; s/\.0([0-9])/.\1/')"
}

# pinned MODULE: its version in go.mod.
pinned() { sed -n "s|^[[:space:]]*$1 \(v[^ ]*\).*|\1|p" "$RIG_HOME/go/go.mod"; }
