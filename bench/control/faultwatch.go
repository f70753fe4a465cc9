package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// Shell passes commands to faults.sh, one at a time.
type Shell struct {
	requests io.Writer
	replies  *bufio.Reader
}

func (s Shell) do(command string) error {
	if _, err := fmt.Fprintln(s.requests, command); err != nil {
		return fmt.Errorf("asking for %s: %w", command, err)
	}
	reply, err := s.replies.ReadString('\n')
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", command, err)
	}
	if reply = strings.TrimSpace(reply); reply != "ok" {
		return fmt.Errorf("%s: %s", command, reply)
	}
	return nil
}

// watch begins to note what happens, and makes the player, who looks at the same pods.
func (r *FaultRun) watch(ctx context.Context) error {
	pods := informers.NewSharedInformerFactoryWithOptions(r.cluster.core, 0,
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = roleLabel })).Core().V1().Pods().Informer()
	if _, err := pods.AddEventHandler(watcher(func(pod *corev1.Pod, gone bool) { r.ledger.seenDriver(pod, gone) })); err != nil {
		return err
	}
	r.player = newPlayer(r.cluster.core, pods.GetStore(), r.ledger, r.scenario.Executors)
	applications := dynamicinformer.NewDynamicSharedInformerFactory(r.cluster.custom, 0).
		ForResource(r.cluster.target.groupVersionResource()).Informer()
	seen := func(application *unstructured.Unstructured, gone bool) {
		if gone {
			r.ledger.goneApplication(nameOf(application))
		} else {
			r.ledger.seenApplication(application)
		}
	}
	if _, err := applications.AddEventHandler(watcher(seen)); err != nil {
		return err
	}
	go pods.RunWithContext(ctx)
	go applications.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced, applications.HasSynced) {
		return fmt.Errorf("could not watch pods and %s", r.cluster.target.Resource)
	}
	return nil
}

func watcher[T any](seen func(object T, gone bool)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen(object.(T), false) },
		UpdateFunc: func(_, object any) { seen(object.(T), false) },
		DeleteFunc: func(object any) {
			if missed, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = missed.Obj
			}
			seen(object.(T), true)
		},
	}
}
