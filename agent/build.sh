#!/usr/bin/env bash
# Builds what the agent's image has into agent/target/app/ARCH: five static programs, the same from the same files, and for each a bill
# of materials (CycloneDX). All say the version of the parent POM.
# Usage: agent/build.sh [ARCH...], for example amd64 arm64; without one for the processor of this machine.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n '/<artifactId>numaspark-parent</,/<version>/s:.*<version>\(.*\)</version>.*:\1:p' ../pom.xml | head -n 1)
[ -n "$version" ] || { echo "agent: ../pom.xml has no version" >&2 && exit 1; }
command -v go > /dev/null || { echo "agent: Go is not installed; install Go 1.26 or later and put it in PATH" >&2 && exit 1; }

export CGO_ENABLED=0 GOFLAGS=-trimpath GOWORK=off
# The tool is a program of this machine, whatever the processor of ours.
bill=$(GOFLAGS='' go tool -modfile=../build/gotools/go.mod -n cyclonedx-gomod)

# The tool asks git for the version of our module, and fails in an export and in a work tree of another clone.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r go.mod go.sum cmd internal "$copy"
git -C "$copy" init --quiet
git -C "$copy" -c user.name=agent -c user.email=agent@localhost commit --quiet --allow-empty --message=copy

build() { # PROGRAM: for $GOARCH, into $app
  local program=$1
  go build -buildvcs=false -ldflags "-s -w -X main.version=$version" -o "$app/$program" "./cmd/$program"
  # Licences as they are found in the modules; no time and no serial number, so that the same files give the same bill.
  "$bill" app -json -licenses -assert-licenses -std -noserial -notimestamp -main "cmd/$program" "$copy" 2> "$app/bill.log" |
    jq --arg name "$program" --arg version "$version" '
      .metadata.component as $self | ($self["bom-ref"]) as $old | ("pkg:golang/numaspark.io/agent@" + $version) as $new
      | walk(if . == $old then $new else . end)
      | .metadata.component += {name: $name, version: $version, purl: $new} | del(.metadata.tools)
      # Go itself, which the tool looks for in no module.
      | (.components[] | select(.name == "std")) += {licenses: [{license: {id: "BSD-3-Clause"}}]}' > "$app/sbom/$program.json" ||
    { cat "$app/bill.log" >&2 && exit 1; }
}

[ $# -gt 0 ] || set -- "$(go env GOHOSTARCH)"
for GOARCH in "$@"; do
  export GOARCH
  app=target/app/$GOARCH
  mkdir -p "$app/sbom"
  cp ../LICENSE "$app/"
  build numaspark-agent
  build numaspark-writer
  build numaspark-pinner
  build numaspark-counter
  build numaspark-smt
  rm -f "$app/bill.log"
done
