package counter

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/perf"
)

// ledger adds up for each container what its CPUs have counted since it was first seen. It is pure: it opens nothing.
type ledger struct{ accounts map[string]account }

type account struct {
	cpus  cpuset.CPUSet
	since time.Time
	// before are the readings of its CPUs when it was first seen.
	before map[int]perf.Counts
}

// count takes readings of all CPUs of the targets, and returns what there is to report, sorted by container; nothing of those that are new. CPUs that two targets have
// count for neither, because nobody knows whose it was. A count that one of its CPUs does not have is left out.
func (l *ledger) count(targets map[string]cpuset.CPUSet, readings map[int]perf.Counts, now time.Time) []countfile.Counted {
	next := map[string]account{}
	counted := []countfile.Counted{}
	for container, set := range alone(targets) {
		found, known := l.accounts[container]
		if !known || !found.cpus.Equals(set) || !found.isBefore(readings) {
			found = account{cpus: set, since: now, before: map[int]perf.Counts{}}
			for _, cpu := range set.List() {
				found.before[cpu] = readings[cpu]
			}
		}
		next[container] = found
		milliseconds := now.Sub(found.since).Milliseconds()
		if counts := found.counts(readings); len(counts) > 0 && milliseconds > 0 {
			counted = append(counted, countfile.Counted{Container: container, Milliseconds: milliseconds, Counts: counts})
		}
	}
	l.accounts = next
	slices.SortFunc(counted, func(a, b countfile.Counted) int { return cmp.Compare(a.Container, b.Container) })
	return counted
}

// alone leaves out targets with a CPU that another one has too.
func alone(targets map[string]cpuset.CPUSet) map[string]cpuset.CPUSet {
	owners := map[int]int{}
	for _, set := range targets {
		for _, cpu := range set.List() {
			owners[cpu]++
		}
	}
	found := map[string]cpuset.CPUSet{}
	for container, set := range targets {
		if !slices.ContainsFunc(set.List(), func(cpu int) bool { return owners[cpu] > 1 }) {
			found[container] = set
		}
	}
	return found
}

// isBefore is false if a CPU was opened anew since then, and counts from 0 again.
func (a account) isBefore(readings map[int]perf.Counts) bool {
	for cpu, before := range a.before {
		for name, value := range before {
			if now, found := readings[cpu][name]; found && now < value {
				return false
			}
		}
	}
	return true
}

func (a account) counts(readings map[int]perf.Counts) map[string]int64 {
	sums := map[string]float64{}
	missing := map[string]bool{}
	list := a.cpus.List()
	for _, cpu := range list {
		for name, value := range readings[cpu] {
			before, found := a.before[cpu][name]
			missing[name] = missing[name] || !found
			sums[name] += value - before
		}
	}
	counts := map[string]int64{}
	for name, sum := range sums {
		for _, cpu := range list {
			_, found := readings[cpu][name]
			missing[name] = missing[name] || !found
		}
		if !missing[name] {
			counts[name] = int64(sum)
		}
	}
	return counts
}
