package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
)

// RandomCase is a case with its answer, as the Java tests read it.
type RandomCase struct {
	Case
	Expect Answer `json:"expect"`
}

func generate(arguments []string, out *bufio.Writer) error {
	var s selection
	if err := s.flags("generate").Parse(arguments); err != nil {
		return err
	}
	next := s.first
	return s.each(func(c Case) error {
		next++
		answered := withAnswer(c)
		if err := writeLine(out, answered); err != nil {
			return err
		}
		if left := s.first + s.count - next; answered.Expect.Panic == endless && left > 0 {
			return selection{seed: s.seed, count: left, first: next, classes: s.classes}.restart()
		}
		return nil
	})
}

// restart goes on in the place of this process, which ends what no case would end.
func (s selection) restart() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(program, []string{
		program, "generate", fmt.Sprintf("--seed=%d", s.seed), fmt.Sprintf("--count=%d", s.count),
		fmt.Sprintf("--first=%d", s.first), "--class=" + s.classes,
	}, os.Environ())
}

func withAnswer(c Case) RandomCase {
	expect := answer(c)
	expect.ID = ""
	return RandomCase{Case: c, Expect: expect}
}

// undefined looks for cases that the kubelet itself does not decide, because it iterates over maps.
func undefined(arguments []string, out *bufio.Writer) error {
	var s selection
	flags := s.flags("undefined")
	runs := flags.Int("runs", 5, "how often each case is run")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	differing := 0
	err := s.each(func(c Case) error {
		var answers []string
		for range *runs {
			text, err := encode(answer(c))
			if err != nil {
				return err
			}
			if !slices.Contains(answers, string(text)) {
				answers = append(answers, string(text))
			}
		}
		if len(answers) < 2 {
			return nil
		}
		differing++
		var raw []json.RawMessage
		for _, text := range answers {
			raw = append(raw, json.RawMessage(text))
		}
		return writeLine(out, struct {
			Case
			Answers []json.RawMessage `json:"answers"`
		}{c, raw})
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "{\"cases\":%d,\"differing\":%d}\n", s.count, differing)
	}
	return err
}

// each calls use for every case of the selection.
func (s *selection) each(use func(Case) error) error {
	var wanted []func(Case) bool
	for _, name := range strings.FieldsFunc(s.classes, func(r rune) bool { return r == ',' }) {
		class, ok := classes[name]
		if !ok {
			return fmt.Errorf("unknown class %q; one of %s", name, strings.Join(classNames(), ", "))
		}
		wanted = append(wanted, class)
	}
	for index := s.first; index < s.first+s.count; index++ {
		c, err := randomCase(s.seed, index, wanted)
		if err != nil {
			return err
		}
		if err := use(c); err != nil {
			return err
		}
	}
	return nil
}

// classes of cases, for --class.
var classes = map[string]func(Case) bool{
	"single-numa-node": topologyPolicy("single-numa-node"),
	"restricted":       topologyPolicy("restricted"),
	"best-effort":      topologyPolicy("best-effort"),
	"topology-none":    topologyPolicy("none"),
	"pod-scope":        func(c Case) bool { return c.Topology.Kubelet.TopologyManagerScope == "pod" },
	"container-scope":  func(c Case) bool { return c.Topology.Kubelet.TopologyManagerScope != "pod" },
	"memory-static":    func(c Case) bool { return c.Topology.Kubelet.MemoryManagerPolicy == "Static" },
	"memory-none":      func(c Case) bool { return c.Topology.Kubelet.MemoryManagerPolicy != "Static" },
	"no-options":       func(c Case) bool { return len(c.Topology.Kubelet.CPUManagerPolicyOptions) == 0 },
	"full-pcpus-only":  cpuOption("full-pcpus-only"),
	"uncore":           cpuOption("prefer-align-cpus-by-uncorecache"),
	"distribute-numa":  cpuOption("distribute-cpus-across-numa"),
	"distribute-cores": cpuOption("distribute-cpus-across-cores"),
	"align-by-socket":  cpuOption("align-by-socket"),
	"strict":           cpuOption("strict-cpu-reservation"),
	"closest":          func(c Case) bool { return c.Topology.Kubelet.TopologyManagerPolicyOptions[preferClosest] != "" },
	"offline-sibling":  func(c Case) bool { return c.Class == "offline-sibling" },
	"online":           func(c Case) bool { return c.Class != "offline-sibling" },
}

func topologyPolicy(name string) func(Case) bool {
	return func(c Case) bool { return c.Topology.Kubelet.TopologyManagerPolicy == name }
}

func cpuOption(name string) func(Case) bool {
	return func(c Case) bool { _, ok := c.Topology.Kubelet.CPUManagerPolicyOptions[name]; return ok }
}

func classNames() []string {
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// dice makes the random choices of one case.
type dice struct{ *rand.Rand }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

// between includes both ends.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func oneOf[T any](d dice, values ...T) T { return values[d.IntN(len(values))] }

// weighted chooses a value with the probability of its weight: weighted(d, 1, 70, 2, 30).
func weighted(d dice, valuesAndWeights ...int) int {
	total := 0
	for i := 1; i < len(valuesAndWeights); i += 2 {
		total += valuesAndWeights[i]
	}
	left := d.IntN(total)
	for i := 0; ; i += 2 {
		if left -= valuesAndWeights[i+1]; left < 0 {
			return valuesAndWeights[i]
		}
	}
}

// randomCase is the case of this number. It depends on nothing else, so that a part of a run can be repeated.
func randomCase(seed uint64, index int, wanted []func(Case) bool) (Case, error) {
	const attempts = 100_000
	for attempt := range attempts {
		d := dice{rand.New(rand.NewPCG(seed, uint64(index)<<20|uint64(attempt)))}
		machine := d.machine()
		c := Case{
			ID:       fmt.Sprintf("%d-%d", seed, index),
			Topology: Topology{NUMANodes: machine.nodes, Kubelet: d.kubelet(machine)},
		}
		if machine.offlineSibling {
			c.Class = "offline-sibling"
		}
		if !slices.ContainsFunc(wanted, func(class func(Case) bool) bool { return !class(c) }) {
			c.Pods = d.pods(machine, c.Topology.Kubelet)
			return c, nil
		}
	}
	return Case{}, fmt.Errorf("no case of these classes among %d", attempts)
}
