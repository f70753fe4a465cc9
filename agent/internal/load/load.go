// Package load reads how busy a node is, and with which pods.
//
// It knows no names of pods, and compares nothing: a trial subtracts two readings, and its own pods.
package load

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
)

const (
	// tick is the unit of /proc/stat in milliseconds: USER_HZ is 100 on every architecture that Kubernetes runs on.
	tick = 10
	// mostPods: a kubelet has 110 unless it is told otherwise. Those with the most CPU time are reported.
	mostPods = 512
	// mostBytes: the line of all CPUs is the first.
	mostBytes = 4096
)

// Fields of the line "cpu" of /proc/stat (proc_stat(5)). Those after steal are parts of user and nice.
const (
	user = iota
	nice
	system
	idle
	ioWait
	irq
	softIRQ
	steal
	fields
)

// Read reads it now. It is nil if the kernel does not say, which no Linux does.
func Read(root, cgroups string) *api.Load {
	times, ok := cpuTimes(filepath.Join(root, "proc/stat"))
	if !ok {
		return nil
	}
	read := &api.Load{
		TotalMilliseconds:  tick * sum(times),
		BusyMilliseconds:   tick * (times[user] + times[nice] + times[system] + times[irq] + times[softIRQ]),
		StolenMilliseconds: tick * times[steal],
		Pods:               []api.PodLoad{},
	}
	for _, pod := range most(cgroup.PodTimes(cgroups)) {
		read.Pods = append(read.Pods, api.PodLoad{PodUID: pod.UID, CPUMilliseconds: pod.CPU / 1000})
	}
	return read
}

// most are the pods with the most CPU time, by UID.
func most(pods []cgroup.PodTime) []cgroup.PodTime {
	slices.SortFunc(pods, func(a, b cgroup.PodTime) int { return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.UID, b.UID)) })
	pods = pods[:min(len(pods), mostPods)]
	slices.SortFunc(pods, func(a, b cgroup.PodTime) int { return cmp.Compare(a.UID, b.UID) })
	return pods
}

func cpuTimes(file string) (times [fields]int64, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return times, false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return times, false
	}
	line, _, _ := strings.Cut(string(content), "\n")
	words := strings.Fields(line)
	if len(words) < 1+fields || words[0] != "cpu" {
		return times, false
	}
	for i := range times {
		if times[i], err = strconv.ParseInt(words[1+i], 10, 64); err != nil || times[i] < 0 {
			return times, false
		}
	}
	return times, true
}

func sum(times [fields]int64) (all int64) {
	for _, time := range times {
		all += time
	}
	return all
}
