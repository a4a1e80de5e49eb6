# The Prometheus operator, for those who ask for it: a process on the host, with a Prometheus that it runs in a pod.
# shellcheck shell=bash

readonly OPERATOR_MODULE=github.com/prometheus-operator/prometheus-operator
readonly RELOADER_IMAGE=docker.io/library/prometheus-config-reloader:rig
readonly OPERATED_IMAGE=docker.io/library/prometheus:rig
readonly OPERATOR_PLACE=$CACHE/prometheus-operator

prometheus_operator() {
  case ${1:-} in
    build) operator_binaries >/dev/null; return ;;
    up | down) ;;
    *) die 'prometheus-operator takes build, up or down' 2 ;;
  esac
  one_at_a_time
  [ "$(cat "$DIR/mode" 2>/dev/null)" = full ] || die "no rig with a node in $DIR; \`rig up\` makes one"
  BIN=$(binaries)
  "prometheus_operator_$1"
}

prometheus_operator_up() {
  local started=$SECONDS programs
  programs=$(operator_binaries)
  image_of_program prometheus "$BIN" "$OPERATED_IMAGE"
  image_of_program prometheus-config-reloader "$programs" "$RELOADER_IMAGE"
  # The definitions are too large for the annotation in which a client keeps what it applied.
  kube apply --server-side -f "$programs/definitions" -f "$programs/role.yaml" >/dev/null
  kube wait --for condition=Established --timeout "${PATIENCE}s" -f "$programs/definitions" >/dev/null
  operator_objects | kube apply -f - >/dev/null
  # It ends at once where it may do nothing.
  wait_for "the operator's rights" operator_has_rights || die 'the Prometheus operator was given no rights'
  alive prometheus-operator || start_prometheus_operator "$programs"
  wait_for prometheus-operator prometheus_operator_ready || die 'the Prometheus operator did not come up'
  wait_for 'the Prometheus in the cluster' operated_ready || die 'the operator brought no Prometheus up'
  say "the Prometheus operator is up in $((SECONDS - started)) s"
}

# Objects first: a definition takes those of its kind along, and the operator what it made of them.
prometheus_operator_down() {
  local programs
  programs=$(operator_binaries)
  operator_objects | kube delete --ignore-not-found -f - >/dev/null
  kube delete --ignore-not-found -f "$programs/definitions" -f "$programs/role.yaml" >/dev/null
  stop prometheus-operator
}

start_prometheus_operator() {
  client prometheus-operator /CN=rig-prometheus-operator
  start prometheus-operator env "KUBECONFIG=$DIR/kubeconfig/prometheus-operator" "$1/operator" \
    --web.listen-address "127.0.0.1:$OPERATOR_PORT" --prometheus-config-reloader "$RELOADER_IMAGE" \
    --config-reloader-cpu-limit 0
}

operator_has_rights() { kube auth can-i watch prometheuses.monitoring.coreos.com -A --as rig-prometheus-operator; }
prometheus_operator_ready() { answers "http://127.0.0.1:$OPERATOR_PORT/healthz"; }
operated_ready() {
  [ "$(kube -n monitoring get prometheus rig -o 'jsonpath={.status.conditions[?(@.type=="Available")].status}')" = True ]
}

operator_objects() { PROMETHEUS_VERSION=$(prometheus_version) render "$RIG_HOME/manifests/prometheus-operator.yaml"; }

# image_of_program PROGRAM FOLDER NAME: for the cluster; buildah knows by the program whether it has the layer.
image_of_program() {
  locked images build bud --quiet --isolation chroot --layers --pull-never --target "$1" --tag "$3" \
    --file "$RIG_HOME/prometheus-operator/Dockerfile" "$2" >/dev/null || die "the image $3 could not be built"
  deliver "$3"
}

# Prints the folder of the operator's programs, and of what its release has a cluster take.
operator_binaries() {
  if ! operator_is_built; then
    go_is_new_enough || die "building the Prometheus operator takes Go 1.$GO_MINOR_NEEDED or later" 3
    locked binaries build_operator_unless_built >&2
  fi
  echo "$OPERATOR_PLACE"
}

operator_is_built() {
  [ -x "$OPERATOR_PLACE/operator" ] && [ -x "$OPERATOR_PLACE/prometheus-config-reloader" ] &&
    cmp -s "$OPERATOR_PLACE/go.mod" "$RIG_HOME/prometheus-operator/go.mod"
}

# In a module of its own: those who do not ask for it do not build it.
build_operator_unless_built() {
  local build=$OPERATOR_PLACE.building version
  operator_is_built && return 0
  version=$(pinned "$OPERATOR_MODULE" prometheus-operator)
  build_module "the Prometheus operator $version" "$RIG_HOME/prometheus-operator" "$build" \
    -ldflags "-s -w -X github.com/prometheus/common/version.Version=${version#v}" \
    "$OPERATOR_MODULE/cmd/operator" "$OPERATOR_MODULE/cmd/prometheus-config-reloader"
  copy_definitions "$build" || die "the release of the Prometheus operator has other files than before"
  keep_build "$build" "$OPERATOR_PLACE"
}

# What the operator's release gives a cluster: its definitions, and the role that it needs.
copy_definitions() {
  local release
  release=$(cd "$RIG_HOME/prometheus-operator" && GOTOOLCHAIN=local GOWORK=off go list -m -f '{{.Dir}}' "$OPERATOR_MODULE") &&
    mkdir "$1/definitions" &&
    cp "$release"/example/prometheus-operator-crd/*.yaml "$1/definitions/" &&
    cp "$release/example/rbac/prometheus-operator/prometheus-operator-cluster-role.yaml" "$1/role.yaml" &&
    chmod -R u+w "$1"
}
