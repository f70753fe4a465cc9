package kubelet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cpus"
)

// configuration has the fields of a KubeletConfiguration that decide how CPUs and memory are handed out.
type configuration struct {
	Kind                         string            `json:"kind"`
	CPUManagerPolicy             string            `json:"cpuManagerPolicy"`
	CPUManagerPolicyOptions      map[string]string `json:"cpuManagerPolicyOptions"`
	TopologyManagerPolicy        string            `json:"topologyManagerPolicy"`
	TopologyManagerScope         string            `json:"topologyManagerScope"`
	TopologyManagerPolicyOptions map[string]string `json:"topologyManagerPolicyOptions"`
	MemoryManagerPolicy          string            `json:"memoryManagerPolicy"`
	ReservedSystemCPUs           string            `json:"reservedSystemCPUs"`
	KubeReserved                 map[string]string `json:"kubeReserved"`
	SystemReserved               map[string]string `json:"systemReserved"`
	ReservedMemory               []struct {
		NumaNode uint16            `json:"numaNode"`
		Limits   map[string]amount `json:"limits"`
	} `json:"reservedMemory"`
	FeatureGates map[string]bool `json:"featureGates"`
}

// amount is a quantity as it is written: the kubelet writes text, but a number is one too.
type amount string

func (a *amount) UnmarshalJSON(text []byte) error {
	if unquoted, err := strconv.Unquote(string(text)); err == nil {
		text = []byte(unquoted)
	}
	*a = amount(text)
	return nil
}

// gates are the first words of the feature gates that decide about the resource managers.
var gates = []string{"CPUManager", "MemoryManager", "TopologyManager", "PodLevel", "InPlacePodLevel"}

// largestCount: no machine has more CPUs than Kubernetes reserves here, and the CRD takes no more.
const largestCount = 1024

// endless are exponents that would take for ever to read: 1e999999999.
var endless = regexp.MustCompile(`[eE][+-]?[0-9]{4}`)

// Settings are the resource managers of a kubelet with this configuration, with the kubelet's defaults for what is absent
// (pkg/kubelet/apis/config/v1beta1/defaults.go). An error names the field that has a value that no kubelet takes.
func Settings(config json.RawMessage) (*api.Kubelet, error) {
	var c configuration
	if err := json.Unmarshal(config, &c); err != nil {
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			return nil, fmt.Errorf("%s: it has a %s, which no kubelet takes", mismatch.Field, mismatch.Value)
		}
		return nil, err
	}
	if c.Kind != "KubeletConfiguration" {
		return nil, errors.New("is not a KubeletConfiguration")
	}
	settings := &api.Kubelet{
		CPUManagerPolicyOptions:      orNil(c.CPUManagerPolicyOptions),
		TopologyManagerPolicyOptions: orNil(c.TopologyManagerPolicyOptions),
		ReservedCPUs:                 strings.TrimSpace(c.ReservedSystemCPUs),
	}
	for _, policy := range []struct {
		to       *string
		field    string
		value    string
		admitted []string
	}{
		{&settings.CPUManagerPolicy, "cpuManagerPolicy", c.CPUManagerPolicy, []string{"none", "static"}},
		{&settings.TopologyManagerPolicy, "topologyManagerPolicy", c.TopologyManagerPolicy,
			[]string{"none", "best-effort", "restricted", "single-numa-node"}},
		{&settings.TopologyManagerScope, "topologyManagerScope", c.TopologyManagerScope, []string{"container", "pod"}},
		{&settings.MemoryManagerPolicy, "memoryManagerPolicy", c.MemoryManagerPolicy, []string{"None", "Static"}},
	} {
		if *policy.to = policy.value; policy.value == "" {
			*policy.to = policy.admitted[0]
		} else if !slices.Contains(policy.admitted, policy.value) {
			return nil, fmt.Errorf("%s: '%s' is not known; the kubelet of a Linux node takes %s", policy.field, policy.value,
				strings.Join(policy.admitted, ", "))
		}
	}
	// reservedSystemCPUs take the place of the counted CPUs (server.go).
	if _, err := cpus.Parse(settings.ReservedCPUs); err != nil {
		return nil, fmt.Errorf("reservedSystemCPUs: %w", err)
	}
	var err error
	if settings.ReservedCPUs == "" {
		if settings.ReservedCPUCount, err = reservedCount(c); err != nil {
			return nil, err
		}
	}
	for gate, on := range c.FeatureGates {
		if slices.ContainsFunc(gates, func(word string) bool { return strings.HasPrefix(gate, word) }) {
			if settings.FeatureGates == nil {
				settings.FeatureGates = map[string]bool{}
			}
			settings.FeatureGates[gate] = on
		}
	}
	return settings, reserveMemory(c, settings)
}

func orNil(options map[string]string) map[string]string {
	if len(options) == 0 {
		return nil
	}
	return options
}

// reservedCount is ceil(kubeReserved.cpu + systemReserved.cpu), as container_manager_linux.go: numReservedCPUs.
func reservedCount(c configuration) (*int, error) {
	sum, err := quantity("kubeReserved.cpu", c.KubeReserved["cpu"])
	if err != nil {
		return nil, err
	}
	system, err := quantity("systemReserved.cpu", c.SystemReserved["cpu"])
	if err != nil {
		return nil, err
	}
	sum.Add(system)
	count := sum.Value() // rounded up
	if count > largestCount {
		return nil, fmt.Errorf("kubeReserved.cpu + systemReserved.cpu: %d CPUs are more than any machine has", count)
	}
	if count == 0 {
		return nil, nil
	}
	whole := int(count)
	return &whole, nil
}

func quantity(field, text string) (resource.Quantity, error) {
	if text == "" {
		return resource.Quantity{}, nil
	}
	if endless.MatchString(text) {
		return resource.Quantity{}, fmt.Errorf("%s: '%.64s' is not a quantity", field, text)
	}
	parsed, err := resource.ParseQuantity(text)
	if err != nil {
		return parsed, fmt.Errorf("%s: '%.64s' is not a quantity", field, text)
	}
	if parsed.Sign() < 0 || parsed.CmpInt64(math.MaxInt64) >= 0 {
		return parsed, fmt.Errorf("%s: '%s' is not an amount that a machine could have", field, text)
	}
	return parsed, nil
}

func reserveMemory(c configuration, settings *api.Kubelet) error {
	for _, reservation := range c.ReservedMemory {
		node := strconv.Itoa(int(reservation.NumaNode))
		for kind, text := range reservation.Limits {
			pageSize, isHuge := strings.CutPrefix(kind, "hugepages-")
			if kind != "memory" && !isHuge {
				continue
			}
			bytes, err := quantity("reservedMemory", string(text))
			if err != nil {
				return err
			}
			if settings.ReservedMemory == nil && !isHuge {
				settings.ReservedMemory = map[string]int64{}
			}
			to, key := settings.ReservedMemory, node
			if isHuge {
				if settings.ReservedHugepages == nil {
					settings.ReservedHugepages = map[string]map[string]int64{}
				}
				if settings.ReservedHugepages[node] == nil {
					settings.ReservedHugepages[node] = map[string]int64{}
				}
				to, key = settings.ReservedHugepages[node], pageSize
			}
			if to[key] > math.MaxInt64-bytes.Value() {
				return fmt.Errorf("reservedMemory: the reservations of %s are more than any machine has", key)
			}
			to[key] += bytes.Value()
		}
	}
	return nil
}
