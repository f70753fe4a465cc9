#!/usr/bin/env bash
# Measures the CPU time that facts cost an executor: a JVM with 200 idle threads and a touched heap, sampled as usual (every 10 s, its
# pages every 60 s), and single samples for comparison. No Spark and no root needed.
# Usage: bench/plugin/facts-cost.sh [HEAP_GIB [SECONDS]], default 4 and 300. `./mvnw -pl spark-plugin test-compile` comes before.
set -euo pipefail
cd "$(dirname "$0")/../../spark-plugin"

heap=${1:-4}
seconds=${2:-300}
[[ $heap =~ ^[1-9][0-9]*$ && $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '4s/^# //p' "$0" >&2 && exit 2; }
[ -e target/test-classes/numaspark/facts/FactsCost.class ] ||
  { echo "facts-cost: there is no compiled FactsCost; run './mvnw -pl spark-plugin test-compile' first" >&2 && exit 1; }

../mvnw --batch-mode --quiet -f .. -pl spark-plugin dependency:build-classpath -Dmdep.outputFile="$PWD/target/facts-cost.classpath"
echo "CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d ' ' -f 1 /proc/loadavg)"
echo "transparent huge pages: $(cat /sys/kernel/mm/transparent_hugepage/enabled 2> /dev/null || echo none)"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"$java" -Xms"${heap}g" -Xmx"${heap}g" -XX:+AlwaysPreTouch -XX:+UseParallelGC -cp "target/classes:target/test-classes:$(cat target/facts-cost.classpath)" \
  numaspark.facts.FactsCost "$seconds"
