# shellcheck shell=bash
# What bench.sh and faults.sh share: a control plane with simulated nodes, and the operator as a plain process beside it.
# Before it is sourced: BENCH_HOME, and the lab's settings where they differ from the lab's defaults.
# shellcheck disable=SC2034 # some settings are used by the scripts that source this file
for BENCH_PART in common packages tools pki network controlplane; do
  # shellcheck disable=SC1090 # the files of the line above; shellcheck reads each of them on its own
  . "$BENCH_HOME/../../lab/lib/$BENCH_PART.sh"
done
OPERATOR_KUBECONFIG=$LAB_RUN/operator.kubeconfig
OPERATOR_READYZ=http://127.0.0.1:8081/readyz # in its own network namespace

# read_options NAMES ARGUMENT...: an option of one of these names takes a value, into the variable of its name; --keep sets KEEP.
# What follows -- is left in OPTIONS. The script has a function usage.
read_options() {
  local names=$1
  shift
  OPTIONS=() KEEP=''
  while [ $# -gt 0 ]; do
    case $1 in
      --keep)
        KEEP=yes
        shift
        ;;
      --)
        OPTIONS=("${@:2}")
        return
        ;;
      -h | --help)
        usage
        exit
        ;;
      *)
        [[ $1 == --* && " $names " == *" ${1#--} "* ]] || die "unknown option $1" "see '${0##*/} --help'"
        [ $# -ge 2 ] || die "$1 needs a value" "see '${0##*/} --help'"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    esac
  done
}

build_bench_control() { go_build ../../bench/control "$1/bench-control" . ""; }

# kwok_start DELETION: what becomes of a deleted pod, a file of cluster/
kwok_start() {
  local program
  program=$(kwok_product)/kwok
  start_process kwok "$LAB_LOGS/kwok.log" in_ns "$program" --kubeconfig "$LAB_KUBECONFIG_INSIDE" --manage-all-nodes=true \
    --config "$BENCH_HOME/cluster/stages.yaml" --config "$BENCH_HOME/cluster/$1.yaml" --cidr 10.128.0.0/9 --node-ip 10.200.0.3 --node-port 0
}

# As the image and the chart run it: the JVM options of the image but its class data archive, which holds for the image alone, and
# the heap that they give within the chart's memory limit.
operator_command() {
  local lib=$REPO/operator/controller/target/app/lib options=$LAB_RUN/jvm.options
  [ -d "$lib" ] || die "the operator is not built" "run 'make build'"
  sed /SharedArchiveFile/d "$REPO/operator/controller/src/main/image/jvm.options" > "$options"
  printf '%q ' java -XX:MaxRAM=512m "@$options" -cp "$lib/*" io.numaspark.controller.Main
}

# With the token of a service account, as in a cluster. Not only for the sake of priority and fairness: the Java client reads its
# configuration anew for each request, from the second minute on, if it has a certificate and no token (TokenRefreshInterceptor
# of fabric8 7.5.2).
operator_kubeconfig() {
  local settings=(config --kubeconfig "$1")
  kube -n kube-system create serviceaccount operator
  kube create clusterrolebinding bench-operator --clusterrole cluster-admin --serviceaccount kube-system:operator
  "$BIN/kubectl" "${settings[@]}" set-cluster bench --server "$LAB_API" --certificate-authority "$LAB_PKI/ca.crt" --embed-certs
  "$BIN/kubectl" "${settings[@]}" set-credentials operator --token "$(kube -n kube-system create token operator --duration 24h)"
  "$BIN/kubectl" "${settings[@]}" set-context bench --cluster bench --user operator
  "$BIN/kubectl" "${settings[@]}" use-context bench
}

bench_down() {
  local record
  stop_process judge 5
  stop_process operator 30
  stop_process operator-2 30
  stop_process kwok 5
  control_plane_down
  for record in "$LAB_PIDS"/*; do
    [ ! -f "$record" ] || stop_process "${record##*/}"
  done
  ! declare -F replica_network_down > /dev/null || replica_network_down
  network_down
  rm -rf "$NUMASPARK_LAB"
}

# bench_up DELETION CRDS: everything but the operator, and BENCH, the measuring program. KEEP=yes leaves it running afterwards.
bench_up() {
  require_root
  mkdir -p "$(dirname "$NUMASPARK_LAB")"
  exec 8> "/run/lock/$LAB_NS-lab.lock"
  flock -n 8 || die "another benchmark is running" "wait for it, or set LAB_NS, LAB_BRIDGE, LAB_API_PORT and NUMASPARK_LAB"
  ensure_packages iproute2 socat openssl curl procps util-linux ca-certificates jq
  use_tools
  bench_down
  [ -n "${KEEP:-}" ] || trap bench_down EXIT
  mkdir -p "$LAB_LOGS" "$LAB_RUN"
  BENCH=$(tool_product bench-control ../../bench/control build_bench_control)/bench-control
  step "network" network_up
  step "certificates" pki_up
  step "control plane" control_plane_up
  step "simulated nodes" kwok_start "$1"
  step "CRDs" kube apply --server-side -f "$2" >&2
  WAIT_ALIVE=kube-apiserver wait_for 30 "the CRDs" "$LAB_LOGS/kube-apiserver.log" kube wait --for condition=Established crd --all
  step "rights of the operator" operator_kubeconfig "$OPERATOR_KUBECONFIG" >&2
}
