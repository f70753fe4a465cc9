#!/usr/bin/env bash
# Checks what `make build` has packed for the images, and the images: see usage below, and docs/images.md.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."

usage() {
  cat << 'TEXT'
usage: check.sh [--twice]

Without an option, in a second: each bill of materials names the libraries beside it and no other, with a licence, and each image's
runtime has the modules that its jars use.
  --twice   builds everything two more times, without class data archives, in folders of different names and with nothing but Maven's
            repository and the base images in common, and compares the digests of the images (minutes; needs root, as the lab does)
TEXT
}

twice=''
case ${1:-} in
  '') ;;
  --twice) twice=yes ;;
  *) usage >&2 && exit 2 ;;
esac

fail() { echo "images: $*" >&2 && exit 1; }

# bill FOLDER ARTIFACT: FOLDER/sbom/ARTIFACT.json against the jars of FOLDER/lib.
bill() {
  local bill=$1/sbom/$2.json unlicensed
  [ -f "$bill" ] || fail "there is no $bill; run 'make build'"
  # What is described is a jar of the folder too, as it is called there.
  diff <(jq -r --arg self "$2" '.components[] | select(.name != $self) | "\(.name)-\(.version).jar"' "$bill" | sort) \
    <(cd "$1/lib" && printf '%s\n' *.jar | grep -v "^$2" | sort) > /tmp/images-check.$$ ||
    { cat /tmp/images-check.$$ && rm /tmp/images-check.$$ && fail "$bill and $1/lib differ"; }
  rm /tmp/images-check.$$
  unlicensed=$(jq -r '.components[] | select((.licenses // []) == []) | .name' "$bill")
  [ -z "$unlicensed" ] || fail "no licence in $bill: $unlicensed"
  echo "images: $bill names $(jq '.components | length' "$bill") libraries"
}

# modules DOCKERFILE JAR...: those that jdeps names are given to jlink.
modules() {
  local file=$1 needed module
  shift
  needed=$(jdeps --multi-release 17 --ignore-missing-deps --print-module-deps "$@" | tail -n 1)
  for module in ${needed//,/ }; do
    # java.base is in every runtime.
    [ "$module" = java.base ] || grep -qE -- "--add-modules .*\b$module\b" "$file" || fail "$file leaves out $module, which jdeps names"
  done
  echo "images: $file has the modules $needed"
}

# In a folder of its own: everything from the sources, and the three archives.
build() { # FOLDER
  mkdir -p "$1/checkout"
  git ls-files -z | xargs -0 cp --parents --target-directory "$1/checkout"
  (
    cd "$1/checkout"
    # A JVM does not dump the same archive twice (docs/images.md).
    sed -i 's/^ARG CLASS_ARCHIVE=yes/ARG CLASS_ARCHIVE=no/' Dockerfile operator/agent/Dockerfile
    mvn --batch-mode --quiet -DskipTests -Psbom -pl operator/controller,operator/cli,operator/agent,spark-plugin -am package > /dev/null
    # shellcheck disable=SC1091 # they are checked by themselves
    . e2e/lab/lib/common.sh && . e2e/lab/lib/packages.sh && . e2e/lab/lib/images.sh
    for image in operator agent spark-plugin; do
      mkdir "$1/$image"
      "make_${image}_archive" "$1/$image"
      echo "$image $(tar -xOf "$1/$image/$image.tar" index.json | jq -r '.manifests[0].digest')"
    done
  )
}

bill operator/controller/target/app numaspark-controller
bill operator/cli/target/app numaspark-cli
bill operator/agent/target/app numaspark-agent
# One image has both folders; a jar that both have is the same.
mapfile -t jars < <(printf '%s\n' operator/controller/target/app/lib/*.jar operator/cli/target/app/lib/*.jar | awk -F/ '!seen[$NF]++')
modules Dockerfile "${jars[@]}"
modules operator/agent/Dockerfile operator/agent/target/app/lib/*.jar

[ -n "$twice" ] || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build "$folder/a" > "$folder/first"
build "$folder/of-another-name" > "$folder/second"
diff "$folder/first" "$folder/second" || fail "two builds of the same files differ"
sed 's/^/images: twice the same: /' "$folder/first"
