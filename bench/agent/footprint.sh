#!/usr/bin/env bash
# Measures what the node agent takes at rest, as plain processes on this machine: no cluster, no image, no root.
# Usage: bench/agent/footprint.sh [--seconds N] [--json] | --classes
#   --seconds N  how long the resting processes are measured, after 30 s of settling; default 120
#   --json       the numbers as JSON
#   --classes    writes operator/agent/src/main/image/classes.list anew instead: the classes that both processes load
# Both start with the options of the image (operator/agent/src/main/image/jvm.options) and an archive of class data made as its
# Dockerfile does. They work on a made-up node, bench/agent/node. JAVA_HOME says which JVM. `./mvnw -DskipTests package` comes before.
set -euo pipefail
cd "$(dirname "$0")/../.."

SETTLE_SECONDS=30
START_SECONDS=60
PASSWORD=footprint
IMAGE=$PWD/operator/agent/src/main/image
LIB=$PWD/operator/agent/target/app/lib

seconds=120
output=table
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds: give a number} && shift ;;
    --json) output=json ;;
    --classes) output=classes ;;
    *) sed -n '3,6s/^# //p' "$0" >&2 && exit 2 ;;
  esac
  shift
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "--seconds: '$seconds' is not a number of seconds; write for example 120" >&2 && exit 2; }
[ -e "$LIB/numaspark-agent.jar" ] || { echo "there is no $LIB/numaspark-agent.jar; run './mvnw -DskipTests package' first" >&2 && exit 1; }

home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
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

# A copy, so that no other process of this machine shares its pages, which would make PSS smaller.
copy_jvm() {
  mkdir "$folder/jvm"
  cp -RL "$home/bin" "$home/conf" "$home/lib" "$folder/jvm" 2> /dev/null || true
  rm -f "$folder/jvm/lib/src.zip" "$folder/jvm/lib/ct.sym"
}

# An authority and a certificate for both servers, of the kind that kubeadm makes: RSA of 2048 bits.
certificates() {
  mkdir "$folder/credentials"
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=footprint -keyout "$folder/ca.key" \
    -out "$folder/credentials/ca.crt" 2> /dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=node -keyout "$folder/node.key" -out "$folder/node.csr" 2> /dev/null
  echo subjectAltName=IP:127.0.0.1 > "$folder/node.ext"
  openssl x509 -req -in "$folder/node.csr" -CA "$folder/credentials/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial -days 2 \
    -extfile "$folder/node.ext" -out "$folder/node.crt" 2> /dev/null
  openssl pkcs12 -export -in "$folder/node.crt" -inkey "$folder/node.key" -out "$folder/node.p12" -passout "pass:$PASSWORD"
  # As long as the token of a service account.
  head -c 1000 /dev/zero | tr '\0' x > "$folder/credentials/token"
}

# As the Dockerfile makes it.
class_archive() {
  cp "$IMAGE/classes.list" "$folder"
  (cd "$folder" && eval "$(sed -n '/^RUN .*jre.bin.java /,/[^\\]$/p' "$IMAGE/../../../Dockerfile" | tr -d '\\\n' |
    sed "s,^RUN .*jre.bin,jvm/bin,; s,/tmp/classes,classes,; s,-cp lib/,-cp $LIB/,; s,> /tmp/dump.log.*,> dump.log 2>\&1,")") ||
    { cat "$folder/dump.log" >&2 && exit 1; }
}

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
  "$home/bin/java" -Xmx64m -cp "$folder/fakes:$LIB/*" FakeNode "$node" "$folder/node.p12" "$PASSWORD" > "$node/port" &
  pids+=($!)
  await "$node/port" -s
}

# start NAME CLASS: a process of the agent on the node; sets pid.
start() {
  local environment=(
    MALLOC_ARENA_MAX=1 NUMASPARK_NODE=node-1 NUMASPARK_HOST_IP=127.0.0.1 NUMASPARK_API="https://127.0.0.1:$(< "$node/port")"
    NUMASPARK_KUBELET_PORT="$(< "$node/port")" NUMASPARK_CREDENTIALS="$folder/credentials"
    NUMASPARK_POD_RESOURCES="$node/kubelet.sock" NUMASPARK_ROOT="$node/root" NUMASPARK_CGROUP="$node/cgroup"
    NUMASPARK_WRITER_ROOT="$node/root" NUMASPARK_WRITER_STATE="$node/state"
  )
  [ -z "$writer_socket" ] || environment+=(NUMASPARK_WRITER_SOCKET="$writer_socket")
  [ -z "$list_classes" ] || options=("-XX:DumpLoadedClassList=$folder/$1.classes")
  env -i "${environment[@]}" "$folder/jvm/bin/java" @"$folder/jvm.options" "${options[@]}" -cp "$LIB/numaspark-agent.jar" "$2" \
    > "$folder/$1.log" 2>&1 &
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

# The writer, then the reader, until the reader has told of the knobs that the writer has set.
start_both() {
  fake_node both
  writer_socket=$node/writer.sock
  start writer io.numaspark.agent.writer.WriterMain
  writer=$pid
  await "$writer_socket" -S
  writer_start=$(cpu_ticks "$writer")
  start reader io.numaspark.agent.Main
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
  writer_socket=
  start reader io.numaspark.agent.Main
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

copy_jvm
certificates
"$home/bin/javac" -d "$folder/fakes" -cp "$LIB/*" bench/agent/node/*.java
sed "s,/opt/numaspark/agent.jsa,$folder/agent.jsa," "$IMAGE/jvm.options" > "$folder/jvm.options"

read -ra options <<< "${FOOTPRINT_OPTIONS:-}" # more options, to try them
list_classes=
if [ "$output" = classes ]; then
  # Without an archive of its own; the list of a process is complete when it has ended.
  sed -i /SharedArchiveFile/d "$folder/jvm.options"
  list_classes=yes
  start_both
  kill "$reader" "$writer"
  wait "$reader" "$writer" || true
  cat "$folder/reader.classes" "$folder/writer.classes" | awk '/^#/ { next } !seen[$0]++' > "$IMAGE/classes.list"
  wc -l "$IMAGE/classes.list"
  exit
fi

class_archive
start_reader_alone
alone=$(measure reader-alone "$reader" "$reader_start")
stop
start_both
both=$(measure reader "$reader" "$reader_start" writer "$writer" "$writer_start")
printf '%s\n' "$alone" "$both" | "$output"
