package main

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Cause is something that was done to a driver and that ends it.
type Cause string

// Causes of a driver's end.
const (
	exitedWell  Cause = "exited with 0"
	exitedBadly Cause = "exited with 1"
	evicted     Cause = "evicted"
	deleted     Cause = "deleted by hand"
	torn        Cause = "deleted by hand without grace"
	nodeLost    Cause = "node lost"
	suspended   Cause = "suspended"
	edited      Cause = "spec changed"
)

// Driver is what was seen of one driver pod, and what was done to it.
type Driver struct {
	UID        types.UID
	Attempt    string // label of the pod
	Causes     []Cause
	OOMKilled  int // executors of this driver that were killed
	Disrupted  int // executors of this driver that were lost in another way
	phase      corev1.PodPhase
	terminated bool // it has a final phase, or its pod is gone
	succeeded  bool
}

// Status is what an application says of itself; the fields that are judged.
type Status struct {
	ApplicationState struct {
		State        string `json:"state"`
		ErrorMessage string `json:"errorMessage"`
	} `json:"applicationState"`
	ExecutionAttempts int `json:"executionAttempts"`
	ExecutorCounts    struct {
		Failed int `json:"failed"`
	} `json:"executorCounts"`
	Executors []struct {
		Phase  string `json:"phase"`
		Reason string `json:"reason"`
	} `json:"executors"`
	Attempts   []AttemptStatus    `json:"attempts"`
	Conditions []metav1.Condition `json:"conditions"`
}

// AttemptStatus is an attempt that has ended, as the status tells it.
type AttemptStatus struct {
	Attempt int    `json:"attempt"`
	State   string `json:"state"`
	Reason  string `json:"reason"`
}

// Record is everything known of one application.
type Record struct {
	Name       types.NamespacedName
	Plan       Plan
	Created    time.Time // the API server took it
	Final      time.Time // its state became final; zero: not yet
	Gone       time.Time // the object was deleted
	Doomed     bool      // it was deleted, or its namespace
	Reopened   bool      // a final state was left again
	Overlap    bool      // two drivers lived at once
	Drivers    []*Driver // in the order in which they were seen
	Status     Status
	unreadable error
}

// Ledger is what was seen of all applications and done to them. Safe for use by several goroutines.
type Ledger struct {
	mutex   sync.Mutex
	target  Target
	records map[types.NamespacedName]*Record
	drivers map[types.UID]*Driver
}

func newLedger(target Target) *Ledger {
	return &Ledger{target: target, records: map[types.NamespacedName]*Record{}, drivers: map[types.UID]*Driver{}}
}

// planned comes before the request that creates the application, created when the API server has taken it: a watch may
// tell of it in between.
func (l *Ledger) planned(name types.NamespacedName, plan Plan) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.record(name).Plan = plan
}

func (l *Ledger) created(name types.NamespacedName) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.record(name).Created = time.Now()
}

// record is called with the mutex held.
func (l *Ledger) record(name types.NamespacedName) *Record {
	if l.records[name] == nil {
		l.records[name] = &Record{Name: name}
	}
	return l.records[name]
}

func (l *Ledger) seenApplication(application *unstructured.Unstructured) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	record := l.record(nameOf(application))
	content, _, _ := unstructured.NestedMap(application.Object, "status")
	record.Status = Status{}
	record.unreadable = runtime.DefaultUnstructuredConverter.FromUnstructured(content, &record.Status)
	final, _ := l.target.ended(application)
	switch {
	case final && record.Final.IsZero():
		record.Final = time.Now()
	case !final && !record.Final.IsZero():
		record.Reopened = true
	}
}

func (l *Ledger) goneApplication(name types.NamespacedName) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.record(name).Gone = time.Now()
}

func (l *Ledger) seenDriver(pod *corev1.Pod, gone bool) {
	application := pod.Labels[l.target.ApplicationLabel]
	if pod.Labels[roleLabel] != "driver" || application == "" {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	record := l.record(types.NamespacedName{Namespace: pod.Namespace, Name: application})
	driver := l.drivers[pod.UID]
	if driver == nil {
		driver = &Driver{UID: pod.UID, Attempt: pod.Labels[attemptLabel]}
		l.drivers[pod.UID] = driver
		record.Drivers = append(record.Drivers, driver)
	}
	driver.phase = pod.Status.Phase
	driver.succeeded = pod.Status.Phase == corev1.PodSucceeded
	driver.terminated = driver.terminated || gone || driver.succeeded || pod.Status.Phase == corev1.PodFailed
	alive := 0
	for _, other := range record.Drivers {
		if !other.terminated {
			alive++
		}
	}
	record.Overlap = record.Overlap || alive > 1
}

// done notes what is about to be done to a driver: before it is done, so that no end is seen before its cause.
func (l *Ledger) done(driver types.UID, cause Cause) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if known := l.drivers[driver]; known != nil && !known.terminated {
		known.Causes = append(known.Causes, cause)
	}
}

func (l *Ledger) executorEnded(driver types.UID, byOOM bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	known := l.drivers[driver]
	switch {
	case known == nil:
	case byOOM:
		known.OOMKilled++
	default:
		known.Disrupted++
	}
}

// plan is that of an application of this run.
func (l *Ledger) plan(name types.NamespacedName) (Plan, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	record := l.records[name]
	if record == nil {
		return Plan{}, false
	}
	return record.Plan, true
}

// doomed is called before an application is deleted.
func (l *Ledger) doomed(name types.NamespacedName) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.record(name).Doomed = true
}

// stateOf is what an application says of itself.
func (l *Ledger) stateOf(name types.NamespacedName) string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.record(name).Status.ApplicationState.State
}

func (l *Ledger) isFinal(name types.NamespacedName) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return !l.record(name).Final.IsZero()
}

func (l *Ledger) isGone(name types.NamespacedName) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return !l.record(name).Gone.IsZero()
}

// forget lets go of all applications, once they are gone.
func (l *Ledger) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	clear(l.records)
	clear(l.drivers)
}

// stopped notes, before it is asked for, why an application's living driver is about to be stopped.
func (l *Ledger) stopped(name types.NamespacedName, cause Cause) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, driver := range l.record(name).Drivers {
		if !driver.terminated {
			driver.Causes = append(driver.Causes, cause)
		}
	}
}

func (l *Ledger) doom(namespace string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for name, record := range l.records {
		if name.Namespace == namespace {
			record.Doomed = true
		}
	}
}

// open are the applications that are on their way, with the state that each says it is in.
func (l *Ledger) open() map[types.NamespacedName]string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	open := map[types.NamespacedName]string{}
	for name, record := range l.records {
		if !record.Created.IsZero() && record.Final.IsZero() && record.Gone.IsZero() {
			open[name] = record.Status.ApplicationState.State
		}
	}
	return open
}

// lastEnd is when the last of these applications became final or was gone; false: some are still open.
func (l *Ledger) lastEnd(names []types.NamespacedName) (time.Time, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var last time.Time
	for _, name := range names {
		record := l.records[name]
		end := record.Final
		if end.IsZero() {
			end = record.Gone
		}
		if end.IsZero() {
			return time.Time{}, false
		}
		if end.After(last) {
			last = end
		}
	}
	return last, true
}
