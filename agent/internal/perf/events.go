// Package perf counts what CPUs do, by the kernel's perf events.
//
// A CPU that only one executor may use counts for that executor: so no event follows a process or a cgroup, and a switch between
// threads costs nothing more. Interrupts and threads of the kernel on the CPU are counted too.
package perf

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/knob"
)

// What is counted together; SparkNodeTopology.status.counters has these names.
const (
	Instructions   = "Instructions"
	CacheMisses    = "CacheMisses"
	MemoryAccesses = "MemoryAccesses"
	Stalls         = "Stalls"
	Switches       = "Switches"
)

// Names of counts: fields of SparkNodeTopology.status.exclusive[].counts.
const (
	CountCycles          = "cycles"
	CountInstructions    = "instructions"
	CountCacheMisses     = "cacheMisses"
	CountLocalAccesses   = "localAccesses"
	CountRemoteAccesses  = "remoteAccesses"
	CountSlots           = "slots"
	CountStalledSlots    = "stalledSlots"
	CountContextSwitches = "contextSwitches"
	CountMigrations      = "migrations"
)

// Names are all of them.
var Names = []string{CountCycles, CountInstructions, CountCacheMisses, CountLocalAccesses, CountRemoteAccesses, CountSlots,
	CountStalledSlots, CountContextSwitches, CountMigrations}

// Event is one thing that a CPU counts.
type Event struct {
	// Name is that of its count.
	Name string
	// Type, Config and Config1 are those of struct perf_event_attr.
	Type            uint32
	Config, Config1 uint64
	// Times is what a count is multiplied by; 0 means 1.
	Times float64
}

func (e Event) times() float64 {
	if e.Times == 0 {
		return 1
	}
	return e.Times
}

// Group is counted at the same time or not at all, so that its counts can be divided by each other.
type Group struct {
	Measure string
	Events  []Event
	// RestOf is a count that has all of what the second event counts only a part of: the part is taken from it.
	RestOf string
}

// everywhere are those of the kernel itself, and those that it knows for each processor (include/uapi/linux/perf_event.h).
var everywhere = []Group{
	{Measure: Instructions, Events: []Event{
		{Name: CountCycles, Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_CPU_CYCLES},
		{Name: CountInstructions, Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS}}},
	{Measure: CacheMisses, Events: []Event{{Name: CountCacheMisses, Type: unix.PERF_TYPE_HW_CACHE,
		Config: unix.PERF_COUNT_HW_CACHE_LL | unix.PERF_COUNT_HW_CACHE_OP_READ<<8 | unix.PERF_COUNT_HW_CACHE_RESULT_MISS<<16}}},
	{Measure: Switches, Events: []Event{
		{Name: CountContextSwitches, Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CONTEXT_SWITCHES},
		{Name: CountMigrations, Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_MIGRATIONS}}},
}

func raw(name string, config, config1 uint64) Event {
	return Event{Name: name, Type: unix.PERF_TYPE_RAW, Config: config, Config1: config1}
}

// groupsOf returns what a processor counts, and what of it is not known for this one.
func groupsOf(processor knob.Processor, root string) (groups []Group, missing []Measure) {
	groups = slices.Clone(everywhere)
	if memory, known := memoryOf(processor); known {
		groups = append(groups, memory)
	} else {
		missing = append(missing, unknown(MemoryAccesses, processor))
	}
	if stalls, known := stallsOf(processor, root); known {
		groups = append(groups, stalls)
	} else {
		missing = append(missing, unknown(Stalls, processor))
	}
	return groups, missing
}

func unknown(measure string, processor knob.Processor) Measure {
	if processor.Hypervisor {
		reason, message := why(unix.ENOENT, processor)
		return Measure{Name: measure, State: Unsupported, Reason: reason, Message: message}
	}
	return Measure{Name: measure, State: Unsupported, Reason: "EventUnknown",
		Message: "numaspark knows no such event of this processor (" + processor.String() + ")"}
}

// hasEvent reports whether the kernel offers an event by name for its CPUs.
func hasEvent(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, "sys/bus/event_source/devices/cpu/events", name))
	return err == nil
}
