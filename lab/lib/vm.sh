# shellcheck shell=bash
# The nodes numa-0 and numa-1: virtual machines with real sockets, NUMA nodes and threads as far as kernel and kubelet can
# tell. They are emulated in software unless the processor can run virtual machines, so that they are slow, and no timing
# from them means anything; but what their kubelets pin, reject and report is genuine. Most topologies have numa-0 only.

VM_NODES=(numa-0 numa-1)
: "${LAB_VM_MEMORY_MIB:=10240}" # of a machine whose topology says nothing else
# The kubelet demands that reservedMemory, summed over the NUMA nodes, is exactly the system's share plus the
# threshold of eviction.
VM_SYSTEM_MIB=412
VM_EVICTION_MIB=100
VM_KUBELET_DROP_INS=/etc/kubernetes/kubelet.conf.d

# vm_use NODE: the machine that the other functions are about.
vm_use() {
  local index ips cidrs
  read -ra ips <<< "$LAB_VM_IPS"
  read -ra cidrs <<< "$POD_CIDRS_NUMA"
  for index in "${!VM_NODES[@]}"; do
    [ "${VM_NODES[index]}" = "$1" ] || continue
    VM_NODE=$1
    VM_DIR=$NUMASPARK_LAB/$VM_NODE
    VM_CONSOLE=$LAB_LOGS/$VM_NODE-console.log
    VM_TAP=vm$index
    VM_MAC=52:54:00:12:34:$((56 + index)) # 56 is the one that QEMU gives by default
    VM_IP=${ips[index]}
    VM_POD_CIDR=${cidrs[index]}
    return
  done
  die "there is no machine '$1'" "one of: ${VM_NODES[*]}"
}

vm_alive() { process_alive "$VM_NODE"; }

# vm_each_alive FUNCTION ARGUMENT...: calls it for each machine that runs.
vm_each_alive() {
  local node
  for node in "${VM_NODES[@]}"; do
    vm_use "$node"
    ! vm_alive || "$@"
  done
}

# vm_machines TOPOLOGY: sets the array VM_MACHINES, the topology of each machine. A file of topologies/ describes one machine, or
# names the topologies of several.
vm_machines() {
  VM_MACHINES=("$1")
  vm_topology_file "$1"
}

vm_topology_file() { # NAME
  local file=$LAB_HOME/topologies/$1.env
  [ -f "$file" ] || die "there is no topology '$1'" "one of: $(cd "$LAB_HOME/topologies" && echo *.env | sed 's/\.env//g')"
  # shellcheck disable=SC1090 # one of a known form
  . "$file"
}

# vm_topology NAME: sets VM_SOCKETS, VM_CORES, VM_THREADS, VM_NUMA_NODES, VM_RESERVED_CPUS, VM_MEMORY_MIB and what follows from them.
# shellcheck disable=SC2153 # the names with a capital V come from the file
vm_topology() {
  VM_MEMORY_MIB=$LAB_VM_MEMORY_MIB
  vm_topology_file "$1"
  VM_CPUS=$((VM_SOCKETS * VM_CORES * VM_THREADS))
  VM_NUMA_TOTAL=$((VM_SOCKETS * VM_NUMA_NODES))
  [ $((VM_MEMORY_MIB % VM_NUMA_TOTAL + (VM_SYSTEM_MIB + VM_EVICTION_MIB) % VM_NUMA_TOTAL)) -eq 0 ] ||
    die "the memory of the machine cannot be divided by $VM_NUMA_TOTAL NUMA nodes" "set LAB_VM_MEMORY_MIB to a multiple of 1024"
}

# The flags vmx and svm say whether this processor can run virtual machines. /dev/kvm alone does not: in some
# paravirtual machines it can be opened, and the guest then hangs.
vm_accelerated() { [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; }

# vm_emulator: prints the program. QEMU 7.2, which Debian 12 has, may run code that the kernel has replaced long ago: after a kernel
# switched a branch at run time, as numa_balancing does, processors of the machine trapped for ever in the breakpoint that had stood
# there for a moment. That took 170 and 1400 switches; QEMU 10 went through 6500.
vm_emulator() {
  local version backport
  version=$(qemu-system-x86_64 --version | sed -n 's/^QEMU emulator version \([0-9]*\).*/\1/p')
  if [ "${version:-0}" -lt 10 ] &&
    backport=$(fetch_backport qemu-system-x86 qemu-system-common qemu-system-data seabios ipxe-qemu); then
    echo "$backport/usr/bin/qemu-system-x86_64"
  else
    [ "${version:-0}" -ge 10 ] || note "going on with QEMU $version, with which the virtual machine hangs now and then"
    echo qemu-system-x86_64
  fi
}

# vm_qemu DISK: sets the array VM_QEMU.
vm_qemu() {
  local disk=$1 emulator node socket core thread other distance
  local append="console=ttyS0 rw quiet nokaslr mitigations=off selinux=0 apparmor=0 audit=0 nowatchdog"
  append+=" systemd.unified_cgroup_hierarchy=1 transparent_hugepage=never numaspark.address=$VM_IP"
  emulator=$(vm_emulator)
  VM_QEMU=(env "TMPDIR=$VM_DIR" "$emulator" -name "$VM_NODE" -nodefaults -no-user-config -no-reboot)
  if vm_accelerated; then
    VM_QEMU+=(-machine "q35,smm=off,vmport=off" -accel kvm -cpu host)
  else
    # A processor of AMD, which "max" is otherwise, would have no threads.
    VM_QEMU+=(-machine "q35,smm=off,vmport=off" -accel "tcg,thread=multi,tb-size=1024" -cpu "max,vendor=GenuineIntel")
    # The checks of clocks and timers take long, and give up good ones because of the emulator's hiccups.
    append+=" tsc=reliable clocksource=tsc no_timer_check"
  fi
  VM_QEMU+=(-smp "$VM_CPUS,sockets=$VM_SOCKETS,dies=1,cores=$VM_CORES,threads=$VM_THREADS" -m "${VM_MEMORY_MIB}M")
  for ((node = 0; node < VM_NUMA_TOTAL; node++)); do
    VM_QEMU+=(-object "memory-backend-ram,id=memory$node,size=$((VM_MEMORY_MIB / VM_NUMA_TOTAL))M"
      -numa "node,nodeid=$node,memdev=memory$node")
  done
  for ((socket = 0; socket < VM_SOCKETS; socket++)); do
    for ((core = 0; core < VM_CORES; core++)); do
      for ((thread = 0; thread < VM_THREADS; thread++)); do
        node=$((socket * VM_NUMA_NODES + core * VM_NUMA_NODES / VM_CORES))
        VM_QEMU+=(-numa "cpu,node-id=$node,socket-id=$socket,core-id=$core,thread-id=$thread")
      done
    done
  done
  for ((node = 0; node < VM_NUMA_TOTAL; node++)); do
    for ((other = 0; other < VM_NUMA_TOTAL; other++)); do
      [ "$node" -ne "$other" ] || continue
      distance=21
      [ $((node / VM_NUMA_NODES)) -ne $((other / VM_NUMA_NODES)) ] || distance=12
      VM_QEMU+=(-numa "dist,src=$node,dst=$other,val=$distance")
    done
  done
  # shellcheck disable=SC2054 # the commas belong to the options of QEMU
  # -snapshot: what the machine writes is forgotten, and the cached disk stays as it was made.
  VM_QEMU+=(-kernel "${disk%/*}/vmlinuz" -initrd "${disk%/*}/initrd.img" -append "$append" -snapshot
    -drive "file=$disk,if=none,id=disk,format=raw,cache=unsafe" -device virtio-blk-pci,drive=disk
    -netdev "tap,id=net,ifname=$VM_TAP,script=no,downscript=no" -device "virtio-net-pci,netdev=net,mac=$VM_MAC"
    -device virtio-rng-pci -display none -monitor none -chardev stdio,id=console,signal=off -serial chardev:console)
}

# vm_up TOPOLOGY [DROP-IN]: starts the machines; vm_join waits for them.
vm_up() {
  local topology=$1 drop_in=${2:-} index total=0
  ensure_packages qemu-system-x86 openssh-client
  vm_machines "$topology"
  for index in "${!VM_MACHINES[@]}"; do
    vm_topology "${VM_MACHINES[index]}"
    total=$((total + VM_MEMORY_MIB))
  done
  [ "$(awk '/^MemTotal/ {print int($2 / 1024)}' /proc/meminfo)" -gt "$total" ] ||
    die "this machine has too little memory for virtual machines of $total MiB" "set LAB_VM_MEMORY_MIB to less"
  for index in "${!VM_NODES[@]}"; do
    vm_use "${VM_NODES[index]}"
    if [ -n "${VM_MACHINES[index]:-}" ]; then
      vm_machine_up "${VM_MACHINES[index]}" "$drop_in"
    else
      vm_machine_down
    fi
  done
}

# vm_machine_up TOPOLOGY DROP-IN: a running machine of another topology or with other kubelet settings or another containerd is
# replaced.
vm_machine_up() {
  local topology=$1 drop_in=$2 disk settings=none
  vm_topology "$topology"
  [ -z "$drop_in" ] || settings=$(sha256sum < "$drop_in")
  settings+=$LAB_CONTAINERD
  if vm_alive; then
    [ "$(< "$VM_DIR/topology") $(< "$VM_DIR/settings")" != "$topology $settings" ] || return 0
    note "replacing $VM_NODE, whose topology is $(< "$VM_DIR/topology")"
  fi
  disk=$(vm_disk)
  vm_machine_down
  mkdir -p "$VM_DIR" "$LAB_LOGS"
  echo "$topology" > "$VM_DIR/topology"
  echo "$settings" > "$VM_DIR/settings"
  echo "$disk" > "$VM_DIR/disk"
  install -m 600 "${disk%/*}/ssh-key" "$VM_DIR/ssh-key"
  [ -c /dev/net/tun ] || modprobe tun 2> /dev/null || die "there is no /dev/net/tun" "load the kernel module tun"
  in_ns ip tuntap add dev "$VM_TAP" mode tap
  in_ns ip link set "$VM_TAP" master "$LAB_BRIDGE" up
  vm_start
}

# vm_start: the processes of the machine that vm_machine_up has prepared, of the topology that vm_topology has read.
vm_start() {
  vm_qemu "$(< "$VM_DIR/disk")"
  start_process "$VM_NODE" "$VM_CONSOLE" in_ns "${VM_QEMU[@]}"
}

vm_down() {
  local node
  for node in "${VM_NODES[@]}"; do
    vm_use "$node"
    vm_machine_down
  done
}

vm_machine_down() {
  stop_process "$VM_NODE-ssh"
  stop_process "$VM_NODE"
  ! network_exists || in_ns ip link del "$VM_TAP" 2> /dev/null || true
  rm -rf "$VM_DIR"
}

# vm_cut_power: the machine is gone from one moment to the next, and nobody is told. `lab up` starts it again with a fresh disk.
vm_cut_power() {
  local pid
  pid=$(process_pid "$VM_NODE") || die "$VM_NODE does not run" "see 'lab status'"
  kill -KILL "$pid"
}

vm_ssh_options() {
  VM_SSH=(ssh -F none -q -i "$VM_DIR/ssh-key" -o IdentitiesOnly=yes -o BatchMode=yes -o ConnectTimeout=10
    -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o "ControlPath=$VM_DIR/ssh.sock" -o ServerAliveInterval=30)
}

# vm_ssh CMD...: in a shell of the machine, as root. As with ssh, the words of CMD become one line for that shell.
vm_ssh() {
  vm_ssh_options
  in_ns "${VM_SSH[@]}" "root@$VM_IP" "$@"
}

vm_ssh_ready() { [ -S "$VM_DIR/ssh.sock" ] && vm_ssh true; }

# vm_boot: waits for the machine to answer. One that does not is started again: under emulation a start hangs now and then,
# however long one waits.
vm_boot() {
  local boot boots=3
  for ((boot = 1; boot < boots; boot++)); do
    if (WAIT_ALIVE=$VM_NODE wait_for 100 "ssh in $VM_NODE" "$VM_CONSOLE" vm_ssh true); then return; fi
    cp "$VM_CONSOLE" "$LAB_LOGS/$VM_NODE-console-$boot.log"
    note "starting $VM_NODE again: its start $boot of $boots has hung, see $LAB_LOGS/$VM_NODE-console-$boot.log"
    stop_process "$VM_NODE"
    vm_start
  done
  WAIT_ALIVE=$VM_NODE wait_for 300 "ssh in $VM_NODE" "$VM_CONSOLE" vm_ssh true
}

# One connection for all commands: under emulation every new one costs seconds.
vm_wait_ssh() {
  vm_boot
  if ! vm_ssh_ready; then
    stop_process "$VM_NODE-ssh"
    rm -f "$VM_DIR/ssh.sock"
    vm_ssh_options
    start_process "$VM_NODE-ssh" "$LAB_LOGS/$VM_NODE-ssh.log" in_ns "${VM_SSH[@]}" -o ControlMaster=yes -N "root@$VM_IP"
    WAIT_ALIVE=$VM_NODE-ssh wait_for 60 "the connection to $VM_NODE" "$LAB_LOGS/$VM_NODE-ssh.log" vm_ssh_ready
  fi
}

# vm_join TOPOLOGY [DROP-IN]: waits for each machine, gives it credentials and configuration, and waits for its node to be Ready.
vm_join() {
  local topology=$1 drop_in=${2:-} index
  vm_machines "$topology"
  for index in "${!VM_NODES[@]}"; do
    vm_use "${VM_NODES[index]}"
    if [ -n "${VM_MACHINES[index]:-}" ]; then
      step "node $VM_NODE" vm_machine_join "${VM_MACHINES[index]}" "$drop_in"
    else
      vm_forget
    fi
  done
}

# vm_forget: a node of this name is one of an earlier machine, and its pods are gone.
vm_forget() {
  kube get node "$VM_NODE" > /dev/null 2>&1 || return 0
  kube delete node "$VM_NODE" > /dev/null
  kube delete pods --all-namespaces --field-selector "spec.nodeName=$VM_NODE" --force --grace-period=0 > /dev/null 2>&1
}

vm_machine_join() {
  local topology=$1 drop_in=$2
  vm_topology "$topology"
  if [ -e "$VM_DIR/joined" ]; then
    WAIT_ALIVE=$VM_NODE wait_for 120 "node $VM_NODE" "$VM_CONSOLE" node_ready "$VM_NODE"
    return 0
  fi
  step "  ssh" vm_wait_ssh
  vm_forget
  vm_join_files "$VM_DIR/join"
  [ -z "$drop_in" ] || install -D -m 644 "$drop_in" "$VM_DIR/join$VM_KUBELET_DROP_INS/90-numaspark.conf"
  tar -C "$VM_DIR/join" --owner=0 --group=0 -c . |
    vm_ssh "tar -C / -x --touch --no-overwrite-dir && hostname $VM_NODE && systemctl start --no-block containerd kubelet"
  rm -rf "$VM_DIR/join"
  step "  kubelet" vm_wait_for 240 "registration of $VM_NODE" kubelet kube get node "$VM_NODE"
  # After the kubelet: kube-proxy waits half a minute for a node that is not registered, then guesses its address.
  vm_ssh systemctl start --no-block kube-proxy
  step "  kube-proxy" vm_wait_for 180 "kube-proxy of $VM_NODE" kube-proxy curl_ns "http://$VM_IP:10256/healthz"
  step "  Ready" vm_wait_for 240 "node $VM_NODE" kubelet node_ready "$VM_NODE"
  touch "$VM_DIR/joined"
}

curl_ns() { in_ns curl -fsS --max-time 10 "$1"; }

# vm_wait_for SECONDS WHAT UNIT CMD...: as wait_for; if the time is over, the log of the unit is fetched to be shown.
vm_wait_for() {
  local seconds=$1 what=$2 unit=$3 log=$LAB_LOGS/$VM_NODE-$3.log
  shift 3
  if ! (WAIT_ALIVE=$VM_NODE wait_for "$seconds" "$what" /dev/null "$@"); then
    vm_ssh journalctl --no-pager -o cat -u "$unit" > "$log" 2>&1 || true
    show_log "$log"
    die "$unit of $VM_NODE does not do its work" "see $log; then 'lab down' and 'lab up'"
  fi
}

# vm_join_files FOLDER: everything that the machine learns when it joins, as it shall lie below its root.
vm_join_files() {
  local root=$1 etc=$1/etc/kubernetes node
  rm -rf "$root"
  mkdir -p "$root"/etc/{kubernetes,containerd,cni/net.d} "$root$VM_KUBELET_DROP_INS"
  node_credentials "$VM_NODE" "$VM_IP" "$etc"
  chmod 755 "$etc"
  echo "$VM_NODE" > "$root/etc/hostname"
  printf '%s\n' "127.0.0.1 localhost" "$VM_IP $VM_NODE" > "$root/etc/hosts"
  cat > "$etc/kubelet.yaml" << YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
authentication:
  anonymous:
    enabled: false
  webhook:
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/ca.crt
authorization:
  mode: Webhook
tlsCertFile: /etc/kubernetes/kubelet.crt
tlsPrivateKeyFile: /etc/kubernetes/kubelet.key
clusterDNS: [$LAB_HOST_IP]
clusterDomain: cluster.local
failSwapOn: false
nodeStatusUpdateFrequency: 4s
# Starting a container takes longer than the two minutes that are the default, when the machine is busy.
runtimeRequestTimeout: 10m
imageGCHighThresholdPercent: 100
cpuManagerPolicy: static
cpuManagerPolicyOptions:
  full-pcpus-only: "true"
reservedSystemCPUs: "$VM_RESERVED_CPUS"
topologyManagerPolicy: single-numa-node
topologyManagerScope: pod
memoryManagerPolicy: Static
systemReserved:
  memory: ${VM_SYSTEM_MIB}Mi
evictionHard:
  memory.available: ${VM_EVICTION_MIB}Mi
  nodefs.available: 1%
  imagefs.available: 1%
reservedMemory:
$(for ((node = 0; node < VM_NUMA_TOTAL; node++)); do
    printf -- '  - numaNode: %d\n    limits:\n      memory: %dMi\n' "$node" $(((VM_SYSTEM_MIB + VM_EVICTION_MIB) / VM_NUMA_TOTAL))
  done)
registerWithTaints:
  - key: numaspark.io/pinned
    value: "true"
    effect: NoSchedule
YAML
  printf 'KUBELET_ARGS=%s\n' "--hostname-override=$VM_NODE --node-ip=$VM_IP --config-dir=$VM_KUBELET_DROP_INS \
--node-labels=node.example.com/pool=spark-metal" > "$etc/kubelet.env"
  cat > "$etc/kube-proxy.yaml" << YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
hostnameOverride: $VM_NODE
clusterCIDR: $POD_CIDR
clientConnection:
  kubeconfig: /etc/kubernetes/kube-proxy.kubeconfig
nodePortAddresses: [primary]
iptables:
  minSyncPeriod: 0s
YAML
  cat > "$root/etc/containerd/config.toml" << TOML
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "$LAB_PAUSE_IMAGE"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = true
TOML
  # No masquerading: executors, the driver and the operator see each other's real addresses, and nothing else is in reach.
  cat > "$root/etc/cni/net.d/10-pods.conflist" << JSON
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
   "ipam": {"type": "host-local", "ranges": [[{"subnet": "$VM_POD_CIDR"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
JSON
}

vm_status() { vm_each_alive vm_machine_status; }

vm_machine_status() {
  echo "$VM_NODE: topology $(< "$VM_DIR/topology"), $(vm_accelerated && echo KVM || echo "software emulation")"
}

# vm_load_images ARCHIVE...: unpacked in the machine, which is slow: for small images. What the machine has of them already, such as
# the layer with Java, is left out.
vm_load_images() {
  local archive known work
  known=$(vm_ssh ctr -n k8s.io content ls -q)
  for archive in "$@"; do
    work=$(mktemp -d "$LAB_RUN/import-XXXXXX")
    tar -C "$work" -xf "$archive" --exclude-from=<(echo "${known//sha256:/blobs/sha256/}")
    tar -C "$work" -c . | vm_ssh ctr -n k8s.io images import - > "$LAB_LOGS/$VM_NODE-import.log" 2>&1 || {
      show_log "$LAB_LOGS/$VM_NODE-import.log"
      die "could not import $archive into $VM_NODE" "it must be an OCI or Docker archive for x86_64"
    }
    rm -rf "$work"
  done
}

# vm_sysfs FOLDER: what the machine says about its CPUs, memory and kubelet, below FOLDER as below the machine's root.
# Files of /sys and /proc claim another size than they have, so that cp reads them before tar packs them.
vm_sysfs() {
  mkdir -p "$1"
  # shellcheck disable=SC2016 # expanded in the machine
  vm_ssh 'set -e
    work=$(mktemp -d)
    cd /
    {
      find sys/devices/system/node/ -maxdepth 4 -type f -perm /444
      find sys/devices/system/cpu/cpu[0-9]*/topology sys/devices/system/cpu/cpu[0-9]*/cache/index* -maxdepth 1 -type f -perm /444
      ls sys/devices/system/cpu/online sys/devices/system/cpu/possible sys/devices/system/cpu/present \
        sys/devices/system/cpu/smt/control sys/devices/system/cpu/smt/active proc/cpuinfo proc/meminfo \
        etc/kubernetes/kubelet.yaml var/lib/kubelet/cpu_manager_state var/lib/kubelet/memory_manager_state
    } 2> /dev/null | xargs cp --parents -t "$work" 2> /dev/null || true
    tar -C "$work" -c .
    rm -rf "$work"' | tar -C "$1" -x --no-same-owner
}
