#!/usr/bin/env bash
# Hours of everything coming and going, on the control plane of the benchmark: see docs/faults.md, and usage below.
set -euo pipefail
shopt -s inherit_errexit

# A cluster of its own beside a lab, a benchmark or a fault run that may be running.
: "${LAB_NS:=numaspark-soak}" "${LAB_BRIDGE:=nssoak0}" "${LAB_API_PORT:=16653}"
: "${NUMASPARK_LAB:=/var/tmp/numaspark-soak}"
BENCH_HOME=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC1091 # they are checked by themselves
. "$BENCH_HOME/lib.sh"
# shellcheck disable=SC1091
. "$BENCH_HOME/replicas.sh"

usage() {
  cat << 'TEXT'
usage: soak.sh [--json FILE] [--log FILE] [--keep] [-- OPTIONS]

  --json    file for the results (default: none)
  --log     file to copy the operator's log to (default: none)
  --keep    leave the control plane running, to look at it; the next run starts it anew
  OPTIONS   of the program that judges: -hours 1 -rate 1.5 -namespaces 4 -nodes 5

Exit code 1: something grew beyond its bound, an application was lost, doubled or stuck, a status did not tell the truth, or something
was left behind. Needs root, as the lab does, and the operator as `make build` packs it; and jcmd, of the JDK.
TEXT
}

json='' log=''
read_options "json log" "$@"
set -- "${OPTIONS[@]}"

collect_garbage() { jcmd "$(operator_pid operator)" GC.run > /dev/null; }

require_root
have jcmd || die "jcmd is not installed" "install a JDK: heap is measured after a collection"
bench_up deletion-after-end "$REPO/charts/numaspark/crds"
step "operator" operator_start
judged "$log" collect_garbage soak -json "$json" -patience "${LAB_PATIENCE:-1}" "$@"
