// Package knob has the knobs of a node: which there are, how a processor or the kernel implements each, and how the
// unprivileged agent asks the privileged writer for them. Nothing here writes to the machine; that is package writer.
package knob

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"numaspark.io/agent/internal/text"
)

// Knob is one of the closed set of knobs. The order is that of reports.
type Knob int

// The knobs. docs/knobs.md describes them.
const (
	L1NextLine Knob = iota
	L1Stride
	L1Region
	L1NextPage
	L2Stream
	L2AdjacentLine
	L2AdaptiveMultipath
	LLCPage
	ArrayOfPointers
	LLCStream
	TransparentHugePages
	NUMABalancing
	ZoneReclaim
	Swappiness
)

var names = [...]string{
	L1NextLine:           "prefetch.l1NextLine",
	L1Stride:             "prefetch.l1Stride",
	L1Region:             "prefetch.l1Region",
	L1NextPage:           "prefetch.l1NextPage",
	L2Stream:             "prefetch.l2Stream",
	L2AdjacentLine:       "prefetch.l2AdjacentLine",
	L2AdaptiveMultipath:  "prefetch.l2AdaptiveMultipath",
	LLCPage:              "prefetch.llcPage",
	ArrayOfPointers:      "prefetch.arrayOfPointers",
	LLCStream:            "prefetch.llcStream",
	TransparentHugePages: "memory.transparentHugePages",
	NUMABalancing:        "memory.numaBalancing",
	ZoneReclaim:          "memory.zoneReclaim",
	Swappiness:           "memory.swappiness",
}

// The words of api.KnobState.State.
const (
	Applied     = "Applied"     // The wanted value was read back everywhere.
	Observed    = "Observed"    // Compared only.
	Drifted     = "Drifted"     // It was applied, and something else has changed it since.
	Failed      = "Failed"      // It does not have the wanted value, or could not be restored.
	Unsupported = "Unsupported" // This machine has no such knob.
	Restored    = "Restored"    // It is no longer wanted, and has its original value again.
)

// The values of most knobs. Transparent huge pages take Always, Madvise and Never, swappiness takes a number.
const (
	Enabled  = "Enabled"
	Disabled = "Disabled"
)

// Unknown is the actual value of a knob that could not be read.
const Unknown = "Unknown"

// maxSwappiness is the largest value of vm.swappiness (Linux 5.8 and later, Documentation/admin-guide/sysctl/vm.rst).
const maxSwappiness = 200

var (
	switchWords    = []string{Enabled, Disabled}
	hugePagesWords = []string{"Always", "Madvise", "Never"} // by what KernelFile reads
)

// All returns every knob, in order.
func All() []Knob {
	knobs := make([]Knob, len(names))
	for i := range knobs {
		knobs[i] = Knob(i)
	}
	return knobs
}

// Find returns the knob of this name in spec.knobs.settings, for example prefetch.l1Stride.
func Find(name string) (Knob, bool) {
	i := slices.Index(names[:], name)
	return Knob(i), i >= 0
}

// String returns the name in resources and on the writer's socket.
func (k Knob) String() string { return names[k] }

// IsPrefetcher reports whether the knob is a prefetcher, so that it can be set by core.
func (k Knob) IsPrefetcher() bool { return strings.HasPrefix(names[k], "prefetch.") }

// Check returns an error that names knob and value if the knob does not take the value.
func (k Knob) Check(value string) error {
	var taken bool
	var allowed string
	switch k {
	case TransparentHugePages:
		taken, allowed = slices.Contains(hugePagesWords, value), strings.Join(hugePagesWords, ", ")
	case Swappiness:
		number, err := strconv.Atoi(value)
		// "007" would never be equal to what is read back.
		taken = err == nil && number >= 0 && number <= maxSwappiness && strconv.Itoa(number) == value
		allowed = fmt.Sprintf("a number from 0 to %d", maxSwappiness)
	default:
		taken, allowed = slices.Contains(switchWords, value), strings.Join(switchWords, " or ")
	}
	if taken {
		return nil
	}
	return fmt.Errorf("%s: '%s' is not a value of this knob: write %s", k, text.Quote(value), allowed)
}
