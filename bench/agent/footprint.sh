#!/usr/bin/env bash
# Measures what the node agent takes at rest, as plain processes on this machine: no cluster, no image, no root.
# Usage: bench/agent/footprint.sh [--seconds N] [--json]
#   --seconds N  how long the resting processes are measured, after 30 s of settling; default 120
#   --json       the numbers as JSON
# Both are the programs of the image, which `agent/build.sh` makes. They work on a made-up node (agent/internal/fakenode).
set -euo pipefail
cd "$(dirname "$0")/../.."

SETTLE_SECONDS=30
START_SECONDS=60

seconds=120
output=table
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds: give a number} && shift ;;
    --json) output=json ;;
    *) sed -n '3,5s/^# //p' "$0" >&2 && exit 2 ;;
  esac
  shift
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "--seconds: '$seconds' is not a number of seconds; write for example 120" >&2 && exit 2; }
app=$PWD/agent/target/app/$(go env GOHOSTARCH)
[ -x "$app/numaspark-agent" ] || { echo "there is no $app/numaspark-agent; run 'agent/build.sh' first" >&2 && exit 1; }

folder=$(mktemp -d)
pids=()
stop() {
  [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2> /dev/null || true
  wait
  pids=()
}
end() {
  stop
  rm -rf "$folder"
}
trap end EXIT

await() { # FILE TEST
  local deadline=$((SECONDS + START_SECONDS))
  until test "$2" "$1"; do
    [ "$SECONDS" -lt "$deadline" ] || { cat "$folder"/*.log >&2 && echo "no $1 within $START_SECONDS s" >&2 && exit 1; }
    sleep 0.02
  done
}

# fake_node NODE: a node of this name, with its own machine.
fake_node() {
  node=$folder/$1
  mkdir "$node"
  "$folder/serve" "$node" > "$node/environment" &
  pids+=($!)
  local deadline=$((SECONDS + START_SECONDS))
  until grep -qx ready "$node/environment"; do
    [ "$SECONDS" -lt "$deadline" ] || { echo "the made-up node is not ready within $START_SECONDS s" >&2 && exit 1; }
    sleep 0.02
  done
  mapfile -t environment < <(grep -F '=' "$node/environment")
}

# start NAME PROGRAM [VARIABLE...]: a process of the agent on the node; sets pid. Each has a copy of its program, so that no other
# process of this machine shares its pages, which would make PSS smaller.
start() {
  local name=$1 program=$2
  shift 2
  cp "$app/$program" "$node/$program"
  env -i "${environment[@]}" "$@" "$node/$program" > "$folder/$name.log" 2>&1 &
  pid=$!
  pids+=("$pid")
}

# CPU time in clock ticks: utime and stime, fields 14 and 15 of proc(5).
cpu_ticks() { # PID
  local stat
  stat=$(< "/proc/$1/stat")
  read -ra stat <<< "${stat##*) }"
  echo $((stat[11] + stat[12]))
}

memory_kib() { # PID FIELD
  awk -v field="$2:" '$1 == field { print $2 }' "/proc/$1/smaps_rollup"
}

# The writer, then the reader, until the reader has reported the knobs that the writer has set.
start_both() {
  fake_node both
  local socket=NUMASPARK_WRITER_SOCKET=$node/writer.sock
  start writer numaspark-writer "$socket"
  writer=$pid
  await "$node/writer.sock" -S
  writer_start=$(cpu_ticks "$writer")
  start reader numaspark-agent "$socket"
  reader=$pid
  await "$node/status.json" -e
  reader_start=$(cpu_ticks "$reader")
  local deadline=$((SECONDS + START_SECONDS))
  until grep -q Applied "$node/status.json"; do
    [ "$SECONDS" -lt "$deadline" ] || { cat "$folder"/*.log "$node/status.json" >&2 && echo "no knob was set" >&2 && exit 1; }
    sleep 0.1
  done
}

start_reader_alone() {
  fake_node alone
  start reader numaspark-agent
  reader=$pid
  await "$node/status.json" -e
  reader_start=$(cpu_ticks "$reader")
}

# measure ROLE PID START-TICKS ...: lines "role rss pss anonymous start-ticks rest-ticks" after the time of rest.
measure() {
  local role processes=("$@") i
  sleep "$SETTLE_SECONDS"
  local before=()
  for ((i = 1; i < ${#processes[@]}; i += 3)); do
    before+=("$(cpu_ticks "${processes[i]}")")
  done
  sleep "$seconds"
  for ((i = 0; i < ${#processes[@]}; i += 3)); do
    role=${processes[i]} pid=${processes[i + 1]}
    echo "$role" "$(memory_kib "$pid" Rss)" "$(memory_kib "$pid" Pss)" "$(memory_kib "$pid" Anonymous)" "${processes[i + 2]}" \
      $(($(cpu_ticks "$pid") - before[i / 3]))
  done
}

table() {
  awk -v seconds="$seconds" -v tick="$(getconf CLK_TCK)" '
    function row(name, rss, pss, anonymous, start, rest) {
      printf "%-16s %9.1f %9.1f %13.1f %9s %11.3f\n", name, rss / 1024, pss / 1024, anonymous / 1024, start, rest
    }
    BEGIN { printf "%-16s %9s %9s %13s %9s %11s\n", "", "RSS MiB", "PSS MiB", "anonymous MiB", "start s", "CPU %" }
    {
      row($1, $2, $3, $4, sprintf("%.2f", $5 / tick), 100 * $6 / tick / seconds)
      if ($1 != "reader-alone") { for (i = 2; i <= 6; i++) { sum[i] += $i } }
    }
    END { row("reader+writer", sum[2], sum[3], sum[4], "", 100 * sum[6] / tick / seconds) }'
}

json() {
  awk -v seconds="$seconds" -v tick="$(getconf CLK_TCK)" '
    {
      printf "%s{\"process\": \"%s\", \"rssKiB\": %d, \"pssKiB\": %d, \"anonymousKiB\": %d, \"startCpuSeconds\": %.2f, \"restCpuPercent\": %.4f}",
        NR == 1 ? "[" : ",\n ", $1, $2, $3, $4, $5 / tick, 100 * $6 / tick / seconds
    }
    END { print "]" }'
}

(cd agent && CGO_ENABLED=0 go build -o "$folder/serve" ./internal/fakenode/serve)
start_reader_alone
alone=$(measure reader-alone "$reader" "$reader_start")
stop
start_both
both=$(measure reader "$reader" "$reader_start" writer "$writer" "$writer_start")
printf '%s\n' "$alone" "$both" | "$output"
