# shellcheck shell=bash
# Prometheus inside the cluster, for checks of metrics, dashboards and alerts.

# prometheus_up: can be repeated; waits until the server answers on the root namespace's loopback.
prometheus_up() {
  local archive address rules=$REPO/charts/numaspark/files/rules
  archive=$(prometheus_image)
  host_node_import "$archive"
  kube create namespace monitoring --dry-run=client -o yaml | kube apply -f - > /dev/null
  kube -n monitoring create configmap prometheus-rules --from-file="$rules" --dry-run=client -o yaml | kube apply -f - > /dev/null
  kube apply -f "$LAB_HOME/manifests/prometheus.yaml" > /dev/null
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

# The cluster goes away with the lab; only the relays run outside of it.
prometheus_down() { forward_stop prometheus; }

prometheus_url() { echo "http://127.0.0.1:$LAB_PROMETHEUS_PORT"; }
