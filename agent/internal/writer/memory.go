package writer

import (
	"fmt"
	"slices"
)

// maxRepeats is how often a drifted knob is set again. More would be a fight with whatever else writes it, and each write to
// a register is a line in the kernel's log.
const maxRepeats = 3

// memory is what the writer remembers of a wanted knob between two requests, to tell a drift from a first time. It lives as
// long as the process; a new writer starts to count anew.
type memory struct {
	wanted  string
	proven  cells // where the wanted value was read back
	repeats int
	givenUp bool
	failure string // why the knob could not be set when it was last tried; empty if it could
}

// toWrite returns the cells that are to be written now, and counts how often drifted ones are among them.
func (m *memory) toWrite(unmet []cell) []cell {
	if !m.hasDrifted(unmet) {
		return unmet
	}
	if m.repeats < maxRepeats {
		m.repeats++
		return unmet
	}
	m.givenUp = true
	return slices.DeleteFunc(slices.Clone(unmet), func(c cell) bool { return m.proven[c] })
}

// hasDrifted reports whether some of these cells had the wanted value before.
func (m *memory) hasDrifted(unmet []cell) bool {
	return slices.ContainsFunc(unmet, func(c cell) bool { return m.proven[c] })
}

// hasGivenUp reports whether some of these cells have drifted once too often to be set again.
func (m *memory) hasGivenUp(unmet []cell) bool { return m.givenUp && m.hasDrifted(unmet) }

// prove remembers where the wanted value was read back, and why not everywhere.
func (m *memory) prove(t *target, after reading, failure string) {
	proven := cells{}
	proven.add(t.cells...)
	for _, c := range after.unmet(t) {
		// A drifted cell stays known as such until it has the wanted value again.
		if !m.proven[c] {
			delete(proven, c)
		}
	}
	for _, c := range after.unreadable(t) {
		delete(proven, c)
	}
	m.proven, m.failure = proven, failure
}

func (m *memory) driftMessage() string {
	if m.givenUp {
		return fmt.Sprintf("something else keeps changing it; it was set again %d times and is left alone now: find out what"+
			" (tuned, a script, the firmware), or take the knob out of the profile", maxRepeats)
	}
	return "something else has changed it: find out what (tuned, a script, the firmware); the next apply sets it again"
}
