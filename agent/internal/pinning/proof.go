package pinning

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
)

const (
	// most: SparkNodeTopologyStatus.exclusive allows no more.
	most = 1024
	// doubt: the kubelet takes newly exclusive CPUs from running containers every 10 s by default (cpuManagerReconcilePeriod). A
	// kubelet with a longer period leaves them with running containers for longer, which then is reported.
	doubt = 12 * time.Second
	// leastAnonBytes: below this the JVM has not even started; a percentage would say nothing.
	leastAnonBytes = 1 << 20
)

// Proof has the node's containers with CPUs or memory of their own, as the kubelet and the kernel see them.
//
// It is a value: Next gives that of a later reading. The kubelet and the kernel are not read at the same moment, so a
// contradiction counts only when it has lasted; until then what was said before stays.
type Proof struct {
	entries   map[string]api.Exclusive
	suspected map[string]time.Time
	// baseline and latest are counters by container id.
	baseline, latest map[string]cgroup.QuotaCounters
}

// Next joins a later reading with this one. What the kubelet said was read before what the kernel said.
func (p Proof) Next(node NodeCPUs, given []Given, running []cgroup.Container, now time.Time) Proof {
	next := Proof{
		entries:   map[string]api.Exclusive{},
		suspected: map[string]time.Time{},
		baseline:  map[string]cgroup.QuotaCounters{},
		latest:    map[string]cgroup.QuotaCounters{},
	}
	for _, pair := range join(node, given, running) {
		if pair.running != nil && pair.running.Usage.Quota != nil {
			next.latest[pair.running.ID] = *pair.running.Usage.Quota
		}
		entry, known := p.entry(node, pair), true
		if pair.isContradiction() {
			since, suspected := p.suspected[pair.claim()]
			if !suspected {
				since = now
			}
			next.suspected[pair.claim()] = since
			if now.Before(since.Add(doubt)) {
				before, was := p.entries[pair.key()]
				// Only what was said of the same container and the same CPUs.
				known = was && before.CPUs == entry.CPUs
				entry = before
			}
		}
		if known {
			next.entries[pair.key()] = entry
		}
	}
	for id, counters := range next.latest {
		if before, found := p.baseline[id]; found {
			counters = before
		}
		next.baseline[id] = counters
	}
	return next
}

// Written is to be called when Exclusive was written: throttling is counted from here on.
func (p Proof) Written() Proof {
	p.baseline = p.latest
	return p
}

// Exclusive is for the node's status: sorted, at most 1024.
func (p Proof) Exclusive() []api.Exclusive {
	sorted := slices.SortedFunc(maps.Values(p.entries), func(a, b api.Exclusive) int {
		return cmp.Or(absentLast(a.Namespace, b.Namespace), absentLast(a.Pod, b.Pod), absentLast(a.Container, b.Container),
			absentLast(a.PodUID, b.PodUID), absentLast(a.ContainerID, b.ContainerID))
	})
	return append([]api.Exclusive{}, sorted[:min(most, len(sorted))]...)
}

// Omitted is how many were left out of Exclusive because it was full.
func (p Proof) Omitted() int { return max(0, len(p.entries)-most) }

func absentLast(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

// entry is what the status says of a pair.
func (p Proof) entry(node NodeCPUs, pair pair) (entry api.Exclusive) {
	if given := pair.given; given != nil {
		entry.Namespace, entry.Pod, entry.Container = given.Namespace, given.Pod, given.Container
		entry.CPUs, entry.MemoryNodes = given.CPUs.String(), given.MemoryNodes.String()
	}
	running := pair.running
	if running == nil {
		return entry
	}
	entry.PodUID, entry.ContainerID = running.PodUID, running.ID
	entry.KernelCPUs, entry.KernelMemoryNodes = running.Usage.CPUs.String(), running.Usage.MemoryNodes.String()
	own := running.Usage.CPUs
	if pair.given != nil {
		own = pair.given.CPUs
	}
	entry.LocalMemoryPercent = localMemoryPercent(node, own, running.Usage.AnonBytes)
	entry.ThrottledPercent = p.throttledPercent(running)
	entry.Usage = usage(running.Usage.Accounts)
	return entry
}

func usage(accounts *cgroup.Accounts) *api.Usage {
	if accounts == nil {
		return nil
	}
	return &api.Usage{
		CPUMilliseconds:        milliseconds(accounts.CPU),
		CPUWaitMilliseconds:    milliseconds(accounts.CPUWait),
		MemoryWaitMilliseconds: milliseconds(accounts.MemoryWait),
		IOWaitMilliseconds:     milliseconds(accounts.IOWait),
		MajorFaults:            accounts.MajorFaults,
		Refaults:               accounts.Refaults,
	}
}

func milliseconds(microseconds *int64) *int64 {
	if microseconds == nil {
		return nil
	}
	rounded := *microseconds / 1000
	return &rounded
}

// localMemoryPercent is rounded down: 100 is said only if every byte is local.
func localMemoryPercent(node NodeCPUs, own cpuset.CPUSet, anonBytes map[int]int64) *int {
	var total int64
	for _, bytes := range anonBytes {
		total += bytes
	}
	if total < leastAnonBytes {
		return nil
	}
	return percent(node.localBytes(own, anonBytes), total)
}

// throttledPercent is absent at the first reading of a container, and 0 if it has no quota.
func (p Proof) throttledPercent(running *cgroup.Container) *int {
	before, found := p.baseline[running.ID]
	now := running.Usage.Quota
	if !found || now == nil {
		return nil
	}
	periods, throttled := now.Periods-before.Periods, now.Throttled-before.Throttled
	if periods < 0 || throttled < 0 || throttled > periods {
		return nil // counters that were reset, or read while they changed
	}
	return percent(throttled, max(periods, 1))
}

func percent(part, whole int64) *int {
	rounded := int(100 * float64(part) / float64(whole))
	return &rounded
}
