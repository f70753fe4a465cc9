// Package fakenode is all that the agent sees of a full node, made up: a machine as files, a kubelet, and an API server with one
// SparkNodeTopology, for which it wants knobs as the operator does.
//
// It is for tests and for bench/agent; it validates nothing and never refuses.
package fakenode

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"
)

// Two sockets with 28 cores of two threads each, Intel Xeon of the 4th generation, and 110 pods, which is as many as a kubelet
// takes unless told otherwise, 24 of them executors with two cores each.
const (
	sockets         = 2
	coresOfSocket   = 28
	cores           = sockets * coresOfSocket
	threads         = 2 * cores
	pods            = 110
	Executors       = 24
	executorsOfNode = Executors / sockets
)

// ExecutorCPUs are those of an executor: two cores with their threads. The first core of each socket is reserved.
func ExecutorCPUs(executor int) cpuset.CPUSet {
	core := executor/executorsOfNode*coresOfSocket + 1 + executor%executorsOfNode*2
	return cpuset.New(core, core+1, core+cores, core+1+cores)
}

func ofSocket(socket int) cpuset.CPUSet {
	var ids []int
	for core := socket * coresOfSocket; core < (socket+1)*coresOfSocket; core++ {
		ids = append(ids, core, core+cores)
	}
	return cpuset.New(ids...)
}

func allCPUs() cpuset.CPUSet { return ofSocket(0).Union(ofSocket(1)) }

// allocatable are those that the kubelet may give to containers.
func allocatable() cpuset.CPUSet {
	return allCPUs().Difference(cpuset.New(0, coresOfSocket, cores, cores+coresOfSocket))
}

func sharedPool() cpuset.CPUSet {
	pool := allCPUs()
	for executor := range Executors {
		pool = pool.Difference(ExecutorCPUs(executor))
	}
	return pool
}

// files writes the machine below a folder, until the first error.
type files struct {
	root string
	err  error
}

func (f *files) write(file, text string) {
	path := filepath.Join(f.root, file)
	if f.err == nil {
		f.err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if f.err == nil {
		f.err = os.WriteFile(path, []byte(text+"\n"), 0o644)
	}
}

// writeMachine writes what the kernel says of the machine, and its registers.
func writeMachine(root string) error {
	f := &files{root: root}
	f.write("proc/sys/kernel/arch", "x86_64")
	f.write("proc/stat", "cpu  100 0 20 800 30 0 10 40 0 0\ncpu0 1 0 1 1 1 0 1 1 0 0")
	f.write("proc/sys/kernel/osrelease", "6.1.0")
	f.write("proc/sys/kernel/random/boot_id", "11111111-1111-1111-1111-111111111111")
	f.write("proc/sys/kernel/numa_balancing", "1")
	f.write("proc/sys/vm/zone_reclaim_mode", "0")
	f.write("proc/sys/vm/swappiness", "60")
	f.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
	f.write("sys/class/dmi/id/sys_vendor", "Example")
	for _, list := range []string{"online", "present", "possible"} {
		f.write("sys/devices/system/cpu/"+list, allCPUs().String())
	}
	f.write("sys/devices/system/cpu/smt/control", "on")
	var cpuinfo strings.Builder // as long as that of such a machine
	for cpu := range threads {
		fmt.Fprintf(&cpuinfo, "processor\t: %d\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R) Platinum\n"+
			"flags\t\t: fpu msr ht lm constant_tsc%s\n\n", cpu, strings.Repeat(" flag", 200))
	}
	f.write("proc/cpuinfo", cpuinfo.String())
	for cpu := range threads {
		core := cpu % cores
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", cpu)
		f.write(folder+"topology/physical_package_id", strconv.Itoa(core/coresOfSocket))
		f.write(folder+"topology/core_cpus_list", fmt.Sprintf("%d,%d", core, core+cores))
		f.write(folder+"topology/thread_siblings_list", fmt.Sprintf("%d,%d", core, core+cores))
		f.write(folder+"cache/index3/level", "3")
		f.write(folder+"cache/index3/type", "Unified")
		f.write(folder+"cache/index3/shared_cpu_list", ofSocket(core/coresOfSocket).String())
		f.registers(cpu, core)
	}
	for node := range sockets {
		folder := fmt.Sprintf("sys/devices/system/node/node%d/", node)
		f.write(folder+"cpulist", ofSocket(node).String())
		f.write(folder+"distance", []string{"10 21", "21 10"}[node])
		f.write(folder+"meminfo", fmt.Sprintf("Node %d MemTotal:       263921664 kB", node))
		f.write(folder+"hugepages/hugepages-2048kB/nr_hugepages", "0")
		f.write(folder+"hugepages/hugepages-1048576kB/nr_hugepages", "0")
	}
	return f.err
}

// registers: the position in the file is the number of a register; the threads of a core share its registers.
func (f *files) registers(cpu, core int) {
	name := func(cpu int) string { return fmt.Sprintf("dev/cpu/%d/msr", cpu) }
	if cpu != core {
		f.write(name(cpu)+".made", "")
		if f.err == nil {
			f.err = os.Link(filepath.Join(f.root, name(core)), filepath.Join(f.root, name(cpu)))
		}
		return
	}
	content := make([]byte, 0x1A4+8)
	binary.LittleEndian.PutUint64(content[0x1A4:], 0)
	f.write(name(cpu), "")
	if f.err == nil {
		f.err = os.WriteFile(filepath.Join(f.root, name(cpu)), content, 0o644)
	}
}

// writeCgroups writes those of all pods.
func writeCgroups(root string) error {
	f := &files{root: root}
	f.write("cgroup.controllers", "cpuset cpu io memory pids")
	f.write("system.slice/containerd.service/cgroup.procs", "1")
	f.write("kubepods.slice/cpuset.cpus", "")
	f.write("kubepods.slice/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0")
	pool := sharedPool().String()
	for pod := range pods {
		parent, unit, list, node := "kubepods.slice/", "kubepods", pool, 1
		if pod < Executors {
			list, node = ExecutorCPUs(pod).String(), pod/executorsOfNode
		} else {
			unit += []string{"-burstable", "-besteffort"}[pod%2]
			parent += unit + ".slice/"
		}
		folder := fmt.Sprintf("%s%s-pod0b5aabb1_1c2d_4e3f_8000_%012x.slice/", parent, unit, pod)
		f.container(folder, 2*pod, "", 0)
		f.container(folder, 2*pod+1, list, node)
	}
	return f.err
}

func (f *files) container(pod string, number int, list string, node int) {
	folder := fmt.Sprintf("%scri-containerd-%064x.scope/", pod, 0xabcdef00+number)
	effective := list
	if list == "" {
		effective = allCPUs().String()
	}
	f.write(folder+"cgroup.procs", "4711")
	f.write(folder+"cpuset.cpus", list)
	f.write(folder+"cpuset.cpus.effective", effective)
	f.write(folder+"cpuset.mems.effective", strconv.Itoa(node))
	f.write(folder+"memory.numa_stat", fmt.Sprintf("anon N%d=900000000 N%d=100000\nfile N0=5 N1=7\nanon_thp N0=0 N1=0", node, 1-node))
	f.write(folder+"memory.stat", "anon 900100000\npgmajfault 3\nworkingset_refault_anon 10\nworkingset_refault_file 20")
	for _, resource := range []string{"cpu", "memory", "io"} {
		f.write(folder+resource+".pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7500\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0")
	}
	f.write(folder+"cpu.stat", "usage_usec 5400\nuser_usec 4\nsystem_usec 1\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0")
}
