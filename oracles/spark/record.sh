#!/usr/bin/env bash
# Records what executor pods request, as Spark's own KubernetesExecutorBuilder makes them: one run for each Spark in
# spark-*.txt here, over the cases of cases.tsv, over what numaspark rendered into its golden files, and
# over what `numaspark inject` made of properties of spark-submit.
#
# Writes operator/render/src/test/resources/spark-oracle/pods.tsv, which SparkOracleTest holds the planner to.
# Downloads about 400 MB for each Spark that is not in the cache yet.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly resources=$here/../../operator/render/src/test/resources
readonly injected=$here/../../operator/cli/src/test/resources/golden/inject/after
readonly lab=$here/../../lab/lab

pods=$(mktemp)
trap 'rm -f "$pods"' EXIT
printf 'spark\tcase\tcpuRequest\tcpuLimit\tmemoryRequest\tmemoryLimit\ttaskSlots\theap\tjvmOptions\ttemplate\n' > "$pods"
for requirements in "$here"/spark-*.txt; do
  version=$(basename "$requirements" .txt)
  distribution=$("$lab" spark "${version#spark-}")
  java -cp "$distribution/jars/*" -Dlog4j2.level=ERROR "$here/RecordExecutorPods.java" \
    "$resources/spark-oracle/cases.tsv" "$resources/golden" "$injected" 2>/dev/null >> "$pods" \
    || { echo "error: $requirements: Spark's builder failed; run java without 2>/dev/null to see why" >&2; exit 1; }
done
cp "$pods" "$resources/spark-oracle/pods.tsv"
wc -l "$resources/spark-oracle/pods.tsv"
