package reader

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/fakenode"
	"numaspark.io/agent/internal/systemd"
)

func TestTheConditionNamesAContainerWithItsCommand(t *testing.T) {
	runc := systemd.Move{PodUID: "uid-1", ContainerID: "c1", Unit: "cri-containerd-c1.scope", CPUs: cpuset.New(8, 9), Held: cpuset.New(0, 1)}
	other := systemd.Move{PodUID: "uid-2", ContainerID: "c2", Unit: "crio-c2.scope", CPUs: cpuset.New(4, 5), Held: cpuset.New(2, 3)}
	executor := []api.Exclusive{{Namespace: "spark", Pod: "sort-exec-1", Container: "executor", ContainerID: "c2"}}
	for _, test := range []struct {
		name      string
		compared  int
		moves     []systemd.Move
		exclusive []api.Exclusive
		status    string // empty if there is no condition
		parts     []string
	}{
		{name: "systemd keeps nothing"},
		{name: "all agree", compared: 3, status: statusTrue},
		{name: "by its UID", compared: 3, moves: []systemd.Move{runc}, status: statusFalse, parts: []string{
			"moves 1 of the containers", "container of pod UID uid-1 has CPUs 8-9 and would have 0-1", "runc before 1.1.6",
			"systemctl set-property --runtime cri-containerd-c1.scope AllowedCPUs=8-9",
		}},
		{name: "an executor before others", compared: 3, moves: []systemd.Move{runc, other}, exclusive: executor, status: statusFalse, parts: []string{
			"moves 2 of the containers", "container executor of pod spark/sort-exec-1 has CPUs 4-5 and would have 2-3", "something else than systemd",
			"systemctl set-property --runtime crio-c2.scope AllowedCPUs=4-5",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := conditions{now: time.Unix(0, 0)}
			found.putSystemd(test.compared, test.moves, test.exclusive)
			if test.status == "" {
				if len(found.all) != 0 {
					t.Fatalf("%+v", found.all)
				}
				return
			}
			if len(found.all) != 1 || found.all[0].Status != test.status {
				t.Fatalf("%+v", found.all)
			}
			for _, part := range test.parts {
				if !strings.Contains(found.all[0].Message, part) {
					t.Errorf("no %q in %q", part, found.all[0].Message)
				}
			}
		})
	}
}

func TestReaderComparesSystemdWithAllContainers(t *testing.T) {
	node := startNode(t)
	containers, err := cgroup.Read(node.Path("cgroup"), cgroup.Question{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(node.Path("systemd"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, container := range containers {
		unit := fmt.Sprintf("[Scope]\nAllowedCPUs=\nAllowedCPUs=%s\n", container.CPUs)
		if err := os.WriteFile(node.Path("systemd/cri-containerd-"+container.ID+".scope"), []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(containers) < fakenode.Executors {
		t.Fatalf("%d containers", len(containers))
	}
	environment := node.Environment()
	environment["NUMASPARK_SYSTEMD"] = node.Path("systemd")
	status := run(t, node, environment, func(status api.Status) bool { return len(status.Exclusive) > 0 })
	if got := conditionOf(status, systemdAgrees); got.Status != statusTrue || got.Reason != reasonAgrees {
		t.Errorf("%+v", got)
	}
}
