package pinner

import (
	"slices"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/pinfile"
)

// Wish is what a pod asks for: slots for its executor. The zero wish asks for none.
type Wish struct {
	Profile string
	Slots   int
}

// Container is what the runtime says of a container, as far as it matters here.
type Container struct {
	ID, Name               string
	Sandbox                string
	Namespace, Pod, PodUID string
	Wish                   Wish
	// CPUs and Mems are those of its specification; empty if it has none.
	CPUs, Mems cpuset.CPUSet
	// Mark is what the pinner has written on it when it was created; empty if it has not.
	Mark string
	// Young says that it has started so lately that its memory may be moved.
	Young bool
}

func (c Container) isExecutor() bool { return c.Wish.Profile != "" && c.Name == executorContainer }

// Change is the CPUs and NUMA nodes that a container gets. An empty set means: as it is.
type Change struct {
	ID         string
	CPUs, Mems cpuset.CPUSet
	// Mark is written on a container that is created.
	Mark string
}

func (c Change) isEmpty() bool { return c.CPUs.IsEmpty() && c.Mems.IsEmpty() }

// Executor is a container that asks for slots, and what became of it.
type Executor struct {
	Container
	Outcome pinfile.Outcome
	// Slots are the ids of those that it has.
	Slots []string
	// Given are the CPUs and NUMA nodes that it was given for itself; empty if none.
	Given Change
}

// Assigner decides which CPUs each container of the node gets. It knows them by what the runtime tells: all at its making, each
// that is created after it. It is not for several goroutines at once, and has no clock and no client.
type Assigner struct {
	layout    pinfile.Layout
	table     *Table
	executors map[string]Executor // by id of the container
	// sandboxes are those of each pod that has executors: a pod whose sandbox was made anew has two for a while.
	sandboxes map[string][]string
	// due are changes of running containers, by id, that no answer has carried yet.
	due []Change
}

// NewAssigner takes over a node with these containers. It keeps what they have as far as the layout allows, and what has to
// be changed is due.
func NewAssigner(layout pinfile.Layout, running []Container) *Assigner {
	a := &Assigner{layout: layout, executors: map[string]Executor{}, sandboxes: map[string][]string{}}
	var claims []Claim
	for _, c := range running {
		if layout.Mode == pinfile.Pin && c.isExecutor() && a.isClaim(c) {
			claims = append(claims, Claim{c.PodUID, c.CPUs})
		}
	}
	a.table = NewTable(layout, claims)
	var others []Change
	for _, c := range running {
		switch {
		case c.isExecutor():
			a.adopt(c)
		case layout.Mode == pinfile.Pin && markOf(c.Mark) != pinfile.ForeignMark && !c.CPUs.Equals(layout.Shared):
			others = append(others, Change{ID: c.ID, CPUs: layout.Shared})
		case layout.Mode != pinfile.Pin:
			others = append(others, a.freed(c))
		}
	}
	// Executors first: an answer may not have room for all.
	for _, change := range others {
		a.owe(change)
	}
	return a
}

// SetLayout is for containers that are created from now on. Those that run keep what they have.
func (a *Assigner) SetLayout(layout pinfile.Layout) {
	a.layout, a.due = layout, nil
	var claims []Claim
	for _, executor := range a.Executors() {
		if !executor.Given.CPUs.IsEmpty() {
			claims = append(claims, Claim{executor.PodUID, executor.Given.CPUs})
		}
	}
	a.table = NewTable(layout, claims)
}

// isClaim reports whether a container's CPUs are its own, and not those that it shares or that another plugin has given.
func (a *Assigner) isClaim(c Container) bool {
	switch markOf(c.Mark) {
	case pinfile.ForeignMark:
		return false
	case "", pinfile.SharedMark:
		// One that was pinned when it ran already bears no mark of it.
		return !c.CPUs.IsEmpty() && !a.isShared(c.CPUs) && !a.layout.Online.IsSubsetOf(c.CPUs)
	default:
		return !c.CPUs.IsEmpty() && !a.layout.Online.IsSubsetOf(c.CPUs)
	}
}

func (a *Assigner) isShared(set cpuset.CPUSet) bool {
	return set.Equals(a.layout.Shared) || slices.ContainsFunc(a.layout.FormerShared, set.Equals)
}

// areSlots reports whether these are just the CPUs of some slots.
func (a *Assigner) areSlots(set cpuset.CPUSet) bool { return cpusOf(a.table.within(set)).Equals(set) }

// adopt takes over an executor that runs already.
func (a *Assigner) adopt(c Container) {
	switch {
	case a.layout.Mode != pinfile.Pin:
		a.keep(c, pinfile.NotPinning, nil, Change{})
		a.owe(a.freed(c))
	case markOf(c.Mark) == pinfile.ForeignMark:
		a.keep(c, pinfile.AlreadySet, nil, Change{})
	case a.isClaim(c):
		if own := a.table.Of(c.PodUID); len(own) > 0 && cpusOf(own).Equals(c.CPUs) {
			a.keep(c, pinfile.Pinned, own, Change{ID: c.ID, CPUs: c.CPUs, Mems: c.Mems})
		} else {
			a.keep(c, pinfile.EarlierLayout, nil, Change{ID: c.ID, CPUs: c.CPUs, Mems: c.Mems})
		}
	default:
		a.pinLate(c, pinfile.StartedWithoutPinner)
	}
}

// pinLate gives slots to a container that runs, or the shared CPUs if none are free.
func (a *Assigner) pinLate(c Container, otherwise pinfile.Outcome) {
	slots := a.table.Take(c.PodUID, c.Wish.Profile, c.Wish.Slots)
	if slots == nil {
		a.keep(c, otherwise, nil, Change{})
		if !c.CPUs.Equals(a.layout.Shared) {
			a.owe(Change{ID: c.ID, CPUs: a.layout.Shared})
		}
		return
	}
	change := a.changeTo(c.ID, slots)
	if !c.Young {
		change.Mems = cpuset.New() // the kernel would move all of its memory
	}
	a.keep(c, pinfile.PinnedLate, slots, change)
	a.owe(change)
}

// freed gives a container all CPUs again, if they are ours that it has.
func (a *Assigner) freed(c Container) Change {
	mark := markOf(c.Mark)
	ours := mark != "" && mark != pinfile.ForeignMark || mark == "" && !c.CPUs.IsEmpty() && (a.isShared(c.CPUs) || a.areSlots(c.CPUs))
	if !ours || a.layout.Online.IsEmpty() {
		return Change{}
	}
	change := Change{ID: c.ID, CPUs: a.layout.Online}
	if !c.Mems.IsEmpty() {
		change.Mems = a.layout.Mems
	}
	if change.CPUs.Equals(c.CPUs) && (change.Mems.IsEmpty() || change.Mems.Equals(c.Mems)) {
		return Change{}
	}
	return change
}

func (a *Assigner) changeTo(id string, slots []pinfile.Slot) Change {
	change := Change{ID: id, CPUs: cpusOf(slots), Mark: mark(slots, a.layout.Generation)}
	if a.layout.Memory == pinfile.Bind {
		change.Mems = memsOf(slots)
	}
	return change
}

// Create decides about a container that is being created.
func (a *Assigner) Create(c Container) Change {
	if a.layout.Mode != pinfile.Pin {
		if c.isExecutor() {
			a.keep(c, pinfile.NotPinning, nil, Change{})
		}
		return Change{}
	}
	if !c.CPUs.IsEmpty() || !c.Mems.IsEmpty() {
		if c.isExecutor() {
			a.keep(c, pinfile.AlreadySet, nil, Change{})
		}
		return Change{ID: c.ID, Mark: pinfile.ForeignMark + "@" + a.layout.Generation}
	}
	if c.isExecutor() {
		if slots := a.table.Take(c.PodUID, c.Wish.Profile, c.Wish.Slots); slots != nil {
			change := a.changeTo(c.ID, slots)
			a.keep(c, pinfile.Pinned, slots, change)
			return change
		}
		a.keep(c, pinfile.NoFreeSlot, nil, Change{})
	}
	return Change{ID: c.ID, CPUs: a.layout.Shared, Mark: pinfile.SharedMark + "@" + a.layout.Generation}
}

// Resize decides about an update that somebody else wants of a container: one that has slots keeps their CPUs.
func (a *Assigner) Resize(id string, wanted cpuset.CPUSet) Change {
	executor, found := a.executors[id]
	if !found || wanted.IsEmpty() || executor.Given.CPUs.IsEmpty() || wanted.Equals(executor.Given.CPUs) {
		return Change{}
	}
	return Change{ID: id, CPUs: executor.Given.CPUs, Mems: executor.Given.Mems}
}

// Due returns changes of running containers that an answer may carry, at most so many, and counts them as made.
func (a *Assigner) Due(most int) []Change {
	a.pinWaiting()
	count := min(most, len(a.due))
	changes := slices.Clone(a.due[:count])
	a.due = a.due[count:]
	return changes
}

// DueLeft is how many changes are not carried yet.
func (a *Assigner) DueLeft() int { return len(a.due) }

// pinWaiting gives slots that have become free to executors that found none, oldest name first.
func (a *Assigner) pinWaiting() {
	if a.layout.Mode != pinfile.Pin || len(a.table.Free()) == 0 {
		return
	}
	for _, executor := range a.Executors() {
		if executor.Outcome != pinfile.NoFreeSlot && executor.Outcome != pinfile.StartedWithoutPinner {
			continue
		}
		if slots := a.table.Take(executor.PodUID, executor.Wish.Profile, executor.Wish.Slots); slots != nil {
			change := a.changeTo(executor.ID, slots)
			change.Mems = cpuset.New()
			a.keep(executor.Container, pinfile.PinnedLate, slots, change)
			a.disown(executor.ID)
			a.owe(change)
		}
	}
}

// Remove forgets a container. Its pod's slots stay the pod's.
func (a *Assigner) Remove(id string) {
	delete(a.executors, id)
	a.disown(id)
}

// EndSandbox frees the slots of the pod whose sandbox has ended, unless another of its sandboxes runs.
func (a *Assigner) EndSandbox(sandbox, podUID string) {
	known := a.sandboxes[podUID]
	left := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return id == sandbox })
	if len(left) > 0 {
		a.sandboxes[podUID] = left
		return
	}
	delete(a.sandboxes, podUID)
	a.table.Release(podUID)
	for id, executor := range a.executors {
		if executor.PodUID == podUID {
			a.Remove(id)
		}
	}
}

// Executors returns all executors of the node, sorted by the names of their pods.
func (a *Assigner) Executors() []Executor {
	var all []Executor
	for _, executor := range a.executors {
		all = append(all, executor)
	}
	slices.SortFunc(all, func(x, y Executor) int {
		return strings.Compare(x.Namespace+"/"+x.Pod+"/"+x.ID, y.Namespace+"/"+y.Pod+"/"+y.ID)
	})
	return all
}

// Free are the slots that executors can get.
func (a *Assigner) Free() []pinfile.Slot {
	if a.layout.Mode != pinfile.Pin {
		return nil
	}
	return a.table.Free()
}

func (a *Assigner) keep(c Container, outcome pinfile.Outcome, slots []pinfile.Slot, given Change) {
	executor := Executor{Container: c, Outcome: outcome, Given: given}
	for _, s := range slots {
		executor.Slots = append(executor.Slots, s.ID)
	}
	a.executors[c.ID] = executor
	if !slices.Contains(a.sandboxes[c.PodUID], c.Sandbox) {
		a.sandboxes[c.PodUID] = append(a.sandboxes[c.PodUID], c.Sandbox)
	}
}

func (a *Assigner) owe(change Change) {
	if !change.isEmpty() {
		a.due = append(a.due, change)
	}
}

func (a *Assigner) disown(id string) {
	a.due = slices.DeleteFunc(a.due, func(c Change) bool { return c.ID == id })
}

// Foreign returns a container whose CPUs nobody can explain who knows only the pinner, if the pinner has left no mark on this
// node at all: then another plugin rules its CPUs.
func Foreign(layout pinfile.Layout, running []Container) (Container, bool) {
	var foreign *Container
	for i, c := range running {
		if c.Mark != "" {
			return Container{}, false
		}
		explained := c.CPUs.IsEmpty() || layout.Online.IsSubsetOf(c.CPUs) || c.CPUs.Equals(layout.Shared) ||
			slices.ContainsFunc(layout.FormerShared, c.CPUs.Equals) || c.isExecutor() && !cpus.Overlap(c.CPUs, layout.Shared)
		if !explained && foreign == nil {
			foreign = &running[i]
		}
	}
	if foreign == nil {
		return Container{}, false
	}
	return *foreign, true
}

// mark is written on a container that gets slots: their ids and the layout's generation.
func mark(slots []pinfile.Slot, generation string) string {
	ids := make([]string, len(slots))
	for i, s := range slots {
		ids[i] = s.ID
	}
	return strings.Join(ids, ",") + "@" + generation
}

// markOf is what a mark says without the generation; empty if there is no mark.
func markOf(mark string) string {
	what, _, _ := strings.Cut(mark, "@")
	return what
}
