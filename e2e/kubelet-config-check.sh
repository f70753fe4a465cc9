#!/usr/bin/env bash
# Starts the real kubelet of the lab with the settings that numaspark recommends for its machine, and judges the node
# that comes of it. Usage: kubelet-config-check.sh [TOPOLOGY...], by default two with 2 and 4 NUMA nodes.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=lab/lab
PATH=$PWD/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- dual-socket dual-socket-4numa

fail() {
  echo "kubelet-config-check: $1" >&2
  exit 1
}

cat > "$work/profile.yaml" << 'YAML'
apiVersion: numaspark.io/v1alpha1
kind: SparkNodeProfile
metadata: {name: lab}
spec:
  nodeSelector: {}
  executor: {coresPerExecutor: {min: 1, max: 3}}
YAML

# topology KUBELET-CONFIGURATION: the SparkNodeTopology of numa-0.
topology() { numaspark topology --sysfs "$work/sysfs" --node numa-0 --kubelet-config "$1"; }

# effective_configuration: what the kubelet itself says that it runs with.
effective_configuration() {
  kubectl get --raw /api/v1/nodes/numa-0/proxy/configz |
    jq '{apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration"} + .kubeletconfig'
}

for name in "$@"; do
  echo "-- topology $name"
  "$LAB" up --topology "$name"
  eval "$("$LAB" env)"
  rm -rf "$work/sysfs"
  "$LAB" node-sysfs numa-0 "$work/sysfs"
  topology "$work/sysfs/etc/kubernetes/kubelet.yaml" > "$work/before.yaml"
  # Two cores and 611 MiB, where the lab's own settings reserve one core and 512 MiB.
  numaspark kubelet-config -f "$work/before.yaml" -f "$work/profile.yaml" --for kubelet-drop-in \
    --reserve-cores 2 --kube-reserved-memory 300Mi --system-reserved-memory 211Mi > "$work/90-numaspark.conf"
  cat "$work/90-numaspark.conf"

  # The node becomes Ready only if the kubelet accepts every setting: it refuses to start otherwise.
  "$LAB" up --topology "$name" --kubelet-drop-in "$work/90-numaspark.conf"
  effective_configuration > "$work/effective.json"
  topology "$work/effective.json" > "$work/after.yaml"

  # The kubelet runs with what was recommended, and with what the lab had set beside it.
  expected=$(numaspark kubelet-config -f "$work/after.yaml" -f "$work/profile.yaml" --for kubelet-drop-in \
    --reserve-cores 2 --kube-reserved-memory 300Mi --system-reserved-memory 211Mi)
  [ "$expected" = "$(< "$work/90-numaspark.conf")" ] || fail "the settings depend on those that the node has"
  reserved=$(sed -n 's/^reservedSystemCPUs: "*\([0-9,-]*\)"*$/\1/p' "$work/90-numaspark.conf")
  [ "$(jq -r .reservedSystemCPUs "$work/effective.json")" = "$reserved" ] || fail "the kubelet does not reserve $reserved"
  [ "$(jq -r '[.reservedMemory[].limits.memory | rtrimstr("Mi") | tonumber] | add' "$work/effective.json")" = 611 ] ||
    fail "reservedMemory does not sum to 300 + 211 + 100 MiB: $(jq -c .reservedMemory "$work/effective.json")"
  [ "$(jq -r '.evictionHard["imagefs.available"]' "$work/effective.json")" = 1% ] ||
    fail "the drop-in has taken away thresholds of eviction: $(jq -c .evictionHard "$work/effective.json")"
  "$LAB" node-exec numa-0 cat /var/lib/kubelet/cpu_manager_state | jq -e '.policyName == "static"' > /dev/null ||
    fail "the CPU manager has no static state"
  "$LAB" node-exec numa-0 cat /var/lib/kubelet/memory_manager_state | jq -e '
    [.machineState[].memoryMap.memory.systemReserved] | add == 611 * 1024 * 1024' > /dev/null ||
    fail "the memory manager reserves another sum"

  numaspark doctor -f "$work/after.yaml" -f "$work/profile.yaml" || fail "the node that was set up so has an error"
  [ "$(numaspark doctor -f "$work/after.yaml" -o json | jq .warnings)" = 0 ] || fail "the node that was set up so has a warning"
done
echo "kubelet-config-check: the kubelet accepts its settings on: $*"
