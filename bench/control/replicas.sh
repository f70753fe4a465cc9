# shellcheck shell=bash
# What faults.sh and soak.sh share: replicas of the operator as kubelets run them, and a program that judges while this shell does
# what only it can do. Sourced after lib.sh.
# shellcheck disable=SC2154 # lib.sh and the lab's parts set what is used here
REPLICA_NS=$LAB_NS-2 # the second replica has an address of its own, as a pod has: both listen on the same ports
REPLICA_IP=10.200.0.4

# operator_keeper COMMAND IDENTITY PID-FILE: starts the operator again whenever it ends. It holds the lease in the name of its pod, as
# in the chart, unless there is a file PID-FILE.alone.
operator_keeper() {
  # One that is stopped would not hear that it is to end.
  trap 'pid=$(cat "$3"); kill "$pid"; kill -CONT "$pid"; wait; exit' TERM
  while :; do
    (
      [ -e "$3.alone" ] ||
        export NUMASPARK_LEASE_IDENTITY=$2 NUMASPARK_LEASE_NAMESPACE=kube-system NUMASPARK_LEASE_NAME=numaspark
      echo "$BASHPID" > "$3"
      eval "exec $1"
    ) &
    { wait "$!" || true; } 2> /dev/null # without the shell's word on how it ended
    sleep 0.5
  done
}

operator_pid() { cat "$LAB_RUN/$1.pid"; } # IDENTITY

# keep_operator NAME PREFIX...: IDENTITY is NAME; the prefix enters its network namespace.
keep_operator() {
  local name=$1 command
  shift
  command=$(operator_command)
  start_process "$name" "$LAB_LOGS/$name.log" "$@" env -i "PATH=$PATH" "HOME=$HOME" "KUBECONFIG=$OPERATOR_KUBECONFIG" \
    "NUMASPARK_LOG_LIBRARIES_LEVEL=${NUMASPARK_LOG_LIBRARIES_LEVEL:-info}" \
    bash -c "$(declare -f operator_keeper); operator_keeper $(printf '%q ' "$command" "$name" "$LAB_RUN/$name.pid")"
}

operator_start() {
  keep_operator operator in_ns
  operator_ready
}

operator_ready() {
  WAIT_ALIVE=operator wait_for 60 "the operator" "$LAB_LOGS/operator.log" in_ns curl -fsS --max-time 5 "$OPERATOR_READYZ"
}

# ---- a second replica -----------------------------------------------------------------------------------------------------
in_replica_ns() { nsenter "--net=/run/netns/$REPLICA_NS" -- "$@"; }

replica_up() {
  [ -e "/run/netns/$REPLICA_NS" ] || {
    ip netns add "$REPLICA_NS"
    in_ns ip link add replica2 type veth peer name eth0 netns "$REPLICA_NS"
    in_ns ip link set replica2 master "$LAB_BRIDGE" up
    in_replica_ns ip link set lo up
    in_replica_ns ip addr add "$REPLICA_IP/24" dev eth0
    in_replica_ns ip link set eth0 up
  }
  keep_operator operator-2 nsenter "--net=/run/netns/$REPLICA_NS" --
  replica_ready
}

replica_ready() {
  WAIT_ALIVE=operator-2 wait_for 60 "the second replica" "$LAB_LOGS/operator-2.log" in_replica_ns curl -fsS --max-time 5 "$OPERATOR_READYZ"
}

replica_down() {
  stop_process operator-2 30
  cat "$LAB_LOGS/operator-2.log" >> "$LAB_LOGS/replica.log" # the next start begins a new one
  operator_ready
}

replica_network_down() {
  [ ! -e "/run/netns/$REPLICA_NS" ] || ip netns del "$REPLICA_NS"
}

leader() { kube -n kube-system get lease numaspark -o "jsonpath={.spec.holderIdentity}"; }

freeze_leader() {
  local leader
  leader=$(leader)
  echo "$leader" > "$LAB_RUN/frozen"
  kill -STOP "$(operator_pid "$leader")"
}

await_next_leader() { wait_for 60 "another leader" "$LAB_LOGS/operator.log" another_leads; }

another_leads() {
  local leader
  leader=$(leader)
  [ -n "$leader" ] && [ "$leader" != "$(cat "$LAB_RUN/frozen")" ]
}

# It has to notice that its lease is over, and to end.
thaw_leader() {
  local pid
  pid=$(operator_pid "$(cat "$LAB_RUN/frozen")")
  kill -CONT "$pid"
  wait_for 30 "the end of the leader that was frozen" "$LAB_LOGS/operator.log" has_ended "$pid"
}

has_ended() { ! process_start_time "$1" > /dev/null; }

kill_replicas() { kill -KILL "$(operator_pid operator)" "$(operator_pid operator-2)"; }

# ---- the run --------------------------------------------------------------------------------------------------------------
# judged LOG COMMANDS ARGUMENT...: runs the judging program, and does meanwhile what it asks for, if that is one of COMMANDS. LOG:
# file to copy the operator's log to, or nothing.
judged() {
  local log=$1 commands=$2 command
  shift 2
  mkfifo "$LAB_RUN/requests" "$LAB_RUN/replies"
  # Opened for both directions: nobody waits for the other to open its end.
  exec 3<> "$LAB_RUN/requests" 4<> "$LAB_RUN/replies"
  (
    status=0
    "${NS_ENTER[@]}" "$BENCH" "$@" -kubeconfig "$LAB_KUBECONFIG_INSIDE" -target "$BENCH_HOME/targets/numaspark.yaml" \
      -logs "$LAB_LOGS/operator.log,$LAB_LOGS/replica.log" -pid-file "$LAB_RUN/operator.pid" \
      -requests "$LAB_RUN/requests" -replies "$LAB_RUN/replies" 3>&- 4>&- 8>&- &
    # On record, so that it ends when this shell is made to.
    echo "$! $(process_start_time "$!")" > "$LAB_PIDS/judge"
    wait "$!" || status=$?
    echo "finished $status" >&3
  ) &
  while read -r -u 3 -a command && [ "${command[0]}" != finished ]; do
    [[ " $commands " == *" ${command[0]} "* ]] || die "there is no command ${command[0]}"
    if ("${command[@]}") >&2 3>&- 4>&-; then echo ok >&4; else echo "failed, see the messages above" >&4; fi
  done
  [ -z "$log" ] || cat "$LAB_LOGS/operator.log" > "$log"
  [ -z "$log" ] || [ ! -f "$LAB_LOGS/replica.log" ] || cat "$LAB_LOGS/replica.log" >> "$log"
  [ "${command[1]}" = 0 ] || die "the run has found something wrong, or could not be finished" "see the messages above"
}
