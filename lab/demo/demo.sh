#!/usr/bin/env bash
# The way from nothing to pinned executors: lab, chart, profile, application, and a table of where the executors ran.
set -euo pipefail
cd "$(dirname "$0")/../.."
TIMEOUT_SECONDS=${DEMO_TIMEOUT_SECONDS:-1500}

say() { printf '\n== %s\n' "$*"; }

say "The lab: a Kubernetes cluster with a NUMA node"
lab/lab up
eval "$(lab/lab env)"
PATH=$PWD/bin:$PATH

say "The operator, by helm install; the node's topology, by numaspark topology"
lab/install.sh

say "The plan, by numaspark plan"
kubectl get sparknodetopologies.numaspark.io numa-0 -o json | numaspark plan -f - -f lab/demo || true

say "kubectl apply of lab/demo/profile.yaml and lab/demo/application.yaml"
kubectl delete sparkapplications.numaspark.io pinned-pi --ignore-not-found --timeout=120s > /dev/null
kubectl wait --for=delete pod -l numaspark.io/application=pinned-pi --timeout=120s > /dev/null
kubectl apply -f lab/demo/

say "Progress (the executors' processors are emulated: this takes minutes)"
end=$((SECONDS + TIMEOUT_SECONDS)) shown=
while :; do
  now=$(kubectl get sparkapplications.numaspark.io pinned-pi -o jsonpath='{.status.applicationState.state}: {.status.executorCounts.running} of {.status.executorCounts.wanted} executors running, {.status.executorCounts.pinned} pinned')
  [ "$now" = "$shown" ] || printf '%5d s  %s\n' "$SECONDS" "$now"
  shown=$now
  case $now in
    COMPLETED*) break ;;
    *FAILED*)
      kubectl get sparkapplications.numaspark.io pinned-pi -o jsonpath='{.status.applicationState.errorMessage}{"\n"}' >&2
      exit 1
      ;;
  esac
  [ "$SECONDS" -lt "$end" ] || {
    echo "demo: pinned-pi did not end within $TIMEOUT_SECONDS s; see kubectl describe sparkapplications.numaspark.io pinned-pi" >&2
    exit 1
  }
  sleep 2
done

say "Where the executors ran: node, NUMA node and pinned from the application's status, heap from the running JVMs"
kubectl logs pinned-pi-driver | awk '/^EXECUTOR / {
  for (i = 2; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] }
  print value["id"], value["maxHeapBytes"] / 1048576 "Mi", value["compressedOops"] }' | sort > /tmp/numaspark-demo-heaps.$$
trap 'rm -f /tmp/numaspark-demo-heaps.$$' EXIT
{
  echo "EXECUTOR NODE NUMA-NODE CPUS-ALLOWED MEMORY-NODES HEAP COMPRESSED-OOPS PINNED"
  kubectl get sparkapplications.numaspark.io pinned-pi -o jsonpath='{range .status.executors[*]}{.id} {.pod} {.node} {.numaNode} {.cpus} {.memoryNodes} {.pinned}{"\n"}{end}' |
    sort | join - /tmp/numaspark-demo-heaps.$$ |
    awk '{ print $2, $3, $4, $5, $6, $8, $9, ($7 == "True" ? "yes" : "no") }'
} | column -t
kubectl logs pinned-pi-driver | grep '^Pi is'
echo
echo "Look around: eval \"\$(lab/lab env)\"; kubectl get sparkapplications.numaspark.io,sparknodeprofiles.numaspark.io"
echo "Stop the lab: make lab-down"
