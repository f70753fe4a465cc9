# shellcheck shell=bash
# The network of the cluster: a network namespace with one bridge. The control plane, the native node and the virtual
# machines' taps all live in it, so that the lab neither touches the network of the machine nor depends on it.

network_exists() { [ -e "/run/netns/$LAB_NS" ]; }

network_up() {
  network_exists || ip netns add "$LAB_NS"
  in_ns ip link set lo up
  in_ns sysctl -qw net.ipv4.ip_forward=1
  if ! in_ns ip link show "$LAB_BRIDGE" > /dev/null 2>&1; then
    in_ns ip link add "$LAB_BRIDGE" type bridge
    in_ns ip addr add "$LAB_HOST_IP/24" dev "$LAB_BRIDGE"
    in_ns ip link set "$LAB_BRIDGE" up
  fi
  # Pods of the other nodes. There is no masquerading between the nodes: executors and the driver see real addresses.
  local ips cidrs index
  read -ra ips <<< "$LAB_VM_IPS"
  read -ra cidrs <<< "$POD_CIDRS_NUMA"
  for index in "${!ips[@]}"; do in_ns ip route replace "${cidrs[index]}" via "${ips[index]}" dev "$LAB_BRIDGE"; done
  # A packet to a Service is rerouted by kube-proxy's rules, but only if there is a route for it in the first place.
  in_ns ip route replace "$SERVICE_CIDR" dev "$LAB_BRIDGE" src "$LAB_HOST_IP"
}

# Removing the namespace also removes the bridge and everything on it, once no process is left inside.
network_down() {
  local pids
  network_exists || return 0
  pids=$(ip netns pids "$LAB_NS")
  # shellcheck disable=SC2086 # a list of numbers
  [ -z "$pids" ] || note "processes left in namespace $LAB_NS: $(ps -o pid=,comm= -p "$(echo $pids | tr ' ' ,)" | tr '\n' ';')"
  ip netns del "$LAB_NS"
}

# forward NAME PORT ADDRESS: makes ADDRESS (host:port inside the namespace) reachable on the root namespace's loopback
# PORT. Two relays with a unix socket between them: no address or route of the machine has to change.
forward() {
  local name=$1 port=$2 address=$3 socket=$LAB_RUN/$1.sock
  mkdir -p "$LAB_RUN"
  if ! process_alive "forward-$name-inside"; then
    rm -f "$socket"
    start_process "forward-$name-inside" "$LAB_LOGS/forward-$name-inside.log" in_ns \
      socat "UNIX-LISTEN:$socket,fork,mode=600" "TCP:$address"
    WAIT_ALIVE=forward-$name-inside wait_for 10 "socket $socket" "$LAB_LOGS/forward-$name-inside.log" test -S "$socket"
  fi
  if ! process_alive "forward-$name"; then
    ! port_open 127.0.0.1 "$port" || die "port $port on 127.0.0.1 is taken by another process" \
      "stop that process, or set LAB_API_PORT or LAB_PROMETHEUS_PORT to a free port"
    start_process "forward-$name" "$LAB_LOGS/forward-$name.log" \
      socat "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" "UNIX-CONNECT:$socket"
    WAIT_ALIVE=forward-$name wait_for 10 "port $port" "$LAB_LOGS/forward-$name.log" port_open 127.0.0.1 "$port"
  fi
}

forward_stop() { # NAME
  stop_process "forward-$1"
  stop_process "forward-$1-inside"
  rm -f "$LAB_RUN/$1.sock"
}

port_open() { (exec 3<> "/dev/tcp/$1/$2") 2> /dev/null; }
