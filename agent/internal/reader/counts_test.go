package reader

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/fakenode"
	"numaspark.io/agent/internal/perf"
)

// answer is a counter that has counted the same for each target.
func answer(t *testing.T, files countfile.Files, counts map[string]int64) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		targets, err := files.ReadTargets()
		if err != nil {
			t.Error(err)
			return
		}
		if len(targets) == 0 {
			continue
		}
		report := countfile.Report{Heartbeat: timestamp(time.Now()), Measures: []perf.Measure{{Name: perf.Instructions, State: perf.Counted}}}
		for container := range targets {
			report.Containers = append(report.Containers, countfile.Counted{Container: container, Milliseconds: 12_000, Counts: counts})
		}
		if err := files.WriteReport(report); err != nil {
			t.Error(err)
		}
		return
	}
	t.Error("the reader ordered nothing")
}

func TestReaderSaysWhatExecutorsDo(t *testing.T) {
	node := startNode(t)
	files := countfile.Files{Folder: t.TempDir()}
	environment := node.Environment()
	environment["NUMASPARK_COUNTER_FOLDER"] = files.Folder
	// "evil" is no name that a topology has.
	go answer(t, files, map[string]int64{perf.CountCycles: 1000, perf.CountInstructions: 2000, "evil": 1})
	status := run(t, node, environment, func(status api.Status) bool {
		return conditionOf(status, countersRead).Status == statusTrue && len(status.Exclusive) > 0 && status.Exclusive[0].Counts != nil
	})
	if len(status.Exclusive) != fakenode.Executors {
		t.Errorf("%d executors", len(status.Exclusive))
	}
	for _, entry := range status.Exclusive {
		want := map[string]int64{"milliseconds": 12_000, perf.CountCycles: 1000, perf.CountInstructions: 2000}
		if !reflect.DeepEqual(entry.Counts, want) || *entry.Usage.CPUMilliseconds != 5 || *entry.Usage.CPUWaitMilliseconds != 7 ||
			*entry.Usage.MajorFaults != 3 || *entry.Usage.Refaults != 30 {
			t.Fatalf("%+v %+v", entry.Counts, entry.Usage)
		}
	}
	want := []api.Counter{{Name: pressure, State: perf.Counted}, {Name: perf.Instructions, State: perf.Counted}}
	if !reflect.DeepEqual(status.Counters, want) {
		t.Errorf("%+v", status.Counters)
	}
}

func TestReaderSaysThatItsCounterIsSilent(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	silent := countfile.Report{Heartbeat: timestamp(now.Add(-2 * time.Minute)),
		Containers: []countfile.Counted{{Container: "id", Milliseconds: 1, Counts: map[string]int64{perf.CountCycles: 1}}}}
	old, err := json.Marshal(silent)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                          "has written no report yet",
		"{":                         "cannot be read",
		strings.Repeat("x", 2<<20):  "more than 1048576 bytes",
		string(old):                 "has written no report since 1970-01-12T13:44:40Z",
		`{"heartbeat":"\u001b[2J"}`: "since ?[2J",
	} {
		c := counts{files: countfile.Files{Folder: t.TempDir()}, cgroup: t.TempDir()}
		if text != "" {
			if err := os.WriteFile(filepath.Join(c.files.Folder, "counts.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		status := status("t0", 1, executor("1-3", 97, 0))
		found := conditions{now: now}
		c.look(now, status, &found)
		if got := found.all[0]; got.Reason != reasonCounterNotAnswering || !strings.Contains(got.Message, want) {
			t.Errorf("%.20q: %+v", text, got)
		}
		if status.Exclusive[0].Counts != nil || len(status.Counters) != 1 || status.Counters[0].Reason != "NoPsi" {
			t.Errorf("%.20q: %+v", text, status)
		}
	}
}

// Only executors are counted whose CPUs kubelet or runtime have given to them.
func TestReaderOrdersOnceWhatIsToBeCounted(t *testing.T) {
	c := counts{files: countfile.Files{Folder: t.TempDir()}, cgroup: t.TempDir()}
	pinned, pulling, intruder := executor("2-3", 97, 0), executor("4-5", 97, 0), executor("", 97, 0)
	pulling.ContainerID, intruder.ContainerID, intruder.KernelCPUs = "", "intruder", "0-7"
	if err := c.order([]api.Exclusive{pinned, pulling, intruder}); err != nil {
		t.Fatal(err)
	}
	targets, err := c.files.ReadTargets()
	if err != nil || len(targets) != 1 || targets["id"].String() != "2-3" {
		t.Errorf("%v, %v", targets, err)
	}
	if err := os.Remove(filepath.Join(c.files.Folder, "targets.json")); err != nil {
		t.Fatal(err)
	}
	if err := c.order([]api.Exclusive{pinned}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.files.Folder, "targets.json")); err == nil {
		t.Error("the same was written again")
	}
}
