#!/usr/bin/env bash
# The control-plane benchmark: see docs/benchmarks.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab that may be running.
: "${LAB_NS:=numaspark-bench}" "${LAB_BRIDGE:=nsbench0}" "${LAB_API_PORT:=16453}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-bench}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
for BENCH_PART in common packages tools pki network controlplane; do
  # shellcheck disable=SC1090 # the files of the line above; shellcheck reads each of them on its own
  . "$BENCH_HOME/../lab/lib/$BENCH_PART.sh"
done

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

target=numaspark crds=$REPO/charts/numaspark/crds operator='' ready='' keep='' json=$NUMASPARK_LAB/bench-control.json
while [ $# -gt 0 ]; do
  case $1 in
    --target | --crds | --operator | --ready | --json)
      [ $# -ge 2 ] || die "$1 needs a value" "see 'bench.sh --help'"
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --keep)
      keep=yes
      shift
      ;;
    --)
      shift
      break
      ;;
    -h | --help)
      usage
      exit
      ;;
    *) die "unknown option $1" "see 'bench.sh --help'" ;;
  esac
done
[ -f "$target" ] || target=$BENCH_HOME/targets/$target.yaml
[ -f "$target" ] || die "there is no target $target" "one of $(cd "$BENCH_HOME/targets" && echo *.yaml), or a file"

build_bench_control() { go_build ../bench-control "$1/bench-control" . ""; }

kwok_start() {
  local program
  program=$(kwok_product)/kwok
  start_process kwok "$LAB_LOGS/kwok.log" in_ns "$program" --kubeconfig "$LAB_KUBECONFIG_INSIDE" --manage-all-nodes=true \
    --config "$BENCH_HOME/cluster/stages.yaml" --cidr 10.128.0.0/9 --node-ip 10.200.0.3 --node-port 0
}

# As the image and the chart run it: the JVM options of the Dockerfile, and the heap that they give within the chart's
# memory limit.
operator_command() {
  local lib=$REPO/operator/controller/target/app/lib words
  [ -d "$lib" ] || die "the operator is not built" "run 'make build'"
  mapfile -t words < <(sed -n 's/^ENTRYPOINT //p' "$REPO/Dockerfile" | jq -r '.[]')
  printf '%q ' "${words[0]}" -XX:MaxRAM=512m "${words[@]:1}" | sed "s#/opt/numaspark/lib#$lib#"
}

# With the token of a service account, as in a cluster. Not only for the sake of priority and fairness: the Java client reads its
# configuration anew for each request, from the second minute on, if it has a certificate and no token (TokenRefreshInterceptor
# of fabric8 7.5.2).
operator_kubeconfig() {
  local settings=(config --kubeconfig "$1")
  kube -n kube-system create serviceaccount operator
  kube create clusterrolebinding bench-operator --clusterrole cluster-admin --serviceaccount kube-system:operator
  "$BIN/kubectl" "${settings[@]}" set-cluster bench --server "$LAB_API" --certificate-authority "$LAB_PKI/ca.crt" --embed-certs
  "$BIN/kubectl" "${settings[@]}" set-credentials operator --token "$(kube -n kube-system create token operator --duration 24h)"
  "$BIN/kubectl" "${settings[@]}" set-context bench --cluster bench --user operator
  "$BIN/kubectl" "${settings[@]}" use-context bench
}

operator_start() {
  local command=${operator:-}
  if [ -z "$command" ]; then
    command=$(operator_command)
    ready=http://127.0.0.1:8080/readyz
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

bench_down() {
  local record
  stop_process operator 30
  stop_process kwok 5
  control_plane_down
  for record in "$LAB_PIDS"/*; do
    [ ! -f "$record" ] || stop_process "${record##*/}"
  done
  network_down
  rm -rf "$NUMASPARK_LAB"
}

require_root
mkdir -p "$(dirname "$NUMASPARK_LAB")"
exec 8> "/run/lock/$LAB_NS-lab.lock"
flock -n 8 || die "another benchmark is running" "wait for it, or set LAB_NS, LAB_BRIDGE, LAB_API_PORT and NUMASPARK_LAB"
ensure_packages iproute2 socat openssl curl procps util-linux ca-certificates jq
use_tools
bench_down
[ -n "$keep" ] || trap bench_down EXIT
mkdir -p "$LAB_LOGS" "$LAB_RUN"
bench=$(tool_product bench-control ../bench-control build_bench_control)/bench-control
step "network" network_up
step "certificates" pki_up
step "control plane" control_plane_up
step "simulated nodes" kwok_start
step "CRDs" kube apply --server-side -f "$crds" >&2
WAIT_ALIVE=kube-apiserver wait_for 30 "the CRDs" "$LAB_LOGS/kube-apiserver.log" kube wait --for condition=Established crd --all
OPERATOR_KUBECONFIG=$LAB_RUN/operator.kubeconfig
step "rights of the operator" operator_kubeconfig "$OPERATOR_KUBECONFIG" >&2
step "operator" operator_start
processes=operator=$(process_pid operator)
for name in kube-apiserver etcd kube-scheduler kube-controller-manager kwok; do processes+=,$name=$(process_pid "$name"); done
in_ns "$bench" -kubeconfig "$LAB_KUBECONFIG_INSIDE" -target "$target" -processes "$processes" -json "$json" "$@"
