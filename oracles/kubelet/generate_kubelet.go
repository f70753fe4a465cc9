package main

import (
	"fmt"
	"strconv"

	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/utils/cpuset"
)

const (
	fullPCPUs       = "full-pcpus-only"
	distributeNUMA  = "distribute-cpus-across-numa"
	distributeCores = "distribute-cpus-across-cores"
	alignBySocket   = "align-by-socket"
	strictReserved  = "strict-cpu-reservation"
	alignUncore     = "prefer-align-cpus-by-uncorecache"
	preferClosest   = "prefer-closest-numa-nodes"
	maxNUMANodes    = "max-allowable-numa-nodes"
	alphaGate       = "CPUManagerPolicyAlphaOptions"
)

// kubelet draws settings with which the kubelet starts and then, in few cases, breaks one of them.
func (d dice) kubelet(m *randomMachine) Kubelet {
	k := Kubelet{
		CPUManagerPolicy:      "static",
		TopologyManagerPolicy: []string{"single-numa-node", "restricted", "best-effort", "none"}[weighted(d, 0, 45, 1, 21, 2, 20, 3, 14)],
		TopologyManagerScope:  oneOf(d, "container", "pod"),
	}
	if d.chance(5) {
		k.CPUManagerPolicy = "none"
	}
	d.cpuOptions(&k)
	d.topologyOptions(&k, m)
	d.reserveCPUs(&k, m)
	k.MemoryManagerPolicy = "None"
	if d.chance(55) {
		k.MemoryManagerPolicy = "Static"
	}
	if k.MemoryManagerPolicy == "Static" || d.chance(10) {
		d.reserveMemory(&k, m)
	}
	if d.chance(4) {
		d.breakStart(&k, m)
	}
	return k
}

// cpuOptions draws one of the legal combinations.
func (d dice) cpuOptions(k *Kubelet) {
	if k.CPUManagerPolicy == "none" {
		return // the policy none refuses any option
	}
	options := map[string]bool{}
	if d.chance(12) {
		options[distributeCores] = true
	} else {
		options[fullPCPUs] = d.chance(40)
		options[distributeNUMA] = d.chance(25)
		options[alignUncore] = !options[distributeNUMA] && d.chance(40)
	}
	options[strictReserved] = d.chance(20)
	options[alignBySocket] = k.TopologyManagerPolicy != "single-numa-node" && d.chance(20)
	for _, name := range []string{fullPCPUs, distributeNUMA, distributeCores, alignBySocket, strictReserved, alignUncore} {
		value := "true"
		if !options[name] {
			if name == distributeCores || name == alignBySocket || !d.chance(2) {
				continue
			}
			value = oneOf(d, "false", "0")
		}
		if k.CPUManagerPolicyOptions == nil {
			k.CPUManagerPolicyOptions = map[string]string{}
		}
		k.CPUManagerPolicyOptions[name] = value
	}
	for name := range k.CPUManagerPolicyOptions {
		if !isOnByDefault(name) {
			k.FeatureGates = map[string]bool{alphaGate: true}
		}
	}
}

// isOnByDefault says whether this version of the kubelet takes an option without a feature gate: older ones do for fewer.
func isOnByDefault(option string) bool {
	_ = setFeatureGates(nil) // the last case may have left others; nothing to set cannot fail
	return cpumanager.CheckPolicyOptionAvailable(option) == nil
}

func (d dice) topologyOptions(k *Kubelet, m *randomMachine) {
	options := map[string]string{}
	if m.nodes[0].Distances != nil && d.chance(25) {
		options[preferClosest] = "true"
	}
	if len(m.nodes) > 8 && d.chance(85) || d.chance(3) {
		options[maxNUMANodes] = strconv.Itoa(d.between(max(8, len(m.nodes)), 16))
	}
	if len(options) > 0 {
		k.TopologyManagerPolicyOptions = options
	}
}

func (d dice) reserveCPUs(k *Kubelet, m *randomMachine) {
	if k.CPUManagerPolicy == "none" && d.chance(50) {
		return
	}
	all := m.allCPUs()
	core := func(node NUMANode, index int) cpuset.CPUSet {
		threads, _ := cpuset.Parse(node.Cores[index%len(node.Cores)])
		return threads
	}
	reserved := cpuset.New()
	withCores := m.nodes[:len(m.cpus)]
	switch weighted(d, 0, 45, 1, 15, 2, 15, 3, 12, 4, 8, 5, 5) {
	case 0: // the kubelet chooses
		count := int64(oneOf(d, 1, m.threads, m.threads, 2*m.threads, m.threads+1, m.cpus[0].Size(),
			m.cpus[0].Size()+1, 1+d.IntN(max(1, len(all)/2))))
		count = min(count, int64(len(all)))
		k.ReservedCPUCount = &count
		return
	case 1: // the lowest cores
		for i := range d.between(1, 2) {
			reserved = reserved.Union(core(withCores[0], i))
		}
	case 2: // a core of each NUMA node
		for _, node := range withCores {
			reserved = reserved.Union(core(node, 0))
		}
	case 3: // lone threads
		reserved = cpuset.New(all[:d.between(1, min(3, len(all)))]...)
	case 4: // anything
		for range d.between(1, 4) {
			reserved = reserved.Union(cpuset.New(oneOf(d, all...)))
		}
	case 5: // a NUMA node
		reserved = oneOf(d, m.cpus...)
	}
	k.ReservedCPUs = reserved.String()
}

func (d dice) reserveMemory(k *Kubelet, m *randomMachine) {
	k.ReservedMemory = map[string]int64{}
	kind := weighted(d, 0, 55, 1, 25, 2, 20) // every NUMA node, the first one, some
	for i, node := range m.nodes {
		if kind == 1 && i > 0 || kind == 2 && d.chance(50) && len(k.ReservedMemory) > 0 {
			continue
		}
		bytes := int64(oneOf(d, 64, 100, 256, 512)) * mebibyte
		if d.chance(15) {
			bytes += int64(d.IntN(mebibyte))
		}
		k.ReservedMemory[strconv.Itoa(node.ID)] = bytes
	}
	for _, node := range m.nodes {
		for _, size := range m.pageSizes {
			if pages := node.Hugepages[size]; pages > 0 && d.chance(15) {
				if k.ReservedHugepages == nil {
					k.ReservedHugepages = map[string]map[string]int64{}
				}
				id := strconv.Itoa(node.ID)
				if k.ReservedHugepages[id] == nil {
					k.ReservedHugepages[id] = map[string]int64{}
				}
				k.ReservedHugepages[id][size] = int64(pageBytes(size)) * int64(1+d.IntN(int(min(pages, 8))))
			}
		}
	}
}

// breakStart makes one setting such that the kubelet does not start, or that it looks as if it should not.
func (d dice) breakStart(k *Kubelet, m *randomMachine) {
	option := func(name, value string) {
		if k.CPUManagerPolicyOptions == nil {
			k.CPUManagerPolicyOptions = map[string]string{}
		}
		k.CPUManagerPolicyOptions[name] = value
	}
	all := m.allCPUs()
	zero, tooMany := int64(0), int64(len(all)+1)
	switch d.IntN(13) {
	case 0:
		k.ReservedCPUs, k.ReservedCPUCount = "", nil
	case 1:
		k.ReservedCPUs, k.ReservedCPUCount = "", &zero
	case 2:
		k.ReservedCPUs, k.ReservedCPUCount = "", &tooMany
	case 3:
		k.ReservedCPUs, k.ReservedCPUCount = fmt.Sprintf("0,%d", all[len(all)-1]+1), nil
	case 4:
		k.CPUManagerPolicyOptions = nil
		option(oneOf(d, fullPCPUs, distributeNUMA, alignUncore), "true")
		option(distributeCores, "true")
		k.FeatureGates = map[string]bool{alphaGate: true}
	case 5:
		k.CPUManagerPolicyOptions = nil
		option(distributeNUMA, "true")
		option(alignUncore, "true")
	case 6:
		k.CPUManagerPolicyOptions = nil
		option(oneOf(d, "full-pcpus", "align-by-numa"), "true")
	case 7:
		k.CPUManagerPolicyOptions = nil
		option(oneOf(d, alignBySocket, distributeCores), "true")
		k.FeatureGates = nil
	case 8:
		k.CPUManagerPolicyOptions = nil
		option(alignBySocket, "true")
		k.TopologyManagerPolicy = "single-numa-node"
		k.FeatureGates = map[string]bool{alphaGate: true}
	case 9:
		k.CPUManagerPolicyOptions = nil
		option(oneOf(d, fullPCPUs, strictReserved), oneOf(d, "yes", "on", ""))
	case 10:
		k.TopologyManagerPolicyOptions = map[string]string{maxNUMANodes: oneOf(d, "7", "many")}
	case 11:
		k.MemoryManagerPolicy = "Static"
		k.ReservedMemory = oneOf(d, nil, map[string]int64{"63": mebibyte}, map[string]int64{"0": 0})
		k.ReservedHugepages = nil
	case 12:
		k.TopologyManagerPolicyOptions = map[string]string{preferClosest: "true"}
		for i := range m.nodes {
			m.nodes[i].Distances = nil
		}
	}
}
