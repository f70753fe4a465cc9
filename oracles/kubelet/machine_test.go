package main

import (
	"slices"
	"strings"
	"testing"
)

func mustMachine(t *testing.T, nodes []NUMANode) *cadvisorMachine {
	t.Helper()
	info, err := machineInfo(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// uncoreIDs are the cache ids of all cores, in order of their lowest CPU; -1 where the kubelet takes the socket.
func uncoreIDs(info *cadvisorMachine) []int {
	var ids []int
	for _, node := range info.Topology {
		for _, core := range node.Cores {
			id := -1
			if len(core.UncoreCaches) > 0 {
				id = core.UncoreCaches[0].Id
			}
			ids = append(ids, id)
		}
	}
	return ids
}

func TestCachesOfPartsOfANUMANodeAreUncoreCaches(t *testing.T) {
	got := uncoreIDs(mustMachine(t, withCaches(numaNodes(2, 1, 4, 2, gibibyte), 2)))
	if want := []int{0, 0, 1, 1, 2, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCacheOfTheWholeNUMANodeIsTheNodes(t *testing.T) {
	info := mustMachine(t, withCaches(numaNodes(2, 1, 4, 2, gibibyte), 4))
	if got, want := uncoreIDs(info), slices.Repeat([]int{-1}, 8); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := info.Topology[1].Caches; len(got) != 1 || got[0].Id != 1 {
		t.Errorf("caches of NUMA node 1: %v", got)
	}
}

// cAdvisor counts cores times the threads of the core at hand: with a sibling offline it miscounts.
func TestCacheWithAnOfflineSibling(t *testing.T) {
	nodes := []NUMANode{{Cores: []string{"0,2", "1"}, Caches: []string{"0-2"}, Memory: gibibyte}}
	if got, want := uncoreIDs(mustMachine(t, nodes)), []int{0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	nodes = []NUMANode{{Cores: []string{"0,2", "1"}, Caches: []string{"0-1"}, Memory: gibibyte}}
	if got, want := uncoreIDs(mustMachine(t, nodes)), []int{0, -1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestUnknownCachesAreNone(t *testing.T) {
	if got, want := uncoreIDs(mustMachine(t, numaNodes(1, 1, 2, 1, gibibyte))), []int{-1, -1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCountsAndSizes(t *testing.T) {
	nodes := withHugepages(withMemoryNode(numaNodes(2, 2, 3, 2, 4*gibibyte), 7, 8*gibibyte), "2Mi", 1, 2, 3, 0, 4)
	info := mustMachine(t, nodes)
	if info.NumCores != 24 || info.NumPhysicalCores != 12 || info.NumSockets != 2 {
		t.Errorf("CPUs %d, cores %d, sockets %d", info.NumCores, info.NumPhysicalCores, info.NumSockets)
	}
	if want := uint64(24 * gibibyte); info.MemoryCapacity != want {
		t.Errorf("memory %d, want %d", info.MemoryCapacity, want)
	}
	if want := []cadvisorPages{{PageSize: 2048, NumPages: 10}}; !slices.Equal(info.HugePages, want) {
		t.Errorf("hugepages %v, want %v", info.HugePages, want)
	}
	last := info.Topology[4]
	if last.Id != 7 || len(last.Cores) != 0 || last.HugePages[0].NumPages != 4 {
		t.Errorf("NUMA node without cores: %+v", last)
	}
}

func TestFoldersAreMetInLexicalOrder(t *testing.T) {
	var nodes []NUMANode
	for id := range 11 {
		nodes = append(nodes, NUMANode{ID: id, Cores: []string{}})
	}
	nodes[2].Cores = []string{"2,10"}
	nodes[2].Distances = []uint64{10}
	info := mustMachine(t, nodes)
	if info.Topology[2].Id != 10 || info.Topology[3].Id != 2 {
		t.Errorf("NUMA nodes %d and %d, want 10 and 2", info.Topology[2].Id, info.Topology[3].Id)
	}
	if got := info.Topology[3].Cores[0].Threads; !slices.Equal(got, []int{10, 2}) {
		t.Errorf("threads %v, want 10 before 2", got)
	}
	if got := info.Topology[3].Distances; !slices.Equal(got, []uint64{10}) {
		t.Errorf("distances %v", got)
	}
}

func TestContradictionsAreErrors(t *testing.T) {
	for want, nodes := range map[string][]NUMANode{
		"is there twice":       {{ID: 1}, {ID: 1}},
		"CPUs of another core": {{Cores: []string{"0-1", "1"}}},
		"core \"x\"":           {{Cores: []string{"x"}}},
		"is empty":             {{Cores: []string{""}}},
		"outside of the NUMA":  {{Cores: []string{"0"}, Caches: []string{"0-1"}}},
		"is not a page size":   {{Memory: gibibyte, Hugepages: map[string]uint64{"big": 1}}},
		"do not fit":           {{Memory: mebibyte, Hugepages: map[string]uint64{"2Mi": 1}}},
	} {
		if _, err := machineInfo(nodes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
