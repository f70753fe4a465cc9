// Package counter counts what executors do with their CPUs, and tells it to the reader. It reads no process, no memory and no file of
// anybody.
package counter

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/knob"
	"numaspark.io/agent/internal/perf"
	"numaspark.io/agent/internal/text"
)

const (
	// UsualLook is how often the counter looks whether there are other containers.
	UsualLook = time.Second
	// looksOfReport: what was counted is written each so many looks, and at once if containers come or go.
	looksOfReport = 10
)

// Counter counts while it runs. Its fields are not changed then.
type Counter struct {
	Files  countfile.Files
	Kernel perf.Kernel
	// Root is where the node's sys/ and proc/ are.
	Root string
	Look time.Duration
	Log  *slog.Logger

	groups   []perf.Group
	measures []perf.Measure
	open     map[int]*perf.CPU
	ledger   ledger
	// estimated are measures that were once: what was counted since then is in the sums.
	estimated map[string]bool
	// trouble was logged last.
	trouble string
}

// Run counts until the context ends. An error says that it cannot begin.
func (c *Counter) Run(ctx context.Context) error {
	processor, err := knob.ReadProcessor(c.Root)
	if err != nil {
		return err
	}
	c.open, c.estimated = map[int]*perf.CPU{}, map[string]bool{}
	defer c.closeAll()
	c.probe(processor)
	var targets map[string]cpuset.CPUSet
	var written time.Time
	ticker := time.NewTicker(c.Look)
	defer ticker.Stop()
	for {
		now := time.Now()
		wanted, err := c.Files.ReadTargets()
		c.say(err)
		changed := err == nil && !maps.EqualFunc(wanted, targets, cpuset.CPUSet.Equals)
		if changed {
			targets = wanted
			if len(c.open) == 0 {
				c.probe(processor) // somebody may have allowed meanwhile what was forbidden
			}
			c.openOnly(targets)
		}
		if changed || now.Sub(written) >= looksOfReport*c.Look {
			written = now
			c.say(c.Files.WriteReport(c.report(targets, now)))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// probe logs what is new only.
func (c *Counter) probe(processor knob.Processor) {
	before := c.measures
	c.groups, c.measures = perf.Probe(c.Kernel, processor, c.Root, 0)
	for _, measure := range c.measures {
		if !slices.Contains(before, measure) {
			c.Log.Info(measure.Name + ": " + measure.State + orEmpty(", ", measure.Message))
		}
	}
}

func orEmpty(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// say logs trouble once, not at each look.
func (c *Counter) say(err error) {
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	if trouble != "" && trouble != c.trouble {
		c.Log.Warn(trouble)
	}
	c.trouble = trouble
}

// openOnly opens the CPUs of the targets, and closes all others. One that cannot be opened is tried again when there are other targets.
func (c *Counter) openOnly(targets map[string]cpuset.CPUSet) {
	wanted := map[int]bool{}
	for _, set := range targets {
		for _, cpu := range set.List() {
			wanted[cpu] = true
		}
	}
	for cpu, counting := range c.open {
		if !wanted[cpu] {
			counting.Close()
			delete(c.open, cpu)
		}
	}
	var failed []int
	var failure error
	for cpu := range wanted {
		if c.open[cpu] != nil || len(c.groups) == 0 {
			continue
		}
		counting, err := perf.OpenCPU(c.Kernel, cpu, c.groups)
		if err != nil {
			failed, failure = append(failed, cpu), err
			continue
		}
		c.open[cpu] = counting
	}
	if failure != nil { // one line, as targets may name thousands of CPUs that the node does not have
		c.Log.Warn(text.Line("CPUs " + cpuset.New(failed...).String() + " are not counted: " + failure.Error()))
	}
}

func (c *Counter) report(targets map[string]cpuset.CPUSet, now time.Time) countfile.Report {
	readings := map[int]perf.Counts{}
	for cpu, counting := range c.open {
		counts, estimated, err := counting.Read()
		if err != nil {
			// Its CPU was switched off, most likely. It counts from 0 when there are other targets.
			c.Log.Warn("CPU is not counted any more", "cpu", cpu, "error", err)
			counting.Close()
			delete(c.open, cpu)
			continue
		}
		readings[cpu] = counts
		for _, measure := range estimated {
			c.estimated[measure] = true
		}
	}
	return countfile.Report{
		Heartbeat:  now.UTC().Format(time.RFC3339),
		Measures:   c.measuresNow(),
		Containers: c.ledger.count(targets, readings, now),
	}
}

func (c *Counter) measuresNow() []perf.Measure {
	all := slices.Clone(c.measures)
	for i := range all {
		if c.estimated[all[i].Name] {
			all[i].State, all[i].Reason = perf.Estimated, "Multiplexed"
			all[i].Message = "the processor has too few registers to count everything all the time, so this is estimated from a part of it"
		}
	}
	return all
}

func (c *Counter) closeAll() {
	for _, counting := range c.open {
		counting.Close()
	}
}
