package smt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/text"
)

// Folder has what a switch keeps on the node.
const Folder = "/var/lib/numaspark/smt"

const (
	planFile    = Folder + "/plan.json"
	backupFile  = Folder + "/kubelet-config.before"
	longestPlan = 64 << 10
)

// Phase is how far a switch is.
type Phase string

// Phases: only Switching and RollingBack have something left to do. Failed is a rollback that has not brought the kubelet back.
const (
	Switching   Phase = "switching"
	RollingBack Phase = "rollingBack"
	Done        Phase = "done"
	RolledBack  Phase = "rolledBack"
	Failed      Phase = "failed"
)

// Plan is a switch: what is to be done, and how everything was before. It is on disk before anything changes.
type Plan struct {
	Target  string `json:"target"`
	Phase   Phase  `json:"phase"`
	Message string `json:"message,omitempty"`
	// Before is the state of SMT.
	Before string `json:"before"`
	// Unit is the kubelet's service, Health the address of its check; empty if it has none.
	Unit   string `json:"unit"`
	Health string `json:"health,omitempty"`
	// BootsOff says that the kernel's command line switches SMT off.
	BootsOff bool `json:"bootsOff,omitempty"`
	// StateFiles are deleted; those of Present existed before and are there again once the kubelet works.
	StateFiles []string `json:"stateFiles"`
	Present    []string `json:"present,omitempty"`
	// Config is the file with reservedSystemCPUs; empty if nothing is to change. Token is the value as it was written.
	Config string `json:"config,omitempty"`
	Token  string `json:"token,omitempty"`
	// Cores are the CPUs of the value with all threads of their cores that were online.
	Cores string `json:"cores,omitempty"`
	// Online and Reserved are what came out.
	Online   string `json:"online,omitempty"`
	Reserved string `json:"reserved,omitempty"`
}

// IsUnfinished says that something is left to do.
func (p Plan) IsUnfinished() bool { return p.Phase == Switching || p.Phase == RollingBack }

// Kept is the state that SMT has to have before the kubelet starts after a start of the machine, with which the kernel forgets a switch;
// empty if the kernel's own choice is right.
func (p Plan) Kept() string {
	state := ""
	switch p.Phase {
	case Done:
		state = p.Target
	case RolledBack:
		state = p.Before
	}
	if state == On && !p.BootsOff {
		return ""
	}
	return state
}

// Make looks at the node and plans; it changes nothing. An error has the remedy.
func Make(host Host, target string) (Plan, error) {
	t := topology{host}
	state, err := t.checkSwitchable()
	if err != nil {
		return Plan{}, err
	}
	running, err := findKubelet(host)
	if err != nil {
		return Plan{}, err
	}
	if err := running.check(); err != nil {
		return Plan{}, err
	}
	files, err := running.files(host)
	if err != nil {
		return Plan{}, err
	}
	config, err := readConfig(host, files)
	if err != nil {
		return Plan{}, err
	}
	bootsOff, err := t.bootsOff()
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{
		Target: target, Phase: Switching, Before: state, BootsOff: bootsOff,
		Unit: running.unit, Health: config.health, StateFiles: running.stateFiles(),
	}
	for _, file := range plan.StateFiles {
		if _, err := host.Resolve(file); err == nil {
			plan.Present = append(plan.Present, file)
		}
	}
	if config.file == "" {
		return plan, nil
	}
	if plan.Config, err = host.Resolve(config.file); err != nil {
		return Plan{}, err
	}
	plan.Token = config.token
	cores, err := t.wholeCores(config.reserved)
	if err != nil {
		return Plan{}, err
	}
	plan.Cores = cores.String()
	return plan, nil
}

// reservedNow is what is to be reserved with the threads that are online now: whole cores, the same ones as before.
func (p Plan) reservedNow(t topology) (cpuset.CPUSet, error) {
	before, err := cpus.Parse(p.Cores)
	if err != nil {
		return cpuset.New(), err
	}
	whole, err := t.wholeCores(before)
	if err != nil {
		return cpuset.New(), err
	}
	up, err := t.online()
	if err != nil {
		return cpuset.New(), err
	}
	now := whole.Intersection(up)
	if now.IsEmpty() {
		return now, fmt.Errorf("%s: none of CPUs %s is online, so nothing would be reserved: correct it in %s", reservation, p.Cores, p.Config)
	}
	return now, nil
}

// Load reads the plan of this node; false if there is none.
func Load(host Host) (Plan, bool, error) {
	content, err := host.Read(planFile, longestPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return Plan{}, false, nil
	}
	var plan Plan
	if err == nil {
		if err = json.Unmarshal(content, &plan); err == nil {
			err = plan.check()
		}
	}
	if err != nil {
		return Plan{}, false, fmt.Errorf("%s: %s: switch SMT by hand (docs/smt.md), then delete the file", planFile, text.Quote(err.Error()))
	}
	return plan, true, nil
}

func (p Plan) check() error {
	isState := func(state string) bool { return state == Off || state == On }
	switch p.Phase {
	case Switching, RollingBack, Done, RolledBack, Failed:
	default:
		return errors.New("its phase is unknown")
	}
	if !isState(p.Target) || !isState(p.Before) || !strings.HasSuffix(p.Unit, ".service") {
		return errors.New("its fields contradict each other")
	}
	return nil
}

// Save writes the plan to disk.
func Save(host Host, plan Plan) error {
	content, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return err
	}
	return host.Replace(planFile, append(content, '\n'), 0o644)
}
