package reader

import (
	"slices"
	"time"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/perf"
	"numaspark.io/agent/internal/text"
)

// counterSilence: a counter writes its report at least every ten seconds.
const counterSilence = 90 * time.Second

// pressure is the measure that needs no counter: the kernel accounts it for each cgroup.
const pressure = "Pressure"

// mostMeasures bounds what is believed of a counter.
const mostMeasures = 16

// counts tells the counter what to count, and puts what it has counted into the status.
type counts struct {
	files   countfile.Files
	cgroup  string
	ordered []countfile.Target
}

func (c *counts) look(now time.Time, status *api.Status, found *conditions) {
	failure := c.order(status.Exclusive)
	report, why := c.read(now)
	switch {
	case failure != nil:
		found.put(countersRead, statusFalse, reasonTargetsNotWritten, "the targets of the counter cannot be written: "+failure.Error())
	case why != "":
		found.put(countersRead, statusFalse, reasonCounterNotAnswering, why)
	default:
		found.put(countersRead, statusTrue, reasonRead, "")
	}
	status.Counters = c.measures(report)
	if report == nil {
		return
	}
	counted := map[string]countfile.Counted{}
	for _, container := range report.Containers {
		counted[container.Container] = container
	}
	for i := range status.Exclusive {
		if own, found := counted[status.Exclusive[i].ContainerID]; found && own.Container != "" {
			status.Exclusive[i].Counts = known(own)
		}
	}
}

// order has all containers counted that have CPUs of their own.
func (c *counts) order(exclusive []api.Exclusive) error {
	targets := []countfile.Target{}
	for _, entry := range exclusive {
		if entry.ContainerID != "" && entry.KernelCPUs != "" && entry.CPUs != "" {
			targets = append(targets, countfile.Target{Container: entry.ContainerID, CPUs: entry.KernelCPUs})
		}
	}
	if c.ordered != nil && slices.Equal(c.ordered, targets) {
		return nil
	}
	if err := c.files.WriteTargets(countfile.Targets{Containers: targets}); err != nil {
		return err
	}
	c.ordered = targets
	return nil
}

// read returns the counter's report, or says why there is none that counts.
func (c *counts) read(now time.Time) (report *countfile.Report, why string) {
	report, err := c.files.ReadReport()
	switch {
	case err != nil:
		return nil, "the report of the node's counter cannot be read: " + text.Quote(err.Error())
	case report == nil:
		return nil, "the node's counter has written no report yet; see the log of its container"
	}
	if why = silence("counter", report.Heartbeat, counterSilence, now); why != "" {
		return nil, why
	}
	return report, ""
}

// measures are the counter's, and that of the kernel.
func (c *counts) measures(report *countfile.Report) []api.Counter {
	own := api.Counter{Name: pressure, State: perf.Counted}
	if !cgroup.HasPressure(c.cgroup) {
		own = api.Counter{Name: pressure, State: perf.Unsupported, Reason: "NoPsi",
			Message: "the kernel does not account pressure: it needs CONFIG_PSI, and with some distributions psi=1 on its command line"}
	}
	all := []api.Counter{own}
	if report == nil {
		return all
	}
	for _, measure := range report.Measures[:min(len(report.Measures), mostMeasures)] {
		all = append(all, api.Counter{Name: text.Quote(measure.Name), State: text.Quote(measure.State), Reason: text.Quote(measure.Reason),
			Message: text.Line(measure.Message)})
	}
	return all
}

// known are the counts with names that a topology may have.
func known(own countfile.Counted) map[string]int64 {
	all := map[string]int64{"milliseconds": own.Milliseconds}
	for _, name := range perf.Names {
		if value, found := own.Counts[name]; found && value >= 0 {
			all[name] = value
		}
	}
	return all
}
