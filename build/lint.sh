#!/usr/bin/env bash
# Checks what needs no build: all shell scripts with shellcheck, the form of Go files, the agent with staticcheck, what images start
# from, the chart, its alert rules, and the dashboards, whose fields are those of Grafana's schema. A program that is missing is
# installed, or the check fails.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=lab/lib/common.sh
. lab/lib/common.sh
# shellcheck source=lab/lib/packages.sh
. lab/lib/packages.sh

have shellcheck || ensure_packages shellcheck
mapfile -t scripts < <(git ls-files | while read -r file; do
  [ -f "$file" ] || continue # deleted, not yet committed
  case $file in *.sh) echo "$file" && continue ;; esac
  case $(head -c 64 "$file" | head -n 1 | tr -d '\0') in '#!'*/sh | '#!'*bash) echo "$file" ;; esac
done)
shellcheck --external-sources "${scripts[@]}"
echo "lint: ${#scripts[@]} shell scripts passed"
.ci/summary_test.sh
mapfile -t sources < <(git ls-files -- '*.go')
unformatted=$(gofmt -l "${sources[@]}")
[ -z "$unformatted" ] || die "these Go files are not formatted: ${unformatted//$'\n'/, }" "run 'gofmt -w' on them"
(cd agent && go vet ./... && go tool -modfile=../build/gotools/go.mod staticcheck ./...)
echo "lint: ${#sources[@]} Go files are formatted, the agent passed go vet and staticcheck"
operator/image/check.sh --bases
charts/tests/check.sh
charts/tests/alerts/check.sh
dashboards/check/check.sh --structure
"$(lab/lab tools --grafana-schema)/grafana-schema" dashboards/*.json
