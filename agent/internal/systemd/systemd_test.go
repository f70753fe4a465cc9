package systemd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cgroup"
)

const dropIn = `# This is a drop-in unit file extension, created via "systemctl set-property"
# or an equivalent operation. Do not edit.
[Scope]
AllowedCPUs=
AllowedCPUs=%s
`

const scopeFile = `# This is a transient unit file, created programmatically via the systemd API. Do not edit.
[Scope]
Slice=kubepods-pod1.slice
Delegate=yes

[Unit]
Description=libcontainer container
DefaultDependencies=no

[Scope]
AllowedCPUs=
AllowedCPUs=%s
`

var start = time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)

func parse(t *testing.T, list string) cpuset.CPUSet {
	t.Helper()
	set, err := cpuset.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func id(number int) string { return fmt.Sprintf("%064x", 0xabcdef00+number) }

func unit(number int) string { return "cri-containerd-" + id(number) + ".scope" }

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func container(t *testing.T, number int, cpus string) cgroup.Container {
	return cgroup.Container{PodUID: fmt.Sprintf("uid-%d", number), ID: id(number), CPUs: parse(t, cpus)}
}

func TestWhatAReloadWouldDoToAContainer(t *testing.T) {
	for _, test := range []struct {
		name            string
		told            string
		scope, property string // contents; empty if there is no such file
		compared        int
		held            string // empty if nothing would move
		defect          bool
	}{
		{name: "systemd keeps the same set", told: "8-11", scope: fmt.Sprintf(scopeFile, "8-11"), compared: 1},
		{name: "an old runc at the start", told: "8-11", scope: fmt.Sprintf(scopeFile, "0-3"), compared: 1, held: "0-3", defect: true},
		{name: "an old runc later", told: "12-15", scope: fmt.Sprintf(scopeFile, "12-15"), property: fmt.Sprintf(dropIn, "4-7"),
			compared: 1, held: "4-7", defect: true},
		{name: "corrected by set-property", told: "8-11", scope: fmt.Sprintf(scopeFile, "0-3"), property: fmt.Sprintf(dropIn, "8-11"), compared: 1},
		{name: "somebody wrote to the cgroup", told: "4-7", scope: fmt.Sprintf(scopeFile, "2-3"), compared: 1, held: "2-3"},
		{name: "systemd writes lists with spaces", told: "0,2,4-5", scope: fmt.Sprintf(scopeFile, "0 2 4-5"), compared: 1},
		{name: "cleared later", told: "4-7", scope: "[Scope]\nAllowedCPUs=1\nAllowedCPUs=\n"},
		{name: "nothing set", told: "4-7", scope: "[Scope]\nDelegate=yes\n"},
		{name: "no scope", told: "4-7"},
		{name: "not understood", told: "4-7", scope: fmt.Sprintf(scopeFile, "4-99999")},
		{name: "runs on all CPUs", told: "", scope: fmt.Sprintf(scopeFile, "4-7")},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			if test.scope != "" {
				write(t, filepath.Join(folder, unit(1)), test.scope)
			}
			if test.property != "" {
				write(t, filepath.Join(folder, unit(1)+".d", "50-AllowedCPUs.conf"), test.property)
			}
			watcher := NewWatcher(folder)
			running := []cgroup.Container{container(t, 1, test.told)}
			if _, moves := watcher.Look(running, start); len(moves) != 0 {
				t.Errorf("said at the first look: %+v", moves)
			}
			compared, moves := watcher.Look(running, start.Add(doubt))
			if compared != test.compared {
				t.Errorf("%d compared", compared)
			}
			if test.held == "" {
				if len(moves) != 0 {
					t.Fatalf("%+v", moves)
				}
				return
			}
			if len(moves) != 1 || moves[0].Held.String() != test.held || moves[0].Unit != unit(1) || moves[0].IsRuncDefect() != test.defect {
				t.Fatalf("%+v", moves)
			}
		})
	}
}

func TestADifferenceThatChangesIsDoubtedAgain(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, unit(1))
	running := []cgroup.Container{container(t, 1, "8-11")}
	watcher := NewWatcher(folder)
	write(t, file, fmt.Sprintf(scopeFile, "0-3"))
	watcher.Look(running, start)
	write(t, file, fmt.Sprintf(scopeFile, "4-7"))
	if _, moves := watcher.Look(running, start.Add(doubt)); len(moves) != 0 {
		t.Errorf("%+v", moves)
	}
	if _, moves := watcher.Look(running, start.Add(2*doubt)); len(moves) != 1 {
		t.Errorf("%+v", moves)
	}
	if _, moves := watcher.Look(nil, start.Add(3*doubt)); len(moves) != 0 || len(watcher.since) != 0 {
		t.Errorf("a container that has gone is remembered: %+v %v", moves, watcher.since)
	}
}

func TestMovesAreSortedByPodAndContainer(t *testing.T) {
	folder := t.TempDir()
	var running []cgroup.Container
	for _, number := range []int{3, 1, 2} {
		write(t, filepath.Join(folder, unit(number)), fmt.Sprintf(scopeFile, "0-3"))
		running = append(running, container(t, number, "8-11"))
	}
	watcher := NewWatcher(folder)
	watcher.Look(running, start)
	_, moves := watcher.Look(running, start.Add(doubt))
	if len(moves) != 3 || moves[0].ContainerID != id(1) || moves[2].ContainerID != id(3) {
		t.Fatalf("%+v", moves)
	}
}

func TestForeignAndHugeFilesDoNoHarm(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "run-u12.scope"), fmt.Sprintf(scopeFile, "0-3"))
	write(t, filepath.Join(folder, "crio-conmon-"+id(2)+".scope"), fmt.Sprintf(scopeFile, "0-3"))
	// What is after the first 64 KiB is not read.
	write(t, filepath.Join(folder, unit(1)), strings.Repeat("#"+strings.Repeat(" ", 1022)+"\n", 65)+fmt.Sprintf(scopeFile, "0-3"))
	if err := os.MkdirAll(filepath.Join(folder, unit(3)), 0o755); err != nil {
		t.Fatal(err)
	}
	watcher := NewWatcher(folder)
	running := []cgroup.Container{container(t, 1, "8-11"), container(t, 2, "8-11"), container(t, 3, "8-11")}
	if compared, moves := watcher.Look(running, start); compared != 0 || len(moves) != 0 {
		t.Errorf("%d %+v", compared, moves)
	}
	if compared, _ := NewWatcher(filepath.Join(folder, "none")).Look(running, start); compared != 0 {
		t.Errorf("%d compared of no folder", compared)
	}
}

func TestNoMoreNamesAreReadThanAFolderCanSensiblyHave(t *testing.T) {
	folder := t.TempDir()
	for number := range mostNames + 1 {
		if err := os.Mkdir(filepath.Join(folder, unit(number)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if units := NewWatcher(folder).units(); len(units) != mostNames {
		t.Errorf("%d", len(units))
	}
}
