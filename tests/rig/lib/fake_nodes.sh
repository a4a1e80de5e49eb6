# Thousands of nodes that are not there, for those who ask for them: a process that plays their kubelets, the scheduler
# and the trainings, and a Prometheus that scrapes what the trainings would say.
# shellcheck shell=bash

readonly FAKE_NODES_PLACE=$CACHE/fake-nodes

fake_nodes() {
  local command=${1:-}
  [ $# -gt 0 ] && shift
  case $command in
    build) build_fake_nodes; return ;;
    test) go_fake_nodes test ./...; return ;;
    up | down) ;;
    *) die 'fake-nodes takes build, test, up or down' 2 ;;
  esac
  one_at_a_time
  [ "$(cat "$DIR/mode" 2>/dev/null)" = api-only ] || die "no rig without a node in $DIR; \`rig up --api-only\` makes one"
  BIN=$(binaries)
  "fake_nodes_$command" "$@"
}

# fake_nodes_up FLAGS...: those of the program.
fake_nodes_up() {
  build_fake_nodes
  alive fake-nodes || start fake-nodes "$FAKE_NODES_PLACE/fake-nodes" --kubeconfig "$DIR/kubeconfig/admin" \
    --address "127.0.0.1:$FAKE_NODES_PORT" --traces "$CONTEXT/evaluation/traces" "$@"
  alive prometheus || start prometheus "$BIN/prometheus" --config.file "$DIR/conf/prometheus-fake-nodes.yaml" \
    --storage.tsdb.path "$DIR/prometheus" --web.listen-address "127.0.0.1:$PROMETHEUS_PORT" --log.level warn
  wait_for fake-nodes fake_nodes_ready || die 'the fake nodes did not come up; `rig logs fake-nodes` says why'
  wait_for prometheus prometheus_ready || die 'Prometheus did not come up; `rig logs prometheus` says why'
  tell_of_fake_nodes
  say "fake nodes are up; their metrics are at http://127.0.0.1:$FAKE_NODES_PORT/metrics"
}

# Without them the pods stay, and the node lifecycle controller would look for the nodes.
fake_nodes_down() {
  stop fake-nodes
  stop prometheus
  kube delete nodes --selector fake-nodes/node >/dev/null
  write_environment
}

fake_nodes_ready() {
  answers "http://127.0.0.1:$FAKE_NODES_PORT/healthz" && grep -F 'pods listed' "$DIR/logs/fake-nodes.log"
}

tell_of_fake_nodes() {
  write_environment
  {
    echo "export SLAQ_RIG_PROMETHEUS_URL='http://127.0.0.1:$PROMETHEUS_PORT'"
    echo "export SLAQ_RIG_FAKE_NODES_URL='http://127.0.0.1:$FAKE_NODES_PORT'"
  } >>"$DIR/env"
}

# Go knows whether anything has changed since it was built.
build_fake_nodes() {
  mkdir -p "$FAKE_NODES_PLACE"
  go_fake_nodes build -p 2 -buildvcs=false -ldflags '-s -w' -o "$FAKE_NODES_PLACE/fake-nodes" .
}

# go_fake_nodes ARGUMENTS...: go, in their module.
go_fake_nodes() {
  go_is_new_enough || die "the fake nodes take Go 1.$GO_MINOR_NEEDED or later" 3
  (
    cd "$RIG_HOME/fake-nodes" || exit
    set_go
    locked binaries nice go "$@"
  ) >&2 || die "go $1 failed for the fake nodes"
}
