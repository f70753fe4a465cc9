package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ticksPerSecond is USER_HZ, the unit of times in /proc/PID/stat: 100 on every architecture that Go runs on.
const ticksPerSecond = 100

// Process is a process to account for, together with its descendants: some operators start a JVM for each application.
type Process struct {
	name string
	pid  int
}

// Account is what a process used during the run.
type Account struct {
	Name        string  `json:"name"`
	CPUSeconds  float64 `json:"cpuSeconds"`
	CPUBefore   float64 `json:"cpuSecondsBefore"` // from its start to the first application
	PeakRSS     int64   `json:"peakRssBytes"`     // of the process itself (VmHWM)
	PeakTreeRSS int64   `json:"peakTreeRssBytes"` // largest sampled sum with its descendants
	RSSAfter    int64   `json:"rssAfterBytes"`
	Disappeared bool    `json:"disappeared"`
}

// Accounts are the open accounts of all processes, and how busy the machine was.
type Accounts struct {
	processes  []Process
	before     []float64
	treePeaks  []int64
	loadBefore string
	stop       chan struct{}
	stopped    chan struct{}
}

// Machine is how busy the whole machine was.
type Machine struct {
	LoadBefore string    `json:"loadavgBefore"`
	LoadAfter  string    `json:"loadavgAfter"`
	Accounts   []Account `json:"processes"`
}

func parseProcesses(list string) ([]Process, error) {
	var processes []Process
	for entry := range strings.SplitSeq(list, ",") {
		if entry == "" {
			continue
		}
		name, number, _ := strings.Cut(entry, "=")
		pid, err := strconv.Atoi(number)
		if err != nil || pid < 1 {
			return nil, fmt.Errorf("-processes: %q is not NAME=PID", entry)
		}
		processes = append(processes, Process{name, pid})
	}
	return processes, nil
}

func openAccounts(processes []Process) *Accounts {
	accounts := &Accounts{
		processes:  processes,
		before:     make([]float64, len(processes)),
		treePeaks:  make([]int64, len(processes)),
		loadBefore: loadAverage(),
		stop:       make(chan struct{}),
		stopped:    make(chan struct{}),
	}
	for i, process := range processes {
		accounts.before[i] = treeCPU(process.pid)
	}
	go accounts.sample()
	return accounts
}

func (a *Accounts) sample() {
	defer close(a.stopped)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		if len(a.processes) > 0 { // only the operator may have children that matter
			a.treePeaks[0] = max(a.treePeaks[0], treeRSS(a.processes[0].pid))
		}
		select {
		case <-ticker.C:
		case <-a.stop:
			return
		}
	}
}

func (a *Accounts) close() Machine {
	close(a.stop)
	<-a.stopped
	machine := Machine{LoadBefore: a.loadBefore, LoadAfter: loadAverage()}
	for i, process := range a.processes {
		_, alive := cpuSeconds(process.pid)
		machine.Accounts = append(machine.Accounts, Account{
			Name:        process.name,
			CPUSeconds:  treeCPU(process.pid) - a.before[i],
			CPUBefore:   a.before[i],
			PeakRSS:     memory(process.pid, "VmHWM:"),
			PeakTreeRSS: a.treePeaks[i],
			RSSAfter:    memory(process.pid, "VmRSS:"),
			Disappeared: !alive,
		})
	}
	return machine
}

func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// stat returns the fields of /proc/PID/stat from the third on: the second, the command, may contain blanks.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// cpuSeconds is user and system time of a process and of the children that it has waited for.
func cpuSeconds(pid int) (float64, bool) {
	fields := stat(pid)
	if fields == nil {
		return 0, false
	}
	ticks := 0
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		value, _ := strconv.Atoi(field)
		ticks += value
	}
	return float64(ticks) / ticksPerSecond, true
}

func treeCPU(pid int) float64 {
	sum := 0.0
	for _, member := range tree(pid) {
		seconds, _ := cpuSeconds(member)
		sum += seconds
	}
	return sum
}

func treeRSS(pid int) int64 {
	sum := int64(0)
	for _, member := range tree(pid) {
		sum += memory(member, "VmRSS:")
	}
	return sum
}

func tree(root int) []int {
	entries, _ := os.ReadDir("/proc")
	children := map[int][]int{}
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if fields := stat(pid); fields != nil {
				parent, _ := strconv.Atoi(fields[1])
				children[parent] = append(children[parent], pid)
			}
		}
	}
	members := []int{root}
	for i := 0; i < len(members); i++ {
		members = append(members, children[members[i]]...)
	}
	return members
}

// memory is a value of /proc/PID/status in bytes.
func memory(pid int, key string) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, key); found {
			kibibytes, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kibibytes << 10
		}
	}
	return 0
}
