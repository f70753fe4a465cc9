package writer

import (
	"fmt"
)

// ledger has the originals in memory and on disk, the disk first.
//
// A claim is on disk before the caller may write the register, and is given up only after the caller has read the original
// back. Whatever fails between leaves a claim too many, never one too few.
type ledger struct {
	store   store
	machine machine
	opened  *originals
}

// open reads the originals once. Those of another start of the machine are dropped, because that start has reset what they
// are originals of. With an error it is unknown what was changed, and nothing may be written.
func (l *ledger) open() (originals, error) {
	if l.opened != nil {
		return *l.opened, nil
	}
	bootID, err := l.machine.bootID()
	if err != nil {
		return originals{}, err
	}
	kept, err := l.store.load()
	if err != nil {
		return originals{}, fmt.Errorf("%s is not readable as originals (%w), so that nothing can be restored and nothing is"+
			" changed: restart the node, which resets the knobs, and remove the file", l.store.file(), err)
	}
	if kept != nil && kept.bootID != bootID {
		if err := l.store.save(originals{bootID: bootID}); err != nil {
			return originals{}, err
		}
		kept = nil
	}
	if kept == nil {
		kept = &originals{bootID: bootID}
	}
	l.opened = kept
	return *kept, nil
}

func (l *ledger) claim(claims map[cell]saved) error {
	if len(claims) == 0 {
		return nil
	}
	return l.keep(l.opened.claim(claims))
}

func (l *ledger) release(masks map[cell]uint64) error {
	if len(masks) == 0 {
		return nil
	}
	return l.keep(l.opened.release(masks))
}

func (l *ledger) setRestoring(restoring bool) error {
	if l.opened.restoring == restoring || len(l.opened.cells) == 0 {
		return nil
	}
	next := *l.opened
	next.restoring = restoring
	return l.keep(next)
}

func (l *ledger) keep(next originals) error {
	// "Restoring" ends with the last original.
	next.restoring = next.restoring && len(next.cells) > 0
	if err := l.store.save(next); err != nil {
		return err
	}
	l.opened = &next
	return nil
}
