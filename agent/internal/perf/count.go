package perf

import "errors"

// Counts are what was counted, by name. They only grow.
type Counts map[string]float64

// estimated: if a group had registers for less of the time, what it counted is an estimate.
const estimated = 0.9

// CPU counts what happens on one CPU until it is closed. It is not for several goroutines at once.
type CPU struct {
	kernel Kernel
	groups []openGroup
}

type openGroup struct {
	group       Group
	descriptors []int
	last        Reading
	sums        []float64
}

// OpenCPU begins to count groups on a CPU. If one of them cannot be opened, none is.
func OpenCPU(kernel Kernel, cpu int, groups []Group) (*CPU, error) {
	c := &CPU{kernel: kernel}
	for _, group := range groups {
		descriptors, err := open(kernel, group, cpu)
		if err != nil {
			c.Close()
			return nil, err
		}
		c.groups = append(c.groups, openGroup{group: group, descriptors: descriptors, sums: make([]float64, len(group.Events))})
	}
	return c, nil
}

func open(kernel Kernel, group Group, cpu int) ([]int, error) {
	var descriptors []int
	leader := -1
	for _, event := range group.Events {
		descriptor, err := kernel.Open(event, cpu, leader)
		if err != nil {
			closeAll(kernel, descriptors)
			return nil, err
		}
		descriptors = append(descriptors, descriptor)
		leader = descriptors[0]
	}
	return descriptors, nil
}

func closeAll(kernel Kernel, descriptors []int) {
	for _, descriptor := range descriptors {
		kernel.Close(descriptor)
	}
}

// Close ends counting.
func (c *CPU) Close() {
	for _, group := range c.groups {
		closeAll(c.kernel, group.descriptors)
	}
	c.groups = nil
}

// Read returns what was counted since the CPU was opened, and the measures of which that is an estimate since the last reading: the
// kernel gives registers to more groups than there are in turns, and what a group misses meanwhile is taken to be like the rest
// (perf_event_open(2), time_enabled and time_running).
func (c *CPU) Read() (counts Counts, estimates []string, err error) {
	counts = Counts{}
	for i := range c.groups {
		share, failure := c.groups[i].read(c.kernel)
		if err = errors.Join(err, failure); failure != nil {
			continue
		}
		if share < estimated {
			estimates = append(estimates, c.groups[i].group.Measure)
		}
		c.groups[i].put(counts)
	}
	return counts, estimates, err
}

func (g *openGroup) read(kernel Kernel) (share float64, err error) {
	now, err := kernel.Read(g.descriptors[0], len(g.descriptors))
	if err != nil {
		return 0, err
	}
	enabled, running := now.Enabled-g.last.Enabled, now.Running-g.last.Running
	share = 1
	if enabled > 0 {
		share = float64(running) / float64(enabled)
	}
	for i, value := range now.Values {
		grown := float64(value)
		if g.last.Values != nil {
			grown = float64(value - g.last.Values[i])
		}
		if running > 0 {
			g.sums[i] += grown / share
		}
	}
	g.last = now
	return share, nil
}

func (g *openGroup) put(counts Counts) {
	for i, event := range g.group.Events {
		counts[event.Name] = g.sums[i] * event.times()
	}
	if g.group.RestOf != "" {
		// The kernel reads the two one after the other.
		counts[g.group.RestOf] = max(0, counts[g.group.RestOf]-counts[g.group.Events[1].Name])
	}
}
