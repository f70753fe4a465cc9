package smt

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"numaspark.io/agent/internal/cpus"
)

const (
	// Patience is how long a kubelet may take to become healthy. It waits for its certificate and the container runtime.
	Patience = 15 * time.Minute
	// A kubelet that has ended so often does not accept what it finds.
	mostRestarts = 10
	// A kubelet that does not accept CPUs or state ends within seconds, after it was healthy for a moment.
	steadyFor = 20 * time.Second
	between   = time.Second
)

// Clock is the time of the node.
type Clock interface {
	Now() time.Time
	Sleep(time.Duration)
}

// Switcher carries out the plan of a node. Killed between any two steps, another one finishes what it has begun.
type Switcher struct {
	Host  Host
	Clock Clock
	Log   *slog.Logger
	// Ready is called when the kubelet may start: at a start of the machine systemd waits for it.
	Ready func()
}

// Run does what is left to do. If nothing is left, it switches SMT again after a start of the machine.
func (s Switcher) Run() error {
	plan, found, err := Load(s.Host)
	if err != nil {
		return err
	}
	defer s.Ready()
	switch {
	case !found:
		s.Log.Info("there is nothing to do")
		return nil
	case plan.Phase == Switching:
		return s.forward(plan)
	case plan.Phase == RollingBack:
		return s.back(plan)
	case plan.Kept() != "":
		return s.keep(plan.Kept())
	}
	return nil
}

// keep is what is left to do after a start of the machine: the kubelet would not start with other CPUs than it knows.
func (s Switcher) keep(state string) error {
	if _, err := (topology{s.Host}).checkSwitchable(); err != nil {
		s.Log.Warn("SMT is not switched " + state + " again: " + err.Error())
		return nil
	}
	return s.switchTo(state)
}

// forward switches. Each step leaves what is there already as it is.
func (s Switcher) forward(plan Plan) error {
	s.Log.Info("switching SMT " + plan.Target)
	done, err := s.steps(plan, plan.Target, s.newReservation)
	if err != nil {
		s.Log.Error(err.Error() + ": everything is restored")
		plan.Phase, plan.Message = RollingBack, err.Error()
		if err := Save(s.Host, plan); err != nil {
			s.Log.Error(err.Error()) // what is in memory is enough, unless this program is killed too
		}
		return s.back(plan)
	}
	done.Phase = Done
	s.Log.Info(fmt.Sprintf("SMT is %s, and the kubelet is healthy with CPUs %s", done.Target, done.Online))
	return Save(s.Host, done)
}

// back restores SMT and configuration.
func (s Switcher) back(plan Plan) error {
	restored, err := s.steps(plan, plan.Before, func(plan *Plan) (string, error) { return plan.Token, nil })
	restored.Phase = RolledBack
	if err != nil {
		restored.Phase = Failed
		restored.Message = fmt.Sprintf("%s; and then: %v", plan.Message, err)
		s.Log.Error(err.Error())
	}
	return Save(s.Host, restored)
}

// steps leads from any state between before and after to the one that is wanted. The kubelet is started whatever else fails when
// this is a rollback: that is the caller's last way.
func (s Switcher) steps(plan Plan, state string, token func(*Plan) (string, error)) (Plan, error) {
	isBack := plan.Phase == RollingBack
	err := s.Host.Stop(plan.Unit)
	attempt := func(step func() error) {
		if err == nil || isBack {
			err = errors.Join(err, step())
		}
	}
	attempt(func() error { return s.switchTo(state) })
	attempt(func() error { return s.reserve(&plan, token) })
	attempt(func() error {
		for _, file := range plan.StateFiles {
			if err := s.Host.Remove(file); err != nil {
				return fmt.Errorf("the kubelet's state cannot be deleted: %w", err)
			}
		}
		return nil
	})
	attempt(func() error {
		up, err := topology{s.Host}.online()
		plan.Online = up.String()
		return err
	})
	attempt(func() error {
		s.Ready()
		return s.Host.Start(plan.Unit)
	})
	attempt(func() error { return s.awaitKubelet(plan) })
	return plan, err
}

// switchTo writes to the kernel, and reads back.
func (s Switcher) switchTo(state string) error {
	t := topology{s.Host}
	now, err := t.control()
	if err != nil || now == state {
		return err
	}
	if err := s.Host.Write(control, state); err != nil {
		return fmt.Errorf("the kernel does not switch SMT %s: %w", state, err)
	}
	if now, err = t.control(); err == nil && now != state {
		err = fmt.Errorf("%s is %s after %s was written", control, now, state)
	}
	return err
}

func (s Switcher) newReservation(plan *Plan) (string, error) {
	set, err := plan.reservedNow(topology{s.Host})
	if err != nil {
		return "", err
	}
	if before, err := cpus.Parse(unquoted(plan.Token)); err == nil && before.Equals(set) {
		return plan.Token, nil // as it was written
	}
	return quoted(set.String()), nil
}

// reserve changes reservedSystemCPUs, if a file has them.
func (s Switcher) reserve(plan *Plan, token func(*Plan) (string, error)) error {
	if plan.Config == "" {
		return nil
	}
	wanted, err := token(plan)
	if err != nil {
		return err
	}
	content, err := s.Host.Read(plan.Config, longestConfig)
	if err != nil {
		return fmt.Errorf("the kubelet's configuration cannot be read: %w", err)
	}
	changed, err := withReserved(content, wanted)
	if err != nil {
		return fmt.Errorf("%s: %w", plan.Config, err)
	}
	plan.Reserved = unquoted(wanted)
	if string(changed) == string(content) {
		return nil
	}
	if _, err := s.Host.Resolve(backupFile); err != nil {
		if err := s.Host.Replace(backupFile, content, 0o600); err != nil {
			return fmt.Errorf("the copy of the kubelet's configuration cannot be written: %w", err)
		}
	}
	if err := s.Host.Replace(plan.Config, changed, 0o644); err != nil {
		return fmt.Errorf("the kubelet's configuration cannot be written: %w", err)
	}
	return nil
}

// awaitKubelet waits until the kubelet has worked for a while without starting again.
func (s Switcher) awaitKubelet(plan Plan) error {
	var since time.Time
	var pid int
	why := errors.New("it was not started")
	before := -1
	for end := s.Clock.Now().Add(Patience); s.Clock.Now().Before(end); s.Clock.Sleep(between) {
		var service Service
		service, why = s.kubelet(plan)
		if before < 0 {
			before = service.Restarts
		}
		if service.Restarts-before >= mostRestarts {
			why = fmt.Errorf("it has ended %d times", mostRestarts)
			break
		}
		if why != nil {
			since = time.Time{}
			continue
		}
		if now := s.Clock.Now(); since.IsZero() || service.PID != pid {
			since, pid = now, service.PID
		} else if now.Sub(since) >= steadyFor {
			return nil
		}
	}
	if why == nil {
		why = errors.New("it starts again and again")
	}
	return fmt.Errorf("the kubelet did not become healthy (%w), see journalctl -u %s on the node", why, plan.Unit)
}

// kubelet returns an error unless it works now: it answers, and has written the state that was deleted.
func (s Switcher) kubelet(plan Plan) (Service, error) {
	service, err := s.Host.Service(plan.Unit)
	if err != nil {
		return service, err
	}
	if service.State != "active" {
		return service, fmt.Errorf("%s is %s", plan.Unit, service.State)
	}
	for _, file := range plan.Present {
		if _, err := s.Host.Resolve(file); err != nil {
			return service, fmt.Errorf("it has not written %s", file)
		}
	}
	if plan.Health == "" {
		return service, nil
	}
	return service, s.Host.Healthy(plan.Health)
}
