#!/usr/bin/env bash
# The end-to-end tests, stage by stage, in the lab. E2E_KEEP_LAB=1 leaves the lab running afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=e2e/lab/lab
export PATH=$PWD/bin:$PATH

stage() {
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@"
  printf '== %s: passed in %d s\n' "$name" "$((SECONDS - start))"
}

finish() {
  local status=$?
  if [ "$status" != 0 ]; then
    printf '\n== e2e failed; what the cluster says:\n' >&2
    kubectl get nodes,pods,sparknodeprofiles,sparkapplications -A -o wide >&2 || true
    kubectl -n numaspark-system logs deployment/numaspark --tail=60 >&2 || true
  fi
  [ -n "${E2E_KEEP_LAB:-}" ] || "$LAB" down
  exit "$status"
}

tests() { # Maven arguments: which tests
  mvn --batch-mode -pl e2e -am -Pe2e -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true verify "$@"
}

[ "$(id -u)" = 0 ] || {
  echo "e2e: SKIPPED, the lab needs root" >&2
  exit 1
}
trap finish EXIT
# Unpacked into the disk of numa-0 once, and into native-0 at the first start below.
export LAB_SPARK_VERSIONS="4.3.0 4.1.4 3.5.9"
# A lab that was cut off in an earlier run is cleared away, so that every run starts from the same state.
[ -n "${E2E_KEEP_LAB:-}" ] || stage "clear the lab" "$LAB" down
stage "admission model against the kubelet's own code" make oracle-fuzz SEED=1 COUNT=2000
stage "lab up" "$LAB" up --topology dual-socket
eval "$("$LAB" env)"
stage "chart" helm lint --strict charts/numaspark
stage "install" e2e/install.sh
stage "tests on the default topology" tests -DexcludedGroups=reserved-each
stage "Prometheus" "$LAB" prometheus up
stage "dashboard queries" e2e/dashboard-check.sh
stage "lab with another topology" "$LAB" up --topology reserved-each
stage "install again" e2e/install.sh
stage "tests on topology reserved-each" tests "-Dgroups=reserved-each | admission"
for topology in dual-socket-4numa no-smt; do
  stage "lab with topology $topology" "$LAB" up --topology "$topology"
  stage "describe its node" e2e/describe-node.sh
  stage "predicted and real admission on topology $topology" tests -Dgroups=admission
done
stage "recommended kubelet settings" e2e/kubelet-config-check.sh
printf '\n== e2e: every stage passed in %d s\n' "$SECONDS"
