package counter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/perf"
)

func set(list string) cpuset.CPUSet {
	parsed, err := cpus.Parse(list)
	if err != nil {
		panic(err)
	}
	return parsed
}

// all are readings of CPUs 0 to 9: a count for each, plus the CPU's number.
func all(value float64) map[int]perf.Counts {
	readings := map[int]perf.Counts{}
	for cpu := range 10 {
		readings[cpu] = perf.Counts{perf.CountCycles: value + float64(cpu)}
	}
	return readings
}

func TestTheLedgerCountsForEachContainerFromItsFirstReading(t *testing.T) {
	var l ledger
	start := time.Unix(1000, 0)
	one := map[string]cpuset.CPUSet{"a": set("2-3")}
	two := map[string]cpuset.CPUSet{"a": set("2-3"), "b": set("4-6")}
	l.count(one, all(100), start)
	l.count(two, all(200), start.Add(10*time.Second))
	got := l.count(two, all(350), start.Add(30*time.Second))
	want := []countfile.Counted{
		{Container: "a", Milliseconds: 30_000, Counts: map[string]int64{perf.CountCycles: 2 * 250}},
		{Container: "b", Milliseconds: 20_000, Counts: map[string]int64{perf.CountCycles: 3 * 150}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestTheLedgerStartsAnew(t *testing.T) {
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		later    string
		readings map[int]perf.Counts
		want     int64
	}{
		"as before":           {"2-3", all(300), 400},
		"other CPUs":          {"2-4", all(300), 0},
		"a CPU counts from 0": {"2-3", all(1), 0},
	} {
		var l ledger
		l.count(map[string]cpuset.CPUSet{"a": set("2-3")}, all(100), start)
		got := l.count(map[string]cpuset.CPUSet{"a": set(c.later)}, c.readings, start.Add(time.Second))
		if c.want == 0 && len(got) > 0 || c.want > 0 && got[0].Counts[perf.CountCycles] != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatNobodyKnowsIsNotCounted(t *testing.T) {
	var l ledger
	now := time.Unix(1000, 0)
	both := map[string]cpuset.CPUSet{"a": set("2-3"), "b": set("3-4"), "c": set("5")}
	l.count(both, all(0), now)
	now = now.Add(time.Second)
	if got := l.count(both, all(10), now); len(got) != 1 || got[0].Container != "c" {
		t.Errorf("CPU 3 is that of two: %+v", got)
	}
	readings := all(20)
	delete(readings, 3)
	if got := l.count(map[string]cpuset.CPUSet{"a": set("2-3")}, readings, now); len(got) != 0 {
		t.Errorf("CPU 3 is not counted: %+v", got)
	}
}

// machine is a kernel whose CPUs each do 1000 of everything between two readings.
type machine struct {
	mu     sync.Mutex
	next   int
	open   map[int]int // CPU by descriptor
	reads  map[int]uint64
	broken map[int]bool
}

func (m *machine) Open(_ perf.Event, cpu, _ int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken[cpu] {
		return -1, unix.ENODEV
	}
	m.next++
	m.open[m.next] = cpu
	return m.next, nil
}

func (m *machine) Read(leader, events int) (perf.Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken[m.open[leader]] {
		return perf.Reading{}, unix.ENODEV
	}
	m.reads[leader]++
	n := m.reads[leader] * 1000
	reading := perf.Reading{Enabled: n, Running: n}
	for range events {
		reading.Values = append(reading.Values, n)
	}
	return reading, nil
}

func (m *machine) Close(descriptor int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, descriptor)
}

func (m *machine) cpus() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []int
	for _, cpu := range m.open {
		ids = append(ids, cpu)
	}
	return cpuset.New(ids...).String()
}

// start runs a counter on a made-up machine, and returns how to await a report.
func start(t *testing.T, m *machine) (countfile.Files, func(what string, is func(*countfile.Report) bool) *countfile.Report) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "proc"), 0o755); err != nil {
		t.Fatal(err)
	}
	cpuinfo := "processor : 0\nvendor_id : AuthenticAMD\ncpu family : 25\nmodel : 17\n"
	if err := os.WriteFile(filepath.Join(root, "proc/cpuinfo"), []byte(cpuinfo), 0o644); err != nil {
		t.Fatal(err)
	}
	files := countfile.Files{Folder: t.TempDir()}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		c := Counter{Files: files, Kernel: m, Root: root, Look: 5 * time.Millisecond, Log: slog.New(slog.DiscardHandler)}
		ended <- c.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if left := m.cpus(); left != "" {
			t.Errorf("CPUs %s are left open", left)
		}
	})
	return files, func(what string, is func(*countfile.Report) bool) *countfile.Report {
		t.Helper()
		var last *countfile.Report
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			report, err := files.ReadReport()
			if err == nil && report != nil && is(report) {
				return report
			}
			last = report
		}
		t.Fatalf("no report with %s: %+v", what, last)
		return nil
	}
}

func newMachine() *machine {
	return &machine{open: map[int]int{}, reads: map[int]uint64{}, broken: map[int]bool{}}
}

func TestTheCounterFollowsItsTargets(t *testing.T) {
	m := newMachine()
	files, await := start(t, m)
	first := await("no containers", func(r *countfile.Report) bool { return len(r.Containers) == 0 })
	if len(first.Measures) != 5 || first.Measures[0].State != perf.Counted {
		t.Errorf("%+v", first.Measures)
	}
	write := func(targets ...countfile.Target) {
		t.Helper()
		if err := files.WriteTargets(countfile.Targets{Containers: targets}); err != nil {
			t.Fatal(err)
		}
	}
	write(countfile.Target{Container: "a", CPUs: "2-3"})
	await("one container", func(r *countfile.Report) bool { return len(r.Containers) == 1 && m.cpus() == "2-3" })
	write(countfile.Target{Container: "a", CPUs: "2-3"}, countfile.Target{Container: "b", CPUs: "4"})
	report := await("two", func(r *countfile.Report) bool { return len(r.Containers) == 2 && m.cpus() == "2-4" })
	if got := report.Containers[0].Counts[perf.CountCycles]; got == 0 || got%2000 != 0 {
		t.Errorf("a has %d cycles on two CPUs", got)
	}
	write()
	await("none", func(r *countfile.Report) bool { return len(r.Containers) == 0 && m.cpus() == "" })
}

// The reader is root, and may be in an attacker's hands.
func TestTheCounterOutlivesBadTargets(t *testing.T) {
	m := newMachine()
	files, await := start(t, m)
	if err := files.WriteTargets(countfile.Targets{Containers: []countfile.Target{{Container: "a", CPUs: "2"}}}); err != nil {
		t.Fatal(err)
	}
	await("one", func(r *countfile.Report) bool { return len(r.Containers) == 1 })
	for _, text := range []string{
		"", "{", `{"containers":[{"container":"a","cpus":"0-99999"}]}`, `{"containers":[{"container":"","cpus":"1"}]}`,
		`{"containers":[{"container":"` + strings.Repeat("x", 200) + `","cpus":"1"}]}`, strings.Repeat(" ", 1<<20),
		`{"containers":[` + strings.Repeat(`{"container":"a","cpus":"1"},`, 1500) + `{"container":"a","cpus":"1"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(files.Folder, "targets.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := files.ReadTargets(); err == nil {
			t.Errorf("%.40q is taken", text)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if got := m.cpus(); got != "2" {
		t.Errorf("counts CPUs %s", got)
	}
}

func TestACPUThatCannotBeCountedIsLeftOut(t *testing.T) {
	m := newMachine()
	m.broken[3] = true
	files, await := start(t, m)
	targets := countfile.Targets{Containers: []countfile.Target{{Container: "a", CPUs: "2-3"}, {Container: "b", CPUs: "5"}}}
	if err := files.WriteTargets(targets); err != nil {
		t.Fatal(err)
	}
	report := await("b", func(r *countfile.Report) bool { return len(r.Containers) > 0 })
	if len(report.Containers) != 1 || report.Containers[0].Container != "b" {
		t.Errorf("%+v", report.Containers)
	}
}

func TestManyCPUsThatTheNodeDoesNotHaveAreOneLineOfTheLog(t *testing.T) {
	m := newMachine()
	for cpu := range cpus.MaxID + 1 {
		m.broken[cpu] = cpu > 3
	}
	var log strings.Builder
	c := Counter{Kernel: m, Log: slog.New(slog.NewTextHandler(&log, nil)), groups: []perf.Group{{Events: []perf.Event{{}}}}, open: map[int]*perf.CPU{}}
	targets := map[string]cpuset.CPUSet{"a": set("3-8191")}
	c.openOnly(targets)
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "CPUs 4-8191 are not counted") || m.cpus() != "3" {
		t.Errorf("%.200s, and counts %s", got, m.cpus())
	}
	c.closeAll()
}

func TestTheCounterNeedsAProcessor(t *testing.T) {
	c := Counter{Root: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	if err := c.Run(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func ExampleCounter() {
	var l ledger
	targets := map[string]cpuset.CPUSet{"executor": set("2-3")}
	l.count(targets, all(0), time.Unix(0, 0))
	fmt.Println(l.count(targets, all(500), time.Unix(10, 0)))
	// Output: [{executor 10000 map[cycles:1000]}]
}
