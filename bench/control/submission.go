package main

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// stream creates applications at an even rate, until it is told to stop.
func (r *FaultRun) stream(ctx context.Context) {
	ticker := time.NewTicker(time.Duration(float64(time.Second) / r.scenario.Rate))
	defer ticker.Stop()
	var creations sync.WaitGroup
	defer creations.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			// Not in the stream's own context: what was begun is finished.
			creations.Go(func() { r.create(context.WithoutCancel(ctx)) })
		}
	}
}

// create insists until the API server has taken the application, or its namespace is deleted.
func (r *FaultRun) create(ctx context.Context) {
	name, plan := r.take()
	r.submit(ctx, name, plan)
}

// submitAll creates an application for each plan, and has the fault that goes on answer for them too.
func (r *FaultRun) submitAll(ctx context.Context, plans []Plan) []types.NamespacedName {
	var names []types.NamespacedName
	var creations sync.WaitGroup
	for _, plan := range plans {
		name, _ := r.take()
		names = append(names, name)
		creations.Go(func() { r.submit(ctx, name, plan) })
	}
	creations.Wait()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.concerned = append(r.concerned, names...)
	return names
}

func (r *FaultRun) submit(ctx context.Context, name types.NamespacedName, plan Plan) {
	application := r.cluster.target.application(name.Namespace, name.Name)
	if err := plan.apply(application, r.scenario.Executors); err != nil {
		panic(err) // the target's manifest has fields of another type: no run is possible
	}
	r.ledger.planned(name, plan)
	applications := r.cluster.custom.Resource(r.cluster.target.groupVersionResource()).Namespace(name.Namespace)
	for {
		limited, cancel := context.WithTimeout(ctx, playerTimeout)
		_, err := applications.Create(limited, application, metav1.CreateOptions{})
		cancel()
		if ignoreExisting(err) == nil { // the answer to an earlier request may have been lost
			r.ledger.created(name)
			return
		}
		if (apierrors.IsNotFound(err) || apierrors.IsForbidden(err)) && r.isClosed(name.Namespace) {
			return
		}
		time.Sleep(playInterval)
	}
}

// take gives the next name, and what that application does.
func (r *FaultRun) take() (types.NamespacedName, Plan) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for {
		index := r.next
		r.next++
		if name := faultName(r.scenario.Namespaces, index); !r.closed[name.Namespace] {
			return name, planOf(index)
		}
	}
}
