package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// FaultReport is the result of a fault run.
type FaultReport struct {
	Scenario       FaultScenario  `json:"scenario"`
	Applications   int            `json:"applications"`
	Attempts       int            `json:"attempts"` // driver pods
	Seconds        float64        `json:"seconds"`
	Faults         []Row          `json:"faults"`
	Violations     []Violation    `json:"violations"`
	OperatorReady  int            `json:"operatorBecameReady"`
	LogLevels      map[string]int `json:"operatorLogLines"` // by level
	FailedRequests map[string]int `json:"failedRequestsOfDrivers"`
	LoadBefore     string         `json:"loadavgBefore"`
	LoadAfter      string         `json:"loadavgAfter"`
}

func (r *FaultRun) report(rows []Row, logs []string, machine Machine, elapsed time.Duration) (FaultReport, error) {
	lines, err := readLogs(logs)
	if err != nil {
		return FaultReport{}, err
	}
	r.player.mutex.Lock()
	defer r.player.mutex.Unlock()
	report := FaultReport{
		Scenario: r.scenario, Seconds: elapsed.Seconds(), Faults: rows, Violations: append(r.violations, lines.violations...),
		OperatorReady: lines.ready, LogLevels: lines.levels, FailedRequests: maps.Clone(r.player.errors),
		LoadBefore: machine.LoadBefore, LoadAfter: machine.LoadAfter,
	}
	r.ledger.mutex.Lock()
	defer r.ledger.mutex.Unlock()
	for name, record := range r.ledger.records {
		if record.Created.IsZero() {
			continue
		}
		report.Applications++
		report.Attempts += len(record.Drivers)
		found := judge(record)
		report.Violations = append(report.Violations, found...)
		for i := range rows {
			if slices.Contains(rows[i].names, name) {
				rows[i].count(found)
			}
		}
	}
	return report, nil
}

func (r *Row) count(found []Violation) {
	if r.Violations == nil {
		r.Violations = map[string]int{}
	}
	for _, violation := range found {
		r.Violations[violation.Kind]++
	}
}

// logFindings are what the operator's log tells of all its starts.
type logFindings struct {
	ready      int // how often it became ready
	levels     map[string]int
	violations []Violation
}

// readLogs reads the logs of all replicas; one that has not been started yet has none.
func readLogs(files []string) (logFindings, error) {
	all := logFindings{levels: map[string]int{}}
	for _, name := range files {
		file, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return all, err
		}
		found, err := readLog(file)
		file.Close()
		if err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		all.ready += found.ready
		all.violations = append(all.violations, found.violations...)
		for level, lines := range found.levels {
			all.levels[level] += lines
		}
	}
	return all, nil
}

var logLine = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\S+Z (\w+) +(.*)`)

// ending are the framework's loggers that tell at ERROR that it ends the process, because the API server refuses a watch:
// one that has just started knows no roles yet. A kubelet starts the operator again.
var ending = []string{"Reflector ", "InformerWrapper ", "ConfigurationService "}

// readLog counts lines by level. An error with a trace, and a thread that ended by one, are violations. What faults make
// fail is tried again, and worth a warning; a lease that is lost is an error without a trace.
func readLog(log io.Reader) (logFindings, error) {
	findings := logFindings{levels: map[string]int{}}
	scanner := bufio.NewScanner(log)
	scanner.Buffer(nil, 1<<20)
	cause := "" // the line that a trace would belong to, if one may not follow
	for scanner.Scan() {
		line := scanner.Text()
		if match := logLine.FindStringSubmatch(line); match != nil {
			findings.levels[match[1]]++
			if strings.Contains(match[2], "numaspark is ready") {
				findings.ready++
			}
			cause = ""
			if match[1] == "ERROR" && !slices.ContainsFunc(ending, func(logger string) bool { return strings.HasPrefix(match[2], logger) }) {
				cause = line
			}
		} else if strings.HasPrefix(line, "Exception in thread") {
			cause = line
		} else if cause != "" && isTrace(line) {
			findings.violations = append(findings.violations, Violation{"log", cause})
			cause = ""
		}
	}
	return findings, scanner.Err()
}

// isTrace knows a trace in its own lines, and one that is printed as one line.
func isTrace(line string) bool {
	return strings.HasPrefix(line, "\tat ") || strings.Contains(line, `\n\tat `)
}

func (r FaultReport) print(out io.Writer) {
	fmt.Fprintf(out, "%-32s %10s  %-44s %7s %7s  %4s %7s %5s %6s\n",
		"fault", "on the way", "as they said", "fault", "final", "lost", "doubled", "stuck", "untrue")
	for _, row := range r.Faults {
		final := "never"
		if row.UntilFinal > 0 || row.OnTheirWay == 0 {
			final = fmt.Sprintf("%.0f s", row.UntilFinal)
		}
		fmt.Fprintf(out, "%-32s %10d  %-44s %5.0f s %7s  %4d %7d %5d %6d\n", row.Fault, row.OnTheirWay, row.states(), row.Seconds, final,
			row.Violations["lost"], row.Violations["doubled"], row.Violations["stuck"], row.Violations["untrue"]+row.Violations["leftover"])
	}
	fmt.Fprintf(out, "%d applications with %d drivers in %.0f s; the operator became ready %d times; load average before %s, after %s\n",
		r.Applications, r.Attempts, r.Seconds, r.OperatorReady, r.LoadBefore, r.LoadAfter)
	if len(r.Violations) == 0 {
		fmt.Fprintln(out, "no application was lost, doubled or stuck, and every status tells the truth")
	}
	for _, violation := range r.Violations {
		fmt.Fprintf(out, "VIOLATION %s: %s\n", violation.Kind, violation.What)
	}
}

func (r Row) states() string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(r.States)) {
		name := state
		if name == "" {
			name = "(new)"
		}
		parts = append(parts, fmt.Sprintf("%d %s", r.States[state], name))
	}
	return strings.Join(parts, ", ")
}
