# Names, versions, ports and networks: every choice of the rig, in one place.
# shellcheck shell=bash disable=SC2034

readonly KUBERNETES=v1.35.4
readonly GO_MINOR_NEEDED=25

DIR=$(realpath -m "${SLAQ_RIG_DIR:-/tmp/slaq-rig}")
CACHE=${SLAQ_RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/slaq/rig}
CONTEXT=${SLAQ_RIG_CONTEXT:-$(cd "$RIG_HOME/../.." && pwd)}
RETRY=$RIG_HOME/../../scripts/retry
BINARIES_FROM=${SLAQ_RIG_BINARIES:-prebuilt}
PATIENCE=${SLAQ_RIG_PATIENCE:-180}
SIZE=${SLAQ_RIG_SIZE:-small}
FEATURES=${SLAQ_RIG_FEATURES:-}
APIS=${SLAQ_RIG_APIS:-}

# The folder's name is the rig's name: of its control group, and on its network.
CGROUP=$(basename "$DIR")
NODE=slaq-rig
BRIDGE=slaq0
FIREWALL=slaq-rig

NET=${SLAQ_RIG_NET:-10.203}
NODE_IP=$NET.0.1
POD_CIDR=$NET.0.0/22
SERVICE_CIDR=$NET.128.0/20
API_SERVICE_IP=$NET.128.1
DNS_IP=$NET.128.10

PORTS=${SLAQ_RIG_PORTS:-27000}
ETCD_PORT=$((PORTS + 79))
ETCD_PEER_PORT=$((PORTS + 80))
API_PORT=$((PORTS + 43))
CONTROLLERS_PORT=$((PORTS + 57))
SCHEDULER_PORT=$((PORTS + 59))
KUBELET_PORT=$((PORTS + 50))
KUBELET_HEALTH_PORT=$((PORTS + 48))
PROXY_HEALTH_PORT=$((PORTS + 56))
PROXY_METRICS_PORT=$((PORTS + 49))
DNS_PORT=$((PORTS + 53))
DNS_READY_PORT=$((PORTS + 81))
PROMETHEUS_PORT=$((PORTS + 90))
OPERATOR_PORT=$((PORTS + 91))
FAKE_NODES_PORT=$((PORTS + 92))

DEBIAN=bookworm
# Raised, these have the cached images made anew.
BASE_EDITION=1
PAUSE_EDITION=1
PAUSE_IMAGE=docker.io/library/slaq-pause:1
BASE_IMAGE=docker.io/library/debian:bookworm-slim
CNI_BIN=/usr/lib/cni
SOCKET=$DIR/run/containerd.sock
