// Package cgroup reads the cgroups (v2) of pods' containers, of both cgroup drivers of the kubelet.
//
// It reads one short file for each container, and four more for each that has CPUs of its own, or nine with its accounts. Containers come and go
// meanwhile: one that has gone is left out, without an error. Cgroups below a container's own are not read, except the one
// called container that crun makes.
package cgroup

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
)

// The kubelet's cgroup-root may be another one than /, as in kind: /kubelet.slice.
const kubepodsDepth = 3

// memory.numa_stat of 1024 NUMA nodes would not be larger.
const longestFile = 1 << 20

// Reasons why nothing can be read. Conditions of a SparkNodeTopology use these words.
const (
	NotMounted    = "NotMounted"
	V1            = "CgroupV1"
	NoPods        = "NoPods"
	NoCpuset      = "NoCpuset"
	NotUnderstood = "NotUnderstood"
)

// Reasons are all of them.
var Reasons = []string{NotMounted, V1, NoPods, NoCpuset, NotUnderstood}

// Error says why nothing could be read, and what to do about it.
type Error struct{ Reason, Message string }

func (e *Error) Error() string { return e.Message }

// Container is one as the kernel sees it.
type Container struct {
	// PodUID is from the name of the pod's cgroup, ID is what the container runtime gave to it.
	PodUID, ID string
	// CPUs are those that it was told to use (cpuset.cpus); empty if it was told nothing.
	CPUs cpuset.CPUSet
	// Usage is nil if it has no CPUs of its own, and none that the question is about.
	Usage *Usage
}

// Question says of which containers more than cpuset.cpus is to be read.
type Question struct {
	// Shared are the sets of containers that share CPUs.
	Shared []cpuset.CPUSet
	// Given are CPUs that somebody was given for himself: whoever may use one of them is read, whatever he was told. The kernel
	// decides (cpuset.cpus.effective): to be told nothing means all CPUs.
	Given cpuset.CPUSet
	// IDs are containers that are read in any case.
	IDs map[string]bool
	// Idle are containers in which nothing runs: they are left out.
	Idle map[string]bool
	// Accounts asks for Usage.Accounts too.
	Accounts bool
}

// Usage is what the kernel lets a container use, and what it has used so far.
type Usage struct {
	// CPUs and MemoryNodes are cpuset.cpus.effective and cpuset.mems.effective.
	CPUs, MemoryNodes cpuset.CPUSet
	// AnonBytes are bytes of anonymous memory by NUMA node (anon of memory.numa_stat); empty if the kernel does not say.
	AnonBytes map[int]int64
	// Quota is nil if the kernel does not say.
	Quota *QuotaCounters
	// Accounts is nil unless the question asks for them.
	Accounts *Accounts
}

// QuotaCounters count since the container has started: periods in which its CPU quota was enforced (nr_periods of cpu.stat),
// and those of them in which it had to wait (nr_throttled).
type QuotaCounters struct{ Periods, Throttled int64 }

// Read reads all containers of pods, sorted by pod UID and container id.
//
// The root is where the node's /sys/fs/cgroup is. Containers with one of the shared CPU sets share their CPUs: no more than
// cpuset.cpus is read of them, unless the question says otherwise.
func Read(root string, question Question) ([]Container, error) {
	if _, err := os.Stat(filepath.Join(root, "cgroup.controllers")); err != nil {
		return nil, notVersion2(root)
	}
	kubepods := findKubepods(root)
	if len(kubepods) == 0 {
		return nil, &Error{NoPods, fmt.Sprintf("no cgroup kubepods or kubepods.slice up to %d levels below %s:"+
			" mount the node's whole /sys/fs/cgroup there", kubepodsDepth, root)}
	}
	r := reader{question: question}
	for _, pods := range kubepods {
		if _, there := readFile(pods, "cpuset.cpus"); !there {
			return nil, &Error{NoCpuset, pods + " has no readable cpuset.cpus: enable the controller cpuset for it" +
				" (cgroup.subtree_control of the cgroups above)"}
		}
		if err := r.pods(pods); err != nil {
			return nil, &Error{NotUnderstood, err.Error()}
		}
	}
	slices.SortFunc(r.containers, func(a, b Container) int {
		return cmp.Or(cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.ID, b.ID))
	})
	return r.containers, nil
}

func notVersion2(root string) error {
	if isFolder(root, "cpuset") || isFolder(root, "unified") {
		return &Error{V1, "the node has cgroup v1, which is not supported: start its kernel with" +
			" systemd.unified_cgroup_hierarchy=1"}
	}
	return &Error{NotMounted, root + " has no cgroup.controllers: mount the node's /sys/fs/cgroup there, read-only"}
}

// findKubepods returns the highest cgroups of that name; others below them would be those of a nested node.
func findKubepods(root string) (found []string) {
	level := []string{root}
	for depth := 0; depth < kubepodsDepth && len(found) == 0; depth++ {
		var below []string
		for _, parent := range level {
			for _, name := range children(parent) {
				if isKubepods(name) {
					found = append(found, filepath.Join(parent, name))
				} else if isCgroup(name) {
					below = append(below, filepath.Join(parent, name))
				}
			}
		}
		level = below
	}
	return found
}

// PodCPUs are the CPUs that the kernel lets pods use; not known without an error.
func PodCPUs(root string) (set cpuset.CPUSet, known bool) {
	set = cpuset.New()
	for _, pods := range findKubepods(root) {
		effective, there, err := readCPUs(pods, "cpuset.cpus.effective")
		if err != nil || !there || effective.IsEmpty() {
			return cpuset.New(), false
		}
		set = set.Union(effective)
	}
	return set, !set.IsEmpty()
}

type reader struct {
	question   Question
	containers []Container
}

func (r *reader) pods(parent string) error {
	for _, name := range children(parent) {
		var err error
		if uid, isPod := podUID(name); isPod {
			err = r.pod(filepath.Join(parent, name), uid)
		} else if isQoSClass(name) {
			err = r.pods(filepath.Join(parent, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) pod(pod, uid string) error {
	for _, name := range children(pod) {
		id, isContainer := containerID(name)
		if !isContainer || r.question.Idle[id] {
			continue
		}
		folder := filepath.Join(pod, name)
		told, there, err := readCPUs(folder, "cpuset.cpus")
		if there && told.IsEmpty() && isFolder(folder, "container") {
			folder = filepath.Join(folder, "container")
			told, there, err = readCPUs(folder, "cpuset.cpus")
		}
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		container := Container{PodUID: uid, ID: id, CPUs: told}
		asked, there, err := r.isAsked(id, folder, told)
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		if asked {
			if container.Usage, err = r.usage(folder); err != nil {
				return err
			}
			if container.Usage == nil {
				continue
			}
		}
		r.containers = append(r.containers, container)
	}
	return nil
}

// isAsked reports whether all of a container is to be read; it is not there any more if it has gone meanwhile.
func (r *reader) isAsked(id, folder string, told cpuset.CPUSet) (asked, there bool, err error) {
	if !told.IsEmpty() && !slices.ContainsFunc(r.question.Shared, told.Equals) || r.question.IDs[id] {
		return true, true, nil
	}
	if r.question.Given.IsEmpty() {
		return false, true, nil
	}
	effective, there, err := readCPUs(folder, "cpuset.cpus.effective")
	return cpus.Overlap(effective, r.question.Given), there, err
}

// usage is nil if the container has gone.
func (r *reader) usage(folder string) (*Usage, error) {
	var u Usage
	var there bool
	var err error
	if u.CPUs, there, err = readCPUs(folder, "cpuset.cpus.effective"); err != nil || !there {
		return nil, err
	}
	if u.MemoryNodes, there, err = readCPUs(folder, "cpuset.mems.effective"); err != nil || !there {
		return nil, err
	}
	if u.AnonBytes, err = anonBytes(folder); err != nil {
		return nil, err
	}
	if r.question.Accounts {
		u.Accounts = accounts(folder)
	}
	u.Quota, err = quotaCounters(folder)
	return &u, err
}

// anonBytes reads a line such as "anon N0=4096 N1=0".
func anonBytes(folder string) (map[int]int64, error) {
	const file = "memory.numa_stat"
	text, _ := readFile(folder, file)
	bytes := map[int]int64{}
	for part := range strings.FieldsSeq(line(text, "anon ")) {
		node, amount, found := strings.Cut(part, "=")
		node, isNode := strings.CutPrefix(node, "N")
		if !found || !isNode || node == "" {
			continue
		}
		id, err := number(folder, file, node)
		if err != nil {
			return nil, err
		}
		if bytes[int(id)], err = number(folder, file, amount); err != nil {
			return nil, err
		}
	}
	return bytes, nil
}

// quotaCounters are there if the controller cpu is enabled.
func quotaCounters(folder string) (*QuotaCounters, error) {
	const file = "cpu.stat"
	text, _ := readFile(folder, file)
	periods, throttled := line(text, "nr_periods "), line(text, "nr_throttled ")
	if periods == "" || throttled == "" {
		return nil, nil
	}
	var counters QuotaCounters
	var err error
	if counters.Periods, err = number(folder, file, periods); err != nil {
		return nil, err
	}
	counters.Throttled, err = number(folder, file, throttled)
	return &counters, err
}

// line is the rest of the line with this start; empty if there is none.
func line(text, start string) string {
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, start); found {
			return strings.TrimRight(rest, "\n")
		}
	}
	return ""
}

func number(folder, file, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: '%s' is not a whole number", filepath.Join(folder, file), text)
	}
	return n, nil
}

func readCPUs(folder, file string) (set cpuset.CPUSet, there bool, err error) {
	text, there := readFile(folder, file)
	if set, err = cpus.Parse(text); err != nil {
		err = fmt.Errorf("%s: %w", filepath.Join(folder, file), err)
	}
	return set, there, err
}

// readFile does not tell a file that cannot be read from a cgroup that has gone.
func readFile(folder, file string) (text string, there bool) {
	f, err := os.Open(filepath.Join(folder, file))
	if err != nil {
		return "", false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, longestFile))
	return string(content), err == nil
}

// children are the names in a cgroup; none if it is gone or is a file.
func children(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return names
}

func isFolder(parent, name string) bool {
	info, err := os.Stat(filepath.Join(parent, name))
	return err == nil && info.IsDir()
}
