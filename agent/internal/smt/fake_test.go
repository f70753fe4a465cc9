package smt

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
)

const (
	configFile = "/etc/kubernetes/kubelet.yaml"
	dropIns    = "/etc/kubernetes/kubelet.conf.d"
	cpuState   = "/var/lib/kubelet/cpu_manager_state"
	memState   = "/var/lib/kubelet/memory_manager_state"
	allCPUs    = "0-15"
)

// killed ends a program between two steps.
type killed struct{}

// node is a machine of eight cores with two threads, a systemd and a kubelet that is as strict as the real one: it does not start with
// the state of other CPUs (validateState), nor with reserved CPUs that are offline.
type node struct {
	t     *testing.T
	files map[string]string
	// links of /proc.
	links map[string]string
	units map[string]Service
	// boot is the state of SMT after a start of the machine.
	boot string
	// step counts what changes something; the program is killed at step killAt, which is negative for never.
	step, killAt int
	wasKilled    bool
	restarts     int
	// isPowerCut says that a kill ends all programs.
	isPowerCut bool
	now        time.Time
	nextPID    int
	// refuses is why a kubelet does not start, whatever its files are; empty if it does.
	refuses func() string
	// hangs says that the kubelet runs and does not answer.
	hangs func() bool
	// isRunning says that numaspark-smt.service works, as a program of the test.
	isServiceRunning bool
	events           []string
	// writeError is what the kernel answers.
	writeError error
}

func newNode(t *testing.T) *node {
	n := &node{
		t: t, files: map[string]string{}, links: map[string]string{}, units: map[string]Service{}, boot: On, killAt: -1,
		now: time.Unix(1_700_000_000, 0), nextPID: 100,
	}
	n.files[configFile] = "# made by the node's image\nkind: KubeletConfiguration\ncpuManagerPolicy: static\nreservedSystemCPUs: \"0,1\" # the first core\nhealthzPort: 10248\n"
	n.files["/proc/cmdline"] = "BOOT_IMAGE=/vmlinuz quiet\n"
	n.setSMT(On)
	n.units["kubelet.service"] = Service{State: "inactive"}
	n.startKubelet()
	return n
}

func (n *node) flags() string {
	return strings.Join([]string{"/usr/local/bin/kubelet", "--config=" + configFile, "--config-dir", dropIns, "--node-ip=10.0.0.1"}, "\x00") + "\x00"
}

// changing is around each change: killed before it, or after it.
func (n *node) changing(what string, change func() error) error {
	n.mayDie()
	n.events = append(n.events, what)
	err := change()
	n.mayDie()
	return err
}

func (n *node) mayDie() {
	if n.step++; n.step == n.killAt {
		n.wasKilled = true
		panic(killed{})
	}
}

func (n *node) setSMT(state string) {
	n.files[control] = state + "\n"
	list := allCPUs
	if state == Off {
		list = "0,2,4,6,8,10,12,14"
	}
	n.files[online] = list + "\n"
	for cpu := range 16 {
		name := fmt.Sprintf("%s/cpu%d/topology/core_cpus_list", cpusFolder, cpu)
		delete(n.files, name)
		switch {
		case state == On:
			n.files[name] = fmt.Sprintf("%d-%d\n", cpu&^1, cpu|1)
		case cpu%2 == 0:
			n.files[name] = fmt.Sprintf("%d\n", cpu)
		}
	}
}

func (n *node) up() cpuset.CPUSet {
	set, err := cpus.Parse(n.files[online])
	if err != nil {
		n.t.Fatal(err)
	}
	return set
}

// whyNot is what the kubelet would write to its log before it ends.
func (n *node) whyNot() string {
	if n.refuses != nil {
		if why := n.refuses(); why != "" {
			return why
		}
	}
	config, err := readConfig(quiet{n}, n.kubeletFiles())
	if err != nil {
		return err.Error()
	}
	if !config.reserved.IsSubsetOf(n.up()) {
		return "reserved CPUs are offline"
	}
	if state, found := n.files[cpuState]; found && state != n.up().String() {
		return "current set of available CPUs doesn't match with CPUs in state"
	}
	return ""
}

func (n *node) kubeletFiles() []string {
	files := []string{configFile}
	for _, entry := range must(n.List(dropIns)) {
		if strings.HasSuffix(entry.Name, ".conf") {
			files = append(files, path.Join(dropIns, entry.Name))
		}
	}
	return files
}

func must[T any](value T, _ error) T { return value }

func (n *node) startKubelet() {
	if n.units["kubelet.service"].State == "active" {
		return
	}
	if n.whyNot() != "" {
		n.units["kubelet.service"] = Service{State: "activating"}
		return
	}
	n.nextPID++
	n.units["kubelet.service"] = Service{State: "active", PID: n.nextPID}
	n.files[cpuState] = n.up().String()
	n.files[memState] = "memory"
	n.files[fmt.Sprintf("/proc/%d/cmdline", n.nextPID)] = n.flags()
	n.files[fmt.Sprintf("/proc/%d/cgroup", n.nextPID)] = "0::/system.slice/kubelet.service\n"
	n.links[fmt.Sprintf("/proc/%d/cwd", n.nextPID)] = "/"
}

func (n *node) stopKubelet() {
	pid := n.units["kubelet.service"].PID
	maps.DeleteFunc(n.files, func(name, _ string) bool { return strings.HasPrefix(name, fmt.Sprintf("/proc/%d/", pid)) })
	n.units["kubelet.service"] = Service{State: "inactive"}
}

// reboot forgets what a kernel forgets. systemd starts our service, if it is enabled, and then the kubelet.
func (n *node) reboot() {
	n.stopKubelet()
	n.setSMT(n.boot)
	n.isServiceRunning = false
	if n.units[Unit].State != "" {
		n.runService()
	}
	n.startKubelet()
}

// runService is systemd, which starts a service again that was killed.
func (n *node) runService() {
	for {
		if wasKilled, err := n.serve(); !wasKilled && err == nil {
			return
		}
		n.killAt = -1
	}
}

// serve is one life of the service.
func (n *node) serve() (wasKilled bool, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			if _, ok := recovered.(killed); !ok || n.isPowerCut {
				panic(recovered)
			}
			wasKilled = true
		}
	}()
	return false, Switcher{n, n, slog.New(slog.DiscardHandler), func() {}}.Run()
}

func (n *node) Read(name string, most int64) ([]byte, error) {
	content, found := n.files[name]
	if !found {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if int64(len(content)) > most {
		return nil, errors.New("too long")
	}
	return []byte(content), nil
}

func (n *node) List(folder string) ([]Entry, error) {
	found := map[string]bool{}
	for name := range n.files {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			first, _, isFolder := strings.Cut(rest, "/")
			found[first] = isFolder
		}
	}
	names := slices.Collect(maps.Keys(found))
	sort.Strings(names)
	entries := []Entry{}
	for _, name := range names {
		entries = append(entries, Entry{name, found[name]})
	}
	return entries, nil
}

func (n *node) Resolve(name string) (string, error) {
	if to, ok := n.links[name]; ok {
		return to, nil
	}
	if _, found := n.files[name]; !found {
		return "", fs.ErrNotExist
	}
	return name, nil
}

func (n *node) Replace(name string, content []byte, _ fs.FileMode) error {
	return n.changing("replace "+name, func() error {
		n.files[name] = string(content)
		return nil
	})
}

func (n *node) Remove(name string) error {
	return n.changing("remove "+name, func() error {
		delete(n.files, name)
		return nil
	})
}

func (n *node) Write(name, value string) error {
	return n.changing("write "+value, func() error {
		if name != control {
			n.t.Errorf("%s is written", name)
		}
		if n.writeError == nil {
			n.setSMT(value)
		}
		return n.writeError
	})
}

func (n *node) Stop(unit string) error {
	return n.changing("stop "+unit, func() error {
		if unit == "kubelet.service" {
			n.stopKubelet()
		} else {
			n.isServiceRunning = false
		}
		return nil
	})
}

func (n *node) Start(unit string) error {
	return n.changing("start "+unit, func() error {
		n.startKubelet()
		return nil
	})
}

func (n *node) Service(unit string) (Service, error) {
	service := n.units[unit]
	if service.State == "activating" {
		n.restarts++ // it ends at once
	}
	service.Restarts = n.restarts
	if unit == Unit && !n.isServiceRunning {
		service.State = "inactive"
	}
	return service, nil
}

func (n *node) Healthy(address string) error {
	if address != "127.0.0.1:10248" {
		n.t.Errorf("the kubelet is asked at %s", address)
	}
	if n.hangs != nil && n.hangs() {
		return errors.New("connection refused")
	}
	return nil
}

func (n *node) Enable(unit string) error {
	return n.changing("enable", func() error {
		n.units[unit] = Service{State: "inactive"}
		return nil
	})
}

func (n *node) Disable(unit string) error {
	return n.changing("disable", func() error {
		delete(n.units, unit)
		return nil
	})
}

func (n *node) StartSoon(string) error {
	return n.changing("start soon", func() error {
		n.isServiceRunning = true
		return nil
	})
}

func (n *node) CheckWritable(string) error { return nil }

func (n *node) Now() time.Time { return n.now }

// Sleep lets the service work, if the launcher waits for it.
func (n *node) Sleep(duration time.Duration) {
	n.now = n.now.Add(duration)
	if n.isServiceRunning {
		n.isServiceRunning = false // so that its own pauses are pauses
		n.runService()
	}
}

// quiet reads, and is not killed.
type quiet struct{ *node }

func (n *node) launch(target string) Report {
	return Launcher{n, n, []byte("program")}.Launch(target)
}

// launchUntilKilled reports whether the launcher or its service was killed. systemd starts the service again.
func (n *node) launchUntilKilled(target string, at int) (report Report, wasKilled bool) {
	defer func() {
		if recovered := recover(); recovered != nil {
			if _, ok := recovered.(killed); !ok {
				panic(recovered)
			}
			n.killAt = -1
			wasKilled = true
		}
	}()
	n.step, n.killAt, n.wasKilled = 0, at, false
	report = n.launch(target)
	n.killAt = -1
	return report, n.wasKilled
}

// require compares what matters of a node.
func (n *node) require(smt, reserved string, when string) {
	n.t.Helper()
	if got := strings.TrimSpace(n.files[control]); got != smt {
		n.t.Fatalf("%s: SMT is %s", when, got)
	}
	if want := "reservedSystemCPUs: " + reserved + " # the first core\n"; !strings.Contains(n.files[configFile], want) {
		n.t.Fatalf("%s: the configuration is %s", when, n.files[configFile])
	}
	if got := n.units["kubelet.service"]; got.State != "active" {
		n.t.Fatalf("%s: the kubelet is %s: %s", when, got.State, n.whyNot())
	}
	if got := n.files[cpuState]; got != n.up().String() {
		n.t.Fatalf("%s: the kubelet has CPUs %s of %s", when, got, n.up())
	}
}

// requireNothingLeft makes sure that a node which is as before has nothing of ours.
func (n *node) requireNothingLeft(when string) {
	n.t.Helper()
	for name := range n.files {
		if strings.HasPrefix(name, Folder) || name == unitFile {
			n.t.Fatalf("%s: %s is left", when, name)
		}
	}
	if _, found := n.units[Unit]; found {
		n.t.Fatalf("%s: the service is left", when)
	}
}
