package pinner

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/pinfile"
)

// Table knows which pod holds which slots. A slot belongs to a pod, not to a container: a container that is started again
// gets the same one, and events of containers may come in any order.
//
// It is a value without a clock, a client or a lock; the caller serves one event at a time.
type Table struct {
	layout pinfile.Layout
	held   map[string]string // slot id -> pod UID
	// blocked are CPUs that somebody has who holds no slots: executors that were pinned by an earlier layout and run on, and
	// containers whose CPUs another program has set.
	blocked map[string]cpuset.CPUSet // pod UID, or a word of the caller for a container -> CPUs
}

// Claim is CPUs that a container of a pod is pinned to: by an earlier run of the pinner, or by an earlier layout.
type Claim struct {
	Pod  string
	CPUs cpuset.CPUSet
	// Wish is what the pod asks for: it may have got a part of its slots' CPUs.
	Wish Wish
	// Marked are the ids of slots on the container's mark, if it has one.
	Marked []string
}

// NewTable returns the table of a layout in which these claims hold. A claim whose CPUs are just those of some slots holds
// these, whatever layout it comes from; any other blocks the slots that it overlaps.
func NewTable(layout pinfile.Layout, claims []Claim) *Table {
	t := &Table{layout: layout, held: map[string]string{}, blocked: map[string]cpuset.CPUSet{}}
	var part []Claim
	for _, claim := range claims {
		slots := t.SlotsOf(claim)
		taken := slices.ContainsFunc(slots, func(s pinfile.Slot) bool { return t.held[s.ID] != "" && t.held[s.ID] != claim.Pod })
		if taken || len(slots) == 0 {
			t.Block(claim.Pod, claim.CPUs)
			continue
		}
		t.hold(claim.Pod, slots)
		if len(slots) < claim.Wish.Slots {
			part = append(part, claim)
		}
	}
	for _, claim := range part {
		t.complete(claim)
	}
	return t
}

func (t *Table) hold(pod string, slots []pinfile.Slot) {
	for _, s := range slots {
		t.held[s.ID] = pod
	}
}

// Block keeps slots with these CPUs from being taken until the holder is released.
func (t *Table) Block(holder string, set cpuset.CPUSet) {
	if !set.IsEmpty() {
		t.blocked[holder] = t.blocked[holder].Union(set)
	}
}

// SlotsOf returns the slots whose CPUs a claim has; none if it has others.
func (t *Table) SlotsOf(claim Claim) []pinfile.Slot {
	if named := t.named(claim.Marked); len(named) > 0 && t.CPUsFor(named, claim.Wish).Equals(claim.CPUs) {
		return named
	}
	var touched []pinfile.Slot
	for _, s := range t.layout.Slots {
		if cpus.Overlap(s.CPUs, claim.CPUs) {
			touched = append(touched, s)
		}
	}
	if t.CPUsFor(touched, claim.Wish).Equals(claim.CPUs) {
		return touched
	}
	return nil
}

// complete gives a claim without mark the slots that it took and got no CPU of: such are the last ones.
func (t *Table) complete(claim Claim) {
	own := t.Of(claim.Pod)
	for _, s := range t.layout.Slots {
		if len(own) >= claim.Wish.Slots {
			return
		}
		if s.Profile != claim.Wish.Profile || s.NumaNode != own[0].NumaNode || !t.isFree(s) {
			continue
		}
		if more := append(slices.Clone(own), s); t.CPUsFor(more, claim.Wish).Equals(claim.CPUs) {
			t.hold(claim.Pod, []pinfile.Slot{s})
			own = more
		}
	}
}

// named are the slots with these ids; none if the layout lacks one of them.
func (t *Table) named(ids []string) (slots []pinfile.Slot) {
	for _, id := range ids {
		at := slices.IndexFunc(t.layout.Slots, func(s pinfile.Slot) bool { return s.ID == id })
		if at < 0 {
			return nil
		}
		slots = append(slots, t.layout.Slots[at])
	}
	return slots
}

// CPUsFor are what an executor gets of its slots: all CPUs, or, if it wishes for fewer, whole cores of the first slots, with at
// least so many CPUs.
func (t *Table) CPUsFor(slots []pinfile.Slot, wish Wish) cpuset.CPUSet {
	all := cpusOf(slots)
	if wish.CPUs == 0 || all.Size() <= wish.CPUs {
		return all
	}
	chosen := cpuset.New()
	for _, s := range slices.SortedFunc(slices.Values(slots), byFirstCPU) {
		for _, core := range t.coresOf(s.CPUs) {
			if chosen.Size() >= wish.CPUs {
				return chosen
			}
			chosen = chosen.Union(core)
		}
	}
	return chosen
}

// coresOf divides a slot's CPUs into cores, those with the lowest CPUs first. A CPU of which the layout says nothing is a core.
func (t *Table) coresOf(set cpuset.CPUSet) (cores []cpuset.CPUSet) {
	for !set.IsEmpty() {
		first := set.List()[0]
		core := cpuset.New(first)
		if at := slices.IndexFunc(t.layout.Cores, func(core cpuset.CPUSet) bool { return core.Contains(first) }); at >= 0 {
			core = t.layout.Cores[at].Intersection(set)
		}
		cores, set = append(cores, core), set.Difference(core)
	}
	return cores
}

func byFirstCPU(a, b pinfile.Slot) int { return cmp.Compare(a.CPUs.List()[0], b.CPUs.List()[0]) }

// Of returns the slots that a pod holds.
func (t *Table) Of(pod string) []pinfile.Slot {
	var slots []pinfile.Slot
	for _, s := range t.layout.Slots {
		if pod != "" && t.held[s.ID] == pod {
			slots = append(slots, s)
		}
	}
	return slots
}

// TakeBack gives a pod the slots that it once had, if all of them are free and they are what it wishes for; else none.
func (t *Table) TakeBack(pod string, wish Wish, ids []string) []pinfile.Slot {
	slots := t.named(ids)
	if pod == "" || len(slots) == 0 || len(slots) != wish.Slots {
		return nil
	}
	for _, s := range slots {
		if !t.isFree(s) || s.Profile != wish.Profile || s.NumaNode != slots[0].NumaNode {
			return nil
		}
	}
	t.hold(pod, slots)
	return slots
}

// Take gives a pod this many slots of a profile in one NUMA node, or those that it holds already. It takes them from the
// fullest node with room, so that room for executors of several slots lasts. It returns nil if there is no such node.
func (t *Table) Take(pod, profile string, count int) []pinfile.Slot {
	if own := t.Of(pod); len(own) > 0 {
		return own
	}
	if pod == "" || count < 1 {
		return nil
	}
	free := map[int][]pinfile.Slot{}
	for _, s := range t.layout.Slots {
		if s.Profile == profile && t.isFree(s) {
			free[s.NumaNode] = append(free[s.NumaNode], s)
		}
	}
	best := -1
	for node, slots := range free {
		if len(slots) < count {
			continue
		}
		if best < 0 || len(slots) < len(free[best]) || len(slots) == len(free[best]) && node < best {
			best = node
		}
	}
	if best < 0 {
		return nil
	}
	taken := free[best][:count]
	t.hold(pod, taken)
	return taken
}

func (t *Table) isFree(s pinfile.Slot) bool {
	if t.held[s.ID] != "" {
		return false
	}
	for _, set := range t.blocked {
		if cpus.Overlap(set, s.CPUs) {
			return false
		}
	}
	return true
}

// Release frees what a holder held or blocked.
func (t *Table) Release(holder string) {
	delete(t.blocked, holder)
	maps.DeleteFunc(t.held, func(_, pod string) bool { return pod == holder })
}

// Clone returns a table of its own.
func (t *Table) Clone() *Table {
	return &Table{layout: t.layout, held: maps.Clone(t.held), blocked: maps.Clone(t.blocked)}
}

// Free are the slots that can be taken.
func (t *Table) Free() []pinfile.Slot {
	var free []pinfile.Slot
	for _, s := range t.layout.Slots {
		if t.isFree(s) {
			free = append(free, s)
		}
	}
	return free
}

func cpusOf(slots []pinfile.Slot) cpuset.CPUSet {
	all := cpuset.New()
	for _, s := range slots {
		all = all.Union(s.CPUs)
	}
	return all
}

func memsOf(slots []pinfile.Slot) cpuset.CPUSet {
	all := cpuset.New()
	for _, s := range slots {
		all = all.Union(s.Mems)
	}
	return all
}
