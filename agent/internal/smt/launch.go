package smt

import (
	"errors"
	"fmt"
	"time"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/text"
)

// Unit is the service of systemd that switches, and switches it again at each start of the machine, if the kernel would choose otherwise.
const Unit = "numaspark-smt.service"

const (
	unitFolder  = "/etc/systemd/system"
	unitFile    = unitFolder + "/" + Unit
	programFile = Folder + "/numaspark-smt"
	// Of a report, which has to fit into a pod's termination message of 4096 bytes; quotes take two.
	longestMessage  = 800
	longestOnline   = 2000
	longestReserved = 256
	// A switch and a rollback, with what is between.
	longestSwitch = 2*Patience + 10*time.Minute
)

// State is how a request ended.
type State string

// States of a report. Refused has changed nothing.
const (
	Checked           State = "checked"
	Refused           State = "refused"
	Switched          State = "switched"
	EverythingAsItWas State = "rolledBack"
	Broken            State = "failed"
)

// Report is the answer to the numaspark command.
type Report struct {
	State   State  `json:"state"`
	Message string `json:"message,omitempty"`
	// CPUs is how many are online. Online are these, and Reserved the new value of reservedSystemCPUs; empty if it is not set, or a list
	// is too long.
	CPUs     int    `json:"cpus,omitempty"`
	Online   string `json:"online,omitempty"`
	Reserved string `json:"reserved,omitempty"`
}

func (r Report) with(plan Plan) Report {
	if up, err := cpus.Parse(plan.Online); err == nil {
		r.CPUs = up.Size()
	}
	if len(plan.Online) <= longestOnline {
		r.Online = plan.Online
	}
	if len(plan.Reserved) <= longestReserved {
		r.Reserved = plan.Reserved
	}
	return r
}

func report(state State, message string) Report {
	if message = text.Line(message); len(message) > longestMessage {
		message = message[:longestMessage] + "..."
	}
	return Report{State: state, Message: message}
}

// Units is a node on which services of systemd can be installed.
type Units interface {
	Host
	// Enable makes systemd read a new unit, and start it with the machine.
	Enable(unit string) error
	// Disable does the opposite.
	Disable(unit string) error
	// StartSoon starts a unit without waiting.
	StartSoon(unit string) error
	// CheckWritable returns an error unless files can be created in a folder.
	CheckWritable(path string) error
}

// Launcher installs the program on the node as a service of its own, because the pod that brings it must not be needed while the
// kubelet is stopped, and waits for the end.
type Launcher struct {
	Units Units
	Clock Clock
	// Program is the one that the service runs.
	Program []byte
}

// Check reports whether a switch is possible, and changes nothing.
func (l Launcher) Check(target string) Report {
	plan, found, err := Load(l.Units)
	if err != nil {
		return report(Refused, err.Error())
	}
	if found && plan.IsUnfinished() {
		return report(Checked, "a switch of SMT "+plan.Target+" was interrupted, and will be continued first")
	}
	if err := l.check(); err != nil {
		return report(Refused, err.Error())
	}
	if plan, err = Make(l.Units, target); err != nil {
		return report(Refused, err.Error())
	}
	plan.Reserved = unquoted(plan.Token)
	return report(Checked, "").with(plan)
}

func (l Launcher) check() error {
	if _, err := l.Units.Service(Unit); err != nil {
		return fmt.Errorf("systemd does not answer on this node (%w): switch SMT by hand (docs/smt.md)", err)
	}
	if err := l.Units.CheckWritable(unitFolder); err != nil {
		return fmt.Errorf("no service can be installed on this node (%w): its image decides about SMT; boot it with nosmt", err)
	}
	return nil
}

// Launch switches, or finishes what an earlier one has begun. An unfinished switch in the other direction is rolled back first.
func (l Launcher) Launch(target string) Report {
	plan, found, err := Load(l.Units)
	if err != nil {
		return report(Refused, err.Error())
	}
	if found && plan.IsUnfinished() {
		if plan, err = l.finish(plan, target); err != nil {
			return report(Broken, err.Error())
		}
		if plan.Target == target || plan.Phase == Failed {
			return l.outcome(plan)
		}
	}
	if err := l.check(); err != nil {
		return report(Refused, err.Error())
	}
	if plan, err = Make(l.Units, target); err != nil {
		return report(Refused, err.Error())
	}
	if err = Save(l.Units, plan); err == nil {
		plan, err = l.run(plan)
	}
	if err != nil {
		return report(Broken, err.Error())
	}
	return l.outcome(plan)
}

// finish continues an interrupted switch; one in the other direction is turned round.
func (l Launcher) finish(plan Plan, target string) (Plan, error) {
	if plan.Phase == Switching && plan.Target != target {
		// It can be ended between any two steps.
		if err := l.Units.Stop(Unit); err != nil {
			return plan, err
		}
		last, found, err := Load(l.Units)
		if err != nil {
			return plan, err
		}
		if found {
			plan = last
		}
		if plan.Phase == Switching {
			plan.Phase, plan.Message = RollingBack, "the opposite was requested meanwhile"
			if err := Save(l.Units, plan); err != nil {
				return plan, err
			}
		}
	}
	if !plan.IsUnfinished() {
		return plan, nil
	}
	return l.run(plan)
}

// run installs the service, starts it, and waits until nothing is left to do.
func (l Launcher) run(plan Plan) (Plan, error) {
	err := l.Units.Replace(programFile, l.Program, 0o755)
	if err == nil {
		err = l.Units.Replace(unitFile, []byte(unitText(plan.Unit)), 0o644)
	}
	if err == nil {
		err = l.Units.Enable(Unit)
	}
	if err == nil {
		err = l.Units.StartSoon(Unit)
	}
	if err != nil {
		return plan, fmt.Errorf("the service cannot be installed: %w; correct that, and run the command again", err)
	}
	idle := 0
	for end := l.Clock.Now().Add(longestSwitch); l.Clock.Now().Before(end); l.Clock.Sleep(between) {
		last, found, err := Load(l.Units)
		if err != nil {
			return plan, err
		}
		if !found {
			return plan, errors.New("another program has deleted " + planFile + "; run the command again")
		}
		if !last.IsUnfinished() {
			return last, nil
		}
		service, err := l.Units.Service(Unit)
		if err == nil && (service.State == "inactive" || service.State == "failed") {
			idle++
		} else {
			idle = 0
		}
		if idle > 5 {
			return plan, fmt.Errorf("%s has ended without a result, see journalctl -u %s on the node; then run the command again", Unit, Unit)
		}
	}
	return plan, fmt.Errorf("%s does not end, see journalctl -u %s on the node; then run the command again", Unit, Unit)
}

func unitText(kubelet string) string {
	return `[Unit]
Description=numaspark: switches SMT, and again when the machine starts (numaspark smt)
RequiresMountsFor=` + Folder + `
Before=` + kubelet + `
StartLimitIntervalSec=0
[Service]
Type=notify
ExecStart=` + programFile + ` run
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=5
[Install]
WantedBy=multi-user.target
`
}

// outcome reports, and removes what the node does not need any more.
func (l Launcher) outcome(plan Plan) Report {
	ended := report(Switched, plan.Message)
	switch plan.Phase {
	case RolledBack:
		ended.State = EverythingAsItWas
	case Failed:
		ended.State = Broken
	}
	ended = ended.with(plan)
	if plan.Kept() != "" || plan.Phase == Failed {
		return ended
	}
	if err := l.remove(); err != nil {
		ended.Message = report(ended.State, ended.Message+" (the service could not be removed: "+err.Error()+")").Message
	}
	return ended
}

// remove leaves nothing behind. The plan is the last, so that a later launch removes what is left of the rest.
func (l Launcher) remove() error {
	err := l.Units.Stop(Unit) // it has ended, or is about to
	for _, step := range []func() error{
		func() error { return l.Units.Disable(Unit) },
		func() error { return l.Units.Remove(unitFile) },
		func() error { return l.Units.Remove(programFile) },
		func() error { return l.Units.Remove(backupFile) },
		func() error { return l.Units.Remove(planFile) },
		func() error { return l.Units.Remove(Folder) },
	} {
		if err == nil {
			err = step()
		}
	}
	return err
}
