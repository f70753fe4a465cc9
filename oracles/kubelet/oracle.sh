#!/usr/bin/env bash
# Builds the oracle, unless the cache has it, and prints its path.
#   oracle.sh            path of the program
#   oracle.sh --check    only compare the version of Kubernetes with the lab's
# With KUBERNETES=1.35, or another folder of versions/, it is the kubelet of that minor version.
set -euo pipefail
shopt -s inherit_errexit
ORACLE_HOME=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=lab/lib/common.sh
. "$ORACLE_HOME/../../lab/lib/common.sh"
# shellcheck source=lab/lib/tools.sh
. "$ORACLE_HOME/../../lab/lib/tools.sh"
TOOLS_MODULES=$REPO # where go_build and module_version look for modules

# Answers of another kubelet than the lab's would be compared with nothing that runs.
check_version() {
  local here there
  here=$(module_version oracles/kubelet k8s.io/kubernetes)
  there=$(module_version lab/tools/kubernetes k8s.io/kubernetes)
  [ "$here" = "$there" ] || die "oracles/kubelet/go.mod has k8s.io/kubernetes $here and lab/tools/kubernetes/go.mod has $there" \
    "give both the same version; see oracles/kubelet/README.md"
}

build_oracle() {
  if [ -z "$minor" ]; then
    go_build oracles/kubelet "$1/oracle" . ""
    return
  fi
  (cd "$ORACLE_HOME" && CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off \
    go build -modfile="versions/$minor/go.mod" -tags "${TAGS[$minor]}" -trimpath -buildvcs=false -ldflags "-s -w" -o "$1/oracle" .) ||
    die "could not build the oracle of Kubernetes $minor" "see the messages above; the Go module proxy must be reachable on the first build"
}

# Which files a minor version is compiled with: its functions have other arguments. Up to 1.35 a tag means "this version or an older
# one", from 1.37 on "this version or a newer one".
declare -A TAGS=(
  [1.32]="kubelet_1_33,kubelet_1_34,kubelet_1_35"
  [1.33]="kubelet_1_33,kubelet_1_34,kubelet_1_35"
  [1.34]="kubelet_1_34,kubelet_1_35"
  [1.35]="kubelet_1_35"
  [1.37]="kubelet_1_37"
)

minor=${KUBERNETES:-}
[ -z "$minor" ] || [ -n "${TAGS[$minor]:-}" ] ||
  die "there is no oracle of Kubernetes '$minor'" "KUBERNETES is one of ${!TAGS[*]}, or empty for that of go.mod"
check_version
[ "${1:-}" != --check ] || exit 0
sources=()
for file in "$ORACLE_HOME"/*.go "$ORACLE_HOME/${minor:+versions/$minor/}"go.{mod,sum}; do
  [[ $file == *_test.go ]] || sources+=("$file")
done
product=$(cached oracle "$(hash_of "$(go_version)" "$minor" "${sources[@]}" "$(declare -f go_build build_oracle)")" build_oracle)
echo "$product/oracle"
