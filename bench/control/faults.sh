#!/usr/bin/env bash
# Things that go wrong, on the control plane of the benchmark: see docs/faults.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab or a benchmark that may be running.
: "${LAB_NS:=numaspark-faults}" "${LAB_BRIDGE:=nsfault0}" "${LAB_API_PORT:=16553}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-faults}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC1091 # they are checked by themselves
. "$BENCH_HOME/lib.sh"
# shellcheck disable=SC1091
. "$BENCH_HOME/replicas.sh"

usage() {
  cat << 'TEXT'
usage: faults.sh [--json FILE] [--log FILE] [--keep] [-- OPTIONS]

  --json    file for the results (default: none)
  --log     file to copy the operator's log to (default: none)
  --keep    leave the control plane running, to look at it; the next run starts it anew
  OPTIONS   of the program that judges: -namespaces 4 -executors 2 -nodes 5 -rate 0.35 -burst 2 -settle 5s -hold 130s
            -only TEXT-IN-FAULTS'-NAMES,...

Exit code 1: an application was lost, doubled or stuck, a status did not tell the truth, something was left behind, or /livez failed.
Needs root, as the lab does, and the operator as `make build` packs it.
TEXT
}

json='' log=''
read_options "json log" "$@"
set -- "${OPTIONS[@]}"

# ---- faults that processes and connections suffer; the others are requests to the API server ----------------------------
kill_operator() { kill -KILL "$(operator_pid operator)"; }

restart_apiserver() {
  kill -KILL "$(process_pid kube-apiserver)"
  # A killed process closes its sockets some time after the signal.
  wait_for 30 "the API server's port" "$LAB_LOGS/kube-apiserver.log" port_is_free
  kube_apiserver_start
}

kill_apiserver() {
  restart_apiserver
  operator_ready
}

port_is_free() { [ -z "$(in_ns ss --no-header --listening --tcp --numeric '( sport = :6443 )')" ]; }

pause_etcd() { # SECONDS
  local pid
  pid=$(process_pid etcd)
  kill -STOP "$pid"
  sleep "$1"
  kill -CONT "$pid"
  wait_for 60 "the API server" "$LAB_LOGS/kube-apiserver.log" kube get --raw /readyz
  operator_ready
}

cut_connections() { in_ns ss --kill --tcp state established '( dport = :6443 )' > /dev/null; }

etcd_call() { in_ns curl -fsS --max-time 10 "$ETCD_URL/v3/kv/$1" --data "$2"; }

# The operator sees nothing for some seconds, what happened meanwhile is compacted away, and an API server that has just started
# remembers nothing older: each of its watches ends with 410 Gone. Without a lease, which would be over first, and end it.
expire_watches() {
  local pid status=0
  touch "$LAB_RUN/operator.pid.alone"
  operator_anew
  pid=$(operator_pid operator)
  sleep 5
  kill -STOP "$pid"
  sleep 3
  compact_etcd && restart_apiserver || status=$?
  kill -CONT "$pid"
  sleep 5
  operator_ready
  [ "$(operator_pid operator)" = "$pid" ] || note "the operator did not survive it, and was started again"
  rm "$LAB_RUN/operator.pid.alone"
  operator_anew
  return "$status"
}

compact_etcd() {
  local revision
  revision=$(etcd_call range '{"key": "AA=="}' | jq -er .header.revision) || return
  etcd_call compaction "{\"revision\": \"$revision\", \"physical\": true}" > /dev/null
}

operator_anew() {
  local pid
  pid=$(operator_pid operator)
  kill "$pid"
  wait_for 30 "the operator's end" "$LAB_LOGS/operator.log" has_ended "$pid"
  operator_ready
}

# ---- the run --------------------------------------------------------------------------------------------------------------
require_root
bench_up deletion-after-end "$REPO/charts/numaspark/crds"
# The API server verifies the kubelet whose logs it asks for.
pki_certificate bench-kubelet /CN=bench-kubelet serverAuth IP:127.0.0.1
step "operator" operator_start
judged "$log" "kill_operator operator_ready kill_apiserver pause_etcd cut_connections expire_watches replica_up replica_ready replica_down \
  freeze_leader await_next_leader thaw_leader kill_replicas" \
  faults -kubelet-certificate "$LAB_PKI/bench-kubelet.crt,$LAB_PKI/bench-kubelet.key" -json "$json" -patience "${LAB_PATIENCE:-1}" "$@"
