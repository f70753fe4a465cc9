// Package pinfile has the files by which reader and pinner of a node's agent talk: the layout says who gets which CPUs, the pins
// say what has become of it.
package pinfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/strictjson"
	"numaspark.io/agent/internal/text"
)

const (
	// MaxLayout is the length of the longest layout, in bytes.
	MaxLayout = 256 << 10

	// MaxSlots is the most slots of a node.
	MaxSlots = 512
	// MaxCPUs is the most CPUs of a node, and above the largest id: runc refuses larger ids (containers/nri-plugins issue 604).
	MaxCPUs   = 1024
	maxFormer = 16
	maxNodes  = 64
	maxName   = 253
)

// Marks of containers beside the ids of slots.
const (
	SharedMark  = "shared"  // it has the shared CPUs
	ForeignMark = "foreign" // another plugin has set its CPUs
)

// Mode says what is done with containers that are created.
type Mode string

// The modes.
const (
	// Release gives all containers all CPUs again: before the pinner is removed.
	Release Mode = "Release"
	// Observe does as Release, and names the executors that would be pinned.
	Observe Mode = "Observe"
	Pin     Mode = "Pin"
	// Ignore changes nothing at all, not even to give CPUs back: the kubelet sets cpusets itself, and all of them are its own.
	Ignore Mode = "Ignore"
)

// Memory says what a slot means for memory.
type Memory string

// The memory policies.
const (
	Bind  Memory = "Bind"  // from the slot's NUMA node alone
	Local Memory = "Local" // from its NUMA node first, because it is touched there first
)

// Slot is what one executor runs on.
type Slot struct {
	ID       string
	Profile  string
	NumaNode int
	CPUs     cpuset.CPUSet
	Mems     cpuset.CPUSet
}

// Layout divides a node's CPUs into slots and those that all other containers share.
type Layout struct {
	// Generation changes with the layout.
	Generation string
	Mode       Mode
	Memory     Memory
	Online     cpuset.CPUSet
	// Mems are the node's NUMA nodes with memory.
	Mems   cpuset.CPUSet
	Shared cpuset.CPUSet
	// FormerShared are shared sets of earlier layouts, which containers may still have.
	FormerShared []cpuset.CPUSet
	// Cores are the CPUs of each core, for executors that get a part of a slot. A CPU that is in none counts as a core.
	Cores []cpuset.CPUSet
	Slots []Slot
}

// ParseLayout reads a layout and checks that it contradicts neither itself nor the bounds. An error names the field.
func ParseLayout(source []byte) (Layout, error) {
	if len(source) > MaxLayout {
		return Layout{}, fmt.Errorf("the layout has more than %d bytes", MaxLayout)
	}
	d, err := strictjson.NewDecoder(source)
	if err != nil {
		return Layout{}, err
	}
	var l Layout
	err = d.Object("the layout", func(name string) (err error) {
		switch name {
		case "generation":
			l.Generation, err = readName(d, name)
		case "mode":
			l.Mode, err = readWord(d, name, Release, Observe, Pin, Ignore)
		case "memory":
			l.Memory, err = readWord(d, name, Bind, Local)
		case "online":
			l.Online, err = readSet(d, name)
		case "memoryNodes":
			l.Mems, err = readSet(d, name)
		case "shared":
			l.Shared, err = readSet(d, name)
		case "formerShared":
			l.FormerShared, err = readSets(d, name, maxFormer)
		case "cores":
			l.Cores, err = readSets(d, name, MaxCPUs)
		case "slots":
			l.Slots, err = readSlots(d)
		default:
			err = fmt.Errorf("'%s' is not a field of a layout: write generation, mode, memory, online, memoryNodes, shared, formerShared,"+
				" cores, slots", text.Quote(name))
		}
		return err
	})
	if err == nil {
		err = d.End()
	}
	if err != nil {
		return Layout{}, err
	}
	return l, l.check()
}

func readSets(d *strictjson.Decoder, field string, most int) (sets []cpuset.CPUSet, err error) {
	err = d.Array(field, func() error {
		if len(sets) == most {
			return fmt.Errorf("%s: has more than %d sets", field, most)
		}
		set, err := readSet(d, field)
		sets = append(sets, set)
		return err
	})
	return sets, err
}

func readSlots(d *strictjson.Decoder) ([]Slot, error) {
	var slots []Slot
	err := d.Array("slots", func() error {
		if len(slots) == MaxSlots {
			return fmt.Errorf("slots: has more than %d", MaxSlots)
		}
		field := "slots[" + strconv.Itoa(len(slots)) + "]"
		var s Slot
		err := d.Object(field, func(name string) (err error) {
			at := field + "." + name
			switch name {
			case "id":
				s.ID, err = readName(d, at)
			case "profile":
				s.Profile, err = readName(d, at)
			case "numaNode":
				s.NumaNode, err = readNode(d, at)
			case "cpus":
				s.CPUs, err = readSet(d, at)
			case "memoryNodes":
				s.Mems, err = readSet(d, at)
			default:
				err = fmt.Errorf("%s: '%s' is not a field of a slot: write id, profile, numaNode, cpus, memoryNodes", field, text.Quote(name))
			}
			return err
		})
		slots = append(slots, s)
		return err
	})
	return slots, err
}

func readName(d *strictjson.Decoder, field string) (string, error) {
	name, err := d.Text(field)
	if err == nil && (name == "" || len(name) > maxName) {
		err = fmt.Errorf("%s: has %d characters: write 1 to %d", field, len(name), maxName)
	}
	return name, err
}

func readWord[W ~string](d *strictjson.Decoder, field string, words ...W) (W, error) {
	read, err := d.Text(field)
	if err != nil {
		return "", err
	}
	for _, word := range words {
		if read == string(word) {
			return word, nil
		}
	}
	return "", fmt.Errorf("%s: is '%s': write one of %v", field, text.Quote(read), words)
}

func readNode(d *strictjson.Decoder, field string) (int, error) {
	read, err := d.Text(field)
	if err != nil {
		return 0, err
	}
	node, err := strconv.ParseUint(read, 10, 16)
	if err != nil || node > cpus.MaxID {
		return 0, fmt.Errorf("%s: '%s' is not the id of a NUMA node", field, text.Quote(read))
	}
	return int(node), nil
}

func readSet(d *strictjson.Decoder, field string) (cpuset.CPUSet, error) {
	read, err := d.Text(field)
	if err != nil {
		return cpuset.New(), err
	}
	set, err := cpus.Parse(read)
	if err != nil {
		return set, fmt.Errorf("%s: %w", field, err)
	}
	return set, nil
}

// check holds the layout to what no later step may assume otherwise.
func (l Layout) check() error {
	switch {
	case l.Generation == "" || l.Mode == "" || l.Memory == "":
		return errors.New("generation, mode or memory is missing: write all three")
	case l.Online.IsEmpty() || l.Online.Size() > MaxCPUs || largest(l.Online) >= MaxCPUs:
		return fmt.Errorf("online: has %d CPUs up to %d: write 1 to %d, with ids below", l.Online.Size(), largest(l.Online), MaxCPUs)
	case l.Shared.IsEmpty():
		return errors.New("shared: is empty: leave CPUs for all other containers")
	case !l.Shared.IsSubsetOf(l.Online):
		return fmt.Errorf("shared: %s is not online", l.Shared.Difference(l.Online))
	case l.Mems.IsEmpty():
		return errors.New("memoryNodes: is empty: write the NUMA nodes with memory")
	}
	inCores := cpuset.New()
	for i, core := range l.Cores {
		if core.IsEmpty() || cpus.Overlap(core, inCores) {
			return fmt.Errorf("cores[%d]: '%s' is empty or has a CPU of another core", i, core)
		}
		inCores = inCores.Union(core)
	}
	taken, ids, nodes := l.Shared, map[string]bool{}, map[int]bool{}
	for i, s := range l.Slots {
		field := "slots[" + strconv.Itoa(i) + "]"
		nodes[s.NumaNode] = true
		switch {
		case s.ID == "" || s.Profile == "":
			return errors.New(field + ": id or profile is missing: write both")
		case strings.ContainsAny(s.ID, ",@") || s.ID == SharedMark || s.ID == ForeignMark:
			return fmt.Errorf("%s.id: '%s' has a comma or an at sign, which separate ids, or is a word with a meaning", field, text.Quote(s.ID))
		case ids[s.ID]:
			return fmt.Errorf("%s.id: '%s' is given twice", field, text.Quote(s.ID))
		case s.CPUs.IsEmpty() || s.Mems.IsEmpty():
			return errors.New(field + ": cpus or memoryNodes is empty: write both")
		case !s.CPUs.IsSubsetOf(l.Online):
			return fmt.Errorf("%s.cpus: %s is not online", field, s.CPUs.Difference(l.Online))
		case !s.Mems.IsSubsetOf(l.Mems):
			return fmt.Errorf("%s.memoryNodes: %s has no memory", field, s.Mems.Difference(l.Mems))
		case cpus.Overlap(s.CPUs, taken):
			return fmt.Errorf("%s.cpus: %s belongs to another slot or is shared", field, s.CPUs.Intersection(taken))
		case len(nodes) > maxNodes:
			return fmt.Errorf("%s.numaNode: more than %d NUMA nodes", field, maxNodes)
		}
		ids[s.ID] = true
		taken = taken.Union(s.CPUs)
	}
	return nil
}

func largest(set cpuset.CPUSet) int {
	most := -1
	for _, id := range set.UnsortedList() {
		most = max(most, id)
	}
	return most
}

// Encode returns the layout as ParseLayout reads it.
func (l Layout) Encode() ([]byte, error) {
	type slot struct {
		ID       string `json:"id"`
		Profile  string `json:"profile"`
		NumaNode string `json:"numaNode"`
		CPUs     string `json:"cpus"`
		Mems     string `json:"memoryNodes"`
	}
	slots := make([]slot, len(l.Slots))
	for i, s := range l.Slots {
		slots[i] = slot{s.ID, s.Profile, strconv.Itoa(s.NumaNode), s.CPUs.String(), s.Mems.String()}
	}
	return json.Marshal(struct {
		Generation   string   `json:"generation"`
		Mode         Mode     `json:"mode"`
		Memory       Memory   `json:"memory"`
		Online       string   `json:"online"`
		Mems         string   `json:"memoryNodes"`
		Shared       string   `json:"shared"`
		FormerShared []string `json:"formerShared"`
		Cores        []string `json:"cores,omitempty"`
		Slots        []slot   `json:"slots"`
	}{l.Generation, l.Mode, l.Memory, l.Online.String(), l.Mems.String(), l.Shared.String(), texts(l.FormerShared), texts(l.Cores), slots})
}

func texts(sets []cpuset.CPUSet) []string {
	all := make([]string, len(sets))
	for i, set := range sets {
		all[i] = set.String()
	}
	return all
}
