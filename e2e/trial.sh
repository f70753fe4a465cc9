#!/usr/bin/env bash
# Runs real trials on this machine with `numaspark trial`: one whose application fails, and one that is killed in the middle, goes on,
# and ends. It holds them to what must be true on a busy machine, too: not to a verdict.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

fail() { echo "trial: $*" >&2 && exit 1; }

spark=$(lab/lab spark 4.3.0)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
options=(--study binding --workload kmeans --size 0.01 --data "$folder/data" --heap 1200 --rounds 5 --budget 60 --delay 50
  --spark-home "$spark" --output "$folder/trial")
# A limit of memory needs root.
[ "$(id -u)" != 0 ] || options+=(--memory 4096)

echo "trial: an application that fails"
status=0
answer=$(bin/numaspark trial --study binding --writes nothing --heap 1200 --spark-home "$spark" --output "$folder/failing" \
  -- spark-submit --class no.such.Job bench/spark/target/app/lib/numaspark-bench-spark.jar) || status=$?
[ "$status" = 1 ] || fail "ended with $status instead of 1"
grep -q 'The application fails by itself.*Failed to load class no.such.Job.*See .*\.log' <<< "$answer" || fail "says: $answer"

echo "trial: one that is killed in its third run"
bin/numaspark trial "${options[@]}" > "$folder/killed" 2>&1 &
trial=$!
lines() { [ ! -f "$folder/trial/runs.jsonl" ] || wc -l < "$folder/trial/runs.jsonl"; }
for _ in $(seq 600); do
  if [ "$(lines)" ] && [ "$(lines)" -ge 2 ] && ls "$folder"/trial/work/*/executors/* > /dev/null 2>&1; then break; fi
  kill -0 "$trial" 2> /dev/null || fail "ended by itself: $(cat "$folder/killed")"
  sleep 0.5
done
kill -KILL "$trial"
wait "$trial" 2> /dev/null || true
for _ in $(seq 60); do
  left=$(pgrep -f "$folder/trial/work" || true)
  [ -n "$left" ] || break
  sleep 0.5
done
[ -z "$left" ] || fail "processes are left 30 s after the trial was killed: $left"
before=$(lines)

echo "trial: the same command goes on"
status=0
bin/numaspark trial "${options[@]}" > "$folder/answer" 2> "$folder/progress" || status=$?
cat "$folder/progress" "$folder/answer"
[ "$status" -le 1 ] || fail "ended with $status"
grep -q "continues a trial of $before runs" "$folder/progress" || fail "did not continue"
runs=$folder/trial/runs.jsonl
[ "$(jq -r 'select(.outcome != "OK") | .remarks[]' "$runs")" = '' ] || fail "not every run was what its arm says"
jq -se '[.[] | select(.round.phase == "CALIBRATION") | .session] | unique == [1, 2]' "$runs" > /dev/null ||
  fail "the round that was interrupted was not repeated"
jq -se '[.[] | .measures.resultChecksum] | unique | length == 1' "$runs" > /dev/null || fail "results differ, or there are none"
jq -se 'all(.measures | .tasks > 0 and .taskSeconds > 0 and .cpuSeconds > 0)' "$runs" > /dev/null || fail "a run has no measures"
[ "$(id -u)" != 0 ] || jq -se 'all(.measures.memoryPeakMebibytes > 100)' "$runs" > /dev/null || fail "a run has no peak of memory"
jq -se '[.[] | select(.round.phase == "CONFIRMATION")] | group_by(.round.number) | all(length % 4 == 0)' "$runs" > /dev/null ||
  fail "a round is not complete"
slowed=$(jq -s '[.[] | select(.round.phase == "CONFIRMATION")] | (map(select(.arm == "delayed").seconds) | add) /
  (map(select(.arm == "free").seconds) | add)' "$runs")
jq -ne "$slowed > 1.1" > /dev/null || fail "an arm that was stopped for half of its time took $slowed of the baseline's time"
grep -q '<svg' "$folder/trial/report.html" || fail "the report has no plot"
! find "$folder/trial/work" -mindepth 1 2> /dev/null | grep . || fail "files of runs are left"
! find /sys/fs/cgroup -maxdepth 2 -name 'numaspark-trial-*' | grep . || fail "cgroups are left"

echo "trial: the same command again answers at once"
after=$(lines)
code=0
bin/numaspark trial "${options[@]}" > "$folder/again" 2> "$folder/progress" || code=$?
[ "$code" = "$status" ] || fail "exit code $code instead of $status: $(cat "$folder/progress" "$folder/again")"
diff "$folder/answer" "$folder/again" || fail "another answer"
[ "$(lines)" = "$after" ] || fail "it ran again"
status=0
said=$(bin/numaspark trial "${options[@]}" --seed 7 2>&1) || status=$?
[ "$status" = 2 ] || fail "another seed: exit code $status"
grep -q 'holds another trial' <<< "$said" || fail "another seed: $said"
echo "trial: $after runs; the slowed arm took $slowed of the baseline's time"
