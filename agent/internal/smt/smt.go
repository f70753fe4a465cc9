// Package smt switches SMT of a node off or on under a kubelet that gives out exclusive CPUs: it stops the kubelet, switches, changes
// reservedSystemCPUs, deletes the state files, starts the kubelet, and returns everything to its former state if the kubelet does not
// become healthy. It does not drain the node: the numaspark command does that first.
package smt

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/text"
)

// States of SMT that a node can be switched to.
const (
	Off = "off"
	On  = "on"
)

const (
	cpusFolder = "/sys/devices/system/cpu"
	control    = cpusFolder + "/smt/control"
	online     = cpusFolder + "/online"
	// A file of /sys has at most a page; lists of CPUs of 8192 with gaps are longer than one on some kernels.
	longestSysfs = 64 << 10
)

// Entry is one of a folder.
type Entry struct {
	Name     string
	IsFolder bool
}

// Host is the node. Paths are those of the node, absolute. Tests end the program between any two calls that change something.
type Host interface {
	// Read returns what a file has; an error says that it has more bytes than the most, and fs.ErrNotExist that there is none.
	Read(path string, most int64) ([]byte, error)
	// List returns a folder's entries in the order of their names.
	List(path string) ([]Entry, error)
	// Resolve follows links to the file itself.
	Resolve(path string) (string, error)
	// Replace writes a file as a whole, in a folder that it creates; when it returns nil, the file is on disk. An existing file keeps
	// owner and mode, a new one gets this mode.
	Replace(path string, content []byte, mode fs.FileMode) error
	// Remove deletes a file, if there is one.
	Remove(path string) error
	// Write writes to a file of the kernel.
	Write(path, value string) error
	// Stop and Start are for systemd's units; each returns when it is done.
	Stop(unit string) error
	Start(unit string) error
	// Service is the state of a unit.
	Service(unit string) (Service, error)
	// Healthy returns an error unless a kubelet answers that it is well at this address, as 127.0.0.1:10248.
	Healthy(address string) error
}

// Service is the state of a unit of systemd.
type Service struct {
	// State is active, activating, inactive, failed, and others.
	State string
	// PID is that of the main process; 0 if there is none.
	PID int
	// Restarts is how often systemd has started it again by itself.
	Restarts int
}

// topology reads what the kernel says of CPUs now.
type topology struct{ host Host }

func (t topology) text(file string) (string, error) {
	content, err := t.host.Read(file, longestSysfs)
	return strings.TrimSpace(string(content)), err
}

// control is the kernel's word for the state of SMT.
func (t topology) control() (string, error) {
	state, err := t.text(control)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New(control + " does not exist, so this kernel cannot switch SMT: boot with nosmt, or on POWER use ppc64_cpu")
	}
	return state, err
}

func (t topology) online() (cpuset.CPUSet, error) {
	list, err := t.text(online)
	if err != nil {
		return cpuset.New(), err
	}
	return cpus.Parse(list)
}

// siblings are the threads of a CPU's core that are online, the CPU included.
func (t topology) siblings(cpu int) (cpuset.CPUSet, error) {
	folder := fmt.Sprintf("%s/cpu%d/topology/", cpusFolder, cpu)
	list, err := t.text(folder + "core_cpus_list")
	if errors.Is(err, fs.ErrNotExist) {
		list, err = t.text(folder + "thread_siblings_list")
	}
	if err != nil {
		return cpuset.New(), err
	}
	return cpus.Parse(list)
}

// wholeCores adds the online siblings of those CPUs that are online.
func (t topology) wholeCores(of cpuset.CPUSet) (cpuset.CPUSet, error) {
	up, err := t.online()
	if err != nil {
		return cpuset.New(), err
	}
	whole := of
	for _, cpu := range of.Intersection(up).List() {
		threads, err := t.siblings(cpu)
		if err != nil {
			return cpuset.New(), err
		}
		whole = whole.Union(threads)
	}
	return whole, nil
}

// checkSwitchable returns the state, or an error if it cannot be switched.
func (t topology) checkSwitchable() (string, error) {
	state, err := t.control()
	if err != nil {
		return "", err
	}
	switch state {
	case Off, On:
		return state, nil
	case "forceoff":
		return "", errors.New(control + " is forceoff: the kernel was started with nosmt=force, or its firmware has switched SMT off; remove that, and start the node again")
	case "notsupported":
		return "", errors.New(control + " is notsupported: this processor has one thread for each core, or its firmware has switched SMT off")
	case "notimplemented":
		return "", errors.New(control + " is notimplemented: this kernel cannot switch SMT; boot with nosmt, or on POWER use ppc64_cpu")
	}
	return "", fmt.Errorf("%s is '%s', and only on or off can be switched: on POWER, use ppc64_cpu", control, text.Quote(state))
}

// bootsOff reports whether the kernel's command line switches SMT off: nosmt, mitigations=auto,nosmt, l1tf=full and others.
func (t topology) bootsOff() (bool, error) {
	line, err := t.text("/proc/cmdline")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	for word := range strings.FieldsSeq(line) {
		_, value, _ := strings.Cut(word, "=")
		if word == "nosmt" || word == "l1tf=full" || slices.Contains(strings.Split(value, ","), "nosmt") {
			return true, nil
		}
	}
	return false, err
}

// folderOf joins a relative path with the folder that it is relative to.
func folderOf(base, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(base, name)
}
