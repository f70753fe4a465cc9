package main

import (
	"slices"

	"k8s.io/utils/cpuset"
)

const mebibyte = 1 << 20

// randomMachine is a machine and what the sizes of pods are derived from.
type randomMachine struct {
	nodes   []NUMANode
	threads int
	// cpus of each NUMA node that has some, in order of the nodes.
	cpus           []cpuset.CPUSet
	pageSizes      []string
	offlineSibling bool
}

func (m *randomMachine) allCPUs() []int {
	return cpuset.New().Union(m.cpus...).List()
}

// machine draws sockets, NUMA nodes, cores with their threads, caches, memory and distances.
func (d dice) machine() *randomMachine {
	sockets := weighted(d, 1, 22, 2, 50, 3, 6, 4, 22)
	perSocket := weighted(d, 1, 50, 2, 30, 4, 20)
	for sockets*perSocket > 8 {
		perSocket /= 2
	}
	if d.chance(2) { // more NUMA nodes than the topology manager takes by itself
		sockets, perSocket = 3, 3
	}
	count := sockets * perSocket
	m := &randomMachine{threads: weighted(d, 1, 22, 2, 58, 4, 13, 8, 7)}
	most := weighted(d, 1, 5, 2, 12, 3, 10, 4, 22, 6, 16, 8, 20, 12, 10, 16, 5)
	for most > 1 && most*count*m.threads > 96 {
		most /= 2
	}
	coresOf := make([]int, count)
	uneven := d.chance(15)
	for i := range coresOf {
		if coresOf[i] = most; uneven {
			coresOf[i] = d.between(1, most)
		}
	}
	cores := d.numberedCores(coresOf, m.threads)
	m.offlineSibling = d.takeOffline(cores, m.threads)
	ids := d.numaIDs(count)
	for i, id := range ids {
		node := NUMANode{ID: id, Socket: i / perSocket, Cores: []string{}}
		cpus := cpuset.New()
		for _, threads := range cores[i] {
			node.Cores = append(node.Cores, threads.String())
			cpus = cpus.Union(threads)
		}
		m.cpus = append(m.cpus, cpus)
		m.nodes = append(m.nodes, node)
	}
	d.addCaches(m, cores)
	d.addMemoryNodes(m, sockets)
	d.addMemory(m)
	if d.chance(80) {
		d.addDistances(m)
	}
	return m
}

// numberedCores gives the threads of a core adjacent numbers, or numbers that are a number of cores apart.
func (d dice) numberedCores(coresOf []int, threads int) [][]cpuset.CPUSet {
	total := 0
	for _, n := range coresOf {
		total += n
	}
	var owners []int // of the cores, in order of their numbers
	if d.chance(15) {
		for round := 0; len(owners) < total; round++ {
			for i, n := range coresOf {
				if round < n {
					owners = append(owners, i)
				}
			}
		}
	} else {
		for i, n := range coresOf {
			owners = append(owners, slices.Repeat([]int{i}, n)...)
		}
	}
	split := d.chance(60)
	cores := make([][]cpuset.CPUSet, len(coresOf))
	for number, owner := range owners {
		var cpus []int
		for t := range threads {
			if split {
				cpus = append(cpus, number+t*total)
			} else {
				cpus = append(cpus, number*threads+t)
			}
		}
		cores[owner] = append(cores[owner], cpuset.New(cpus...))
	}
	return cores
}

// takeOffline takes whole cores or, rarely, single threads from some machines. It says whether the cores have
// different numbers of threads now.
func (d dice) takeOffline(cores [][]cpuset.CPUSet, threads int) bool {
	siblings := threads > 1 && d.chance(4)
	if !siblings && !d.chance(6) {
		return false
	}
	for range d.between(1, 2) {
		node := d.IntN(len(cores))
		core := d.IntN(len(cores[node]))
		if siblings {
			list := cores[node][core].List()
			if len(list) > 1 {
				cores[node][core] = cores[node][core].Difference(cpuset.New(oneOf(d, list...)))
			}
		} else if len(cores[node]) > 1 {
			cores[node] = slices.Delete(cores[node], core, core+1)
		}
	}
	for _, ofNode := range cores {
		for _, core := range ofNode {
			if core.Size() != cores[0][0].Size() {
				return true
			}
		}
	}
	return false
}

func (d dice) numaIDs(count int) []int {
	step, start := 1, 0
	switch weighted(d, 0, 82, 1, 10, 2, 8) {
	case 1:
		step = oneOf(d, 2, 8)
		if count > 7 {
			step = 2
		}
	case 2:
		start = d.between(1, 3)
	}
	ids := make([]int, count)
	for i := range ids {
		ids[i] = start + i*step
	}
	return ids
}

func (d dice) addCaches(m *randomMachine, cores [][]cpuset.CPUSet) {
	kind := weighted(d, 0, 25, 1, 28, 2, 40, 3, 7) // unknown, one for the NUMA node, equal groups of cores, any groups
	if kind == 0 {
		return
	}
	size := 1 + d.IntN(max(1, len(cores[0])))
	for i := range m.cpus {
		left := cores[i]
		for len(left) > 0 {
			take := len(left)
			switch kind {
			case 2:
				take = min(size, len(left))
			case 3:
				take = d.between(1, len(left))
			}
			m.nodes[i].Caches = append(m.nodes[i].Caches, cpuset.New().Union(left[:take]...).String())
			left = left[take:]
		}
	}
}

// addMemoryNodes adds NUMA nodes without cores, as CXL and high-bandwidth memory are.
func (d dice) addMemoryNodes(m *randomMachine, sockets int) {
	if len(m.nodes) > 7 || !d.chance(12) {
		return
	}
	for range d.between(1, min(2, 8-len(m.nodes))) {
		id := m.nodes[len(m.nodes)-1].ID + oneOf(d, 1, 1, 1, 4)
		m.nodes = append(m.nodes, NUMANode{ID: id, Socket: d.IntN(sockets), Cores: []string{}})
	}
}

func (d dice) addMemory(m *randomMachine) {
	base := uint64(oneOf(d, 4, 8, 16, 32, 64, 128)) * 1024 * mebibyte
	uneven := d.chance(20)
	switch weighted(d, 0, 78, 1, 15, 2, 3, 3, 4) {
	case 1:
		m.pageSizes = []string{"2Mi"}
	case 2:
		m.pageSizes = []string{"1Gi"}
	case 3:
		m.pageSizes = []string{"1Gi", "2Mi"}
	}
	for i := range m.nodes {
		node := &m.nodes[i]
		node.Memory = base
		if uneven {
			node.Memory = base / 4 * uint64(d.between(1, 4))
		}
		if d.chance(60) { // firmware and kernel keep some
			node.Memory -= uint64(d.IntN(16*1024)) * 4096
		}
		for _, size := range m.pageSizes {
			if node.Hugepages == nil {
				node.Hugepages = map[string]uint64{}
			}
			node.Hugepages[size] = uint64(d.IntN(4)) * node.Memory / 12 / pageBytes(size)
		}
	}
}

func pageBytes(size string) uint64 {
	if size == "1Gi" {
		return 1024 * mebibyte
	}
	return 2 * mebibyte
}

func (d dice) addDistances(m *randomMachine) {
	near, far := uint64(oneOf(d, 11, 12, 16)), uint64(oneOf(d, 20, 21, 32))
	odd, symmetric := d.chance(25), d.chance(80)
	for i := range m.nodes {
		row := make([]uint64, len(m.nodes))
		for j := range m.nodes {
			switch {
			case i == j:
				row[j] = 10
			case j < i && symmetric:
				row[j] = m.nodes[j].Distances[i]
			case odd:
				row[j] = uint64(d.between(11, 40))
			case m.nodes[i].Socket == m.nodes[j].Socket:
				row[j] = near
			default:
				row[j] = far
			}
		}
		m.nodes[i].Distances = row
	}
}
