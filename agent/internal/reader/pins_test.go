package reader

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/hardware"
	"numaspark.io/agent/internal/pinfile"
)

// none is a kubelet that sets no cpusets.
var none = api.Kubelet{CPUManagerPolicy: "none", MemoryManagerPolicy: "None"}

func eightCPUs() hardware.Reading {
	return hardware.Reading{Online: cpuset.New(0, 1, 2, 3, 4, 5, 6, 7),
		NumaNodes: []api.Numa{{ID: 0, Memory: 1 << 30}, {ID: 1, Memory: 1 << 30}, {ID: 2}}}
}

func wantedPins() *api.Pins {
	return &api.Pins{Profile: "p", Generation: "g", Mode: "Pin", Memory: "Bind", SharedCPUs: "0,4",
		Slots: []api.Slot{{ID: "n0-0", NumaNode: 0, CPUs: "1-3"}, {ID: "n1-0", NumaNode: 1, CPUs: "5-7"}}}
}

func newPins(t *testing.T) *pins { return &pins{files: pinfile.Files{Folder: t.TempDir()}} }

func (p *pins) written(t *testing.T) string {
	t.Helper()
	source, err := p.files.ReadLayout()
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

func TestWritesTheLayoutThatIsWanted(t *testing.T) {
	p := newPins(t)
	if err := p.order(nil, eightCPUs(), nil, ""); err != nil || p.written(t) != "" {
		t.Errorf("something is written although nothing is wanted: %v", err)
	}
	if err := p.order(wantedPins(), eightCPUs(), &none, "0-1"); err != nil {
		t.Fatal(err)
	}
	layout, err := pinfile.ParseLayout([]byte(p.written(t)))
	if err != nil {
		t.Fatal(err)
	}
	if layout.Mems.String() != "0-1" || layout.Shared.String() != "0,4" || len(layout.Slots) != 2 || layout.Slots[1].Mems.String() != "1" ||
		len(layout.FormerShared) != 1 || layout.FormerShared[0].String() != "0-1" {
		t.Errorf("%+v", layout)
	}
	next := wantedPins()
	next.SharedCPUs, next.Generation, next.Slots = "0-1,4", "h", next.Slots[1:]
	if err := p.order(next, eightCPUs(), &none, ""); err != nil {
		t.Fatal(err)
	}
	if got := p.written(t); !strings.Contains(got, `"formerShared":["0,4","0-1"]`) {
		t.Error(got)
	}
}

func TestALayoutFollowsTheCPUsThatAreOnline(t *testing.T) {
	p := newPins(t)
	machine := eightCPUs()
	machine.Online = cpuset.New(0, 1, 2, 4, 5, 6, 7)
	if err := p.order(wantedPins(), machine, &none, ""); err != nil {
		t.Fatal(err)
	}
	if got := p.written(t); strings.Contains(got, "n0-0") || !strings.Contains(got, "n1-0") {
		t.Error(got)
	}
	machine.Online = cpuset.New(5, 6, 7)
	if err := p.order(wantedPins(), machine, &none, ""); err == nil || !strings.Contains(err.Error(), "spec.pins: shared: is empty") {
		t.Errorf("%v", err)
	}
}

func TestNothingIsChangedBesideAKubeletThatSetsCpusets(t *testing.T) {
	for _, kubelet := range []api.Kubelet{{CPUManagerPolicy: "static"}, {MemoryManagerPolicy: "Static"}} {
		for _, mode := range []string{"Pin", "Observe", "Release"} {
			p := newPins(t)
			wanted := wantedPins()
			wanted.Mode = mode
			if err := p.order(wanted, eightCPUs(), &kubelet, ""); err != nil {
				t.Fatal(err)
			}
			if got := p.written(t); !strings.Contains(got, `"mode":"Ignore"`) || strings.Contains(got, "n0-0") {
				t.Error(got)
			}
			if p.isGiver() {
				t.Errorf("%s: the pinner counts as the one that gives", mode)
			}
			now := time.Unix(0, 0).UTC()
			if err := p.files.WritePins(pinfile.Pins{Generation: "g", State: pinfile.Connected, Heartbeat: now.Format(time.RFC3339)}); err != nil {
				t.Fatal(err)
			}
			p.read(now)
			found := conditions{now: now}
			p.put(wanted, nil, &found)
			if got := found.all[0]; (got.Reason == reasonKubeletPins) != (mode == "Pin") || (got.Status == statusTrue) != (mode != "Pin") {
				t.Errorf("%s: %+v", mode, got)
			}
			if err := release(t.Context(), p.files); err != nil || !strings.Contains(p.written(t), `"mode":"Ignore"`) {
				t.Errorf("while numaspark is uninstalled: %v, %s", err, p.written(t))
			}
		}
	}
}

func TestAKubeletThatCannotBeAskedIsWhatItWas(t *testing.T) {
	static := &api.Kubelet{CPUManagerPolicy: "static"}
	gives := func(list string, err error) func() (cpuset.CPUSet, error) {
		set, _ := cpuset.Parse(list)
		return func() (cpuset.CPUSet, error) { return set, err }
	}
	for _, c := range []struct {
		what           string
		last, topology *api.Kubelet
		allocatable    func() (cpuset.CPUSet, error)
		want           string
	}{
		{"it was asked before", &none, static, gives("1-3", nil), "none"},
		{"the topology knows it", nil, &none, gives("1-3", nil), "none"},
		{"it gives CPUs to containers", nil, nil, gives("1-3", nil), "static"},
		{"it gives none, but perhaps memory", nil, nil, gives("", nil), ""},
		{"it does not answer at all", nil, nil, gives("", os.ErrNotExist), ""},
	} {
		p := newPins(t)
		if c.last != nil {
			p.knowKubelet(c.last, nil, nil)
		}
		got := p.knowKubelet(nil, c.topology, c.allocatable)
		if got == nil && c.want != "" || got != nil && got.CPUManagerPolicy != c.want {
			t.Errorf("%s: %+v, want %q", c.what, got, c.want)
		}
	}
}

func TestWritesNoLayoutForAKubeletThatNobodyKnows(t *testing.T) {
	p := newPins(t)
	failure := p.order(wantedPins(), eightCPUs(), nil, "")
	found := conditions{now: time.Unix(0, 0)}
	p.put(wantedPins(), failure, &found)
	if got := found.all[0]; got.Status != statusFalse || got.Reason != "KubeletUnknown" || p.written(t) != "" {
		t.Errorf("%+v, %s", got, p.written(t))
	}
	if err := p.order(wantedPins(), eightCPUs(), &none, ""); err != nil {
		t.Fatal(err)
	}
	// The next agent takes over what was ordered.
	next := &pins{files: p.files}
	if err := next.order(wantedPins(), eightCPUs(), nil, ""); err == nil || next.sharedCPUs().String() != "0,4" {
		t.Errorf("%v, %s are shared", err, next.sharedCPUs())
	}
}

func TestSlotsThatNoExecutorCouldUseAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		what                   string
		online, isolated, pods string
		slots                  int
		message                string
	}{
		{"all can be used", "0-7", "", "0-7", 2, ""},
		{"the kernel does not say what pods may use", "0-7", "", "", 2, ""},
		{"a shared CPU is isolated", "0-7", "0", "0-7", 2, ""},
		{"one is isolated", "0-7", "2,6", "0-7", 0, "n0-0 (CPUs 2 are isolated"},
		{"pods may not use one", "0-7", "", "0-6", 1, "n1-0 (CPUs 7 are not in cpuset.cpus.effective of kubepods"},
		{"one is offline", "0-2,4-7", "", "0-2,4-7", 1, "n0-0 (CPUs 3 are offline)"},
	} {
		p := newPins(t)
		machine := eightCPUs()
		machine.Online, _ = cpuset.Parse(c.online)
		machine.Isolated, _ = cpuset.Parse(c.isolated)
		p.pods, _ = cpuset.Parse(c.pods)
		if err := p.order(wantedPins(), machine, &none, ""); err != nil {
			t.Fatal(err)
		}
		now := time.Unix(0, 0).UTC()
		if err := p.files.WritePins(pinfile.Pins{Generation: "g", State: pinfile.Connected, Heartbeat: now.Format(time.RFC3339)}); err != nil {
			t.Fatal(err)
		}
		p.read(now)
		found := conditions{now: now}
		p.put(wantedPins(), nil, &found)
		got := found.all[0]
		if len(p.layout.Slots) != c.slots || !strings.Contains(got.Message, c.message) || got.Status != statusTrue ||
			(got.Reason == "SlotsLeftOut") != (c.message != "") {
			t.Errorf("%s: %d slots, %+v", c.what, len(p.layout.Slots), got)
		}
	}
}

func TestThePinnerKnowsTheCores(t *testing.T) {
	p := newPins(t)
	machine := eightCPUs()
	machine.NumaNodes[0].Cores = []string{"0,4", "1,5"}
	if err := p.order(wantedPins(), machine, &none, ""); err != nil {
		t.Fatal(err)
	}
	if got := p.written(t); !strings.Contains(got, `"cores":["0,4","1,5"]`) {
		t.Error(got)
	}
}

func TestSaysWhatThePinnerSays(t *testing.T) {
	now := time.Unix(1_000_000, 0).UTC()
	fresh := pinfile.Pins{Generation: "g", State: pinfile.Connected, Heartbeat: now.Format(time.RFC3339)}
	for _, c := range []struct {
		what   string
		change func(*pinfile.Pins)
		reason string
	}{
		{"all is well", func(*pinfile.Pins) {}, "Connected"},
		{"no socket", func(p *pinfile.Pins) { p.State, p.Reason = pinfile.Disconnected, "NoSocket" }, "NoSocket"},
		{"refused", func(p *pinfile.Pins) { p.State, p.Reason = pinfile.Refused, "OtherCpuPlugin" }, "OtherCpuPlugin"},
		{"an older layout", func(p *pinfile.Pins) { p.Generation = "f" }, "LayoutNotApplied"},
		{"a layout that it does not take", func(p *pinfile.Pins) { p.LayoutError = "slots: x" }, "LayoutInvalid"},
		{"it waits", func(p *pinfile.Pins) { p.State, p.Reason, p.Generation = pinfile.Disconnected, "WaitingForRuntime", "" }, "WaitingForRuntime"},
		{"it warns", func(p *pinfile.Pins) { p.Warnings = []pinfile.Warning{{Reason: "RuntimePanics", Message: "upgrade"}} }, "RuntimePanics"},
		{"it is silent", func(p *pinfile.Pins) { p.Heartbeat = now.Add(-2 * time.Minute).Format(time.RFC3339) }, "PinnerNotAnswering"},
		{"it says nonsense of the time", func(p *pinfile.Pins) { p.Heartbeat = "yesterday" }, "PinnerNotAnswering"},
	} {
		p := newPins(t)
		if err := p.order(wantedPins(), eightCPUs(), &none, ""); err != nil {
			t.Fatal(err)
		}
		report := fresh
		c.change(&report)
		if err := p.files.WritePins(report); err != nil {
			t.Fatal(err)
		}
		p.read(now)
		found := conditions{now: now}
		p.put(wantedPins(), nil, &found)
		if got := found.all[0]; got.Reason != c.reason || (got.Status == statusTrue) != (c.reason == "Connected" || c.reason == "RuntimePanics") {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

func TestAReportThatCannotBeReadIsNone(t *testing.T) {
	for what, report := range map[string]string{"none": "", "half of one": `{"generation": "g", "exec`, "a huge one": strings.Repeat("x", pinfile.MaxPins+1)} {
		p := newPins(t)
		if report != "" {
			if err := os.WriteFile(filepath.Join(p.files.Folder, "pins.json"), []byte(report), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p.read(time.Unix(0, 0))
		if p.status() != nil || p.silent == "" {
			t.Errorf("%s: %+v", what, p.status())
		}
	}
}

func TestWhatThePinnerHasGivenIsProven(t *testing.T) {
	p := newPins(t)
	if err := p.order(wantedPins(), eightCPUs(), &none, ""); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_000_000, 0).UTC()
	report := pinfile.Pins{Heartbeat: now.Format(time.RFC3339), Executors: []pinfile.ExecutorPin{
		{Namespace: "team", Pod: "a", PodUID: "u", Container: "c", ContainerID: "id", Outcome: pinfile.Pinned, Slots: []string{"n0-0"}, CPUs: "1-3", MemoryNodes: "0"},
		{Namespace: "team", Pod: "ended", PodUID: "w", Container: "c", ContainerID: "old", Outcome: pinfile.Pinned, Slots: []string{"n1-0"}, CPUs: "5-7", Ended: true},
		{Namespace: "team", Pod: "b", PodUID: "v", Container: "c", ContainerID: "di", Outcome: pinfile.NoFreeSlot}}}
	if err := p.files.WritePins(report); err != nil {
		t.Fatal(err)
	}
	p.read(now)
	given, err := p.List(t.Context())
	if err != nil || len(given) != 1 || given[0].Pod != "a" || given[0].PodUID != "u" || given[0].ContainerID != "id" || given[0].CPUs.String() != "1-3" || given[0].MemoryNodes.String() != "0" {
		t.Errorf("%+v, %v", given, err)
	}
	if all, _ := p.AllocatableCPUs(t.Context()); all.String() != "1-3,5-7" {
		t.Error(all)
	}
	text, err := json.Marshal(p.status())
	if err != nil || !strings.Contains(string(text), `{"namespace":"team","pod":"b","podUid":"v","outcome":"NoFreeSlot"}`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestWaitsUntilAllCPUsAreGivenBack(t *testing.T) {
	p := newPins(t)
	if err := release(t.Context(), p.files); err != nil {
		t.Errorf("where nothing was pinned: %v", err)
	}
	if err := p.files.TakeBack(); err != nil {
		t.Fatal(err)
	}
	if err := p.order(wantedPins(), eightCPUs(), &none, ""); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := release(short, p.files); err == nil || !strings.Contains(p.written(t), `"mode":"Release"`) {
		t.Errorf("%v, %s", err, p.written(t))
	}
	refused := pinfile.Pins{State: pinfile.Refused, Heartbeat: time.Now().UTC().Format(time.RFC3339)}
	if err := p.files.WritePins(refused); err != nil {
		t.Fatal(err)
	}
	if err := release(t.Context(), p.files); err != nil {
		t.Errorf("where the pinner changes nothing: %v", err)
	}
	done := pinfile.Pins{Generation: "uninstalled", State: pinfile.Connected, Heartbeat: time.Now().UTC().Format(time.RFC3339)}
	if err := p.files.WritePins(done); err != nil {
		t.Fatal(err)
	}
	if err := release(t.Context(), p.files); err != nil {
		t.Error(err)
	}
	if err := p.order(wantedPins(), eightCPUs(), &none, ""); err != nil || !strings.Contains(p.written(t), `"mode":"Release"`) {
		t.Errorf("the reader pins again while numaspark is uninstalled: %v, %s", err, p.written(t))
	}
}
