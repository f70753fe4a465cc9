package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// removedAnnotation on a pod means: the earlier pod of this namespace and name leaves the node.
const removedAnnotation = "numaspark.io/removed"

// Case is one question: a node, and the pods in the order in which they arrive at it.
type Case struct {
	ID       string            `json:"id"`
	Class    string            `json:"class,omitempty"`
	Topology Topology          `json:"topology"`
	Pods     []json.RawMessage `json:"pods"`
}

// Topology holds the fields of a SparkNodeTopology's spec on which admission depends.
type Topology struct {
	NUMANodes []NUMANode `json:"numaNodes"`
	Kubelet   Kubelet    `json:"kubelet"`
}

// NUMANode is one NUMA node: see NumaNodeSpec of the API.
type NUMANode struct {
	ID        int               `json:"id"`
	Socket    int               `json:"socket"`
	Memory    uint64            `json:"memory"`
	Hugepages map[string]uint64 `json:"hugepages,omitempty"`
	Distances []uint64          `json:"distances,omitempty"`
	Cores     []string          `json:"cores"`
	Caches    []string          `json:"caches,omitempty"`
}

// Kubelet holds the kubelet's settings: see KubeletSpec of the API.
type Kubelet struct {
	CPUManagerPolicy             string                      `json:"cpuManagerPolicy,omitempty"`
	CPUManagerPolicyOptions      map[string]string           `json:"cpuManagerPolicyOptions,omitempty"`
	TopologyManagerPolicy        string                      `json:"topologyManagerPolicy,omitempty"`
	TopologyManagerPolicyOptions map[string]string           `json:"topologyManagerPolicyOptions,omitempty"`
	TopologyManagerScope         string                      `json:"topologyManagerScope,omitempty"`
	MemoryManagerPolicy          string                      `json:"memoryManagerPolicy,omitempty"`
	ReservedCPUs                 string                      `json:"reservedCpus,omitempty"`
	ReservedCPUCount             *int64                      `json:"reservedCpuCount,omitempty"`
	ReservedMemory               map[string]int64            `json:"reservedMemory,omitempty"`
	ReservedHugepages            map[string]map[string]int64 `json:"reservedHugepages,omitempty"`
	FeatureGates                 map[string]bool             `json:"featureGates,omitempty"`
}

// UnmarshalJSON refuses unknown fields: a setting that the oracle ignored would make its answer wrong.
func (k *Kubelet) UnmarshalJSON(data []byte) error {
	type plain Kubelet
	return strict(data, (*plain)(k))
}

// UnmarshalJSON refuses unknown fields, as for Kubelet.
func (n *NUMANode) UnmarshalJSON(data []byte) error {
	type plain NUMANode
	return strict(data, (*plain)(n))
}

func strict(data []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}

// Answer is what the kubelet does. Of Results with Free, StartError, Panic and Error exactly one is there.
type Answer struct {
	ID         string   `json:"id,omitempty"`
	Results    []Result `json:"results,omitzero"`
	Free       []Free   `json:"free,omitzero"`
	StartError string   `json:"startError,omitempty"`
	Panic      string   `json:"panic,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// Result is what became of one pod of the case.
type Result struct {
	Pod        string            `json:"pod"`
	Removed    bool              `json:"-"`
	Admitted   bool              `json:"-"`
	Reason     string            `json:"-"`
	Message    string            `json:"-"`
	NUMANodes  []int             `json:"-"`
	Containers map[string]string `json:"-"`
}

// MarshalJSON writes the fields that belong to the outcome: empty lists and maps of an admitted pod are written.
func (r Result) MarshalJSON() ([]byte, error) {
	switch {
	case r.Removed:
		return encode(struct {
			Pod     string `json:"pod"`
			Removed bool   `json:"removed"`
		}{r.Pod, true})
	case r.Admitted:
		return encode(struct {
			Pod        string            `json:"pod"`
			Admitted   bool              `json:"admitted"`
			NUMANodes  []int             `json:"numaNodes"`
			Containers map[string]string `json:"containers"`
		}{r.Pod, true, r.NUMANodes, r.Containers})
	default:
		return encode(struct {
			Pod      string `json:"pod"`
			Admitted bool   `json:"admitted"`
			Reason   string `json:"reason"`
			Message  string `json:"message"`
		}{r.Pod, false, r.Reason, r.Message})
	}
}

// Free is what one NUMA node could still give exclusively.
type Free struct {
	NUMANode    int    `json:"numaNode"`
	CPUs        string `json:"cpus"`
	MemoryBytes uint64 `json:"memoryBytes"`
}

// encode is json.Marshal without the escapes for HTML, which would make messages hard to read.
func encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// parseCase reads one line. The id is returned as far as it can be read, also for a bad case.
func parseCase(line []byte) (Case, error) {
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		var named struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(line, &named)
		return Case{ID: named.ID}, fmt.Errorf("the line is not a case: %w", err)
	}
	return c, nil
}
