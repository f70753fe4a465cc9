#!/usr/bin/env bash
# The control-plane benchmark: see docs/benchmarks.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab that may be running.
: "${LAB_NS:=numaspark-bench}" "${LAB_BRIDGE:=nsbench0}" "${LAB_API_PORT:=16453}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-bench}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC1091 # it is checked by itself
. "$BENCH_HOME/lib.sh"

usage() {
  cat << 'TEXT'
usage: bench.sh [--target NAME|FILE] [--crds FILE|FOLDER] [--operator COMMAND [--ready URL]] [--keep] [-- OPTIONS]

  --target    kind of application: a file of targets/, or one like them (default numaspark)
  --crds      what `kubectl apply` needs to know of the kind (default: the CRDs of numaspark's chart)
  --operator  shell command that runs another operator, with KUBECONFIG set (default: numaspark, as `make build` packs it)
  --ready     address that answers 200 once the operator is ready (default: wait 20 s)
  --json      file for the results (default: bench-control.json in the state folder, which is deleted at the end)
  --keep      leave the control plane running, to look at it; the next run starts it anew
  OPTIONS     of the measuring program: -applications 1000 -namespaces 10 -executors 4 -nodes 20 -rate 0 -work 1s -timeout 15m

Java options for the operator, for example to profile it, can be given in JDK_JAVA_OPTIONS. Needs root, as the lab does.
TEXT
}

target=numaspark crds=$REPO/charts/numaspark/crds operator='' ready='' json=$NUMASPARK_LAB/bench-control.json
read_options "target crds operator ready json" "$@"
set -- "${OPTIONS[@]}"
[ -f "$target" ] || target=$BENCH_HOME/targets/$target.yaml
[ -f "$target" ] || die "there is no target $target" "one of $(cd "$BENCH_HOME/targets" && echo *.yaml), or a file"

operator_start() {
  local command=${operator:-}
  if [ -z "$command" ]; then
    command=$(operator_command)
    ready=$OPERATOR_READYZ
  fi
  start_process operator "$LAB_LOGS/operator.log" in_ns env -i "PATH=$PATH" "HOME=$HOME" "KUBECONFIG=$OPERATOR_KUBECONFIG" \
    "JDK_JAVA_OPTIONS=${JDK_JAVA_OPTIONS:-}" bash -c "exec $command"
  if [ -n "$ready" ]; then
    WAIT_ALIVE=operator wait_for 120 "the operator" "$LAB_LOGS/operator.log" in_ns curl -fsS --max-time 5 "$ready"
  else
    sleep 20
    process_alive operator || {
      show_log "$LAB_LOGS/operator.log"
      die "the operator has ended" "run its command by hand with KUBECONFIG=$OPERATOR_KUBECONFIG"
    }
  fi
}

bench_up deletion-at-once "$crds"
step "operator" operator_start
processes=operator=$(process_pid operator)
for name in kube-apiserver etcd kube-scheduler kube-controller-manager kwok; do processes+=,$name=$(process_pid "$name"); done
in_ns "$BENCH" -kubeconfig "$LAB_KUBECONFIG_INSIDE" -target "$target" -processes "$processes" -json "$json" "$@"
