package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/utils/cpuset"
)

// The parts of a pod that matter, in the JSON of the API.
type randomPod struct {
	Metadata podMetadata `json:"metadata"`
	Spec     *podSpec    `json:"spec,omitempty"`
}

type podMetadata struct {
	Name        string            `json:"name"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type podSpec struct {
	InitContainers []podContainer `json:"initContainers,omitempty"`
	Containers     []podContainer `json:"containers"`
	Resources      *podResources  `json:"resources,omitempty"`
}

type podContainer struct {
	Name          string        `json:"name"`
	RestartPolicy string        `json:"restartPolicy,omitempty"`
	Resources     *podResources `json:"resources,omitempty"`
}

type podResources struct {
	Requests map[string]string `json:"requests,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"`
}

// shapes are the sizes from which the pods of a case are made: few, so that they compete for the same places.
type shapes struct {
	cpus      []int
	memory    []int64
	pageSizes []string
	pages     map[string]int64
}

// pods draws pods in order of arrival, some of which leave and come back.
func (d dice) pods(m *randomMachine, k Kubelet) []json.RawMessage {
	s := d.shapes(m, k)
	var events []json.RawMessage
	add := func(pod randomPod) {
		text, err := encode(pod)
		if err != nil {
			panic(err)
		}
		events = append(events, text)
	}
	var present, gone []string
	next := 0
	for range weighted(d, 2, 10, 3, 15, 4, 20, 5, 20, 6, 15, 8, 12, 10, 8) {
		name := "p" + strconv.Itoa(next)
		if len(gone) > 0 && d.chance(50) {
			name, gone = gone[0], gone[1:]
		} else {
			next++
		}
		add(randomPod{Metadata: podMetadata{Name: name}, Spec: d.podSpec(s)})
		present = append(present, name)
		if d.chance(18) {
			leaving := d.IntN(len(present))
			add(randomPod{Metadata: podMetadata{
				Name: present[leaving], Annotations: map[string]string{removedAnnotation: "true"},
			}})
			gone = append(gone, present[leaving])
			present = append(present[:leaving:leaving], present[leaving+1:]...)
		}
	}
	return events
}

func (d dice) shapes(m *randomMachine, k Kubelet) shapes {
	s := shapes{pages: map[string]int64{}}
	node := oneOf(d, m.cpus...).Size()
	t := m.threads
	cache := node
	for _, numaNode := range m.nodes[:len(m.cpus)] {
		if len(numaNode.Caches) > 0 {
			domain, _ := cpuset.Parse(oneOf(d, numaNode.Caches...))
			cache = domain.Size()
		}
	}
	for range d.between(1, 3) {
		cpus := oneOf(d, 1, t, t, 2*t, 3*t, node, node/2, node/2, node/3, node/4, node-t, node-1, node+1, node+t, 2*node,
			cache, cache/2, cache-t, cache+t, d.between(1, node), d.between(1, 2*node))
		if d.chance(45) { // whole cores
			cpus = cpus / t * t
		}
		s.cpus = append(s.cpus, max(1, cpus))
	}
	home := oneOf(d, m.nodes...)
	free := int64(home.Memory) - k.ReservedMemory[strconv.Itoa(home.ID)]
	for size, pages := range home.Hugepages {
		free -= int64(pages * pageBytes(size))
	}
	for range d.between(1, 3) {
		s.memory = append(s.memory, max(mebibyte, oneOf(d, 64*mebibyte, 64*mebibyte, free/8, free/4, free/3, free/2,
			free/2+1, free*2/3, free, free+mebibyte, free*3/2)/mebibyte*mebibyte))
	}
	// Three kinds of memory on many NUMA nodes: the kubelet would try millions of combinations of hints.
	if len(m.nodes) < 5 || k.MemoryManagerPolicy != "Static" {
		for _, size := range m.pageSizes {
			pages := int64(oneOf(d, m.nodes...).Hugepages[size])
			s.pageSizes = append(s.pageSizes, size)
			s.pages[size] = max(1, oneOf(d, 1, pages/4, pages/2, pages)) * int64(pageBytes(size)) / mebibyte
		}
	}
	return s
}

const (
	guaranteed = iota
	fractional
	burstable
	bestEffort
	podLevel
	notQuiteGuaranteed
)

func (d dice) podSpec(s shapes) *podSpec {
	kind := weighted(d, guaranteed, 76, fractional, 5, burstable, 6, bestEffort, 3, podLevel, 4, notQuiteGuaranteed, 6)
	spec := &podSpec{}
	for i := range weighted(d, 0, 74, 1, 16, 2, 7, 3, 3) {
		c := podContainer{Name: "init" + strconv.Itoa(i), Resources: d.resources(s, kind, false)}
		if d.chance(40) {
			c.RestartPolicy = "Always"
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	for i := range weighted(d, 1, 74, 2, 20, 3, 6) {
		name := "main"
		if i > 0 {
			name = "extra" + strconv.Itoa(i)
		}
		spec.Containers = append(spec.Containers, podContainer{Name: name, Resources: d.resources(s, kind, i == 0)})
	}
	switch kind {
	case podLevel:
		spec.Resources = &podResources{Limits: map[string]string{"cpu": strconv.Itoa(8 + slices.Max(s.cpus)),
			"memory": mebibytes(256*mebibyte + slices.Max(s.memory))}}
		if d.chance(50) { // otherwise the API server makes them the sum of the containers' requests, if there are some
			spec.Resources.Requests = spec.Resources.Limits
		}
	case notQuiteGuaranteed: // one container spoils the quality of service for all
		if len(spec.InitContainers) > 0 && d.chance(60) {
			spec.InitContainers[d.IntN(len(spec.InitContainers))].Resources = nil
		} else {
			spec.Containers[d.IntN(len(spec.Containers))].Resources = &podResources{
				Requests: map[string]string{"cpu": strconv.Itoa(oneOf(d, s.cpus...))},
				Limits:   map[string]string{"memory": mebibytes(oneOf(d, s.memory...))},
			}
		}
	}
	return spec
}

// resources of a container. Containers beside the main one are mostly small, often with a part of a CPU.
func (d dice) resources(s shapes, kind int, main bool) *podResources {
	cpu := strconv.Itoa(oneOf(d, s.cpus...))
	memory := oneOf(d, s.memory...)
	if !main && d.chance(60) {
		cpu = oneOf(d, "1", "2", "100m", "500m", "1500m")
		memory = oneOf(d, memory/4/mebibyte*mebibyte+mebibyte, 32*mebibyte)
	}
	both := map[string]string{"cpu": cpu, "memory": mebibytes(memory)}
	for _, size := range s.pageSizes {
		if d.chance(30) {
			both["hugepages-"+size] = fmt.Sprintf("%dMi", s.pages[size])
		}
	}
	switch kind {
	case bestEffort:
		return nil
	case fractional:
		both["cpu"] = oneOf(d, "500m", "1500m", "2500m", "3.5")
	case burstable:
		if d.chance(50) { // limits that are higher than the requests
			requests := maps.Clone(both)
			requests["memory"] = mebibytes(max(mebibyte, memory/2/mebibyte*mebibyte))
			return &podResources{Requests: requests, Limits: both}
		}
		return &podResources{Requests: map[string]string{"cpu": both["cpu"], "memory": both["memory"]}}
	case podLevel:
		if d.chance(50) {
			return nil
		}
		return &podResources{Limits: map[string]string{"cpu": "1", "memory": "32Mi"}}
	}
	if d.chance(50) {
		return &podResources{Limits: both} // the API server fills in the requests
	}
	return &podResources{Requests: both, Limits: both}
}

func mebibytes(bytes int64) string { return fmt.Sprintf("%dMi", bytes/mebibyte) }
