#!/usr/bin/env bash
# Checks the rules of the chart without a cluster: promtool reads them and plays the tests beside this file; each alert fires in one of
# its tests and stays silent in another, and has a section in docs/alerts.md that its annotation `runbook` leads to.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../../.."

RULES=charts/numaspark/files/rules
TESTS=charts/tests/alerts/alerts_test.yaml
RUNBOOKS=docs/alerts.md

if ! command -v promtool > /dev/null; then
  tools=$(lab/lab tools --promtool)
  PATH=$tools:$PATH
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$RULES"/*.yaml charts/tests/alerts/*_test.yaml "$work/"
promtool check rules "$work/alerts.yaml" "$work/comparison.yaml" > "$work/out" 2>&1 || { cat "$work/out" >&2 && exit 1; }
promtool test rules "$work"/*_test.yaml > "$work/out" 2>&1 || { cat "$work/out" >&2 && exit 1; }

faults=0
fault() {
  echo "alerts: $1" >&2
  faults=$((faults + 1))
}
mapfile -t alerts < <(sed -n 's/^ *- alert: *//p' "$RULES"/*.yaml)
for alert in "${alerts[@]}"; do
  grep -q "^      - alertname: $alert$" "$TESTS" || fault "$alert fires in no test of $TESTS"
  grep -q "{alertname: $alert," "$TESTS" || fault "$alert stays silent in no test of $TESTS"
  grep -q "^## $alert$" "$RUNBOOKS" || fault "$alert has no section '## $alert' in $RUNBOOKS"
  grep -q "runbook: $RUNBOOKS#${alert,,}$" "$RULES"/*.yaml || fault "$alert has no annotation runbook: $RUNBOOKS#${alert,,}"
done
while read -r section; do
  [[ " ${alerts[*]} " = *" $section "* ]] || fault "$RUNBOOKS has a section $section, and there is no such alert"
done < <(sed -n 's/^## \(Numaspark.*\)/\1/p' "$RUNBOOKS")

# How drivers are scraped is said in the docs and done in the lab: from the path on, to the next job.
rules_of_drivers() {
  sed -n '/job_name: spark-drivers/,/job_name: kube-state-metrics/p' "$1" | sed -n '/metrics_path/,$p' | sed 's/^ *//'
}
diff <(rules_of_drivers docs/examples/prometheus-drivers.yaml) <(rules_of_drivers lab/manifests/prometheus.yaml) >&2 ||
  fault "docs/examples/prometheus-drivers.yaml and lab/manifests/prometheus.yaml differ, see above"
[ "$faults" = 0 ]
echo "alerts: ${#alerts[@]} alerts, each with a runbook and tests that pass"
