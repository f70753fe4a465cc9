package pinning

import (
	"slices"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/cpus"
)

// pair is what the kubelet has given to a container, and what the kernel lets it use. One of them may be nil: the kubelet knows
// of no such container, or the kernel has none for what was given.
type pair struct {
	given   *Given
	running *cgroup.Container
}

// key names the two sides, to find the same pair in the next reading.
func (p pair) key() string {
	if p.given == nil {
		return p.running.ID
	}
	return p.given.Namespace + "/" + p.given.Pod + "/" + p.given.Container
}

// claim names the two sides with their CPUs.
func (p pair) claim() string {
	claim := p.key()
	if p.given != nil {
		claim += " " + p.given.CPUs.String()
	}
	if p.running != nil {
		claim += " " + p.running.ID + " " + p.running.Usage.CPUs.String()
	}
	return claim
}

// isContradiction reports whether the two disagree: one is absent, or the kernel lets the container use CPUs that were not
// given to it. Fewer are no harm: an init container has fewer, and CPUs go offline.
func (p pair) isContradiction() bool {
	switch {
	case p.given == nil:
		return true
	case p.given.CPUs.IsEmpty():
		return false // the kernel has nothing that belongs to this container alone
	}
	return p.running == nil || !p.running.Usage.CPUs.IsSubsetOf(p.given.CPUs)
}

// joiner finds the container of each thing that the kubelet has given.
//
// The kubelet's API names no UIDs and no container ids, but exclusive CPUs are disjoint: equal sets belong together, and of the
// rest those that overlap each other and no third one. Two containers with the same set cannot be told apart, and then
// neither is joined.
type joiner struct {
	given []Given
	pools []cpuset.CPUSet
	// sets are those of all running containers that are not joined yet.
	sets []cpuset.CPUSet
	// unclaimed are the containers with CPUs of their own that are not joined yet, by set in the order of their reading.
	unclaimed []group
	pairs     []pair
}

// group is the containers with the same CPUs.
type group struct {
	cpus       cpuset.CPUSet
	containers []cgroup.Container
}

// joinKnown finds containers by their ids, which the container runtime says. Of all others it keeps whoever has CPUs of its own, or
// may use CPUs of another pod: whether it was told so or not, and also if it has the shared CPUs.
func joinKnown(node NodeCPUs, given []Given, running []cgroup.Container) (pairs []pair) {
	left := map[string]*cgroup.Container{}
	for i := range running {
		if running[i].Usage != nil {
			left[running[i].ID] = &running[i]
		}
	}
	for i := range given {
		pairs = append(pairs, pair{given: &given[i], running: left[given[i].ContainerID]})
		delete(left, given[i].ContainerID)
	}
	for i := range running {
		c := &running[i]
		if left[c.ID] == nil {
			continue
		}
		intrudes := slices.ContainsFunc(given, func(one Given) bool {
			return one.PodUID != c.PodUID && cpus.Overlap(one.CPUs, c.Usage.CPUs)
		})
		if intrudes || !c.CPUs.IsEmpty() && !c.CPUs.Equals(node.Shared) {
			pairs = append(pairs, pair{running: c})
		}
	}
	return pairs
}

func join(node NodeCPUs, given []Given, running []cgroup.Container) []pair {
	if !node.Shared.IsEmpty() {
		return joinKnown(node, given, running)
	}
	j := joiner{given: given, pools: node.SharedPools(given)}
	for _, container := range running {
		if container.CPUs.IsEmpty() {
			continue
		}
		if !slices.ContainsFunc(j.sets, container.CPUs.Equals) {
			j.sets = append(j.sets, container.CPUs)
		}
		if container.Usage == nil {
			continue
		}
		at := j.find(container.CPUs)
		if at < 0 {
			at = len(j.unclaimed)
			j.unclaimed = append(j.unclaimed, group{cpus: container.CPUs})
		}
		j.unclaimed[at].containers = append(j.unclaimed[at].containers, container)
	}
	var unmatched []*Given
	for i := range given {
		one := &given[i]
		if one.CPUs.IsEmpty() {
			j.pairs = append(j.pairs, pair{given: one})
		} else if !j.joinEqual(one) {
			unmatched = append(unmatched, one)
		}
	}
	j.unclaimed = slices.DeleteFunc(j.unclaimed, func(g group) bool { return j.isShared(g.cpus) })
	unmatched = j.joinMoved(unmatched)
	for _, one := range unmatched {
		j.pairs = append(j.pairs, pair{given: one, running: j.takeOverlapping(one, unmatched)})
	}
	for _, group := range j.unclaimed {
		for i := range group.containers {
			j.pairs = append(j.pairs, pair{running: &group.containers[i]})
		}
	}
	return j.pairs
}

func (j *joiner) find(set cpuset.CPUSet) int {
	return slices.IndexFunc(j.unclaimed, func(g group) bool { return g.cpus.Equals(set) })
}

func (j *joiner) joinEqual(one *Given) bool {
	at := j.find(one.CPUs)
	if at < 0 || !areOfOnePod(j.unclaimed[at].containers) || j.givenTwice(one.CPUs) {
		return false
	}
	j.pairs = append(j.pairs, pair{given: one, running: &j.unclaimed[at].containers[0]})
	j.unclaimed = slices.Delete(slices.Clone(j.unclaimed), at, at+1)
	j.sets = slices.DeleteFunc(j.sets, one.CPUs.Equals)
	return true
}

// areOfOnePod: an init container may have the same CPUs as the container that runs after it.
func areOfOnePod(containers []cgroup.Container) bool {
	return !slices.ContainsFunc(containers, func(c cgroup.Container) bool { return c.PodUID != containers[0].PodUID })
}

func (j *joiner) givenTwice(set cpuset.CPUSet) bool {
	count := 0
	for _, one := range j.given {
		if one.CPUs.Equals(set) {
			count++
		}
	}
	return count > 1
}

// isShared reports whether these are the CPUs that the kubelet has given to nobody. An init container's are missing there too,
// although the kubelet's API does not list it: then they and the pool together are what is left.
func (j *joiner) isShared(set cpuset.CPUSet) bool {
	others := cpuset.New()
	for _, other := range j.sets {
		if !cpus.Overlap(other, set) {
			others = others.Union(other)
		}
	}
	return slices.ContainsFunc(j.pools, func(pool cpuset.CPUSet) bool { return pool.Difference(others).Equals(set) })
}

// joinMoved joins what an old runc and a reload of systemd have moved: then the kernel has the swapped set of what was given, and
// often the same for several. It returns the rest.
//
// Of several containers with one set nobody knows which is whose, but all may use the same CPUs: a pair then has these, and
// neither the ids nor the memory of a container.
func (j *joiner) joinMoved(unmatched []*Given) (rest []*Given) {
	swapped := make([]cpuset.CPUSet, len(unmatched))
	claims := map[string][]*Given{}
	for i, one := range unmatched {
		swapped[i] = cpus.Swapped(one.CPUs)
		claims[swapped[i].String()] = append(claims[swapped[i].String()], one)
	}
	for i, one := range unmatched {
		moved := swapped[i]
		at, all := j.find(moved), claims[moved.String()]
		if at < 0 || !slices.ContainsFunc(all, func(claim *Given) bool { return !claim.CPUs.Equals(moved) }) ||
			pods(j.unclaimed[at].containers) != len(all) {
			rest = append(rest, one)
			continue
		}
		container := j.unclaimed[at].containers[0]
		if len(all) > 1 {
			container = cgroup.Container{CPUs: moved, Usage: &cgroup.Usage{CPUs: container.Usage.CPUs}}
		}
		j.pairs = append(j.pairs, pair{given: one, running: &container})
	}
	j.unclaimed = slices.DeleteFunc(j.unclaimed, func(g group) bool {
		return slices.ContainsFunc(j.pairs, func(p pair) bool {
			return p.running != nil && p.running.CPUs.Equals(g.cpus)
		})
	})
	return rest
}

func pods(containers []cgroup.Container) int {
	uids := map[string]bool{}
	for _, container := range containers {
		uids[container.PodUID] = true
	}
	return len(uids)
}

// takeOverlapping takes what nobody else can be meant by; otherwise nobody is known to have these CPUs.
func (j *joiner) takeOverlapping(one *Given, unmatched []*Given) *cgroup.Container {
	candidate := -1
	for i, group := range j.unclaimed {
		if cpus.Overlap(group.cpus, one.CPUs) {
			if candidate >= 0 {
				return nil
			}
			candidate = i
		}
	}
	if candidate < 0 {
		return nil
	}
	group := j.unclaimed[candidate]
	claims := 0
	for _, other := range unmatched {
		if cpus.Overlap(other.CPUs, group.cpus) {
			claims++
		}
	}
	if claims != 1 || !areOfOnePod(group.containers) {
		return nil
	}
	j.unclaimed = slices.Delete(slices.Clone(j.unclaimed), candidate, candidate+1)
	return &group.containers[0]
}
