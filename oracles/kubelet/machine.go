package main

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/cpuset"
)

// machineInfo is what cAdvisor would report of the machine (machine.Info, sysinfo.GetNodesInfo). Topology with lists
// that contradict each other gives an error, which is the case's and not the kubelet's.
func machineInfo(nodes []NUMANode) (*cadvisorMachine, error) {
	info := &cadvisorMachine{}
	sockets := map[int]bool{}
	seen := cpuset.New()
	ids := map[int]bool{}
	cacheID := 0
	hugepages := map[uint64]uint64{}
	for _, spec := range sortedByID(nodes) {
		if ids[spec.ID] {
			return nil, fmt.Errorf("NUMA node %d is there twice", spec.ID)
		}
		ids[spec.ID] = true
		node := cadvisorNode{Id: spec.ID, Memory: spec.Memory, Distances: spec.Distances}
		cpus := cpuset.New()
		for index, list := range spec.Cores {
			threads, err := cpuset.Parse(list)
			if err != nil {
				return nil, fmt.Errorf("NUMA node %d: core %q: %w", spec.ID, list, err)
			}
			if threads.IsEmpty() || !threads.Intersection(seen).IsEmpty() {
				return nil, fmt.Errorf("NUMA node %d: core %q is empty or has CPUs of another core", spec.ID, list)
			}
			seen = seen.Union(threads)
			cpus = cpus.Union(threads)
			node.Cores = append(node.Cores, cadvisorCore{
				Id: index, SocketID: spec.Socket, Threads: lexical(threads.List()),
			})
			sockets[spec.Socket] = true
			info.NumCores += threads.Size()
			info.NumPhysicalCores++
		}
		first := cacheID
		cacheID += len(spec.Caches)
		if err := addCaches(&node, spec.Caches, cpus, first); err != nil {
			return nil, fmt.Errorf("NUMA node %d: %w", spec.ID, err)
		}
		if err := addHugepages(&node, spec.Hugepages, hugepages); err != nil {
			return nil, fmt.Errorf("NUMA node %d: %w", spec.ID, err)
		}
		info.MemoryCapacity += spec.Memory
		info.Topology = append(info.Topology, node)
	}
	// cAdvisor takes the sockets from /proc/cpuinfo, so that those without a CPU that is online do not count.
	info.NumSockets = len(sockets)
	for _, size := range slices.Sorted(maps.Keys(hugepages)) {
		info.HugePages = append(info.HugePages, cadvisorPages{PageSize: size, NumPages: hugepages[size]})
	}
	// cAdvisor meets the folders of /sys/devices/system/node in lexical order.
	sort.Slice(info.Topology, func(i, j int) bool {
		return strconv.Itoa(info.Topology[i].Id) < strconv.Itoa(info.Topology[j].Id)
	})
	return info, nil
}

// addCaches is cAdvisor's addCacheInfo for the last level: a cache whose number of CPUs is that of the node's cores
// times the threads of the core at hand is the node's, any other one is an uncore cache of that core.
func addCaches(node *cadvisorNode, lists []string, cpus cpuset.CPUSet, firstID int) error {
	domains := make([]cpuset.CPUSet, len(lists))
	for index, list := range lists {
		domain, err := cpuset.Parse(list)
		if err != nil {
			return fmt.Errorf("cache %q: %w", list, err)
		}
		if !domain.IsSubsetOf(cpus) {
			return fmt.Errorf("cache %q has CPUs outside of the NUMA node", list)
		}
		domains[index] = domain
	}
	for i := range node.Cores {
		core := &node.Cores[i]
		for index, domain := range domains {
			if !domain.Contains(core.Threads[0]) {
				continue
			}
			cache := cadvisorCache{Id: firstID + index, Level: 3, Type: "Unified"}
			if domain.Size() == len(node.Cores)*len(core.Threads) {
				if !slices.Contains(node.Caches, cache) {
					node.Caches = append(node.Caches, cache)
				}
			} else {
				core.UncoreCaches = append(core.UncoreCaches, cache)
			}
		}
	}
	return nil
}

// addHugepages adds the node's pages, with sizes in KiB as cAdvisor has them, and counts them for the machine.
func addHugepages(node *cadvisorNode, pages map[string]uint64, machine map[uint64]uint64) error {
	var total uint64
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		size, err := resource.ParseQuantity(name)
		if err != nil || size.Value() <= 0 || size.Value()%1024 != 0 {
			return fmt.Errorf("hugepages: %q is not a page size", name)
		}
		kib := uint64(size.Value()) / 1024
		node.HugePages = append(node.HugePages, cadvisorPages{PageSize: kib, NumPages: pages[name]})
		machine[kib] += pages[name]
		total += pages[name] * uint64(size.Value())
	}
	if total > node.Memory {
		return fmt.Errorf("hugepages of %d bytes do not fit into %d bytes", total, node.Memory)
	}
	return nil
}

func sortedByID(nodes []NUMANode) []NUMANode {
	sorted := slices.Clone(nodes)
	slices.SortStableFunc(sorted, func(a, b NUMANode) int { return a.ID - b.ID })
	return sorted
}

// lexical is the order in which cAdvisor meets the folders cpu0, cpu1, cpu10, cpu2.
func lexical(cpus []int) []int {
	sort.Slice(cpus, func(i, j int) bool { return strconv.Itoa(cpus[i]) < strconv.Itoa(cpus[j]) })
	return cpus
}
