package cgroup

import (
	"strconv"
	"strings"
)

// Accounts are what the kernel has accounted since a container was started. A field is nil if the kernel does not say. Times are in
// microseconds.
type Accounts struct {
	// CPU is usage_usec of cpu.stat.
	CPU *int64
	// CPUWait, MemoryWait and IOWait are how long at least one thread waited for it (some of *.pressure, total).
	CPUWait, MemoryWait, IOWait *int64
	// MajorFaults needed a disk (pgmajfault of memory.stat), Refaults brought back pages that had been evicted (workingset_refault_*).
	MajorFaults, Refaults *int64
}

// HasPressure reports whether the kernel of this cgroup file system accounts pressure.
func HasPressure(root string) bool {
	for _, pods := range findKubepods(root) {
		if _, there := readFile(pods, "cpu.pressure"); there {
			return true
		}
	}
	return false
}

func accounts(folder string) *Accounts {
	stat, _ := readFile(folder, "cpu.stat")
	memory, _ := readFile(folder, "memory.stat")
	return &Accounts{
		CPU:         amount(stat, "usage_usec "),
		CPUWait:     pressure(folder, "cpu"),
		MemoryWait:  pressure(folder, "memory"),
		IOWait:      pressure(folder, "io"),
		MajorFaults: amount(memory, "pgmajfault "),
		Refaults:    sum(amount(memory, "workingset_refault_anon "), amount(memory, "workingset_refault_file ")),
	}
}

// pressure reads a line such as "some avg10=0.00 avg60=0.00 avg300=0.00 total=4711".
func pressure(folder, resource string) *int64 {
	text, _ := readFile(folder, resource+".pressure")
	_, total, found := strings.Cut(line(text, "some "), " total=")
	if !found {
		return nil
	}
	return wholeNumber(total)
}

func amount(text, start string) *int64 { return wholeNumber(line(text, start)) }

func wholeNumber(text string) *int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

func sum(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	both := *a + *b
	return &both
}
