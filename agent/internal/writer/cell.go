package writer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/knob"
	"numaspark.io/agent/internal/text"
)

// ofNode is the CPU of a cell that is the node's.
const ofNode = -1

// cell is the smallest thing that can be read and written: a place on one CPU, or a file of the node.
type cell struct {
	location knob.Location
	cpu      int // ofNode if the place is the node's
}

// String returns the name in the file of originals: msr-0x1a4/12, or swappiness.
func (c cell) String() string {
	if c.cpu == ofNode {
		return c.location.String()
	}
	return c.location.String() + "/" + strconv.Itoa(c.cpu)
}

// parseCell reads what String returns, and nothing else.
func parseCell(name string) (cell, error) {
	key, number, perCPU := strings.Cut(name, "/")
	location, ok := knob.FindLocation(key)
	if !ok || location.IsPerCPU() != perCPU {
		return cell{}, fmt.Errorf("'%s' is not a place of a knob", text.Quote(name))
	}
	c := cell{location, ofNode}
	if perCPU {
		cpu, err := strconv.Atoi(number)
		if err != nil || cpu < 0 || cpu > cpus.MaxID || strconv.Itoa(cpu) != number {
			return cell{}, fmt.Errorf("'%s' does not name a CPU", text.Quote(name))
		}
		c.cpu = cpu
	}
	return c, nil
}

func compareCells(a, b cell) int {
	return cmp.Or(cmp.Compare(a.location, b.location), cmp.Compare(a.cpu, b.cpu))
}

// cells is a set.
type cells map[cell]bool

func (s cells) add(more ...cell) {
	for _, c := range more {
		s[c] = true
	}
}

// cpus returns the CPUs in Linux's list notation; it is empty if there are none or they are the node's.
func (s cells) cpus() string {
	var ids []int
	for c := range s {
		if c.cpu != ofNode {
			ids = append(ids, c.cpu)
		}
	}
	return cpuset.New(ids...).String()
}

// sorted returns the cells of a map in order.
func sorted[V any](of map[cell]V) []cell { return slices.SortedFunc(maps.Keys(of), compareCells) }

// target is a wanted knob on this machine.
type target struct {
	knob   knob.Knob
	wanted string
	bits   knob.Bits
	cells  []cell // where it is wanted; ascending
}

// isMetBy reports whether this content has the wanted value.
func (t *target) isMetBy(content uint64) bool { return t.bits.Decode(content) == t.wanted }

// need is what is to be written of a target.
type need struct {
	*target
	cells []cell // some of the target's; not empty
}
