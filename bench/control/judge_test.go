package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// end is how a driver of a test ended.
type end struct {
	succeeded bool
	causes    []Cause
}

var (
	good  = end{true, []Cause{exitedWell}}
	bad   = end{false, []Cause{exitedBadly}}
	leave = end{false, []Cause{evicted}}
)

// honest is the record of an application whose status tells what happened to its drivers.
func honest(plan Plan, ends ...end) *Record {
	record := &Record{Name: types.NamespacedName{Namespace: "ns", Name: "app"}, Plan: plan, Created: time.Unix(1, 0), Final: time.Unix(2, 0)}
	status := &record.Status
	status.ExecutionAttempts = len(ends)
	for i, end := range ends {
		number := strconv.Itoa(i + 1)
		driver := &Driver{UID: types.UID(number), Attempt: number, Causes: end.causes, succeeded: end.succeeded, terminated: true}
		record.Drivers = append(record.Drivers, driver)
		state := "FAILED"
		if end.succeeded {
			state = "COMPLETED"
		}
		status.ApplicationState.State = state
		told := AttemptStatus{i + 1, state, reasons[end.causes[0]][0]}
		status.Attempts = append([]AttemptStatus{told}, status.Attempts...)
	}
	status.Conditions = []metav1.Condition{{Type: "Ready", Reason: reasons[ends[len(ends)-1].causes[0]][0]}}
	return record
}

// stoppedOnce has the first attempt be one that was stopped, and the status say so.
func stoppedOnce(record *Record, cause Cause, state string) *Record {
	record.Drivers[0].Causes = []Cause{cause}
	told := &record.Status.Attempts[len(record.Status.Attempts)-1]
	told.State, told.Reason = state, reasons[cause][0]
	return record
}

func TestHonestStatusesAreNoViolation(t *testing.T) {
	for name, record := range map[string]*Record{
		"ends well":                     honest(Plan{Retries: never}, good),
		"fails":                         honest(Plan{Retries: never}, bad),
		"fails, is repeated":            honest(Plan{Retries: 1}, bad, good),
		"uses up its tries":             honest(Plan{Retries: 1}, bad, leave),
		"is evicted, is repeated":       honest(Plan{Retries: 3}, leave, good),
		"evicted when it had finished":  honest(Plan{Retries: 3}, end{true, []Cause{exitedWell, evicted}}),
		"nobody knows which was first":  honest(Plan{Retries: never}, end{false, []Cause{evicted, nodeLost}}),
		"is suspended, is resumed":      stoppedOnce(honest(Plan{Retries: never}, good, good), suspended, "SUSPENDED"),
		"is edited, is run again":       stoppedOnce(honest(Plan{Retries: never}, bad, good), edited, "INVALIDATING"),
		"ended while it was stopped":    honest(Plan{Retries: never}, end{true, []Cause{exitedWell, suspended}}),
		"fails anew once it is resumed": stoppedOnce(honest(Plan{Retries: 1}, bad, bad, good), suspended, "SUSPENDED"),
	} {
		if found := judge(record); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestEveryLieIsFound(t *testing.T) {
	retried := Plan{Retries: 1}
	for name, test := range map[string]struct {
		kind   string
		says   string
		plan   Plan
		ends   []end
		change func(*Record)
	}{
		"two drivers at once":     {"doubled", "at once", retried, []end{bad, good}, func(r *Record) { r.Overlap = true }},
		"two drivers, one number": {"doubled", "attempt 1 had 2", retried, []end{bad, good}, func(r *Record) { r.Drivers[1].Attempt = "1" }},
		"not final":               {"stuck", "RUNNING", retried, []end{good}, func(r *Record) { r.Final, r.Status.ApplicationState.State = time.Time{}, "RUNNING" }},
		"deleted by nobody":       {"lost", "gone", retried, []end{good}, func(r *Record) { r.Gone = time.Unix(3, 0) }},
		"outlives its namespace":  {"leftover", "namespace", retried, []end{good}, func(r *Record) { r.Doomed = true }},
		"without a driver":        {"lost", "without a driver", retried, []end{good}, func(r *Record) { r.Drivers = nil }},
		"reopened":                {"untrue", "left a final state", retried, []end{good}, func(r *Record) { r.Reopened = true }},
		"gives up too early":      {"untrue", "should have been followed", retried, []end{bad}, nil},
		"tries too often":         {"untrue", "should have been the last", Plan{Retries: never}, []end{bad, good}, nil},
		"goes on after success":   {"untrue", "should have been the last", retried, []end{good, good}, nil},
		"wrong state":             {"untrue", "says FAILED", Plan{Retries: never}, []end{bad}, func(r *Record) { r.Status.ApplicationState.State = "COMPLETED" }},
		"wrong number":            {"untrue", "executionAttempts is 7", retried, []end{bad, good}, func(r *Record) { r.Status.ExecutionAttempts = 7 }},
		"forgets an attempt":      {"untrue", "1 entries", retried, []end{bad, good}, func(r *Record) { r.Status.Attempts = r.Status.Attempts[:1] }},
		"wrong reason":            {"untrue", "[evicted]", retried, []end{leave, good}, func(r *Record) { r.Status.Attempts[1].Reason = "DriverFailed" }},
		"wrong past state":        {"untrue", "attempt 1 is COMPLETED", retried, []end{bad, good}, func(r *Record) { r.Status.Attempts[1].State = "COMPLETED" }},
		"condition contradicts":   {"untrue", "condition Ready", retried, []end{good}, func(r *Record) { r.Status.Conditions[0].Reason = "Running" }},
		"stopped by nobody":       {"untrue", "it was [exited with 1]", Plan{Retries: never}, []end{bad, good}, func(r *Record) { r.Status.Attempts[1] = AttemptStatus{1, "SUSPENDED", "Suspended"} }},
		"misses an OOM":           {"untrue", "OOM-killed", retried, []end{good}, func(r *Record) { r.Drivers[0].OOMKilled = 1 }},
	} {
		record := honest(test.plan, test.ends...)
		if test.change != nil {
			test.change(record)
		}
		found := judge(record)
		if len(found) != 1 || found[0].Kind != test.kind || !strings.Contains(found[0].What, test.says) {
			t.Errorf("%s: want one %s with %q, got %v", name, test.kind, test.says, found)
		}
	}
}

func driverPod(uid, attempt string, phase corev1.PodPhase) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "app-driver-" + attempt, UID: types.UID(uid),
			Labels: map[string]string{roleLabel: "driver", "application": "app", attemptLabel: attempt},
		},
		Status: corev1.PodStatus{Phase: phase},
	}
}

func TestOverlapIsSeenHoweverShort(t *testing.T) {
	for name, test := range map[string]struct {
		second  corev1.PodPhase
		overlap bool
	}{"while the first runs": {corev1.PodRunning, true}, "after the first": {corev1.PodFailed, false}} {
		ledger := newLedger(Target{ApplicationLabel: "application"})
		ledger.seenDriver(driverPod("1", "1", corev1.PodRunning), false)
		ledger.seenDriver(driverPod("1", "1", test.second), false)
		ledger.seenDriver(driverPod("2", "2", corev1.PodPending), false)
		ledger.seenDriver(driverPod("1", "1", test.second), true)
		record := ledger.records[types.NamespacedName{Namespace: "ns", Name: "app"}]
		if record.Overlap != test.overlap || len(record.Drivers) != 2 {
			t.Errorf("%s: %+v", name, record)
		}
	}
}

func TestCausesAreNotedUntilTheEnd(t *testing.T) {
	ledger := newLedger(Target{ApplicationLabel: "application"})
	ledger.seenDriver(driverPod("1", "1", corev1.PodRunning), false)
	ledger.done("1", evicted)
	ledger.done("unknown", evicted)
	ledger.seenDriver(driverPod("1", "1", corev1.PodRunning), true)
	ledger.done("1", nodeLost)
	driver := ledger.drivers["1"]
	if !driver.terminated || driver.succeeded || len(driver.Causes) != 1 || driver.Causes[0] != evicted {
		t.Errorf("%+v", driver)
	}
}

func TestApplicationsAreOpenUntilTheirStateIsFinal(t *testing.T) {
	ledger := newLedger(Target{State: []string{"status", "applicationState", "state"}, Succeeded: []string{"COMPLETED"}})
	name := types.NamespacedName{Namespace: "ns", Name: "app"}
	ledger.planned(name, Plan{})
	if len(ledger.open()) != 0 {
		t.Error("open before it was created")
	}
	ledger.created(name)
	seen := func(state string) {
		application := &unstructured.Unstructured{Object: map[string]any{
			"status": map[string]any{"applicationState": map[string]any{"state": state}, "executionAttempts": int64(2)},
		}}
		application.SetNamespace("ns")
		application.SetName("app")
		ledger.seenApplication(application)
	}
	seen("RUNNING")
	if _, all := ledger.lastEnd([]types.NamespacedName{name}); all || ledger.open()[name] != "RUNNING" {
		t.Error("not open while it runs")
	}
	seen("COMPLETED")
	if _, all := ledger.lastEnd([]types.NamespacedName{name}); !all || len(ledger.open()) != 0 {
		t.Error("open after its end")
	}
	seen("RUNNING")
	if record := ledger.records[name]; !record.Reopened || record.Status.ExecutionAttempts != 2 {
		t.Errorf("%+v", record)
	}
}

func TestErrorsInTheLogAreFound(t *testing.T) {
	log := "2026-11-21T18:11:09.890Z INFO  Main   numaspark 1 starts\n" +
		"2026-11-21T18:11:10.890Z INFO  Main   numaspark is ready\n" +
		"2026-11-21T18:11:11.890Z WARN  Other   something at ERROR is not an error\n" +
		"\tat io.numaspark.Tried.again(Tried.java:1)\n" +
		"2026-11-21T18:11:11.990Z ERROR ConfigurationService   Fatal error in informer: v1/nodes. Stopping the operator\n" +
		"\tat io.fabric8.Informer.run(Informer.java:1)\n" +
		"2026-11-21T18:11:12.790Z ERROR Leadership   a is no longer the leader\n" +
		"2026-11-21T18:11:12.890Z ERROR Other ns app broken\n" +
		"java.lang.IllegalStateException: broken\n" +
		"\tat io.numaspark.Broken.method(Broken.java:1)\n" +
		"2026-11-21T18:11:12.990Z ERROR Other ns app broken anew\n" +
		"java.lang.IllegalStateException: broken\\n\\tat io.numaspark.Broken.method(Broken.java:1)\\n\n" +
		"Exception in thread \"x\" java.lang.OutOfMemoryError\n" +
		"\tat io.numaspark.Broken.method(Broken.java:1)\n"
	findings, err := readLog(strings.NewReader(log))
	if err != nil || findings.ready != 1 || findings.levels["INFO"] != 2 || len(findings.violations) != 3 {
		t.Errorf("%+v, %v", findings, err)
	}
}

func TestPlansAreWritten(t *testing.T) {
	target, err := readTarget("targets/numaspark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, plan := range plans {
		application := target.application("ns", "app")
		if err := planOf(i).apply(application, 2); err != nil {
			t.Fatal(err)
		}
		instances, _, _ := unstructured.NestedInt64(application.Object, "spec", "executor", "instances")
		kind, _, _ := unstructured.NestedString(application.Object, "spec", "restartPolicy", "type")
		if instances != 2 || (kind == "OnFailure") != (plan.Retries != never) {
			t.Errorf("%+v: %v", plan, application.Object["spec"])
		}
	}
}
