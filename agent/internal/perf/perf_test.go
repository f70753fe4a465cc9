package perf

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/knob"
)

// fake is a kernel that refuses some events, and counts what it is told.
type fake struct {
	refused map[uint64]unix.Errno // by config
	opened  []Event
	cpus    []int
	leaders []int
	closed  map[int]bool
	read    func(leader, events int) (Reading, error)
}

func (f *fake) Open(event Event, cpu, leader int) (int, error) {
	if errno, refused := f.refused[event.Config]; refused {
		return -1, errno
	}
	f.opened, f.cpus, f.leaders = append(f.opened, event), append(f.cpus, cpu), append(f.leaders, leader)
	return 100 + len(f.opened), nil
}

func (f *fake) Read(leader, events int) (Reading, error) { return f.read(leader, events) }

func (f *fake) Close(descriptor int) {
	if f.closed == nil {
		f.closed = map[int]bool{}
	}
	f.closed[descriptor] = true
}

func (f *fake) left() int { return len(f.opened) - len(f.closed) }

var (
	sapphire = knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 0x8F}
	guest    = knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 0x8F, Hypervisor: true}
)

// The codes are those of the processors' own lists; perf stat writes them as cpu/config=…,config1=…/.
func TestEachProcessorHasItsOwnEventsOfMemory(t *testing.T) {
	for name, c := range map[string]struct {
		processor     knob.Processor
		local, remote uint64
		config1       uint64
	}{
		"Ivy Bridge-EP, of study 001": {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 62}, 0x3D3, 0xCD3, 0},
		"Broadwell-EP":                {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 79}, 0x1D3, 0x4D3, 0},
		"Cascade Lake":                {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 85}, 0x1D3, 0x2D3, 0},
		"Ice Lake-SP":                 {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 106}, 0x1B7, 0x1B7, 0x738000477},
		"Emerald Rapids":              {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 207}, 0x12A, 0x12A, 0x738004477},
		"Sierra Forest":               {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 175}, 0x1D3, 0x2D3, 0},
		"Granite Rapids":              {knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 173}, 0x12A, 0x12A, 0x730004477},
		"Rome":                        {knob.Processor{Vendor: "AuthenticAMD", Family: 23, Model: 49}, 0x843, 0x4043, 0},
		"Genoa":                       {knob.Processor{Vendor: "AuthenticAMD", Family: 25, Model: 17}, 0x844, 0x4044, 0},
		"Turin":                       {knob.Processor{Vendor: "AuthenticAMD", Family: 26, Model: 2}, 0x100000865, 0x100004065, 0},
		"Neoverse V2":                 {knob.Processor{Vendor: "0x41", Part: 0xD4F}, 0x37, 0x31, 0},
	} {
		group, known := memoryOf(c.processor)
		if !known || group.Events[0].Config != c.local || group.Events[1].Config != c.remote || group.Events[1].Config1 != c.config1 {
			t.Errorf("%s: %+v", name, group)
		}
	}
	for _, other := range []knob.Processor{
		{Vendor: "GenuineIntel", Family: 6, Model: 0x9E}, {Vendor: "GenuineIntel", Family: 15, Model: 0x3E}, {Vendor: "AuthenticAMD", Family: 0x1A, Model: 0x50},
		{Vendor: "0x41", Part: 0xD03}, {Vendor: "POWER9"}, {},
	} {
		if group, known := memoryOf(other); known {
			t.Errorf("%+v has %+v", other, group)
		}
	}
}

func TestStallsAreCountedInSlots(t *testing.T) {
	root := t.TempDir()
	if _, known := stallsOf(sapphire, root); known {
		t.Error("the kernel does not offer the event")
	}
	for _, name := range []string{"slots", "topdown-be-bound"} {
		file := filepath.Join(root, "sys/bus/event_source/devices/cpu/events", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	group, known := stallsOf(sapphire, root)
	if !known || group.Events[0].Config != 0x400 || group.Events[1].Config != 0x8300 {
		t.Errorf("%+v", group)
	}
	for width, processor := range map[float64]knob.Processor{
		6: {Vendor: "AuthenticAMD", Family: 0x19, Model: 0x11}, 8: {Vendor: "AuthenticAMD", Family: 0x1A, Model: 0x02}} {
		group, known := stallsOf(processor, root)
		if !known || group.Events[0].Times != width || group.Events[1].Config != 0x100001EA0 {
			t.Errorf("%+v", group)
		}
	}
	if _, known := stallsOf(knob.Processor{Vendor: "AuthenticAMD", Family: 0x19, Model: 0x01}, root); known {
		t.Error("Zen 3 has no such event")
	}
}

func TestProbeSaysWhyNot(t *testing.T) {
	for _, c := range []struct {
		processor knob.Processor
		errno     unix.Errno
		reason    string
		message   string
	}{
		{guest, unix.ENOENT, "NoPmu", "virtual machine"},
		{sapphire, unix.ENOENT, "NoPmu", "no driver for this processor's performance counters (GenuineIntel family 6 model 143"},
		{sapphire, unix.EACCES, "Forbidden", "CAP_PERFMON"},
		{sapphire, unix.EPERM, "Forbidden", "seccomp"},
		{sapphire, unix.EMFILE, "TooManyFiles", "limit of open files"},
		{sapphire, unix.EINVAL, "EventUnknown", "does not know the event"},
		{sapphire, unix.ENOMEM, "NotOpened", "cannot allocate memory"},
	} {
		kernel := &fake{refused: map[uint64]unix.Errno{unix.PERF_COUNT_HW_INSTRUCTIONS: c.errno},
			read: func(int, int) (Reading, error) { return Reading{Values: []uint64{1, 1}}, nil }}
		groups, measures := Probe(kernel, c.processor, t.TempDir(), 3)
		first := measures[0]
		if first.Name != Instructions || first.State != Unsupported || first.Reason != c.reason || !strings.Contains(first.Message, c.message) {
			t.Errorf("%v: %+v", c.errno, first)
		}
		for _, group := range groups {
			if group.Measure == Instructions {
				t.Errorf("%v: it is counted nevertheless", c.errno)
			}
		}
		if kernel.left() != 0 {
			t.Errorf("%v: %d are left open", c.errno, kernel.left())
		}
		if len(measures) != 5 {
			t.Errorf("%+v", measures)
		}
	}
}

// Debian's and Ubuntu's kernels have values that the kernel of kernel.org does not know.
func TestProbeNamesTheDistributionsSetting(t *testing.T) {
	for value, want := range map[string]string{"4": "kernel.perf_event_paranoid is 4", "3": "set it to 2", "2": "CAP_PERFMON (Linux 5.8), and a seccomp", "": "CAP_PERFMON (Linux 5.8), and a seccomp"} {
		root := t.TempDir()
		file := filepath.Join(root, "proc/sys/kernel/perf_event_paranoid")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(value+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		kernel := &fake{refused: map[uint64]unix.Errno{unix.PERF_COUNT_HW_INSTRUCTIONS: unix.EACCES},
			read: func(int, int) (Reading, error) { return Reading{Values: []uint64{1, 1}}, nil }}
		_, measures := Probe(kernel, sapphire, root, 3)
		if measures[0].Reason != "Forbidden" || !strings.Contains(measures[0].Message, want) {
			t.Errorf("%s: %+v", value, measures[0])
		}
	}
}

// Some hypervisors let counters be opened that always say 0.
func TestProbeWantsToSeeAKnownLoop(t *testing.T) {
	for value, want := range map[uint64]string{0: Unsupported, 5_000_000: Counted} {
		kernel := &fake{read: func(_, events int) (Reading, error) { return Reading{1, 1, []uint64{value, value}}, nil }}
		_, measures := Probe(kernel, sapphire, t.TempDir(), 3)
		if measures[0].State != want || (want == Unsupported && measures[0].Reason != "ZeroCount") {
			t.Errorf("%d: %+v", value, measures[0])
		}
	}
}

func TestProbeNamesWhatItDoesNotKnow(t *testing.T) {
	kernel := &fake{read: func(_, events int) (Reading, error) { return Reading{1, 1, []uint64{9, 9}}, nil }}
	_, measures := Probe(kernel, knob.Processor{Vendor: "POWER9"}, t.TempDir(), 0)
	var unsupported []string
	for _, measure := range measures {
		if measure.State == Unsupported {
			unsupported = append(unsupported, measure.Name+" "+measure.Reason)
		}
	}
	if !reflect.DeepEqual(unsupported, []string{"MemoryAccesses EventUnknown", "Stalls EventUnknown"}) {
		t.Error(unsupported)
	}
}

func TestGroupsAreOpenedTogetherAndClosedTogether(t *testing.T) {
	memory, _ := memoryOf(sapphire)
	kernel := &fake{}
	cpu, err := OpenCPU(kernel, 7, []Group{everywhere[0], memory})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(kernel.leaders, []int{-1, 101, -1, 103}) || !reflect.DeepEqual(kernel.cpus, []int{7, 7, 7, 7}) {
		t.Errorf("leaders %v, CPUs %v", kernel.leaders, kernel.cpus)
	}
	cpu.Close()
	if kernel.left() != 0 {
		t.Errorf("%d left", kernel.left())
	}
	kernel = &fake{refused: map[uint64]unix.Errno{memory.Events[1].Config: unix.EINVAL}}
	if _, err := OpenCPU(kernel, 7, []Group{everywhere[0], memory}); err == nil || kernel.left() != 0 {
		t.Errorf("%v, %d left", err, kernel.left())
	}
}

// perf stat scales likewise; here each reading by itself, so that a pause long ago does not matter any more.
func TestWhatAGroupMissesIsEstimatedFromTheRest(t *testing.T) {
	readings := []Reading{
		{1000, 1000, []uint64{400, 800}},  // all the time
		{2000, 1500, []uint64{600, 1200}}, // half of the time since
		{3000, 1500, []uint64{600, 1200}}, // not at all
	}
	kernel := &fake{read: func(int, int) (Reading, error) {
		next := readings[0]
		readings = readings[1:]
		return next, nil
	}}
	cpu, err := OpenCPU(kernel, 0, everywhere[:1])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		cycles    float64
		estimates int
	}{{400, 0}, {800, 1}, {800, 1}} {
		counts, estimates, err := cpu.Read()
		if err != nil || counts[CountCycles] != want.cycles || counts[CountInstructions] != 2*want.cycles || len(estimates) != want.estimates {
			t.Errorf("%v %v %v, want %+v", counts, estimates, err, want)
		}
	}
}

func TestAPartIsTakenFromTheWhole(t *testing.T) {
	group, _ := memoryOf(knob.Processor{Vendor: "0x41", Part: 0xD0C})
	values, time := []uint64{1000, 100}, uint64(0)
	kernel := &fake{read: func(int, int) (Reading, error) {
		time++
		return Reading{time, time, values}, nil
	}}
	cpu, _ := OpenCPU(kernel, 0, []Group{group})
	if counts, _, _ := cpu.Read(); counts[CountLocalAccesses] != 900 || counts[CountRemoteAccesses] != 100 {
		t.Errorf("%v", counts)
	}
	values = []uint64{1000, 1001}
	if counts, _, _ := cpu.Read(); counts[CountLocalAccesses] != 0 {
		t.Errorf("%v", counts)
	}
}

// The kernel of this machine: what it counts itself, it counts in guests too.
func TestThisKernelCountsSwitches(t *testing.T) {
	cpu, err := OpenCPU(System{}, 0, everywhere[2:])
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		t.Skip("perf_event_open is forbidden here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close()
	before, _, err := cpu.Read()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		after, estimates, err := cpu.Read()
		if err != nil || len(estimates) > 0 {
			t.Fatal(err, estimates)
		}
		if after[CountContextSwitches] > before[CountContextSwitches] {
			return
		}
		unix.Nanosleep(&unix.Timespec{Nsec: 50_000_000}, nil)
	}
	t.Error("no switch of context on CPU 0 within 5 s")
}

func TestThisKernelSaysWhatItDoesNotCount(t *testing.T) {
	processor, err := knob.ReadProcessor("/")
	if err != nil {
		t.Fatal(err)
	}
	_, measures := Probe(System{}, processor, "/", 0)
	for _, measure := range measures {
		t.Log(measure)
		if (measure.State == Unsupported) != (measure.Message != "") {
			t.Errorf("%+v", measure)
		}
	}
}
