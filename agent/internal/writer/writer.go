// Package writer sets knobs of a node, with root's rights: it keeps originals, proves what it writes, and restores what is
// no longer wanted. It accepts the closed set of knobs of package knob only, and has no network.
package writer

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

// Writer sets what is wanted, restores what is no longer wanted, and reads both back.
//
// Two things are never lost, whatever happens in between: what a cell was before the writer first changed it, and that it
// was changed. It serves one request at a time.
type Writer struct {
	log       *slog.Logger
	machine   machine
	processor knob.Processor
	ledger    *ledger
	applier   *applier
	restorer  *restorer

	mutex    sync.Mutex // of what follows, and of the ledger
	memories map[knob.Knob]*memory
	wish     knob.Settings
	cores    *cpuset.CPUSet
	closed   bool
}

// New returns a writer for the machine whose dev, proc and sys are below root. It keeps originals in the directory state, of
// which the caller holds the Lock.
func New(log *slog.Logger, root, state string) (*Writer, error) {
	processor, err := knob.ReadProcessor(root)
	if err != nil {
		return nil, err
	}
	return newWriter(log, fileMachine{root}, processor, store{state, disk{}}), nil
}

func newWriter(log *slog.Logger, m machine, p knob.Processor, s store) *Writer {
	l := &ledger{store: s, machine: m}
	return &Writer{
		log:       log,
		machine:   m,
		processor: p,
		ledger:    l,
		applier:   &applier{log, m, l, p.Hypervisor},
		restorer:  &restorer{m, p, l},
		memories:  map[knob.Knob]*memory{},
	}
}

// ErrClosed says that a writer takes no request any more.
var ErrClosed = errors.New("the writer is ending: ask the next one")

// Resume continues a restore that was interrupted; anything else waits for a request. Errors are as those of Restore.
func (w *Writer) Resume() ([]api.KnobState, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	kept, err := w.ledger.open()
	if err != nil || !kept.restoring {
		return nil, err
	}
	return w.restore()
}

// Apply sets what is wanted, and restores everything else that was set. Prefetchers are set on the cores of these CPUs; nil
// means all. It returns a state for each wanted knob, and for each that was restored. With an error, such as a CPU that is
// not on this machine, nothing is changed.
func (w *Writer) Apply(wanted knob.Settings, cores *cpuset.CPUSet) ([]api.KnobState, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	if cores != nil {
		present, err := w.machine.present()
		if err != nil {
			return nil, err
		}
		if strange := cores.Difference(present); !strange.IsEmpty() {
			return nil, fmt.Errorf("cpus: %s is not on this machine: write some of %s", strange, present)
		}
	}
	s, err := newSurvey(w.machine, w.processor, wanted, cores)
	if err != nil {
		return nil, err
	}
	w.remember(wanted, cores)
	kept, err := w.ledger.open()
	if err == nil {
		err = w.ledger.setRestoring(false)
	}
	if err != nil {
		var states []api.KnobState
		for _, k := range wanted.Knobs() {
			states = append(states, failed(k, wanted[k], err.Error()))
		}
		return states, nil
	}
	t := newTrouble()
	released, err := w.restorer.restore(s.unwanted(kept), s.online, w.memories, t)
	if err != nil {
		return nil, err
	}
	states := append(w.write(s.targets, t), s.unsupported...)
	return append(states, released...), nil
}

func (w *Writer) remember(wanted knob.Settings, cores *cpuset.CPUSet) {
	w.wish, w.cores = wanted, cores
	memories := map[knob.Knob]*memory{}
	for k, value := range wanted {
		if old := w.memories[k]; old != nil && old.wanted == value {
			memories[k] = old
		} else {
			memories[k] = &memory{wanted: value}
		}
	}
	w.memories = memories
}

func (w *Writer) write(targets []*target, t *trouble) []api.KnobState {
	before := read(w.machine, targets...)
	probes := make([]probe, len(targets))
	var needs []need
	for i, target := range targets {
		probes[i] = newProbe(target, before, w.machine)
		if probes[i] != (probe{}) {
			continue
		}
		if cells := w.memories[target.knob].toWrite(before.unmet(target)); len(cells) > 0 {
			needs = append(needs, need{target, cells})
		}
	}
	if len(needs) > 0 {
		w.applier.apply(needs, before, t)
	}
	after := read(w.machine, targets...)
	var states []api.KnobState
	for i, target := range targets {
		states = append(states, w.written(target, probes[i], after, t))
	}
	return states
}

func (w *Writer) written(t *target, p probe, after reading, troubles *trouble) api.KnobState {
	m := w.memories[t.knob]
	unmet := after.unmet(t)
	given := m.hasGivenUp(unmet)
	message := troubles.messages[t.knob]
	if message == "" {
		message = p.verifyOnly
	}
	if message == "" && !given && len(unmet) > 0 {
		message = "it has changed again at once: find out what else writes it"
	}
	m.prove(t, after, message)
	switch {
	case p.unreadable != "":
		return unreadableState(t, after, p)
	case given && message == "":
		return state(t, after, knob.Drifted, nil, m.driftMessage())
	}
	return wantedState(t, after, troubles.cells[t.knob], message)
}

// Restore restores everything that was set, and returns a state for each knob that was. With an error it is unknown what
// was changed, or the writer has ended.
func (w *Writer) Restore() ([]api.KnobState, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.restore()
}

func (w *Writer) restore() ([]api.KnobState, error) {
	if w.closed {
		return nil, ErrClosed
	}
	w.remember(nil, nil)
	kept, err := w.ledger.open()
	if err != nil {
		return nil, err
	}
	masks := map[cell]uint64{}
	for c, saved := range kept.cells {
		masks[c] = saved.mask
	}
	if err := w.ledger.setRestoring(true); err != nil {
		// After a crash this restore would have to be asked for again; that is not a reason to leave the knobs changed now.
		w.log.Warn(w.ledger.store.file() + ": " + err.Error())
	}
	online, err := w.machine.online()
	if err != nil {
		return nil, err
	}
	return w.restorer.restore(masks, online, nil, newTrouble())
}

// Close restores everything, and takes no request any more. Errors are as those of Restore.
func (w *Writer) Close() ([]api.KnobState, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return nil, nil
	}
	states, err := w.restore()
	w.closed = err == nil
	return states, err
}

// Status reads back what is wanted, and what is changed though nobody has said yet whether it is wanted; it writes nothing.
// With an error the machine's CPUs or the originals cannot be read, or the writer has ended.
func (w *Writer) Status() ([]api.KnobState, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	kept, err := w.ledger.open()
	if err != nil {
		return nil, err
	}
	s, err := newSurvey(w.machine, w.processor, w.wish, w.cores)
	if err != nil {
		return nil, err
	}
	r := read(w.machine, s.targets...)
	var states []api.KnobState
	for _, t := range s.targets {
		states = append(states, w.seen(t, r))
	}
	states = append(states, s.unsupported...)
	return append(states, w.restorer.leftOver(s.unwanted(kept))...), nil
}

func (w *Writer) seen(t *target, r reading) api.KnobState {
	p, m, unmet := newProbe(t, r, w.machine), w.memories[t.knob], r.unmet(t)
	switch {
	case p.unreadable != "":
		return unreadableState(t, r, p)
	case m.hasDrifted(unmet):
		return state(t, r, knob.Drifted, nil, m.driftMessage())
	case m.failure == "" && len(unmet) > 0:
		return wantedState(t, r, nil, "some CPUs have come online since it was set: send apply")
	}
	return wantedState(t, r, nil, m.failure)
}
