package pinner

import (
	"fmt"
	"time"

	"numaspark.io/agent/internal/pinfile"
)

// mostReported: a node has no more slots, and few executors have none.
const mostReported = pinfile.MaxSlots

// pinsOf puts together what is known. A refusal counts only while there is a connection.
func pinsOf(known Snapshot, standing Standing, layoutError string, now time.Time) pinfile.Pins {
	pins := pinfile.Pins{
		Generation: known.Generation, Mode: known.Layout.Mode, LayoutError: layoutError,
		State: standing.State, Reason: standing.Reason, Message: standing.Message, Since: timestamp(standing.Since),
		Heartbeat: timestamp(now),
		Runtime:   known.Runtime.Name, RuntimeVersion: known.Runtime.Version,
		Shared: known.Layout.Shared.String(), FreeSlots: []string{}, Due: known.Due, Executors: []pinfile.ExecutorPin{},
		Counters: known.Counters, Sandboxes: known.Sandboxes,
	}
	pins.Warnings = warningsOf(known)
	if !known.Shared.Equals(known.Layout.Shared) {
		pins.SharedNow = known.Shared.String()
	}
	if known.Refusal != nil && standing.State == pinfile.Connected {
		pins.State, pins.Reason, pins.Message = pinfile.Refused, known.Refusal.Reason, known.Refusal.Message
		return pins
	}
	for _, slot := range known.Free {
		pins.FreeSlots = append(pins.FreeSlots, slot.ID)
	}
	pins.Omitted = max(0, len(known.Executors)-mostReported)
	for _, executor := range known.Executors[:len(known.Executors)-pins.Omitted] {
		pins.Executors = append(pins.Executors, pinfile.ExecutorPin{
			Namespace: executor.Namespace, Pod: executor.Pod, PodUID: executor.PodUID, Container: executor.Name,
			ContainerID: executor.ID, Outcome: executor.Outcome, Slots: executor.Slots,
			CPUs: executor.Given.CPUs.String(), MemoryNodes: executor.Given.Mems.String(), Ended: executor.Ended,
		})
	}
	return pins
}

func warningsOf(known Snapshot) (warnings []pinfile.Warning) {
	if known.Runtime.mayPanic() {
		warnings = append(warnings, pinfile.Warning{Reason: RuntimePanics, Message: fmt.Sprintf("containerd %s may panic when it removes a"+
			" container whose sandbox is gone, and then no pod starts until it runs again: upgrade to containerd 2.3.3 or later",
			known.Runtime.Version)})
	}
	if !known.Fit {
		warnings = append(warnings, pinfile.Warning{Reason: SharedOverlapsExecutors, Message: fmt.Sprintf("executors of an earlier layout"+
			" have all of the shared CPUs %s, so that other containers run there too until they end; wait, or end these executors",
			known.Layout.Shared)})
	}
	return warnings
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
