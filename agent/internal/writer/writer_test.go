package writer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/knob"
)

func TestSetsAndPutsBackOnEachProcessor(t *testing.T) {
	intel := func(model int) func(testing.TB) *tree {
		return func(t testing.TB) *tree { return intelTree(t, model) }
	}
	amd := func(family int, eax uint64) func(testing.TB) *tree {
		return func(t testing.TB) *tree { return amdTree(t, family, eax) }
	}
	power := func(name string) func(testing.TB) *tree {
		return func(t testing.TB) *tree { return powerTree(t, name) }
	}
	for _, test := range []struct {
		name  string
		make  func(testing.TB) *tree
		knob  string
		place string // empty if unsupported
		want  uint64
	}{
		{"Ivy Bridge", intel(0x3E), "l2AdjacentLine", "msr-0x1a4", 2},
		{"Skylake", intel(skylake), "l1NextLine", "msr-0x1a4", 4},
		{"Skylake", intel(skylake), "llcPage", "", 0},
		{"Sapphire Rapids", intel(0x8F), "llcStream", "msr-0x6d", 1 << 42},
		{"Granite Rapids", intel(0xAD), "llcPage", "msr-0x1a4", 0x40},
		{"Sierra Forest", intel(0xAF), "llcStream", "msr-0x1320", 1 << 43},
		{"unknown Intel", intel(0x02), "l1NextLine", "", 0},
		{"Zen 3", amd(0x19, 1<<13), "l2AdjacentLine", "msr-0xc0000108", 0x3E0},
		{"Zen 5", amd(0x1A, 1<<13), "l1Region", "msr-0xc0000108", 0x3C4},
		{"Zen 4 without the bit", amd(0x19, 0), "l1Region", "", 0},
		{"Zen 2", amd(0x17, 0xFFFFFFFF), "l1NextLine", "", 0},
		{"POWER8", power("POWER8E"), "l2Stream", "dscr", 0x11},
		{"POWER9", power("POWER9"), "l1NextLine", "", 0},
		{"Graviton", gravitonTree, "l1NextLine", "", 0},
	} {
		t.Run(test.name+" "+test.knob, func(t *testing.T) {
			x := use(test.make(t))
			before := x.everything()
			state := x.apply(settings(t, "prefetch."+test.knob, "Disabled"))
			if test.place == "" {
				x.requireState(state, knob.Unsupported, ": ")
				x.requireWrites()
			} else {
				x.requireState(state, knob.Applied)
				if state.Actual != "Disabled" {
					t.Errorf("%+v", state)
				}
				location, _ := knob.FindLocation(test.place)
				x.requireRegisters(location, test.want)
				x.requireState(x.only(x.writer.Restore()), knob.Restored)
			}
			x.requireBack(before, "restored")
		})
	}
}

func TestSaysThatAMDIsExperimental(t *testing.T) {
	x := use(amdTree(t, 0x19, 1<<13))
	x.requireState(x.apply(nextLine(t)), knob.Applied, "experimental")
}

func TestSetsKernelFilesOnAnyProcessor(t *testing.T) {
	for _, test := range []struct{ name, value, file, content string }{
		{"memory.transparentHugePages", "Madvise", "sys/kernel/mm/transparent_hugepage/enabled", "madvise"},
		{"memory.numaBalancing", "Disabled", "proc/sys/kernel/numa_balancing", "0"},
		{"memory.zoneReclaim", "Enabled", "proc/sys/vm/zone_reclaim_mode", "1"},
		{"memory.swappiness", "10", "proc/sys/vm/swappiness", "10"},
	} {
		x := use(gravitonTree(t))
		before := x.everything()
		state := x.only(x.writer.Apply(settings(t, test.name, test.value), set(1)))
		x.requireState(state, knob.Applied)
		if state.DifferingCPUs != "" || x.read(test.file) != test.content {
			t.Errorf("%+v, %s", state, x.read(test.file))
		}
		x.restore()
		x.requireBack(before, test.name)
	}
}

func TestLeavesAllOtherBitsAlone(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.fill(control, 0xFFFF_0000_0000_0009)
	x.apply(nextLine(t))
	x.requireRegisters(control, 0xFFFF_0000_0000_000D)
	// Somebody else's bit changes in between, and stays changed.
	x.fill(control, 0xFFFF_0000_0000_000C)
	x.restore()
	x.requireRegisters(control, 0xFFFF_0000_0000_0008)
}

func TestNeverTakesItsOwnValueForAnOriginal(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(settings(t, "memory.swappiness", "1"))
	x.apply(settings(t, "memory.swappiness", "10"))
	x.restart()
	x.apply(settings(t, "memory.swappiness", "3"))
	x.restore()
	if got := x.read("proc/sys/vm/swappiness"); got != "60" {
		t.Errorf("swappiness is %s", got)
	}
	x = use(powerTree(t, "POWER8"))
	for cpu := range fakeCPUs {
		x.text(fmt.Sprintf("sys/devices/system/cpu/cpu%d/dscr", cpu), "27")
	}
	x.apply(settings(t, "prefetch.l2Stream", "Disabled"))
	x.apply(settings(t, "prefetch.l2Stream", "Enabled"))
	x.requireRegisters(knob.PowerDSCR, 0x20)
	x.restore()
	x.requireRegisters(knob.PowerDSCR, 0x27)
}

func TestPutsBackWhatIsNoLongerWanted(t *testing.T) {
	x := use(intelTree(t, skylake))
	_, err := x.writer.Apply(settings(t, "prefetch.l1NextLine", "Disabled", "memory.swappiness", "1"), nil)
	x.must(err)
	states, err := x.writer.Apply(settings(t, "prefetch.l1Stride", "Disabled"), nil)
	x.must(err)
	var got []string
	for _, state := range states {
		got = append(got, state.Name+" "+state.State+" "+state.Actual)
	}
	want := []string{"prefetch.l1Stride Applied Disabled", "prefetch.l1NextLine Restored Enabled", "memory.swappiness Restored 60"}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	x.requireRegisters(control, 8)
}

func TestWritesNothingTheSecondTime(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	x.machine.writes = nil
	x.requireState(x.apply(nextLine(t)), knob.Applied)
	x.restart()
	x.requireState(x.apply(nextLine(t)), knob.Applied)
	x.requireWrites()
	x.restore()
	x.requireRegisters(control, 0)
}

func TestSetsOnlyCoresOfTheScope(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.only(x.writer.Apply(nextLine(t), set(1)))
	x.requireRegisters(control, 0, 4, 0, 4)
	x.only(x.writer.Apply(nextLine(t), set(2)))
	x.requireRegisters(control, 4, 0, 4, 0)
	x.requireState(x.only(x.writer.Apply(nextLine(t), set())), knob.Applied, "no core")
	x.requireRegisters(control, 0)
}

func TestRefusesCPUsThatAreNotThere(t *testing.T) {
	x := use(intelTree(t, skylake))
	_, err := x.writer.Apply(nextLine(t), set(3, 4, 9))
	if err == nil || err.Error() != "cpus: 4,9 is not on this machine: write some of 0-3" {
		t.Error(err)
	}
	x.requireWrites()
}

func TestACPUThatComesOnlineGetsTheOriginalOfItsCore(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.text("sys/devices/system/cpu/online", "0-2")
	x.apply(nextLine(t))
	// CPU 3 shows what was set through CPU 1, with which it shares the register.
	x.text("sys/devices/system/cpu/online", "0-3")
	x.apply(settings(t, "prefetch.l1NextLine", "Enabled"))
	x.apply(nextLine(t))
	x.restore()
	x.requireRegisters(control, 0)
}

func TestACPUThatComesOnlineIsSetWithTheNextApply(t *testing.T) {
	x := use(powerTree(t, "POWER9"))
	x.text("sys/devices/system/cpu/online", "0-2")
	stream := settings(t, "prefetch.l2Stream", "Disabled")
	x.apply(stream)
	x.text("sys/devices/system/cpu/online", "0-3")
	x.text("sys/devices/system/cpu/cpu3/dscr", "17")
	late := x.only(x.writer.Status())
	x.requireState(late, knob.Failed, "come online")
	if late.DifferingCPUs != "3" {
		t.Errorf("%+v", late)
	}
	x.requireState(x.apply(stream), knob.Applied)
	x.requireRegisters(knob.PowerDSCR, 0x11)
	x.restore()
	x.requireRegisters(knob.PowerDSCR, 0x10, 0x10, 0x10, 0x17)
}

func TestKeepsTheOriginalOfACPUThatGoesOffline(t *testing.T) {
	x := use(intelTree(t, skylake))
	before := x.everything()
	x.apply(nextLine(t))
	x.text("sys/devices/system/cpu/online", "0,2")
	x.requireState(x.apply(nextLine(t)), knob.Applied)
	state := x.only(x.writer.Restore())
	x.requireState(state, knob.Failed, "CPU 1 is offline")
	if state.DifferingCPUs != "1,3" {
		t.Errorf("%+v", state)
	}
	x.restart()
	x.text("sys/devices/system/cpu/online", "0-3")
	x.requireState(x.only(x.writer.Resume()), knob.Restored)
	x.requireBack(before, "online again")
}

func TestABootDropsOriginals(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	x.text("proc/sys/kernel/random/boot_id", "22222222-2222-2222-2222-222222222222")
	// What the firmware now starts with is the original of the new start.
	x.fill(control, 8)
	x.restart()
	_, err := x.writer.Resume()
	x.must(err)
	if _, err := os.Stat(x.path("state/originals.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	x.apply(nextLine(t))
	x.restore()
	x.requireRegisters(control, 8)
}

func TestReportsWhatAnEarlierRunHasChanged(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	x.restart()
	state := x.only(x.writer.Status())
	x.requireState(state, knob.Observed, "an earlier run")
	if state.Name != "prefetch.l1NextLine" {
		t.Errorf("%+v", state)
	}
}

func TestTakesNothingMoreOnceItHasEnded(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	_, err := x.writer.Close()
	x.must(err)
	if _, err := x.writer.Apply(nextLine(t), nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	x.requireRegisters(control, 0)
	if states, err := x.writer.Close(); len(states) != 0 || err != nil {
		t.Errorf("%v, %v", states, err)
	}
}

func (x *fixture) failWrites(err error, cpus ...int) {
	for _, cpu := range cpus {
		x.machine.writeErrors[cell{control, cpu}] = err
	}
}

func (x *fixture) failReads(err error, cpus ...int) {
	for _, cpu := range cpus {
		x.machine.readErrors[cell{control, cpu}] = err
	}
}

func TestAFailedCanaryWritesNowhereElse(t *testing.T) {
	for errno, want := range map[unix.Errno]string{
		unix.EIO: "refuses msr-0x1a4/0", unix.EPERM: "lockdown is off, and that msr.allow_writes", unix.EACCES: "runs privileged",
		unix.ENXIO: "gone offline", unix.EROFS: "read-only file system", unix.ENOENT: "modprobe msr", unix.EBUSY: "see the kernel's log",
	} {
		x := use(intelTree(t, skylake))
		before := x.everything()
		x.failWrites(&fs.PathError{Op: "access", Path: "msr", Err: errno}, 0)
		state := x.apply(nextLine(t))
		x.requireState(state, knob.Failed, want)
		if state.DifferingCPUs != "0-3" {
			t.Errorf("%+v", state)
		}
		x.requireWrites()
		x.requireBack(before, want)
	}
}

func TestAKnobThatFailsDoesNotHinderAnother(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.machine.ignoresWrites = func(c cell) bool { return c.location == knob.FileSwappiness }
	states, err := x.writer.Apply(settings(t, "prefetch.l1NextLine", "Disabled", "memory.swappiness", "1"), nil)
	x.must(err)
	if len(states) != 2 || states[0].State != knob.Applied || states[1].State != knob.Failed {
		t.Errorf("%v", states)
	}
}

func TestReportsCPUsThatRefuse(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.failWrites(unix.EIO, 1, 3)
	state := x.apply(nextLine(t))
	x.requireState(state, knob.Failed)
	if state.Actual != "Mixed" || state.DifferingCPUs != "1,3" {
		t.Errorf("%+v", state)
	}
	if seen := x.only(x.writer.Status()); seen != state {
		t.Errorf("%+v, was %+v", seen, state)
	}
	x.requireState(x.only(x.writer.Restore()), knob.Restored)
	x.requireRegisters(control, 0)
}

func TestWritesNothingIfACPUCannotBeRead(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.failReads(unix.EIO, 2)
	state := x.apply(nextLine(t))
	x.requireState(state, knob.Failed, "it cannot be read on every CPU")
	if state.DifferingCPUs != "0-3" {
		t.Errorf("%+v", state)
	}
	x.failReads(unix.EIO, 0, 1, 3)
	x.requireState(x.apply(nextLine(t)), knob.Unsupported, "refuses")
	x.requireWrites()
}

func TestSaysThatAGuestIgnoresWrites(t *testing.T) {
	f := intelTree(t, skylake)
	f.x86("GenuineIntel", 6, skylake, "fpu msr hypervisor lm")
	x := use(f)
	before := x.everything()
	x.machine.ignoresWrites = func(cell) bool { return true }
	x.requireState(x.apply(nextLine(t)), knob.Failed, "hypervisor ignores the write")
	x.requireWrites("msr-0x1a4/0=4")
	x.requireBack(before, "ignored")
}

func TestSaysWhatToDoWithoutTheModule(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.must(os.RemoveAll(x.path("dev/cpu")))
	x.requireState(x.apply(nextLine(t)), knob.Unsupported, "dev/cpu/0/msr does not exist", "modprobe msr")
}

func TestOnlyVerifiesWhereTheKernelForbidsWrites(t *testing.T) {
	for _, test := range []struct{ file, content, message string }{
		{"sys/kernel/security/lockdown", "none [integrity] confidentiality", "Secure Boot"},
		{"sys/module/msr/parameters/allow_writes", "off", "allow_writes"},
	} {
		x := use(intelTree(t, skylake))
		x.text(test.file, test.content)
		state := x.apply(nextLine(t))
		x.requireState(state, knob.Failed, test.message)
		if state.Actual != "Enabled" {
			t.Errorf("%+v", state)
		}
		x.requireState(x.apply(settings(t, "prefetch.l1NextLine", "Enabled")), knob.Applied)
		x.requireState(x.apply(settings(t, "memory.swappiness", "5")), knob.Applied)
		x.requireWrites("swappiness=5")
	}
}

func TestReportsDriftAndDoesNotFightForEver(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	for range maxRepeats {
		x.set(control, 1, 0)
		seen := x.only(x.writer.Status())
		x.requireState(seen, knob.Drifted)
		if seen.DifferingCPUs != "1,3" {
			t.Errorf("%+v", seen)
		}
		x.requireState(x.apply(nextLine(t)), knob.Applied)
	}
	x.set(control, 1, 0)
	x.machine.writes = nil
	x.requireState(x.apply(nextLine(t)), knob.Drifted, "set again 3 times")
	x.requireWrites()
	// Another wish is another try.
	x.requireState(x.apply(settings(t, "prefetch.l1NextLine", "Enabled")), knob.Applied)
	x.requireState(x.apply(nextLine(t)), knob.Applied)
	x.restore()
	x.requireRegisters(control, 0)
}

func TestKeepsTheOriginalIfItCannotBeRestored(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.apply(nextLine(t))
	x.failWrites(unix.EPERM, 1, 3)
	state := x.only(x.writer.Restore())
	x.requireState(state, knob.Failed)
	if state.DifferingCPUs != "1,3" {
		t.Errorf("%+v", state)
	}
	x.requireRegisters(control, 0, 4, 0, 4)
	x.machine.heal()
	x.restore()
	x.requireRegisters(control, 0)
}

func TestAFullDisk(t *testing.T) {
	x := use(intelTree(t, skylake))
	x.disk.full = unix.ENOSPC
	x.requireState(x.apply(nextLine(t)), knob.Failed, "originals cannot be kept", "no space left")
	x.requireWrites()
	x.disk.full = nil
	x.apply(nextLine(t))
	x.disk.full = unix.ENOSPC
	x.restore()
	x.requireRegisters(control, 0)
}

func TestChangesNothingWithOriginalsThatItDoesNotUnderstand(t *testing.T) {
	for content, want := range map[string]string{
		`{"bootId":"1111`: "is not readable as originals",
		`{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"f00","original":"0"}}}`: "bits that no knob has",
		strings.Repeat(" ", maxOriginals): "more than 3145728 bytes",
	} {
		x := use(intelTree(t, skylake))
		before := x.everything()
		x.text("state/originals.json", content)
		x.requireState(x.apply(nextLine(t)), knob.Failed, want, "restart the node")
		if _, err := x.writer.Restore(); err == nil || !strings.Contains(err.Error(), "not readable") {
			t.Error(err)
		}
		x.requireWrites()
		if kept, err := os.ReadFile(x.path("state/originals.json")); err != nil || string(kept) != content+"\n" {
			t.Errorf("%d bytes, %v", len(kept), err)
		}
		if !maps.Equal(x.everything(), before) {
			t.Error("something has changed")
		}
	}
	// A pipe would be waited for, at every start.
	x := use(intelTree(t, skylake))
	x.must(os.Mkdir(x.path("state"), 0o755), unix.Mkfifo(x.path("state/originals.json"), 0o600))
	x.requireState(x.apply(nextLine(t)), knob.Failed, "it is not a file")
	x.requireWrites()
}
