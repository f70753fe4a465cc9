#!/usr/bin/env bash
# Tests the agent, and writes a report as Maven's tests do: agent/target/go-reports/TEST-agent.xml. Arguments are those of 'go test'.
set -euo pipefail
cd "$(dirname "$0")"

mkdir -p target/go-reports
go tool -modfile=../build/gotools/go.mod gotestsum --format pkgname --junitfile target/go-reports/TEST-agent.xml \
  --junitfile-testsuite-name relative --junitfile-testcase-classname relative -- "${@:-./...}"
