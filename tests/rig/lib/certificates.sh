# The rig's own authority, a certificate for each component, and the kubeconfig files that carry them.
# shellcheck shell=bash

make_certificates() {
  local pki=$DIR/pki
  mkdir -p "$pki"
  chmod 700 "$pki"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=slaq-rig \
    -keyout "$pki/ca.key" -out "$pki/ca.crt" 2>/dev/null
  openssl genrsa -out "$pki/service-accounts.key" 2048 2>/dev/null
  openssl rsa -in "$pki/service-accounts.key" -pubout -out "$pki/service-accounts.pub" 2>/dev/null

  certificate apiserver /CN=kube-apiserver "DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,\
DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:127.0.0.1,IP:$NODE_IP,IP:$API_SERVICE_IP"
  certificate kubelet-server /CN=kubelet "DNS:$NODE,IP:$NODE_IP,IP:127.0.0.1"
  certificate apiserver-kubelet /O=system:masters/CN=kube-apiserver-kubelet-client
  client admin /O=system:masters/CN=rig-admin
  client controllers /CN=system:kube-controller-manager
  client scheduler /CN=system:kube-scheduler
  client kubelet "/O=system:nodes/CN=system:node:$NODE"
  client proxy /CN=system:kube-proxy
  client coredns /CN=rig-coredns
  client prometheus /CN=rig-prometheus
}

# certificate NAME SUBJECT [ALTERNATIVE NAMES]
certificate() {
  local at=$DIR/pki/$1
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$at.key" -out "$at.csr" 2>/dev/null
  openssl x509 -req -in "$at.csr" -CA "$DIR/pki/ca.crt" -CAkey "$DIR/pki/ca.key" -CAcreateserial -days 30 \
    -extfile <(
      printf 'extendedKeyUsage=serverAuth,clientAuth\n'
      [ -z "${3:-}" ] || printf 'subjectAltName=%s\n' "$3"
    ) -out "$at.crt" 2>/dev/null
  rm "$at.csr"
}

# client NAME SUBJECT: a certificate, and DIR/kubeconfig/NAME with it inside.
client() {
  certificate "$1" "$2"
  (umask 077 && kubeconfig "$1" >"$DIR/kubeconfig/$1")
}

kubeconfig() {
  cat <<YAML
apiVersion: v1
kind: Config
current-context: rig
contexts: [{name: rig, context: {cluster: rig, user: $1}}]
clusters:
- name: rig
  cluster:
    server: https://127.0.0.1:$API_PORT
    certificate-authority-data: $(base64 -w 0 "$DIR/pki/ca.crt")
users:
- name: $1
  user:
    client-certificate-data: $(base64 -w 0 "$DIR/pki/$1.crt")
    client-key-data: $(base64 -w 0 "$DIR/pki/$1.key")
YAML
}
