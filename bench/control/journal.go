package main

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Run is when things happened to one application, by the monotonic clock of this program; zero: not yet.
type Run struct {
	applied       time.Time // just before the request that creates the application was sent
	driverCreated time.Time // the driver pod's first event arrived
	driverUID     types.UID
	driverEnded   time.Time // the event with the driver's last phase arrived
	ended         time.Time // the event with a final state arrived
	well          bool
	doubled       bool // a second driver pod was seen
}

// Journal is what was seen of all applications. Safe for use by several goroutines.
type Journal struct {
	mutex   sync.Mutex
	runs    map[types.NamespacedName]*Run
	open    int
	allDone chan struct{}
	errors  map[string]int // errors of this program's own requests, by message
}

func newJournal(applications int) *Journal {
	return &Journal{
		runs:    make(map[types.NamespacedName]*Run, applications),
		open:    applications,
		allDone: make(chan struct{}),
		errors:  map[string]int{},
	}
}

// change does nothing for an application that this run did not create.
func (j *Journal) change(name types.NamespacedName, how func(*Run)) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if run := j.runs[name]; run != nil {
		how(run)
	}
}

func (j *Journal) applied(name types.NamespacedName) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.runs[name] = &Run{applied: time.Now()}
}

func (j *Journal) notApplied(name types.NamespacedName, err error) {
	j.failed(err)
	j.ended(name, false)
}

func (j *Journal) driverSeen(name types.NamespacedName, uid types.UID) {
	j.change(name, func(run *Run) {
		if run.driverCreated.IsZero() {
			run.driverCreated, run.driverUID = time.Now(), uid
		}
		run.doubled = run.doubled || run.driverUID != uid
	})
}

func (j *Journal) driverEnded(name types.NamespacedName) {
	j.change(name, func(run *Run) {
		if run.driverEnded.IsZero() {
			run.driverEnded = time.Now()
		}
	})
}

func (j *Journal) ended(name types.NamespacedName, well bool) {
	j.change(name, func(run *Run) {
		if !run.ended.IsZero() {
			return
		}
		run.ended, run.well = time.Now(), well
		j.open--
		if j.open == 0 {
			close(j.allDone)
		}
	})
}

func (j *Journal) failed(err error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.errors[err.Error()]++
}

// await returns when every application has ended, or the time is up.
func (j *Journal) await(ctx context.Context) {
	select {
	case <-j.allDone:
	case <-ctx.Done():
	}
}

func (j *Journal) lastEnd(start time.Time) time.Duration {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	last := start
	for _, run := range j.runs {
		if run.ended.After(last) {
			last = run.ended
		}
	}
	return last.Sub(start)
}
