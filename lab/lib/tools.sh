# shellcheck shell=bash
# The programs of the control plane and the nodes, built from their Go modules: there is no other source for them where
# only package registries can be reached. Each module in lab/tools pins the exact versions.

TOOLS_MODULES=$REPO/lab/tools
KUBE_API_TEST_NAMES=(kube-apiserver etcd kubectl)                           # a control plane for integration tests
KUBE_NODE_NAMES=(kube-controller-manager kube-scheduler kube-proxy kubelet) # and the rest of a cluster

go_version() {
  have go || die "Go is not installed" "install the Go version that lab/tools/kubernetes/go.mod names, and put it in PATH"
  go env GOVERSION
}

module_version() { # MODULE-FOLDER PACKAGE-PATH: the version that its go.mod requires
  awk -v path="$2" '$1 == "require" {$1 = ""; $0 = $0} $1 == path {print $2; exit}' "$TOOLS_MODULES/$1/go.mod"
}

# go_build MODULE-FOLDER OUTPUT PACKAGE LDFLAGS [TAGS]: a static program that depends only on its sources and the Go version.
go_build() {
  (cd "$TOOLS_MODULES/$1" && CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off \
    go build -trimpath -buildvcs=false -ldflags "-s -w $4" -tags "${5:-}" -o "$2" "$3") ||
    die "could not build $(basename "$2")" "see the messages above; the Go module proxy must be reachable on the first build"
}

# Without these stamps the server, the kubelet and kubectl report v0.0.0-master, and version checks of clients fail.
kubernetes_ldflags() {
  local version major minor package
  version=$(module_version kubernetes k8s.io/kubernetes)
  IFS=. read -r major minor _ <<< "${version#v}"
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf -- '-X %s.%s ' "$package" "gitVersion=$version" "$package" "gitMajor=$major" "$package" "gitMinor=$minor" \
      "$package" gitCommit=none "$package" gitTreeState=clean "$package" buildDate=1970-01-01T00:00:00Z
  done
}

build_kubernetes() { # FOLDER NAME...
  local folder=$1 name package
  shift
  for name in "$@"; do
    package=k8s.io/kubernetes/cmd/$name
    [ "$name" != etcd ] || package=go.etcd.io/etcd/server/v3
    step "  $name" go_build kubernetes "$folder/$name" "$package" "$(kubernetes_ldflags)"
  done
}

build_kube_api_test() {
  local version folder
  version=$(module_version kubernetes k8s.io/kubernetes)
  folder=$1/k8s/${version#v}-linux-$(go env GOARCH)
  mkdir -p "$folder"
  build_kubernetes "$folder" "${KUBE_API_TEST_NAMES[@]}"
}
build_kube_node() { build_kubernetes "$1" "${KUBE_NODE_NAMES[@]}"; }
build_helm() {
  go_build helm "$1/helm" helm.sh/helm/v4/cmd/helm \
    "-X helm.sh/helm/v4/internal/version.version=$(module_version helm helm.sh/helm/v4)"
}
# Its module replaces a library, which go.mod has to say again: replacements of a dependency do not count.
build_helm_unittest() { go_build helm-unittest "$1/helm-unittest" github.com/helm-unittest/helm-unittest/cmd/helm-unittest ""; }
build_coredns() { go_build coredns "$1/coredns" . ""; } # its version is a constant in its source
# containerd_module: the folder of the version that the lab runs.
containerd_module() { echo "containerd${LAB_CONTAINERD:+-$LAB_CONTAINERD}"; }
# Without the snapshotters that the lab has no use for; that of btrfs would need C.
build_containerd() {
  local name folder module=github.com/containerd/containerd/v2
  folder=$(containerd_module)
  for name in containerd containerd-shim-runc-v2 ctr; do
    step "  $name" go_build "$folder" "$1/$name" "$module/cmd/$name" \
      "-X $module/version.Version=$(module_version "$folder" "$module")" "no_btrfs no_devmapper no_zfs no_aufs"
  done
}
# In C where it enters namespaces, with the library of the node's system.
build_runc() {
  local module=github.com/opencontainers/runc
  ensure_packages gcc libc6-dev libseccomp-dev pkg-config
  (cd "$TOOLS_MODULES/runc" && CGO_ENABLED=1 GOFLAGS=-mod=readonly GOWORK=off \
    go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$(module_version runc $module)" -tags seccomp -o "$1/runc" $module) ||
    die "could not build runc" "see the messages above; the Go module proxy must be reachable on the first build"
}
# The simulated nodes of the control-plane benchmark; not among the tools of a lab, which has real nodes.
build_kwok() {
  go_build kwok "$1/kwok" sigs.k8s.io/kwok/cmd/kwok \
    "-X sigs.k8s.io/kwok/pkg/consts.Version=$(module_version kwok sigs.k8s.io/kwok)"
}
# Kueue and its kinds, for the test that queues applications in it.
build_kueue() {
  local module=sigs.k8s.io/kueue source
  go_build kueue "$1/kueue" $module/cmd/kueue "-X $module/pkg/version.GitVersion=$(module_version kueue $module)"
  source=$(cd "$TOOLS_MODULES/kueue" && GOFLAGS=-mod=readonly GOWORK=off go list -m -f '{{.Dir}}' $module)
  install -m 644 -D -t "$1/crds" "$source"/config/components/crd/bases/*.yaml
  # Its webhook server does not start without one; nobody calls it.
  mkdir "$1/certificate"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=kueue \
    -keyout "$1/certificate/tls.key" -out "$1/certificate/tls.crt" 2> /dev/null
}
# State of objects as metrics, for the lab's Prometheus; built when that is brought up.
build_kube_state_metrics() {
  go_build kube-state-metrics "$1/kube-state-metrics" k8s.io/kube-state-metrics/v2 \
    "-X github.com/prometheus/common/version.Version=$(module_version kube-state-metrics k8s.io/kube-state-metrics/v2)"
}
# Reads Grafana's dashboards strictly.
build_grafana_schema() { go_build grafana-schema "$1/grafana-schema" . ""; }

tool_product() { # KIND MODULE-FOLDER BUILDER
  cached "$1" "$(hash_of "$(go_version)" "$TOOLS_MODULES/$2" "$(declare -f go_build module_version kubernetes_ldflags "$3")")" "$3"
}

kube_api_test_product() { tool_product kube-api-test kubernetes build_kube_api_test; }
helm_product() { tool_product helm helm build_helm; }
helm_unittest_product() { tool_product helm-unittest helm-unittest build_helm_unittest; }
kueue_product() { tool_product kueue kueue build_kueue; }
kwok_product() { tool_product kwok kwok build_kwok; }
grafana_schema_product() { tool_product grafana-schema grafana-schema build_grafana_schema; }
kube_state_metrics_product() { tool_product kube-state-metrics kube-state-metrics build_kube_state_metrics; }

# The folder for KUBE_API_TEST_DIR of fabric8's kube-api-test, which looks for k8s/VERSION-OS-ARCH/PROGRAM in it. It also
# keeps certificates there, valid for a year, and uses them for ever: old ones are removed.
kube_api_test_dir() {
  local product
  product=$(kube_api_test_product)
  find "$product" -maxdepth 1 -type f -mtime +180 -delete
  echo "$product"
}

# Sets BIN, a folder with links to all tools, and builds what is missing.
use_tools() {
  local products=() path containerd
  [ -z "$BIN" ] || return 0
  containerd=$(containerd_module)
  [ -d "$TOOLS_MODULES/$containerd" ] || die "there is no containerd '$LAB_CONTAINERD'" "LAB_CONTAINERD is a folder lab/tools/containerd-NAME, or empty"
  path=$(kube_api_test_product)
  products+=("$path"/k8s/*)
  for path in "kube-node kubernetes build_kube_node" "helm helm build_helm" "coredns coredns build_coredns" \
    "containerd $containerd build_containerd" "runc runc build_runc"; do
    # shellcheck disable=SC2086 # three words
    path=$(tool_product $path)
    products+=("$path")
  done
  TOOLS_PRODUCTS=("${products[@]}")
  path=$(cached tools "$(hash_of "${products[@]#"$NUMASPARK_CACHE/"}")" link_tools)
  BIN=$path
}

# Hard links: a cache that is copied or cleaned in part does not leave links that lead nowhere.
link_tools() {
  local product
  for product in "${TOOLS_PRODUCTS[@]}"; do ln "$product"/* "$1/"; done
}
