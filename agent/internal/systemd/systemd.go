// Package systemd finds containers that the next reload of systemd would move to other CPUs.
//
// systemd keeps the CPUs of each container's scope, and sets them again when it is reloaded. A container runtime with the cgroup driver
// systemd writes a set twice: to systemd, and to the cgroup. Where the two differ, the container runs on the second set until the reload.
// runc before 1.1.6 makes them differ for CPUs of number 8 and more (opencontainers/runc issue 3808).
//
// Only files are read, at most 64 KiB of each, and of the folder at most 16,384 names. A node without systemd has none of them.
package systemd

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/cpus"
)

const (
	// mostNames: a kubelet has 110 pods unless it was configured otherwise, and each container has two names.
	mostNames   = 16_384
	longestFile = 64 << 10
	// doubt: runc writes to systemd first and to the cgroup after that.
	doubt   = 5 * time.Second
	setting = "AllowedCPUs="
)

// Move is what a reload would do to a container.
type Move struct {
	// PodUID and ContainerID name the container, Unit is its scope.
	PodUID, ContainerID, Unit string
	// CPUs are those that it has, Held those that systemd would give to it.
	CPUs, Held cpuset.CPUSet
}

// IsRuncDefect reports whether Held is what runc before 1.1.6 makes of CPUs.
func (m Move) IsRuncDefect() bool { return m.Held.Equals(cpus.Swapped(m.CPUs)) }

// Watcher looks again and again. It is not for several goroutines at once.
type Watcher struct {
	folder string
	since  map[string]time.Time
}

// NewWatcher makes one. The folder is where the node's /run/systemd/transient is: systemd keeps the scopes of containers there, with
// whatever was set for them later.
func NewWatcher(folder string) *Watcher { return &Watcher{folder: folder} }

// Look compares systemd with what containers have now. It returns how many could be compared, and those that differ and did so five
// seconds before, sorted by pod and container.
func (w *Watcher) Look(running []cgroup.Container, now time.Time) (compared int, moves []Move) {
	units := w.units()
	since := map[string]time.Time{}
	for _, container := range running {
		unit, found := units[container.ID]
		if !found || container.CPUs.IsEmpty() {
			continue
		}
		held := w.held(unit)
		if held.IsEmpty() {
			continue
		}
		compared++
		if held.Equals(container.CPUs) {
			continue
		}
		claim := container.ID + " " + container.CPUs.String() + " " + held.String()
		first, known := w.since[claim]
		if !known {
			first = now
		}
		since[claim] = first
		if now.Sub(first) >= doubt {
			moves = append(moves, Move{
				PodUID: container.PodUID, ContainerID: container.ID, Unit: unit, CPUs: container.CPUs, Held: held,
			})
		}
	}
	w.since = since
	slices.SortFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.ContainerID, b.ContainerID))
	})
	return compared, moves
}

// units are the scopes of containers by their ids.
func (w *Watcher) units() map[string]string {
	units := map[string]string{}
	folder, err := os.Open(w.folder)
	if err != nil {
		return units
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(mostNames)
	for _, name := range names {
		if id, isContainer := cgroup.ContainerOfScope(name); isContainer {
			units[id] = name
		}
	}
	return units
}

// held are the CPUs that systemd keeps for a scope; empty if none were set, or if the text is not understood. What was set after the
// scope was made is in a file of its own, and wins.
func (w *Watcher) held(unit string) cpuset.CPUSet {
	for _, file := range []string{filepath.Join(unit+".d", "50-AllowedCPUs.conf"), unit} {
		if set := lastSetting(filepath.Join(w.folder, file)); !set.IsEmpty() {
			return set
		}
	}
	return cpuset.New()
}

// lastSetting reads lines such as "AllowedCPUs=0-3 8": systemd writes an empty one first, which clears what was before.
func lastSetting(file string) cpuset.CPUSet {
	f, err := os.Open(file)
	if err != nil {
		return cpuset.New()
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, longestFile))
	if err != nil {
		return cpuset.New()
	}
	set := cpuset.New()
	for line := range strings.Lines(string(content)) {
		list, found := strings.CutPrefix(line, setting)
		if !found {
			continue
		}
		if set, err = cpus.Parse(strings.Join(strings.Fields(list), ",")); err != nil {
			return cpuset.New()
		}
	}
	return set
}
