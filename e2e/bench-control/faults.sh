#!/usr/bin/env bash
# Things that go wrong, on the control plane of the benchmark: see docs/faults.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab or a benchmark that may be running.
: "${LAB_NS:=numaspark-faults}" "${LAB_BRIDGE:=nsfault0}" "${LAB_API_PORT:=16553}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-faults}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
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

KEEP='' json='' log=''
while [ $# -gt 0 ]; do
  case $1 in
    --json | --log)
      [ $# -ge 2 ] || die "$1 needs a value" "see 'faults.sh --help'"
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --keep)
      KEEP=yes
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
    *) die "unknown option $1" "see 'faults.sh --help'" ;;
  esac
done

# ---- the operator, as a kubelet runs it: started again whenever it ends -------------------------------------------------
OPERATOR_PID=$LAB_RUN/operator.pid OPERATOR_CLOCK=$LAB_RUN/operator.clock OPERATOR_POD=$LAB_RUN/operator.pod

# operator_keeper COMMAND: the operator's clock is off by what the file OPERATOR_CLOCK says. Only the time of day: a JVM whose
# monotonic clock jumps is another fault. The lease is held in the name of the pod, as in the chart.
# shellcheck disable=SC2030,SC2031 # it is called in another shell
operator_keeper() {
  trap 'kill "$(cat "$OPERATOR_PID")"; wait; exit' TERM
  while :; do
    (
      clock=$(cat "$OPERATOR_CLOCK")
      NUMASPARK_LEASE_IDENTITY=$(cat "$OPERATOR_POD")
      export NUMASPARK_LEASE_IDENTITY NUMASPARK_LEASE_NAMESPACE=kube-system NUMASPARK_LEASE_NAME=numaspark
      [ -z "$clock" ] || export LD_PRELOAD="$FAKETIME_LIBRARY" FAKETIME="$clock" FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1
      echo "$BASHPID" > "$OPERATOR_PID"
      eval "exec $1"
    ) &
    { wait "$!" || true; } 2> /dev/null # without the shell's word on how it ended
    sleep 0.5
  done
}

operator_start() {
  : > "$OPERATOR_CLOCK"
  echo operator-1 > "$OPERATOR_POD"
  start_process operator "$LAB_LOGS/operator.log" in_ns env -i "PATH=$PATH" "HOME=$HOME" "KUBECONFIG=$OPERATOR_KUBECONFIG" \
    "OPERATOR_PID=$OPERATOR_PID" "OPERATOR_CLOCK=$OPERATOR_CLOCK" "OPERATOR_POD=$OPERATOR_POD" "FAKETIME_LIBRARY=$FAKETIME_LIBRARY" \
    bash -c "$(declare -f operator_keeper); operator_keeper $(printf %q "$(operator_command)")"
  operator_ready
}

operator_ready() {
  WAIT_ALIVE=operator wait_for 60 "the operator" "$LAB_LOGS/operator.log" in_ns curl -fsS --max-time 5 http://127.0.0.1:8080/readyz
}

# ---- faults that processes and connections suffer; the others are requests to the API server ----------------------------
kill_operator() { kill -KILL "$(cat "$OPERATOR_PID")"; }

# operator_clock SIGNAL [OFFSET]: the operator ends by the signal, and another pod of it works on a node whose clock is off by
# that much. Only one that was asked to end gives its lease back; else the next waits for its end, and works then.
operator_clock() {
  local before
  before=$(operator_starts)
  echo "${2:-}" > "$OPERATOR_CLOCK"
  echo "operator-$RANDOM" > "$OPERATOR_POD"
  kill "-$1" "$(cat "$OPERATOR_PID")"
  wait_for 60 "the operator with clock ${2:-right}" "$LAB_LOGS/operator.log" operator_has_started_after "$before"
}

# How often it began to work. One that waits for the lease is ready, too.
operator_starts() { grep -c 'numaspark is ready' "$LAB_LOGS/operator.log"; }
operator_has_started_after() { [ "$(operator_starts)" -gt "$1" ]; }

kill_apiserver() {
  kill -KILL "$(process_pid kube-apiserver)"
  kube_apiserver_start
  operator_ready
}

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
    kill_operator | operator_ready | operator_clock | kill_apiserver | pause_etcd | cut_connections) "$@" ;;
    *) die "faults.sh has no fault $1" ;;
  esac
}

# A clock that is behind must not find the certificates to be of the future.
# shellcheck disable=SC2031 # called by bench_up
pki_backdated() { (export LD_PRELOAD="$FAKETIME_LIBRARY" FAKETIME=-1h && pki_up); }

require_root
ensure_packages libfaketime
FAKETIME_LIBRARY=$(dpkg -L libfaketime | grep /libfaketime.so.1)
BENCH_PKI=pki_backdated
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
