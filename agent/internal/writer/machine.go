package writer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/knob"
)

// machine is the one whose knobs are set. Tests put faults between this and the files of a fake one.
type machine interface {
	read(c cell) (uint64, error)
	// write returns nil also if the cell has not changed: only reading it back proves that.
	write(c cell, content uint64) error
	// online returns the CPUs that run.
	online() (cpuset.CPUSet, error)
	// present returns the CPUs that run or could.
	present() (cpuset.CPUSet, error)
	// siblings returns the CPUs of the core of an online CPU, itself among them.
	siblings(cpu int) (cpuset.CPUSet, error)
	// bootID returns the kernel's id of this start of the machine.
	bootID() (string, error)
	// msrWriteBlock returns why model specific registers cannot be written, and what to do; empty if nothing says so.
	msrWriteBlock() string
}

const (
	cpuDirectory = "sys/devices/system/cpu/"
	bootIDFile   = "proc/sys/kernel/random/boot_id"
	allowWrites  = "sys/module/msr/parameters/allow_writes"
	lockdown     = "sys/kernel/security/lockdown"
)

// fileMachine is the machine as the kernel shows it below a root: dev/cpu, sys and proc. It opens a file for each access: a
// profile changes rarely, and an open descriptor would outlive a CPU that is taken offline.
type fileMachine struct{ root string }

func (m fileMachine) path(name string) string { return filepath.Join(m.root, name) }

func (m fileMachine) msr(c cell) string { return m.path(fmt.Sprintf("dev/cpu/%d/msr", c.cpu)) }

func dscr(c cell) string { return fmt.Sprintf("%scpu%d/dscr", cpuDirectory, c.cpu) }

func (m fileMachine) read(c cell) (uint64, error) {
	switch {
	case !c.location.IsPerCPU():
		return knob.ReadKernelFile(m.root, c.location)
	case !c.location.IsMSR():
		content, err := knob.ReadShort(m.path(dscr(c)))
		if err != nil {
			return 0, err
		}
		return knob.ParseNumber(content, 16, dscr(c))
	}
	var register [8]byte
	n, err := m.atRegister(c, unix.O_RDONLY, func(fd int) (int, error) {
		return unix.Pread(fd, register[:], int64(c.location.MSR()))
	})
	if err != nil {
		return 0, err
	}
	if n != len(register) {
		return 0, fmt.Errorf("%s gives no whole register", m.msr(c))
	}
	return binary.LittleEndian.Uint64(register[:]), nil
}

func (m fileMachine) write(c cell, content uint64) error {
	if c.location.IsMSR() {
		register := binary.LittleEndian.AppendUint64(nil, content)
		_, err := m.atRegister(c, unix.O_WRONLY, func(fd int) (int, error) {
			return unix.Pwrite(fd, register, int64(c.location.MSR()))
		})
		return err
	}
	name, text := c.location.File(), knob.SpellKernelFile(c.location, content)
	if c.location.IsPerCPU() {
		name, text = dscr(c), strconv.FormatUint(content, 16)
	}
	file, err := os.OpenFile(m.path(name), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	// In one piece: the kernel takes each write as a whole setting.
	_, err = file.WriteString(text + "\n")
	return errors.Join(err, file.Close())
}

// atRegister makes one system call, whose position is the number of the register (Linux arch/x86/kernel/msr.c). os.File
// would continue after a part of a register, which is another one.
func (m fileMachine) atRegister(c cell, flags int, call func(fd int) (int, error)) (int, error) {
	path := m.msr(c)
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	n, err := call(fd)
	if err != nil {
		return 0, &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return n, nil
}

func (m fileMachine) online() (cpuset.CPUSet, error) { return m.cpus(cpuDirectory + "online") }

func (m fileMachine) present() (cpuset.CPUSet, error) { return m.cpus(cpuDirectory + "present") }

func (m fileMachine) siblings(cpu int) (cpuset.CPUSet, error) {
	set, err := m.cpus(fmt.Sprintf("%scpu%d/topology/thread_siblings_list", cpuDirectory, cpu))
	return set.Union(cpuset.New(cpu)), err
}

func (m fileMachine) cpus(name string) (cpuset.CPUSet, error) {
	list, err := knob.ReadShort(m.path(name))
	if err != nil {
		return cpuset.New(), err
	}
	set, err := cpus.Parse(list)
	if err != nil {
		return cpuset.New(), fmt.Errorf("/%s: %w", name, err)
	}
	return set, nil
}

func (m fileMachine) bootID() (string, error) {
	id, err := knob.ReadShort(m.path(bootIDFile))
	if err == nil && id == "" {
		err = errors.New("/" + bootIDFile + " is empty")
	}
	return id, err
}

func (m fileMachine) msrWriteBlock() string {
	// Older kernels have no such files; a write that is refused is known from its error.
	if allowed, err := knob.ReadShort(m.path(allowWrites)); err == nil && allowed == "off" {
		return "the kernel lets nobody write registers (msr.allow_writes=off): write 'default' to /" + allowWrites
	}
	mode, err := knob.ReadShort(m.path(lockdown))
	if err == nil && strings.Contains(mode, "[") && !strings.Contains(mode, "[none]") {
		return "kernel lockdown forbids to write registers (/" + lockdown + " is '" + mode +
			"'): lift it, which mostly means Secure Boot off, or use the settings of the firmware"
	}
	return ""
}
