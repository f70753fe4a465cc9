package pinner

import (
	"slices"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/pinfile"
)

// Table knows which pod holds which slots. A slot belongs to a pod, not to a container: a container that is started again
// gets the same one, and events of containers may come in any order.
//
// It is a value without a clock, a client or a lock; the caller serves one event at a time.
type Table struct {
	layout pinfile.Layout
	held   map[string]string // slot id -> pod UID
	// blocked are CPUs of executors that were pinned by an earlier layout, and run on.
	blocked map[string]cpuset.CPUSet // pod UID -> CPUs
}

// Claim is CPUs that a container of a pod is pinned to: by an earlier run of the pinner, or by an earlier layout.
type Claim struct {
	Pod  string
	CPUs cpuset.CPUSet
}

// NewTable returns the table of a layout in which these claims hold. A claim whose CPUs are just those of some slots holds
// these, whatever layout it comes from; any other blocks the slots that it overlaps.
func NewTable(layout pinfile.Layout, claims []Claim) *Table {
	t := &Table{layout: layout, held: map[string]string{}, blocked: map[string]cpuset.CPUSet{}}
	for _, claim := range claims {
		slots := t.within(claim.CPUs)
		taken := slices.ContainsFunc(slots, func(s pinfile.Slot) bool { return t.held[s.ID] != "" && t.held[s.ID] != claim.Pod })
		if taken || !cpusOf(slots).Equals(claim.CPUs) {
			t.blocked[claim.Pod] = t.blocked[claim.Pod].Union(claim.CPUs)
			continue
		}
		for _, s := range slots {
			t.held[s.ID] = claim.Pod
		}
	}
	return t
}

// within are the slots that have no other CPUs than these.
func (t *Table) within(cpus cpuset.CPUSet) []pinfile.Slot {
	var slots []pinfile.Slot
	for _, s := range t.layout.Slots {
		if s.CPUs.IsSubsetOf(cpus) {
			slots = append(slots, s)
		}
	}
	return slots
}

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
	for _, s := range taken {
		t.held[s.ID] = pod
	}
	return taken
}

func (t *Table) isFree(s pinfile.Slot) bool {
	if t.held[s.ID] != "" {
		return false
	}
	for _, cpus := range t.blocked {
		if !cpus.Intersection(s.CPUs).IsEmpty() {
			return false
		}
	}
	return true
}

// Release frees what a pod held.
func (t *Table) Release(pod string) {
	delete(t.blocked, pod)
	for id, holder := range t.held {
		if holder == pod {
			delete(t.held, id)
		}
	}
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
