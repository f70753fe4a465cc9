package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

const (
	attemptLabel  = "numaspark.io/attempt"
	playInterval  = 200 * time.Millisecond
	playedAtOnce  = 16              // pods
	playerTimeout = 5 * time.Second // of one pod's requests: what fails is tried again in the next round
)

var errNotOurs = errors.New("the pod is another one, is being deleted or has ended")

// Player plays drivers, executors and the part of kubelets that ends containers, in the middle of faults: it looks at
// all pods again and again and does what is missing, where FakeDrivers does everything once. A driver replaces executors
// that it loses, as Spark does.
type Player struct {
	core      kubernetes.Interface
	pods      cache.Store
	ledger    *Ledger
	executors int // of each driver

	mutex     sync.Mutex
	played    map[types.UID]*part
	deadNodes map[string]bool
	busy      map[types.UID]bool
	errors    map[string]int // requests that failed, by message: faults make them fail
}

// part is what a driver remembers. Only one goroutine at a time works for it.
type part struct {
	properties map[string]string
	nextID     int
	unseen     map[string]time.Time // executors that have not been seen yet: when they were created
	ends       time.Time            // zero until all executors run
}

func newPlayer(core kubernetes.Interface, pods cache.Store, ledger *Ledger, executors int) *Player {
	return &Player{
		core: core, pods: pods, ledger: ledger, executors: executors,
		played: map[types.UID]*part{}, deadNodes: map[string]bool{}, busy: map[types.UID]bool{}, errors: map[string]int{},
	}
}

func (p *Player) play(ctx context.Context) {
	slots := make(chan struct{}, playedAtOnce)
	ticker := time.NewTicker(playInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, scene := range p.scenes() {
			if !p.enter(scene.pod.UID) {
				continue
			}
			slots <- struct{}{}
			go func() {
				defer func() { p.leave(scene.pod.UID); <-slots }()
				limited, cancel := context.WithTimeout(ctx, playerTimeout)
				defer cancel()
				p.note(scene.do(limited))
			}()
		}
	}
}

// scene is something to do for one pod.
type scene struct {
	pod *corev1.Pod
	do  func(context.Context) error
}

func (p *Player) scenes() []scene {
	var scenes []scene
	pods := p.list()
	executors := map[types.UID][]*corev1.Pod{}
	drivers := map[types.UID]*corev1.Pod{}
	for _, pod := range pods {
		if pod.Labels[roleLabel] == "driver" {
			drivers[pod.UID] = pod
		} else if owner := metav1.GetControllerOf(pod); owner != nil {
			executors[owner.UID] = append(executors[owner.UID], pod)
		}
	}
	for _, pod := range pods {
		driver := pod.Labels[roleLabel] == "driver"
		switch {
		case !p.runs(pod):
		case pod.DeletionTimestamp != nil: // SIGTERM
			scenes = append(scenes, scene{pod, func(ctx context.Context) error { return p.end(ctx, pod, Exit{143, "Error"}) }})
		case driver:
			scenes = append(scenes, scene{pod, func(ctx context.Context) error { return p.drive(ctx, pod, executors[pod.UID]) }})
		default:
			owner := metav1.GetControllerOf(pod)
			if owner != nil && (drivers[owner.UID] == nil || !p.runs(drivers[owner.UID])) { // it has lost its driver
				scenes = append(scenes, scene{pod, func(ctx context.Context) error { return p.end(ctx, pod, Exit{1, "Error"}) }})
			}
		}
	}
	return scenes
}

func (p *Player) list() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, object := range p.pods.List() {
		pods = append(pods, object.(*corev1.Pod))
	}
	return pods
}

// runs tells whether the pod's processes run, whatever the API server says of a pod on a lost node.
func (p *Player) runs(pod *corev1.Pod) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return pod.Status.Phase == corev1.PodRunning && !p.deadNodes[pod.Spec.NodeName]
}

func (p *Player) drive(ctx context.Context, driver *corev1.Pod, executors []*corev1.Pod) error {
	state, err := p.stateOf(ctx, driver)
	if err != nil {
		return err
	}
	plan, known := p.ledger.plan(applicationOf(driver, p.ledger.target))
	if err := p.move(ctx, driver, plan.Address); err != nil {
		return err
	}
	running, coming := 0, 0
	for _, pod := range executors {
		delete(state.unseen, pod.Name)
		switch {
		case pod.DeletionTimestamp != nil:
		case p.runs(pod):
			running++
		case pod.Status.Phase == corev1.PodPending:
			coming++
		}
	}
	maps.DeleteFunc(state.unseen, func(_ string, created time.Time) bool { return time.Since(created) > playerTimeout })
	if state.ends.IsZero() || time.Now().Before(state.ends) {
		for range p.executors - running - coming - len(state.unseen) {
			if err := p.createExecutor(ctx, driver, state); err != nil {
				return err
			}
		}
	}
	switch {
	case !known || running < p.executors && state.ends.IsZero():
		return nil
	case state.ends.IsZero():
		state.ends = time.Now().Add(plan.Work)
		return nil
	case time.Now().Before(state.ends):
		return nil
	}
	return p.finish(ctx, driver, executors, state, plan)
}

// move gives a driver's pod another address, before it has executors that the operator would ask it about.
func (p *Player) move(ctx context.Context, driver *corev1.Pod, address string) error {
	if address == "" || driver.Status.PodIP == address {
		return nil
	}
	pods := p.core.CoreV1().Pods(driver.Namespace)
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := pods.Get(ctx, driver.Name, metav1.GetOptions{})
		if err != nil || now.UID != driver.UID {
			return err
		}
		now.Status.PodIP, now.Status.PodIPs = address, []corev1.PodIP{{IP: address}}
		_, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("moving a driver: %w", err)
	}
	return nil
}

func applicationOf(driver *corev1.Pod, target Target) types.NamespacedName {
	return types.NamespacedName{Namespace: driver.Namespace, Name: driver.Labels[target.ApplicationLabel]}
}

func (p *Player) stateOf(ctx context.Context, driver *corev1.Pod) (*part, error) {
	p.mutex.Lock()
	state := p.played[driver.UID]
	p.mutex.Unlock()
	if state != nil {
		return state, nil
	}
	properties, err := readProperties(ctx, p.core, driver)
	if err != nil {
		return nil, err
	}
	state = &part{properties: properties, nextID: 1, unseen: map[string]time.Time{}}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.played[driver.UID] = state
	return state, nil
}

func (p *Player) createExecutor(ctx context.Context, driver *corev1.Pod, state *part) error {
	pod := executor(driver, state.properties, state.nextID)
	_, err := p.core.CoreV1().Pods(driver.Namespace).Create(ctx, pod, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) { // the answer to an earlier request may have been lost
		return fmt.Errorf("creating an executor: %w", err)
	}
	state.unseen[pod.Name] = time.Now()
	state.nextID++
	return nil
}

// finish ends the executors first, as Spark does: the driver's JVM exits last.
func (p *Player) finish(ctx context.Context, driver *corev1.Pod, executors []*corev1.Pod, state *part, plan Plan) error {
	for _, pod := range executors {
		if state.properties[deleteProperty] == "false" {
			if p.runs(pod) {
				if err := p.end(ctx, pod, Exit{0, "Completed"}); err != nil {
					return err
				}
			}
			continue
		}
		if err := p.core.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); ignoreMissing(err) != nil {
			return fmt.Errorf("deleting an executor: %w", err)
		}
	}
	exit, cause := Exit{0, "Completed"}, exitedWell
	if attempt, _ := strconv.Atoi(driver.Labels[attemptLabel]); attempt <= plan.BadAttempts {
		exit, cause = Exit{1, "Error"}, exitedBadly
	}
	p.ledger.done(driver.UID, cause)
	return p.end(ctx, driver, exit)
}

func ignoreMissing(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// end writes how a pod's containers ended. It does nothing for a pod that has ended or was replaced.
func (p *Player) end(ctx context.Context, pod *corev1.Pod, exit Exit) error {
	_, err := p.ended(ctx, pod, exit)
	return err
}

// ended does what end does, and tells whether the pod ended so: something else may have ended it first.
func (p *Player) ended(ctx context.Context, pod *corev1.Pod, exit Exit) (bool, error) {
	pods := p.core.CoreV1().Pods(pod.Namespace)
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if now.UID != pod.UID || now.Status.Phase != corev1.PodRunning || (now.DeletionTimestamp == nil) != (pod.DeletionTimestamp == nil) {
			return errNotOurs
		}
		terminate(&now.Status, metav1.Now(), exit)
		_, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{})
		return err
	})
	if err == errNotOurs || apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ending a pod: %w", err)
	}
	return true, nil
}

// runningPods are those of a role whose processes run and that nobody has asked to end.
func (p *Player) runningPods(role string) []*corev1.Pod {
	return slices.DeleteFunc(p.list(), func(pod *corev1.Pod) bool {
		return pod.Labels[roleLabel] != role || pod.DeletionTimestamp != nil || !p.runs(pod)
	})
}

func (p *Player) nodeDies(name string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.deadNodes[name] = true
}

// forget lets go of all drivers, once they are gone.
func (p *Player) forget() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	clear(p.played)
	clear(p.errors)
}

func (p *Player) enter(pod types.UID) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.busy[pod] {
		return false
	}
	p.busy[pod] = true
	return true
}

func (p *Player) leave(pod types.UID) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.busy, pod)
}

func (p *Player) note(err error) {
	if err != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.errors[err.Error()]++
	}
}
