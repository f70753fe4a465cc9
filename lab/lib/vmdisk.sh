# shellcheck shell=bash
# The disk of the NUMA nodes: a Debian system with containerd, the kubelet, kube-proxy and the container images already
# unpacked. All of it is made at native speed on this machine; inside the emulated one it would take many times longer.
# The disk knows neither a cluster (credentials, host name and configuration arrive when the machine joins) nor a
# topology (that is an option of the emulator), so that one disk serves every run.

VM_PACKAGES=(
  systemd-sysv udev dbus kmod util-linux mount procps iproute2 iputils-ping ca-certificates openssh-server
  iptables ebtables ethtool conntrack socat
  containerd runc containernetworking-plugins
  numactl msr-tools busybox-static
  linux-image-cloud-amd64
)
VM_DISK_SIZE=16G # sparse: it takes as much space as there are files

# Units and modules that are of no use to a machine that lives for one run, and cost many seconds of every emulated
# boot: loading one module interrupts all CPUs several times.
VM_MASKED_UNITS=(
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer e2scrub_reap.service
  systemd-networkd-wait-online.service systemd-timesyncd.service systemd-pstore.service systemd-update-utmp.service
  systemd-hwdb-update.service systemd-journal-catalog-update.service systemd-update-done.service
  systemd-firstboot.service systemd-binfmt.service ldconfig.service keyboard-setup.service console-setup.service
  getty@tty1.service serial-getty@ttyS0.service systemd-logind.service systemd-sysusers.service
  systemd-remount-fs.service systemd-random-seed.service systemd-journal-flush.service
  modprobe@.service sys-kernel-config.mount sys-kernel-debug.mount sys-kernel-tracing.mount
  sys-fs-fuse-connections.mount dev-hugepages.mount dev-mqueue.mount proc-sys-fs-binfmt_misc.automount
)
VM_BLOCKED_MODULES=(
  kvm kvm_intel kvm_amd intel_powerclamp crct10dif_pclmul crc32_pclmul ghash_clmulni_intel aesni_intel sha1_ssse3
  sha256_ssse3 sha512_ssse3 serio_raw button evdev
)

# Prints the path of the disk image; beside it lie vmlinuz, initrd.img and ssh-key. Makes it if there is none.
vm_disk() {
  local archives product
  require_root
  ensure_packages mmdebstrap e2fsprogs cpio openssh-client
  archives=$(image_archives numa)
  mapfile -t VM_ARCHIVES <<< "$archives"
  VM_BASE=$(cached vm-base "$(hash_of "$(declare -f vm_base_build)" "${VM_PACKAGES[*]}")" vm_base_build)
  product=$(cached vm-disk "$(hash_of "$VM_BASE" "$(declare -f vm_disk_build vm_guest_files vm_initrd vm_preload)" \
    "${VM_MASKED_UNITS[*]} ${VM_BLOCKED_MODULES[*]} $VM_DISK_SIZE $LAB_VM_IPS $LAB_HOST_IP" "$BIN/kubelet" "$BIN/kube-proxy" "$BIN/containerd" "$BIN/runc" \
    "${VM_ARCHIVES[@]}")" vm_disk_build)
  # A disk takes more than 2 GiB, and each change of an image makes another: those that nobody has used for a week go.
  # A machine that still runs from one keeps its file.
  touch "$product"
  find "$NUMASPARK_CACHE" -maxdepth 1 -name 'vm-disk-*' -mtime +7 -exec rm -rf {} +
  echo "$product/root.img"
}

# vm_base_build FOLDER: the Debian system as a tar archive.
vm_base_build() {
  mmdebstrap --quiet --variant=minbase --include="$(IFS=, && echo "${VM_PACKAGES[*]}")" \
    --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "5"' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$1/rootfs.tar" || die "could not make the system of the virtual machine" "check the apt sources and the network"
}

# vm_disk_build FOLDER: root.img, vmlinuz, initrd.img and ssh-key.
vm_disk_build() {
  local out=$1 root=$1/rootfs
  mkdir "$root"
  tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -xf "$VM_BASE/rootfs.tar"
  # A public key in a cached disk: the machine can be reached from inside the lab's namespace only.
  ssh-keygen -q -t ed25519 -N '' -C numaspark-lab -f "$out/ssh-key"
  vm_guest_files "$root" "$out/ssh-key.pub"
  vm_initrd "$root" "$out"
  cp "$root"/boot/vmlinuz-* "$out/vmlinuz"
  vm_preload "$root"
  # mke2fs copies the tree by itself: no loop device, no mount. Without a journal, because every boot starts afresh.
  truncate -s "$VM_DISK_SIZE" "$out/root.img"
  mke2fs -q -t ext4 -O ^has_journal,^metadata_csum -E lazy_itable_init=1,nodiscard -d "$root" "$out/root.img"
  rm -rf --one-file-system "$root"
}

# vm_guest_files ROOT PUBLIC-KEY: what the same disk needs in every cluster.
vm_guest_files() {
  local root=$1 key=$2 unit ip
  install -D -m 755 "$BIN/kubelet" "$root/usr/local/bin/kubelet"
  install -D -m 755 "$BIN/kube-proxy" "$root/usr/local/bin/kube-proxy"
  # Over those of the package, which brings the unit: Debian's has no image volumes.
  install -m 755 "$BIN/containerd" "$BIN/containerd-shim-runc-v2" "$BIN/ctr" "$root/usr/bin/"
  # Debian's has runc issue 3808: a reload of systemd gives containers other CPUs. A test of the proof uses it.
  cp -p "$root/usr/sbin/runc" "$root/usr/sbin/runc-of-debian"
  install -m 755 "$BIN/runc" "$root/usr/sbin/runc"
  install -D -m 600 "$key" "$root/root/.ssh/authorized_keys"
  chmod 700 "$root/root/.ssh"
  mkdir -p "$root"/etc/{kubernetes,containerd,cni/net.d,modules-load.d,sysctl.d,modprobe.d,systemd/journald.conf.d,systemd/network}

  echo numaspark-vm > "$root/etc/hostname"
  echo "127.0.0.1 localhost" > "$root/etc/hosts"
  rm -f "$root/etc/resolv.conf"
  echo "nameserver $LAB_HOST_IP" > "$root/etc/resolv.conf"
  : > "$root/etc/fstab" # the initial file system has mounted the only disk
  # Not empty: systemd would take every boot for the first one, and set up all units anew.
  echo 0123456789abcdef0123456789abcdef > "$root/etc/machine-id"
  # One disk serves all machines: the kernel's command line names the address (vm_qemu).
  for ip in $LAB_VM_IPS; do
    cat > "$root/etc/systemd/network/10-uplink-$ip.network" << NETWORK
[Match]
Driver=virtio_net
KernelCommandLine=numaspark.address=$ip
[Network]
Address=$ip/24
Gateway=$LAB_HOST_IP
LinkLocalAddressing=no
IPv6AcceptRA=no
NETWORK
  done
  # br_netfilter: traffic between two pods on one bridge has to pass the rules of Services as well.
  printf '%s\n' overlay br_netfilter msr > "$root/etc/modules-load.d/kubernetes.conf"
  printf 'blacklist %s\n' "${VM_BLOCKED_MODULES[@]}" > "$root/etc/modprobe.d/numaspark-lab.conf"
  # Automatic NUMA balancing would blur the effect of pinning.
  printf '%s\n' net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1 vm.overcommit_memory=1 kernel.panic=10 \
    kernel.panic_on_oops=1 kernel.numa_balancing=0 > "$root/etc/sysctl.d/90-kubernetes.conf"
  printf '%s\n' '[Journal]' Storage=volatile RuntimeMaxUse=64M > "$root/etc/systemd/journald.conf.d/volatile.conf"

  cat > "$root/etc/systemd/system/kubelet.service" << 'UNIT'
[Unit]
After=containerd.service
Wants=containerd.service
[Service]
EnvironmentFile=/etc/kubernetes/kubelet.env
ExecStart=/usr/local/bin/kubelet --config=/etc/kubernetes/kubelet.yaml --kubeconfig=/etc/kubernetes/kubelet.kubeconfig $KUBELET_ARGS
Restart=on-failure
RestartSec=3
UNIT
  cat > "$root/etc/systemd/system/kube-proxy.service" << 'UNIT'
[Service]
ExecStart=/usr/local/bin/kube-proxy --config=/etc/kubernetes/kube-proxy.yaml
Restart=on-failure
RestartSec=3
UNIT
  for unit in "${VM_MASKED_UNITS[@]}"; do ln -sf /dev/null "$root/etc/systemd/system/$unit"; done
  # containerd, the kubelet and kube-proxy start when the machine joins a cluster.
  chroot "$root" systemctl --quiet enable systemd-networkd ssh 2> /dev/null
  chroot "$root" systemctl --quiet disable containerd 2> /dev/null
  chroot "$root" ssh-keygen -A > /dev/null
}

# vm_initrd ROOT FOLDER: a small initial file system with busybox and the few modules that lead to the disk. It is not
# compressed, because decompression is slow under emulation.
vm_initrd() {
  local root=$1 out=$2 tree=$2/initrd version word path module index=10
  version=$(basename "$root"/usr/lib/modules/*)
  mkdir -p "$tree"/{bin,proc,sys,dev,modules,new}
  cp "$root/bin/busybox" "$tree/bin/busybox"
  for module in virtio_pci virtio_blk ext4; do
    while read -r word path _; do
      [ "$word" = insmod ] || continue # the others are built into the kernel
      compgen -G "$tree/modules/*-$(basename "$path")" > /dev/null && continue
      cp "$root$path" "$tree/modules/$index-$(basename "$path")"
      index=$((index + 1))
    done < <(chroot "$root" modprobe --set-version "$version" --show-depends "$module")
  done
  cat > "$tree/init" << 'INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in /modules/*; do $b insmod "$module"; done
n=0
while [ ! -b /dev/vda ] && [ $n -lt 300 ]; do $b usleep 100000; n=$((n + 1)); done
$b mount -t ext4 -o rw,noatime /dev/vda /new
$b mount --move /dev /new/dev
$b umount /sys /proc
exec $b switch_root /new /sbin/init
INIT
  chmod 755 "$tree/init"
  (cd "$tree" && find . | cpio --create --format=newc --quiet) > "$out/initrd.img"
  rm -rf "$tree"
}

# vm_preload ROOT: imports the images with the system's own containerd, in a change of root. In mount and process
# namespaces of their own, its mounts and processes vanish together, whatever happens.
vm_preload() {
  local root=$1 index
  mkdir -p "$root/tmp/images"
  for index in "${!VM_ARCHIVES[@]}"; do cp "${VM_ARCHIVES[index]}" "$root/tmp/images/$index.tar"; done
  printf '%s\n' 'version = 2' 'disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime"]' > "$root/tmp/images/containerd.toml"
  cat > "$root/tmp/images/import" << 'SCRIPT'
set -eu
containerd --config /tmp/images/containerd.toml --log-level warn &
for _ in $(seq 300); do ctr version > /dev/null 2>&1 && break; sleep 0.1; done
for archive in /tmp/images/*.tar; do ctr -n k8s.io images import --snapshotter overlayfs "$archive"; done
# With this label the kubelet's side of containerd takes an image for its own.
for image in $(ctr -n k8s.io images ls -q); do
  ctr -n k8s.io images label "$image" io.cri-containerd.image=managed > /dev/null
done
kill %1
wait || true
SCRIPT
  # shellcheck disable=SC2016 # expanded by the inner shell
  image_log vm-images unshare --mount --propagation private --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t sysfs sys "$1/sys"
    mount --rbind /dev "$1/dev"
    mount -t tmpfs run "$1/run"
    chroot "$1" bash /tmp/images/import' - "$root"
  rm -rf "$root/tmp/images"
}
