#!/usr/bin/env bash
# Installs numaspark in the running lab as a user would, and describes its NUMA node. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=lab/lab
PATH=$PWD/bin:$PATH
eval "$("$LAB" env)"

"$LAB" load-operator
"$LAB" load-agent
"$LAB" load-plugin
kubectl create namespace numaspark-system --dry-run=client -o yaml | kubectl apply -f - > /dev/null
# Kubernetes itself then checks that the operator needs no privileges.
kubectl label namespace numaspark-system --overwrite pod-security.kubernetes.io/enforce=restricted > /dev/null
# The agent's only needs root, for the kubelet's socket: the baseline standard has to be enough.
kubectl create namespace numaspark-agent --dry-run=client -o yaml | kubectl apply -f - > /dev/null
kubectl label namespace numaspark-agent --overwrite pod-security.kubernetes.io/enforce=baseline > /dev/null
# Helm makes CRDs and never changes them; a lab that was kept has those of an earlier tree, and its API server drops new fields.
if helm status numaspark --namespace numaspark-system > /dev/null 2>&1; then
  kubectl apply --server-side --force-conflicts -f charts/numaspark/crds/ > /dev/null
fi
helm upgrade --install numaspark charts/numaspark --namespace numaspark-system \
  --values lab/manifests/numaspark-values.yaml > /dev/null
# The image keeps its tag when its content changes, so the pod has to be made anew.
kubectl --namespace numaspark-system rollout restart deployment/numaspark > /dev/null
kubectl --namespace numaspark-agent rollout restart daemonset > /dev/null
kubectl --namespace numaspark-system rollout status deployment/numaspark --timeout=300s

lab/describe-node.sh
