#!/usr/bin/env bash
# Checks what `make build` has packed for the images, and the images: see usage below, and docs/images.md.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."

usage() {
  cat << 'TEXT'
usage: check.sh [--bases | --image ARCHIVE | --released ARCHIVE | --twice]

Without an option, in a second: each bill of materials names the libraries beside it and no other, with a licence, and each image's
runtime has the modules that its jars use.
  --bases   every Dockerfile names what it starts from by digest, and the check of images finds what it is to find
  --image   the bill of an image of the lab names the base image that its first layers are, the Java runtime as that says itself, and
            whatever else is not in a bill of our jars (needs root, as the lab does)
  --released  the same, and its jars are those of its bills, which only 'make build' makes
  --twice   builds everything two more times, without class data archives, in folders of different names and with nothing but Maven's
            repository and the base images in common, and compares the digests of the images (minutes; needs root, as the lab does)
TEXT
}

twice=''
case ${1:-} in
  '' | --bases | --image | --released) ;;
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
  # Names are easy to keep.
  jq -r --arg self "$2" '.components[] | select(.name != $self)
    | "\([.hashes[]? | select(.alg == "SHA-256").content][0] // "none")  \(.name)-\(.version).jar"' "$bill" |
    (cd "$1/lib" && sha256sum --check --strict --quiet >&2) || fail "a jar of $1/lib is not the one that $bill names; run 'make build' again"
  unlicensed=$(jq -r '.components[] | select((.licenses // []) == []) | .name' "$bill")
  [ -z "$unlicensed" ] || fail "no licence in $bill: $unlicensed"
  echo "images: $bill names $(jq '.components | length' "$bill") libraries"
}

# go_bill FOLDER PROGRAM: FOLDER/sbom/PROGRAM.json against what the linker has put into FOLDER/PROGRAM.
go_bill() {
  local bill=$1/sbom/$2.json unlicensed
  [ -f "$bill" ] || fail "there is no $bill; run 'make build'"
  diff <(jq -r '.components[] | "\(.name) \(.version)"' "$bill" | sort) \
    <(go version -m "$1/$2" | awk 'NR == 1 { print "std", $NF } $1 == "dep" { print $2, $3 }' | sort) > "$scratch/bill" ||
    { cat "$scratch/bill" && fail "$bill and $1/$2 differ"; }
  unlicensed=$(jq -r '.components[] | select((.licenses // []) == []) | .name' "$bill")
  [ -z "$unlicensed" ] || fail "no licence in $bill: $unlicensed"
  echo "images: $bill names $(jq '.components | length' "$bill") modules"
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
    sed -i 's/^ARG CLASS_ARCHIVE=yes/ARG CLASS_ARCHIVE=no/' Dockerfile
    ./mvnw --batch-mode --quiet -DskipTests -Psbom -pl operator/controller,operator/cli,spark-plugin -am package > /dev/null
    agent/build.sh
    # shellcheck disable=SC1091 # they are checked by themselves
    . lab/lib/common.sh && . lab/lib/packages.sh && . lab/lib/images.sh
    for image in operator agent spark-plugin; do
      mkdir "$1/$image"
      "make_${image}_archive" "$1/$image"
      [ "$image" != operator ] || operator/image/check.sh --released "$1/$image/$image.tar" >&2
      echo "$image $(tar -xOf "$1/$image/$image.tar" index.json | jq -r '.manifests[0].digest')"
    done
  )
}

# bases DOCKERFILE...: what is built from is named by a digest that the build is given: FROM, COPY --from, RUN --mount=from=. Exempt are
# scratch and the stages of the file.
bases() {
  local file wrong
  for file in "$@"; do
    wrong=$(awk '
      function known(name) { return name == "scratch" || name in stages || name ~ /@\$\{[A-Z]+_DIGEST(:-[^}]*)?\}$/ || name ~ /@sha256:[0-9a-f]+$/ }
      function statement(line, text, word, at, rest, name) {
        split(text, word); word[1] = tolower(word[1])
        if (word[1] == "from") {
          at = word[2] ~ /^--/ ? 3 : 2
          if (!known(word[at])) print line ": " text
          if (tolower(word[at + 1]) == "as") stages[word[at + 2]]
        }
        if (word[1] == "add" && text ~ /(:\/\/|git@)/ && text !~ /--checksum=sha256:[0-9a-f]+/) print line ": " text
        if (word[1] ~ /^(copy|run|add)$/)
          for (rest = text; match(rest, /(--|,)from=[^ ,]+/); rest = substr(rest, RSTART + RLENGTH)) {
            name = substr(rest, RSTART, RLENGTH); sub(/.*from=/, "", name)
            if (!known(name) && name !~ /^[0-9]+$/) print line ": " text
          }
      }
      /^# *syntax *=/ && !/@sha256:/ { print FNR ": " $0 }
      /^ *#/ { next }
      { text = text $0 }
      sub(/\\ *$/, " ", text) { next }
      { statement(FNR, text); text = "" }
      ' "$file")
    [ -z "$wrong" ] || fail "$file names an image without a digest; write FROM \${NAME_IMAGE}@\${NAME_DIGEST:-...} (docs/images.md):"$'\n'"$wrong"
  done
}

# jars TREE: those of an unpacked image are in its bills, by hash. What a bill is about has none in it, and is known by its name.
jars() {
  local folder=$1/opt/numaspark unknown
  compgen -G "$folder/lib/*.jar" > /dev/null || fail "the image has no jars"
  jq -r '.components[].hashes[]? | select(.alg == "SHA-256") | .content + "  "' "$folder"/sbom/*.json > "$scratch/known"
  jq -r '.metadata.component | "  " + .name + "-" + .version + ".jar", "  " + .name + ".jar"' "$folder"/sbom/*.json >> "$scratch/known"
  unknown=$(cd "$folder/lib" && sha256sum -- *.jar | { grep -vFf "$scratch/known" || true; })
  [ -z "$unknown" ] || fail "no bill of the image names these jars as they are: $unknown"
}

# hold TREE CONFIG BASE-LAYERS ADDED: the bill in the unpacked image TREE. BASE-LAYERS has the layers' ids of the base that the labels of
# CONFIG name, ADDED the paths that lie on top of them.
hold() {
  local tree=$1 config=$2 layers=$3 added=$4 bill=$1/opt/numaspark/sbom/image.json jdk=() programs=() program
  label() { jq -r --arg name "org.opencontainers.image.$1" '.config.Labels[$name] // ""' "$config"; }
  [ -f "$bill" ] || fail "the image has no /opt/numaspark/sbom/image.json, the bill of base and runtime"
  jq -e '[.components[] | select(."bom-ref" == "base")] | length == 1' "$bill" > /dev/null || fail "the bill lacks the base image"
  jq -e '[.components[] | select(."bom-ref" == "runtime")] | length == 1' "$bill" > /dev/null || fail "the bill lacks the Java runtime"
  jq -e --rawfile base "$layers" '($base | split("\n") | map(select(. != ""))) as $base
    | ($base | length) > 0 and .rootfs.diff_ids[:$base | length] == $base' "$config" > /dev/null ||
    fail "the image does not start with the layers of its base, $(label base.name)@$(label base.digest)"
  mapfile -t jdk < <(jq -r '.components[] | select(."bom-ref" == "runtime") | .pedigree.ancestors[0]
    | .name + ":" + (.properties[0].value // ""), .version' "$bill")
  mapfile -t programs < <(grep -vE '^(\./)?opt/numaspark(/|$)|/$' "$added")
  for program in "${!programs[@]}"; do programs[program]=$tree/${programs[program]}; done
  # What an image's own tools say of it, against what the bill says of it.
  JDK_IMAGE=${jdk[0]:-} JDK_DIGEST=${jdk[1]:-} RUNTIME_IMAGE=$(label base.name) RUNTIME_DIGEST=$(label base.digest) \
    operator/image/bill.sh "$(jq -r .metadata.component.name "$bill")" "$(label version)" "$tree/opt/numaspark/jre" "${programs[@]}" \
    > "$tree.bill" || fail "the image does not say what it has"
  diff <(jq -S . "$bill") <(jq -S . "$tree.bill") || fail "the bill (<) is not what the image has (>)"
}

# storage ARGUMENT...: buildah with the storage of the lab.
storage() {
  # shellcheck disable=SC2016 # arguments of the inner shell
  bash -c '. lab/lib/common.sh && . lab/lib/images.sh && buildah_lab "$@"' storage "$@"
}

# image ARCHIVE [yes]: holds the image in it, whose base is in the lab's storage; with yes its jars too.
image() {
  local folder=$scratch/image blobs=$scratch/image/archive/blobs/sha256 manifest config base layer number=0 first
  mkdir -p "$folder/archive" "$folder/tree"
  tar -C "$folder/archive" -xf "$1"
  manifest=$blobs/$(jq -r '.manifests[0].digest | ltrimstr("sha256:")' "$folder/archive/index.json")
  config=$blobs/$(jq -r '.config.digest | ltrimstr("sha256:")' "$manifest")
  base=$(jq -r '.config.Labels | (."org.opencontainers.image.base.name" // "") + "@" + (."org.opencontainers.image.base.digest" // "")' "$config")
  storage inspect --type image "$base" > "$folder/base" || fail "the lab has no image $base, which the labels of $1 name"
  jq -r '.OCIv1.rootfs.diff_ids[]' "$folder/base" > "$folder/layers"
  first=$(wc -l < "$folder/layers")
  touch "$folder/added"
  while read -r layer; do
    tar -C "$folder/tree" -xf "$blobs/$layer" --no-same-owner
    [ "$number" -lt "$first" ] || tar -tf "$blobs/$layer" >> "$folder/added"
    number=$((number + 1))
  done < <(jq -r '.layers[].digest | ltrimstr("sha256:")' "$manifest")
  hold "$folder/tree" "$config" "$folder/layers" "$folder/added"
  [ -z "$2" ] || jars "$folder/tree"
  echo "images: the bill of ${1##*/} names its base, $(jq -r '.components[] | select(."bom-ref" == "runtime") | .publisher + " " + .version' \
    "$folder/tree/opt/numaspark/sbom/image.json"), and what else it has"
}

# The checks above, on a made-up image and made-up Dockerfiles, each with one fault.
refuses() { # MESSAGE COMMAND...
  local message=$1 said
  shift
  ! said=$("$@" 2>&1) || fail "not refused: $message"
  [[ $said == *"$message"* ]] || fail "refused with other words than '$message': $said"
}

made_up_image() {
  local folder=$1 zeros ones
  zeros=sha256:$(printf '0%.0s' {1..64}) ones=sha256:$(printf '1%.0s' {1..64})
  mkdir -p "$folder/tree/opt/numaspark/jre/bin" "$folder/tree/opt/numaspark/sbom" "$folder/tree/usr/bin"
  cat > "$folder/tree/opt/numaspark/jre/bin/java" << 'TEXT'
#!/bin/sh
case $1 in
  --list-modules) printf '%s\n' java.base@17.0.1 jdk.crypto.ec@17.0.1 ;;
  *) printf '    %s\n' 'java.runtime.name = A Runtime' 'java.runtime.version = 17.0.1+2' 'java.vendor = A "Vendor"' >&2 ;;
esac
TEXT
  printf '%s\n' '#!/bin/sh' 'echo "tool from tools 1.2"' > "$folder/tree/usr/bin/tool"
  chmod +x "$folder/tree/opt/numaspark/jre/bin/java" "$folder/tree/usr/bin/tool"
  jq -n --arg digest "$zeros" '{config: {Labels: {"org.opencontainers.image.base.name": "registry:5000/base:1",
    "org.opencontainers.image.base.digest": $digest, "org.opencontainers.image.version": "1"}}, rootfs: {diff_ids: ["sha256:a", "sha256:b"]}}' \
    > "$folder/config"
  echo sha256:a > "$folder/layers"
  printf '%s\n' opt/numaspark/ opt/numaspark/sbom/image.json usr/bin/ usr/bin/tool > "$folder/added"
  JDK_IMAGE=jdk:1 JDK_DIGEST=$ones RUNTIME_IMAGE=registry:5000/base:1 RUNTIME_DIGEST=$zeros \
    operator/image/bill.sh made-up 1 "$folder/tree/opt/numaspark/jre" "$folder/tree/usr/bin/tool" > "$folder/bill"
}

self_test() {
  local folder=$scratch/self-test bill=$scratch/self-test/tree/opt/numaspark/sbom/image.json change digest
  made_up_image "$folder"
  with() { # PROGRAM-OF-JQ: hold the image with a bill that was changed so
    jq "$1" "$folder/bill" > "$bill"
    hold "$folder/tree" "$folder/config" "$folder/layers" "$folder/added"
  }
  with . || fail "a bill that is right is refused"
  refuses 'lacks the base image' with 'del(.components[] | select(."bom-ref" == "base"))'
  refuses 'lacks the Java runtime' with 'del(.components[] | select(."bom-ref" == "runtime"))'
  for change in '(.components[] | select(."bom-ref" == "base") | .version) |= sub("0$"; "1")' \
    '(.components[] | select(."bom-ref" == "runtime") | .version) = "17.0.2+1"' \
    '(.components[] | select(."bom-ref" == "runtime") | .publisher) = "another"' \
    'del(.components[] | select(."bom-ref" == "runtime") | .components[1])' \
    'del(.components[] | select(.name == "tool"))' '.serialNumber = "urn:uuid:1"'; do
    refuses 'is not what the image has' with "$change"
  done
  refuses 'give the digest' with '(.components[] | select(."bom-ref" == "runtime") | .pedigree.ancestors[0].version) = "17"'
  echo sha256:b > "$folder/layers"
  refuses 'does not start with the layers of its base' with .

  # A jar that a bill names, one that a bill is about, and one that has changed since.
  mkdir "$folder/tree/opt/numaspark/lib"
  echo a > "$folder/tree/opt/numaspark/lib/a-1.jar"
  echo b > "$folder/tree/opt/numaspark/lib/numaspark-b.jar"
  jq -n --arg hash "$(sha256sum < "$folder/tree/opt/numaspark/lib/a-1.jar" | cut -d ' ' -f 1)" '{metadata: {component: {name: "numaspark-b", version: "1"}},
    components: [{name: "a", version: "1", hashes: [{alg: "SHA-256", content: $hash}]}]}' > "$folder/tree/opt/numaspark/sbom/b.json"
  jars "$folder/tree"
  echo changed > "$folder/tree/opt/numaspark/lib/a-1.jar"
  refuses 'no bill of the image names these jars' jars "$folder/tree"

  rm "$bill"
  refuses 'has no /opt/numaspark/sbom/image.json' hold "$folder/tree" "$folder/config" "$folder/layers" "$folder/added"

  for digest in '' sha256:abc "sha256:$(printf 'A%.0s' {1..64})" "sha512:$(printf '0%.0s' {1..128})"; do
    refuses 'JDK_DIGEST is ' env JDK_IMAGE=a JDK_DIGEST="$digest" RUNTIME_IMAGE=b RUNTIME_DIGEST="$digest" \
      operator/image/bill.sh a 1 "$folder/tree/opt/numaspark/jre"
  done

  # shellcheck disable=SC2016 # arguments of builds
  for change in 'FROM debian' 'FROM debian:12' 'FROM ${BASE}' 'from --platform=linux/amd64 debian:12 AS build' 'FROM debian@${TAG}' \
    $'FROM scratch\nCOPY --from=busybox:1 /bin/sh /bin/sh' $'FROM scratch\nRUN --mount=type=bind,from=debian:12,target=/d true' \
    $'FROM scratch\nRUN \\\n  --mount=type=bind,from=debian:12,target=/d true' $'FROM scratch\nADD https://example.org/a.tar.gz /a' \
    $'# syntax=docker/dockerfile:1\nFROM scratch'; do
    printf '%s\n' "$change" > "$folder/Dockerfile"
    refuses 'names an image without a digest' bases "$folder/Dockerfile"
  done
  # shellcheck disable=SC2016
  printf '%s\n' 'FROM ${A}@${A_DIGEST:-give-it} AS build' 'FROM build' 'COPY --from=build /a /a' 'FROM scratch' > "$folder/Dockerfile"
  bases "$folder/Dockerfile"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case ${1:-} in
  --image)
    image "${2:?--image: give the archive of an image}" ''
    exit
    ;;
  --released)
    image "${2:?--released: give the archive of an image}" yes
    exit
    ;;
esac
if [ "${1:-}" = --bases ]; then
  self_test
  mapfile -t dockerfiles < <(git ls-files -- '*Dockerfile*' '*Containerfile*')
  bases "${dockerfiles[@]}"
  echo "images: ${#dockerfiles[@]} Dockerfiles name what they start from by digest"
  exit
fi

bill operator/controller/target/app numaspark-controller
bill operator/cli/target/app numaspark-cli
arch=$(go env GOHOSTARCH)
go_bill "agent/target/app/$arch" numaspark-agent
go_bill "agent/target/app/$arch" numaspark-writer
go_bill "agent/target/app/$arch" numaspark-pinner
go_bill "agent/target/app/$arch" numaspark-counter
go_bill "agent/target/app/$arch" numaspark-smt
# One image has both folders; a jar that both have is the same.
mapfile -t jars < <(printf '%s\n' operator/controller/target/app/lib/*.jar operator/cli/target/app/lib/*.jar | awk -F/ '!seen[$NF]++')
modules Dockerfile "${jars[@]}"

[ -n "$twice" ] || exit 0
folder=$scratch/twice
mkdir "$folder"
build "$folder/a" > "$folder/first"
build "$folder/of-another-name" > "$folder/second"
diff "$folder/first" "$folder/second" || fail "two builds of the same files differ"
sed 's/^/images: twice the same: /' "$folder/first"
