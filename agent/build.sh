#!/usr/bin/env bash
# Builds what the agent's image has into agent/target/app: two static programs, the same from the same files, and for each a bill of
# materials (CycloneDX). Both programs say the version of the parent POM.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n '/<artifactId>numaspark-parent</,/<version>/s:.*<version>\(.*\)</version>.*:\1:p' ../pom.xml | head -n 1)
[ -n "$version" ] || { echo "agent: ../pom.xml has no version" >&2 && exit 1; }
command -v go > /dev/null || { echo "agent: Go is not installed; install Go 1.26 or later and put it in PATH" >&2 && exit 1; }

export CGO_ENABLED=0 GOFLAGS=-trimpath GOWORK=off
tool=(go tool -modfile=../build/gotools/go.mod)
app=target/app
mkdir -p "$app/sbom"
cp ../LICENSE "$app/"
for program in numaspark-agent numaspark-writer; do
  go build -buildvcs=false -ldflags "-s -w -X main.version=$version" -o "$app/$program" "./cmd/$program"
  # Licences as they are found in the modules; no time and no serial number, so that the same files give the same bill.
  "${tool[@]}" cyclonedx-gomod app -json -licenses -assert-licenses -std -noserial -notimestamp -main "cmd/$program" . 2> "$app/bill.log" |
    jq --arg name "$program" --arg version "$version" '
      .metadata.component as $self | ($self["bom-ref"]) as $old | ("pkg:golang/numaspark.io/agent@" + $version) as $new
      | walk(if . == $old then $new else . end)
      | .metadata.component += {name: $name, version: $version, purl: $new} | del(.metadata.tools)' > "$app/sbom/$program.json" ||
    { cat "$app/bill.log" >&2 && exit 1; }
done
rm -f "$app/bill.log"
