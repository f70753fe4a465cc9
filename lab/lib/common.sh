# shellcheck shell=bash
# Settings and helpers that every other file of the lab uses.
# shellcheck disable=SC2034 # the settings are used by the files that are sourced together with this one

# ---- settings: each can be set in the environment -------------------------------------------------------------------
LAB_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
REPO=$(cd "$LAB_HOME/.." && pwd)
: "${NUMASPARK_CACHE:=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/numaspark}" # finished products, addressed by their inputs
: "${NUMASPARK_LAB:=/var/tmp/numaspark-lab}"                                # state of the running lab
: "${LAB_NS:=numaspark}"                                                    # network namespace of the cluster
: "${LAB_BRIDGE:=nslab0}"
: "${LAB_HOST_IP:=10.200.0.1}"
: "${LAB_VM_IPS:=10.200.0.2 10.200.0.3}" # of numa-0 and numa-1
: "${LAB_API_PORT:=16443}"        # loopback of the root namespace
: "${LAB_PROMETHEUS_PORT:=19090}" # loopback of the root namespace
: "${POD_CIDR_NATIVE:=10.244.0.0/24}"
: "${POD_CIDRS_NUMA:=10.244.1.0/24 10.244.2.0/24}" # of numa-0 and numa-1
: "${POD_CIDR:=10.244.0.0/16}"                     # all of the above
: "${SERVICE_CIDR:=10.96.0.0/16}"
: "${SERVICE_API_IP:=10.96.0.1}" # first address of SERVICE_CIDR: the Service "kubernetes"
: "${LAB_CONTAINERD:=}"          # a newer containerd: NAME of lab/tools/containerd-NAME; empty: lab/tools/containerd
: "${LAB_CONTROL_PLANE:=}"       # features of the control plane: NAME of controlplanes/NAME.env; empty: Kubernetes' defaults
: "${BIN:=}"                     # folder of the built tools; empty: tools.sh builds them and sets it
LAB_API=https://$LAB_HOST_IP:6443 # as seen from inside the namespace and from the nodes

LAB_PKI=$NUMASPARK_LAB/pki LAB_LOGS=$NUMASPARK_LAB/logs LAB_PIDS=$NUMASPARK_LAB/pids LAB_RUN=$NUMASPARK_LAB/run
LAB_KUBECONFIG=$NUMASPARK_LAB/kubeconfig               # for the root namespace
LAB_KUBECONFIG_INSIDE=$NUMASPARK_LAB/kubeconfig-inside # for processes in the namespace of the cluster
NS_ENTER=(nsenter "--net=/run/netns/$LAB_NS" --)

# ---- messages: all on stderr, because the output of some commands is a path or a script --------------------------------
note() { printf '%s\n' "lab: $*" >&2; }

# die MESSAGE [REMEDY]
die() {
  printf '%s\n' "lab: error: $1" >&2
  [ -z "${2:-}" ] || printf '%s\n' "lab: remedy: $2" >&2
  exit 1
}

now_ms() { date +%s%3N; }

# step NAME CMD...: runs CMD and prints how long it took.
step() {
  local name=$1 start end
  shift
  start=$(now_ms)
  "$@"
  end=$(now_ms)
  printf 'lab: %-44s %5d.%d s\n' "$name" $(((end - start) / 1000)) $(((end - start) % 1000 / 100)) >&2
}

show_log() { # FILE: its end, indented
  [ -f "$1" ] || return 0
  printf '%s\n' "lab: last lines of $1:" >&2
  tail -n 25 "$1" | cut -c1-400 | sed 's/^/    /' >&2
}

# wait_for SECONDS WHAT LOGFILE CMD...: repeats CMD until it succeeds. WAIT_ALIVE=NAME makes it give up at once when
# that process ends. The deadline grows with LAB_PATIENCE, a factor for slow machines.
wait_for() {
  local seconds=$(($1 * ${LAB_PATIENCE:-1})) what=$2 log=$3 deadline
  shift 3
  deadline=$((SECONDS + seconds))
  until "$@" > /dev/null 2>&1; do
    if [ -n "${WAIT_ALIVE:-}" ] && ! process_alive "$WAIT_ALIVE"; then
      show_log "$log"
      die "$WAIT_ALIVE ended while waiting for $what" "see $log; then 'lab down' and 'lab up'"
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      show_log "$log"
      die "$what: not there after $seconds s" "see $log; a busy machine may need LAB_PATIENCE=2; then 'lab down' and 'lab up'"
    fi
    sleep 0.2
  done
}

# ---- processes ------------------------------------------------------------------------------------------------------
# A process is recorded as "PID START-TIME": the kernel reuses process ids, so that the id alone could name a stranger.
process_start_time() { # PID: nothing for a process that is gone or a zombie
  local stat fields
  read -r stat 2> /dev/null < "/proc/$1/stat" || return 1
  read -ra fields <<< "${stat##*) }" # the command, in parentheses, may contain blanks
  [ "${fields[0]}" != Z ] && echo "${fields[19]}"
}

process_pid() { # NAME
  local pid start
  read -r pid start 2> /dev/null < "$LAB_PIDS/$1" || return 1
  [ "$(process_start_time "$pid")" = "$start" ] && echo "$pid"
}

process_alive() { process_pid "$1" > /dev/null; }

# start_process NAME LOG CMD...: in the background, in a session of its own. CMD may begin with in_ns.
start_process() {
  local name=$1 log=$2 pid
  shift 2
  if [ "$1" = in_ns ]; then
    shift
    set -- "${NS_ENTER[@]}" "$@"
  fi
  mkdir -p "$LAB_PIDS" "$(dirname "$log")"
  # Descriptors 8 and 9 are the lab's locks; a process that inherited them would hold them for ever.
  setsid nohup "$@" > "$log" 2>&1 < /dev/null 8>&- 9>&- &
  pid=$!
  echo "$pid $(process_start_time "$pid")" > "$LAB_PIDS/$name"
}

# stop_process NAME [SECONDS]: asks, waits, then kills. Stopping what does not run succeeds.
stop_process() {
  local name=$1 pid deadline=$((SECONDS + ${2:-15}))
  if pid=$(process_pid "$name"); then
    kill "$pid" 2> /dev/null || true
    while process_alive "$name" && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.1; done
    if process_alive "$name"; then
      note "$name did not stop when asked: killed"
      kill -KILL "$pid" 2> /dev/null || true
      while process_alive "$name" && [ "$SECONDS" -lt $((deadline + 5)) ]; do sleep 0.1; done
    fi
  fi
  rm -f "$LAB_PIDS/$name"
}

# in_ns CMD...: in the network namespace of the cluster. Not "ip netns exec": that mounts a new /sys, which hides the
# cgroup hierarchies.
in_ns() { "${NS_ENTER[@]}" "$@"; }

# ---- cached products --------------------------------------------------------------------------------------------------
# hash_of FILE|FOLDER|STRING...: 12 hexadecimal digits of the contents of files and of the text of anything else.
hash_of() {
  local input
  for input in "$@"; do
    if [ -f "$input" ]; then
      sha256sum < "$input"
    elif [ -d "$input" ]; then
      (cd "$input" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum)
    else
      printf '%s\n' "$input"
    fi
  done | sha256sum | cut -c1-12
}

# cached KIND HASH BUILDER: prints the path of the product KIND-HASH; if there is none, BUILDER makes it in the folder
# that it gets as its argument. The product appears under its name only when it is complete.
cached() {
  local kind=$1 hash=$2 builder=$3 product=$NUMASPARK_CACHE/$1-$2
  if [ ! -d "$product" ]; then
    mkdir -p "$NUMASPARK_CACHE/locks"
    (
      flock -n 9 || {
        note "waiting: another process is making $kind"
        flock 9
      }
      [ ! -d "$product" ] || exit 0 # another process has just made it
      work=$(mktemp -d "$NUMASPARK_CACHE/.$kind-XXXXXX")
      trap 'rm -rf "$work"' EXIT
      chmod 755 "$work"
      note "making $kind-$hash (it will be kept in $NUMASPARK_CACHE)"
      step "$kind" "$builder" "$work" >&2
      mv -T "$work" "$product"
    ) 9> "$NUMASPARK_CACHE/locks/$kind"
    [ -d "$product" ] || die "could not make $kind" "see the messages above"
  fi
  echo "$product"
}

# ---- requirements -----------------------------------------------------------------------------------------------------
require_root() {
  [ "$(id -u)" = 0 ] || die "the lab needs root: it makes a network namespace, cgroups and mounts" \
    "run it with sudo, or use 'lab tools --kube-api-test' for the integration tests, which need no root"
}

have() { command -v "$1" > /dev/null; }
