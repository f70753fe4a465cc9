#!/usr/bin/env bash
# Tests .ci/summary.sh on made-up reports.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect NAME STATUS TEXT: a run of the summary that had this exit code before it ends with STATUS and TEXT.
expect() {
  local name=$1 before=$2 status=$3 text=$4 code=0 said
  said=$(.ci/summary.sh "$before" "$work/e2e.log" "$work/tree") || code=$?
  [ "$code" = "$status" ] && [ "$said" = "$text" ] && return
  printf 'summary: %s: exit code %s instead of %s, or another text:\n%s\n' "$name" "$code" "$status" "$said" >&2
  exit 1
}

report() { # FOLDER, and the testcases on stdin
  mkdir -p "$work/tree/$1/target/surefire-reports"
  cat > "$work/tree/$1/target/surefire-reports/TEST-x.xml"
}

mkdir "$work/tree"
expect 'no report' 0 0 'tests: 0 passed, 0 failed, 0 skipped'
report a << 'XML'
<testsuite name="a" tests="3" errors="0" failures="0" skipped="1">
  <testcase name="fits" classname="io.numaspark.A"/>
  <testcase classname="internal/kubelet" name="TestSaysThatTheSocketMayNotBeOpened" time="0.000000">
    <skipped message="root may open every socket"/>
  </testcase>
</testsuite>
XML
expect 'an allowed skip' 0 0 'skipped: internal/kubelet.TestSaysThatTheSocketMayNotBeOpened: root may open every socket (allowed: root may open every socket, and CI is root)
tests: 2 passed, 0 failed, 1 skipped'
expect 'a run that failed' 2 2 "$(.ci/summary.sh 0 "$work/e2e.log" "$work/tree")"
printf 'tests ran\n\n== e2e: passed in 9 s. Left out, for the next commits: pages, soak \n== lab: down\n' > "$work/e2e.log"
report b << 'XML'
<testsuite name="b" tests="2" errors="1" failures="0" skipped="1">
  <testcase name="needsLuck" classname="io.numaspark.B"><skipped/></testcase>
</testsuite>
XML
expect 'an unknown skip, and stages that were left out' 0 1 'skipped: internal/kubelet.TestSaysThatTheSocketMayNotBeOpened: root may open every socket (allowed: root may open every socket, and CI is root)
skipped, and .ci/skips does not allow it: io.numaspark.B.needsLuck: no reason is given
== e2e: passed in 9 s. Left out, for the next commits: pages, soak 
tests: 2 passed, 1 failed, 2 skipped'
rm -r "$work/tree/"[ab]
report c << 'XML'
<testsuite name="c" tests="2" errors="0" failures="0" skipped="0" flakes="1">
  <testcase name="fits" classname="io.numaspark.C"/>
  <testcase name="hurries" classname="io.numaspark.C">
    <flakyFailure message="expected: 1 but was: 2"/>
  </testcase>
</testsuite>
XML
expect 'a test that passed when it ran again' 0 0 'passed only when it ran again, and needs a look: io.numaspark.C.hurries
== e2e: passed in 9 s. Left out, for the next commits: pages, soak 
tests: 2 passed, 0 failed, 0 skipped'
echo "summary: 5 made-up runs passed"
