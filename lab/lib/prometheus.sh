# shellcheck shell=bash
# Prometheus inside the cluster, for checks of metrics, dashboards and alerts, and kube-state-metrics as a process beside it, so that
# it needs no image.

KUBE_STATE_METRICS=$LAB_HOST_IP:8088 # on the bridge: the pod of Prometheus asks it

# With the configuration and the rights that the chart gives it, as a user's has them; those of nodes and pods come with
# kube-state-metrics' own chart.
kube_state_metrics_up() {
  local product kubeconfig=$LAB_RUN/kube-state-metrics.kubeconfig
  # Made anew each time: it reads its configuration at the start only.
  stop_process kube-state-metrics
  product=$(kube_state_metrics_product)
  kube -n numaspark-system get configmap numaspark-kube-state-metrics -o 'jsonpath={.data.numaspark\.yaml}' > "$LAB_RUN/kube-state-metrics.yaml" ||
    die "the chart is not installed with kubeStateMetrics.enabled" "run lab/install.sh first"
  kube apply -f - > /dev/null << 'YAML'
apiVersion: v1
kind: ServiceAccount
metadata:
  name: kube-state-metrics
  namespace: numaspark-system
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: numaspark-lab:kube-state-metrics
rules:
  - apiGroups: [""]
    resources: [nodes, pods]
    verbs: [list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: numaspark-lab:kube-state-metrics
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: numaspark-lab:kube-state-metrics
subjects:
  - kind: ServiceAccount
    name: kube-state-metrics
    namespace: numaspark-system
YAML
  (
    umask 077
    cat > "$kubeconfig" << YAML
apiVersion: v1
kind: Config
clusters: [{name: lab, cluster: {server: "$LAB_API", certificate-authority: "$LAB_PKI/ca.crt"}}]
users: [{name: account, user: {token: "$(kube -n numaspark-system create token kube-state-metrics --duration=24h)"}}]
contexts: [{name: lab, context: {cluster: lab, user: account}}]
current-context: lab
YAML
  )
  start_process kube-state-metrics "$LAB_LOGS/kube-state-metrics.log" in_ns "$product/kube-state-metrics" \
    --kubeconfig="$kubeconfig" --host="$LAB_HOST_IP" --port="${KUBE_STATE_METRICS#*:}" --telemetry-host=127.0.0.1 --telemetry-port=8089 \
    --custom-resource-state-config-file="$LAB_RUN/kube-state-metrics.yaml" --resources=nodes,pods
  WAIT_ALIVE=kube-state-metrics wait_for 60 kube-state-metrics "$LAB_LOGS/kube-state-metrics.log" \
    in_ns curl -fsS --max-time 5 "http://$KUBE_STATE_METRICS/healthz"
}

# prometheus_up: can be repeated; waits until the server answers on the root namespace's loopback.
prometheus_up() {
  local archive address rules=$REPO/charts/numaspark/files/rules
  kube_state_metrics_up
  archive=$(prometheus_image)
  host_node_import "$archive"
  kube create namespace monitoring --dry-run=client -o yaml | kube apply -f - > /dev/null
  kube -n monitoring create configmap prometheus-rules --from-file="$rules" --dry-run=client -o yaml | kube apply -f - > /dev/null
  sed "s/KUBE_STATE_METRICS/$KUBE_STATE_METRICS/" "$LAB_HOME/manifests/prometheus.yaml" | kube apply -f - > /dev/null
  # The configuration is read at the start only: a changed one restarts the pod.
  kube -n monitoring patch deployment prometheus --type merge --patch "{\"spec\": {\"template\": {\"metadata\":
    {\"annotations\": {\"numaspark.io/inputs\": \"$(hash_of "$LAB_HOME/manifests/prometheus.yaml" "$rules" "$archive")\"}}}}}" > /dev/null
  kube -n monitoring rollout status deployment prometheus "--timeout=$((120 * ${LAB_PATIENCE:-1}))s" > /dev/null || {
    kube -n monitoring get pods,events >&2 || true
    die "Prometheus is not ready" "see the events above, and 'kubectl -n monitoring logs deployment/prometheus -c prometheus'"
  }
  address=$(kube -n monitoring get service prometheus -o 'jsonpath={.spec.clusterIP}')
  forward prometheus "$LAB_PROMETHEUS_PORT" "$address:9090"
  wait_for 30 "Prometheus on $(prometheus_url)" "$LAB_LOGS/forward-prometheus.log" \
    curl --silent --fail --max-time 2 "$(prometheus_url)/-/ready"
}

# The cluster goes away with the lab; only the relays and kube-state-metrics run outside of it.
prometheus_down() {
  forward_stop prometheus
  stop_process kube-state-metrics
}

prometheus_url() { echo "http://127.0.0.1:$LAB_PROMETHEUS_PORT"; }
