#!/usr/bin/env bash
# Runs the benchmarks of Spark: bench.sh [--spark-version VERSION] [OPTION...]; --help lists the options.
# Measures what was built last.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly root=$here/../..
readonly libraries=$here/target/app/lib
readonly plugin=$root/spark-plugin/target/app/numaspark-spark-plugin.jar

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
spark=$("$root/lab/lab" spark "$version")
scratch=$(mktemp -d "$cache/run.XXXXXX")
tmpfs=$(mktemp -d /dev/shm/numaspark-bench.XXXXXX)
trap 'rm -rf --one-file-system "$scratch" "$tmpfs"' EXIT
# Copies, so that the next build does not change what is being measured.
cp -r "$libraries" "$scratch/jars"
cp "$plugin" "$scratch/plugin.jar"
(cd "$here/device" && CGO_ENABLED=0 go build -trimpath -o "$scratch/device-program" .)
java -cp "$scratch/jars/*" io.numaspark.sparkbench.Main \
  --spark-home "$spark" --jars "$scratch/jars" --plugin "$scratch/plugin.jar" --cache "$cache" \
  --scratch "$scratch" --tmpfs "$tmpfs" --device-program "$scratch/device-program" "$@"
