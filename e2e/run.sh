#!/usr/bin/env bash
# The end-to-end tests, stage by stage, in the lab. E2E_KEEP_LAB=1 leaves the lab running afterwards. With E2E_SECONDS set, what
# would not end within so many seconds is left out, and says so: a part's usual time is multiplied by how slow this run has been.
set -euo pipefail
cd "$(dirname "$0")/.."
LAB=lab/lab
export PATH=$PWD/bin:$PATH

stage() { # name, command
  local name=$1 start=$SECONDS
  current=$1
  shift
  printf '\n== %s\n' "$name"
  "$@"
  printf '== %s: passed in %d s\n' "$name" "$((SECONDS - start))"
}

current="start" # the stage that runs
usual=0 # seconds that the parts so far take while two idle CPUs run them
left_out=()

slowness() { # in percent, at least 100
  local percent=$((usual > 0 ? SECONDS * 100 / usual : 100))
  echo "$((percent > 100 ? percent : 100))"
}

part() { # usual seconds, function
  local needed=$(($1 * $(slowness) / 100)) left=$((${E2E_SECONDS:-0} - SECONDS))
  if [ -n "${E2E_SECONDS:-}" ] && [ "$needed" -gt "$left" ]; then
    printf '\n== %s: SKIPPED, it would take about %d s on this machine now, and %d s are left\n' "${2//_/ }" "$needed" "$left"
    left_out+=("${2//_/ }")
    return
  fi
  "$2"
  usual=$((usual + $1))
}

finish() {
  local status=$?
  if [ "$status" != 0 ]; then
    printf '\n== e2e failed; what the cluster says:\n' >&2
    kubectl get nodes,pods,sparknodeprofiles.numaspark.io,sparkapplications.numaspark.io -A -o wide >&2 || true
    kubectl -n numaspark-system logs deployment/numaspark --tail=60 >&2 || true
    tail -n 20 "${NUMASPARK_LAB:-/var/tmp/numaspark-lab}/logs/vm-console.log" >&2 || true
  fi
  [ -n "${E2E_KEEP_LAB:-}" ] || "$LAB" down
  # Last, where it is seen: what the lab said of it is far above.
  [ "$status" = 0 ] || printf '== e2e: FAILED after %d s in: %s\n' "$SECONDS" "$current" >&2
  exit "$status"
}

tests() { # Maven arguments: which tests
  ./mvnw --batch-mode -pl e2e -am -Pe2e -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true verify "$@"
}

[ "$(id -u)" = 0 ] || {
  echo "e2e: SKIPPED, the lab needs root" >&2
  exit 1
}
trap finish EXIT
# A deadline that is too long costs only a run that fails anyway.
export LAB_PATIENCE=${LAB_PATIENCE:-3}
# Unpacked into the disk of numa-0 once, and into native-0 at the first start below.
export LAB_SPARK_VERSIONS="4.3.0 4.1.4 3.5.9"
# A lab that was cut off in an earlier run is cleared away, so that every run starts from the same state.
[ -n "${E2E_KEEP_LAB:-}" ] || stage "clear the lab" "$LAB" down
[ -z "${E2E_SECONDS:-}" ] || export E2E_DEADLINE=$(($(date +%s) + E2E_SECONDS - SECONDS))

the_admission_model() {
  stage "admission model against the kubelet's own code" make oracle-fuzz SEED=1 COUNT=2000
}

the_node_picture() {
  stage "node picture in Chromium" make check-picture
}

the_default_topology() {
  stage "lab up" "$LAB" up --topology dual-socket
  eval "$("$LAB" env)"
  stage "chart" helm lint --strict charts/numaspark
  stage "install" lab/install.sh
  stage "kustomize base" kubectl apply --server-side --force-conflicts --dry-run=server --output name -k deploy/kustomize
  E2E_SLOWNESS=$(slowness) stage "tests on the default topology" tests "-DexcludedGroups=reserved-each | kubelet-none | removal | tenants"
}

# The application starts while Prometheus does.
the_dashboard() {
  kubectl apply -f lab/demo/profile.yaml -f dashboards/check/application.yaml
  stage "Prometheus" "$LAB" prometheus up
  DASHBOARD_CHECK_SECONDS=600 stage "dashboard queries" dashboards/check/check.sh
  kubectl delete --timeout=120s -f dashboards/check/application.yaml
}

the_faults() {
  stage "faults on a control plane with simulated nodes" bench/control/faults.sh
}

the_topology_reserved-each() {
  stage "lab with another topology" "$LAB" up --topology reserved-each
  stage "install again" lab/install.sh
  E2E_SLOWNESS=$(slowness) stage "tests on topology reserved-each" tests "-Dgroups=reserved-each | admission | topology | removal"
}

the_hostile_tenants() {
  stage "lab for hostile tenants" "$LAB" up --topology dual-socket
  stage "install for hostile tenants" lab/install.sh
  E2E_SLOWNESS=$(slowness) stage "tests of hostile tenants and of a kubelet that rejects" tests -Dgroups=tenants
}

admission_on() { # topology
  stage "lab with topology $1" "$LAB" up --topology "$1"
  stage "install on topology $1" lab/install.sh
  E2E_SLOWNESS=$(slowness) stage "predicted and real admission on topology $1" tests "-Dgroups=admission | topology"
}
the_topology_dual-socket-4numa() { admission_on dual-socket-4numa; }
the_topology_no-smt() { admission_on no-smt; }

the_kubelet_without_static_policy() {
  local drop_in
  drop_in=$(mktemp)
  printf '%s\n' 'apiVersion: kubelet.config.k8s.io/v1beta1' 'kind: KubeletConfiguration' 'cpuManagerPolicy: none' \
    'cpuManagerPolicyOptions: null' > "$drop_in"
  stage "lab whose kubelet does not pin" "$LAB" up --topology dual-socket --kubelet-drop-in "$drop_in"
  rm "$drop_in"
  stage "install beside a kubelet that does not pin" lab/install.sh
  E2E_SLOWNESS=$(slowness) stage "tests of a kubelet that does not pin" tests -Dgroups=kubelet-none
}

the_kubelet_settings() {
  stage "recommended kubelet settings" e2e/kubelet-config-check.sh
}

the_shuffle_in_released_Sparks() {
  stage "the plugin's shuffle in released Sparks" make test-spark TESTS=PagesClusterIT SPARK="$LAB_SPARK_VERSIONS"
}

part 30 the_admission_model
# Always: its test classes are left out one by one (TimeBudget).
the_default_topology
usual=$((usual + 2290))
part 200 the_dashboard
part 525 the_topology_reserved-each
part 540 the_faults
part 900 the_hostile_tenants
part 190 the_topology_dual-socket-4numa
part 190 the_topology_no-smt
part 150 the_kubelet_without_static_policy
part 180 the_kubelet_settings
part 60 the_node_picture
part 300 the_shuffle_in_released_Sparks
if [ ${#left_out[@]} = 0 ]; then
  printf '\n== e2e: every stage passed in %d s\n' "$SECONDS"
else
  printf '\n== e2e: passed in %d s, without: %s\n' "$SECONDS" "$(printf '%s; ' "${left_out[@]}")"
fi
