package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/api"
)

var knobs = map[string]any{
	"profile": "p", "scope": "Executors",
	"settings": map[string]any{"memory.swappiness": "1"}, "enforced": []any{"memory.swappiness"},
}

func start(t *testing.T) (*fakeServer, *Topology) {
	f := newFake(t)
	topology, err := New(f.config, "n", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return f, topology
}

func spec(memory int64, cpuManagerPolicy string) *api.Spec {
	family := 6
	s := &api.Spec{
		CPU:       &api.CPU{Vendor: "GenuineIntel", Family: &family, SMTControl: "on"},
		NumaNodes: []api.Numa{{Memory: memory, Distances: []int{10}, Cores: []string{"0,1"}}},
	}
	if cpuManagerPolicy != "" {
		s.Kubelet = &api.Kubelet{CPUManagerPolicy: cpuManagerPolicy, ReservedCPUs: "0"}
	}
	return s
}

func (f *fakeServer) spec() map[string]any { return f.object["spec"].(map[string]any) }

func (f *fakeServer) memory() any { return f.spec()["numaNodes"].([]any)[0].(map[string]any)["memory"] }

func write(t *testing.T, topology *Topology, s *api.Spec) (made bool) {
	t.Helper()
	made, err := topology.WriteSpec(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func has(t *testing.T, topology *Topology, s *api.Spec) bool {
	t.Helper()
	has, err := topology.HasSpec(s)
	if err != nil {
		t.Fatal(err)
	}
	return has
}

func TestMakesTheObjectOnceAndThenWritesOnlyDifferences(t *testing.T) {
	f, topology := start(t)
	if err := topology.Refresh(t.Context()); err != nil || topology.Wishes().Generation != nil || has(t, topology, spec(1, "static")) {
		t.Fatal(err)
	}
	if !write(t, topology, spec(1, "static")) || f.object["kind"] != "SparkNodeTopology" {
		t.Errorf("not made: %v", f.object)
	}
	if !has(t, topology, spec(1, "static")) || has(t, topology, spec(2, "static")) {
		t.Error("what was written is not what is there")
	}
	if write(t, topology, spec(2, "static")) || f.memory() != float64(2) {
		t.Errorf("not changed: %v", f.object)
	}
}

func TestKeepsWhatTheOperatorHasWrittenInBetween(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	f.beforeNextWrite = func() {
		f.put("knobs", knobs)
		f.put("reportLoad", true)
	}
	write(t, topology, spec(2, "static"))
	if !topology.Wishes().Load {
		t.Error("the wish for the load is gone")
	}
	if f.memory() != float64(2) || !reflect.DeepEqual(f.spec()["knobs"], knobs) || !has(t, topology, spec(2, "static")) {
		t.Errorf("%v", f.object)
	}
	want := &api.Knobs{Profile: "p", Scope: "Executors", Settings: map[string]string{"memory.swappiness": "1"},
		Enforced: []string{"memory.swappiness"}}
	if got := topology.Wishes().Knobs; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestKeepsTheKubeletsSettingsWhileTheyAreNotKnown(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	if !has(t, topology, spec(1, "")) {
		t.Error("an unknown kubelet is a change")
	}
	write(t, topology, spec(2, ""))
	if kubelet := f.spec()["kubelet"].(map[string]any); kubelet["cpuManagerPolicy"] != "static" {
		t.Errorf("%v", kubelet)
	}
}

func TestMakesAnObjectAnewThatSomebodyHasDeleted(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	f.object = nil
	if !write(t, topology, spec(1, "static")) || f.memory() != float64(1) {
		t.Errorf("%v", f.object)
	}
}

func TestWritesTheStatusWhoeverHasWrittenBefore(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	f.put("knobs", knobs)
	if err := topology.WriteStatus(t.Context(), &api.Status{BootID: "boot"}); err != nil {
		t.Fatal(err)
	}
	if f.object["status"].(map[string]any)["bootId"] != "boot" || f.spec()["knobs"] == nil {
		t.Errorf("%v", f.object)
	}
}

func TestWritesNoStatusOfWhatDoesNotExist(t *testing.T) {
	f, topology := start(t)
	if err := topology.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.requests = nil
	if err := topology.WriteStatus(t.Context(), &api.Status{}); err != nil || f.requests != nil {
		t.Errorf("%v, %v", err, f.requests)
	}
}

func TestGivesUpWhenEveryWriteIsAConflict(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	var again func()
	again = func() {
		f.put("knobs", knobs)
		f.beforeNextWrite = again
	}
	f.beforeNextWrite = again
	_, err := topology.WriteSpec(t.Context(), spec(2, "static"))
	if err == nil || err.Error() != "the API server answers 409: the object has been modified" {
		t.Error(err)
	}
}

func TestSaysWhichRefusalsAreOfTheContent(t *testing.T) {
	f, topology := start(t)
	for code, want := range map[int]bool{400: true, 413: true, 422: true, 403: false, 500: false, 503: false} {
		f.answer = func(w http.ResponseWriter, _ *http.Request) { refuse(w, code, "no") }
		if _, err := topology.WriteSpec(t.Context(), spec(1, "static")); err == nil || RefusesContent(err) != want {
			t.Errorf("%d: %v, want %v", code, err, want)
		}
	}
}

func TestLearnsFromAWatch(t *testing.T) {
	f, topology := start(t)
	write(t, topology, spec(1, "static"))
	ctx, cancel := context.WithCancel(t.Context())
	changed, ended := make(chan struct{}, 10), make(chan struct{})
	go func() {
		topology.Watch(ctx, func() { changed <- struct{}{} })
		close(ended)
	}()
	f.events <- `{"type":"BOOKMARK","object":{"kind":"SparkNodeTopology","apiVersion":"numaspark.io/v1alpha1","metadata":{"name":"n","resourceVersion":"8"}}}`
	f.events <- event("MODIFIED", 7, `"spec":{"knobs":{"profile":"q","settings":{"memory.swappiness":"5"}},"reportLoad":true}`)
	<-changed
	if wishes := topology.Wishes(); *wishes.Generation != 7 || wishes.Knobs.Settings["memory.swappiness"] != "5" || !wishes.Load {
		t.Errorf("%+v", wishes)
	}
	// Too old: the library reads the object anew, and watches again.
	f.events <- `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired","message":"too old"}}`
	<-changed
	if wishes := topology.Wishes(); *wishes.Generation != 1 || wishes.Knobs != nil || wishes.Load {
		t.Errorf("%+v", wishes)
	}
	f.events <- event("DELETED", 1, `"spec":{}`)
	<-changed
	if topology.Wishes().Generation != nil || has(t, topology, spec(1, "static")) {
		t.Errorf("%+v", topology.Wishes())
	}
	cancel()
	<-ended
}

func event(kind string, generation int, rest string) string {
	return fmt.Sprintf(`{"type":"%s","object":{"kind":"SparkNodeTopology","apiVersion":"numaspark.io/v1alpha1",`+
		`"metadata":{"name":"n","resourceVersion":"%d","generation":%d},%s}}`, kind, 10+generation, generation, rest)
}

// An event that no server sends must neither take all memory nor end the agent.
func TestSurvivesAWatchThatNoServerSends(t *testing.T) {
	for name, hostile := range map[string]string{
		"long":     `{"type":"` + strings.Repeat("x", 20<<20) + `"}`,
		"deep":     `{"type":"MODIFIED","object":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}",
		"null":     "null",
		"no JSON":  "<html>",
		"stranger": `{"type":"MODIFIED","object":{"kind":"Secret","apiVersion":"v1"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			f, topology := start(t)
			write(t, topology, spec(1, "static"))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			changed := make(chan struct{}, 10)
			go topology.Watch(ctx, func() { changed <- struct{}{} })
			f.events <- hostile
			for {
				select {
				case f.events <- event("MODIFIED", 7, `"spec":{}`):
				case <-changed:
					if generation := topology.Wishes().Generation; generation != nil && *generation == 7 {
						return
					}
				case <-ctx.Done():
					t.Fatal("nothing is learned any more")
				}
			}
		})
	}
}

func TestRefusesAnAnswerWithoutEnd(t *testing.T) {
	f, topology := start(t)
	f.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 3 << 10 {
			_, _ = w.Write([]byte(strings.Repeat(" ", 1<<10)))
		}
	}
	if err := topology.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "more than 2097152 bytes") {
		t.Error(err)
	}
}

func TestShowsItsTokenToNobodyThatItIsSentTo(t *testing.T) {
	f, topology := start(t)
	f.answer = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }
	if err := topology.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "302") || len(f.requests) != 1 {
		t.Errorf("%v, %v", err, f.requests)
	}
}

func TestSaysWhyItMayNotRead(t *testing.T) {
	f := newFake(t)
	f.write(t, "token", "old")
	topology, err := New(f.config, "n", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := topology.Refresh(t.Context()); err == nil || err.Error() != "the API server answers 401: Unauthorized" {
		t.Error(err)
	}
}
