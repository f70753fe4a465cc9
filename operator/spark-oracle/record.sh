#!/usr/bin/env bash
# Records what executor pods request, as Spark's own KubernetesExecutorBuilder makes them: one run for each Spark in
# spark-*.txt here, over the cases of cases.tsv and over what numaspark rendered into its golden files.
#
# Writes operator/render/src/test/resources/spark-oracle/pods.tsv, which SparkOracleTest holds the planner to.
# Downloads about 400 MB for each Spark that is not in the cache yet.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly resources=$here/../render/src/test/resources
readonly cache=${XDG_CACHE_HOME:-$HOME/.cache}/numaspark/spark-oracle

# jars REQUIREMENTS: prints the folder of that Spark's jars, downloaded once.
jars() {
  local folder
  folder=$cache/$(sha256sum "$1" | cut -c1-12)
  if [[ ! -d $folder ]]; then
    rm -rf "$folder.part"
    mkdir -p "$folder.part"
    # The system's Python: another one in PATH may lack pip.
    PIP_DISABLE_PIP_VERSION_CHECK=1 /usr/bin/python3 -m pip download --quiet --no-cache-dir --no-deps --no-binary :all: \
      --require-hashes -r "$1" -d "$folder.part" >&2
    tar -C "$folder.part" -xzf "$folder.part"/pyspark-*.tar.gz --strip-components=2 --no-same-owner --wildcards \
      --exclude='*/deps/jars/connect-repl' '*/deps/jars'
    rm "$folder.part"/pyspark-*.tar.gz
    mv "$folder.part" "$folder"
  fi
  echo "$folder/jars"
}

pods=$(mktemp)
trap 'rm -f "$pods"' EXIT
printf 'spark\tcase\tcpuRequest\tcpuLimit\tmemoryRequest\tmemoryLimit\ttaskSlots\theap\tjvmOptions\ttemplate\n' > "$pods"
for requirements in "$here"/spark-*.txt; do
  classpath=$(jars "$requirements")
  java -cp "$classpath/*" -Dlog4j2.level=ERROR "$here/RecordExecutorPods.java" \
    "$resources/spark-oracle/cases.tsv" "$resources/golden" 2>/dev/null >> "$pods" \
    || { echo "error: $requirements: Spark's builder failed; run java without 2>/dev/null to see why" >&2; exit 1; }
done
cp "$pods" "$resources/spark-oracle/pods.tsv"
wc -l "$resources/spark-oracle/pods.tsv"
