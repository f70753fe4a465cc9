package reader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/knob"
	"numaspark.io/agent/internal/kubelet"
)

var start = time.Unix(0, 0)

func observer(t *testing.T) *knob.Observer {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "proc/sys/vm"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "proc/sys/vm/swappiness"), []byte("60\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return knob.NewObserver(root, knob.Processor{Vendor: "GenuineIntel", Family: 6, Model: 62})
}

func wanted(settings map[string]string, enforced ...string) *api.Knobs {
	return &api.Knobs{Profile: "profile", Scope: "Node", Settings: settings, Enforced: enforced}
}

func swappiness(value string) map[string]string { return map[string]string{"memory.swappiness": value} }

func condition(wanted *api.Knobs, states []api.KnobState, failure error) string {
	c := conditions{now: start}
	c.putKnobs(wanted, states, failure)
	if len(c.all) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s %s %s", c.all[0].Status, c.all[0].Reason, c.all[0].Message)
}

func TestKnobsAreComparedWhereTheyCannotBeSet(t *testing.T) {
	wish := wanted(swappiness("1"), "memory.swappiness")
	states, failure := (&knobs{observer: observer(t)}).look(t.Context(), wish, nil, start)
	if failure != nil || len(states) != 1 || states[0].Actual != "60" || states[0].State != knob.Observed {
		t.Errorf("%+v, %v", states, failure)
	}
	if got := condition(wish, states, nil); got != "False NoWriter memory.swappiness: "+noWriter {
		t.Error(got)
	}
}

func TestAKnobOfANewerOperatorIsUnsupported(t *testing.T) {
	wish := wanted(map[string]string{"prefetch.ofTheFuture": "Disabled", "memory.swappiness": "60"})
	states, _ := (&knobs{observer: observer(t)}).look(t.Context(), wish, nil, start)
	if len(states) != 2 || states[0].Name != "prefetch.ofTheFuture" || states[0].State != knob.Unsupported || states[1].State != knob.Observed {
		t.Errorf("%+v", states)
	}
}

func TestThereIsNoConditionWhereNothingIsToBeSet(t *testing.T) {
	wish := wanted(swappiness("1"))
	states, _ := (&knobs{observer: observer(t)}).look(t.Context(), wish, nil, start)
	if got := condition(wish, states, nil); got != "none" {
		t.Error(got)
	}
	if got := condition(nil, nil, nil); got != "none" {
		t.Error(got)
	}
}

func TestOneReasonIsNamedSeveralAreCounted(t *testing.T) {
	wish := wanted(nil, "a", "b", "c")
	failed := api.KnobState{Name: "a", State: knob.Failed, Message: "why"}
	applied := api.KnobState{Name: "b", State: knob.Applied}
	drifted := api.KnobState{Name: "c", State: knob.Drifted, Message: "who"}
	for want, states := range map[string][]api.KnobState{
		"True Applied ":                       {applied},
		"False Failed a: why":                 {failed, applied},
		"False SeveralReasons a: why; c: who": {failed, applied, drifted},
	} {
		if got := condition(wish, states, nil); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// fakeWriter keeps what it is asked for.
type fakeWriter struct {
	asked  []string
	states []api.KnobState
	err    error
}

func (w *fakeWriter) Apply(_ context.Context, wanted knob.Settings, cores *cpuset.CPUSet) ([]api.KnobState, error) {
	asked := "apply"
	for _, k := range wanted.Knobs() {
		asked += " " + k.String() + "=" + wanted[k]
	}
	if cores != nil {
		asked += " on " + cores.String()
	}
	w.asked = append(w.asked, asked)
	return w.states, w.err
}

func (w *fakeWriter) Restore(context.Context) ([]api.KnobState, error) {
	w.asked = append(w.asked, "restore")
	return w.states, w.err
}

func (w *fakeWriter) Status(context.Context) ([]api.KnobState, error) {
	w.asked = append(w.asked, "status")
	return w.states, w.err
}

func TestTheWriterIsAskedOnceAndReadOnceAMinute(t *testing.T) {
	state := func(state string) []api.KnobState { return []api.KnobState{{Name: "memory.swappiness", State: state}} }
	w := &fakeWriter{states: state(knob.Applied)}
	k := &knobs{observer: observer(t), writer: w}
	wish := wanted(swappiness("1"), "memory.swappiness")
	at := start
	for _, c := range []struct {
		after  time.Duration
		wish   *api.Knobs
		states []api.KnobState
		err    error
		asked  []string
	}{
		{0, wish, state(knob.Applied), nil, []string{"apply memory.swappiness=1"}},
		{59 * time.Second, wish, state(knob.Applied), nil, nil},
		{time.Second, wish, state(knob.Applied), nil, []string{"status"}},
		{time.Minute, wish, state(knob.Drifted), nil, []string{"status", "apply memory.swappiness=1"}},
		// Another writer has started, which compares until it is asked.
		{time.Minute, wish, state(knob.Observed), nil, []string{"status", "apply memory.swappiness=1"}},
		{time.Minute, wish, nil, errors.New("gone"), []string{"status"}},
		{time.Second, wish, state(knob.Applied), nil, []string{"apply memory.swappiness=1"}},
		{time.Second, wanted(swappiness("2"), "memory.swappiness"), state(knob.Applied), nil, []string{"apply memory.swappiness=2"}},
		{time.Second, wanted(swappiness("2")), state(knob.Restored), nil, []string{"restore"}},
		{time.Hour, nil, nil, nil, nil},
	} {
		at = at.Add(c.after)
		w.asked, w.states, w.err = nil, c.states, c.err
		states, failure := k.look(t.Context(), c.wish, nil, at)
		if !slices.Equal(w.asked, c.asked) || !errors.Is(failure, c.err) {
			t.Errorf("at %v: %q, %v; want %q", at.Sub(start), w.asked, failure, c.asked)
		}
		if c.err != nil && (len(states) != 1 || !strings.HasPrefix(condition(c.wish, states, failure), "Unknown WriterNotAnswering gone")) {
			t.Errorf("what was set may still be so: %+v", states)
		}
	}
}

func TestKnobsOfExecutorsAreSetOnTheirCores(t *testing.T) {
	w := &fakeWriter{}
	k := &knobs{observer: observer(t), writer: w}
	wish := wanted(map[string]string{"prefetch.l1Stride": "Disabled"}, "prefetch.l1Stride")
	wish.Scope = api.ScopeExecutors
	exclusive := []api.Exclusive{
		{Container: executorContainer, CPUs: "1-3"}, {Container: executorContainer, CPUs: "8"}, {Container: "database", CPUs: "9"},
		{Container: executorContainer},
	}
	if _, err := k.look(t.Context(), wish, exclusive, start); err != nil {
		t.Fatal(err)
	}
	if _, err := k.look(t.Context(), wish, exclusive[:1], start); err != nil {
		t.Fatal(err)
	}
	if want := []string{"apply prefetch.l1Stride=Disabled on 1-3,8", "apply prefetch.l1Stride=Disabled on 1-3"}; !slices.Equal(w.asked, want) {
		t.Errorf("%q", w.asked)
	}
}

// Held to the table of docs/agent.md: every reason has an entry there, and every entry is a reason.
func TestEveryReasonIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/agent.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cell := strings.Split(line, "|")
		if len(cell) < 3 || !slices.ContainsFunc([]string{topologyRead, pinningRead, knobsApplied, pagesSwept},
			func(kind string) bool { return strings.HasPrefix(strings.TrimSpace(cell[1]), kind) }) {
			continue
		}
		for i, word := range strings.Split(cell[1], "`") {
			if i%2 == 1 {
				documented[word] = true
			}
		}
	}
	if want := allReasons(); !reflect.DeepEqual(documented, want) {
		t.Errorf("documented %q\nreasons    %q", slices.Sorted(maps.Keys(documented)), slices.Sorted(maps.Keys(want)))
	}
}

func allReasons() map[string]bool {
	all := append(slices.Clone(cgroup.Reasons), reasonRead, reasonHardwareNotRead, reasonSpecRefused, reasonWriterNotReached,
		reasonNoWriter, reasonSeveral, reasonSwept, reasonNotSwept, kubelet.ReasonNotUnderstood,
		// One that is only observed lacks a writer.
		knob.Applied, knob.Drifted, knob.Failed, knob.Unsupported, knob.Restored)
	for _, reason := range kubelet.Reasons {
		all = append(all, "Kubelet"+string(reason), "PodResources"+string(reason))
	}
	set := map[string]bool{}
	for _, reason := range all {
		set[reason] = true
	}
	return set
}
