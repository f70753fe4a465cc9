package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	uid      = "0b5aabb1-1c2d-4e3f-8091-a2b3c4d5e6f7"
	otherUID = "11111111-2222-3333-4444-555555555555"
)

// tree writes cgroups as a node has them, of one driver, below one root.
type tree struct {
	t                *testing.T
	kubepods, prefix string
	systemd          bool
}

// newTree makes an empty kubepods. The cgroup root is where the kubelet has its pods, for example / or /kubelet.
func newTree(t *testing.T, top string, systemd bool, cgroupRoot string) tree {
	name := strings.TrimPrefix(cgroupRoot, "/")
	tr := tree{t: t, prefix: "kubepods", systemd: systemd}
	parent := top
	if name != "" {
		tr.prefix = strings.ReplaceAll(name, "/", "-") + "-kubepods"
		parent = filepath.Join(top, name)
		if systemd {
			parent += ".slice"
		}
	}
	tr.kubepods = filepath.Join(parent, "kubepods")
	if systemd {
		tr.kubepods = filepath.Join(parent, tr.prefix+".slice")
	}
	tr.write(top, "cgroup.controllers", "cpuset cpu io memory pids\n")
	tr.write(top, "cpuset.cpus.effective", "0-31\n")
	tr.write(filepath.Join(top, "system.slice/containerd.service"), "cgroup.procs", "1\n")
	tr.write(tr.kubepods, "cpuset.cpus", "\n")
	return tr
}

// pod is the cgroup of a pod; the class is empty for Guaranteed.
func (tr tree) pod(qosClass, uid string) string {
	if !tr.systemd {
		return filepath.Join(tr.kubepods, qosClass, "pod"+uid)
	}
	unit, parent := tr.prefix, tr.kubepods
	if qosClass != "" {
		unit += "-" + qosClass
		parent = filepath.Join(parent, unit+".slice")
	}
	return filepath.Join(parent, unit+"-pod"+strings.ReplaceAll(uid, "-", "_")+".slice")
}

// container is the cgroup of a container of a Guaranteed pod, as containerd names it.
func (tr tree) container(uid, id string) string {
	if tr.systemd {
		return filepath.Join(tr.pod("", uid), "cri-containerd-"+id+".scope")
	}
	return filepath.Join(tr.pod("", uid), id)
}

// fill writes the files of a container that was told to use these CPUs.
func (tr tree) fill(folder, cpus, memoryNodes string) {
	effective := cpus
	if cpus == "" {
		effective = "0-31"
	}
	tr.write(folder, "cgroup.procs", "4711\n")
	tr.write(folder, "cpuset.cpus", cpus+"\n")
	tr.write(folder, "cpuset.cpus.effective", effective+"\n")
	tr.write(folder, "cpuset.mems.effective", memoryNodes+"\n")
	tr.write(folder, "memory.numa_stat", "anon N0=900000000 N1=100000000\nfile N0=5 N1=7\nanon_thp N0=0\n")
	tr.write(folder, "cpu.stat", "usage_usec 5\nuser_usec 4\nnr_periods 1000\nnr_throttled 50\nthrottled_usec 9\n")
}

func (tr tree) write(folder, file, content string) {
	tr.t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr tree) remove(path string) {
	tr.t.Helper()
	if err := os.Remove(path); err != nil {
		tr.t.Fatal(err)
	}
}

// id is one as container runtimes make them.
func id(number int) string { return fmt.Sprintf("%064x", 0xabcdef00+number) }
