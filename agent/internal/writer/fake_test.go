package writer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

const (
	control  = knob.IntelPrefetchControl
	fakeCPUs = 4
	skylake  = 0x55
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// tree is a machine of plain files: two cores with two threads each, CPUs 0 and 2, 1 and 3, whose siblings share their
// registers by hard links.
type tree struct {
	t    testing.TB
	root string
}

func newTree(t testing.TB, root string) *tree {
	f := &tree{t, root}
	f.text("proc/sys/kernel/random/boot_id", "11111111-1111-1111-1111-111111111111")
	f.text("proc/sys/kernel/numa_balancing", "1")
	f.text("proc/sys/vm/zone_reclaim_mode", "0")
	f.text("proc/sys/vm/swappiness", "60")
	f.text("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
	f.text("sys/devices/system/cpu/online", "0-3")
	f.text("sys/devices/system/cpu/present", "0-3")
	for cpu := range fakeCPUs {
		f.text(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu),
			fmt.Sprintf("%d,%d", cpu%2, cpu%2+2))
	}
	return f
}

// intelTree has the registers of all prefetchers.
func intelTree(t testing.TB, model int) *tree {
	f := newTree(t, t.TempDir())
	f.x86("GenuineIntel", 6, model, "fpu msr")
	f.fill(knob.IntelPrefetchControl, 0)
	f.fill(knob.IntelPrefetchers, 0)
	f.fill(knob.IntelAtomPrefetch, 0)
	return f
}

func amdTree(t testing.TB, family int, eax uint64) *tree {
	f := newTree(t, t.TempDir())
	f.x86("AuthenticAMD", family, 1, "fpu msr")
	f.fill(knob.AMDPrefetchControl, 0x3C0)
	f.at("dev/cpu/0/cpuid", 0x80000021, eax)
	f.at("dev/cpu/0/cpuid", 0x80000029, 0)
	return f
}

func powerTree(t testing.TB, processor string) *tree {
	f := newTree(t, t.TempDir())
	f.text("proc/cpuinfo", "processor\t: 0\ncpu\t\t: "+processor+" (raw), altivec supported\n\nmodel\t: IBM,8286\n")
	for cpu := range fakeCPUs {
		f.text(fmt.Sprintf("sys/devices/system/cpu/cpu%d/dscr", cpu), "10")
	}
	return f
}

func gravitonTree(t testing.TB) *tree {
	f := newTree(t, t.TempDir())
	f.text("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\n")
	return f
}

func (f *tree) x86(vendor string, family, model int, flags string) {
	f.text("proc/cpuinfo", fmt.Sprintf("processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: X\nflags\t\t: %s",
		vendor, family, model, flags))
}

func (f *tree) path(name string) string { return filepath.Join(f.root, name) }

func (f *tree) must(errs ...error) {
	f.t.Helper()
	if err := errors.Join(errs...); err != nil {
		f.t.Fatal(err)
	}
}

func (f *tree) text(name, text string) {
	f.t.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o755), os.WriteFile(f.path(name), []byte(text+"\n"), 0o644))
}

func (f *tree) read(name string) string {
	f.t.Helper()
	content, err := os.ReadFile(f.path(name))
	f.must(err)
	return strings.TrimSpace(string(content))
}

func (f *tree) fill(register knob.Location, content uint64) {
	for cpu := range fakeCPUs {
		f.set(register, cpu, content)
	}
}

func (f *tree) set(register knob.Location, cpu int, content uint64) {
	shared := fmt.Sprintf("dev/cpu/%d/msr", cpu%2)
	f.at(shared, int64(register.MSR()), content)
	own := f.path(fmt.Sprintf("dev/cpu/%d/msr", cpu))
	if _, err := os.Stat(own); err != nil {
		f.must(os.MkdirAll(filepath.Dir(own), 0o755), os.Link(f.path(shared), own))
	}
}

func (f *tree) at(name string, position int64, content uint64) {
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o755))
	file, err := os.OpenFile(f.path(name), os.O_CREATE|os.O_WRONLY, 0o644)
	f.must(err)
	_, err = file.WriteAt(binary.LittleEndian.AppendUint64(nil, content), position)
	f.must(err, file.Close())
}

func (f *tree) registers(location knob.Location) []uint64 {
	f.t.Helper()
	var contents []uint64
	for cpu := range fakeCPUs {
		content, err := fileMachine{f.root}.read(cell{location, cpu})
		f.must(err)
		contents = append(contents, content)
	}
	return contents
}

// everything returns all that a knob may live in; what this machine does not have is absent.
func (f *tree) everything() map[string]uint64 {
	contents := map[string]uint64{}
	for _, location := range knob.Locations() {
		for cpu := range fakeCPUs {
			c := cell{location, cpu}
			if !location.IsPerCPU() {
				c.cpu = ofNode
			}
			if content, err := (fileMachine{f.root}).read(c); err == nil {
				contents[c.String()] = content
			}
		}
	}
	return contents
}

func (f *tree) requireBack(before map[string]uint64, when string) {
	f.t.Helper()
	if after := f.everything(); !maps.Equal(after, before) {
		f.t.Fatalf("%s: %v, was %v", when, after, before)
	}
	if _, err := os.Stat(f.path("state/originals.json")); !errors.Is(err, os.ErrNotExist) {
		f.t.Fatalf("%s: originals: %v", when, err)
	}
}

// crash ends a writer at its n-th step, as SIGKILL would: nothing of the writer runs after it.
type crash struct{ at, steps int }

type killed struct{ what string }

func (c *crash) step(what string) {
	if c.steps++; c.steps-1 == c.at {
		panic(killed{what})
	}
}

// faulty is a machine with faults between the writer and the files.
type faulty struct {
	fileMachine
	crash         *crash
	readErrors    map[cell]error
	writeErrors   map[cell]error
	ignoresWrites func(cell) bool
	writes        []string
}

func newFaulty(f *tree, c *crash) *faulty {
	m := &faulty{fileMachine: fileMachine{f.root}, crash: c}
	m.heal()
	return m
}

func (m *faulty) heal() {
	m.readErrors, m.writeErrors = map[cell]error{}, map[cell]error{}
	m.ignoresWrites = func(cell) bool { return false }
}

func (m *faulty) read(c cell) (uint64, error) {
	m.crash.step("read " + c.String())
	if err := m.readErrors[c]; err != nil {
		return 0, err
	}
	return m.fileMachine.read(c)
}

func (m *faulty) write(c cell, content uint64) error {
	m.crash.step("before write of " + c.String())
	if err := m.writeErrors[c]; err != nil {
		return err
	}
	m.writes = append(m.writes, fmt.Sprintf("%s=%x", c, content))
	if !m.ignoresWrites(c) {
		if err := m.fileMachine.write(c, content); err != nil {
			return err
		}
	}
	m.crash.step("after write of " + c.String())
	return nil
}

// faultyDisk can be killed before, in the middle of, and after each of its steps. It does not wait for the disk: who kills a
// process does not take from the kernel what was written.
type faultyDisk struct {
	crash *crash
	full  error
}

func (d *faultyDisk) write(path string, text []byte) error {
	if d.full != nil {
		return d.full
	}
	d.crash.step("before the temporary file")
	if err := os.WriteFile(path, text[:len(text)/2], 0o644); err != nil {
		return err
	}
	d.crash.step("in the temporary file")
	err := os.WriteFile(path, text, 0o644)
	d.crash.step("after the temporary file")
	return err
}

func (d *faultyDisk) rename(from, to string) error {
	err := os.Rename(from, to)
	d.crash.step("after the rename")
	return err
}

func (d *faultyDisk) remove(path string) error {
	d.crash.step("before the removal")
	err := os.Remove(path)
	d.crash.step("after the removal")
	return err
}

func (d *faultyDisk) syncDirectory(string) error {
	d.crash.step("after the sync of the directory")
	return nil
}

// fixture is a writer on a machine of plain files.
type fixture struct {
	*tree
	machine *faulty
	disk    *faultyDisk
	writer  *Writer
}

func use(f *tree) *fixture {
	never := &crash{at: -1}
	x := &fixture{tree: f, machine: newFaulty(f, never), disk: &faultyDisk{crash: never}}
	x.restart()
	return x
}

// restart makes a new process.
func (x *fixture) restart() {
	processor, err := knob.ReadProcessor(x.root)
	x.must(err)
	x.writer = newWriter(quiet, x.machine, processor, store{x.path("state"), x.disk})
}

func settings(t testing.TB, pairs ...string) knob.Settings {
	t.Helper()
	values := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		values[pair[0]] = pair[1]
	}
	parsed, err := knob.ParseSettings(values)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func nextLine(t testing.TB) knob.Settings { return settings(t, "prefetch.l1NextLine", "Disabled") }

// only returns the single state of an answer.
func (x *fixture) only(states []api.KnobState, err error) api.KnobState {
	x.t.Helper()
	x.must(err)
	if len(states) != 1 {
		x.t.Fatalf("states are %v", states)
	}
	return states[0]
}

func (x *fixture) apply(wanted knob.Settings) api.KnobState {
	x.t.Helper()
	return x.only(x.writer.Apply(wanted, nil))
}

func (x *fixture) requireState(state api.KnobState, word string, parts ...string) {
	x.t.Helper()
	if state.State != word {
		x.t.Fatalf("%+v is not %s", state, word)
	}
	for _, part := range parts {
		if !strings.Contains(state.Message, part) {
			x.t.Fatalf("%q does not say %q", state.Message, part)
		}
	}
}

func (x *fixture) requireRegisters(location knob.Location, want ...uint64) {
	x.t.Helper()
	if len(want) == 1 {
		want = slices.Repeat(want, fakeCPUs)
	}
	if got := x.registers(location); !slices.Equal(got, want) {
		x.t.Fatalf("%v is %x, want %x", location, got, want)
	}
}

func (x *fixture) requireWrites(want ...string) {
	x.t.Helper()
	if !slices.Equal(x.machine.writes, want) {
		x.t.Fatalf("writes are %v, want %v", x.machine.writes, want)
	}
}

func (x *fixture) restore() []api.KnobState {
	x.t.Helper()
	states, err := x.writer.Restore()
	x.must(err)
	return states
}

func set(ids ...int) *cpuset.CPUSet {
	s := cpuset.New(ids...)
	return &s
}
