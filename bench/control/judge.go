package main

import (
	"fmt"
	"slices"
	"strconv"
)

// Violation is something that must not be, whatever fault happened.
type Violation struct {
	Kind string `json:"kind"` // lost, doubled, stuck, untrue, leftover, dead, log
	What string `json:"what"`
}

// reasons are the words with which a status may give a cause of a driver's end.
var reasons = map[Cause][]string{
	exitedWell:  {"Completed"},
	exitedBadly: {"DriverFailed"},
	evicted:     {"Evicted"},
	deleted:     {"DriverDeleted", "DriverLost"}, // lost: its pod was gone before a busy operator looked
	torn:        {"DriverLost", "DriverDeleted"},
	nodeLost:    {"NodeLost"},
	suspended:   {"Suspended"},
	edited:      {"SpecChanged"},
}

// judge says what is wrong with an application at the end of the run. It replays restartPolicy over what really became
// of the drivers, and expects the status to tell the same story.
func judge(record *Record) []Violation {
	var found []Violation
	violate := func(kind, format string, values ...any) {
		found = append(found, Violation{kind, record.Name.String() + ": " + fmt.Sprintf(format, values...)})
	}
	if record.Overlap {
		violate("doubled", "two of its drivers lived at once")
	}
	byAttempt := map[int]int{}
	for _, driver := range record.Drivers {
		number, _ := strconv.Atoi(driver.Attempt)
		byAttempt[number]++
	}
	for number, count := range byAttempt {
		if count > 1 {
			violate("doubled", "attempt %d had %d drivers", number, count)
		}
	}
	if record.Doomed {
		if record.Gone.IsZero() {
			violate("leftover", "it was deleted, or its namespace, and it is not gone")
		}
		return found
	}
	switch {
	case !record.Gone.IsZero():
		violate("lost", "nobody deleted it, and it is gone")
		return found
	case record.Final.IsZero():
		violate("stuck", "its state is %q: %s", record.Status.ApplicationState.State, record.Status.ApplicationState.ErrorMessage)
		return found
	case len(record.Drivers) == 0:
		violate("lost", "it is %s without a driver", record.Status.ApplicationState.State)
		return found
	}
	if record.unreadable != nil {
		violate("untrue", "its status cannot be read: %v", record.unreadable)
		return found
	}
	if record.Reopened {
		violate("untrue", "it left a final state")
	}
	if slices.ContainsFunc(found, func(violation Violation) bool { return violation.Kind == "doubled" }) {
		return found // and no story that a status could tell rightly
	}
	return append(found, judgeAttempts(record)...)
}

// judgeAttempts compares the drivers that there were with the plan and with the status.
func judgeAttempts(record *Record) []Violation {
	var found []Violation
	violate := func(format string, values ...any) {
		found = append(found, Violation{"untrue", record.Name.String() + ": " + fmt.Sprintf(format, values...)})
	}
	status, count := record.Status, len(record.Drivers)
	failures, last := 0, record.Drivers[count-1]
	for i, driver := range record.Drivers {
		if driver.Attempt != strconv.Itoa(i+1) {
			violate("driver %d has attempt number %s", i+1, driver.Attempt)
		}
		stopped := wasStopped(status, i+1)
		switch {
		case stopped:
			failures = 0 // it starts from the beginning, as often as it could at first
		case !driver.succeeded:
			failures++
		}
		goesOn := stopped || !driver.succeeded && record.Plan.restarts(failures)
		if i < count-1 && !goesOn {
			violate("attempt %d should have been the last", i+1)
		} else if i == count-1 && goesOn {
			violate("attempt %d should have been followed by another: %v", i+1, driver.Causes)
		}
	}
	want := "FAILED"
	if last.succeeded {
		want = "COMPLETED"
	}
	if state := status.ApplicationState.State; state != want {
		violate("it is %s, but its last driver says %s", state, want)
	}
	if status.ExecutionAttempts != count {
		violate("status.executionAttempts is %d, but it had %d drivers", status.ExecutionAttempts, count)
	}
	if len(status.Attempts) != count {
		violate("status.attempts has %d entries, but it had %d drivers", len(status.Attempts), count)
		return found
	}
	for i, driver := range record.Drivers {
		told := status.Attempts[count-1-i] // the newest first
		// A driver that ends by itself while it is being stopped counts as stopped.
		if told.Attempt != i+1 || !wasStopped(status, i+1) && (told.State == "COMPLETED") != driver.succeeded {
			violate("status.attempts says that attempt %d is %s", told.Attempt, told.State)
		}
		if allowed := allowedReasons(driver); !slices.Contains(allowed, told.Reason) {
			violate("attempt %d ended with %s according to its status, but it was %v", told.Attempt, told.Reason, driver.Causes)
		}
	}
	for _, condition := range status.Conditions {
		if told := status.Attempts[0].Reason; condition.Type == "Ready" && condition.Reason != told {
			violate("condition Ready says %s, but status.attempts %s", condition.Reason, told)
		}
	}
	return append(found, judgeExecutors(record, last)...)
}

// wasStopped tells whether the status says that an attempt was stopped by its owner's wish; that it was is seen by its reason.
func wasStopped(status Status, attempt int) bool {
	return slices.ContainsFunc(status.Attempts, func(told AttemptStatus) bool {
		return told.Attempt == attempt && (told.State == "SUSPENDED" || told.State == "INVALIDATING")
	})
}

// allowedReasons follow from what was done to a driver; of several things, nobody knows which came first.
func allowedReasons(driver *Driver) []string {
	var allowed []string
	if driver.succeeded {
		allowed = reasons[exitedWell]
	}
	for _, cause := range driver.Causes {
		if cause == suspended || cause == edited || !driver.succeeded && cause != exitedWell {
			allowed = append(allowed, reasons[cause]...)
		}
	}
	return allowed
}

// judgeExecutors looks at the last attempt only: the status counts the executors of one attempt.
func judgeExecutors(record *Record, last *Driver) []Violation {
	if last.OOMKilled == 0 || last.Disrupted > 0 || !last.succeeded {
		return nil
	}
	told := 0
	for _, executor := range record.Status.Executors {
		if executor.Reason == "OOMKilled" {
			told++
		}
	}
	if counted := record.Status.ExecutorCounts.Failed; told != last.OOMKilled || counted != last.OOMKilled {
		return []Violation{{"untrue", fmt.Sprintf("%s: %d of its executors were OOM-killed; its status names %d and counts %d as failed",
			record.Name, last.OOMKilled, told, counted)}}
	}
	return nil
}
