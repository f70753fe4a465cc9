package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
)

// Fault is one thing that goes wrong. Its action returns once what went wrong is mended, as far as it can be.
type Fault struct {
	name   string
	bound  time.Duration // within which all applications that were on their way must be final, from the mending on
	action func(context.Context, *FaultRun) error
}

const (
	usualBound = 60 * time.Second
	// The pod garbage collector waits for 40 s after it has missed a node, and looks every 20 s (pkg/controller/podgc).
	nodeBound = usualBound + 80*time.Second

	operatorKills = 4
	cutTimes      = 5
	victims       = 2
)

var faults = []Fault{
	{"node lost", nodeBound, loseNode},
	{"operator killed, 4 times", usualBound, killOperator},
	{"API server killed", usualBound, shell("kill_apiserver")},
	{"drivers evicted", usualBound, evictDrivers},
	{"drivers deleted by hand", usualBound, deleteDrivers},
	{"etcd stopped for 20 s", usualBound, shell("pause_etcd 20")},
	{"executors out of memory", usualBound, killExecutors},
	{"watches cut, 5 times", usualBound, cutWatches},
	{"drivers that stall", usualBound, alive(sufferDrivers(stalling))},
	{"drivers that flood and lie", usualBound, alive(sufferDrivers(flooding))},
	{"half-sent requests", usualBound, alive(holdHalfRequests)},
	{"logs that are long or slow", usualBound, alive(longLogs)},
	{"pods of a stranger", usualBound, alive(forgePods)},
	{"watches expired by compaction", usualBound, shell("expire_watches")},
	{"leader frozen in submission, 3 times", leaseBound, withReplica(freezeInSubmission)},
	{"leader frozen in suspension, 3 times", leaseBound, withReplica(freezeInSuspension)},
	{"both replicas killed", leaseBound, withReplica(killBothReplicas)},
	{"namespace deleted", usualBound, deleteNamespace},
}

// shell lets faults.sh do it: it knows the processes.
func shell(command string) func(context.Context, *FaultRun) error {
	return func(_ context.Context, run *FaultRun) error { return run.shell.do(command) }
}

func killOperator(ctx context.Context, run *FaultRun) error {
	for range operatorKills {
		if err := run.shell.do("kill_operator"); err != nil {
			return err
		}
		// From the JVM's start to some seconds of work: the next one may hit it at any of it.
		time.Sleep(time.Duration(500+rand.IntN(5500)) * time.Millisecond)
	}
	return run.shell.do("operator_ready")
}

func loseNode(ctx context.Context, run *FaultRun) error {
	if _, err := run.drivers(1); err != nil {
		return err
	}
	drivers := map[string]int{}
	for _, pod := range run.player.runningPods("driver") {
		drivers[pod.Spec.NodeName]++
	}
	node := ""
	for name, count := range drivers {
		if node == "" || count > drivers[node] {
			node = name
		}
	}
	run.player.nodeDies(node)
	for _, pod := range run.player.list() {
		if pod.Spec.NodeName == node {
			run.lost(pod, nodeLost)
		}
	}
	return again(ctx, func() error {
		return ignoreMissing(run.cluster.core.CoreV1().Nodes().Delete(ctx, node, metav1.DeleteOptions{}))
	})
}

// lost notes what happens to a pod that is a driver or an executor.
func (r *FaultRun) lost(pod *corev1.Pod, cause Cause) {
	if pod.Labels[roleLabel] == "driver" {
		r.ledger.done(pod.UID, cause)
	} else if owner := metav1.GetControllerOf(pod); owner != nil {
		r.ledger.executorEnded(owner.UID, false)
	}
}

// drivers are some that run, as soon as there are that many; of different plans, so that one is restarted and one is not.
func (r *FaultRun) drivers(count int) ([]*corev1.Pod, error) {
	deadline := time.Now().Add(r.patient(usualBound))
	for {
		var chosen, spare []*corev1.Pod
		kinds := map[bool]bool{}
		for _, pod := range r.player.runningPods("driver") {
			plan, _ := r.ledger.plan(applicationOf(pod, r.cluster.target))
			if restarts := plan.restarts(1); !kinds[restarts] {
				kinds[restarts] = true
				chosen = append(chosen, pod)
			} else {
				spare = append(spare, pod)
			}
		}
		chosen = append(chosen, spare...)
		if len(chosen) >= count {
			return chosen[:count], nil
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("only %d drivers run, %d are needed", len(chosen), count)
		}
		time.Sleep(playInterval)
	}
}

func evictDrivers(ctx context.Context, run *FaultRun) error {
	chosen, err := run.drivers(victims)
	if err != nil {
		return err
	}
	for _, pod := range chosen {
		run.ledger.done(pod.UID, evicted)
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}}
		if err := ignoreMissing(run.cluster.core.CoreV1().Pods(pod.Namespace).EvictV1(ctx, eviction)); err != nil {
			return err
		}
	}
	return nil
}

func deleteDrivers(ctx context.Context, run *FaultRun) error {
	chosen, err := run.drivers(victims)
	if err != nil {
		return err
	}
	zero := int64(0)
	for i, pod := range chosen {
		cause, options := deleted, metav1.DeleteOptions{}
		if i%2 == 1 {
			cause, options.GracePeriodSeconds = torn, &zero
		}
		run.ledger.done(pod.UID, cause)
		if err := ignoreMissing(run.cluster.core.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, options)); err != nil {
			return err
		}
	}
	return nil
}

// killExecutors kills one executor of each driver that has one.
func killExecutors(ctx context.Context, run *FaultRun) error {
	if _, err := run.drivers(victims); err != nil {
		return err
	}
	time.Sleep(time.Second) // they have executors by then
	killed := map[string]bool{}
	for _, pod := range run.player.runningPods("executor") {
		owner := metav1.GetControllerOf(pod)
		if owner == nil || killed[string(owner.UID)] {
			continue
		}
		oom, err := run.player.ended(ctx, pod, Exit{137, "OOMKilled"})
		if err != nil {
			return err
		}
		if oom { // and not a driver that ended its executors just then
			killed[string(owner.UID)] = true
			run.ledger.executorEnded(owner.UID, true)
		}
	}
	if len(killed) == 0 {
		return errors.New("no executor runs")
	}
	return nil
}

func cutWatches(_ context.Context, run *FaultRun) error {
	for range cutTimes {
		if err := run.shell.do("cut_connections"); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

// deleteNamespace deletes the namespace with most applications on their way, and waits until it is gone.
func deleteNamespace(ctx context.Context, run *FaultRun) error {
	counts := map[string]int{}
	for name := range run.ledger.open() {
		counts[name.Namespace]++
	}
	victim := ""
	for name, count := range counts {
		if victim == "" || count > counts[victim] {
			victim = name
		}
	}
	if victim == "" {
		return errors.New("no application is on its way")
	}
	run.closeNamespace(victim)
	namespaces := run.cluster.core.CoreV1().Namespaces()
	if err := namespaces.Delete(ctx, victim, metav1.DeleteOptions{}); err != nil {
		return err
	}
	bound := run.patient(usualBound)
	deadline := time.Now().Add(bound)
	for {
		_, err := namespaces.Get(ctx, victim, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			break
		}
		if time.Now().After(deadline) {
			run.violate("leftover", "namespace %s is not gone %s after its deletion", victim, bound)
			return nil
		}
		time.Sleep(playInterval)
	}
	run.deletedNamespace = victim
	return nil
}

// leftovers are the objects of every kind in a namespace that is gone: the API server lists them all the same.
func (c Cluster) leftovers(ctx context.Context, client metadata.Interface, namespace string) ([]string, error) {
	kinds, err := c.core.Discovery().ServerPreferredNamespacedResources()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, group := range kinds {
		version, err := schema.ParseGroupVersion(group.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range group.APIResources {
			if !slices.Contains(kind.Verbs, "list") {
				continue
			}
			objects, err := client.Resource(version.WithResource(kind.Name)).Namespace(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return nil, fmt.Errorf("listing %s: %w", kind.Name, err)
			}
			for _, object := range objects.Items {
				found = append(found, strings.ToLower(kind.Kind)+"/"+object.Name)
			}
		}
	}
	return found, nil
}

// again repeats a request that faults may have made fail.
func again(ctx context.Context, request func() error) error {
	for {
		err := request()
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(playInterval)
	}
}
