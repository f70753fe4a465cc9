package load

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// node has a /proc/stat and cgroups of the systemd driver.
func node(t *testing.T, stat string) (root, cgroups string) {
	root = t.TempDir()
	cgroups = filepath.Join(root, "cgroups")
	write(t, filepath.Join(root, "proc/stat"), stat)
	write(t, filepath.Join(cgroups, "cgroup.controllers"), "cpu")
	return root, cgroups
}

func pod(t *testing.T, cgroups, class string, number int, microseconds int64) {
	slice := "kubepods"
	folder := filepath.Join(cgroups, "kubepods.slice")
	if class != "" {
		slice += "-" + class
		folder = filepath.Join(folder, slice+".slice")
	}
	folder = filepath.Join(folder, fmt.Sprintf("%s-pod%08x_0000_4000_8000_000000000000.slice", slice, number))
	write(t, filepath.Join(folder, "cpu.stat"), fmt.Sprintf("usage_usec %d\nuser_usec 1\n", microseconds))
}

func TestLoadIsThatOfTheNodeAndOfEachPod(t *testing.T) {
	// 1 s each of user, nice, system, idle, iowait, irq, softirq and steal; guest time is a part of user.
	root, cgroups := node(t, "cpu  100 100 100 100 100 100 100 100 50 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n")
	pod(t, cgroups, "", 1, 2_000_000)
	pod(t, cgroups, "burstable", 2, 5_500)
	pod(t, cgroups, "besteffort", 3, 999)
	write(t, filepath.Join(cgroups, "system.slice/containerd.service/cpu.stat"), "usage_usec 77000\n")
	got := Read(root, cgroups)
	if got.TotalMilliseconds != 8000 || got.BusyMilliseconds != 5000 || got.StolenMilliseconds != 1000 || len(got.Pods) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []int64{2000, 5, 0} {
		if got.Pods[i].CPUMilliseconds != want || got.Pods[i].PodUID != fmt.Sprintf("%08x-0000-4000-8000-000000000000", i+1) {
			t.Errorf("%+v", got.Pods[i])
		}
	}
}

func TestLoadNamesThePodsWithTheMostTime(t *testing.T) {
	root, cgroups := node(t, "cpu  1 1 1 1 1 1 1 1\n")
	for i := range mostPods + 3 {
		pod(t, cgroups, "", i, int64(i)*1000)
	}
	got := Read(root, cgroups)
	if len(got.Pods) != mostPods || got.Pods[0].CPUMilliseconds != 3 {
		t.Errorf("%d pods from %+v", len(got.Pods), got.Pods[0])
	}
}

func TestNoLoadIsGuessed(t *testing.T) {
	for _, stat := range []string{"", "cpu 1 2 3\n", "cpu0 1 1 1 1 1 1 1 1\n", "cpu 1 1 1 x 1 1 1 1\n", "cpu 1 1 1 -1 1 1 1 1\n"} {
		root, cgroups := node(t, stat)
		if got := Read(root, cgroups); got != nil {
			t.Errorf("%q: %+v", stat, got)
		}
	}
	if got := Read(t.TempDir(), t.TempDir()); got != nil {
		t.Errorf("%+v", got)
	}
}
