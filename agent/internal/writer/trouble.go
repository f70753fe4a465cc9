package writer

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/knob"
)

// trouble is what has gone wrong while one request was served: by knob, the first message and all cells.
type trouble struct {
	messages map[knob.Knob]string
	cells    map[knob.Knob]cells
}

func newTrouble() *trouble {
	return &trouble{map[knob.Knob]string{}, map[knob.Knob]cells{}}
}

func (t *trouble) add(k knob.Knob, c cell, message string) {
	if _, ok := t.messages[k]; !ok {
		t.messages[k] = message
		t.cells[k] = cells{}
	}
	t.cells[k].add(c)
}

// explain says what an error at a cell means, and what to do about it.
func explain(c cell, err error) string {
	switch {
	case errors.Is(err, unix.ENOENT):
		what := c.String()
		var at *fs.PathError
		if errors.As(err, &at) {
			what = at.Path
		}
		if c.location.IsMSR() {
			return what + " does not exist: load the kernel module msr on the node (modprobe msr), and let the writer see /dev/cpu"
		}
		return what + " does not exist: the kernel is built without it; leave the knob out of the profile of such nodes"
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return "the kernel does not permit it for " + c.String() +
			": see that the writer runs privileged, that kernel lockdown is off, and that msr.allow_writes is not off"
	case errors.Is(err, unix.EIO):
		return "the processor refuses " + c.String() + " (input/output error): it has no such bit or register, or a hypervisor" +
			" keeps it from the guest; leave the knob out of the profile of such nodes"
	case errors.Is(err, unix.ENXIO):
		// Linux arch/x86/kernel/msr.c, msr_open: ENXIO if the CPU is not online.
		return c.String() + ": the CPU has gone offline: ask again, or set it online"
	case errors.Is(err, unix.EROFS):
		return c.String() + " is on a read-only file system: see that the writer runs privileged"
	}
	return c.String() + ": " + err.Error() + ": see the kernel's log"
}
