// Package hardware reads what a node is: processor, NUMA nodes, cores, caches, memory, hypervisor.
//
// It reads the way the kubelet does at its start: online CPUs only, memory by NUMA node from its meminfo
// (pkg/kubelet/cm/cpumanager/topology and cAdvisor's sysinfo). It sees the machine as it is now; a kubelet that started before
// a CPU went offline still holds the older view. The command line has the same reader in Java (io.numaspark.planner.sysfs);
// both are held to the same captured trees.
package hardware

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cpus"
)

const (
	nodesFolder = "sys/devices/system/node"
	cpusFolder  = "sys/devices/system/cpu"
	// unknownSocket is that of a NUMA node without CPUs: nobody names it.
	unknownSocket = -1
	// largestID: Linux has no more NUMA nodes (NODES_SHIFT is at most 10), and the CRD takes no larger ids, of sockets neither.
	largestID = 1023
	lastLevel = 3
)

var (
	cpuName   = regexp.MustCompile(`^cpu(\d+)$`)
	nodeName  = regexp.MustCompile(`^node(\d+)$`)
	indexName = regexp.MustCompile(`^index(\d+)$`)
	pageName  = regexp.MustCompile(`^hugepages-(\d+)kB$`)
	memTotal  = regexp.MustCompile(`^(?:Node\s+\d+\s+)?MemTotal:\s+(\d{1,15}) kB$`)
)

// Reading is what a machine's own files say of its hardware.
type Reading struct {
	CPU       *api.CPU
	System    *api.System
	NumaNodes []api.Numa
	// Online are all CPUs of NUMA nodes, ByNode the same by the id of the NUMA node.
	Online cpuset.CPUSet
	ByNode map[int]cpuset.CPUSet
	// Isolated are CPUs between which the kernel moves no tasks by itself (isolcpus): a program with several threads stays on one.
	Isolated cpuset.CPUSet
}

// Read reads the tree below the root, which is / for the machine at hand. In a container, where the runtime hides /sys/firmware,
// the table of the firmware lies elsewhere: what cannot be read of it is unknown. A NUMA node has one socket, that of its first
// CPU; where firmware interleaves memory over the sockets, or the kernel has no NUMA support, all sockets count as one. An
// error names the file that is missing or not understood, and what to do.
func Read(root, dmiTable string) (Reading, error) {
	r := reader{tree: tree{root}}
	if dmiTable == "" {
		dmiTable = filepath.Join(root, "sys/firmware/dmi/tables/DMI")
	}
	var err error
	if r.online, err = r.onlineCPUs(); err != nil {
		return Reading{}, err
	}
	r.unplaced = r.online
	cpu, err := readCPUInfo(r.tree)
	if err != nil {
		return Reading{}, err
	}
	reading := Reading{CPU: cpu.model(), System: readSystem(r.tree, cpu, dmiTable), Online: cpuset.New(), ByNode: map[int]cpuset.CPUSet{},
		Isolated: r.isolatedCPUs()}
	if reading.NumaNodes, err = r.numaNodes(); err != nil {
		return Reading{}, err
	}
	nameSockets(reading.NumaNodes)
	for i, node := range reading.NumaNodes {
		reading.ByNode[node.ID] = r.cpusOfNodes[i]
		reading.Online = reading.Online.Union(r.cpusOfNodes[i])
	}
	if reading.Online.IsEmpty() {
		return Reading{}, fmt.Errorf("the files below %s contradict each other: no NUMA node has a core; read the machine again", root)
	}
	return reading, nil
}

type reader struct {
	tree
	online cpuset.CPUSet
	// unplaced are the online CPUs that no NUMA node has claimed so far.
	unplaced    cpuset.CPUSet
	cpusOfNodes []cpuset.CPUSet
}

// isolatedCPUs are none if the kernel does not say.
func (r *reader) isolatedCPUs() cpuset.CPUSet {
	set, err := cpus.Parse(r.readableText(cpusFolder + "/isolated"))
	if err != nil {
		return cpuset.New()
	}
	return set
}

func (r *reader) onlineCPUs() (cpuset.CPUSet, error) {
	const list = cpusFolder + "/online"
	if r.exists(list) {
		return r.cpus(list)
	}
	// Old kernels have no list; a CPU that is offline has no topology either.
	entries, err := r.numbered(cpusFolder, cpuName)
	if err != nil {
		return cpuset.New(), err
	}
	var found []int
	for _, cpu := range entries {
		online, err := r.optionalText(cpu.path + "/online")
		if err != nil {
			return cpuset.New(), err
		}
		if online != "0" && cpu.number <= cpus.MaxID && r.exists(cpu.path+"/topology") {
			found = append(found, cpu.number)
		}
	}
	if len(found) == 0 {
		return r.cpus(list)
	}
	return cpuset.New(found...), nil
}

func (r *reader) numaNodes() ([]api.Numa, error) {
	entries, err := r.numbered(nodesFolder, nodeName)
	if err != nil {
		return nil, err
	}
	var nodes []api.Numa
	for _, entry := range entries {
		// A folder without any of its files is that of a NUMA node which is not there (yet).
		if !slices.ContainsFunc([]string{"/cpulist", "/cpumap", "/meminfo"}, func(f string) bool { return r.exists(entry.path + f) }) {
			continue
		}
		if entry.number > largestID {
			return nil, r.unexpected(nodesFolder, fmt.Sprintf("NUMA nodes with ids up to %d", largestID))
		}
		set, err := r.cpusOrMask(entry.path+"/cpulist", entry.path+"/cpumap")
		if err != nil {
			return nil, err
		}
		set = set.Intersection(r.online)
		if twice := set.Difference(r.unplaced); !twice.IsEmpty() {
			return nil, r.unexpected(entry.path+"/cpulist", "no CPU of another NUMA node ("+twice.String()+")")
		}
		r.unplaced = r.unplaced.Difference(set)
		distances, err := r.distances(entry.path + "/distance")
		if err != nil {
			return nil, err
		}
		node, err := r.numaNode(set, entry.path+"/meminfo", entry.path+"/hugepages")
		if err != nil {
			return nil, err
		}
		node.ID, node.Distances = entry.number, distances
		nodes = append(nodes, node)
	}
	if len(nodes) > 0 {
		return nodes, nil
	}
	// A kernel without NUMA support: all of the machine is one NUMA node.
	node, err := r.numaNode(r.online, "proc/meminfo", "sys/kernel/mm/hugepages")
	node.Distances = []int{10}
	return []api.Numa{node}, err
}

func (r *reader) numaNode(set cpuset.CPUSet, meminfo, hugepages string) (node api.Numa, err error) {
	r.cpusOfNodes = append(r.cpusOfNodes, set)
	node.Socket = unknownSocket
	if !set.IsEmpty() {
		if node.Socket, err = r.socket(set.List()[0]); err != nil {
			return node, err
		}
	}
	if node.Memory, err = r.memory(meminfo); err != nil {
		return node, err
	}
	if node.Hugepages, err = r.hugepages(hugepages); err != nil {
		return node, err
	}
	if node.Cores, err = r.cores(set); err != nil {
		return node, err
	}
	node.Caches, err = r.caches(set)
	return node, err
}

func cpuFolder(cpu int) string { return cpusFolder + "/cpu" + strconv.Itoa(cpu) }

func (r *reader) socket(cpu int) (int, error) {
	path := cpuFolder(cpu) + "/topology/physical_package_id"
	socket, err := r.number(path)
	if err != nil {
		return 0, err
	}
	if socket > math.MaxInt32 {
		return 0, r.unexpected(path, "the number of a socket")
	}
	// Some Arm firmware leaves the package unknown, which the kernel shows as -1.
	return int(max(0, socket)), nil
}

func (r *reader) cores(set cpuset.CPUSet) ([]string, error) {
	cores := []string{}
	for left := set; !left.IsEmpty(); {
		cpu := left.List()[0]
		path := r.either(cpuFolder(cpu)+"/topology/core_cpus_list", cpuFolder(cpu)+"/topology/thread_siblings_list")
		mask := r.either(cpuFolder(cpu)+"/topology/core_cpus", cpuFolder(cpu)+"/topology/thread_siblings")
		siblings, err := r.cpusOrMask(path, mask)
		if err != nil {
			return nil, err
		}
		threads := siblings.Intersection(set)
		if !threads.Contains(cpu) {
			return nil, r.unexpected(path, "the CPU itself too")
		}
		if other := threads.Difference(left); !other.IsEmpty() {
			return nil, r.unexpected(path, "no CPU of another core ("+other.String()+")")
		}
		cores = append(cores, threads.String())
		left = left.Difference(threads)
	}
	return cores, nil
}

// either is the newer name of a file where the kernel has it.
func (r *reader) either(newer, older string) string {
	if r.exists(newer) {
		return newer
	}
	return older
}

// caches are the last-level cache domains; none if the machine does not say, like most virtual ones.
func (r *reader) caches(set cpuset.CPUSet) (caches []string, err error) {
	for left := set; !left.IsEmpty(); {
		cpu := left.List()[0]
		shared := cpuset.New(cpu)
		cache, err := r.lastLevelCache(cpu)
		if err != nil {
			return nil, err
		}
		if cache != "" {
			sharing, err := r.cpusOrMask(cache+"/shared_cpu_list", cache+"/shared_cpu_map")
			if err != nil {
				return nil, err
			}
			// Sub-NUMA clustering may leave one list for the whole socket: cut it to the NUMA node.
			shared = sharing.Intersection(left).Union(shared)
			caches = append(caches, shared.String())
		}
		left = left.Difference(shared)
	}
	return caches, nil
}

// lastLevelCache is level 3 where there is one, as the kubelet takes it; otherwise the highest unified cache.
func (r *reader) lastLevelCache(cpu int) (string, error) {
	entries, err := r.numbered(cpuFolder(cpu)+"/cache", indexName)
	if err != nil {
		return "", err
	}
	byLevel := map[int64]string{}
	highest := int64(math.MinInt64)
	for _, index := range entries {
		said := r.exists(index.path+"/level") && (r.exists(index.path+"/shared_cpu_list") || r.exists(index.path+"/shared_cpu_map"))
		if !said {
			continue
		}
		if r.exists(index.path + "/type") {
			kind, err := r.text(index.path + "/type")
			if err != nil {
				return "", err
			}
			if kind != "Unified" {
				continue
			}
		}
		level, err := r.number(index.path + "/level")
		if err != nil {
			return "", err
		}
		if _, known := byLevel[level]; !known {
			byLevel[level] = index.path
			highest = max(highest, level)
		}
	}
	if third, found := byLevel[lastLevel]; found {
		return third, nil
	}
	return byLevel[highest], nil
}

func (r *reader) distances(path string) ([]int, error) {
	distances := []int{}
	text, err := r.optionalText(path)
	if err != nil {
		return nil, err
	}
	for word := range strings.FieldsSeq(text) {
		distance, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, r.unexpected(path, "distances such as 10 21")
		}
		distances = append(distances, int(distance))
	}
	return distances, nil
}

// memory is MemTotal in bytes.
func (r *reader) memory(path string) (int64, error) {
	text, err := r.text(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if match := memTotal.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			if kib, err := strconv.ParseInt(match[1], 10, 64); err == nil {
				return kib << 10, nil
			}
		}
	}
	return 0, r.unexpected(path, "a line MemTotal in kB")
}

// hugepages are numbers of pages by page size.
func (r *reader) hugepages(folder string) (map[string]int64, error) {
	entries, err := r.numbered(folder, pageName)
	if err != nil {
		return nil, err
	}
	var bySize map[string]int64
	for _, size := range entries {
		path := size.path + "/nr_hugepages"
		if !r.exists(path) {
			continue // Some kernels have the folder of a size that a NUMA node does not offer.
		}
		pages, err := r.number(path)
		if err != nil {
			return nil, err
		}
		if pages < 0 || pages > math.MaxInt64/max(1, int64(size.number)<<10) {
			return nil, r.unexpected(path, "a number of huge pages")
		}
		if pages > 0 && size.number > 0 {
			if bySize == nil {
				bySize = map[string]int64{}
			}
			bySize[pageSize(size.number)] += pages
		}
	}
	return bySize, nil
}

// pageSize is the shortest name of a page size in KiB, as Kubernetes names them: 64Ki, 2Mi, 1Gi (HugePageResourceName).
func pageSize(kib int) string {
	units := "KMGT"
	unit := 0
	for kib%1024 == 0 && unit < len(units)-1 {
		kib /= 1024
		unit++
	}
	return fmt.Sprintf("%d%ci", kib, units[unit])
}

// nameSockets gives sockets from 0 to 1023: memory alone belongs to the socket of the nearest CPUs, and where firmware numbers
// packages by its own offsets (ACPI PPTT on Arm), sockets are counted in their order.
func nameSockets(nodes []api.Numa) {
	var sockets []int
	for _, node := range nodes {
		if node.Socket != unknownSocket {
			sockets = append(sockets, node.Socket)
		}
	}
	slices.Sort(sockets)
	sockets = slices.Compact(sockets)
	count := len(sockets) > 0 && sockets[len(sockets)-1] > largestID
	named := make([]int, len(nodes))
	for i, node := range nodes {
		named[i] = node.Socket
		if node.Socket == unknownSocket {
			named[i] = nearestSocket(node, nodes)
		}
		if count {
			named[i], _ = slices.BinarySearch(sockets, named[i])
		}
	}
	for i := range nodes {
		nodes[i].Socket = named[i]
	}
}

func nearestSocket(memory api.Numa, nodes []api.Numa) int {
	nearest, shortest := 0, math.MaxInt32
	for i, node := range nodes {
		if node.Socket != unknownSocket && len(memory.Distances) == len(nodes) && memory.Distances[i] < shortest {
			nearest, shortest = node.Socket, memory.Distances[i]
		}
	}
	return nearest
}
