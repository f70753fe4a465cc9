// Package countfile has what reader and counter tell each other, through files of a folder that only they share.
package countfile

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/perf"
	"numaspark.io/agent/internal/sharedfile"
)

const (
	targetsFile = "targets.json"
	reportFile  = "counts.json"

	maxTargets = 512 << 10
	maxReport  = 1 << 20
	// Most is how many containers are counted: a status lists no more.
	Most = 1024
	// longestID is more than a container runtime's ids have.
	longestID = 128
)

// Target is a container with CPUs that are its own.
type Target struct {
	Container string `json:"container"`
	CPUs      string `json:"cpus"`
}

// Targets are the containers that the reader wants counted.
type Targets struct {
	Containers []Target `json:"containers"`
}

// Report is what the counter has counted.
type Report struct {
	// Heartbeat is when it was written.
	Heartbeat  string         `json:"heartbeat"`
	Measures   []perf.Measure `json:"measures"`
	Containers []Counted      `json:"containers"`
}

// Counted is a container's share.
type Counted struct {
	Container string `json:"container"`
	// Milliseconds is for how long it was counted.
	Milliseconds int64            `json:"milliseconds"`
	Counts       map[string]int64 `json:"counts"`
}

// Files is the folder.
type Files struct{ Folder string }

// WriteTargets is the reader's.
func (f Files) WriteTargets(targets Targets) error { return f.write(targetsFile, targets) }

// ReadTargets returns the CPUs of each container that is to be counted, none if the reader has written nothing yet. Its error says what
// is wrong with the file.
func (f Files) ReadTargets() (map[string]cpuset.CPUSet, error) {
	text, err := f.folder().Read(targetsFile, maxTargets)
	if err != nil || text == nil {
		return nil, err
	}
	var targets Targets
	if err := json.Unmarshal(text, &targets); err != nil {
		return nil, fmt.Errorf("%s: %w", targetsFile, err)
	}
	if len(targets.Containers) > Most {
		return nil, fmt.Errorf("%s: %d containers are more than %d", targetsFile, len(targets.Containers), Most)
	}
	found := map[string]cpuset.CPUSet{}
	for _, target := range targets.Containers {
		set, err := cpus.Parse(target.CPUs)
		if err == nil && (target.Container == "" || len(target.Container) > longestID || set.IsEmpty()) {
			err = fmt.Errorf("a container has no CPUs, or an id of none or more than %d bytes", longestID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", targetsFile, err)
		}
		found[target.Container] = set
	}
	return found, nil
}

// WriteReport is the counter's.
func (f Files) WriteReport(report Report) error { return f.write(reportFile, report) }

// ReadReport returns what the counter has written, and nil if it has written nothing yet.
func (f Files) ReadReport() (*Report, error) {
	text, err := f.folder().Read(reportFile, maxReport)
	if err != nil || text == nil {
		return nil, err
	}
	var report Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", reportFile, err)
	}
	return &report, nil
}

// CheckAlive returns an error unless the counter has written its report within the time.
func (f Files) CheckAlive(now time.Time, within time.Duration) error {
	return f.folder().CheckWritten(reportFile, now, within)
}

func (f Files) write(name string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return f.folder().Replace(name, text)
}

func (f Files) folder() sharedfile.Folder { return sharedfile.Folder(f.Folder) }
