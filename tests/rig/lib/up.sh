# Bringing the cluster up.
# shellcheck shell=bash

up() {
  local mode=full started=$SECONDS
  case ${1:-} in
    --api-only) mode=api-only ;;
    '') ;;
    *) die "up knows --api-only only, not $1" 2 ;;
  esac
  one_at_a_time
  if running "$mode"; then
    say "the rig is up already ($mode); its environment is in $DIR/env"
    return 0
  fi
  local reason
  if reason=$(inability); then die "no cluster here: $reason" 3; fi
  [ -z "$(missing_packages)" ] || install_packages
  [ ${#DIR} -le 60 ] || die "$DIR is too long a path for the sockets in it; SLAQ_RIG_DIR chooses another"
  if [ -e "$DIR" ] && [ ! -e "$DIR/mode" ]; then die "$DIR is there and no rig; SLAQ_RIG_DIR chooses another"; fi
  BIN=$(binaries)
  if leftovers >/dev/null; then
    say 'clearing what an earlier rig left'
    take_down
  fi
  if reason=$(port_taken); then die "port $reason is taken; set SLAQ_RIG_PORTS"; fi
  lay_out "$mode"
  if ! "up_${mode/-/_}"; then
    die "the cluster did not come up; \`rig logs\` shows what is left of it, \`rig down\` clears it"
  fi
  touch "$DIR/ready"
  say "up in $((SECONDS - started)) s; its environment is in $DIR/env"
}

# Two calls for one rig go one after the other. The descriptor must not reach what is started.
one_at_a_time() {
  mkdir -p "$CACHE"
  exec 9>"$CACHE/rig-$CGROUP.lock"
  flock -w 900 9 || die "another rig command holds $DIR"
}

# Whether all of a rig of this mode lives.
running() {
  local name
  [ -e "$DIR/ready" ] && [ "$(cat "$DIR/mode")" = "$1" ] || return 1
  for name in $(components); do
    alive "$name" || return 1
  done
}

lay_out() {
  local file
  mkdir -p "$DIR"
  echo "$1" >"$DIR/mode"
  mkdir -p "$DIR"/{conf/cni,kubeconfig,logs,pids,run,kubelet,pod-logs,saved}
  chmod 755 "$DIR"
  for file in "$RIG_HOME"/conf/*.* "$RIG_HOME"/conf/Corefile "$RIG_HOME"/conf/cni/*; do
    render "$file" >"$DIR/conf/${file#"$RIG_HOME/conf/"}"
  done
  write_environment
  make_control_groups
  make_certificates
}

write_environment() {
  {
    echo "export SLAQ_RIG_DIR='$DIR'"
    echo "export SLAQ_RIG_VERSION='$("$BIN/kube-apiserver" --version | cut -d ' ' -f 2)'"
    echo "export SLAQ_RIG_MODE='$(cat "$DIR/mode")'"
    echo "export KUBECONFIG='$DIR/kubeconfig/admin'"
    echo "export PATH='$BIN':\"\$PATH\""
    if [ "$(cat "$DIR/mode")" = full ]; then
      echo "export SLAQ_RIG_NODE='$NODE'"
      echo "export SLAQ_RIG_NODE_IP='$NODE_IP'"
      echo "export SLAQ_RIG_PROMETHEUS_URL='http://127.0.0.1:$PROMETHEUS_PORT'"
      echo "export SLAQ_RIG_PROMETHEUS_POD_URL='http://$NODE_IP:$PROMETHEUS_PORT'"
    fi
  } >"$DIR/env"
}

up_api_only() {
  up_control_plane --bind-address 127.0.0.1 --advertise-address 127.0.0.1 --endpoint-reconciler-type none
}

up_control_plane() {
  start_etcd
  wait_for etcd etcd_ready || return
  start_apiserver "$@"
  wait_for kube-apiserver apiserver_ready || return
  start_controllers
  wait_for kube-controller-manager controllers_ready
}

up_full() {
  local reason
  if reason=$(network_trouble); then say "$reason"; return 1; fi
  save_machine
  make_network
  start_containerd
  up_control_plane --bind-address 0.0.0.0 --advertise-address "$NODE_IP" || return
  render "$RIG_HOME/manifests/rig.yaml" | kube apply -f - >/dev/null || return
  start_scheduler
  wait_for containerd containerd_ready || return
  pause_image || return
  start_kubelet
  start_proxy
  start_coredns
  start_prometheus
  wait_for kube-scheduler scheduler_ready || return
  wait_for kube-proxy proxy_ready || return
  wait_for coredns coredns_ready || return
  wait_for prometheus prometheus_ready || return
  wait_for 'the node' node_ready
}

# The kubelet sets these for the whole machine, and makes these folders whatever its root; `down` puts them back.
readonly KUBELET_SYSCTLS='vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops
  kernel.keys.root_maxkeys kernel.keys.root_maxbytes'
readonly FIXED_FOLDERS='/var/lib/kubelet /var/log/containers /var/log/pods /var/lib/cni /run/containerd'

save_machine() {
  local name
  for name in $KUBELET_SYSCTLS; do
    sysctl -e "$name" >>"$DIR/saved/sysctls" 2>/dev/null || true
  done
  : >"$DIR/saved/absent"
  for name in $FIXED_FOLDERS; do
    [ -e "$name" ] || echo "$name" >>"$DIR/saved/absent"
  done
}

in_rig() {
  [ -r "$DIR/env" ] || die "no rig in $DIR; \`rig up\` makes one"
  # shellcheck source=/dev/null
  source "$DIR/env"
  exec "$@"
}

status() {
  local name
  [ -r "$DIR/mode" ] || { echo "no rig in $DIR"; return 1; }
  echo "Kubernetes $KUBERNETES ($(cat "$DIR/mode")) in $DIR, API server https://127.0.0.1:$API_PORT"
  for name in $(components); do
    if alive "$name"; then echo "  $name runs"; else echo "  $name has ended"; fi
  done
  running "$(cat "$DIR/mode")"
}

logs() {
  case ${1:-} in
    '') components ;;
    *)
      [ -r "$DIR/logs/$1.log" ] || die "no log of $1; there are: $(components | tr '\n' ' ')"
      cat "$DIR/logs/$1.log"
      ;;
  esac
}
