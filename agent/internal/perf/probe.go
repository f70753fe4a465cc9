package perf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/knob"
)

// States of a measure.
const (
	Counted     = "Counted"
	Estimated   = "Estimated"
	Unsupported = "Unsupported"
)

// Measure says whether something can be counted on this node, and if not, why.
type Measure struct {
	Name    string `json:"name"`
	State   string `json:"state"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

const forbidden = "Forbidden"

// spins is how many steps of a loop have to be seen by a counter that counts.
const spins = 1_000_000

// Probe tries which groups of the processor a CPU counts. The measures are in the order of the groups, and name those too for which
// the processor has no group.
func Probe(kernel Kernel, processor knob.Processor, root string, cpu int) (counted []Group, measures []Measure) {
	groups, missing := groupsOf(processor, root)
	for _, group := range groups {
		measure := Measure{Name: group.Measure, State: Counted}
		if reason, message := try(kernel, group, cpu, processor); reason != "" {
			if reason == forbidden {
				message = whyForbidden(root)
			}
			measure = Measure{Name: group.Measure, State: Unsupported, Reason: reason, Message: message}
		} else {
			counted = append(counted, group)
		}
		measures = append(measures, measure)
	}
	return counted, append(measures, missing...)
}

func try(kernel Kernel, group Group, cpu int, processor knob.Processor) (reason, message string) {
	descriptors, err := open(kernel, group, cpu)
	closeAll(kernel, descriptors)
	if err != nil {
		return why(err, processor)
	}
	if group.Measure == Instructions && isSilent(kernel, group) {
		return "ZeroCount", "the counters can be opened, but count nothing: the hypervisor does not pass them through"
	}
	return "", ""
}

func why(err error, processor knob.Processor) (reason, message string) {
	var errno unix.Errno
	errors.As(err, &errno)
	switch errno {
	case unix.ENOENT, unix.EOPNOTSUPP, unix.ENODEV, unix.ENXIO:
		if processor.Hypervisor {
			return "NoPmu", "this node is a virtual machine without performance counters; measure on bare metal, or on a machine type that has them"
		}
		return "NoPmu", "the kernel has no driver for this processor's performance counters (" + processor.String() + ")"
	case unix.EINVAL:
		return "EventUnknown", "this processor or its kernel does not know the event (" + processor.String() + ")"
	case unix.EACCES, unix.EPERM:
		return forbidden, ""
	case unix.EMFILE, unix.ENFILE:
		return "TooManyFiles", "the container may not open enough files for all CPUs; raise its limit of open files"
	}
	return "NotOpened", fmt.Sprintf("perf_event_open: %v", err)
}

// whyForbidden knows that the kernels of Debian and Ubuntu have stricter values than 2, with which CAP_PERFMON is not enough.
func whyForbidden(root string) string {
	text, _ := os.ReadFile(filepath.Join(root, "proc/sys/kernel/perf_event_paranoid"))
	if value, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && value > 2 {
		return fmt.Sprintf("kernel.perf_event_paranoid is %d, with which this distribution's kernel wants CAP_SYS_ADMIN: set it to 2 on the node"+
			" (sysctl), which still keeps unprivileged users from counting others", value)
	}
	return "perf_event_open is forbidden: the container needs CAP_PERFMON (Linux 5.8), and a seccomp profile that allows the call with it"
}

// isSilent runs a known loop, because some hypervisors let counters be opened that always say 0.
func isSilent(kernel Kernel, group Group) bool {
	descriptors, err := open(kernel, group, Self)
	if err != nil {
		return false // what matters was opened; a thread may be another matter
	}
	defer closeAll(kernel, descriptors)
	sum := 0
	for i := range spins {
		sum += i ^ sum
	}
	reading, err := kernel.Read(descriptors[0], len(descriptors))
	return err == nil && sum != 1 && reading.Values[0] == 0
}
