#!/usr/bin/env bash
# The last lines of a CI run: what was skipped and why, what passed at a second run only, what the end-to-end tests left out, and one line with the sum of all reports.
# Usage: .ci/summary.sh STATUS E2E_LOG FOLDER. Exit code: STATUS, or 1 if a test was skipped that .ci/skips does not allow.
set -uo pipefail

status=$1 e2e_log=$2 folder=$3
allowed=$(dirname "$0")/skips

{ find "$folder" -path '*/target/*-reports/TEST-*.xml' -print0 2> /dev/null | sort -z | xargs -0r cat; } |
  awk -v left_out="$(grep -s '^== e2e: ' "$e2e_log" | tail -n 1)" '
    function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    function reason(name, i) { for (i = 1; i <= patterns; i++) if (name ~ pattern[i]) return why[i]; return "" }
    FNR == NR { if ($0 !~ /^(#|$)/) { pattern[++patterns] = "^(" $1 ")$"; sub(/^[^ ]+ +/, ""); why[patterns] = $0 }; next }
    /<testsuite / { tests += attribute("tests"); failed += attribute("errors") + attribute("failures"); skipped += attribute("skipped") }
    /<testcase / { name = attribute("classname") "." attribute("name") }
    /<flaky(Failure|Error)/ { print "passed only when it ran again, and needs a look: " name }
    /<skipped/ {
      said = attribute("message") == "" ? "no reason is given" : attribute("message")
      if (reason(name) == "") { unknown++; print "skipped, and .ci/skips does not allow it: " name ": " said }
      else print "skipped: " name ": " said " (allowed: " reason(name) ")"
    }
    END {
      if (left_out != "") print left_out
      printf "tests: %d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
      exit (unknown > 0)
    }' "$allowed" - || [ "$status" != 0 ] || status=1
exit "$status"
