#!/usr/bin/env bash
# How fast the operator's image starts, and what it takes then: see docs/images.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab that may be running.
: "${LAB_NS:=numaspark-bench}" "${LAB_BRIDGE:=nsbench0}" "${LAB_API_PORT:=16453}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-bench}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC1091 # they are checked by themselves
. "$BENCH_HOME/lib.sh"
# shellcheck disable=SC1091
. "$BENCH_HOME/../../lab/lib/images.sh"

usage() {
  cat << 'TEXT'
usage: start.sh [--json FILE] [--runs N]

Starts the operator N times (default 7) in each of three ways, in turn, and prints medians: seconds and CPU seconds until /readyz
answers 200, and the resident memory then. `make build` comes before. Needs root. --json writes the medians into a file as well.

  jre         the jars on the JVM of this machine, with that JVM's own class data archive
  runtime     the image, without any archive
  image       the image as it is
TEXT
}

runs=7
json=/dev/null
while [ "$#" -gt 0 ]; do
  case $1 in
    --runs) runs=${2:?--runs: give a number} ;;
    --json) json=${2:?--json: give a file} ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift 2
done

unpack() { # ARCHIVE FOLDER: the files of an image
  local blobs=$2.oci/blobs/sha256 manifest layer
  mkdir -p "$2" "$2.oci"
  tar -C "$2.oci" -xf "$1"
  manifest=$(jq -r '.manifests[0].digest' "$2.oci/index.json")
  for layer in $(jq -r '.layers[].digest' "$blobs/${manifest#*:}"); do tar -C "$2" -xzf "$blobs/${layer#*:}"; done
}

# start_once WAY: a line "way milliseconds clock-ticks KiB".
start_once() {
  local command start pid stat
  case $1 in
    jre) command=(bash -c "exec $(operator_command)") ;;
    runtime) command=("${in_image[@]}" -Xshare:off "${arguments[@]}") ;;
    image) command=("${in_image[@]}" "${arguments[@]}") ;;
  esac
  start=$(now_ms)
  start_process operator "$LAB_LOGS/operator.log" in_ns env -i "PATH=/opt/numaspark/jre/bin:$PATH" HOME=/tmp LANG=C.UTF-8 \
    "KUBECONFIG=$kubeconfig" "${command[@]}"
  WAIT_ALIVE=operator wait_for 120 "the operator" "$LAB_LOGS/operator.log" in_ns curl -fsS --max-time 5 "$OPERATOR_READYZ"
  start=$(($(now_ms) - start))
  pid=$(process_pid operator)
  stat=$(< "/proc/$pid/stat")
  read -ra stat <<< "${stat##*) }" # user and system time are fields 14 and 15 of proc(5)
  echo "$1 $start $((stat[11] + stat[12])) $(awk '/^VmRSS/ {print $2}' "/proc/$pid/status")"
  stop_process operator 30
}

medians() { # lines of start_once on stdin
  sort -k1,1 -s | jq -Rn --argjson tick "$(getconf CLK_TCK)" '
    def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
    [[inputs | split(" ")] | group_by(.[0])[] | {
      way: .[0][0],
      readySeconds: (map(.[1] | tonumber) | median / 1000),
      cpuSeconds: (map(.[2] | tonumber) | median / $tick),
      rssMiB: (map(.[3] | tonumber) | median / 1024 | round)}]' | tee "$json" |
    jq -r '["", "ready s", "CPU s", "RSS MiB"], (.[] | [.[]]) | @tsv'
}

image=$(build_operator_image)
bench_up deletion-at-once "$REPO/charts/numaspark/crds"
root=$NUMASPARK_LAB/image
unpack "$image" "$root"
kubeconfig=/tmp/numaspark-start.kubeconfig # in the image's /tmp and in this machine's
trap 'umount -l "$root/proc"; rm -f "$kubeconfig"; bench_down' EXIT
mount -t proc proc "$root/proc"
install -o 65532 -m 400 "$OPERATOR_KUBECONFIG" "$root$kubeconfig"
install -m 400 "$OPERATOR_KUBECONFIG" "$kubeconfig"
in_image=(chroot --userspec=65532:65532 "$root" java -XX:MaxRAM=512m)
mapfile -t arguments < <(sed -n 's/^ENTRYPOINT //p' "$REPO/Dockerfile" | jq -r '.[1:][]')
for ((run = 0; run < runs; run++)); do
  for way in jre runtime image; do start_once "$way"; done
done | tee /dev/stderr | medians
