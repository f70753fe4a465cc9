#!/usr/bin/env bash
# Applies the SparkNodeTopology of each NUMA node of the lab, read from its /sys and its kubelet's configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=lab/lab
PATH=$PWD/bin:$PATH
eval "$("$LAB" env)"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for node in $(kubectl get nodes -l node.example.com/pool=spark-metal -o jsonpath='{.items[*].metadata.name}'); do
  "$LAB" node-sysfs "$node" "$tree/$node"
  numaspark topology --sysfs "$tree/$node" --node "$node" | kubectl apply -f -
done
