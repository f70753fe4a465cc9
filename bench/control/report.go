package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"time"
)

// Latency is a distribution in seconds.
type Latency struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Report is the result of one run.
type Report struct {
	Kind           string         `json:"kind"`
	Scenario       Scenario       `json:"scenario"`
	Seconds        float64        `json:"seconds"` // from the first request to the last final state
	PerMinute      float64        `json:"applicationsPerMinute"`
	ApplyToDriver  Latency        `json:"applyToDriverSeconds"`
	DriverToStatus Latency        `json:"driverEndToFinalStateSeconds"`
	Succeeded      int            `json:"succeeded"`
	Failed         int            `json:"failed"`
	Unfinished     int            `json:"unfinished"`
	NoDriver       int            `json:"withoutDriver"`
	Doubled        int            `json:"withTwoDrivers"`
	RequestErrors  map[string]int `json:"requestErrors"`
	Machine        Machine        `json:"machine"`
}

// Errors counts the applications that did not run exactly once and well, and failed requests of this program.
func (r Report) Errors() int {
	sum := r.Failed + r.Unfinished + r.NoDriver + r.Doubled
	for _, count := range r.RequestErrors {
		sum += count
	}
	return sum
}

func newReport(scenario Scenario, target Target, journal *Journal, elapsed time.Duration, machine Machine) Report {
	journal.mutex.Lock()
	defer journal.mutex.Unlock()
	report := Report{
		Kind:          fmt.Sprintf("%v %v", target.Manifest["apiVersion"], target.Manifest["kind"]),
		Scenario:      scenario,
		Seconds:       elapsed.Seconds(),
		RequestErrors: maps.Clone(journal.errors),
		Machine:       machine,
	}
	var toDriver, toStatus []time.Duration
	for _, run := range journal.runs {
		if run.driverCreated.IsZero() {
			report.NoDriver++
		} else {
			toDriver = append(toDriver, run.driverCreated.Sub(run.applied))
		}
		if run.doubled {
			report.Doubled++
		}
		switch {
		case run.ended.IsZero():
			report.Unfinished++
		case run.well:
			report.Succeeded++
		default:
			report.Failed++
		}
		if !run.ended.IsZero() && !run.driverEnded.IsZero() {
			toStatus = append(toStatus, run.ended.Sub(run.driverEnded))
		}
	}
	report.ApplyToDriver, report.DriverToStatus = latency(toDriver), latency(toStatus)
	if elapsed > 0 {
		report.PerMinute = float64(report.Succeeded) / elapsed.Minutes()
	}
	return report
}

// latency takes percentiles by nearest rank. The two watches are not ordered: a status may arrive just before the pod's
// event that it follows from, which counts as no time.
func latency(values []time.Duration) Latency {
	if len(values) == 0 {
		return Latency{}
	}
	slices.Sort(values)
	rank := func(percent float64) float64 {
		index := int(math.Ceil(percent/100*float64(len(values)))) - 1
		return max(0, values[index].Seconds())
	}
	return Latency{Count: len(values), P50: rank(50), P99: rank(99), Max: rank(100)}
}

func (r Report) print(out io.Writer) {
	row := func(name, format string, values ...any) {
		fmt.Fprintf(out, "%-40s "+format+"\n", append([]any{name}, values...)...)
	}
	row("kind", "%s", r.Kind)
	row("applications", "%d in %d namespaces, %d executors each, work %s", r.Scenario.Applications, r.Scenario.Namespaces, r.Scenario.Executors, r.Scenario.Work)
	row("succeeded / failed / unfinished", "%d / %d / %d", r.Succeeded, r.Failed, r.Unfinished)
	row("without driver / with two drivers", "%d / %d", r.NoDriver, r.Doubled)
	row("time, applications per minute", "%.1f s, %.0f", r.Seconds, r.PerMinute)
	row("apply to driver pod: p50, p99, max", "%.3f s, %.3f s, %.3f s", r.ApplyToDriver.P50, r.ApplyToDriver.P99, r.ApplyToDriver.Max)
	row("driver's end to status: p50, p99, max", "%.3f s, %.3f s, %.3f s", r.DriverToStatus.P50, r.DriverToStatus.P99, r.DriverToStatus.Max)
	for i, account := range r.Machine.Accounts {
		row("CPU of "+account.Name, "%.2f s, %.2f ms an application; %.2f s before", account.CPUSeconds,
			1000*account.CPUSeconds/float64(r.Scenario.Applications), account.CPUBefore)
		if i == 0 {
			row("peak RSS of "+account.Name, "%d MiB; %d MiB with its children; %d MiB after", account.PeakRSS>>20, account.PeakTreeRSS>>20, account.RSSAfter>>20)
		}
		if account.Disappeared {
			row("", "%s ended during the run: its numbers are incomplete", account.Name)
		}
	}
	row("load average before, after", "%s, %s", r.Machine.LoadBefore, r.Machine.LoadAfter)
	for _, message := range slices.Sorted(maps.Keys(r.RequestErrors)) {
		row("request error", "%d x %s", r.RequestErrors[message], message)
	}
}

// writeJSON writes a report to a file; an empty path means none.
func writeJSON(path string, report any) error {
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
