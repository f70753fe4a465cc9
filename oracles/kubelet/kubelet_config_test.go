package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cputopology "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// The topologies and the settings that numaspark kubelet-config prints for them, held by a test of the command.
const recommended = "../../operator/cli/src/test/resources/kubelet-config"

var (
	forNodes         = regexp.MustCompile(`(?m)^# For nodes?:(.*)$`)
	betweenDocuments = regexp.MustCompile(`(?m)^---\n`)
)

// A kubelet starts with the recommended settings on each of the nodes that they are for.
func TestTheKubeletStartsWithRecommendedSettings(t *testing.T) {
	nodes := topologies(t)
	for _, platform := range []string{"kubelet-drop-in", "kubeadm"} {
		text, err := os.ReadFile(filepath.Join(recommended, "expected", platform+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var started []string
		for _, document := range betweenDocuments.Split(string(text), -1) {
			for _, name := range strings.Fields(forNodes.FindStringSubmatch(document)[1]) {
				t.Run(platform+"/"+name, func(t *testing.T) {
					if err := startWith(t, []byte(document), nodes[name]); err != nil {
						t.Fatal(err)
					}
				})
				started = append(started, name)
			}
		}
		if len(started) != len(nodes) {
			t.Errorf("%s: settings for %v, but there are %d nodes", platform, started, len(nodes))
		}
	}
}

// A kubelet would not start with what is almost right: the check above can fail.
func TestTheKubeletRefusesWhatIsAlmostRight(t *testing.T) {
	node := topologies(t)["dual-1"]
	text, err := os.ReadFile(filepath.Join(recommended, "expected", "kubelet-drop-in.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	right := betweenDocuments.Split(string(text), -1)[0]
	for from, to := range map[string]string{
		"memory: 1586Mi":              "memory: 1585Mi",
		"memory: 2Gi":                 "memory: 3Gi",
		"memory.available: 100Mi":     "memory.available: 200Mi",
		"numaNode: 1":                 "numaNode: 2",
		`reservedSystemCPUs: "0,16"`:  `reservedSystemCPUs: "0,32"`,
		"full-pcpus-only":             "full-cpus-only",
		"topologyManagerScope: pod":   "topologyManagerScope: node",
		"topologyManagerScope":        "topologyManagersScope",
		"memoryManagerPolicy: Static": "memoryManagerPolicy: static",
	} {
		wrong := strings.ReplaceAll(right, from, to)
		if wrong == right {
			t.Errorf("there is no %q in the settings", from)
		} else if err := startWith(t, []byte(wrong), node); err == nil {
			t.Errorf("the kubelet starts with %q", to)
		} else {
			t.Logf("%s: %v", to, err)
		}
	}
}

func topologies(t *testing.T) map[string][]NUMANode {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recommended, "topologies.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string][]NUMANode{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var topology struct {
			Metadata struct{ Name string }
			Spec     struct{ NUMANodes json.RawMessage }
		}
		if err := decoder.Decode(&topology); errors.Is(err, io.EOF) {
			return nodes
		} else if err != nil {
			t.Fatal(err)
		}
		var numaNodes []NUMANode
		if err := json.Unmarshal(topology.Spec.NUMANodes, &numaNodes); err != nil {
			t.Fatal(err)
		}
		nodes[topology.Metadata.Name] = numaNodes
	}
}

// startWith reads the file strictly, as a kubelet does with --config, and starts the resource managers with it.
func startWith(t *testing.T, document []byte, numaNodes []NUMANode) error {
	t.Helper()
	machine, err := machineInfo(numaNodes)
	if err != nil {
		t.Fatal(err)
	}
	if err := setFeatureGates(nil); err != nil {
		t.Fatal(err)
	}
	_, codecs, err := scheme.NewSchemeAndCodecs(serializer.EnableStrict)
	if err != nil {
		t.Fatal(err)
	}
	object, _, err := codecs.UniversalDecoder().Decode(document, nil, nil)
	if err != nil {
		return err
	}
	s := &settings{config: object.(*config.KubeletConfiguration), capacity: cadvisor.CapacityFromMachineInfo(machine)}
	s.config.FailCgroupV1 = false // the validation would look at the machine on which the test runs
	if err := validation.ValidateKubeletConfiguration(s.config, utilfeature.DefaultFeatureGate); err != nil {
		return err
	}
	if err := s.reserveCPUs(machine); err != nil {
		return err
	}
	if s.reservation, err = nodeAllocatableReservation(s); err != nil {
		return err
	}
	n := &node{machine: machine, settings: s}
	logger, c, stateDir := klog.Background(), s.config, t.TempDir()
	n.topology, err = topologymanager.NewManager(machine.Topology, c.TopologyManagerPolicy, c.TopologyManagerScope,
		c.TopologyManagerPolicyOptions)
	if err != nil {
		return err
	}
	n.cpu, err = cpumanager.NewManager(logger, c.CPUManagerPolicy, c.CPUManagerPolicyOptions,
		c.CPUManagerReconcilePeriod.Duration, machine, s.reservedCPUs, s.reservation, stateDir, n.topology)
	if err != nil {
		return err
	}
	n.memory, err = memorymanager.NewManager(logger, c.MemoryManagerPolicy, machine, s.reservation, c.ReservedMemory,
		stateDir, n.topology)
	if err != nil {
		return err
	}
	n.handlers = []lifecycle.PodAdmitHandler{n.topology}
	if n.cpus, err = cputopology.Discover(logger, machine); err != nil {
		return err
	}
	return n.start()
}

// nodeAllocatableReservation is the container manager's GetNodeAllocatableReservation: what kubeReserved,
// systemReserved and the hard threshold of eviction take together.
func nodeAllocatableReservation(s *settings) (v1.ResourceList, error) {
	amounts := map[string][]string{}
	for _, reserved := range []map[string]string{s.config.KubeReserved, s.config.SystemReserved} {
		for name, amount := range reserved {
			amounts[name] = append(amounts[name], amount)
		}
	}
	// A recommended reservedSystemCPUs takes the place of both amounts of CPUs (cmd/kubelet/app/server.go).
	if last := amounts["cpu"]; s.reservedCPUs.Size() > 0 {
		amounts["cpu"] = slices.Clone(last[len(last)-1:])
	}
	amounts["memory"] = append(amounts["memory"], s.config.EvictionHard["memory.available"])
	reservation := v1.ResourceList{}
	for name, parts := range amounts {
		sum := resource.NewQuantity(0, resource.BinarySI)
		for _, part := range parts {
			quantity, err := resource.ParseQuantity(part)
			if err != nil {
				return nil, err
			}
			sum.Add(quantity)
		}
		reservation[v1.ResourceName(name)] = *sum
	}
	return reservation, nil
}
