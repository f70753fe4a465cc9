package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

const (
	roleLabel  = "spark-role" // Spark's own label of driver and executor pods
	creators   = 32           // requests at once that create applications
	serviceAcc = "spark"      // service account of the drivers
)

// Cluster is the control plane under load.
type Cluster struct {
	core   kubernetes.Interface
	custom dynamic.Interface
	target Target
}

func namespaceName(index int) string { return fmt.Sprintf("bench-%03d", index) }

// prepare makes the nodes, namespaces and service accounts, and waits until the nodes are ready.
func (c Cluster) prepare(ctx context.Context, scenario Scenario) error {
	for i := range scenario.Nodes {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("simulated-%03d", i)}}
		if _, err := c.core.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
	}
	for i := range scenario.Namespaces {
		name := metav1.ObjectMeta{Name: namespaceName(i)}
		if _, err := c.core.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: name}, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: serviceAcc}}
		if _, err := c.core.CoreV1().ServiceAccounts(name.Name).Create(ctx, account, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
	}
	err := wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		nodes, err := c.core.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		ready := 0
		for _, node := range nodes.Items {
			if isReady(node) && len(node.Spec.Taints) == 0 {
				ready++
			}
		}
		return ready >= scenario.Nodes, nil
	})
	if err != nil {
		return fmt.Errorf("the simulated nodes are not ready: %w; is kwok running?", err)
	}
	return nil
}

func isReady(node corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func ignoreExisting(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// watch begins to note what happens to applications and their pods.
func (c Cluster) watch(ctx context.Context, journal *Journal, drivers *FakeDrivers) error {
	pods := informers.NewSharedInformerFactoryWithOptions(c.core, 0,
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = roleLabel })).Core().V1().Pods().Informer()
	seen := func(object any) {
		pod := object.(*corev1.Pod)
		c.noteDriver(pod, journal)
		drivers.seen(pod)
	}
	if _, err := pods.AddEventHandler(handler(seen)); err != nil {
		return err
	}
	applications := dynamicinformer.NewDynamicSharedInformerFactory(c.custom, 0).ForResource(c.target.groupVersionResource()).Informer()
	_, err := applications.AddEventHandler(handler(func(object any) {
		application := object.(*unstructured.Unstructured)
		if ended, well := c.target.ended(application); ended {
			journal.ended(nameOf(application), well)
		}
	}))
	if err != nil {
		return err
	}
	go pods.RunWithContext(ctx)
	go applications.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced, applications.HasSynced) {
		return fmt.Errorf("could not watch pods and %s: is the kind installed?", c.target.Resource)
	}
	return nil
}

func handler(seen func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: seen, UpdateFunc: func(_, object any) { seen(object) }}
}

func nameOf(object metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}

func (c Cluster) noteDriver(pod *corev1.Pod, journal *Journal) {
	application := pod.Labels[c.target.ApplicationLabel]
	if pod.Labels[roleLabel] != "driver" || application == "" {
		return
	}
	name := types.NamespacedName{Namespace: pod.Namespace, Name: application}
	journal.driverSeen(name, pod.UID)
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		journal.driverEnded(name)
	}
}

// createApplications creates all of them; names are unique among the runs on one control plane.
func (c Cluster) createApplications(ctx context.Context, scenario Scenario, journal *Journal) error {
	prefix := fmt.Sprintf("app-%x", time.Now().Unix()&0xfffff)
	names := make(chan types.NamespacedName)
	var group sync.WaitGroup
	for range creators {
		group.Go(func() {
			for name := range names {
				c.create(ctx, name, journal)
			}
		})
	}
	start := time.Now()
	for i := range scenario.Applications {
		if scenario.Rate > 0 {
			time.Sleep(time.Until(start.Add(time.Duration(float64(i) / scenario.Rate * float64(time.Second)))))
		}
		names <- types.NamespacedName{Namespace: namespaceName(i % scenario.Namespaces), Name: fmt.Sprintf("%s-%05d", prefix, i)}
	}
	close(names)
	group.Wait()
	return ctx.Err()
}

func (c Cluster) create(ctx context.Context, name types.NamespacedName, journal *Journal) {
	application := c.target.application(name.Namespace, name.Name)
	journal.applied(name)
	_, err := c.custom.Resource(c.target.groupVersionResource()).Namespace(name.Namespace).Create(ctx, application, metav1.CreateOptions{})
	if err != nil {
		journal.notApplied(name, fmt.Errorf("creating an application: %w", err))
	}
}
