#!/usr/bin/env bash
# Runs the Kueue of a folder that kueue.sh made: run.sh FOLDER OPTION... Needs root.
# Without certificates of its own Kueue wants one in /etc/kueue, which is a folder of this process alone.
set -euo pipefail
folder=$1
shift
# shellcheck disable=SC2016 # the inner shell expands it
exec unshare --mount bash -euo pipefail -c '
  mount -t tmpfs kueue /etc
  mkdir -p /etc/kueue/metrics
  cp -r "$0/certificate" /etc/kueue/metrics/certs
  exec "$0/kueue" "$@"' "$folder" "$@"
