# The pods' network: one bridge whose own address is the node's, and a table that keeps strangers out.
# shellcheck shell=bash

# Nothing here is machine-wide: forwarding and netfilter are switched on for the one bridge. The table comes first
# and goes last; its comment says which rig the network is of.
make_network() {
  local inside="{ \"lo\", \"$BRIDGE\" }" ports=$PORTS-$((PORTS + 99))
  nft -f - <<NFT
table inet $FIREWALL {
  comment "$CGROUP"
  chain input {
    type filter hook input priority -10; policy accept;
    iifname != $inside tcp dport $ports drop
    iifname != $inside udp dport $ports drop
  }
}
NFT
  ip link add "$BRIDGE" type bridge nf_call_iptables 1
  # A bridge without a fixed address takes one from its ports, and changes it as pods come and go.
  ip link set "$BRIDGE" address 02:51:a9:00:00:01
  sysctl -q -w "net.ipv6.conf.$BRIDGE.disable_ipv6=1" 2>/dev/null || true
  sysctl -q -w "net.ipv4.conf.$BRIDGE.forwarding=1"
  ip address add "$NODE_IP/${POD_CIDR#*/}" dev "$BRIDGE"
  ip link set "$BRIDGE" up
  ip route add "$SERVICE_CIDR" dev "$BRIDGE" src "$NODE_IP"
}

network_is_ours() {
  command -v nft >/dev/null &&
    nft list table inet "$FIREWALL" 2>/dev/null | grep -F "comment \"$CGROUP\"" >/dev/null
}

remove_network() {
  local port
  network_is_ours || return 0
  if ip link show "$BRIDGE" >/dev/null 2>&1; then
    for port in $(ip -o link show master "$BRIDGE" | sed 's/^[0-9]*: \([^@:]*\).*/\1/'); do
      ip link delete "$port" 2>/dev/null || true
    done
    ip link delete "$BRIDGE"
  fi
  for port in ip ip6; do
    ! has_table $port kube-proxy || nft delete table $port kube-proxy
  done
  nft delete table inet "$FIREWALL"
}

has_table() { nft list tables "$1" 2>/dev/null | grep -x "table $1 $2" >/dev/null; }

# Prints what on this machine would get in the way of a rig; fails when nothing does.
network_trouble() {
  if has_table inet "$FIREWALL"; then
    echo 'a rig of another folder has the network; SLAQ_RIG_DIR names it, and `rig down` ends it'
    return
  fi
  if has_table ip kube-proxy || nft list table ip nat 2>/dev/null | grep KUBE- >/dev/null; then
    echo 'another kube-proxy serves this machine'
    return
  fi
  if ip link show "$BRIDGE" >/dev/null 2>&1; then
    echo "there is a network device $BRIDGE already"
    return
  fi
  if ip -o -4 address show | grep -F " $NET." >/dev/null; then
    echo "an address of $NET.0.0/16 is taken; SLAQ_RIG_NET chooses another net"
    return
  fi
  return 1
}

# Prints the first port of the rig that somebody listens on; fails when all are free.
port_taken() {
  ss -H -l -n -t -u | awk -v low="$PORTS" '{
    port = $5; sub(/.*:/, "", port)
    if (port + 0 >= low && port + 0 < low + 100) found = port
  } END { print found; exit !found }'
}
