# shellcheck shell=bash
# etcd, the API server, the controller manager and the scheduler as plain processes in the namespace of the cluster.

CONTROL_PLANE=(kube-scheduler kube-controller-manager kube-apiserver etcd) # the order of stopping
ETCD_URL=http://127.0.0.1:2379 # the loopback of the namespace: nobody else is there

# control_plane_features: sets FEATURE_FLAGS, of API server, controller manager and scheduler, and API_FLAGS, of the API server alone,
# after LAB_CONTROL_PLANE.
control_plane_features() {
  local file=$LAB_HOME/controlplanes/$LAB_CONTROL_PLANE.env FEATURE_GATES RUNTIME_CONFIG
  FEATURE_FLAGS=() API_FLAGS=()
  [ -n "$LAB_CONTROL_PLANE" ] || return 0
  [ -f "$file" ] || die "there is no control plane '$LAB_CONTROL_PLANE'" "one of: $(cd "$LAB_HOME/controlplanes" && echo *.env | sed 's/\.env//g')"
  # shellcheck disable=SC1090 # one of a known form
  . "$file"
  FEATURE_FLAGS=(--feature-gates="$FEATURE_GATES")
  API_FLAGS=(--runtime-config="$RUNTIME_CONFIG")
}

kube() { in_ns "$BIN/kubectl" --kubeconfig "$LAB_KUBECONFIG_INSIDE" --cache-dir "$LAB_RUN/kubectl-cache" "$@"; }

etcd_start() {
  # Test data only: without --unsafe-no-fsync every write waits for the disk.
  start_process etcd "$LAB_LOGS/etcd.log" in_ns "$BIN/etcd" --name lab --data-dir "$NUMASPARK_LAB/etcd" --unsafe-no-fsync \
    --listen-client-urls "$ETCD_URL" --advertise-client-urls "$ETCD_URL" \
    --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 \
    --initial-cluster lab=http://127.0.0.1:2380 --quota-backend-bytes $((2 << 30)) --log-level warn
  WAIT_ALIVE=etcd wait_for 60 etcd "$LAB_LOGS/etcd.log" in_ns curl -fsS --max-time 5 "$ETCD_URL/health"
}

kube_apiserver_start() {
  local pki=$LAB_PKI
  start_process kube-apiserver "$LAB_LOGS/kube-apiserver.log" in_ns "$BIN/kube-apiserver" \
    --etcd-servers="$ETCD_URL" --bind-address=0.0.0.0 --secure-port=6443 --advertise-address="$LAB_HOST_IP" \
    --service-cluster-ip-range="$SERVICE_CIDR" --allow-privileged=true \
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
    --client-ca-file="$pki/ca.crt" --tls-cert-file="$pki/apiserver.crt" --tls-private-key-file="$pki/apiserver.key" \
    --kubelet-certificate-authority="$pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --kubelet-client-certificate="$pki/apiserver-kubelet-client.crt" \
    --kubelet-client-key="$pki/apiserver-kubelet-client.key" \
    --service-account-issuer=https://kubernetes.default.svc.cluster.local \
    --service-account-key-file="$pki/service-account.pub" --service-account-signing-key-file="$pki/service-account.key" \
    --requestheader-client-ca-file="$pki/front-proxy-ca.crt" --requestheader-allowed-names=front-proxy-client \
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
    --requestheader-extra-headers-prefix=X-Remote-Extra- \
    --proxy-client-cert-file="$pki/front-proxy-client.crt" --proxy-client-key-file="$pki/front-proxy-client.key" \
    "${FEATURE_FLAGS[@]}" "${API_FLAGS[@]}"
  WAIT_ALIVE=kube-apiserver wait_for 120 "the API server" "$LAB_LOGS/kube-apiserver.log" kube get --raw /readyz
}

# The pod networks of the nodes are fixed, not handed out in the order in which nodes happen to register.
kube_controller_manager_start() {
  local kubeconfig=$LAB_PKI/controller-manager.kubeconfig
  start_process kube-controller-manager "$LAB_LOGS/kube-controller-manager.log" in_ns "$BIN/kube-controller-manager" \
    --kubeconfig="$kubeconfig" --authentication-kubeconfig="$kubeconfig" --authorization-kubeconfig="$kubeconfig" \
    --bind-address=127.0.0.1 --cert-dir="$LAB_RUN/kube-controller-manager" --leader-elect=false \
    --use-service-account-credentials=true --root-ca-file="$LAB_PKI/ca.crt" \
    --service-account-private-key-file="$LAB_PKI/service-account.key" --client-ca-file="$LAB_PKI/ca.crt" \
    --cluster-signing-cert-file="$LAB_PKI/ca.crt" --cluster-signing-key-file="$LAB_PKI/ca.key" \
    --allocate-node-cidrs=false --service-cluster-ip-range="$SERVICE_CIDR" \
    --kube-api-qps=200 --kube-api-burst=400 "${FEATURE_FLAGS[@]}"
}

kube_scheduler_start() {
  local kubeconfig=$LAB_PKI/scheduler.kubeconfig
  cat > "$LAB_RUN/kube-scheduler.yaml" << YAML
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection:
  kubeconfig: $kubeconfig
  qps: 200
  burst: 400
leaderElection:
  leaderElect: false
# A pod that the node refused is tried again soon: tests do not want to wait for the default of 10 s.
podMaxBackoffSeconds: 2
YAML
  start_process kube-scheduler "$LAB_LOGS/kube-scheduler.log" in_ns "$BIN/kube-scheduler" \
    --config="$LAB_RUN/kube-scheduler.yaml" --authentication-kubeconfig="$kubeconfig" \
    --authorization-kubeconfig="$kubeconfig" --bind-address=127.0.0.1 --cert-dir="$LAB_RUN/kube-scheduler" "${FEATURE_FLAGS[@]}"
}

control_plane_up() {
  local name
  mkdir -p "$LAB_RUN" "$LAB_LOGS"
  control_plane_features
  # With other features everything but the store is started anew.
  touch "$LAB_RUN/control-plane"
  if [ "$(< "$LAB_RUN/control-plane")" != "$LAB_CONTROL_PLANE" ]; then
    for name in "${CONTROL_PLANE[@]}"; do [ "$name" = etcd ] || stop_process "$name" 5; done
    echo "$LAB_CONTROL_PLANE" > "$LAB_RUN/control-plane"
  fi
  process_alive etcd || etcd_start
  process_alive kube-apiserver || kube_apiserver_start
  process_alive kube-controller-manager || kube_controller_manager_start
  process_alive kube-scheduler || kube_scheduler_start
  WAIT_ALIVE=kube-controller-manager wait_for 60 "the controller manager" "$LAB_LOGS/kube-controller-manager.log" \
    in_ns curl -fsSk --max-time 5 https://127.0.0.1:10257/healthz
  WAIT_ALIVE=kube-scheduler wait_for 60 "the scheduler" "$LAB_LOGS/kube-scheduler.log" \
    in_ns curl -fsSk --max-time 5 https://127.0.0.1:10259/healthz
  WAIT_ALIVE=kube-controller-manager wait_for 60 "the default service account" "$LAB_LOGS/kube-controller-manager.log" \
    kube -n default get serviceaccount default
  forward api "$LAB_API_PORT" "$LAB_HOST_IP:6443"
}

control_plane_down() {
  local name
  forward_stop api
  # Asked to stop, the API server would wait a minute for requests of clients that are gone.
  for name in "${CONTROL_PLANE[@]}"; do stop_process "$name" 5; done
}
