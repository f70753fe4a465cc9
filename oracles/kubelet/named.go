package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"k8s.io/utils/cpuset"
)

// namedCases are the cases that a reader may look up by name; named_test.go says what happens in them.
func namedCases() []Case { return slices.Concat(tableCases(), featureCases(), startCases()) }

const gibibyte = 1024 * mebibyte

// numaNodes are equal NUMA nodes with cores 0, 1, 2... whose further threads come after the last core.
func numaNodes(sockets, perSocket, cores, threads int, memory uint64) []NUMANode {
	count := sockets * perSocket
	nodes := make([]NUMANode, count)
	for i := range nodes {
		nodes[i] = NUMANode{ID: i, Socket: i / perSocket, Memory: memory, Cores: []string{}}
		for c := range cores {
			var cpus []int
			for t := range threads {
				cpus = append(cpus, i*cores+c+t*count*cores)
			}
			nodes[i].Cores = append(nodes[i].Cores, cpuset.New(cpus...).String())
		}
	}
	return nodes
}

// twoSockets is the machine of most cases: 32 CPUs, cores 0-7 and 8-15, siblings 16 higher.
func twoSockets() []NUMANode { return numaNodes(2, 1, 8, 2, 128*gibibyte) }

// withCaches puts each group of so many cores below a last-level cache.
func withCaches(nodes []NUMANode, cores int) []NUMANode {
	for i := range nodes {
		for group := range slices.Chunk(nodes[i].Cores, cores) {
			domain := cpuset.New()
			for _, list := range group {
				threads, _ := cpuset.Parse(list)
				domain = domain.Union(threads)
			}
			nodes[i].Caches = append(nodes[i].Caches, domain.String())
		}
	}
	return nodes
}

// withMemoryNode adds a NUMA node without cores.
func withMemoryNode(nodes []NUMANode, id int, memory uint64) []NUMANode {
	return append(nodes, NUMANode{ID: id, Socket: 0, Memory: memory, Cores: []string{}})
}

func withIDs(nodes []NUMANode, ids ...int) []NUMANode {
	for i := range nodes {
		nodes[i].ID = ids[i]
	}
	return nodes
}

func withDistances(nodes []NUMANode, rows ...[]uint64) []NUMANode {
	for i := range nodes {
		nodes[i].Distances = rows[i]
	}
	return nodes
}

func withHugepages(nodes []NUMANode, size string, pages ...uint64) []NUMANode {
	for i := range nodes {
		nodes[i].Hugepages = map[string]uint64{size: pages[i]}
	}
	return nodes
}

// A setting changes one thing of a kubelet.
type setting func(*Kubelet)

// singleNUMA is a static CPU manager below single-numa-node.
func singleNUMA(settings ...setting) Kubelet {
	k := Kubelet{CPUManagerPolicy: "static", TopologyManagerPolicy: "single-numa-node"}
	for _, set := range settings {
		set(&k)
	}
	return k
}

func options(names ...string) setting {
	return func(k *Kubelet) {
		k.CPUManagerPolicyOptions = map[string]string{}
		for _, name := range names {
			k.CPUManagerPolicyOptions[name] = "true"
		}
	}
}

func policy(name string) setting   { return func(k *Kubelet) { k.TopologyManagerPolicy = name } }
func reserved(list string) setting { return func(k *Kubelet) { k.ReservedCPUs = list } }
func reserveCount(n int64) setting { return func(k *Kubelet) { k.ReservedCPUCount = &n } }
func podScope(k *Kubelet)          { k.TopologyManagerScope = "pod" }
func cpuPolicyNone(k *Kubelet)     { k.CPUManagerPolicy = "none" }
func gate(name string) setting {
	return func(k *Kubelet) { k.FeatureGates = map[string]bool{name: true} }
}
func gateOff(name string) setting {
	return func(k *Kubelet) { k.FeatureGates = map[string]bool{name: false} }
}
func topologyOption(name, value string) setting {
	return func(k *Kubelet) { k.TopologyManagerPolicyOptions = map[string]string{name: value} }
}

// memoryStatic reserves so many bytes on the first NUMA nodes.
func memoryStatic(bytes ...int64) setting {
	return func(k *Kubelet) {
		k.MemoryManagerPolicy = "Static"
		k.ReservedMemory = map[string]int64{}
		for id, b := range bytes {
			k.ReservedMemory[strconv.Itoa(id)] = b
		}
	}
}

func named(id string, nodes []NUMANode, k Kubelet, pods ...podOf) Case {
	c := Case{ID: id, Topology: Topology{NUMANodes: nodes, Kubelet: k}, Pods: []json.RawMessage{}}
	for _, pod := range pods {
		text, err := encode(randomPod(pod))
		if err != nil {
			panic(err)
		}
		c.Pods = append(c.Pods, text)
	}
	return c
}

type podOf randomPod

func limits(cpu, memory string, more ...string) *podResources {
	r := &podResources{Limits: map[string]string{"cpu": cpu, "memory": memory}}
	for i := 0; i+1 < len(more); i += 2 {
		r.Limits[more[i]] = more[i+1]
	}
	return r
}

// pod is a pod of its containers: the first is called main. Limits alone make it Guaranteed.
func pod(name string, containers ...*podResources) podOf {
	p := podOf{Metadata: podMetadata{Name: name}, Spec: &podSpec{}}
	for i, resources := range containers {
		container := "main"
		if i > 0 {
			container = fmt.Sprintf("extra%d", i)
		}
		p.Spec.Containers = append(p.Spec.Containers, podContainer{Name: container, Resources: resources})
	}
	return p
}

func (p podOf) init(name string, resources *podResources) podOf {
	p.Spec.InitContainers = append(p.Spec.InitContainers, podContainer{Name: name, Resources: resources})
	return p
}

func (p podOf) sidecar(name string, resources *podResources) podOf {
	p.Spec.InitContainers = append(p.Spec.InitContainers,
		podContainer{Name: name, RestartPolicy: "Always", Resources: resources})
	return p
}

func (p podOf) podResources(resources *podResources) podOf {
	p.Spec.Resources = resources
	return p
}

func left(name string) podOf {
	return podOf{Metadata: podMetadata{Name: name, Annotations: map[string]string{removedAnnotation: "true"}}}
}

// pods are equal pods p0, p1...
func pods(count int, cpu, memory string) []podOf {
	list := make([]podOf, count)
	for i := range list {
		list[i] = pod("p"+strconv.Itoa(i), limits(cpu, memory))
	}
	return list
}
