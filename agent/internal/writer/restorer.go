package writer

import (
	"maps"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

// restoreBits sets bits of one cell to their originals and proves it; it writes only if they differ. It reports whether they
// were read back so, and leaves to the caller to give up their claims.
func restoreBits(m machine, c cell, mask, bits uint64) (bool, error) {
	now, err := m.read(c)
	if err != nil {
		return false, err
	}
	then := now&^mask | bits&mask
	if now == then {
		return true, nil
	}
	if err := m.write(c, then); err != nil {
		return false, err
	}
	back, err := m.read(c)
	return (back^then)&mask == 0, err
}

// restoreCell restores bits of one cell, and returns why not; empty if they have their originals.
func restoreCell(m machine, c cell, mask uint64, original saved, online cpuset.CPUSet) string {
	if c.cpu != ofNode && !online.Contains(c.cpu) {
		return "CPU " + cells{c: true}.cpus() + " is offline: its original is kept; set the CPU online, and it is restored"
	}
	back, err := restoreBits(m, c, mask, original.bits)
	switch {
	case err != nil:
		return explain(c, err)
	case !back:
		return c.String() + " was written but did not change: its original is kept; restart the node"
	}
	return ""
}

// restorer restores what is no longer wanted, gives up its claims, and says by knob what came of it.
type restorer struct {
	machine   machine
	processor knob.Processor
	ledger    *ledger
}

// part has the bits of one knob at some cells.
type part struct {
	name  string
	knob  knob.Knob
	bits  *knob.Bits // nil if this machine has no knob there; then name is the cell's
	cells []cell
}

// restore restores bits and returns states of their knobs, except those that are wanted elsewhere: of them only trouble is
// reported.
func (r *restorer) restore(masks map[cell]uint64, online cpuset.CPUSet, wanted map[knob.Knob]*memory,
	t *trouble) ([]api.KnobState, error) {
	kept, err := r.ledger.open()
	if err != nil {
		return nil, err
	}
	back, failures := map[cell]uint64{}, map[cell]string{}
	for _, c := range sorted(masks) {
		if failure := restoreCell(r.machine, c, masks[c], kept.cells[c], online); failure != "" {
			failures[c] = failure
		} else {
			back[c] = masks[c]
		}
	}
	unkept := ""
	if err := r.ledger.release(back); err != nil {
		unkept = "it is as it was, but " + r.ledger.store.file() + " still lists it: " + err.Error()
	}
	var states []api.KnobState
	for _, p := range r.parts(masks) {
		bad, message := cells{}, unkept
		for _, c := range p.cells {
			if failure, ok := failures[c]; ok {
				if len(bad) == 0 {
					message = failure
				}
				bad.add(c)
			}
		}
		if p.bits != nil && wanted[p.knob] != nil {
			for c := range bad {
				t.add(p.knob, c, message)
			}
			continue
		}
		state := api.KnobState{Name: p.name, Actual: r.actual(p), State: knob.Restored, DifferingCPUs: bad.cpus(), Message: message}
		if message != "" {
			state.State = knob.Failed
		}
		states = append(states, state)
	}
	return states, nil
}

// leftOver returns states of bits that are changed though nobody has said yet whether they are wanted.
func (r *restorer) leftOver(masks map[cell]uint64) []api.KnobState {
	var states []api.KnobState
	for _, p := range r.parts(masks) {
		states = append(states, api.KnobState{Name: p.name, Actual: r.actual(p), State: knob.Observed,
			Message: "an earlier run of the writer has changed it, and its original is kept: send apply or restore"})
	}
	return states
}

func (r *restorer) actual(p part) string {
	if p.bits == nil {
		return knob.Unknown
	}
	return actual(*p.bits, p.cells, read(r.machine, &target{cells: p.cells}))
}

func (r *restorer) parts(masks map[cell]uint64) []part {
	rest := maps.Clone(masks)
	var parts []part
	for _, k := range knob.All() {
		bits, err := knob.Mechanism(k, r.processor)
		if err != nil {
			continue
		}
		p := part{name: k.String(), knob: k, bits: &bits}
		for _, c := range sorted(rest) {
			if c.location == bits.Location && rest[c]&bits.Mask != 0 {
				p.cells = append(p.cells, c)
				rest[c] &^= bits.Mask
			}
		}
		if len(p.cells) > 0 {
			parts = append(parts, p)
		}
	}
	// Bits that this machine has no knob for, for example because CPUID cannot be read any more.
	for _, c := range sorted(rest) {
		if rest[c] != 0 {
			parts = append(parts, part{name: c.String(), cells: []cell{c}})
		}
	}
	return parts
}
