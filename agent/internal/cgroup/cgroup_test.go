package cgroup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"k8s.io/utils/cpuset"
)

var pool = parse("0,4-31")

func parse(list string) cpuset.CPUSet {
	set, err := cpuset.Parse(list)
	if err != nil {
		panic(err)
	}
	return set
}

func read(t *testing.T, top string) []Container {
	t.Helper()
	containers, err := Read(top, Question{Shared: []cpuset.CPUSet{pool, cpuset.New()}})
	if err != nil {
		t.Fatal(err)
	}
	return containers
}

func TestReadsPodsOfAllClasses(t *testing.T) {
	const plainUID = "0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		systemd bool
		root    string
	}{{true, "/"}, {false, "/"}, {true, "/kubelet"}, {false, "/kubelet"}, {false, "/a/kubelet"}} {
		t.Run(fmt.Sprintf("systemd %v below %s", c.systemd, c.root), func(t *testing.T) {
			top := t.TempDir()
			tr := newTree(t, top, c.systemd, c.root)
			tr.fill(tr.container(uid, id(1)), "1-3", "0")
			tr.fill(tr.container(uid, id(2)), "0,4-31", "0-1")
			tr.fill(filepath.Join(tr.pod("burstable", otherUID), id(3)), "0,4-31", "0-1")
			tr.fill(filepath.Join(tr.pod("besteffort", plainUID), id(4)), "", "0-1")
			want := []Container{
				{PodUID: plainUID, ID: id(4), CPUs: cpuset.New()},
				{PodUID: uid, ID: id(1), CPUs: parse("1-3"), Usage: &Usage{CPUs: parse("1-3"), MemoryNodes: parse("0"),
					AnonBytes: map[int]int64{0: 900000000, 1: 100000000}, Quota: &QuotaCounters{1000, 50}}},
				{PodUID: uid, ID: id(2), CPUs: pool},
				{PodUID: otherUID, ID: id(3), CPUs: pool},
			}
			if got := read(t, top); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestKnowsTheNamesThatRuntimesGive(t *testing.T) {
	for name, isContainer := range map[string]bool{
		"cri-containerd-%s.scope": true,
		"crio-%s.scope":           true,
		"docker-%s.scope":         true,
		"%s":                      true,
		"crio-%s":                 true,
		"crio-conmon-%s.scope":    false,
		"%s.max":                  false,
	} {
		top := t.TempDir()
		tr := newTree(t, top, true, "/")
		tr.fill(filepath.Join(tr.pod("", uid), fmt.Sprintf(name, id(1))), "1-3", "0")
		if got := read(t, top); (len(got) == 1 && got[0].ID == id(1)) != isContainer {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReadsTheCgroupThatCrunMakes(t *testing.T) {
	top := t.TempDir()
	tr := newTree(t, top, true, "/")
	outer := filepath.Join(tr.pod("", uid), "crio-"+id(1)+".scope")
	tr.fill(outer, "", "0-1")
	tr.fill(filepath.Join(outer, "container"), "1-3", "0")
	if got := read(t, top); len(got) != 1 || got[0].CPUs.String() != "1-3" {
		t.Errorf("%+v", got)
	}
}

func TestReadsWhoeverMayUseCPUsThatSomebodyWasGiven(t *testing.T) {
	for _, c := range []struct{ what, told, effective, want string }{
		{"told nothing", "", "0-31", "0-31"},
		{"told nothing, in a cgroup with fewer", "", "4-31", ""},
		{"shared CPUs", pool.String(), pool.String(), ""},
		{"shared CPUs that are all offline, so that it has all", pool.String(), "0-31", "0-31"},
		{"the id is asked for", pool.String(), pool.String(), pool.String()},
		{"nothing runs in it", "", "0-31", "none"},
	} {
		top := t.TempDir()
		tr := newTree(t, top, true, "/")
		tr.fill(tr.container(uid, id(1)), c.told, "0-1")
		tr.write(tr.container(uid, id(1)), "cpuset.cpus.effective", c.effective+"\n")
		question := Question{Shared: []cpuset.CPUSet{pool}, Given: parse("1-3"),
			IDs: map[string]bool{id(1): c.what == "the id is asked for"}, Idle: map[string]bool{id(1): c.want == "none"}}
		found, err := Read(top, question)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		for _, container := range found {
			if got = ""; container.Usage != nil {
				got = container.Usage.CPUs.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestKnowsTheCPUsOfPods(t *testing.T) {
	top := t.TempDir()
	if set, known := PodCPUs(top); known {
		t.Errorf("without a cgroup: %s", set)
	}
	tr := newTree(t, top, true, "/")
	if set, known := PodCPUs(top); known {
		t.Errorf("without a file: %s", set)
	}
	tr.write(tr.kubepods, "cpuset.cpus.effective", "0-6\n")
	if set, known := PodCPUs(top); !known || set.String() != "0-6" {
		t.Errorf("%s, %v", set, known)
	}
}

func TestLeavesOutAContainerThatGoesWhileItIsRead(t *testing.T) {
	top := t.TempDir()
	tr := newTree(t, top, true, "/")
	tr.fill(tr.container(uid, id(1)), "1-3", "0")
	tr.remove(filepath.Join(tr.container(uid, id(1)), "cpuset.mems.effective"))
	tr.write(tr.container(uid, id(2)), "cgroup.procs", "")
	if got := read(t, top); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestDoesWithoutTheFilesOfOtherControllers(t *testing.T) {
	top := t.TempDir()
	tr := newTree(t, top, true, "/")
	container := tr.container(uid, id(1))
	tr.fill(container, "1-3", "0")
	tr.remove(filepath.Join(container, "memory.numa_stat"))
	tr.write(container, "cpu.stat", "usage_usec 5\n")
	want := &Usage{CPUs: parse("1-3"), MemoryNodes: parse("0"), AnonBytes: map[int]int64{}}
	if got := read(t, top); len(got) != 1 || !reflect.DeepEqual(got[0].Usage, want) {
		t.Errorf("%+v", got)
	}
}

func TestLeavesOutThePodsOfNestedNodes(t *testing.T) {
	top := t.TempDir()
	outer := newTree(t, top, true, "/")
	outer.fill(outer.container(uid, id(1)), "1-3", "0")
	nested := newTree(t, filepath.Join(top, "docker"), false, "/")
	nested.fill(nested.container(otherUID, id(2)), "1-3", "0")
	if got := read(t, top); len(got) != 1 || got[0].PodUID != uid {
		t.Errorf("%+v", got)
	}
}

func TestNamesTheFileThatItDoesNotUnderstand(t *testing.T) {
	for _, c := range []struct{ file, content, message string }{
		{"cpuset.cpus", "1-x", "cpuset.cpus: 'x' in '1-x' is not a CPU id"},
		{"cpuset.cpus.effective", "9999", "cpuset.cpus.effective: '9999' in '9999' is not a CPU id"},
		{"memory.numa_stat", "anon N0=much", "memory.numa_stat: 'much' is not a whole number"},
		{"cpu.stat", "nr_periods a\nnr_throttled 1", "cpu.stat: 'a' is not a whole number"},
	} {
		top := t.TempDir()
		tr := newTree(t, top, true, "/")
		container := tr.container(uid, id(1))
		tr.fill(container, "1-3", "0")
		tr.write(container, c.file, c.content+"\n")
		expect(t, top, NotUnderstood, filepath.Join(container, c.message))
	}
}

func expect(t *testing.T, top, reason, message string) {
	t.Helper()
	_, err := Read(top, Question{Shared: []cpuset.CPUSet{pool}})
	var unavailable *Error
	if !errors.As(err, &unavailable) || unavailable.Reason != reason || !strings.Contains(unavailable.Message, message) {
		t.Errorf("%v; want %s, %s", err, reason, message)
	}
}

func TestSaysWhatIsWrongWithTheRoot(t *testing.T) {
	top := t.TempDir()
	tr := tree{t: t}
	expect(t, top, NotMounted, top+" has no cgroup.controllers: mount the node's")
	tr.write(filepath.Join(top, "cpuset/kubepods"), "cpuset.cpus", "")
	expect(t, top, V1, "systemd.unified_cgroup_hierarchy=1")
	if err := os.RemoveAll(filepath.Join(top, "cpuset/kubepods")); err != nil {
		t.Fatal(err)
	}
	tr.write(top, "cgroup.controllers", "cpuset\n")
	expect(t, top, NoPods, "kubepods")
	tr.write(filepath.Join(top, "kubepods.slice"), "cgroup.procs", "")
	expect(t, top, NoCpuset, "enable the controller cpuset")
}

func TestEventsRaiseWhenAPodComesAlsoBelowAFolderThatWasMadeAnew(t *testing.T) {
	top := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changed := make(chan struct{}, 100)
	events := NewEvents(top, func() { changed <- struct{}{} }, slog.New(slog.DiscardHandler))
	events.Register(ctx)
	for range 2 {
		pods := filepath.Join(top, "kubepods.slice")
		if err := os.Mkdir(pods, 0o755); err != nil {
			t.Fatal(err)
		}
		events.Register(ctx)
		if err := os.Mkdir(filepath.Join(pods, "kubepods-pod1.slice"), 0o755); err != nil {
			t.Fatal(err)
		}
		<-changed
		if err := os.RemoveAll(pods); err != nil {
			t.Fatal(err)
		}
		<-changed
		for len(events.watcher.WatchList()) > 0 { // the library drops a folder that is gone
			<-changed
		}
	}
}

// As where the folder of cgroups is not to be seen.
func TestEventsLogTroubleOnce(t *testing.T) {
	var log strings.Builder
	events := NewEvents(t.TempDir(), func() {}, slog.New(slog.NewTextHandler(&log, nil)))
	events.Register(t.Context())
	if err := os.Mkdir(filepath.Join(events.root, "kubepods"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := events.watcher.Close(); err != nil {
		t.Fatal(err)
	}
	events.Register(t.Context())
	events.Register(t.Context())
	if strings.Count(log.String(), "cannot listen to") != 1 {
		t.Error(log.String())
	}
}
