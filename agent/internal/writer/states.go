package writer

import (
	"slices"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

const (
	mixed        = "Mixed"
	experimental = "experimental: AMD does not say which loads the bit is about; compare runtimes before you rely on it"
)

func unsupported(k knob.Knob, wanted, message string) api.KnobState {
	return api.KnobState{Name: k.String(), Wanted: wanted, Actual: knob.Unknown, State: knob.Unsupported, Message: message}
}

func failed(k knob.Knob, wanted, message string) api.KnobState {
	return api.KnobState{Name: k.String(), Wanted: wanted, Actual: knob.Unknown, State: knob.Failed, Message: message}
}

// unreadableState is that of a knob that cannot be read everywhere.
func unreadableState(t *target, r reading, p probe) api.KnobState {
	if p.nowhere {
		return unsupported(t.knob, t.wanted, p.unreadable)
	}
	return state(t, r, knob.Failed, nil, "it cannot be read on every CPU, so that nothing is written: "+p.unreadable)
}

// wantedState is Applied if the wanted value was read back everywhere, else Failed with the message. Troubled are cells
// where the knob could not be set or, outside of the target, restored.
func wantedState(t *target, r reading, troubled cells, message string) api.KnobState {
	outside := false
	for c := range troubled {
		outside = outside || !slices.Contains(t.cells, c)
	}
	if outside || len(r.unmet(t)) > 0 || len(r.unreadable(t)) > 0 {
		return state(t, r, knob.Failed, troubled, message)
	}
	note := ""
	if len(t.cells) == 0 {
		note = "no core is to be set now"
	} else if t.bits.Experimental {
		note = experimental
	}
	return state(t, r, knob.Applied, nil, note)
}

func state(t *target, r reading, verdict string, more cells, message string) api.KnobState {
	differing := cells{}
	differing.add(r.unmet(t)...)
	differing.add(r.unreadable(t)...)
	for c := range more {
		// One that was in trouble and has the wanted value nevertheless does not differ.
		if !slices.Contains(t.cells, c) {
			differing.add(c)
		}
	}
	return api.KnobState{
		Name: t.knob.String(), Wanted: t.wanted, Actual: actual(t.bits, t.cells, r), State: verdict,
		DifferingCPUs: differing.cpus(), Message: message,
	}
}

// actual returns what was read at cells, in the knob's words.
func actual(bits knob.Bits, at []cell, r reading) string {
	value := knob.Unknown
	for _, c := range at {
		content, ok := r.contents[c]
		if !ok {
			continue
		}
		switch next := bits.Decode(content); value {
		case knob.Unknown:
			value = next
		case next:
		default:
			return mixed
		}
	}
	return value
}
