#!/bin/sh
# Prints the bill of materials (CycloneDX) of what an image has beside our jars, which have bills of their own: the base image, the
# Java runtime as it says itself, and programs taken from the image of the JDK. It has no time and no serial number: the same inputs
# give the same bill. The Dockerfiles run it in the stage that builds; operator/image/check.sh holds an image to it.
# Usage: bill.sh NAME VERSION JRE [PROGRAM...], with JDK_IMAGE, JDK_DIGEST, RUNTIME_IMAGE and RUNTIME_DIGEST in the environment.
set -eu

name=$1 version=$2 jre=$3
shift 3

check_digest() { # ARGUMENT VALUE
  printf '%s\n' "$2" | grep -qxE 'sha256:[0-9a-f]{64}' ||
    { echo "$1 is '$2'; give the digest of the image, 'sha256:' and 64 hexadecimal digits (docs/images.md)" >&2 && exit 1; }
}
check_digest JDK_DIGEST "$JDK_DIGEST"
check_digest RUNTIME_DIGEST "$RUNTIME_DIGEST"

text() { printf '"%s"' "$(printf '%s' "$1" | tr -d '[:cntrl:]' | sed 's/[\\"]/\\&/g')"; }

# Of REGISTRY/NAME:TAG; a colon before the last slash is a port's.
repository() { printf '%s' "$1" | sed 's,:[^/:]*$,,'; }
tag() { printf '%s' "$1" | sed -n 's,^.*:\([^/:]*\)$,\1,p'; }

image() { # ID REFERENCE DIGEST: a component
  repository=$(repository "$2")
  printf '{"type": "container", "bom-ref": "%s", "name": %s, "version": "%s", "purl": %s, "properties": [{"name": "numaspark:tag", "value": %s}]}' \
    "$1" "$(text "$repository")" "$3" "$(text "pkg:oci/${repository##*/}@${3%%:*}%3A${3#*:}?repository_url=$repository")" "$(text "$(tag "$2")")"
}

property() { # NAME: a system property of the runtime
  printf '%s\n' "$settings" | sed -n "s/^ *$1 = //p"
}

settings=$("$jre/bin/java" -XshowSettings:properties -version 2>&1)
runtime_version=$(property java.runtime.version)
[ -n "$runtime_version" ] || { echo "the runtime $jre does not tell its version" >&2 && exit 1; }

cat << JSON
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "version": 1,
  "metadata": {
    "component": {"type": "container", "bom-ref": "image", "name": $(text "$name"), "version": $(text "$version")}
  },
  "components": [
    $(image base "$RUNTIME_IMAGE" "$RUNTIME_DIGEST"),
    {
      "type": "platform",
      "bom-ref": "runtime",
      "name": $(text "$(property java.runtime.name)"),
      "version": $(text "$runtime_version"),
      "publisher": $(text "$(property java.vendor)"),
      "licenses": [{"expression": "GPL-2.0-only WITH Classpath-exception-2.0"}],
      "pedigree": {"ancestors": [$(image jdk "$JDK_IMAGE" "$JDK_DIGEST")]},
      "components": [
JSON
"$jre/bin/java" --list-modules | LC_ALL=C sort | sed 's,^\([^@]*\)@\(.*\)$,        {"type": "library"\, "name": "\1"\, "version": "\2"},; $!s/$/,/'
printf '      ]\n    }'
for program in "$@"; do
  printf ',\n    {"type": "application", "name": %s, "version": %s, "licenses": [{"license": {"id": "GPL-2.0-or-later"}}], "hashes": [{"alg": "SHA-256", "content": "%s"}]}' \
    "$(text "${program##*/}")" "$(text "$("$program" --version | sed -n '1s/^.* from //p')")" "$(sha256sum < "$program" | cut -d ' ' -f 1)"
done
printf '\n  ]\n}\n'
