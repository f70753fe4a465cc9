// Package cpus reads sets of CPU ids, and of NUMA node ids, in Linux's list notation.
package cpus

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"
)

// MaxID is the largest CPU id: CONFIG_NR_CPUS is at most 8192.
const MaxID = 8191

// longestQuote is the most that an error repeats of a text, which others may make as long as they like.
const longestQuote = 64

// Parse reads a list such as 0-3,8; blank text is the empty set. Unlike cpuset.Parse it refuses ids above MaxID, so that a
// short text cannot ask for all memory. Its errors name the part that is not understood.
func Parse(list string) (cpuset.CPUSet, error) {
	list = strings.TrimSpace(list)
	if list == "" {
		return cpuset.New(), nil
	}
	var ids []int
	for part := range strings.SplitSeq(list, ",") {
		ends := strings.Split(strings.TrimSpace(part), "-")
		if len(ends) > 2 {
			return cpuset.New(), unreadable(list, part)
		}
		first, err := parseID(list, ends[0])
		if err != nil {
			return cpuset.New(), err
		}
		last, err := parseID(list, ends[len(ends)-1])
		if err != nil {
			return cpuset.New(), err
		}
		if last < first {
			return cpuset.New(), fmt.Errorf("'%s' in '%s' runs backwards: write the lower CPU first", cut(part), cut(list))
		}
		if len(ids)+last-first > 2*MaxID {
			return cpuset.New(), fmt.Errorf("'%s' names more CPUs than a kernel may have: write each CPU once", cut(list))
		}
		for id := first; id <= last; id++ {
			ids = append(ids, id)
		}
	}
	return cpuset.New(ids...), nil
}

// Overlap reports whether two sets have an id in common.
func Overlap(a, b cpuset.CPUSet) bool { return !a.Intersection(b).IsEmpty() }

// Swapped is what a set becomes if its bits are read from the wrong end, byte by byte: 8-11 becomes 0-3. runc before 1.1.6 gives
// sets in this order to systemd (RangeToBits of libcontainer/cgroups/systemd; opencontainers/runc issue 3808). A set of CPUs below
// 8 is one byte, and stays.
func Swapped(set cpuset.CPUSet) cpuset.CPUSet {
	ids := set.List()
	if len(ids) == 0 {
		return set
	}
	last := ids[len(ids)-1] / 8
	for i, id := range ids {
		ids[i] = 8*(last-id/8) + id%8
	}
	return cpuset.New(ids...)
}

func parseID(list, text string) (int, error) {
	id, err := strconv.ParseUint(text, 10, 16)
	if err != nil || id > MaxID || len(text) > 4 {
		return 0, unreadable(list, text)
	}
	return int(id), nil
}

func unreadable(list, part string) error {
	return fmt.Errorf("'%s' in '%s' is not a CPU id: write ids from 0 to %d as in 0-3,8", cut(part), cut(list), MaxID)
}

func cut(text string) string {
	if len(text) <= longestQuote {
		return text
	}
	return text[:longestQuote] + "..."
}
