#!/usr/bin/env bash
# Measures the largest heaps with compressed object pointers: usage: heap-limits.sh JAVA... > heap-limits.tsv
#
# For each java program, collector and object alignment it bisects -Xmx in MiB for the largest heap that keeps
# UseCompressedOops and for the largest one whose pointers need no base ("32-bit" or "Zero based" in HotSpot's log).
# "none" is a collector that never compresses, "absent" one that this JVM does not have. Only addresses are
# reserved, so a machine with little memory will do. HotSpot only: OpenJ9 decides by other options.
set -euo pipefail

readonly COLLECTORS=(Serial Parallel G1 Shenandoah Z)
# Further options that could move the limit, one set a row; "-" is none.
readonly VARIANTS=(- -XX:G1HeapRegionSize=8m -XX:+UseTransparentHugePages -XX:+UseCompactObjectHeaders)

# start JAVA MIB OPTION...: what the JVM says of its pointers; empty if it does not start.
start() {
  local java=$1 mib=$2
  shift 2
  "$java" "$@" -Xms64m "-Xmx${mib}m" -Xlog:gc+heap+coops=debug -XX:+PrintFlagsFinal -version 2>/dev/null || true
}

compressed() { start "$@" | grep -Eq 'UseCompressedOops += true'; }
zero_based() { start "$@" | grep -Eq 'Compressed Oops mode: (32-bit|Zero based)'; }

# largest TEST LOW HIGH JAVA OPTION...: the largest MiB from LOW to HIGH that passes; LOW passes, HIGH does not.
largest() {
  local test=$1 low=$2 high=$3 java=$4 middle
  shift 4
  if ! "$test" "$java" "$low" "$@"; then echo none; return; fi
  if "$test" "$java" "$high" "$@"; then echo "error: $java $*: still so at ${high}m" >&2; return 1; fi
  while ((high - low > 1)); do
    middle=$(((low + high) / 2))
    if "$test" "$java" "$middle" "$@"; then low=$middle; else high=$middle; fi
  done
  echo "$low"
}

measure() {
  local java=$1 version=$2 collector=$3 alignment=$4 variant=$5
  local options=(-XX:+UnlockExperimentalVMOptions "-XX:+Use${collector}GC" "-XX:ObjectAlignmentInBytes=$alignment")
  local low=$((alignment * 2048)) high=$((alignment * 4096 + 4096)) limit zero
  [[ $variant == - ]] || options+=("$variant")
  if [[ -z $(start "$java" 1024 "${options[@]}") ]]; then
    limit=absent zero=absent
  else
    limit=$(largest compressed "$low" "$high" "$java" "${options[@]}")
    zero=$(largest zero_based "$low" "$high" "$java" "${options[@]}")
  fi
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$version" "$collector" "$alignment" "$variant" "$limit" "$zero"
}

(($# > 0)) || { echo "usage: heap-limits.sh JAVA..." >&2; exit 2; }
printf 'jdk\tcollector\talignment\tvariant\tcompressedMiB\tzeroBasedMiB\n'
for java in "$@"; do
  version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p')
  for collector in "${COLLECTORS[@]}"; do
    for alignment in 8 16; do
      for variant in "${VARIANTS[@]}"; do
        if [[ $variant == *G1* && $collector != G1 ]]; then continue; fi
        measure "$java" "$version" "$collector" "$alignment" "$variant"
      done
    done
  done
done
