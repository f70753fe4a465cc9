# shellcheck shell=bash
# The node native-0: containerd, kube-proxy and the kubelet on this machine, in the namespace of the cluster. It runs
# what needs speed and no NUMA nodes: the operator, Spark drivers, Prometheus.

HOST_NODE=native-0
HOST_NODE_DIR=$NUMASPARK_LAB/$HOST_NODE
HOST_NODE_SOCKET=$LAB_RUN/containerd.sock
HOST_NODE_CGROUP=$LAB_NS                # below the root of every hierarchy, beside everyone else's groups
HOST_NODE_WEIGHT=8                      # of all its pods together, in processes of normal priority
: "${LAB_PAUSE_IMAGE:=docker.io/numaspark/pause:lab}"
# The kubelet sets these, for the whole machine; `lab down` puts the old values back.
HOST_NODE_SYSCTLS=(vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops
  kernel.keys.root_maxkeys kernel.keys.root_maxbytes)

# containerd is built with the other tools; runc and the network plugins come from Debian packages that are unpacked but not
# installed.
host_node_runtime() {
  use_tools
  [ -n "${RUNTIME_ROOT:-}" ] || RUNTIME_ROOT=$(fetch_deb runc containernetworking-plugins)
  RUNTIME_PATH=$BIN:$RUNTIME_ROOT/usr/bin:$RUNTIME_ROOT/usr/sbin:$PATH
}

host_ctr() {
  host_node_runtime
  in_ns "$BIN/ctr" -a "$HOST_NODE_SOCKET" -n k8s.io "$@"
}

cgroup_mounts() { awk '$3 == "cgroup" || $3 == "cgroup2" {print $2}' /proc/mounts; }

# The kubelet's cgroup root must exist in every hierarchy. A new cpuset has no CPUs and no memory until it is given some. Without
# its share all pods of the node together would weigh as much as one of the threads that emulate the other node's 16 CPUs: drivers
# and the operator starve while executors start.
host_node_cgroups() {
  local mount file
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then # cgroup v2: a group has the controllers that its parent hands down
    mkdir -p "/sys/fs/cgroup/$HOST_NODE_CGROUP"
    for mount in /sys/fs/cgroup "/sys/fs/cgroup/$HOST_NODE_CGROUP"; do
      sed 's/[^ ]*/+&/g' "$mount/cgroup.controllers" > "$mount/cgroup.subtree_control"
    done
    echo "$((HOST_NODE_WEIGHT * 100))" > "/sys/fs/cgroup/$HOST_NODE_CGROUP/cpu.weight"
    return 0
  fi
  while read -r mount; do
    mkdir -p "$mount/$HOST_NODE_CGROUP"
    for file in cpuset.cpus cpuset.mems; do
      [ ! -e "$mount/$file" ] || cat "$mount/$file" > "$mount/$HOST_NODE_CGROUP/$file"
    done
    file=$mount/$HOST_NODE_CGROUP/cpu.shares
    [ ! -e "$file" ] || echo "$((HOST_NODE_WEIGHT * 1024))" > "$file"
  done < <(cgroup_mounts)
}

host_node_containerd_start() {
  mkdir -p "$HOST_NODE_DIR/cni"
  # ptp and not bridge: with a bridge, an answer between two pods of the node would take a short cut past the address
  # translation of Services, unless the kernel has br_netfilter. With ptp every packet is routed.
  cat > "$HOST_NODE_DIR/cni/10-pods.conflist" << JSON
{"cniVersion": "0.4.0", "name": "$LAB_NS-pods", "plugins": [
  {"type": "ptp", "ipMasq": false,
   "ipam": {"type": "host-local", "dataDir": "$HOST_NODE_DIR/cni-addresses",
            "ranges": [[{"subnet": "$POD_CIDR_NATIVE"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
JSON
  # restrict_oom_score_adj: inside a container or a restricted machine, lowering the score is refused and would fail
  # every pod. AppArmor profiles would outlive the lab.
  cat > "$HOST_NODE_DIR/containerd.toml" << TOML
version = 2
root = "$HOST_NODE_DIR/containerd"
state = "$LAB_RUN/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.internal.v1.tracing", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$HOST_NODE_SOCKET"
[plugins."io.containerd.internal.v1.opt"]
  path = "$HOST_NODE_DIR/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "$LAB_PAUSE_IMAGE"
  disable_apparmor = true
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$RUNTIME_ROOT/usr/lib/cni"
    conf_dir = "$HOST_NODE_DIR/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      BinaryName = "$RUNTIME_ROOT/usr/sbin/runc"
      Root = "$LAB_RUN/runc"
      SystemdCgroup = false
TOML
  start_process containerd "$LAB_LOGS/containerd.log" in_ns env "PATH=$RUNTIME_PATH" \
    "$BIN/containerd" -c "$HOST_NODE_DIR/containerd.toml"
  WAIT_ALIVE=containerd wait_for 30 containerd "$LAB_LOGS/containerd.log" host_ctr version
}

# host_node_import ARCHIVE...: into the image store of the node, where a pod finds them with imagePullPolicy Never.
host_node_import() {
  local archive
  for archive in "$@"; do
    host_ctr images import "$archive" > "$LAB_LOGS/import.log" 2>&1 || {
      show_log "$LAB_LOGS/import.log"
      die "could not import $archive" "it must be an OCI or Docker archive for $(uname -m)"
    }
  done
}

# Images once imported stay until `lab down`; a stamp per archive saves importing them again at each `lab up`.
host_node_images() {
  local archive archives stamp
  [ "$(type -t image_archives)" = function ] || return 0
  archives=$(image_archives native)
  mkdir -p "$HOST_NODE_DIR/imported"
  while read -r archive; do
    stamp=$HOST_NODE_DIR/imported/$(hash_of "path $archive")
    [ "$stamp" -nt "$archive" ] || host_node_import "$archive"
    touch "$stamp"
  done <<< "$archives"
}

host_node_kube_proxy_start() {
  # iptables mode: it also works on the older kernels of CI machines, where nftables mode is refused (it wants 5.13).
  # conntrack: its limits belong to the whole machine. localhostNodePorts would need a sysctl for the same reason.
  cat > "$HOST_NODE_DIR/kube-proxy.yaml" << YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
hostnameOverride: $HOST_NODE
clusterCIDR: $POD_CIDR
clientConnection:
  kubeconfig: $HOST_NODE_DIR/credentials/kube-proxy.kubeconfig
nodePortAddresses: [primary]
iptables:
  localhostNodePorts: false
  minSyncPeriod: 0s
conntrack:
  maxPerCore: 0
  min: 0
  tcpEstablishedTimeout: 0s
  tcpCloseWaitTimeout: 0s
YAML
  start_process kube-proxy "$LAB_LOGS/kube-proxy.log" in_ns "$BIN/kube-proxy" --config="$HOST_NODE_DIR/kube-proxy.yaml"
  WAIT_ALIVE=kube-proxy wait_for 60 kube-proxy "$LAB_LOGS/kube-proxy.log" \
    in_ns curl -fsS --max-time 5 http://127.0.0.1:10249/healthz
}

host_node_kubelet_start() {
  sysctl -e "${HOST_NODE_SYSCTLS[@]}" > "$HOST_NODE_DIR/sysctls" 2> /dev/null || true
  : > "$HOST_NODE_DIR/resolv.conf" # no name servers but the cluster's, and no search domains of this machine
  # Evictions would surprise a test on a machine with a full disk; there is no other node to move to.
  cat > "$HOST_NODE_DIR/kubelet.yaml" << YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: /$HOST_NODE_CGROUP
cpuManagerPolicy: none
containerRuntimeEndpoint: unix://$HOST_NODE_SOCKET
address: $LAB_HOST_IP
authentication:
  anonymous:
    enabled: false
  webhook:
    enabled: true
  x509:
    clientCAFile: $HOST_NODE_DIR/credentials/ca.crt
authorization:
  mode: Webhook
tlsCertFile: $HOST_NODE_DIR/credentials/kubelet.crt
tlsPrivateKeyFile: $HOST_NODE_DIR/credentials/kubelet.key
clusterDNS: [$LAB_HOST_IP]
clusterDomain: cluster.local
resolvConf: $HOST_NODE_DIR/resolv.conf
podLogsDir: $HOST_NODE_DIR/pod-logs
failSwapOn: false
makeIPTablesUtilChains: false
nodeStatusUpdateFrequency: 4s
systemReserved:
  memory: $(awk '/^MemTotal/ {print int($2 / 2048)}' /proc/meminfo)Mi # half: the virtual machine and the control plane
evictionHard:
  memory.available: 100Mi
  nodefs.available: 1%
  imagefs.available: 1%
imageGCHighThresholdPercent: 100
YAML
  start_process kubelet "$LAB_LOGS/kubelet.log" in_ns env "PATH=$RUNTIME_PATH" "$BIN/kubelet" \
    --config="$HOST_NODE_DIR/kubelet.yaml" --kubeconfig="$HOST_NODE_DIR/credentials/kubelet.kubeconfig" \
    --root-dir="$HOST_NODE_DIR/kubelet" --cert-dir="$HOST_NODE_DIR/kubelet-pki" \
    --hostname-override="$HOST_NODE" --node-ip="$LAB_HOST_IP" --node-labels=numaspark.io/lab=native
  WAIT_ALIVE=kubelet wait_for 90 "registration of $HOST_NODE" "$LAB_LOGS/kubelet.log" kube get node "$HOST_NODE"
}

node_ready() { # NODE
  [ "$(kube get node "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" = True ]
}

host_node_up() {
  host_node_runtime
  mkdir -p "$HOST_NODE_DIR"
  [ -e "$HOST_NODE_DIR/credentials" ] || node_credentials "$HOST_NODE" "$LAB_HOST_IP" "$HOST_NODE_DIR/credentials"
  host_node_cgroups
  process_alive containerd || step "  containerd" host_node_containerd_start
  step "  images" host_node_images
  process_alive kubelet || step "  kubelet" host_node_kubelet_start
  # After the kubelet: kube-proxy waits half a minute for a node that is not registered, then guesses its address.
  process_alive kube-proxy || step "  kube-proxy" host_node_kube_proxy_start
  WAIT_ALIVE=kubelet wait_for 90 "node $HOST_NODE" "$LAB_LOGS/kubelet.log" node_ready "$HOST_NODE"
}

host_node_down() {
  local id mount path
  stop_process kubelet
  stop_process kube-proxy
  if process_alive containerd; then
    host_ctr tasks ls -q 2> /dev/null | while read -r id; do
      host_ctr tasks kill --all --signal KILL "$id" > /dev/null 2>&1 || true
    done
    host_ctr containers ls -q 2> /dev/null | while read -r id; do
      host_ctr tasks rm --force "$id" > /dev/null 2>&1 || true
      host_ctr containers rm "$id" > /dev/null 2>&1 || true
    done
  fi
  stop_process containerd
  host_node_kill_rest
  host_node_unmount
  host_node_pod_namespaces
  while read -r mount; do
    path=$mount/$HOST_NODE_CGROUP
    [ ! -d "$path" ] || find "$path" -depth -type d -exec rmdir {} + 2> /dev/null || note "cgroup $path is still in use"
  done < <(cgroup_mounts)
  [ ! -s "$HOST_NODE_DIR/sysctls" ] || sysctl -q -p "$HOST_NODE_DIR/sysctls" 2> /dev/null || true
  rmdir /run/containerd/s /run/containerd/fifo /run/containerd 2> /dev/null || true # where shims listen, whatever the state folder
}

# Shims outlive their containerd on purpose, and a container outlives a shim that was killed.
host_node_kill_rest() {
  local deadline=$((SECONDS + 10)) pids
  while pids=$(host_node_processes) && [ -n "$pids" ]; do
    [ "$SECONDS" -lt "$deadline" ] || die "processes of $HOST_NODE do not end: $pids" "kill them, then run 'lab down' again"
    # shellcheck disable=SC2086 # a list of numbers
    kill -KILL $pids 2> /dev/null || true
    sleep 0.2
  done
}

host_node_processes() {
  local mount
  {
    while read -r mount; do
      [ ! -d "$mount/$HOST_NODE_CGROUP" ] || find "$mount/$HOST_NODE_CGROUP" -name cgroup.procs -exec cat {} + 2> /dev/null
    done < <(cgroup_mounts)
    pgrep -f "^[^ ]*containerd-shim-runc-v2 .*-address $HOST_NODE_SOCKET" || true
  } | sort -un
}

# Deepest first: a volume may be mounted inside a root file system.
host_node_unmount() {
  local mount
  awk -v a="$HOST_NODE_DIR/" -v b="$LAB_RUN/" 'index($2, a) == 1 || index($2, b) == 1 {print $2}' /proc/mounts | sort -r |
    while read -r mount; do umount -l "$mount" 2> /dev/null || true; done
}

# The network namespaces of pods have random names: those of this node have a peer in the namespace of the cluster.
host_node_pod_namespaces() {
  local name file id
  in_ns ip -o link show type veth 2> /dev/null | sed -n 's/.* link-netns \(cni-[^ ]*\).*/\1/p' |
    while read -r name; do ip netns del "$name"; done || true
  # The runtime's cache of what the network plugins returned; its place cannot be configured.
  for file in "/var/lib/cni/results/$LAB_NS-pods-"*-eth0; do
    [ -e "$file" ] || continue
    id=${file##*-pods-}
    rm -f "$file" "/var/lib/cni/results/cni-loopback-${id%-eth0}-lo"
  done
  rmdir /var/lib/cni/results /var/lib/cni 2> /dev/null || true
}
