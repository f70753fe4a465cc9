package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
)

const (
	heapMetric = "jvm_memory_pool_collection_used_bytes" // after the last collection, by pool
	eventsKind = "events"                                // the API server deletes them after an hour
	quietTime  = 2 * time.Second                         // two equal counts of series, so far apart
	// What the operator happens to do during one of them is held by it: the least of several is what it keeps.
	collections = 4
	soakOperand = "numaspark.io/application" // label of what is made for an application
)

// Sample is a measurement while nothing runs.
type Sample struct {
	Minutes      float64        `json:"minutes"`      // since the begin
	Applications int            `json:"applications"` // created since the begin
	Heap         int64          `json:"heapBytesAfterCollection"`
	Threads      int            `json:"threads"`
	Descriptors  int            `json:"fileDescriptors"`
	Series       int            `json:"metricSeries"`
	Objects      int            `json:"objects"` // without events
	RSS          int64          `json:"rssBytes"`
	Kinds        map[string]int `json:"objectsByKind"`
}

func (s Sample) note(out io.Writer) {
	fmt.Fprintf(out, "soak: %5.1f min, %6d applications: heap %6.2f MiB, %3d threads, %3d descriptors, %4d series, %4d objects, RSS %3d MiB\n",
		s.Minutes, s.Applications, float64(s.Heap)/(1<<20), s.Threads, s.Descriptors, s.Series, s.Objects, s.RSS>>20)
}

// Sampler measures the operator's process and what the API server keeps.
type Sampler struct {
	run     *FaultRun
	objects metadata.Interface
}

// sample waits until the operator has noticed that everything is gone: its series no longer change.
func (s Sampler) sample(ctx context.Context) (Sample, error) {
	pid, err := readPID(s.run.pidFile)
	if err != nil {
		return Sample{}, err
	}
	var text string
	before, deadline := -1, time.Now().Add(s.run.patient(usualBound))
	for {
		if text, err = metricsOf(ctx, pid); err != nil {
			return Sample{}, err
		}
		now := countSeries(text)
		if now == before || time.Now().After(deadline) {
			break
		}
		before = now
		time.Sleep(quietTime)
	}
	heap := int64(math.MaxInt64)
	for range collections {
		if err := s.run.shell.do("collect_garbage"); err != nil {
			return Sample{}, err
		}
		if text, err = metricsOf(ctx, pid); err != nil {
			return Sample{}, err
		}
		now, err := sumOf(text, heapMetric)
		if err != nil {
			return Sample{}, err
		}
		heap = min(heap, now)
		time.Sleep(quietTime)
	}
	sample := Sample{Heap: heap, Series: countSeries(text), RSS: memory(pid, "VmRSS:"), Threads: threads(pid)}
	descriptors, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return Sample{}, err
	}
	sample.Descriptors = len(descriptors)
	if sample.Kinds, err = s.count(ctx); err != nil {
		return Sample{}, err
	}
	for kind, count := range sample.Kinds {
		if kind != eventsKind {
			sample.Objects += count
		}
	}
	return sample, nil
}

func threads(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "Threads:"); found {
			count, _ := strconv.Atoi(strings.TrimSpace(value))
			return count
		}
	}
	return 0
}

func countSeries(text string) int {
	count := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			count++
		}
	}
	return count
}

// sumOf adds the series of a metric.
func sumOf(text, metric string) (int64, error) {
	sum, found := 0.0, false
	scanner := bufio.NewScanner(strings.NewReader(text))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		name, rest, _ := strings.Cut(scanner.Text(), "{")
		if name != metric {
			continue
		}
		fields := strings.Fields(rest[strings.LastIndex(rest, "}")+1:])
		if len(fields) == 0 {
			continue
		}
		value, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", metric, err)
		}
		sum, found = sum+value, true
	}
	if !found {
		return 0, fmt.Errorf("/metrics has no %s", metric)
	}
	return int64(sum), scanner.Err()
}

// count is how many objects of each kind the API server keeps, in one request for each.
func (s Sampler) count(ctx context.Context) (map[string]int, error) {
	kinds, err := s.run.cluster.core.Discovery().ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, group := range kinds {
		version, err := schema.ParseGroupVersion(group.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range group.APIResources {
			// Events are in two groups; they are the same ones.
			if !slices.Contains(kind.Verbs, "list") || kind.Name == eventsKind && version.Group != "" {
				continue
			}
			page, err := s.objects.Resource(version.WithResource(kind.Name)).List(ctx, metav1.ListOptions{Limit: 1})
			if err != nil {
				return nil, fmt.Errorf("counting %s: %w", kind.Name, err)
			}
			count := len(page.Items)
			if page.RemainingItemCount != nil {
				count += int(*page.RemainingItemCount)
			}
			if count > 0 {
				counts[kind.Name] += count
			}
		}
	}
	return counts, nil
}

// left names what there still is of applications, with how many.
func (s Sampler) left(ctx context.Context) ([]string, error) {
	of := func(group, version, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
	}
	var left []string
	for _, kind := range []struct {
		resource schema.GroupVersionResource
		labels   string
	}{
		{s.run.cluster.target.groupVersionResource(), ""},
		{scheduleKind, ""},
		{of("", "v1", "pods"), roleLabel},
		{of("", "v1", "services"), soakOperand},
		{of("", "v1", "configmaps"), soakOperand},
	} {
		found, err := s.objects.Resource(kind.resource).List(ctx, metav1.ListOptions{LabelSelector: kind.labels})
		if err != nil {
			return nil, err
		}
		if count := len(found.Items); count > 0 {
			left = append(left, fmt.Sprintf("%d %s", count, kind.resource.Resource))
		}
	}
	return left, nil
}
