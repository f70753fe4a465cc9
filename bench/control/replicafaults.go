package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	freezes     = 3
	submissions = 6
	suspensions = 4
	// A lease lasts 15 s from its last renewal, as its observer sees it; another replica takes it within two retry periods of 2 s.
	leaseBound = usualBound + 20*time.Second
)

// withReplica has an action happen while a second replica stands by.
func withReplica(action func(context.Context, *FaultRun) error) func(context.Context, *FaultRun) error {
	return func(ctx context.Context, run *FaultRun) error {
		if err := run.shell.do("replica_up"); err != nil {
			return err
		}
		if err := action(ctx, run); err != nil {
			return errors.Join(err, run.shell.do("replica_down"))
		}
		return run.shell.do("replica_down")
	}
}

// frozen stops the leader's process, waits until another replica leads, has the leader go on as if nothing had happened, and
// waits until both replicas are ready.
func frozen(run *FaultRun) error {
	for _, command := range []string{"freeze_leader", "await_next_leader", "thaw_leader", "operator_ready", "replica_ready"} {
		if err := run.shell.do(command); err != nil {
			return err
		}
	}
	return nil
}

// freezeInSubmission freezes the leader while it submits some applications: at any point between two of its requests.
func freezeInSubmission(ctx context.Context, run *FaultRun) error {
	for range freezes {
		run.submitAll(ctx, fillPlans(submissions, Plan{Retries: 1, BadAttempts: 1, Work: 2 * time.Second}))
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		if err := frozen(run); err != nil {
			return err
		}
	}
	return nil
}

// freezeInSuspension freezes the leader while it stops some applications, and resumes them when another one leads.
func freezeInSuspension(ctx context.Context, run *FaultRun) error {
	for range freezes {
		names := run.submitAll(ctx, fillPlans(suspensions, Plan{Retries: never, Work: 4 * time.Second}))
		if err := run.awaitState(names, "RUNNING", run.patient(usualBound)); err != nil {
			return err
		}
		for _, name := range names {
			run.ledger.stopped(name, suspended)
			if err := run.suspend(ctx, name, true); err != nil {
				return err
			}
		}
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		if err := frozen(run); err != nil {
			return err
		}
		for _, name := range names {
			if err := run.suspend(ctx, name, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func killBothReplicas(_ context.Context, run *FaultRun) error {
	for _, command := range []string{"kill_replicas", "operator_ready", "replica_ready"} {
		if err := run.shell.do(command); err != nil {
			return err
		}
	}
	return nil
}

// suspend writes spec.suspend.
func (r *FaultRun) suspend(ctx context.Context, name types.NamespacedName, how bool) error {
	return r.patchSpec(ctx, name, fmt.Sprintf(`{"spec": {"suspend": %t}}`, how))
}

// patchSpec edits an application; one that is gone is not an error.
func (r *FaultRun) patchSpec(ctx context.Context, name types.NamespacedName, patch string) error {
	applications := r.cluster.custom.Resource(r.cluster.target.groupVersionResource()).Namespace(name.Namespace)
	_, err := applications.Patch(ctx, name.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return ignoreMissing(err)
}

// awaitState waits until each application is in a state, or has gone past it to its end.
func (r *FaultRun) awaitState(names []types.NamespacedName, state string, bound time.Duration) error {
	deadline := time.Now().Add(bound)
	for _, name := range names {
		for r.ledger.stateOf(name) != state && !r.ledger.isFinal(name) {
			if time.Now().After(deadline) {
				return fmt.Errorf("%s is %q and not %s after %s", name, r.ledger.stateOf(name), state, bound)
			}
			time.Sleep(playInterval)
		}
	}
	return nil
}
