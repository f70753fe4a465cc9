package writer

import (
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

// survey is what is wanted, laid out on the CPUs that run now.
type survey struct {
	targets     []*target       // wanted knobs that this processor has
	unsupported []api.KnobState // states of those that it does not have
	online      cpuset.CPUSet
	cores       *cpuset.CPUSet // whose cores are wanted, whole cores as far as they are online; nil for all
}

func newSurvey(m machine, p knob.Processor, wanted knob.Settings, cores *cpuset.CPUSet) (*survey, error) {
	online, err := m.online()
	if err != nil {
		return nil, err
	}
	s := &survey{online: online}
	if cores != nil {
		// Siblings share their core's registers, so that none can be set without the others.
		whole := *cores
		for _, cpu := range cores.Intersection(online).List() {
			siblings, err := m.siblings(cpu)
			if err != nil {
				return nil, err
			}
			whole = whole.Union(siblings)
		}
		s.cores = &whole
	}
	for _, k := range wanted.Knobs() {
		bits, err := knob.Mechanism(k, p)
		if err != nil {
			s.unsupported = append(s.unsupported, unsupported(k, wanted[k], err.Error()))
			continue
		}
		s.targets = append(s.targets, &target{k, wanted[k], bits, s.cells(bits.Location)})
	}
	return s, nil
}

func (s *survey) cells(location knob.Location) []cell {
	if !location.IsPerCPU() {
		return []cell{{location, ofNode}}
	}
	scope := s.online
	if s.cores != nil {
		scope = s.cores.Intersection(s.online)
	}
	var all []cell
	for _, cpu := range scope.List() {
		all = append(all, cell{location, cpu})
	}
	return all
}

// unwanted returns the bits that were changed and are no longer wanted. A CPU that is offline keeps its claim as long as
// its core is wanted.
func (s *survey) unwanted(o originals) map[cell]uint64 {
	unwanted := map[cell]uint64{}
	for c, saved := range o.cells {
		rest := saved.mask
		if c.cpu == ofNode || s.cores == nil || s.cores.Contains(c.cpu) {
			for _, t := range s.targets {
				if t.bits.Location == c.location {
					rest &^= t.bits.Mask
				}
			}
		}
		if rest != 0 {
			unwanted[c] = rest
		}
	}
	return unwanted
}

// reading has the contents of cells, read once each.
type reading struct {
	contents map[cell]uint64
	errors   map[cell]error
}

func read(m machine, targets ...*target) reading {
	all := cells{}
	for _, t := range targets {
		all.add(t.cells...)
	}
	r := reading{map[cell]uint64{}, map[cell]error{}}
	for _, c := range sorted(all) {
		if content, err := m.read(c); err != nil {
			r.errors[c] = err
		} else {
			r.contents[c] = content
		}
	}
	return r
}

// unmet returns the target's cells that can be read, and have another value than the wanted one.
func (r reading) unmet(t *target) []cell {
	var unmet []cell
	for _, c := range t.cells {
		if content, ok := r.contents[c]; ok && !t.isMetBy(content) {
			unmet = append(unmet, c)
		}
	}
	return unmet
}

// unreadable returns the target's cells that cannot be read.
func (r reading) unreadable(t *target) []cell {
	var unreadable []cell
	for _, c := range t.cells {
		if r.errors[c] != nil {
			unreadable = append(unreadable, c)
		}
	}
	return unreadable
}

// probe says whether a knob of the table can be set on this machine, as it is now.
type probe struct {
	unreadable string // why it cannot be read everywhere, and what to do; nothing is written then
	nowhere    bool   // whether it can be read nowhere, so that the machine does not have it at all
	verifyOnly string // why it can be read and not written, and what to do
}

func newProbe(t *target, r reading, m machine) probe {
	if cells := r.unreadable(t); len(cells) > 0 {
		return probe{unreadable: explain(cells[0], r.errors[cells[0]]), nowhere: len(cells) == len(t.cells)}
	}
	if t.bits.Location.IsMSR() {
		return probe{verifyOnly: m.msrWriteBlock()}
	}
	return probe{}
}
