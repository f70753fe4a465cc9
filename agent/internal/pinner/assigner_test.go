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
		Wish: Wish{Profile: "p", Slots: 1}}
}

func plain(name string) Container {
	return Container{ID: "c-" + name, Name: "main", Sandbox: "s-" + name, Namespace: "team", Pod: name, PodUID: "u-" + name}
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
	for _, mode := range []pinfile.Mode{pinfile.Release, pinfile.Observe, ""} {
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
		{"what was pinned as it ran", pinfile.Pin, "", []Container{executor("a").with("10-11", "", "shared@g")}, "", "a=Pinned", "n0-0"},
		{"an executor that had to share", pinfile.Pin, "", []Container{executor("a").with("0-1,8-9", "", "shared@g")}, "c-a=2-3/", "a=PinnedLate", "n1-0"},
		{"more executors than slots", pinfile.Pin, "", []Container{executor("a"), executor("b"), executor("c")},
			"c-a=2-3/ c-b=10-11/ c-c=0-1,8-9/", "a=PinnedLate b=PinnedLate c=StartedWithoutPinner", ""},
		{"one of an earlier layout", pinfile.Pin, "", []Container{executor("a").with("3-4", "0", "old@f"), executor("b")},
			"c-b=10-11/", "a=EarlierLayout b=PinnedLate", ""},
		{"one of an earlier layout with the same CPUs", pinfile.Pin, "", []Container{executor("a").with("2-3", "0", "old@f")}, "", "a=Pinned", "n1-0"},
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
	a := NewAssigner(layoutOf("g", 1), nil)
	a.Create(executor("a"))
	a.Create(executor("b"))
	a.Remove("c-a")
	if got := words(a.Due(10)); got != "" {
		t.Errorf("the slot of a pod whose container has ended is given away: %s", got)
	}
	a.EndSandbox("s-a", "u-a")
	if got := words(a.Due(10)); got != "c-b=2-3/" {
		t.Errorf("one that waited gets %q", got)
	}
	if got := outcomes(a); got != "b=PinnedLate" {
		t.Error(got)
	}
	a.EndSandbox("s-b", "u-b")
	a.EndSandbox("s-b", "u-b")
	if got := ids(a.Free()); got != "n0-0" {
		t.Errorf("%q are free", got)
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
	if got := a.Create(plain("x")); words([]Change{got}) != "c-x=0-2,7/" {
		t.Errorf("%v", got)
	}
	if got := words(a.Due(10)); got != "" {
		t.Errorf("%s is due", got)
	}
	a.EndSandbox("s-a", "u-a")
	if got := ids(a.Free()); got != "n0-0" {
		t.Errorf("%q are free", got)
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
			case 1: // the pinner starts anew
				before := carried(a, node)
				a = NewAssigner(layout, running())
				after := carried(a, node)
				for id, cpus := range before {
					if after[id] != cpus {
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
		} else if overlap := c.CPUs.Intersection(cpusOf(a.layout.Slots)); c.CPUs.IsEmpty() || !overlap.IsEmpty() {
			t.Fatalf("seed %d: %s has %q, of which %s are slots", seed, id, c.CPUs, overlap)
		}
	}
}
