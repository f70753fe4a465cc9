package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// summary is one line for an answer: per pod its NUMA nodes and the CPUs of its containers, or the reason.
func summary(a Answer) string {
	if a.Results == nil {
		return "start: " + a.StartError + a.Panic + a.Error
	}
	var parts []string
	for _, r := range a.Results {
		text := r.Pod + " " + r.Reason
		if r.Removed {
			text = r.Pod + " left"
		} else if r.Admitted {
			text = fmt.Sprintf("%s %v", r.Pod, r.NUMANodes)
			for _, name := range slices.Sorted(maps.Keys(r.Containers)) {
				text += " " + name + "=" + r.Containers[name]
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// The facts on which advice to users is built. A new version of Kubernetes that changes one of them needs more than
// new recorded cases.
func TestWhatTheKubeletDoes(t *testing.T) {
	facts := map[string]string{
		"A-stranded-over-numa-nodes": "p0 [0] main=1-3,17-19; p1 [0] main=4-6,20-22; p2 [1] main=8-10,24-26; " +
			"p3 [1] main=11-13,27-29; p4 TopologyAffinityError",
		"B-core-reserved-per-numa-node": "p0 [0] main=1-3,17-19; p1 [0] main=4-6,20-22; p2 [1] main=9-11,25-27; " +
			"p3 [1] main=12-14,28-30; p4 TopologyAffinityError",
		"C-pod-of-a-numa-node":    "p0 [1] main=8-15,24-31; p1 TopologyAffinityError",
		"D-odd-number-of-threads": "p0 SMTAlignmentError",
		"E-lone-threads-reserved": "p0 [0] main=2-7,16-23",
		"F-memory-full": "p0 [0] main=1,17; p1 [0] main=2,18; p2 [0] main=3,19; p3 [0] main=4,20; p4 [0] main=5,21; " +
			"p5 [0] main=6,22; p6 [1] main=8,24; p7 [1] main=9,25; p8 [1] main=10,26; p9 [1] main=11,27; " +
			"p10 [1] main=12,28; p11 [1] main=13,29; p12 UnexpectedAdmissionError",
		"G-order-8-14-8":                   "a [0] main=1-4,17-20; b [1] main=8-14,24-30; c TopologyAffinityError",
		"G-order-14-8-8":                   "a [0] main=1-7,17-23; b [1] main=8-11,24-27; c [1] main=12-15,28-31",
		"H-offline-sibling":                "p0 [0] main=0-1,8; p1 [0] main=1-2,9; p2 [0] main=2-3,10",
		"I-topology-manager-none":          "p0 [0] main=1-5,17-21; p1 [0 1] main=6-10,22-26; p2 [1] main=11-15,27-31",
		"J-init-container-scope-container": "a [0] init=1 main=1-13,33-45; b TopologyAffinityError",
		"J-init-container-scope-pod":       "a [0] init=1 main=1-13,33-45; b [1] init=16 main=16-28,48-60",
		"J-fractional-init-container":      "a [0] main=1-13,33-45; b [1] main=16-28,48-60",
		"K-sidecar-scope-container": "a [0] main=2-13,34-45 side=1,33; " +
			"b [0 1] main=16-27,48-59 side=14,46",
		"K-sidecar-scope-pod":  "a [0] main=2-13,34-45 side=1,33; b [1] main=17-28,49-60 side=16,48",
		"L-fractional-sidecar": "a [0] main=1-3,17-19",
		"M-burstable":          "a []",
		"N-four-caches-of-eight-cores": "p0 [0] main=1-6; p1 [0] main=8-13; p2 [0] main=16-21; p3 [0] main=24-29; " +
			"p4 [0] main=7,14-15,22-23,30; p5 TopologyAffinityError",
		"R-larger-than-any-numa-node-with-cores": "a TopologyAffinityError; b [0] main=1-2,17-18",
		"S-strict-reservation-nothing-left":      "a [0] main=1-7,17-23; b [1] main=8-15,24-31",
	}
	cases := map[string]Case{}
	for _, c := range tableCases() {
		cases[c.ID] = c
	}
	for id, want := range facts {
		t.Run(id, func(t *testing.T) {
			if got := summary(answer(cases[id])); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestExecutorsThatDoNotDivideTheirHardware(t *testing.T) {
	facts := []struct {
		id       string
		admitted int
		pod      int
		cpus     string
	}{
		{"O-six-core-executors-on-eight-core-caches", 9, 6, "30-31,38-39,46-47,222-223,230-231,238-239"},
		{"P-smt8-whole-core-reserved", 7, 3, "12-14,36-38,60-62,84-86,108-110,132-134,156-158,180-182"},
		{"P-smt8-two-threads-reserved", 7, 0, "1-3,25-27,49-51,73-75,97-99,121-123,145-147,169-171"},
		{"Q-two-sockets-of-56-cores", 18, 9, "56-61,168-173"},
	}
	cases := map[string]Case{}
	for _, c := range tableCases() {
		cases[c.ID] = c
	}
	for _, fact := range facts {
		t.Run(fact.id, func(t *testing.T) {
			a := answer(cases[fact.id])
			admitted := 0
			for _, r := range a.Results {
				if r.Admitted {
					admitted++
				}
			}
			if admitted != fact.admitted {
				t.Errorf("admitted %d, want %d", admitted, fact.admitted)
			}
			if got := a.Results[fact.pod].Containers["main"]; got != fact.cpus {
				t.Errorf("pod %d has %s, want %s", fact.pod, got, fact.cpus)
			}
		})
	}
}

func TestMessagesOfTheTwoWaysToBeFull(t *testing.T) {
	for _, c := range tableCases() {
		want := map[string]string{
			"A-stranded-over-numa-nodes": "Pod was rejected: Resources cannot be allocated with Topology locality",
			"F-memory-full": "Pod was rejected: Allocate failed due to [memorymanager] failed to find NUMA nodes to extend " +
				"the current topology hint, which is unexpected",
		}[c.ID]
		if results := answer(c).Results; want != "" && results[len(results)-1].Message != want {
			t.Errorf("%s: %q, want %q", c.ID, results[len(results)-1].Message, want)
		}
	}
}

// Case S goes on: the kubelet that gave away every CPU that is not reserved does not start again.
func TestStrictReservationWithNothingLeftPreventsRestart(t *testing.T) {
	restart := func(id string) error {
		index := slices.IndexFunc(tableCases(), func(c Case) bool { return c.ID == id })
		c := tableCases()[index]
		folder := t.TempDir()
		n, err := startNode(c.Topology, folder)
		if err != nil {
			t.Fatal(err)
		}
		pods, err := readPods(c.Pods)
		if err != nil {
			t.Fatal(err)
		}
		for _, pod := range pods {
			n.admit(pod)
		}
		_, err = startNode(c.Topology, folder)
		return err
	}
	if err := restart("S-strict-reservation-nothing-left"); err == nil ||
		!strings.Contains(err.Error(), "default cpuset cannot be empty") {
		t.Errorf("restart: %v", err)
	}
	if err := restart("G-order-14-8-8"); err != nil {
		t.Errorf("restart without strict reservation: %v", err)
	}
	if err := restart("H-offline-sibling"); err == nil || !strings.Contains(err.Error(), "not all reserved cpus") {
		t.Errorf("restart with an offline sibling: %v", err)
	}
}

func TestNamedCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range namedCases() {
		a := answer(c)
		switch {
		case seen[c.ID]:
			t.Errorf("%s is there twice", c.ID)
		case a.Error != "":
			t.Errorf("%s: %s", c.ID, a.Error)
		case (strings.Contains(c.ID, "panic") || strings.Contains(c.ID, "without-end")) != (a.Panic != ""):
			t.Errorf("%s: panic %q", c.ID, a.Panic)
		case a.StartError != "" && !strings.HasPrefix(c.ID, "start-"):
			t.Errorf("%s: %s", c.ID, a.StartError)
		}
		seen[c.ID] = true
	}
}

func TestBadCasesAreErrors(t *testing.T) {
	one := func(kubelet, pods string) string {
		return `{"id":"x","topology":{"numaNodes":[{"id":0,"socket":0,"memory":1,"cores":["0"]}],"kubelet":` + kubelet +
			`},"pods":` + pods + `}`
	}
	for line, want := range map[string]string{
		`{`:                                      "the line is not a case",
		`[]`:                                     "the line is not a case",
		one(`{"cpuManagerPolice":"none"}`, `[]`): "unknown field",
		one(`{"reservedCpus":"0","reservedCpuCount":1}`, `[]`): "not both",
		one(`{}`, `[{}]`):                        "metadata.name is missing",
		one(`{}`, `[{"metadata":{"name":"a"}}]`): "has no container",
		one(`{}`, `[{"metadata":{"name":"a","annotations":{"numaspark.io/removed":"true"}}}]`): "has not come",
		one(`{}`, strings.Repeat(`[{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}},`, 1)+
			`{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}}]`): "twice",
		one(`{}`, `[{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"x"}}}]}}]`): "pods[0]",
	} {
		c, err := parseCase([]byte(line))
		if err == nil {
			if a := answer(c); a.Error != "" {
				err = fmt.Errorf("%s", a.Error)
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func TestAnswerIsWhatTheProtocolSays(t *testing.T) {
	c := named("x", numaNodes(1, 1, 2, 1, gibibyte), Kubelet{CPUManagerPolicy: "static", ReservedCPUs: "0"},
		pod("a", limits("1", "1Mi")), pod("b", limits("1", "1Mi")), left("a"))
	text, err := json.Marshal(answer(c))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"x","results":[{"pod":"a","admitted":true,"numaNodes":[0],"containers":{"main":"1"}},` +
		`{"pod":"b","admitted":false,"reason":"UnexpectedAdmissionError","message":"Pod was rejected: Allocate failed due to ` +
		`not enough cpus available to satisfy request: requested=1, available=0, which is unexpected"},` +
		`{"pod":"a","removed":true}],"free":[{"numaNode":0,"cpus":"1","memoryBytes":1073741824}]}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
