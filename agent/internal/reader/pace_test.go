package reader

import (
	"slices"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/api"
)

func TestPauseWritesWhatHappensAtOnceAndWhatDriftsOnceAMinute(t *testing.T) {
	written := status("t0", 1, executor("1-3", 97, 0))
	for change, c := range map[string]struct {
		next *api.Status
		want time.Duration
	}{
		"nothing but the time":  {status("t1", 1, executor("1-3", 97, 0)), 5 * time.Minute},
		"noise":                 {status("t1", 1, executor("1-3", 93, 4)), 5 * time.Minute},
		"memory moves away":     {status("t1", 1, executor("1-3", 92, 0)), time.Minute},
		"throttling begins":     {status("t1", 1, executor("1-3", 97, 5)), time.Minute},
		"a percentage is known": {status("t1", 1, executor("1-3", 97, -1)), time.Minute},
		"other CPUs":            {status("t1", 1, executor("4-6", 97, 0)), 2 * time.Second},
		"another wish":          {status("t1", 2, executor("1-3", 97, 0)), 2 * time.Second},
		"an executor is gone":   {status("t1", 1), 2 * time.Second},
		"an executor more":      {status("t1", 1, executor("1-3", 97, 0), executor("4-6", 97, 0)), 2 * time.Second},
	} {
		if got := pause(written, c.next); got != c.want {
			t.Errorf("%s: %v after the last write, want %v", change, got, c.want)
		}
	}
	counted, more := status("t1", 1, executor("1-3", 97, 0)), status("t2", 1, executor("1-3", 97, 0))
	counted.Exclusive[0].Counts, more.Exclusive[0].Counts = map[string]int64{"cycles": 1}, map[string]int64{"cycles": 2}
	for _, c := range []struct {
		what          string
		written, next *api.Status
		want          time.Duration
	}{{"counts begin", written, counted, 15 * time.Second}, {"counts go on", counted, more, time.Minute}, {"counts stay", more, more, 5 * time.Minute}} {
		if got := pause(c.written, c.next); got != c.want {
			t.Errorf("%s: %v after the last write, want %v", c.what, got, c.want)
		}
	}
	loaded := status("t1", 1, executor("1-3", 97, 0))
	loaded.Load = &api.Load{TotalMilliseconds: 1}
	if got := []time.Duration{pause(written, loaded), pause(loaded, loaded), pause(loaded, written)}; !slices.Equal(got,
		[]time.Duration{2 * time.Second, 10 * time.Second, 2 * time.Second}) {
		t.Errorf("the load begins, goes on and ends: %v", got)
	}
	if got := pause(nil, written); got != 0 {
		t.Errorf("the first status is written after %v", got)
	}
}

func status(heartbeat string, generation int64, exclusive ...api.Exclusive) *api.Status {
	allocatable := "1-7"
	return &api.Status{ObservedGeneration: &generation, Heartbeat: heartbeat, AgentVersion: "1", BootID: "boot",
		AllocatableCPUs: &allocatable, Exclusive: exclusive}
}

// executor is one whose throttling is unknown if it is negative.
func executor(cpus string, local, throttled int) api.Exclusive {
	entry := api.Exclusive{Namespace: "default", Pod: "exec-1", Container: "spark", PodUID: "uid", ContainerID: "id",
		CPUs: cpus, MemoryNodes: "0", KernelCPUs: cpus, KernelMemoryNodes: "0", LocalMemoryPercent: &local}
	if throttled >= 0 {
		entry.ThrottledPercent = &throttled
	}
	return entry
}

// A message has words of the kubelet and of files; a status that is too large is refused.
func TestConditionsHaveMessagesOfOneLineAndBoundedLength(t *testing.T) {
	var c conditions
	c.put(pinningRead, statusFalse, "Why", "said\n\x1b[2J"+strings.Repeat("x", 1<<20))
	if got := c.all[0].Message; !strings.HasPrefix(got, `said\u000a\u001b[2Jxx`) || len(got) > 4200 {
		t.Errorf("%d bytes: %.40s", len(got), got)
	}
}

func TestConditionsKeepTheTimeAtWhichTheirStatusChanged(t *testing.T) {
	first := conditions{now: time.Unix(0, 0)}
	first.put(topologyRead, statusTrue, reasonRead, "")
	first.put(pinningRead, statusTrue, reasonRead, "")
	second := conditions{before: first.all, now: time.Unix(60, 0)}
	second.put(topologyRead, statusTrue, reasonRead, "")
	second.put(pinningRead, statusFalse, "PodResourcesTimedOut", "")
	if second.all[0].LastTransitionTime != "1970-01-01T00:00:00Z" || second.all[1].LastTransitionTime != "1970-01-01T00:01:00Z" {
		t.Errorf("%+v", second.all)
	}
}
