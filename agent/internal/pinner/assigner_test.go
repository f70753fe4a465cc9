package pinner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/pinfile"
)

func set(list string) cpuset.CPUSet {
	parsed, err := cpuset.Parse(list)
	if err != nil {
		panic(err)
	}
	return parsed
}

// executor is a container that wants one slot of profile p.
func executor(pod string) Container {
	return Container{ID: "c-" + pod, Name: executorContainer, Sandbox: "s-" + pod, Namespace: "team", Pod: pod, PodUID: "u-" + pod,
		Wish: Wish{Profile: "p", Slots: 1}, Started: true}
}

func plain(name string) Container {
	return Container{ID: "c-" + name, Name: "main", Sandbox: "s-" + name, Namespace: "team", Pod: name, PodUID: "u-" + name, Started: true}
}

func (c Container) with(cpus, mems, mark string) Container {
	c.CPUs, c.Mems, c.Mark = set(cpus), set(mems), mark
	return c
}

func words(changes []Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%s=%s/%s", c.ID, c.CPUs, c.Mems))
	}
	return strings.Join(all, " ")
}

func outcomes(a *Assigner) string {
	var all []string
	for _, e := range a.Executors() {
		all = append(all, e.Pod+"="+string(e.Outcome))
	}
	return strings.Join(all, " ")
}

func TestAContainerGetsItsCPUsWhenItIsCreated(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1, 1), nil)
	for _, c := range []struct {
		container Container
		want      string
		mark      string
	}{
		{plain("x"), "c-x=0-1,8-9/", "shared@g"},
		{executor("a"), "c-a=2-3/0", "n0-0@g"},
		{executor("b"), "c-b=10-11/1", "n1-0@g"},
		{executor("c"), "c-c=0-1,8-9/", "shared@g"},
		{plain("y").with("5", "", ""), "c-y=/", "foreign@g"},
		{executor("d").with("", "1", ""), "c-d=/", "foreign@g"},
	} {
		got := a.Create(c.container)
		if words([]Change{got}) != c.want || got.Mark != c.mark {
			t.Errorf("%s: %s %q, want %s %q", c.container.ID, words([]Change{got}), got.Mark, c.want, c.mark)
		}
	}
	if got, want := outcomes(a), "a=Pinned b=Pinned c=NoFreeSlot d=AlreadySet"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	sidecar := executor("a")
	sidecar.ID, sidecar.Name = "c-sidecar", "sidecar"
	if got := a.Create(sidecar); words([]Change{got}) != "c-sidecar=0-1,8-9/" {
		t.Errorf("a sidecar of an executor: %s", words([]Change{got}))
	}
	again := executor("a")
	again.ID = "c-again"
	if got := a.Create(again); words([]Change{got}) != "c-again=2-3/0" {
		t.Errorf("the container of a pod that has a slot: %s", words([]Change{got}))
	}
}

func TestLocalMemoryLeavesTheNumaNodesOpen(t *testing.T) {
	layout := layoutOf("g", 1)
	layout.Memory = pinfile.Local
	if got := NewAssigner(layout, nil).Create(executor("a")); words([]Change{got}) != "c-a=2-3/" {
		t.Errorf("%s", words([]Change{got}))
	}
}

func TestOnlyTheModePinChangesWhatIsCreated(t *testing.T) {
	for _, mode := range []pinfile.Mode{pinfile.Release, pinfile.Observe, pinfile.Ignore, ""} {
		layout := layoutOf("g", 1)
		layout.Mode = mode
		a := NewAssigner(layout, nil)
		for _, c := range []Container{plain("x"), executor("a"), executor("b").with("3", "", "")} {
			if got := a.Create(c); !got.isEmpty() || got.Mark != "" {
				t.Errorf("%s: %v", mode, got)
			}
		}
		if got := outcomes(a); got != "a=NotPinning b=NotPinning" || len(a.Free()) > 0 {
			t.Errorf("%s: %s, %v are free", mode, got, a.Free())
		}
	}
}

// A node of two NUMA nodes with one slot each: 2-3 and 10-11; shared is 0-1,8-9.
func TestTakesOverWhatRuns(t *testing.T) {
	young := executor("young")
	young.Young = true
	for _, c := range []struct {
		what     string
		mode     pinfile.Mode
		former   string
		running  []Container
		due      string
		outcomes string
		free     string
	}{
		{"nothing", pinfile.Pin, "", nil, "", "", "n0-0 n1-0"},
		{"what was never pinned", pinfile.Pin, "", []Container{plain("x"), executor("a")}, "c-a=2-3/ c-x=0-1,8-9/", "a=PinnedLate", "n1-0"},
		{"a young one, whose memory can still be moved", pinfile.Pin, "", []Container{young}, "c-young=2-3/0", "young=PinnedLate", "n1-0"},
		{"what has its CPUs", pinfile.Pin, "", []Container{plain("x").with("0-1,8-9", "", "shared@g"), executor("a").with("10-11", "1", "n1-0@g")},
			"", "a=Pinned", "n0-0"},
		{"what was pinned as it ran", pinfile.Pin, "", []Container{executor("a").with("10-11", "", "shared@g")}, "c-a=10-11/", "a=Pinned", "n0-0"},
		{"an executor that had to share", pinfile.Pin, "", []Container{executor("a").with("0-1,8-9", "", "shared@g")}, "c-a=2-3/", "a=PinnedLate", "n1-0"},
		{"more executors than slots", pinfile.Pin, "", []Container{executor("a"), executor("b"), executor("c")},
			"c-a=2-3/ c-b=10-11/ c-c=0-1,8-9/", "a=PinnedLate b=PinnedLate c=StartedWithoutPinner", ""},
		{"one of an earlier layout", pinfile.Pin, "", []Container{executor("a").with("3-4", "0", "old@f"), executor("b")},
			"c-b=10-11/ c-a=3-4/0", "a=EarlierLayout b=PinnedLate", ""},
		{"one of an earlier layout with the same CPUs", pinfile.Pin, "", []Container{executor("a").with("2-3", "0", "old@f")}, "c-a=2-3/0", "a=Pinned", "n1-0"},
		{"shared CPUs of an earlier layout", pinfile.Pin, "0-3", []Container{plain("x").with("0-3", "", "shared@f"), executor("a").with("0-3", "", "shared@f"),
			plain("y").with("0-3", "", "")}, "c-a=2-3/ c-x=0-1,8-9/ c-y=0-1,8-9/", "a=PinnedLate", "n1-0"},
		{"another plugin's", pinfile.Pin, "", []Container{plain("x").with("7", "", "foreign@f"), executor("a").with("7", "", "foreign@f")},
			"", "a=AlreadySet", "n0-0 n1-0"},
		{"after Release", pinfile.Pin, "", []Container{plain("x").with("0-15", "", "shared@f"), executor("a").with("0-15", "0-1", "n0-0@f")},
			"c-a=2-3/ c-x=0-1,8-9/", "a=PinnedLate", "n1-0"},
		{"Release frees all", pinfile.Release, "", []Container{plain("x").with("0-1,8-9", "", "shared@g"), executor("a").with("2-3", "0", "n0-0@g"),
			executor("b").with("10-11", "", "shared@g"), plain("y"), plain("z").with("0-1,8-9", "", "")},
			"c-x=0-15/ c-a=0-15/0-1 c-b=0-15/ c-z=0-15/", "a=NotPinning b=NotPinning", ""},
		{"Release leaves what others have set", pinfile.Release, "", []Container{plain("x").with("7", "", "foreign@g"), executor("a").with("5", "", ""),
			plain("y").with("0-15", "", "shared@g")}, "", "a=NotPinning", ""},
		{"Ignore leaves everything", pinfile.Ignore, "", []Container{plain("x").with("0-1,8-9", "", "shared@g"), executor("a").with("2-3", "0", "n0-0@g")},
			"", "a=NotPinning", ""},
		{"Observe frees all", pinfile.Observe, "", []Container{executor("a").with("2-3", "0", "n0-0@g")}, "c-a=0-15/0-1", "a=NotPinning", ""},
	} {
		layout := layoutOf("g", 1, 1)
		layout.Mode = c.mode
		if c.former != "" {
			layout.FormerShared = []cpuset.CPUSet{set(c.former)}
		}
		a := NewAssigner(layout, c.running)
		if got := words(a.Due(100)); c.mode == pinfile.Pin && got != c.due || c.mode != pinfile.Pin && !sameWords(got, c.due) {
			t.Errorf("%s: %s is due, want %s", c.what, got, c.due)
		}
		if got := outcomes(a); got != c.outcomes {
			t.Errorf("%s: %s, want %s", c.what, got, c.outcomes)
		}
		if got := ids(a.Free()); got != c.free {
			t.Errorf("%s: %q are free, want %q", c.what, got, c.free)
		}
		if len(a.Due(100)) > 0 {
			t.Errorf("%s: something is due twice", c.what)
		}
	}
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func TestASlotIsFreeWhenItsPodHasEnded(t *testing.T) {
	for what, end := range map[string]func(*Assigner, string){
		"with all events": func(a *Assigner, pod string) {
			a.End("c-" + pod)
			a.EndSandbox("s-"+pod, "u-"+pod)
			a.Remove("c-" + pod)
			a.EndSandbox("s-"+pod, "u-"+pod)
		},
		// containerd relays the end of a sandbox only in the process that has started it (internal/nri/nri.go, needsStopping).
		"without those of its sandbox": func(a *Assigner, pod string) {
			a.End("c-" + pod)
			a.Remove("c-" + pod)
		},
		"without those of its container":      func(a *Assigner, pod string) { a.EndSandbox("s-"+pod, "u-"+pod) },
		"whose UID the runtime has forgotten": func(a *Assigner, pod string) { a.EndSandbox("s-"+pod, "") },
	} {
		a := NewAssigner(layoutOf("g", 1), nil)
		a.Create(executor("a"))
		a.Create(executor("b"))
		a.Start(executor("a"))
		a.Start(executor("b"))
		a.End("c-a")
		if got := words(a.Due(10)); got != "" {
			t.Errorf("%s: the slot of a pod whose container may be started again is given away: %s", what, got)
		}
		end(a, "a")
		if got := words(a.Due(10)); got != "c-b=2-3/" {
			t.Errorf("%s: one that waited gets %q", what, got)
		}
		if got := outcomes(a); got != "b=PinnedLate" {
			t.Error(what, got)
		}
		end(a, "b")
		end(a, "b")
		if got := ids(a.Free()); got != "n0-0" {
			t.Errorf("%s: %q are free", what, got)
		}
	}
}

func TestASlotStaysWithAPodThatHasAnotherContainer(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	a.Create(executor("a"))
	again := executor("a")
	again.ID = "c-again"
	a.End("c-a")
	a.Create(again)
	a.Remove("c-a")
	if got := ids(a.Free()); got != "" {
		t.Errorf("%q are free", got)
	}
	if got := a.Executors(); len(got) != 1 || got[0].ID != "c-again" {
		t.Errorf("%+v", got)
	}
}

func TestANewExecutorTakesTheSlotOfAPodWhoseContainersHaveAllEnded(t *testing.T) {
	a := NewAssigner(layoutOf("g", 2), nil)
	sidecar := executor("a")
	sidecar.ID, sidecar.Name = "c-sidecar", "sidecar"
	for _, c := range []Container{executor("a"), sidecar, executor("b")} {
		a.Create(c)
		a.Start(c)
	}
	a.End("c-a")
	if got := a.Create(executor("c")); words([]Change{got}) != "c-c=0-1/" {
		t.Errorf("the slot of a pod with a sidecar that runs: %v", got)
	}
	a.Remove("c-c")
	a.End("c-b")
	a.End("c-sidecar")
	if got := a.Create(executor("d")); words([]Change{got}) != "c-d=4-5/0" {
		t.Errorf("not of the one that ended first: %v", got)
	}
	if got := a.Create(executor("e")); words([]Change{got}) != "c-e=2-3/0" {
		t.Errorf("the last slot: %v", got)
	}
	if got := outcomes(a); got != "d=Pinned e=Pinned" {
		t.Error(got)
	}
}

func TestAFreedSlotDoesNotGoToAnExecutorThatHasEnded(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	for _, name := range []string{"a", "b", "c"} {
		a.Create(executor(name))
		a.Start(executor(name))
	}
	a.End("c-b")
	a.Remove("c-a")
	if got := words(a.Due(10)); got != "c-c=2-3/" {
		t.Errorf("%q", got)
	}
}

func TestAnExecutorThatHasNotStartedWaitsForItsSlot(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	a.Create(executor("a"))
	a.Create(executor("b"))
	a.Remove("c-a")
	if got := words(a.Due(10)); got != "" {
		t.Errorf("before its start, when a change may get lost: %q", got)
	}
	a.Start(executor("b"))
	if got := words(a.Due(10)); got != "c-b=2-3/" {
		t.Errorf("after its start: %q", got)
	}
}

func TestAChangeOfAContainerThatHadNotStartedIsSentAgain(t *testing.T) {
	for _, c := range []struct {
		container Container
		first     string
	}{
		{plain("x"), "c-x=0-1/"}, {executor("a"), "c-a=2-3/"},
		// The runtime shows what was carried to the specification; the task may lack it.
		{plain("y").with("0-1", "", ""), ""}, {executor("b").with("2-3", "0", ""), ""},
	} {
		c.container.Started = false
		a := NewAssigner(layoutOf("g", 1), []Container{c.container})
		if got := words(a.Due(10)); got != c.first {
			t.Errorf("%s: %q", c.container.ID, got)
		}
		if got := a.DueLeft(); got != 0 {
			t.Errorf("%s: %d are due", c.container.ID, got)
		}
		a.Start(c.container)
		if got := words(a.Due(10)); !strings.HasPrefix(got, c.container.ID+"=") {
			t.Errorf("%s: after its start %q", c.container.ID, got)
		}
		a.Start(c.container)
		if got := words(a.Due(10)); got != "" {
			t.Errorf("%s: a third time %q", c.container.ID, got)
		}
	}
}

// containerd changes only the specification of a container that is not started. If it starts while nobody is connected, the runtime
// says that it has its CPUs, and the kernel gives it all.
func TestAChangeWhoseStartNobodySawIsSentAgain(t *testing.T) {
	pinned, shares := executor("a"), plain("x")
	pinned.Started, shares.Started = false, false
	before := NewAssigner(layoutOf("g", 1, 1), []Container{pinned, shares})
	if got := words(before.Due(10)); got != "c-a=2-3/ c-x=0-1,8-9/" {
		t.Fatalf("%q is due", got)
	}
	running := []Container{executor("a").with("2-3", "", ""), plain("x").with("0-1,8-9", "", "")}
	for what, a := range map[string]*Assigner{
		"after a restart":     NewAssigner(layoutOf("g", 1, 1), running),
		"by the same process": TakeOver(layoutOf("g", 1, 1), running, before.Memory()),
	} {
		if got := words(a.Due(10)); got != "c-a=2-3/ c-x=0-1,8-9/" {
			t.Errorf("%s: %q is due", what, got)
		}
		if got := outcomes(a); got != "a=Pinned" {
			t.Errorf("%s: %s", what, got)
		}
	}
	created := []Container{executor("a").with("2-3", "0", "n0-0@g"), plain("x").with("0-1,8-9", "", "shared@g")}
	if got := words(NewAssigner(layoutOf("g", 1, 1), created).Due(10)); got != "" {
		t.Errorf("created with them: %q is due", got)
	}
}

func TestAContainerThatWasCreatedWithoutThePinnerIsTakenInAtItsStart(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	young := executor("a")
	young.Young = true
	for _, c := range []Container{young, executor("b"), plain("x"), plain("y").with("5", "", "")} {
		a.Start(c)
	}
	if got := words(a.Due(10)); got != "c-a=2-3/0 c-b=0-1/ c-x=0-1/" {
		t.Errorf("%q", got)
	}
	if got := outcomes(a); got != "a=PinnedLate b=StartedWithoutPinner" {
		t.Error(got)
	}
}

// A pod whose sandbox has died gets another one; the old one is removed later.
func TestTheOldSandboxOfAPodDoesNotFreeItsSlot(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	a.Create(executor("a"))
	next := executor("a")
	next.ID, next.Sandbox = "c-next", "s-next"
	a.Create(next)
	a.EndSandbox("s-a", "u-a")
	a.Remove("c-a")
	a.EndSandbox("s-a", "u-a")
	if got := ids(a.Free()); got != "" {
		t.Errorf("%q are free", got)
	}
	a.EndSandbox("s-next", "u-a")
	if got := ids(a.Free()); got != "n0-0" {
		t.Errorf("%q are free in the end", got)
	}
}

func TestAnExecutorKeepsItsCPUsWhenItIsResized(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), nil)
	a.Create(executor("a"))
	a.Create(executor("b"))
	for _, c := range []struct{ id, wanted, want string }{
		{"c-a", "0-15", "c-a=2-3/0"}, {"c-a", "2-3", "=/"}, {"c-a", "", "=/"}, {"c-b", "0-15", "=/"}, {"c-x", "0-15", "=/"},
	} {
		if got := words([]Change{a.Resize(c.id, set(c.wanted))}); got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}

func TestWhatIsDueOfAContainerComesWithItsUpdate(t *testing.T) {
	a := NewAssigner(layoutOf("g", 1), []Container{plain("x"), executor("a")})
	if got := words([]Change{a.Resize("c-x", set("0-15"))}); got != "c-x=0-1/" {
		t.Error(got)
	}
	if got := words(a.Due(10)); got != "c-a=2-3/" {
		t.Errorf("%q is due afterwards", got)
	}
}

func TestANewLayoutIsForWhatIsCreatedLater(t *testing.T) {
	a := NewAssigner(layoutOf("g", 2), nil)
	a.Create(executor("a"))
	next := layoutOf("h", 2)
	next.Slots[0].CPUs, next.Slots[1].CPUs = set("3-4"), set("5-6")
	next.Shared = set("0-2,7")
	a.SetLayout(next)
	if got := a.Create(executor("b")); words([]Change{got}) != "c-b=5-6/0" || got.Mark != "n0-1@h" {
		t.Errorf("%v", got)
	}
	if got := a.Create(plain("x")); words([]Change{got}) != "c-x=0-1,7/" {
		t.Errorf("the shared CPUs without those of an executor of the earlier layout: %v", got)
	}
	if got := words(a.Due(10)); got != "" {
		t.Errorf("%s is due", got)
	}
	a.EndSandbox("s-a", "u-a")
	if got := words(a.Due(10)); got != "c-x=0-2,7/" {
		t.Errorf("%q is due when it has ended", got)
	}
	if got := ids(a.Free()); got != "n0-0" {
		t.Errorf("%q are free", got)
	}
}

func TestSharedCPUsAreNotThoseOfAnExecutorOfAnEarlierLayout(t *testing.T) {
	for _, c := range []struct {
		what, executor, shared, due, later string
		fit                                bool
	}{
		{"of no CPU that is shared now", "4-5", "0-1", "c-x=0-1/ c-a=4-5/0", "", true},
		{"of one", "1-2", "0", "c-x=0/ c-a=1-2/0", "c-x=0-1/", true},
		{"of all of them", "0-1", "0-1", "c-x=0-1/ c-a=0-1/0", "", false},
	} {
		a := NewAssigner(layoutOf("g", 1), []Container{executor("a").with(c.executor, "0", "old@f"), plain("x")})
		if got := words(a.Due(10)); got != c.due {
			t.Errorf("%s: %q is due", c.what, got)
		}
		if got, fit := a.Shared(); got.String() != c.shared || fit != c.fit {
			t.Errorf("%s: %s are shared, %v", c.what, got, fit)
		}
		if got := a.Create(plain("y")); got.CPUs.String() != c.shared {
			t.Errorf("%s: a new one gets %s", c.what, got.CPUs)
		}
		a.End("c-y")
		a.End("c-a")
		a.Remove("c-a")
		if got := words(a.Due(10)); got != c.later {
			t.Errorf("%s: %q is due in the end", c.what, got)
		}
		if _, fit := a.Shared(); !fit {
			t.Errorf("%s: nothing is shared in the end", c.what)
		}
	}
}

func TestWhatNobodyHereHasSetStays(t *testing.T) {
	noPod := Container{ID: "c-lost", Name: executorContainer, Started: true}
	for _, c := range []struct {
		what      string
		container Container
		due, free string
	}{
		{"another program's before the pinner came", plain("x").with("4", "", ""), "", "n0-0"},
		{"an executor's", executor("x").with("4", "", ""), "", "n0-0"},
		{"CPUs of no slot", plain("x").with("7", "", ""), "", "n0-0 n0-1"},
		{"with a mark", plain("x").with("7", "", "foreign@f"), "", "n0-0 n0-1"},
		{"memory alone, with a mark", plain("x").with("", "0", "foreign@f"), "", "n0-0 n0-1"},
		{"a mark without anything", plain("x").with("", "", "foreign@f"), "c-x=0-1/", "n0-0 n0-1"},
		{"a mark with shared CPUs of ours", plain("x").with("0-3", "", "foreign@f"), "c-x=0-1/", "n0-0 n0-1"},
		{"a mark of slots whose CPUs are others", executor("x").with("4", "", "n0-0@g"), "c-x=2-3/", "n0-1"},
		{"a mark of slots of shared CPUs", executor("x").with("0-1", "", "n0-1@g"), "c-x=4-5/", "n0-0"},
		{"slots of a pod that the runtime does not know", noPod.with("2-3", "0", "n0-0@g"), "", "n0-1"},
		{"shared CPUs of such a pod", noPod.with("0-3", "0", "shared@g"), "c-lost=0-1/", "n0-0 n0-1"},
	} {
		layout := layoutOf("g", 2)
		layout.FormerShared = []cpuset.CPUSet{set("0-3")}
		a := NewAssigner(layout, []Container{c.container})
		if got := words(a.Due(10)); got != c.due {
			t.Errorf("%s: %q is due", c.what, got)
		}
		if got := ids(a.Free()); got != c.free {
			t.Errorf("%s: %q are free, want %q", c.what, got, c.free)
		}
		a.End(c.container.ID)
		a.Remove(c.container.ID)
		if got := ids(a.Free()); got != "n0-0 n0-1" {
			t.Errorf("%s: %q are free in the end", c.what, got)
		}
	}
}

func TestAnExecutorComesBackToTheSlotOfItsMark(t *testing.T) {
	released := executor("b").with("0-15", "0-1", "n1-0@g")
	for what, c := range map[string]struct {
		running []Container
		want    string
	}{
		"it alone":                      {[]Container{released}, "c-b=10-11/"},
		"with others that have no mark": {[]Container{executor("a"), executor("c"), released}, "c-b=10-11/ c-a=2-3/ c-c=0-1,8-9/"},
		"somebody has it":               {[]Container{executor("a").with("10-11", "1", "n1-0@g"), released}, "c-b=2-3/ c-a=10-11/1"},
	} {
		if got := words(NewAssigner(layoutOf("h", 1, 1), c.running).Due(10)); got != c.want {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// One that was pinned when it ran has no mark. As long as the pinner runs it knows it nevertheless.
func TestTheNextAssignerKnowsWhatThisOneGave(t *testing.T) {
	late := executor("a")
	a := NewAssigner(layoutOf("g", 1), []Container{late})
	next := layoutOf("h", 1)
	next.Slots[0].CPUs = set("3-4")
	b := TakeOver(next, []Container{late.with("2-3", "", "")}, a.Memory())
	if got := outcomes(b); got != "a=EarlierLayout" || len(b.Free()) > 0 {
		t.Errorf("%s, %v are free", got, b.Free())
	}
}

func TestAPartOfItsSlotsIsWholeCoresOfTheFirst(t *testing.T) {
	layout := layoutOf("g", 3)
	// Threads of a core are two apart: 2 and 4, 3 and 5.
	layout.Cores = []cpuset.CPUSet{set("2,4"), set("3,5"), set("6,7")}
	layout.Slots[0].CPUs, layout.Slots[1].CPUs, layout.Slots[2].CPUs = set("2,4"), set("3,5"), set("6-7")
	for _, c := range []struct {
		slots, cpus int
		want, free  string
	}{
		{1, 0, "2,4", "n0-1 n0-2"},
		{2, 0, "2-5", "n0-2"},
		{2, 2, "2,4", "n0-2"},
		{2, 3, "2-5", "n0-2"}, // never half a core
		{2, 4, "2-5", "n0-2"},
		{2, 9, "2-5", "n0-2"},
		{3, 1, "2,4", ""},
		{3, 4, "2-5", ""},
	} {
		wants := executor("a")
		wants.Wish = Wish{Profile: "p", Slots: c.slots, CPUs: c.cpus}
		a := NewAssigner(layout, nil)
		created := a.Create(wants)
		late := NewAssigner(layout, []Container{wants}).Due(1)[0]
		if created.CPUs.String() != c.want || late.CPUs.String() != c.want || ids(a.Free()) != c.free {
			t.Errorf("%+v: created with %s, late %s, %q are free", c, created.CPUs, late.CPUs, ids(a.Free()))
		}
		for what, mark := range map[string]string{"created": created.Mark, "late, without a mark": "shared@g"} {
			again := NewAssigner(layout, []Container{wants.with(c.want, "0", mark)})
			sentAgain := mark != created.Mark
			if got := ids(again.Free()); got != c.free || outcomes(again) != "a=Pinned" || len(again.Due(1)) > 0 != sentAgain {
				t.Errorf("%+v, %s: after a restart %q are free, %s", c, what, got, outcomes(again))
			}
		}
		a.SetLayout(layout)
		if got := ids(a.Free()); got != c.free {
			t.Errorf("%+v: after the same layout %q are free", c, got)
		}
	}
}

func TestAnotherPluginIsRecognizedWhereThisOneNeverWas(t *testing.T) {
	layout := layoutOf("g", 1)
	layout.FormerShared = []cpuset.CPUSet{set("0-3")}
	for _, c := range []struct {
		what    string
		running []Container
		want    string
	}{
		{"an idle node", []Container{plain("x"), plain("y").with("0-7", "", "")}, ""},
		{"this one", []Container{plain("x").with("0-1", "", ""), plain("y").with("0-3", "", ""), executor("a").with("4-5", "", "")}, ""},
		{"another one", []Container{plain("x"), plain("y").with("4-5", "", "")}, "c-y"},
		{"another one that came later", []Container{plain("x").with("0-1", "", "shared@f"), plain("y").with("4-5", "", "")}, ""},
		{"an executor of another one", []Container{executor("a").with("0-5", "", "")}, "c-a"},
	} {
		got, found := Foreign(layout, c.running)
		if got.ID != c.want || found != (c.want != "") {
			t.Errorf("%s: %q", c.what, got.ID)
		}
	}
}

// The runtime as a map, with all events in any order, restarts and new layouts: no CPU is ever in two slots, nobody else is on a
// slot once everything due has been carried, and a restart changes nothing.
func TestWhateverHappensNoTwoPodsShareASlot(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		layout := layoutOf("g", 1+r.IntN(3), r.IntN(4))
		node := map[string]Container{}
		carry := func(changes []Change) {
			for _, c := range changes {
				one, found := node[c.ID]
				if !found {
					continue
				}
				if !c.CPUs.IsEmpty() {
					one.CPUs = c.CPUs
				}
				if !c.Mems.IsEmpty() {
					one.Mems = c.Mems
				}
				node[c.ID] = one
			}
		}
		running := func() []Container {
			var all []Container
			for _, id := range slices.Sorted(maps.Keys(node)) {
				all = append(all, node[id])
			}
			return all
		}
		a := NewAssigner(layout, nil)
		for step := range 80 {
			name := fmt.Sprint(r.IntN(9))
			switch r.IntN(8) {
			case 0: // it ends, and all of its events come
				a.Remove("c-" + name)
				delete(node, "c-"+name)
				a.EndSandbox("s-"+name, "u-"+name)
			case 1: // the pinner starts anew, or its connection
				before := carried(a, node)
				memory := map[string]Memory(nil)
				if r.IntN(2) == 0 {
					memory = a.Memory()
				}
				a = TakeOver(layout, running(), memory)
				after := carried(a, node)
				for id, cpus := range before {
					// Without mark and memory it may be anybody's.
					if after[id] != cpus && (memory != nil || a.executors[id].Outcome != pinfile.AlreadySet || node[id].Mark != "") {
						t.Fatalf("seed %d, step %d: %s has %q after a restart, before %q", seed, step, id, after[id], cpus)
					}
				}
			case 2: // it is created while the pinner is away
				if _, found := node["c-"+name]; !found {
					node["c-"+name] = executor(name)
					a = NewAssigner(layout, running())
				}
			case 3:
				if r.IntN(4) == 0 {
					next := layoutOf(fmt.Sprint("g", step), 1+r.IntN(3), r.IntN(4))
					next.FormerShared = []cpuset.CPUSet{layout.Shared}
					layout = next
					a.SetLayout(layout)
				}
			default:
				if _, found := node["c-"+name]; found {
					break
				}
				c := executor(name)
				if r.IntN(3) == 0 {
					c = plain(name)
				}
				change := a.Create(c)
				node[c.ID] = c.with(change.CPUs.String(), change.Mems.String(), change.Mark)
				a.Start(c)
			}
			carry(a.Due(r.IntN(3)))
			requireApart(t, seed, step, a, node, false)
		}
		a = NewAssigner(layout, running())
		carry(a.Due(1000))
		requireApart(t, seed, 1000, a, node, true)
	}
}

// carried are the CPUs of executors that have what they were given.
func carried(a *Assigner, node map[string]Container) map[string]string {
	all := map[string]string{}
	for _, e := range a.Executors() {
		if !e.Given.CPUs.IsEmpty() && node[e.ID].CPUs.Equals(e.Given.CPUs) {
			all[e.ID] = e.Given.CPUs.String()
		}
	}
	return all
}

// requireApart: what executors were given is disjoint; if all changes were carried, others are off it.
func requireApart(t *testing.T, seed uint64, step int, a *Assigner, node map[string]Container, all bool) {
	t.Helper()
	taken := cpuset.New()
	given := map[string]cpuset.CPUSet{}
	for _, e := range a.Executors() {
		if e.Given.CPUs.IsEmpty() {
			continue
		}
		if overlap := taken.Intersection(e.Given.CPUs); !overlap.IsEmpty() {
			t.Fatalf("seed %d, step %d: %s of %s are given twice", seed, step, overlap, e.Pod)
		}
		taken = taken.Union(e.Given.CPUs)
		given[e.ID] = e.Given.CPUs
	}
	for _, s := range a.Free() {
		if overlap := taken.Intersection(s.CPUs); !overlap.IsEmpty() {
			t.Fatalf("seed %d, step %d: slot %s is free, and %s of it are given", seed, step, s.ID, overlap)
		}
	}
	if !all {
		return
	}
	for id, c := range node {
		if own, found := given[id]; found {
			if !c.CPUs.Equals(own) {
				t.Fatalf("seed %d: %s has %s instead of %s", seed, id, c.CPUs, own)
			}
		} else if a.members[id].blocks {
			if overlap := c.CPUs.Intersection(taken); !overlap.IsEmpty() {
				t.Fatalf("seed %d: %s, which nobody may change, has %s of an executor", seed, id, overlap)
			}
		} else if overlap := c.CPUs.Intersection(cpusOf(a.layout.Slots)); c.CPUs.IsEmpty() || !overlap.IsEmpty() {
			t.Fatalf("seed %d: %s has %q, of which %s are slots", seed, id, c.CPUs, overlap)
		}
	}
}
