#!/usr/bin/env bash
# The end-to-end tests, stage by stage: see usage below, and stages.txt.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

usage() {
  cat << 'TEXT'
usage: e2e/run.sh [--list | --dry-run] [STAGE...]

Runs the stages of e2e/stages.txt, or those that are named, in the lab. Needs root, and what `make build` packs.

  --list     the stages, their labs and the seconds that they usually take
  --dry-run  what would run in which order, and what would be left out

  E2E_SECONDS    leaves out what does not end within so many seconds; before each stage this is decided anew, from how slow the
                 stages so far were. Each commit leaves out others: the next ones run what this one left out. A stage that takes
                 longer than foreseen is cut off 500 s later, and then counts as left out unless it took three times its seconds
  E2E_ROTATION   the number that decides what is left out (default: the number of commits)
  E2E_KEEP_LAB   set it to leave the lab running afterwards
  LAB_CONTAINERD, LAB_CONTROL_PLANE
                 containerd and features of stages whose lab names none: see lab/lib/common.sh
TEXT
}

readonly GRACE=500 # seconds after E2E_SECONDS
LAB=lab/lab
STAGES=e2e/stages.txt
export PATH=$PWD/bin:$PATH

die() { printf 'e2e: error: %s\ne2e: remedy: %s\n' "$1" "$2" >&2 && exit 2; }

mode=run
case ${1:-} in
  --list | --dry-run) mode=${1#--} && shift ;;
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
mapfile -t names < <(awk '!/^#/ && NF {print $1}' "$STAGES")
for name in "$@"; do
  [[ " ${names[*]} " == *" $name "* ]] || die "there is no stage '$name'" "one of: ${names[*]}"
done
chosen=$(IFS=, && echo "${*:--}")
[[ ${E2E_SECONDS:-0} =~ ^-?[0-9]{1,6}$ ]] || die "E2E_SECONDS is '$E2E_SECONDS'" "give seconds, for example 3000"
[[ ${E2E_ROTATION:-0} =~ ^[0-9]{1,8}$ ]] || die "E2E_ROTATION is '$E2E_ROTATION'" "give a number, for example that of commits"

# A clone without history does not know how many commits there are: then the commit itself is as good as any number.
rotation() {
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    echo $((16#$(git rev-parse HEAD | cut -c1-6)))
  else
    git rev-list --count HEAD
  fi
}
rotation=${E2E_ROTATION:-$(rotation)}

lab=none    # the one that runs
done_=-     # names of stages that have run, with commas between them
usual=0     # seconds that these take while two idle CPUs run them
spent=0     # seconds that they took
cut_off=    # the stage that was ended because the time was over
current=start
containerd=${LAB_CONTAINERD:-} # of labs whose stage names none
control_plane=${LAB_CONTROL_PLANE:-} # the same

slowness() { # in percent, at least 100
  local percent=$((usual > 0 ? spent * 100 / usual : 100))
  echo "$((percent > 100 ? percent : 100))"
}

plan() { # lines: run or leave, name, lab, seconds, command
  local left=-
  [ -z "${E2E_SECONDS:-}" ] || left=$((E2E_SECONDS - SECONDS))
  java -XX:TieredStopAtLevel=1 e2e/src/main/java/io/numaspark/e2e/stage/StagePlanner.java \
    "$STAGES" "$left" "$(slowness)" "$rotation" "$lab" "$done_" "$chosen"
}

case $mode in
  list)
    awk -F '[ ]+' '!/^#/ && NF {printf "%-20s %-26s %5d s\n", $1, $2, $3}' "$STAGES"
    exit
    ;;
  dry-run)
    planned=$(plan)
    awk -F '\t' '$1 == "run" {printf "run    %-20s %-26s %5d s\n", $2, $3, $4} $1 == "leave" {printf "leave  %s\n", $2}' <<< "$planned"
    exit
    ;;
esac

[ "$(id -u)" = 0 ] || die "the lab needs root" "run it with sudo"

finish() {
  local status=$?
  if [ "$status" != 0 ]; then
    printf '\n== e2e failed; what the cluster says:\n' >&2
    kubectl get nodes,pods,sparknodeprofiles.numaspark.io,sparkapplications.numaspark.io -A -o wide >&2 || true
    kubectl -n numaspark-system logs deployment/numaspark --tail=60 >&2 || true
    tail -n 20 "${NUMASPARK_LAB:-/var/tmp/numaspark-lab}/logs/numa-0-console.log" >&2 || true
  fi
  [ -n "${E2E_KEEP_LAB:-}" ] || "$LAB" down
  # Last, where it is seen: what the lab said of it is far above.
  [ "$status" = 0 ] || printf '== e2e: FAILED after %d s in: %s\n' "$SECONDS" "$current" >&2
  exit "$status"
}

step() { # name, command
  local name=$1 start=$SECONDS
  current=$1
  shift
  printf '\n== %s\n' "$name"
  "$@" || return
  printf '== %s: passed in %d s\n' "$name" "$((SECONDS - start))"
}

# tests TAGS: the test classes with these tags, as JUnit reads them: vertical | admission
tests() {
  ./mvnw --batch-mode -pl e2e -am -Pe2e -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true verify "-Dgroups=$*"
}
export -f tests # for in_time

in_time() { # command, which is ended when the run has to end: then the exit code is 124
  local left=0 # no limit
  [ -z "${E2E_SECONDS:-}" ] || left=$((E2E_SECONDS + GRACE > SECONDS ? E2E_SECONDS + GRACE - SECONDS : 1))
  timeout --kill-after=30 "$left" bash -euo pipefail -c '"$@"' in_time "$@"
}

lab_for() { # the lab of a stage
  local topology part drop_in=() parts=()
  IFS=+ read -ra parts <<< "$1"
  topology=${parts[0]}
  LAB_CONTAINERD=$containerd LAB_CONTROL_PLANE=$control_plane
  for part in "${parts[@]:1}"; do
    case $part in
      containerd-*) LAB_CONTAINERD=${part#containerd-} ;;
      control-*) LAB_CONTROL_PLANE=${part#control-} ;;
      *) drop_in=(--kubelet-drop-in "e2e/kubelets/$part.yaml") ;;
    esac
  done
  export LAB_CONTAINERD LAB_CONTROL_PLANE
  step "lab $1" "$LAB" up --topology "$topology" "${drop_in[@]}"
  eval "$("$LAB" env)"
  step "install into lab $1" lab/install.sh
}

run_stage() { # name, lab, usual seconds, command
  local start status=0
  if [ "$2" = own ]; then
    lab=$2
  elif [ "$2" != none ] && [ "$2" != "$lab" ]; then
    lab_for "$2"
    lab=$2
  fi
  start=$SECONDS
  if [[ $4 == tests\ * ]]; then
    step "$1" in_time tests "${4#tests }" || status=$?
  else
    step "$1" in_time bash -euo pipefail -c "$4" || status=$?
  fi
  if [ "$status" = 124 ]; then
    printf '== %s: cut off after %d s, because the time of the run was over\n' "$1" "$((SECONDS - start))"
    # The first stage has to pass, and what hangs must not hide behind a lack of time.
    if [ "$1" != "${names[0]}" ] && [ $((100 * (SECONDS - start))) -lt $((3 * $3 * $(slowness))) ]; then
      cut_off=$1
      return
    fi
  fi
  [ "$status" = 0 ] || return "$status"
  usual=$((usual + $3))
  spent=$((spent + SECONDS - start))
  done_+=,$1
}

trap finish EXIT
# A deadline that is too long costs only a run that fails anyway.
export LAB_PATIENCE=${LAB_PATIENCE:-3}
# Unpacked into the disk of numa-0 once, and into native-0 at its first start.
export LAB_SPARK_VERSIONS="4.3.0 4.1.4 3.5.9"
# A lab that was cut off in an earlier run is cleared away, so that every run starts from the same state.
[ -n "${E2E_KEEP_LAB:-}" ] || step "clear the lab" "$LAB" down
planned=$(plan)
while IFS=$'\t' read -r what name its_lab seconds command <<< "$planned" && [ "$what" = run ]; do
  run_stage "$name" "$its_lab" "$seconds" "$command"
  planned=$(plan)
  [ -z "$cut_off" ] || break
done

# All that has not passed, whatever the plan is for it: after a cut nothing else runs.
left_out=$(awk -F '\t' 'NF {printf "%s ", $2}' <<< "$planned")
if [ -z "$left_out" ]; then
  printf '\n== e2e: every stage passed in %d s\n' "$SECONDS"
else
  printf '\n== e2e: passed in %d s. Left out, for the next commits: %s\n' "$SECONDS" "$left_out"
fi
