package reader

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/fakenode"
)

// run runs a reader on a made-up node until the status that it writes is as wanted.
func run(t *testing.T, node *fakenode.Node, environment map[string]string, wanted func(api.Status) bool) api.Status {
	t.Helper()
	config, err := ConfigOf(func(name string) string { return environment[name] })
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	r, err := New(config, "1.2.3", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan struct{})
	go func() {
		r.Run(ctx)
		close(ended)
	}()
	var status api.Status
	for ctx.Err() == nil {
		text, err := os.ReadFile(node.Path("status.json"))
		if err == nil {
			status = api.Status{}
			if err := json.Unmarshal(text, &status); err != nil {
				t.Fatal(err)
			}
			if wanted(status) {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	late := ctx.Err()
	cancel()
	<-ended
	if late != nil {
		t.Fatalf("no such status: %+v\n%s", status, log.String())
	}
	return status
}

func conditionOf(status api.Status, kind string) api.Condition {
	for _, condition := range status.Conditions {
		if condition.Type == kind {
			return condition
		}
	}
	return api.Condition{}
}

func startNode(t *testing.T) *fakenode.Node {
	node, err := fakenode.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	return node
}

func TestReaderSaysAllOfAFullNode(t *testing.T) {
	node := startNode(t)
	status := run(t, node, node.Environment(), func(status api.Status) bool { return len(status.Knobs) > 0 })
	if status.AgentVersion != "1.2.3" || status.BootID != "11111111-1111-1111-1111-111111111111" || *status.AllocatableCPUs != "1-27,29-55,57-83,85-111" {
		t.Errorf("%+v", status)
	}
	if len(status.Exclusive) != fakenode.Executors {
		t.Fatalf("%d exclusive containers", len(status.Exclusive))
	}
	for _, entry := range status.Exclusive {
		if entry.CPUs != entry.KernelCPUs || *entry.LocalMemoryPercent != 99 || entry.Namespace != "spark" {
			t.Errorf("%+v", entry)
		}
	}
	for kind, want := range map[string]string{topologyRead: reasonRead, pinningRead: reasonRead, knobsApplied: reasonNoWriter} {
		if got := conditionOf(status, kind); got.Reason != want {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if len(status.Knobs) != len(fakenode.Settings) || *status.ObservedGeneration != 2 {
		t.Errorf("%d knobs, generation %d", len(status.Knobs), *status.ObservedGeneration)
	}
}

func TestReaderSaysHowBusyTheNodeIsIfItIsAsked(t *testing.T) {
	node := startNode(t)
	status := run(t, node, node.Environment(), func(status api.Status) bool { return len(status.Knobs) > 0 })
	if status.Load != nil {
		t.Errorf("nobody asked: %+v", status.Load)
	}
	node = startNode(t)
	node.WantLoad = true
	status = run(t, node, node.Environment(), func(status api.Status) bool { return status.Load != nil })
	if got := status.Load; got.TotalMilliseconds != 10_000 || got.BusyMilliseconds != 1300 || got.StolenMilliseconds != 400 {
		t.Errorf("%+v", got)
	}
}

func TestReaderSaysWhatItCannotRead(t *testing.T) {
	node := startNode(t)
	environment := node.Environment()
	environment["NUMASPARK_POD_RESOURCES"] = node.Path("none/kubelet.sock")
	environment["NUMASPARK_KUBELET_PORT"] = "1"
	status := run(t, node, environment, func(api.Status) bool { return true })
	if got := conditionOf(status, pinningRead); got.Status != statusFalse || got.Reason != "PodResourcesNotFound" {
		t.Errorf("%+v", got)
	}
	if got := conditionOf(status, topologyRead); got.Status != statusFalse || got.Reason != "KubeletUnreachable" {
		t.Errorf("%+v", got)
	}
	if status.AllocatableCPUs != nil || len(status.Exclusive) != 0 {
		t.Errorf("claimed nevertheless: %+v", status)
	}
}

func TestReaderSaysThatTheHardwareCannotBeRead(t *testing.T) {
	node := startNode(t)
	if err := os.Remove(node.Path("root/sys/devices/system/node/node1/meminfo")); err != nil {
		t.Fatal(err)
	}
	config, err := ConfigOf(func(name string) string { return node.Environment()[name] })
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(config, "1", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	// There is no topology to write a status to, but nothing ends either.
	if _, err := r.step(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	c := r.conditions
	if len(c) != 2 || c[0].Reason != reasonHardwareNotRead || !strings.Contains(c[0].Message, "node1/meminfo") || c[1].Reason != reasonHardwareNotRead {
		t.Errorf("%+v", c)
	}
}
