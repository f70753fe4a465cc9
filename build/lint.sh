#!/usr/bin/env bash
# Checks shell scripts with shellcheck, that images start from digests with operator/image/check.sh, the chart with charts/tests/check.sh, its alert rules with charts/tests/alerts/check.sh, and the dashboards'
# structure and their fields, by Grafana's schema.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v shellcheck > /dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get install -y --no-install-recommends shellcheck > /dev/null 2>&1 ||
      { apt-get update > /dev/null && apt-get install -y --no-install-recommends shellcheck > /dev/null; }
  fi
fi
if command -v shellcheck > /dev/null; then
  mapfile -t scripts < <(git ls-files | while read -r file; do
    case $(head -c 64 "$file" | head -n 1) in '#!'*/sh | '#!'*bash) echo "$file" ;; esac
  done; git ls-files 'lab/lib/*.sh')
  shellcheck --external-sources "${scripts[@]}"
  echo "lint: ${#scripts[@]} shell scripts passed"
else
  echo "lint: SKIPPED, shellcheck is not installed (apt-get install shellcheck)"
fi
operator/image/check.sh --bases
charts/tests/check.sh
charts/tests/alerts/check.sh
dashboards/check/check.sh --structure
"$(lab/lab tools --grafana-schema)/grafana-schema" dashboards/*.json
