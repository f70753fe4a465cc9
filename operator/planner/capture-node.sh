#!/bin/sh
# Prints what numaspark reads of a machine's /sys and /proc as one text, which a test can unpack (docs/topology.md).
# Usage: capture-node.sh [--dmi] [ROOT]
#   --dmi  also the firmware's table with the memory modules; needs root, and has serial numbers in it
set -eu

dmi=
if [ "${1:-}" = --dmi ]; then
  dmi=yes
  shift
fi
cd "${1:-/}"

files() {
  cpu=sys/devices/system/cpu
  node=sys/devices/system/node
  for file in \
    proc/sys/kernel/arch proc/sys/kernel/osrelease proc/cpuinfo proc/meminfo \
    sys/class/dmi/id/sys_vendor sys/class/dmi/id/product_name sys/hypervisor/type \
    sys/firmware/devicetree/base/hypervisor/compatible \
    sys/devices/system/clocksource/clocksource0/available_clocksource \
    "$cpu"/online "$cpu"/present "$cpu"/possible "$cpu"/smt/control \
    "$cpu"/cpu[0-9]*/topology/physical_package_id \
    "$cpu"/cpu[0-9]*/topology/thread_siblings_list "$cpu"/cpu[0-9]*/topology/core_cpus_list \
    "$cpu"/cpu[0-9]*/cache/index[0-9]*/level "$cpu"/cpu[0-9]*/cache/index[0-9]*/type \
    "$cpu"/cpu[0-9]*/cache/index[0-9]*/shared_cpu_list \
    "$node"/node[0-9]*/cpulist "$node"/node[0-9]*/distance "$node"/node[0-9]*/meminfo \
    "$node"/node[0-9]*/hugepages/*/nr_hugepages sys/kernel/mm/hugepages/*/nr_hugepages; do
    if [ -r "$file" ]; then
      printf '%s\n' "$file"
    fi
  done
}

echo "# machine: $(uname -m), captured $(date -u +%Y-%m-%d)"
echo "# source: captured by operator/planner/capture-node.sh"

# One process reads all files as "path:line"; paths have no colon.
files | xargs grep -Ha '' | tr -d '\000\r' | awk '
  {
    colon = index($0, ":")
    path = substr($0, 1, colon - 1)
    line = substr($0, colon + 1)
    # The first processor speaks for all; POWER names platform and machine at the end.
    if (path == "proc/cpuinfo") {
      if (line == "") { others = 1 }
      if (others && line !~ /^(platform|machine)/) { next }
    }
    if (path ~ /meminfo$/ && line !~ /MemTotal/) { next }
    gsub(/\\/, "\\\\", line)
    gsub(/\t/, "\\t", line)
    if (path in text) { text[path] = text[path] "\\n" line } else { text[path] = line; order[++files] = path }
  }
  # Equal files of several CPUs become one line: cpu{0-11,24-35}.
  END {
    for (i = 1; i <= files; i++) {
      path = order[i]
      if (match(path, /\/cpu[0-9]+\//)) {
        id = substr(path, RSTART + 4, RLENGTH - 5) + 0
        key = substr(path, 1, RSTART + 3) "{*}" substr(path, RSTART + RLENGTH - 1) " = " text[path]
        if (id > last) { last = id }
        if (!(key in seen)) { seen[key] = 1; keys[++lines] = key }
        has[key, id] = 1
      } else {
        print path " = " text[path]
      }
    }
    for (i = 1; i <= lines; i++) {
      list = ""
      for (id = 0; id <= last; id++) {
        if ((keys[i], id) in has) {
          first = id
          while ((keys[i], id + 1) in has) { id++ }
          list = list (list == "" ? "" : ",") first (id > first ? "-" id : "")
        }
      }
      at = index(keys[i], "{*}")
      print substr(keys[i], 1, at) list substr(keys[i], at + 2)
    }
  }'

if [ -n "$dmi" ]; then
  printf 'sys/firmware/dmi/tables/DMI =base64 '
  base64 -w0 sys/firmware/dmi/tables/DMI
  echo
fi
