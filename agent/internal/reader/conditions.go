package reader

import (
	"time"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/text"
)

// Types of conditions.
const (
	topologyRead = "TopologyRead"
	pinningRead  = "PinningRead"
	knobsApplied = "KnobsApplied"
	pagesSwept   = "PagesSwept"
	// pinnerConnected is there if the container runtime shall pin, and the agent has a pinner.
	pinnerConnected = "PinnerConnected"
	// countersRead is there if the agent has a counter.
	countersRead = "CountersRead"
	// systemdAgrees is there if systemd keeps CPUs of a container.
	systemdAgrees = "SystemdAgrees"
)

// Reasons of conditions that are neither the kubelet's answer nor the kernel's nor a knob's state.
const (
	reasonRead             = "Read"
	reasonHardwareNotRead  = "HardwareNotRead"
	reasonSpecRefused      = "SpecRefused"
	reasonApplied          = "Applied"
	reasonWriterNotReached = "WriterNotAnswering"
	reasonNoWriter         = "NoWriter"
	reasonSeveral          = "SeveralReasons"
	reasonSwept            = "Swept"
	reasonNotSwept         = "NotSwept"

	reasonConnected          = "Connected"
	reasonPinnerNotAnswering = "PinnerNotAnswering"
	reasonLayoutInvalid      = "LayoutInvalid"
	reasonLayoutNotApplied   = "LayoutNotApplied"
	reasonKubeletPins        = "KubeletPinsItself"
	reasonKubeletUnknown     = "KubeletUnknown"
	reasonSlotsLeftOut       = "SlotsLeftOut"

	reasonCounterNotAnswering = "CounterNotAnswering"
	reasonTargetsNotWritten   = "TargetsNotWritten"

	reasonAgrees      = "Agrees"
	reasonReloadMoves = "ReloadMovesContainers"
)

const (
	statusTrue    = "True"
	statusFalse   = "False"
	statusUnknown = "Unknown"
)

// conditions collects those of one look. Each keeps the time at which its status last changed.
type conditions struct {
	before []api.Condition
	now    time.Time
	all    []api.Condition
}

func (c *conditions) put(kind, status, reason, message string) {
	since := timestamp(c.now)
	for _, condition := range c.before {
		if condition.Type == kind && condition.Status == status {
			since = condition.LastTransitionTime
		}
	}
	c.all = append(c.all, api.Condition{Type: kind, Status: status, Reason: reason, Message: text.Line(message), LastTransitionTime: since})
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
