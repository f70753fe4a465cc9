#!/usr/bin/env bash
# Things that go wrong, on the control plane of the benchmark: see docs/faults.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab or a benchmark that may be running.
: "${LAB_NS:=numaspark-faults}" "${LAB_BRIDGE:=nsfault0}" "${LAB_API_PORT:=16553}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-faults}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC1091 # it is checked by itself
. "$BENCH_HOME/lib.sh"

usage() {
  cat << 'TEXT'
usage: faults.sh [--json FILE] [--log FILE] [--keep] [-- OPTIONS]

  --json    file for the results (default: none)
  --log     file to copy the operator's log to (default: none)
  --keep    leave the control plane running, to look at it; the next run starts it anew
  OPTIONS   of the program that judges: -namespaces 4 -executors 2 -nodes 5 -rate 0.35 -burst 2 -settle 5s -only TEXT-IN-A-FAULT'S-NAME

Exit code 1: an application was lost, doubled or stuck, a status did not tell the truth, or something was left behind.
Needs root, as the lab does, and the operator as `make build` packs it.
TEXT
}

json='' log=''
read_options "json log" "$@"
set -- "${OPTIONS[@]}"

# ---- the operator, as a kubelet runs it: started again whenever it ends -------------------------------------------------
OPERATOR_PID=$LAB_RUN/operator.pid

# operator_keeper COMMAND: it holds the lease in the name of its pod, as in the chart.
operator_keeper() {
  trap 'kill "$(cat "$OPERATOR_PID")"; wait; exit' TERM
  while :; do
    (
      export NUMASPARK_LEASE_IDENTITY=operator-1 NUMASPARK_LEASE_NAMESPACE=kube-system NUMASPARK_LEASE_NAME=numaspark
      echo "$BASHPID" > "$OPERATOR_PID"
      eval "exec $1"
    ) &
    { wait "$!" || true; } 2> /dev/null # without the shell's word on how it ended
    sleep 0.5
  done
}

operator_start() {
  start_process operator "$LAB_LOGS/operator.log" in_ns env -i "PATH=$PATH" "HOME=$HOME" "KUBECONFIG=$OPERATOR_KUBECONFIG" \
    "OPERATOR_PID=$OPERATOR_PID" bash -c "$(declare -f operator_keeper); operator_keeper $(printf %q "$(operator_command)")"
  operator_ready
}

operator_ready() {
  WAIT_ALIVE=operator wait_for 60 "the operator" "$LAB_LOGS/operator.log" in_ns curl -fsS --max-time 5 http://127.0.0.1:8081/readyz
}

# ---- faults that processes and connections suffer; the others are requests to the API server ----------------------------
kill_operator() { kill -KILL "$(cat "$OPERATOR_PID")"; }

kill_apiserver() {
  kill -KILL "$(process_pid kube-apiserver)"
  # A killed process closes its sockets some time after the signal.
  wait_for 30 "the API server's port" "$LAB_LOGS/kube-apiserver.log" port_is_free
  kube_apiserver_start
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

# ---- the run --------------------------------------------------------------------------------------------------------------
fault() {
  case $1 in
    kill_operator | operator_ready | kill_apiserver | pause_etcd | cut_connections) "$@" ;;
    *) die "faults.sh has no fault $1" ;;
  esac
}

require_root
bench_up deletion-after-end "$REPO/charts/numaspark/crds"
step "operator" operator_start
mkfifo "$LAB_RUN/requests" "$LAB_RUN/replies"
# Opened for both directions: nobody waits for the other to open its end.
exec 3<> "$LAB_RUN/requests" 4<> "$LAB_RUN/replies"
(
  status=0
  in_ns "$BENCH" faults -kubeconfig "$LAB_KUBECONFIG_INSIDE" -target "$BENCH_HOME/targets/numaspark.yaml" \
    -log "$LAB_LOGS/operator.log" -requests "$LAB_RUN/requests" -replies "$LAB_RUN/replies" -json "$json" \
    -patience "${LAB_PATIENCE:-1}" "$@" 3>&- 4>&- || status=$?
  echo "finished $status" >&3
) &
while read -r -u 3 -a command && [ "${command[0]}" != finished ]; do
  if (fault "${command[@]}") >&2 3>&- 4>&-; then echo ok >&4; else echo "failed, see the messages above" >&4; fi
done
[ -z "$log" ] || cp "$LAB_LOGS/operator.log" "$log"
[ "${command[1]}" = 0 ] || die "the run has found something wrong, or could not be finished" "see the messages above"
