package smt

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSwitchesOffAndOnAgain(t *testing.T) {
	n := newNode(t)
	before := n.files[configFile]
	report := n.launch(Off)
	if report.State != Switched || report.Online != "0,2,4,6,8,10,12,14" || report.Reserved != "0" {
		t.Fatalf("%+v", report)
	}
	n.require(Off, `"0"`, "off")
	report = n.launch(On)
	if report.State != Switched || report.Online != allCPUs || report.Reserved != "0-1" {
		t.Fatalf("%+v", report)
	}
	n.require(On, `"0-1"`, "on again")
	n.requireNothingLeft("on again")
	if got := strings.Replace(n.files[configFile], `"0-1"`, `"0,1"`, 1); got != before {
		t.Errorf("the configuration is %s", got)
	}
}

// The order is what keeps the kubelet alive.
func TestChangesNothingUnderARunningKubelet(t *testing.T) {
	n := newNode(t)
	n.launch(Off)
	var order []string
	for _, event := range n.events {
		if !strings.Contains(event, Folder) && !strings.Contains(event, Unit) {
			order = append(order, event)
		}
	}
	want := []string{"enable", "start soon", "stop kubelet.service", "write off", "replace " + configFile, "remove " + cpuState,
		"remove " + memState, "start kubelet.service"}
	if !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
}

func TestEndsTheSameWhateverStepTheServiceWasKilledAt(t *testing.T) {
	for _, target := range []string{Off, On} {
		steps := 0
		for step := 1; ; step++ {
			n := newNode(t)
			if target == On {
				n.launch(Off)
			}
			plan, err := Make(n, target)
			if err != nil {
				t.Fatal(err)
			}
			if err := Save(n, plan); err != nil {
				t.Fatal(err)
			}
			n.step, n.killAt = 0, step
			wasKilled, err := n.serve()
			n.killAt = -1
			if err != nil {
				t.Fatal(err)
			}
			if !wasKilled {
				steps = step
				n.requireSwitched(target, "not killed")
				break
			}
			when := fmt.Sprintf("%s, killed at step %d", target, step)
			if report := n.launch(target); report.State != Switched {
				t.Fatalf("%s: %+v", when, report)
			}
			n.requireSwitched(target, when)
		}
		if steps < 14 {
			t.Errorf("%s has %d steps", target, steps)
		}
	}
}

func (n *node) requireSwitched(target, when string) {
	n.t.Helper()
	if target == Off {
		n.require(Off, `"0"`, when)
	} else if strings.Contains(n.files[configFile], `"0,1"`) {
		n.require(On, `"0,1"`, when)
	} else {
		n.require(On, `"0-1"`, when)
	}
}

func TestEndsTheSameWhateverStepTheLauncherWasKilledAt(t *testing.T) {
	for _, target := range []string{Off, On} {
		step := 1
		for isKilled := true; isKilled; step++ {
			n := newNode(t)
			if target == On {
				n.launch(Off)
			}
			_, isKilled = n.launchUntilKilled(target, step)
			if isKilled {
				if report := n.launch(target); report.State != Switched {
					t.Fatalf("%s, step %d: %+v", target, step, report)
				}
			}
			when := fmt.Sprintf("%s, launcher killed at step %d", target, step)
			n.requireSwitched(target, when)
			if target == On {
				n.requireNothingLeft(when)
			}
		}
		if step < 25 {
			t.Errorf("%s has %d steps", target, step)
		}
	}
}

// After a power cut the kernel has forgotten the switch, and the kubelet is started by systemd.
func TestEndsTheSameAfterAPowerCutAtAnyStep(t *testing.T) {
	for _, line := range []string{"quiet", "quiet nosmt", "mitigations=auto,nosmt"} {
		for _, target := range []string{Off, On} {
			step := 1
			for isKilled := true; isKilled; step++ {
				n := newNode(t)
				n.files["/proc/cmdline"] = line + "\n"
				if n.boot = Off; line == "quiet" {
					n.boot = On
				}
				n.launch(Off)
				if target == Off {
					n.launch(On)
				}
				n.isPowerCut = true
				_, isKilled = n.launchUntilKilled(target, step)
				n.reboot()
				when := fmt.Sprintf("%s with %s, power cut at step %d", target, line, step)
				if state := n.units["kubelet.service"].State; state != "active" {
					t.Fatalf("%s: the kubelet is %s, so no pod can continue: %s", when, state, n.whyNot())
				}
				if report := n.launch(target); report.State != Switched {
					t.Fatalf("%s: %+v", when, report)
				}
				n.requireSwitched(target, when)
				n.reboot()
				n.requireSwitched(target, when+", and another start")
			}
			if step < 25 {
				t.Errorf("%s has %d steps", target, step)
			}
		}
	}
}

func TestSMTStaysOffAfterAStartOfTheMachine(t *testing.T) {
	n := newNode(t)
	n.launch(Off)
	for range 3 {
		n.reboot()
		n.require(Off, `"0"`, "after a start")
	}
	n.launch(On)
	n.reboot()
	n.require(On, `"0-1"`, "on, after a start")
}

func TestAStartWithoutSwitchableSMTIsNotHindered(t *testing.T) {
	n := newNode(t)
	n.launch(Off)
	n.files[control] = "notsupported"
	if wasKilled, err := n.serve(); wasKilled || err != nil {
		t.Error(err)
	}
}

func TestAKubeletThatDoesNotStartIsRolledBack(t *testing.T) {
	step := 0
	for isKilled := true; isKilled; {
		step++
		n := newNode(t)
		before := n.files[configFile]
		n.refuses = func() string {
			if strings.TrimSpace(n.files[control]) == Off {
				return "a bug"
			}
			return ""
		}
		var report Report
		if report, isKilled = n.launchUntilKilled(Off, step); isKilled {
			report = n.launch(Off)
		}
		if report.State != EverythingAsItWas || !strings.Contains(report.Message, "did not become healthy") {
			t.Fatalf("killed at step %d: %+v", step, report)
		}
		n.require(On, `"0,1"`, fmt.Sprintf("rolled back, killed at step %d", step))
		if n.files[configFile] != before {
			t.Fatalf("the configuration is %s", n.files[configFile])
		}
		n.requireNothingLeft("rolled back")
	}
	if step < 45 {
		t.Errorf("%d steps", step)
	}
}

func TestARollbackThatIsKilledContinues(t *testing.T) {
	for step := 1; ; step++ {
		n := newNode(t)
		plan, err := Make(n, Off)
		if err != nil {
			t.Fatal(err)
		}
		n.setSMT(Off)
		n.files[configFile] = strings.Replace(n.files[configFile], `"0,1"`, `"0"`, 1)
		plan.Phase, plan.Message = RollingBack, "a reason"
		if err := Save(n, plan); err != nil {
			t.Fatal(err)
		}
		n.step, n.killAt = 0, step
		wasKilled, err := n.serve()
		n.killAt = -1
		if err != nil {
			t.Fatal(err)
		}
		plan, _, err = Load(n)
		if err != nil {
			t.Fatal(err)
		}
		// A report that nobody has read is lost: the command tries again.
		isLost := !plan.IsUnfinished()
		if report := n.launch(Off); !isLost && (report.State != EverythingAsItWas || report.Message != "a reason") {
			t.Fatalf("%+v", report)
		}
		if !wasKilled {
			break
		}
		if !isLost {
			n.require(On, `"0,1"`, fmt.Sprintf("killed at step %d", step))
		}
	}
}

func TestAFailedSwitchOnKeepsSMTOff(t *testing.T) {
	n := newNode(t)
	n.launch(Off)
	n.refuses = func() string {
		if strings.TrimSpace(n.files[control]) == On {
			return "a bug"
		}
		return ""
	}
	if report := n.launch(On); report.State != EverythingAsItWas {
		t.Fatalf("%+v", report)
	}
	n.require(Off, `"0"`, "rolled back")
	n.reboot()
	n.require(Off, `"0"`, "after a start")
}

func TestARollbackThatDoesNotHelpIsReported(t *testing.T) {
	n := newNode(t)
	isBroken := false
	n.refuses = func() string {
		isBroken = isBroken || strings.TrimSpace(n.files[control]) == Off
		if isBroken {
			return "a disk is full"
		}
		return ""
	}
	report := n.launch(Off)
	if report.State != Broken || !strings.Contains(report.Message, "journalctl -u kubelet.service") {
		t.Fatalf("%+v", report)
	}
	// What can be restored is restored.
	if strings.TrimSpace(n.files[control]) != On || !strings.Contains(n.files[configFile], `"0,1"`) {
		t.Errorf("%s%s", n.files[control], n.files[configFile])
	}
}

// It neither ends nor answers: the disk is slow, or a certificate is missing.
func TestAKubeletThatHangsIsRolledBack(t *testing.T) {
	n := newNode(t)
	n.hangs = func() bool { return strings.TrimSpace(n.files[control]) == Off }
	start := n.now
	if report := n.launch(Off); report.State != EverythingAsItWas || !strings.Contains(report.Message, "connection refused") {
		t.Fatalf("%+v", report)
	}
	if waited := n.now.Sub(start); waited < Patience || waited > longestSwitch {
		t.Errorf("it waited for %s", waited)
	}
	n.require(On, `"0,1"`, "rolled back")
}

func TestAKernelThatRefusesChangesNothing(t *testing.T) {
	n := newNode(t)
	n.writeError = errors.New("device or resource busy")
	report := n.launch(Off)
	if report.State != EverythingAsItWas || !strings.Contains(report.Message, "the kernel does not switch SMT off: device or resource busy") {
		t.Fatalf("%+v", report)
	}
	n.require(On, `"0,1"`, "refused")
}

// The person may change her mind.
func TestTheOtherDirectionEndsAnInterruptedSwitch(t *testing.T) {
	step := 0
	for isKilled := true; isKilled; {
		step++
		n := newNode(t)
		if _, isKilled = n.launchUntilKilled(Off, step); !isKilled {
			break
		}
		if report := n.launch(On); report.State != Switched {
			t.Fatalf("killed at step %d: %+v", step, report)
		}
		if strings.TrimSpace(n.files[control]) != On || n.units["kubelet.service"].State != "active" || n.files[cpuState] != allCPUs {
			t.Fatalf("killed at step %d: SMT is %s", step, n.files[control])
		}
		n.requireNothingLeft("on again")
	}
}

func TestWholeCoresAreReserved(t *testing.T) {
	for _, test := range []struct{ before, off, on string }{
		{`"0,1"`, `"0"`, `"0-1"`},
		{`"0"`, `"0"`, `"0-1"`},
		{`'1'`, `"0"`, `"0-1"`},
		{`"0-1,8-9"`, `"0,8"`, `"0-1,8-9"`},
		{`0-3`, `"0,2"`, `"0-3"`},
	} {
		n := newNode(t)
		n.stopKubelet()
		n.files[configFile] = strings.Replace(n.files[configFile], `"0,1"`, test.before, 1)
		n.startKubelet()
		if report := n.launch(Off); report.State != Switched {
			t.Fatalf("%+v", report)
		}
		n.require(Off, test.off, "off")
		n.launch(On)
		n.require(On, test.on, "on")
	}
}

func TestADropInThatDecidesIsChanged(t *testing.T) {
	n := newNode(t)
	n.stopKubelet()
	n.files[dropIns+"/10-a.conf"] = `{"kind": "KubeletConfiguration", "reservedSystemCPUs": "0-3", "maxPods": 20}`
	n.files[dropIns+"/20-b.conf"] = "kind: KubeletConfiguration\nmaxPods: 30\n"
	n.files[dropIns+"/30-c.yaml"] = "kind: KubeletConfiguration\nreservedSystemCPUs: '4-5'\n"
	main := n.files[configFile]
	n.startKubelet()
	if report := n.launch(Off); report.State != Switched || report.Reserved != "0,2" {
		t.Fatalf("%+v", report)
	}
	if got := n.files[dropIns+"/10-a.conf"]; got != `{"kind": "KubeletConfiguration", "reservedSystemCPUs": "0,2", "maxPods": 20}` {
		t.Error(got)
	}
	if n.files[configFile] != main {
		t.Error(n.files[configFile])
	}
}

func TestWithoutReservationNoFileIsChanged(t *testing.T) {
	n := newNode(t)
	n.stopKubelet()
	n.files[configFile] = "kind: KubeletConfiguration\nsystemReserved: {cpu: 1}\n"
	n.startKubelet()
	if report := n.launch(Off); report.State != Switched || report.Reserved != "" {
		t.Fatalf("%+v", report)
	}
	if got := n.files[configFile]; got != "kind: KubeletConfiguration\nsystemReserved: {cpu: 1}\n" {
		t.Error(got)
	}
}

func TestRefusesWhatItCannotSwitch(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(n *node)
		want   string
	}{
		{"forceoff", func(n *node) { n.files[control] = "forceoff\n" }, "nosmt=force"},
		{"notsupported", func(n *node) { n.files[control] = "notsupported\n" }, "one thread for each core"},
		{"no file", func(n *node) { delete(n.files, control) }, "does not exist"},
		{"POWER", func(n *node) { n.files[control] = "4\n" }, "ppc64_cpu"},
		{"flag", func(n *node) { n.replaceFlags("--config="+configFile, "--reserved-cpus", "0,1") }, "--reserved-cpus"},
		{"in a container", func(n *node) { n.cgroup("0::/kubepods.slice/kubepods-pod1.slice/kubelet.service") }, "not a service"},
		{"no kubelet", func(n *node) { n.stopKubelet() }, "no process is called kubelet"},
		{"list", func(n *node) { n.config("reservedSystemCPUs: [0, 1]") }, "one text on the line"},
		{"two lines", func(n *node) { n.config("reservedSystemCPUs: \"0,\n  1\"") }, "one text on the line"},
		{"no CPUs", func(n *node) { n.config("reservedSystemCPUs: all") }, "is not a CPU id"},
		{"no YAML", func(n *node) { n.config("{") }, "is not YAML"},
		{"a strange plan", func(n *node) { n.files[planFile] = `{"phase": "x"}` }, "by hand"},
		{"a long configuration", func(n *node) { n.config("#" + strings.Repeat("x", longestConfig)) }, "too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := newNode(t)
			test.change(n)
			launcher := Launcher{n, n, nil}
			for _, report := range []Report{launcher.Check(Off), launcher.Launch(Off)} {
				if report.State != Refused || !strings.Contains(report.Message, test.want) {
					t.Errorf("%+v", report)
				}
			}
			if len(n.events) > 0 {
				t.Errorf("it has changed something: %q", n.events)
			}
		})
	}
}

func (n *node) replaceFlags(words ...string) {
	n.files[fmt.Sprintf("/proc/%d/cmdline", n.nextPID)] = "kubelet\x00" + strings.Join(words, "\x00") + "\x00"
}

func (n *node) cgroup(line string) { n.files[fmt.Sprintf("/proc/%d/cgroup", n.nextPID)] = line + "\n" }

func (n *node) config(line string) { n.files[configFile] = line + "\n" }

func TestCheckChangesNothing(t *testing.T) {
	n := newNode(t)
	report := Launcher{n, n, nil}.Check(Off)
	if report.State != Checked || report.Reserved != "0,1" || len(n.events) > 0 {
		t.Errorf("%+v %q", report, n.events)
	}
}

// A program that changes the file at the same time is not overwritten.
func TestOtherChangesOfTheConfigurationStay(t *testing.T) {
	n := newNode(t)
	n.launch(Off)
	n.files[configFile] += "maxPods: 42\n"
	n.launch(On)
	n.require(On, `"0-1"`, "on")
	if !strings.HasSuffix(n.files[configFile], "maxPods: 42\n") {
		t.Error(n.files[configFile])
	}
}

func TestAReportFitsIntoATerminationMessage(t *testing.T) {
	var ids []string
	for cpu := 0; cpu < 4096; cpu += 2 {
		ids = append(ids, fmt.Sprint(cpu))
	}
	all := strings.Join(ids, ",")
	for length := range len(all) {
		if length%97 != 0 {
			continue
		}
		list := strings.TrimRight(all[:length], ",")
		line, err := json.Marshal(report(Broken, strings.Repeat("\"", 4000)).with(Plan{Online: list, Reserved: list}))
		if err != nil {
			t.Fatal(err)
		}
		if len(line) > 4096 {
			t.Errorf("%d bytes", len(line))
		}
	}
	if got := report(Switched, "").with(Plan{Online: all}); got.CPUs != 2048 || got.Online != "" {
		t.Errorf("%+v", got)
	}
}
