# shellcheck shell=bash
# CoreDNS as a process on the bridge's address: the pods of both nodes ask it directly (the kubelets' clusterDNS), so
# that it runs at native speed and needs neither an image nor a Service.

dns_up() {
  process_alive coredns && return 0
  kube apply -f - > /dev/null << 'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: numaspark-lab:coredns
rules:
  - apiGroups: [""]
    resources: [services, pods, namespaces]
    verbs: [list, watch]
  - apiGroups: [discovery.k8s.io]
    resources: [endpointslices]
    verbs: [list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: numaspark-lab:coredns
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: numaspark-lab:coredns
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: User
    name: numaspark-lab:coredns
YAML
  # Short lifetimes, because Spark looks for names of pods that have just been made. There is no forwarding: the
  # cluster has no way out, and a name that it does not know shall fail at once and not after a time-out.
  cat > "$LAB_RUN/Corefile" << CONF
.:53 {
  bind $LAB_HOST_IP
  errors
  health 127.0.0.1:8053
  cache 2 {
    denial 100 1 1
  }
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $LAB_PKI/coredns.kubeconfig
    ttl 2
  }
}
CONF
  start_process coredns "$LAB_LOGS/coredns.log" in_ns "$BIN/coredns" -conf "$LAB_RUN/Corefile"
  WAIT_ALIVE=coredns wait_for 60 CoreDNS "$LAB_LOGS/coredns.log" in_ns curl -fsS --max-time 5 http://127.0.0.1:8053/health
}

dns_down() { stop_process coredns; }
