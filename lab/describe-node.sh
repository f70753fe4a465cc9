#!/usr/bin/env bash
# Applies the SparkNodeTopology of the lab's NUMA node, read from its /sys and its kubelet's configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=lab/lab
PATH=$PWD/bin:$PATH
eval "$("$LAB" env)"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
"$LAB" node-sysfs numa-0 "$tree"
numaspark topology --sysfs "$tree" --node numa-0 | kubectl apply -f -
