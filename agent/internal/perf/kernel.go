package perf

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Kernel is what is asked of the kernel: perf_event_open(2).
type Kernel interface {
	// Open starts to count an event, for all that runs on a CPU, or with CPU Self for this thread alone. The leader is the first
	// event of its group, -1 for the first itself.
	Open(event Event, cpu, leader int) (descriptor int, err error)
	// Read reads what the group of a leader has counted.
	Read(leader, events int) (Reading, error)
	// Close ends counting.
	Close(descriptor int)
}

// Self counts the thread that opens an event, on whatever CPU.
const Self = -1

// Reading is what a group has counted since it was opened. The times are in nanoseconds: how long it was to count, and how long
// the CPU had registers for it.
type Reading struct {
	Enabled, Running uint64
	Values           []uint64
}

// System is the kernel of this machine.
type System struct{}

// Open needs CAP_PERFMON (Linux 5.8) for a CPU, unless kernel.perf_event_paranoid is 0 or less.
func (System) Open(event Event, cpu, leader int) (int, error) {
	attributes := unix.PerfEventAttr{
		Type: event.Type, Config: event.Config, Ext1: event.Config1,
		Read_format: unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	attributes.Size = uint32(unsafe.Sizeof(attributes))
	process := -1
	if cpu == Self {
		process = 0
		// An unprivileged process may count itself, but not the kernel's work for it.
		attributes.Bits = unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv
	}
	return unix.PerfEventOpen(&attributes, process, cpu, leader, unix.PERF_FLAG_FD_CLOEXEC)
}

// Read returns an error if the group cannot count any more, as when its CPU was switched off.
func (System) Read(leader, events int) (Reading, error) {
	const before = 3 // the number of values, and two times
	buffer := make([]byte, 8*(before+events))
	length, err := unix.Read(leader, buffer)
	if err != nil {
		return Reading{}, err
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(buffer[8*i:]) }
	if length != len(buffer) || word(0) != uint64(events) {
		return Reading{}, fmt.Errorf("the kernel has counted %d bytes of %d: %w", length, len(buffer), unix.ENODEV)
	}
	reading := Reading{Enabled: word(1), Running: word(2)}
	for i := range events {
		reading.Values = append(reading.Values, word(before+i))
	}
	return reading, nil
}

// Close never fails in a way that matters.
func (System) Close(descriptor int) { _ = unix.Close(descriptor) }
