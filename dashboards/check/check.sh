#!/usr/bin/env bash
# Checks the Grafana dashboards without Grafana: their structure, and that every query returns data from a Prometheus; and that the
# rules which this Prometheus has loaded are evaluated without an error, from metrics that exist.
# usage: dashboard-check.sh [--structure] [PROMETHEUS-URL [DASHBOARD...]]
#   --structure     do not ask a Prometheus
#   PROMETHEUS-URL  default: the lab's, see `lab prometheus up`
#   DASHBOARD       default: dashboards/*.json
# All queries are to have data, so an application with the Spark plugin has to run: e2e/run.sh runs dashboards/check/application.yaml.
# A query may need some scrapes before it returns data: all of them together get DASHBOARD_CHECK_SECONDS (default 120).
# Series whose value is not a number do not count: Grafana shows nothing for them.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SECONDS_IN_ALL=${DASHBOARD_CHECK_SECONDS:-120}

die() {
  printf 'dashboard-check: error: %s\ndashboard-check: remedy: %s\n' "$1" "$2" >&2
  exit 1
}

STRUCTURE_ONLY=
if [ "${1:-}" = --structure ]; then
  STRUCTURE_ONLY=1
  shift
fi
URL=${1:-}
[ $# -eq 0 ] || shift
DASHBOARDS=("$@")
[ $# -gt 0 ] || DASHBOARDS=("$HERE"/../*.json)
for tool in jq curl; do
  command -v "$tool" > /dev/null || die "$tool is not installed" "install it, for example with apt-get install $tool"
done

# ---- structure ------------------------------------------------------------------------------------------------------
faults=0
for dashboard in "${DASHBOARDS[@]}"; do
  found=$(jq --raw-output --from-file "$HERE/structure.jq" "$dashboard") ||
    die "$dashboard cannot be read" "see the message of jq above"
  if [ -n "$found" ]; then
    printf '%s\n' "$found" | sed "s|^|FAULT  ${dashboard##*/}: |"
    faults=1
  else
    echo "ok     ${dashboard##*/}: structure of $(jq '[.panels[] | select(.type != "row")] | length' "$dashboard") panels"
  fi
done
[ "$faults" = 0 ] || die "the structure of a dashboard is wrong" "see the lines with FAULT above"
[ -z "$STRUCTURE_ONLY" ] || exit 0

# ---- queries --------------------------------------------------------------------------------------------------------
[ -n "$URL" ] || URL=$("$HERE/../../lab/lab" prometheus url)
URL=${URL%/}

# One line a query: title of the panel and refId, tab, expression with Grafana's variables replaced, those of the dashboard by "all".
queries() {
  jq --raw-output '
    [.templating.list[] | select(.type == "query")] as $variables
    | def replaced: gsub("\\$__rate_interval"; "1m") | gsub("\\$__range"; "5m")
        | reduce $variables[] as $variable (.; gsub("\\$" + $variable.name + "\\b"; $variable.allValue)) | gsub("\\s+"; " ");
    ($variables[] | ["variable / " + .name, (.definition | capture("^label_values\\((?<metric>.*), (?<label>[a-z_]+)\\)$")
        | "count by (\(.label)) (\(.metric | replaced))")] | join("\t")),
    (.panels[] | select(.type != "row") | .title as $title | .targets[]
      | [$title + " / " + .refId, (.expr | replaced)] | join("\t"))' "$@"
}

# ask EXPRESSION: sets ANSWER to a number of series, or to what is wrong; FINAL if asking again is of no use.
ask() {
  local body
  FINAL=
  if ! body=$(curl --silent --show-error --max-time 10 --data-urlencode "query=$1" "$URL/api/v1/query" 2>&1); then
    ANSWER=$body
    return 1
  fi
  ANSWER=$(jq --raw-output 'if .status == "success"
      then [.data.result[]? | objects | select(.value[1] != "NaN")] | length
      else "\(.errorType): \(.error)" end' <<< "$body" 2> /dev/null) || ANSWER="not an answer of Prometheus: ${body:0:200}"
  case $ANSWER in
    0) ANSWER="no data" && return 1 ;;
    bad_data:*) FINAL=1 && return 1 ;;
  esac
  [[ $ANSWER =~ ^[0-9]+$ ]]
}

# Whether a query needs an agent that counts (docs/counters.md): the lab's does not, and its processor could not. Only an error is a fault.
needs_counters() {
  [[ $1 =~ kube_sparknodetopology_(cycles|instructions|(local|remote)_accesses|(stalled_)?slots|(cpu|memory|io)_wait_milliseconds)\{ ]]
}

# In the same form: the metrics that the rules name. Of an alert that does not fire there is no other data. Four exist only while a
# node has a finding, a profile wants a knob, the container runtime pins, or systemd keeps CPUs of a container.
metrics_of_rules() {
  grep -hv '^ *#' "$HERE"/../../charts/numaspark/files/rules/*.yaml | grep -oE '\b(numaspark|kube_spark[a-z]+)_[A-Za-z_]+' | sort -u |
    grep -vx 'numaspark_findings\|numaspark_foreign_executors\|numaspark_knob_nodes\|numaspark_pinner_nodes\|numaspark_systemd_nodes' | sed "s/.*/metric of a rule\tcount(&)/"
}

mapfile -t PENDING < <(queries "${DASHBOARDS[@]}" && metrics_of_rules)
TOTAL=${#PENDING[@]} FAILED=()
[ "$TOTAL" -gt 0 ] || die "there is no query in ${DASHBOARDS[*]}" "is this a dashboard?"
while :; do
  again=() reasons=()
  for query in "${PENDING[@]}"; do
    if ask "${query#*$'\t'}"; then
      printf '%6d series  %s: %s\n' "$ANSWER" "${query%%$'\t'*}" "${query#*$'\t'}"
    elif [ "$ANSWER" = "no data" ] && needs_counters "${query#*$'\t'}"; then
      printf 'no agent counts  %s: %s\n' "${query%%$'\t'*}" "${query#*$'\t'}"
    elif [ -n "$FINAL" ]; then
      FAILED+=("$query"$'\t'"$ANSWER")
    else
      again+=("$query")
      reasons+=("$ANSWER")
    fi
  done
  PENDING=("${again[@]}")
  if [ ${#PENDING[@]} = 0 ] || [ "$SECONDS" -ge "$SECONDS_IN_ALL" ]; then break; fi
  sleep 3
done
for i in "${!PENDING[@]}"; do FAILED+=("${PENDING[i]}"$'\t'"${reasons[i]}"); done

if [ ${#FAILED[@]} -gt 0 ]; then
  for query in "${FAILED[@]}"; do
    IFS=$'\t' read -r title expression answer <<< "$query"
    printf 'FAULT          %s: %s\n               %s\n' "$title" "$expression" "$answer"
  done
  die "${#FAILED[@]} of $TOTAL queries returned an error or nothing from $URL within $SECONDS s" \
    "does it scrape the operator, kube-state-metrics and a driver ($URL/targets), and does dashboards/check/application.yaml run?"
fi
echo "dashboard-check: all $TOTAL queries return data ($SECONDS s)"

# ---- rules ------------------------------------------------------------------------------------------------------------
rules=$(curl --silent --show-error --fail --max-time 10 "$URL/api/v1/rules") || die "$URL does not tell its rules" "is it a Prometheus?"
[ "$(jq '[.data.groups[].rules[]] | length' <<< "$rules")" -gt 0 ] ||
  die "$URL has loaded no rules" "load charts/numaspark/files/rules, as docs/alerts.md says"
wrong=$(jq --raw-output '.data.groups[].rules[] | select(.health == "err") | "FAULT  \(.name): \(.lastError)"' <<< "$rules")
[ -z "$wrong" ] || {
  printf '%s\n' "$wrong"
  die "a rule cannot be evaluated" "see the lines with FAULT above"
}
jq --raw-output '[.data.groups[].rules[]] | "dashboard-check: \(length) rules are evaluated; firing or about to: \([.[] | select(.type == "alerting" and .state != "inactive") | .name] | join(", ") | if . == "" then "none" else . end)"' <<< "$rules"
