package pinner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/pinfile"
)

// Wish is what a pod asks for: slots for its executor. The zero wish asks for none.
type Wish struct {
	Profile string
	// Slots is how many of one NUMA node it takes.
	Slots int
	// CPUs is how many of theirs it uses; all of them if this is 0 or more than they have.
	CPUs int
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
	// Started says that its processes run. Before that, a change of it may get lost.
	Started bool
	// Young says that it has started so lately that its memory may be moved.
	Young bool
}

func (c Container) isExecutor() bool { return c.Wish.Profile != "" && c.Name == executorContainer }

// slots are the ids of the slots on its mark.
func (c Container) slots() []string {
	switch what := markOf(c.Mark); what {
	case "", pinfile.SharedMark, pinfile.ForeignMark:
		return nil
	default:
		return strings.Split(what, ",")
	}
}

func (c Container) claim() Claim {
	return Claim{Pod: c.PodUID, CPUs: c.CPUs, Wish: c.Wish, Marked: c.slots()}
}

// holder is a word for the container alone, in the table of pods.
func (c Container) holder() string { return "container " + c.ID }

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
	// Ended says that its processes have ended. Its pod may start it again.
	Ended bool
}

// Memory is what a container got from an assigner: it says more than the container, if the next one takes over from it.
type Memory struct {
	CPUs cpuset.CPUSet
	// Own says that they are the container's own, and not shared.
	Own bool
}

// member is any container of the node.
type member struct {
	Container
	// ended counts the ends of containers; 0 if it runs.
	ended int
	// shares says that it has the shared CPUs, which then are those that it got last.
	shares bool
	got    cpuset.CPUSet
	// blocks says that its CPUs are not ours to change.
	blocks bool
}

// Assigner decides which CPUs each container of the node gets. It knows them by what the runtime tells: all at its making, each
// that is created after it. It is not for several goroutines at once, and has no clock and no client.
type Assigner struct {
	layout    pinfile.Layout
	table     *Table
	members   map[string]*member  // by id of the container
	executors map[string]Executor // by id of the container
	remembers map[string]Memory   // by id of the container, from the assigner before
	// shared are the CPUs that containers without slots get now.
	shared cpuset.CPUSet
	// due are changes of running containers, by id, that no answer has carried yet.
	due []Change
	// unsure are changes that an answer has carried while their container was not started. containerd then changes the stored
	// specification only, which the task may have been made from already (internal/cri/server/container_update_resources.go).
	unsure map[string]Change
	ends   int
	// young says whether the container with this id has started lately.
	young func(id string) bool
}

// NewAssigner takes over a node with these containers. It keeps what they have as far as the layout allows, and what has to
// be changed is due.
func NewAssigner(layout pinfile.Layout, running []Container) *Assigner {
	return TakeOver(layout, running, nil)
}

// TakeOver does the same, with the memory of the assigner before.
func TakeOver(layout pinfile.Layout, running []Container, before map[string]Memory) *Assigner {
	a := &Assigner{layout: layout, table: NewTable(layout, nil), members: map[string]*member{}, executors: map[string]Executor{},
		remembers: before, shared: layout.Shared, unsure: map[string]Change{}, young: func(string) bool { return false }}
	for _, c := range running {
		a.members[c.ID] = &member{Container: c}
	}
	if layout.Mode == pinfile.Pin {
		a.divide(running)
	} else {
		a.leave(running)
	}
	return a
}

// leave gives all CPUs back, or nothing, as the mode says.
func (a *Assigner) leave(running []Container) {
	for _, c := range running {
		if c.isExecutor() {
			a.keep(c, pinfile.NotPinning, nil, Change{})
		}
		a.owe(a.freed(c))
	}
}

// divide sorts containers by what they have: what cannot be moved comes first, and executors before all others, because an answer
// may not have room for all.
func (a *Assigner) divide(running []Container) {
	var own, late, others []Container
	var claims []Claim
	for _, c := range running {
		switch {
		case a.isUntouchable(c):
		case c.isExecutor() && a.isOwn(c):
			own, claims = append(own, c), append(claims, c.claim())
		case c.isExecutor():
			late = append(late, c)
		default:
			others = append(others, c)
		}
	}
	table := NewTable(a.layout, claims)
	for _, c := range running {
		if a.isUntouchable(c) {
			a.setAside(table, c)
		}
	}
	a.table = table
	for _, c := range own {
		a.adopt(c)
	}
	a.shared, _ = a.sharedNow()
	// An executor that has lost its slots to a Release takes them again, before somebody else does.
	slices.SortStableFunc(late, func(x, y Container) int { return cmp.Compare(len(y.slots()), len(x.slots())) })
	for _, c := range late {
		a.pinLate(c, pinfile.StartedWithoutPinner)
	}
	for _, c := range others {
		a.share(c)
	}
	for _, c := range running {
		a.doubt(c)
	}
}

// doubt sends a container again what it has, unless it was created with that. A change that reached a container before its start
// may have changed its specification only, and the start that would have shown that may have come while nobody was connected.
func (a *Assigner) doubt(c Container) {
	m := a.members[c.ID]
	if m.blocks || slices.ContainsFunc(a.due, func(due Change) bool { return due.ID == c.ID }) {
		return
	}
	has := a.executors[c.ID].Given
	if m.shares {
		has = Change{ID: c.ID, CPUs: m.got}
	}
	switch {
	case has.isEmpty():
	case !c.Started:
		a.unsure[c.ID] = has
	case !a.wasCreatedWith(c, has.CPUs):
		a.owe(has)
	}
}

// wasCreatedWith reports whether a container's mark, which is written at its creation, explains these CPUs.
func (a *Assigner) wasCreatedWith(c Container, has cpuset.CPUSet) bool {
	switch {
	case !a.isOfThisLayout(c.Mark):
		return false
	case markOf(c.Mark) == pinfile.SharedMark:
		return has.Equals(a.layout.Shared)
	}
	return len(c.slots()) > 0 && has.Equals(a.table.CPUsFor(a.table.named(c.slots()), c.Wish))
}

// SetLayout is for containers that are created from now on. Those that run keep what they have.
func (a *Assigner) SetLayout(layout pinfile.Layout) {
	a.layout, a.due = layout, nil
	var claims []Claim
	for _, e := range a.sorted() {
		if !e.Given.CPUs.IsEmpty() {
			claims = append(claims, Claim{Pod: e.PodUID, CPUs: e.Given.CPUs, Wish: e.Wish, Marked: e.Slots})
		}
	}
	a.table = NewTable(layout, claims)
	for _, m := range a.members {
		if m.blocks && m.ended == 0 {
			a.table.Block(m.holder(), m.CPUs)
		}
	}
	a.shared, _ = a.sharedNow()
}

// isUntouchable reports whether a container's CPUs are not ours to change: another program has set them, or they are ours and the
// runtime does not say whose the container is.
func (a *Assigner) isUntouchable(c Container) bool {
	return a.isForeign(c) || c.PodUID == "" && len(c.slots()) > 0 && !c.CPUs.IsEmpty() && !a.isAll(c.CPUs)
}

// isForeign reports whether another program has set the CPUs, or the memory, of a container. A mark alone does not say so.
func (a *Assigner) isForeign(c Container) bool {
	switch what := markOf(c.Mark); {
	case a.gave(c):
		return false
	case what == pinfile.ForeignMark && c.CPUs.IsEmpty():
		return !c.Mems.IsEmpty()
	case what == pinfile.ForeignMark:
		return !a.isShared(c.CPUs)
	case what != "":
		return false
	}
	return !c.CPUs.IsEmpty() && !a.isAll(c.CPUs) && !a.isShared(c.CPUs) && len(a.table.SlotsOf(c.claim())) == 0
}

// isOwn reports whether an executor's CPUs are its own: slots of this layout, or what an earlier one gave to it.
func (a *Assigner) isOwn(c Container) bool {
	switch {
	case c.CPUs.IsEmpty() || a.isAll(c.CPUs):
		return false
	case a.gave(c):
		return a.remembers[c.ID].Own
	case len(a.table.SlotsOf(c.claim())) > 0:
		return true
	case len(c.slots()) > 0:
		// A mark of this layout whose slots have other CPUs is wrong. Another one cannot be checked any more.
		return !a.isOfThisLayout(c.Mark) || len(a.table.named(c.slots())) == 0
	}
	// It was pinned when it ran already, so that its mark does not say so, or it shares what was left of the shared CPUs.
	return !c.CPUs.IsSubsetOf(a.layout.Shared) && !slices.ContainsFunc(a.layout.FormerShared, c.CPUs.IsSubsetOf)
}

// gave reports whether a container has what the assigner before gave to it.
func (a *Assigner) gave(c Container) bool {
	memory, found := a.remembers[c.ID]
	return found && !c.CPUs.IsEmpty() && memory.CPUs.Equals(c.CPUs)
}

func (a *Assigner) isAll(set cpuset.CPUSet) bool { return a.layout.Online.IsSubsetOf(set) }

func (a *Assigner) isShared(set cpuset.CPUSet) bool {
	return set.Equals(a.layout.Shared) || slices.ContainsFunc(a.layout.FormerShared, set.Equals)
}

func (a *Assigner) isOfThisLayout(mark string) bool {
	_, generation, _ := strings.Cut(mark, "@")
	return generation == a.layout.Generation
}

// setAside leaves a container alone, and its CPUs to it.
func (a *Assigner) setAside(table *Table, c Container) {
	if c.isExecutor() {
		a.keep(c, pinfile.AlreadySet, nil, Change{})
	}
	if !a.isAll(c.CPUs) {
		a.members[c.ID].blocks = true
		table.Block(c.holder(), c.CPUs)
	}
}

// adopt takes over an executor with CPUs of its own.
func (a *Assigner) adopt(c Container) {
	has := Change{ID: c.ID, CPUs: c.CPUs, Mems: c.Mems}
	if slots := a.table.Of(c.PodUID); len(slots) > 0 && a.table.CPUsFor(slots, c.Wish).Equals(c.CPUs) {
		a.keep(c, pinfile.Pinned, slots, has)
	} else {
		a.keep(c, pinfile.EarlierLayout, nil, has)
	}
}

// pinLate gives slots to a container that runs, or the shared CPUs if none are free.
func (a *Assigner) pinLate(c Container, otherwise pinfile.Outcome) {
	slots := a.take(a.table, c)
	if slots == nil {
		a.keep(c, otherwise, nil, Change{})
		a.share(c)
		return
	}
	a.giveLate(c, slots)
}

func (a *Assigner) giveLate(c Container, slots []pinfile.Slot) {
	change := a.changeTo(c, slots)
	if !c.Young && !a.young(c.ID) {
		change.Mems = cpuset.New() // the kernel would move all of its memory
	}
	a.members[c.ID].shares = false
	a.keep(c, pinfile.PinnedLate, slots, change)
	a.owe(change)
}

// take prefers the slots that the container had.
func (a *Assigner) take(table *Table, c Container) []pinfile.Slot {
	if len(table.Of(c.PodUID)) == 0 {
		if slots := table.TakeBack(c.PodUID, c.Wish, c.slots()); slots != nil {
			return slots
		}
	}
	return table.Take(c.PodUID, c.Wish.Profile, c.Wish.Slots)
}

// takeOrReclaim takes slots also of pods whose containers have all ended, those first that ended first. An event that would have
// freed them may be missing: after its restart containerd relays the end of a sandbox only if it saw its start in the same process
// (internal/nri/nri.go, needsStopping). The scheduler has found room, so such a pod is over.
func (a *Assigner) takeOrReclaim(c Container) []pinfile.Slot {
	if slots := a.take(a.table, c); slots != nil {
		return slots
	}
	trial := a.table.Clone()
	over := map[string]bool{}
	for _, pod := range a.podsOver() {
		if pod == c.PodUID {
			continue
		}
		trial.Release(pod)
		over[pod] = true
		if slots := a.take(trial, c); slots != nil {
			a.table = trial
			maps.DeleteFunc(a.executors, func(_ string, e Executor) bool { return over[e.PodUID] })
			a.reshare()
			return slots
		}
	}
	return nil
}

// podsOver are the UIDs of pods with executors all of whose containers have ended, in the order of their ends.
func (a *Assigner) podsOver() (over []string) {
	runs, last := map[string]bool{}, map[string]int{}
	for _, m := range a.members {
		runs[m.PodUID] = runs[m.PodUID] || m.ended == 0
		last[m.PodUID] = max(last[m.PodUID], m.ended)
	}
	for _, e := range a.executors {
		if !runs[e.PodUID] && !slices.Contains(over, e.PodUID) {
			over = append(over, e.PodUID)
		}
	}
	slices.SortFunc(over, func(x, y string) int { return cmp.Compare(last[x], last[y]) })
	return over
}

// sharedNow are the layout's shared CPUs without those that executors of an earlier layout still have. There are always some: if
// executors have all of them, they are shared nevertheless, and fit is false.
func (a *Assigner) sharedNow() (shared cpuset.CPUSet, fit bool) {
	rest := a.layout.Shared
	for _, e := range a.executors {
		rest = rest.Difference(e.Given.CPUs)
	}
	if rest.IsEmpty() {
		return a.layout.Shared, a.layout.Shared.IsEmpty()
	}
	return rest, true
}

// Shared are the CPUs that containers without slots get now; not fit if executors of an earlier layout have all of them.
func (a *Assigner) Shared() (shared cpuset.CPUSet, fit bool) {
	_, fit = a.sharedNow()
	return a.shared, fit
}

// share gives a running container the shared CPUs.
func (a *Assigner) share(c Container) {
	m := a.members[c.ID]
	m.shares, m.got = true, a.shared
	if !c.CPUs.Equals(a.shared) {
		a.owe(Change{ID: c.ID, CPUs: a.shared})
	}
}

// reshare gives all that share CPUs those that an executor has left.
func (a *Assigner) reshare() {
	next, _ := a.sharedNow()
	if a.layout.Mode != pinfile.Pin || next.Equals(a.shared) {
		return
	}
	a.shared = next
	for _, id := range slices.Sorted(maps.Keys(a.members)) {
		if m := a.members[id]; m.shares && m.ended == 0 && !m.got.Equals(next) {
			m.got = next
			a.owe(Change{ID: id, CPUs: next})
		}
	}
}

// freed gives a container all CPUs again, if they are ours that it has.
func (a *Assigner) freed(c Container) Change {
	gives := a.layout.Mode == pinfile.Release || a.layout.Mode == pinfile.Observe
	if !gives || a.layout.Online.IsEmpty() || c.CPUs.IsEmpty() || c.Mark == "" && a.isAll(c.CPUs) || a.isForeign(c) {
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

func (a *Assigner) changeTo(c Container, slots []pinfile.Slot) Change {
	change := Change{ID: c.ID, CPUs: a.table.CPUsFor(slots, c.Wish), Mark: mark(slots, a.layout.Generation)}
	if a.layout.Memory == pinfile.Bind {
		change.Mems = memsOf(slots)
	}
	return change
}

// Create decides about a container that is being created.
func (a *Assigner) Create(c Container) Change {
	c.Started = false
	a.drop(c.ID) // of a creation that failed
	a.members[c.ID] = &member{Container: c}
	if a.layout.Mode != pinfile.Pin {
		if c.isExecutor() {
			a.keep(c, pinfile.NotPinning, nil, Change{})
		}
		return Change{}
	}
	if !c.CPUs.IsEmpty() || !c.Mems.IsEmpty() {
		a.setAside(a.table, c)
		return Change{ID: c.ID, Mark: pinfile.ForeignMark + "@" + a.layout.Generation}
	}
	if c.isExecutor() {
		if slots := a.takeOrReclaim(c); slots != nil {
			change := a.changeTo(c, slots)
			a.keep(c, pinfile.Pinned, slots, change)
			return change
		}
		a.keep(c, pinfile.NoFreeSlot, nil, Change{})
	}
	m := a.members[c.ID]
	m.shares, m.got = true, a.shared
	return Change{ID: c.ID, CPUs: a.shared, Mark: pinfile.SharedMark + "@" + a.layout.Generation}
}

// Start says that a container's processes run: what was carried before may be lost, and is due again. One that is not known was
// created when the pinner did not answer.
func (a *Assigner) Start(c Container) {
	m, found := a.members[c.ID]
	if !found {
		c.Started = true
		a.takeIn(c)
		return
	}
	m.Started = true
	if change, found := a.unsure[c.ID]; found {
		delete(a.unsure, c.ID)
		if !slices.ContainsFunc(a.due, func(newer Change) bool { return newer.ID == c.ID }) {
			a.owe(change)
		}
	}
	a.pinWaiting() // a slot may have become free since it was created
}

func (a *Assigner) takeIn(c Container) {
	a.members[c.ID] = &member{Container: c}
	switch {
	case a.layout.Mode != pinfile.Pin:
		if c.isExecutor() {
			a.keep(c, pinfile.NotPinning, nil, Change{})
		}
	case a.isUntouchable(c):
		a.setAside(a.table, c)
	case c.isExecutor():
		a.pinLate(c, pinfile.StartedWithoutPinner)
	default:
		a.share(c)
	}
}

// Resize decides about an update that somebody else wants of a container: what is due of it comes with it, and one that has slots
// keeps their CPUs.
func (a *Assigner) Resize(id string, wanted cpuset.CPUSet) Change {
	if at := slices.IndexFunc(a.due, func(c Change) bool { return c.ID == id }); at >= 0 {
		change := a.due[at]
		a.due = slices.Delete(a.due, at, at+1)
		a.carried(change)
		return change
	}
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
	for _, change := range changes {
		a.carried(change)
	}
	return changes
}

func (a *Assigner) carried(change Change) {
	if m, found := a.members[change.ID]; found && !m.Started {
		a.unsure[change.ID] = change
	}
}

// DueLeft is how many changes are not carried yet.
func (a *Assigner) DueLeft() int { return len(a.due) }

// pinWaiting gives slots that have become free to executors that found none, oldest name first. One that is not started would not
// get them (see unsure), and waits for its start.
func (a *Assigner) pinWaiting() {
	if a.layout.Mode != pinfile.Pin || len(a.table.Free()) == 0 {
		return
	}
	for _, e := range a.sorted() {
		waits := e.Outcome == pinfile.NoFreeSlot || e.Outcome == pinfile.StartedWithoutPinner
		if m := a.members[e.ID]; !waits || !m.Started || m.ended > 0 {
			continue
		}
		if slots := a.take(a.table, e.Container); slots != nil {
			a.giveLate(e.Container, slots)
		}
	}
}

// End says that a container's processes have ended. Its pod keeps the slots, because it may start it again.
func (a *Assigner) End(id string) {
	m, found := a.members[id]
	if !found || m.ended > 0 {
		return
	}
	a.ends++
	m.ended, m.shares = a.ends, false
	a.table.Release(m.holder())
	a.disown(id)
}

// Remove forgets a container. Its pod's slots stay the pod's until its last one is forgotten: the event of its sandbox may never
// come (see takeOrReclaim).
func (a *Assigner) Remove(id string) {
	m, found := a.members[id]
	if !found {
		return
	}
	a.drop(id)
	a.releaseIfGone(m.PodUID)
}

// EndSandbox frees the slots of the pod whose sandbox has ended, unless another of its sandboxes has containers: a pod whose
// sandbox was made anew has two for a while.
func (a *Assigner) EndSandbox(sandbox, podUID string) {
	pods := map[string]bool{podUID: true} // the runtime may know its UID no more
	for id, m := range a.members {
		if m.Sandbox == sandbox {
			pods[m.PodUID] = true
			a.drop(id)
		}
	}
	for pod := range pods {
		a.releaseIfGone(pod)
	}
}

func (a *Assigner) releaseIfGone(pod string) {
	for _, m := range a.members {
		if m.PodUID == pod {
			return
		}
	}
	if pod != "" {
		a.table.Release(pod)
	}
	a.reshare()
}

// drop forgets a container, but not what its pod holds.
func (a *Assigner) drop(id string) {
	if m, found := a.members[id]; found {
		a.table.Release(m.holder())
	}
	delete(a.members, id)
	delete(a.executors, id)
	a.disown(id)
}

// Executors returns the executors of the node, sorted by the names of their pods. Of a pod whose executor was started again it is
// the one that runs.
func (a *Assigner) Executors() []Executor {
	runs := map[string]bool{}
	for _, e := range a.executors {
		if a.members[e.ID].ended == 0 {
			runs[e.PodUID] = true
		}
	}
	var all []Executor
	for _, e := range a.sorted() {
		e.Ended = a.members[e.ID].ended > 0
		if !e.Ended || !runs[e.PodUID] {
			all = append(all, e)
		}
	}
	return all
}

func (a *Assigner) sorted() []Executor {
	return slices.SortedFunc(maps.Values(a.executors), func(x, y Executor) int {
		return strings.Compare(x.Namespace+"/"+x.Pod+"/"+x.ID, y.Namespace+"/"+y.Pod+"/"+y.ID)
	})
}

// Memory is for the assigner that takes over from this one.
func (a *Assigner) Memory() map[string]Memory {
	all := map[string]Memory{}
	for id, m := range a.members {
		if m.shares {
			all[id] = Memory{CPUs: m.got}
		}
	}
	for id, e := range a.executors {
		if !e.Given.CPUs.IsEmpty() {
			all[id] = Memory{CPUs: e.Given.CPUs, Own: true}
		}
	}
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
	c.Young = false // it will not stay so
	executor := Executor{Container: c, Outcome: outcome, Given: given}
	for _, s := range slots {
		executor.Slots = append(executor.Slots, s.ID)
	}
	a.executors[c.ID] = executor
}

// owe takes the place of what was due of the same container.
func (a *Assigner) owe(change Change) {
	if !change.isEmpty() {
		a.disown(change.ID)
		a.due = append(a.due, change)
	}
}

func (a *Assigner) disown(id string) {
	a.due = slices.DeleteFunc(a.due, func(c Change) bool { return c.ID == id })
	delete(a.unsure, id)
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
