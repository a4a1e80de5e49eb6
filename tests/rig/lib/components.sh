# How each component is started, and how it shows that it is ready.
# shellcheck shell=bash

start_etcd() {
  start etcd "$BIN/etcd" --name rig --data-dir "$DIR/etcd" --unsafe-no-fsync --log-level warn \
    --listen-client-urls "http://127.0.0.1:$ETCD_PORT" --advertise-client-urls "http://127.0.0.1:$ETCD_PORT" \
    --listen-peer-urls "http://127.0.0.1:$ETCD_PEER_PORT" --initial-advertise-peer-urls "http://127.0.0.1:$ETCD_PEER_PORT" \
    --initial-cluster "rig=http://127.0.0.1:$ETCD_PEER_PORT" "${ETCD_SIZE[@]}"
}

# start_apiserver FLAGS...: where it listens and what it announces depends on whether there is a node.
start_apiserver() {
  local pki=$DIR/pki
  start kube-apiserver "$BIN/kube-apiserver" --etcd-servers "http://127.0.0.1:$ETCD_PORT" \
    --secure-port "$API_PORT" --service-cluster-ip-range "$SERVICE_CIDR" --allow-privileged=true \
    --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" --client-ca-file "$pki/ca.crt" \
    --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --profiling=false \
    --service-account-issuer https://kubernetes.default.svc.cluster.local \
    --service-account-key-file "$pki/service-accounts.pub" --service-account-signing-key-file "$pki/service-accounts.key" \
    --kubelet-certificate-authority "$pki/ca.crt" --kubelet-preferred-address-types InternalIP \
    --kubelet-client-certificate "$pki/apiserver-kubelet.crt" --kubelet-client-key "$pki/apiserver-kubelet.key" \
    --audit-policy-file "$DIR/conf/audit.yaml" --audit-log-path "$DIR/logs/audit.json" \
    ${FEATURES:+--feature-gates "$FEATURES"} ${APIS:+--runtime-config "$APIS"} "${APISERVER_SIZE[@]}" "$@"
}

start_controllers() {
  start kube-controller-manager "$BIN/kube-controller-manager" --kubeconfig "$DIR/kubeconfig/controllers" \
    --bind-address 127.0.0.1 --secure-port "$CONTROLLERS_PORT" --leader-elect=false --use-service-account-credentials \
    --service-account-private-key-file "$DIR/pki/service-accounts.key" --root-ca-file "$DIR/pki/ca.crt" \
    --profiling=false ${FEATURES:+--feature-gates "$FEATURES"} "${CONTROLLERS_SIZE[@]}"
}

start_scheduler() {
  start kube-scheduler "$BIN/kube-scheduler" --config "$DIR/conf/scheduler.yaml" \
    --bind-address 127.0.0.1 --secure-port "$SCHEDULER_PORT" ${FEATURES:+--feature-gates "$FEATURES"}
}

start_containerd() {
  start containerd containerd --config "$DIR/conf/containerd.toml"
}

start_kubelet() {
  start kubelet "$BIN/kubelet" --config "$DIR/conf/kubelet.yaml" --kubeconfig "$DIR/kubeconfig/kubelet" \
    --hostname-override "$NODE" --node-ip "$NODE_IP" --root-dir "$DIR/kubelet" --cert-dir "$DIR/kubelet/pki"
}

start_proxy() {
  start kube-proxy "$BIN/kube-proxy" --config "$DIR/conf/proxy.yaml" --hostname-override "$NODE"
}

start_coredns() {
  start coredns "$BIN/coredns" -conf "$DIR/conf/Corefile"
}

start_prometheus() {
  start prometheus "$BIN/prometheus" --config.file "$DIR/conf/prometheus.yaml" --storage.tsdb.path "$DIR/prometheus" \
    --web.listen-address "0.0.0.0:$PROMETHEUS_PORT" --log.level warn --scrape.discovery-reload-interval 1s
}

kube() { "$BIN/kubectl" --kubeconfig "$DIR/kubeconfig/admin" "$@"; }

answers() { curl -sfk -o /dev/null --max-time 2 "$1"; }

etcd_ready() { answers "http://127.0.0.1:$ETCD_PORT/readyz"; }
apiserver_ready() { kube get --raw /readyz && kube get namespace default; }
controllers_ready() { answers "https://127.0.0.1:$CONTROLLERS_PORT/healthz" && kube -n default get serviceaccount default; }
scheduler_ready() { answers "https://127.0.0.1:$SCHEDULER_PORT/readyz"; }
containerd_ready() { ctr --address "$SOCKET" plugins list | grep -E "io.containerd.grpc.v1 +cri .* ok *\$"; }
proxy_ready() { answers "http://127.0.0.1:$PROXY_HEALTH_PORT/healthz"; }
coredns_ready() { answers "http://127.0.0.1:$DNS_READY_PORT/ready"; }
prometheus_ready() { answers "http://127.0.0.1:$PROMETHEUS_PORT/-/ready"; }
node_ready() {
  [ "$(kube get node "$NODE" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}{.spec.taints}')" = True ]
}
