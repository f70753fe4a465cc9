package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Fate is what an application of a soak goes through.
type Fate struct {
	plan    Plan
	pinned  bool
	befalls func(context.Context, *SoakRun, types.NamespacedName) error // nil: nothing; it ends by itself
}

// fates are taken in turn.
var fates = []Fate{
	{plan: Plan{Retries: never, Work: time.Second}},
	{plan: Plan{Retries: never, Work: 8 * time.Second}, befalls: suspendAndResume},
	{plan: Plan{Retries: 2, BadAttempts: 1, Work: time.Second}},
	{plan: Plan{Retries: never, Work: 8 * time.Second}, befalls: editWhileItRuns},
	{plan: Plan{Retries: never, Work: 30 * time.Second}, befalls: deleteWhileItRuns},
	{plan: Plan{Retries: never, Work: 2 * time.Second}, pinned: true},
	{plan: Plan{Retries: never, BadAttempts: 1, Work: time.Second}},
	{plan: Plan{Retries: never, Work: 30 * time.Second}, befalls: deleteWhileSuspended},
	{plan: Plan{Retries: never, Work: time.Second}, befalls: expire},
	{plan: Plan{Retries: never, Work: 8 * time.Second}, pinned: true, befalls: suspendAndResume},
	{plan: Plan{Retries: never, Work: 30 * time.Second}, pinned: true, befalls: deleteWhileItRuns},
	{plan: Plan{Retries: never, Work: time.Second}, befalls: deleteAtOnce},
}

func suspendAndResume(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	if err := run.stopIt(ctx, name, suspended, `{"spec": {"suspend": true}}`); err != nil {
		return err
	}
	if err := run.awaitState([]types.NamespacedName{name}, "SUSPENDED", run.patient(usualBound)); err != nil {
		return err
	}
	return run.suspend(ctx, name, false)
}

func editWhileItRuns(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	return run.stopIt(ctx, name, edited, `{"spec": {"arguments": ["another"]}}`)
}

// stopIt waits until the application runs, and does what stops its driver.
func (r *SoakRun) stopIt(ctx context.Context, name types.NamespacedName, cause Cause, patch string) error {
	if err := r.awaitState([]types.NamespacedName{name}, "RUNNING", r.patient(usualBound)); err != nil {
		return err
	}
	r.ledger.stopped(name, cause)
	return r.patchSpec(ctx, name, patch)
}

func deleteWhileItRuns(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	if err := run.awaitState([]types.NamespacedName{name}, "RUNNING", run.patient(usualBound)); err != nil {
		return err
	}
	return run.deleteIt(ctx, name)
}

func deleteWhileSuspended(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	if err := run.stopIt(ctx, name, suspended, `{"spec": {"suspend": true}}`); err != nil {
		return err
	}
	if err := run.awaitState([]types.NamespacedName{name}, "SUSPENDED", run.patient(usualBound)); err != nil {
		return err
	}
	return run.deleteIt(ctx, name)
}

func deleteAtOnce(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	return run.deleteIt(ctx, name)
}

// expire lets the operator delete it, after its end.
func expire(ctx context.Context, run *SoakRun, name types.NamespacedName) error {
	run.ledger.doomed(name)
	if err := run.patchSpec(ctx, name, `{"spec": {"timeToLiveSeconds": 1}}`); err != nil {
		return err
	}
	return run.awaitGone(name)
}

func (r *SoakRun) deleteIt(ctx context.Context, name types.NamespacedName) error {
	r.ledger.doomed(name)
	applications := r.cluster.custom.Resource(r.cluster.target.groupVersionResource()).Namespace(name.Namespace)
	if err := applications.Delete(ctx, name.Name, metav1.DeleteOptions{}); ignoreMissing(err) != nil {
		return err
	}
	return r.awaitGone(name)
}

// schedule creates a schedule in each namespace; they run every minute, which is as often as they may.
func (r *SoakRun) schedule(ctx context.Context, number int) ([]types.NamespacedName, error) {
	var names []types.NamespacedName
	for i := range r.soak.Namespaces {
		name := types.NamespacedName{Namespace: namespaceName(i), Name: fmt.Sprintf("soak-%d", number)}
		schedule := customObject("ScheduledSparkApplication", name.Name, map[string]any{
			"schedule": "* * * * *", "concurrencyPolicy": "Forbid", "template": r.cluster.target.application("", "").Object["spec"],
		})
		schedules := r.cluster.custom.Resource(scheduleKind).Namespace(name.Namespace)
		if _, err := schedules.Create(ctx, schedule, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// endSchedules suspends every other one first; the schedules own their runs.
func (r *SoakRun) endSchedules(ctx context.Context, names []types.NamespacedName) error {
	for i, name := range names {
		schedules := r.cluster.custom.Resource(scheduleKind).Namespace(name.Namespace)
		if i%2 == 0 {
			_, err := schedules.Patch(ctx, name.Name, types.MergePatchType, []byte(`{"spec": {"suspend": true}}`), metav1.PatchOptions{})
			if err != nil {
				return err
			}
		}
		background := metav1.DeletePropagationBackground
		if err := schedules.Delete(ctx, name.Name, metav1.DeleteOptions{PropagationPolicy: &background}); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}
