package knob

import (
	"numaspark.io/agent/internal/api"
)

// Observer compares knobs with what is wanted, without a writer and without any privilege. It reads files of the kernel
// only: registers need the writer, and are Unknown.
type Observer struct {
	root      string
	processor Processor
}

// NewObserver returns an observer of the machine whose proc and sys are below root.
func NewObserver(root string, p Processor) *Observer {
	if p.Leaf80000021 == nil {
		// Only the writer can read AMD's gate. Taken as open, the answer is that the writer is needed, which is true.
		open := ^uint32(0)
		p.Leaf80000021 = &open
	}
	return &Observer{root, p}
}

// Observe returns a state for each wanted knob: Observed, or Unsupported with the reason.
func (o *Observer) Observe(wanted Settings) []api.KnobState {
	states := make([]api.KnobState, 0, len(wanted))
	for _, k := range wanted.Knobs() {
		state := api.KnobState{Name: k.String(), Wanted: wanted[k], Actual: Unknown, State: Observed}
		o.observe(k, &state)
		states = append(states, state)
	}
	return states
}

func (o *Observer) observe(k Knob, state *api.KnobState) {
	bits, err := Mechanism(k, o.processor)
	if err != nil {
		state.State, state.Message = Unsupported, err.Error()
		return
	}
	if bits.Location.IsPerCPU() {
		state.Message = "only the privileged writer can read registers, and it reads those that a profile enforces:" +
			" set mode Enforce to have it read and set"
		return
	}
	content, err := ReadKernelFile(o.root, bits.Location)
	if err != nil {
		state.State = Unsupported
		state.Message = "/" + bits.Location.File() + " cannot be read: the kernel may be built without it"
		return
	}
	state.Actual = bits.Decode(content)
	if state.Actual != state.Wanted {
		state.Message = "it does not have the wanted value: set mode Enforce in the profile to have it set"
	}
}
