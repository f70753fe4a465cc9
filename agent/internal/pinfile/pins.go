package pinfile

import "encoding/json"

// Pins is what the pinner says of the node, for the reader: a file that is replaced when something has changed and every half
// a minute. CPUs and NUMA nodes are lists in Linux's notation.
type Pins struct {
	// Generation is that of the layout that running containers have got, as far as they are not due; empty before the runtime has
	// told of them. Mode is that of the newest layout, which containers get that are created.
	Generation string `json:"generation"`
	Mode       Mode   `json:"mode"`
	// LayoutError says why the newest layout was not taken. The last one that was stays in force.
	LayoutError string `json:"layoutError,omitempty"`

	State   State  `json:"state"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Since   string `json:"since"`

	Heartbeat      string `json:"heartbeat"`
	Runtime        string `json:"runtime,omitempty"`
	RuntimeVersion string `json:"runtimeVersion,omitempty"`

	// Warnings are what an administrator should know although the pinner works.
	Warnings []Warning `json:"warnings,omitempty"`

	// Shared is the layout's. SharedNow is what containers without slots get while executors of an earlier layout have a part of it;
	// absent if that is the same.
	Shared    string `json:"shared,omitempty"`
	SharedNow string `json:"sharedNow,omitempty"`
	// FreeSlots are ids of slots that executors can get.
	FreeSlots []string `json:"freeSlots"`
	// Due is how many containers still have other CPUs than the layout says.
	Due       int           `json:"due"`
	Executors []ExecutorPin `json:"executors"`
	// Sandboxes are the ids of the pods' sandboxes. Their own containers have all CPUs, and run nothing.
	Sandboxes []string `json:"sandboxes,omitempty"`
	// Omitted is how many executors the list has no room for.
	Omitted  int      `json:"omitted,omitempty"`
	Counters Counters `json:"counters"`
}

// Warning is a reason in one word, and a sentence with the remedy.
type Warning struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// State says how the pinner stands with the container runtime.
type State string

// The states.
const (
	Connected    State = "Connected"
	Disconnected State = "Disconnected"
	// Refused is Connected, but nothing is changed on this node.
	Refused State = "Refused"
)

// Outcome says what became of an executor.
type Outcome string

// The outcomes.
const (
	Pinned               Outcome = "Pinned"
	PinnedLate           Outcome = "PinnedLate"           // it ran elsewhere before
	EarlierLayout        Outcome = "EarlierLayout"        // it keeps the CPUs that an earlier layout gave to it
	NoFreeSlot           Outcome = "NoFreeSlot"           // it shares CPUs with all others
	StartedWithoutPinner Outcome = "StartedWithoutPinner" // and no slot was free later
	AlreadySet           Outcome = "AlreadySet"           // another plugin has set its CPUs
	NotPinning           Outcome = "NotPinning"           // the mode is not Pin
)

// Counters say what the pinner has done since it was started.
type Counters struct {
	// Requests that were answered, those whose turn did not come in time, and those that failed in the pinner.
	Requests int `json:"requests"`
	Timeouts int `json:"timeouts"`
	Panics   int `json:"panics"`
}

// ParsePins reads what the pinner has written.
func ParsePins(source []byte) (Pins, error) {
	var pins Pins
	err := json.Unmarshal(source, &pins)
	return pins, err
}

// ExecutorPin is an executor, and what it was given.
type ExecutorPin struct {
	Namespace   string   `json:"namespace"`
	Pod         string   `json:"pod"`
	PodUID      string   `json:"podUid"`
	Container   string   `json:"container"`
	ContainerID string   `json:"containerId"`
	Outcome     Outcome  `json:"outcome"`
	Slots       []string `json:"slots,omitempty"`
	CPUs        string   `json:"cpus,omitempty"`
	MemoryNodes string   `json:"memoryNodes,omitempty"`
	// Ended says that the container has ended; its pod holds the slots until it is gone.
	Ended bool `json:"ended,omitempty"`
}
