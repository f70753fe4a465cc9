package writer

import (
	"log/slog"

	"numaspark.io/agent/internal/knob"
)

// applier writes wanted bits: it claims their originals first, tries each knob on one canary, then writes the other cells.
// The caller leaves out what must not be written.
type applier struct {
	log     *slog.Logger
	machine machine
	ledger  *ledger
	guest   bool // which makes an ignored write likelier than broken hardware
}

func (a *applier) apply(needs []need, before reading, t *trouble) {
	if err := a.claim(needs, before); err != nil {
		message := "originals cannot be kept in " + a.ledger.store.file() + ", without which nothing may be changed (" +
			err.Error() + "): see that its directory is writable and has space, and that /sys is the node's"
		for _, n := range needs {
			t.add(n.knob, n.cells[0], message)
		}
		return
	}
	var proven, refused []need
	for _, n := range needs {
		if a.canary(n.target, n.cells[0], t) {
			proven = append(proven, n)
		} else {
			refused = append(refused, n)
		}
	}
	a.writeAll(proven, t)
	if len(refused) > 0 {
		a.giveUp(refused)
	}
}

func (a *applier) claim(needs []need, before reading) error {
	claims := map[cell]saved{}
	for _, n := range needs {
		mask := n.bits.Mask
		for _, c := range n.cells {
			bits, err := a.originalBits(c, mask, before.contents[c])
			if err != nil {
				return err
			}
			claims[c] = saved{claims[c].mask | mask, claims[c].bits | bits}
		}
	}
	return a.ledger.claim(claims)
}

// originalBits returns the original of bits. A CPU that comes online late shares its core's register with a sibling, and so
// may show what the writer has written there: then the sibling's original is its own.
func (a *applier) originalBits(c cell, mask, content uint64) (uint64, error) {
	bits := content & mask
	if !c.location.IsMSR() {
		return bits, nil
	}
	siblings, err := a.machine.siblings(c.cpu)
	if err != nil {
		return 0, err
	}
	kept, err := a.ledger.open()
	if err != nil {
		return 0, err
	}
	for _, sibling := range siblings.List() {
		original := kept.cells[cell{c.location, sibling}]
		bits = bits&^original.mask | original.bits&mask
	}
	return bits, nil
}

// canary sets one knob on one cell, and restores it if that does not prove to work.
func (a *applier) canary(t *target, c cell, troubles *trouble) bool {
	before, err := a.machine.read(c)
	if err != nil {
		troubles.add(t.knob, c, explain(c, err))
		return false
	}
	unmet, err := a.set(c, []*target{t})
	if err == nil && len(unmet) == 0 {
		return true
	}
	problem := a.ignored(c)
	if err != nil {
		problem = explain(c, err)
	}
	if back, err := restoreBits(a.machine, c, t.bits.Mask, before); err != nil || !back {
		problem += "; and it could not be restored, so that its original is kept"
		if err != nil {
			problem += ": " + err.Error()
		}
	}
	troubles.add(t.knob, c, problem)
	return false
}

func (a *applier) writeAll(needs []need, troubles *trouble) {
	byCell := map[cell][]*target{}
	for _, n := range needs {
		for _, c := range n.cells {
			byCell[c] = append(byCell[c], n.target)
		}
	}
	for _, c := range sorted(byCell) {
		unmet, err := a.set(c, byCell[c])
		if err != nil {
			for _, t := range byCell[c] {
				troubles.add(t.knob, c, explain(c, err))
			}
		}
		for _, t := range unmet {
			troubles.add(t.knob, c, a.ignored(c))
		}
	}
}

// set sets knobs of one cell in one write, reads it back, and returns the targets that are not met.
func (a *applier) set(c cell, targets []*target) ([]*target, error) {
	now, err := a.machine.read(c)
	if err != nil {
		return nil, err
	}
	then := now
	for _, t := range targets {
		then = t.bits.Encode(then, t.wanted)
	}
	if then == now {
		return nil, nil
	}
	if err := a.machine.write(c, then); err != nil {
		return nil, err
	}
	back, err := a.machine.read(c)
	if err != nil {
		return nil, err
	}
	var unmet []*target
	for _, t := range targets {
		if !t.isMetBy(back) {
			unmet = append(unmet, t)
		}
	}
	return unmet, nil
}

// giveUp forgets the claims of knobs that failed, where nothing was changed.
func (a *applier) giveUp(refused []need) {
	masks := map[cell]uint64{}
	for _, n := range refused {
		for _, c := range n.cells {
			masks[c] |= n.bits.Mask
		}
	}
	kept, err := a.ledger.open()
	for _, c := range sorted(masks) {
		if err != nil {
			break
		}
		var content uint64
		if content, err = a.machine.read(c); err == nil && (content^kept.cells[c].bits)&masks[c] != 0 {
			delete(masks, c)
		}
	}
	if err == nil {
		err = a.ledger.release(masks)
	}
	if err != nil {
		// A claim too many does no harm: restoring finds nothing to write.
		a.log.Info("claims are kept: " + err.Error())
	}
}

func (a *applier) ignored(c cell) string {
	message := c.String() + " was written but does not have the wanted value when read back: "
	if a.guest && c.location != knob.PowerDSCR {
		return message + "the hypervisor ignores the write; set the knob on its host, or leave it out of the profile of guests"
	}
	return message + "something else writes it too, or the firmware locks it; find out which, or leave the knob out of the" +
		" profile of such nodes"
}
