#!/usr/bin/env bash
# Sets each value of the chart to what it should not be, one at a time, and renders: helm either takes it, or refuses it with the
# schema's words or the chart's own. An error of a template, such as a nil pointer, is a fault.
#   charts/tests/fuzz.sh [PATH]     only the values whose path contains PATH, for example metrics.service
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."

CHART=$PWD/charts/numaspark
# As JSON. The last one is what a template would execute if a value were taken for one.
WRONG=(null '""' '"a b"' '"UPPER"' -1 0 1.5 99999999999 true '[]' '["x"]' '[null]' '{}' '{"x": 1}' '{"x": null}' '"{{ fail \"executed\" }}"')

PATH=$(lab/lab tools --chart):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A chart of one line makes JSON of the values, comments and all.
mkdir -p "$work/json/templates"
printf 'apiVersion: v2\nname: json\nversion: 0.0.1\n' > "$work/json/Chart.yaml"
cp "$CHART/values.yaml" "$work/json/"
echo 'values: {{ .Values | toJson | quote }}' > "$work/json/templates/values.yaml"
helm template x "$work/json" | sed -n 's/^values: //p' | jq 'fromjson' > "$work/values.json"

# Leaves, and groups as a whole: `metrics: 1` is a mistake that people make.
mapfile -t paths < <(jq -c 'paths' "$work/values.json" | grep -v '[0-9]' || true)
tried=0 refused=0 faults=0
for path in "${paths[@]}"; do
  name=$(jq -r 'join(".")' <<< "$path")
  [[ $name == *"${1:-}"* ]] || continue
  for wrong in "${WRONG[@]}"; do
    jq -n --argjson path "$path" --argjson wrong "$wrong" '{} | setpath($path; $wrong)' > "$work/wrong.json"
    tried=$((tried + 1))
    # With everything switched on, so that each value is used.
    if helm template x "$CHART" --values charts/tests/values/everything.yaml --values "$work/wrong.json" > "$work/out" 2> "$work/err"; then
      if grep -q 'executed\|%!\|<nil>\|<no value>' "$work/out" && [[ $wrong != *executed* ]]; then
        echo "FAULT $name: $wrong is rendered as $(grep -m 1 '%!\|<nil>\|<no value>' "$work/out")"
        faults=$((faults + 1))
      fi
    elif grep -q "values don't meet the specifications of the schema\|values: " "$work/err" && ! grep -q 'nil pointer\|error calling\|wrong type' "$work/err"; then
      refused=$((refused + 1))
    else
      echo "FAULT $name: $wrong: $(tail -n 1 "$work/err")"
      faults=$((faults + 1))
    fi
  done
done
echo "chart: $tried wrong values tried, $refused refused, $faults faults"
[ "$faults" = 0 ]
