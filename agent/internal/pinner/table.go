package pinner

import (
	"slices"
	"strings"

	"k8s.io/utils/cpuset"
)

// Table knows which pod holds which slots. A slot belongs to a pod, not to a container: a container that is started again
// gets the same one, and events of containers may come in any order.
//
// It is a value without a clock, a client or a lock; the caller serves one event at a time.
type Table struct {
	layout Layout
	held   map[string]string // slot id -> pod UID
	// blocked are CPUs of executors that were pinned by an earlier layout, and run on.
	blocked map[string]cpuset.CPUSet // pod UID -> CPUs
}

// Claim is what a running container shows of an earlier run: CPUs that it was pinned to, and for which slots of which layout.
type Claim struct {
	Pod        string
	Slots      []string
	Generation string
	CPUs       cpuset.CPUSet
}

// NewTable returns the table of a layout in which the claims hold as far as they agree with it. A claim of this generation
// whose CPUs are not those of its slots is forged or stale, and does not hold. One of another generation blocks the slots
// that its CPUs overlap.
func NewTable(layout Layout, claims []Claim) *Table {
	t := &Table{layout: layout, held: map[string]string{}, blocked: map[string]cpuset.CPUSet{}}
	for _, claim := range claims {
		if claim.Generation != layout.Generation {
			t.blocked[claim.Pod] = t.blocked[claim.Pod].Union(claim.CPUs)
			continue
		}
		slots := t.named(claim.Slots)
		if len(slots) != len(claim.Slots) || len(slots) == 0 || !cpusOf(slots).Equals(claim.CPUs) {
			continue
		}
		if slices.ContainsFunc(slots, func(s Slot) bool { return t.held[s.ID] != "" && t.held[s.ID] != claim.Pod }) {
			continue
		}
		for _, s := range slots {
			t.held[s.ID] = claim.Pod
		}
	}
	return t
}

func (t *Table) named(ids []string) []Slot {
	var slots []Slot
	for _, s := range t.layout.Slots {
		if slices.Contains(ids, s.ID) {
			slots = append(slots, s)
		}
	}
	return slots
}

// Of returns the slots that a pod holds.
func (t *Table) Of(pod string) []Slot {
	var slots []Slot
	for _, s := range t.layout.Slots {
		if pod != "" && t.held[s.ID] == pod {
			slots = append(slots, s)
		}
	}
	return slots
}

// Take gives a pod this many slots of a profile in one NUMA node, or those that it holds already. It takes them from the
// fullest node with room, so that room for executors of several slots lasts. It returns nil if there is no such node.
func (t *Table) Take(pod, profile string, count int) []Slot {
	if own := t.Of(pod); len(own) > 0 {
		return own
	}
	if pod == "" || count < 1 {
		return nil
	}
	free := map[int][]Slot{}
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

func (t *Table) isFree(s Slot) bool {
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

// Free is the number of slots of a profile that can be taken.
func (t *Table) Free(profile string) int {
	count := 0
	for _, s := range t.layout.Slots {
		if s.Profile == profile && t.isFree(s) {
			count++
		}
	}
	return count
}

func cpusOf(slots []Slot) cpuset.CPUSet {
	all := cpuset.New()
	for _, s := range slots {
		all = all.Union(s.CPUs)
	}
	return all
}

func memsOf(slots []Slot) cpuset.CPUSet {
	all := cpuset.New()
	for _, s := range slots {
		all = all.Union(s.Mems)
	}
	return all
}

// annotation is what a container of a pod that holds slots gets: their ids and the layout's generation.
func annotation(slots []Slot, generation string) string {
	ids := make([]string, len(slots))
	for i, s := range slots {
		ids[i] = s.ID
	}
	return strings.Join(ids, ",") + "@" + generation
}

// parseAnnotation reads what annotation wrote; not ok if the text is not of that form.
func parseAnnotation(value string) (ids []string, generation string, ok bool) {
	list, generation, found := strings.Cut(value, "@")
	if !found || list == "" || generation == "" || len(value) > maxSlots*maxName {
		return nil, "", false
	}
	return strings.Split(list, ","), generation, true
}
