package cgroup

import (
	"path/filepath"
)

// PodTime is the CPU time that a pod has had since it was started, in microseconds (usage_usec of its cpu.stat).
type PodTime struct {
	UID string
	CPU int64
}

// PodTimes are the CPU times of all pods below the root, in no order. A pod of which the kernel does not say it is left out.
func PodTimes(root string) []PodTime {
	var times []PodTime
	for _, pods := range findKubepods(root) {
		times = append(times, podTimes(pods)...)
	}
	return times
}

func podTimes(parent string) (times []PodTime) {
	for _, name := range children(parent) {
		folder := filepath.Join(parent, name)
		if uid, isPod := podUID(name); isPod {
			stat, _ := readFile(folder, "cpu.stat")
			if used := amount(stat, "usage_usec "); used != nil {
				times = append(times, PodTime{UID: uid, CPU: *used})
			}
		} else if isQoSClass(name) {
			times = append(times, podTimes(folder)...)
		}
	}
	return times
}
