#!/usr/bin/env bash
# Runs the benchmarks of Spark: bench.sh [--spark-version VERSION] [OPTION...]. What was built by `make build` is measured.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly root=$here/..
readonly libraries=$here/target/app/lib
readonly plugin=$root/spark-plugin/target/numaspark-spark-plugin.jar
readonly device=$here/target/device

version=4.3.0
if [ "${1:-}" = --spark-version ]; then
  version=${2:?--spark-version needs a version, such as 4.3.0}
  shift 2
fi
for built in "$libraries" "$plugin"; do
  [ -e "$built" ] || { echo "error: $built is missing: run 'make build' first" >&2; exit 1; }
done
cache=${NUMASPARK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/numaspark}/bench-spark
mkdir -p "$cache"
spark=$("$root/e2e/lab/lab" spark "$version")
(cd "$here/device" && CGO_ENABLED=0 go build -trimpath -o "$device" .)
exec java -cp "$libraries/*" io.numaspark.sparkbench.Main \
  --spark-home "$spark" --jars "$libraries" --plugin "$plugin" --cache "$cache" --device-program "$device" "$@"
