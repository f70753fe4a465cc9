package pinner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/pinfile"
)

// layoutOf has NUMA nodes of 8 CPUs, of which the first two are shared, and slots of two CPUs; count says how many of each node.
func layoutOf(generation string, count ...int) pinfile.Layout {
	l := pinfile.Layout{Generation: generation, Mode: pinfile.Pin, Memory: pinfile.Bind, Online: cpuset.New(), Mems: cpuset.New(), Shared: cpuset.New()}
	for node, slots := range count {
		first := 8 * node
		for cpu := first; cpu < first+8; cpu++ {
			l.Online = l.Online.Union(cpuset.New(cpu))
		}
		l.Shared = l.Shared.Union(cpuset.New(first, first+1))
		l.Mems = l.Mems.Union(cpuset.New(node))
		for i := range slots {
			cpu := first + 2 + 2*i
			l.Slots = append(l.Slots, pinfile.Slot{
				ID: fmt.Sprintf("n%d-%d", node, i), Profile: "p", NumaNode: node, CPUs: cpuset.New(cpu, cpu+1), Mems: cpuset.New(node)})
		}
	}
	return l
}

func ids(slots []pinfile.Slot) string {
	var all []string
	for _, s := range slots {
		all = append(all, s.ID)
	}
	return strings.Join(all, " ")
}

func TestTakesTheFullestNodeWithRoom(t *testing.T) {
	for _, c := range []struct {
		what   string
		counts []int
		held   []Claim
		pod    string
		count  int
		want   string
	}{
		{"an empty node", []int{3, 3}, nil, "a", 1, "n0-0"},
		{"the node with fewer free slots", []int{3, 2}, nil, "a", 1, "n1-0"},
		{"several in one node", []int{1, 3}, nil, "a", 2, "n1-0 n1-1"},
		{"more than any node has", []int{2, 2}, nil, "a", 3, ""},
		{"none", []int{1}, []Claim{{Pod: "b", CPUs: cpuset.New(2, 3)}}, "a", 1, ""},
		{"its own again", []int{1, 3}, []Claim{{Pod: "a", CPUs: cpuset.New(12, 13)}}, "a", 1, "n1-1"},
		{"no pod", []int{1}, nil, "", 1, ""},
		{"no slot", []int{1}, nil, "a", 0, ""},
	} {
		table := NewTable(layoutOf("g", c.counts...), c.held)
		if got := ids(table.Take(c.pod, "p", c.count)); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if got := table.Take("x", "another profile", 1); got != nil {
			t.Errorf("%s: %v of another profile", c.what, got)
		}
	}
}

func TestClaimsHoldAsFarAsTheyAgreeWithTheLayout(t *testing.T) {
	slot0, slot1 := cpuset.New(2, 3), cpuset.New(4, 5)
	for _, c := range []struct {
		what   string
		claims []Claim
		free   string
		held   map[string]string
	}{
		{"none", nil, "n0-0 n0-1 n0-2", nil},
		{"one", []Claim{{Pod: "a", CPUs: slot0}}, "n0-1 n0-2", map[string]string{"a": "n0-0"}},
		{"two slots of one pod", []Claim{{Pod: "a", CPUs: slot0.Union(slot1)}}, "n0-2", map[string]string{"a": "n0-0 n0-1"}},
		{"half a slot", []Claim{{Pod: "a", CPUs: cpuset.New(2)}}, "n0-1 n0-2", map[string]string{"a": ""}},
		{"a slot and a half", []Claim{{Pod: "a", CPUs: cpuset.New(2, 3, 4)}}, "n0-2", map[string]string{"a": ""}},
		{"halves of two slots", []Claim{{Pod: "a", CPUs: cpuset.New(3, 4)}}, "n0-2", map[string]string{"a": ""}},
		{"CPUs of no slot", []Claim{{Pod: "a", CPUs: cpuset.New(6, 7, 8)}}, "n0-0 n0-1", map[string]string{"a": ""}},
		{"no CPU", []Claim{{Pod: "a", CPUs: cpuset.New()}}, "n0-0 n0-1 n0-2", map[string]string{"a": ""}},
		{"the same slot twice", []Claim{{Pod: "a", CPUs: slot0}, {Pod: "b", CPUs: slot0}}, "n0-1 n0-2", map[string]string{"a": "n0-0", "b": ""}},
		{"two containers of one pod", []Claim{{Pod: "a", CPUs: slot0}, {Pod: "a", CPUs: slot0}}, "n0-1 n0-2", map[string]string{"a": "n0-0"}},
	} {
		table := NewTable(layoutOf("g", 3), c.claims)
		if got := ids(table.Free()); got != c.free {
			t.Errorf("%s: %q are free, want %q", c.what, got, c.free)
		}
		for pod, want := range c.held {
			if got := ids(table.Of(pod)); got != want {
				t.Errorf("%s: %s holds %q, want %q", c.what, pod, got, want)
			}
		}
	}
}

func TestWhatAnEarlierLayoutPinnedIsFreeWhenItsPodHasEnded(t *testing.T) {
	table := NewTable(layoutOf("g", 3), []Claim{{Pod: "a", CPUs: cpuset.New(3, 4)}})
	if got := ids(table.Take("b", "p", 1)); got != "n0-2" {
		t.Errorf("%q beside one of an earlier layout", got)
	}
	table.Release("a")
	if got := ids(table.Free()); got != "n0-0 n0-1" {
		t.Errorf("%q are free", got)
	}
}

// Whatever happens, no CPU is in two hands, a pod's slots are in one NUMA node, and a table that is made again from what the
// containers show is the same.
func TestNoCPUIsEverHeldTwice(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		counts := make([]int, 1+r.IntN(8))
		for i := range counts {
			counts[i] = r.IntN(4)
		}
		layout := layoutOf("g", counts...)
		table := NewTable(layout, nil)
		for range 60 {
			pod := fmt.Sprint("pod-", r.IntN(12))
			switch r.IntN(4) {
			case 0:
				table.Release(pod)
			default:
				table.Take(pod, "p", 1+r.IntN(3))
			}
			requireSound(t, seed, layout, table)
		}
	}
}

func requireSound(t *testing.T, seed uint64, layout pinfile.Layout, table *Table) {
	t.Helper()
	taken, held := layout.Shared, 0
	var claims []Claim
	for i := range 12 {
		pod := fmt.Sprint("pod-", i)
		slots := table.Of(pod)
		held += len(slots)
		if len(slots) == 0 {
			continue
		}
		cpus := cpusOf(slots)
		if !taken.Intersection(cpus).IsEmpty() {
			t.Fatalf("seed %d: %s of %s are held twice", seed, taken.Intersection(cpus), pod)
		}
		taken = taken.Union(cpus)
		if memsOf(slots).Size() != 1 {
			t.Fatalf("seed %d: %s is on NUMA nodes %s", seed, pod, memsOf(slots))
		}
		claims = append(claims, Claim{Pod: pod, CPUs: cpus})
	}
	if held+len(table.Free()) != len(layout.Slots) {
		t.Fatalf("seed %d: %d held and %d free of %d", seed, held, len(table.Free()), len(layout.Slots))
	}
	slices.Reverse(claims)
	restored := NewTable(layout, claims)
	for _, claim := range claims {
		if got, want := ids(restored.Of(claim.Pod)), ids(table.Of(claim.Pod)); got != want {
			t.Fatalf("seed %d: %s holds %q after a restart, want %q", seed, claim.Pod, got, want)
		}
	}
	if got, want := ids(restored.Free()), ids(table.Free()); got != want {
		t.Fatalf("seed %d: %q free after a restart, want %q", seed, got, want)
	}
}
