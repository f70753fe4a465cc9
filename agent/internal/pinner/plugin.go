package pinner

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/containerd/nri/pkg/api"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/pinfile"
	"numaspark.io/agent/internal/text"
)

const (
	// PinAnnotation of a pod names the profile whose slots one of its containers wants.
	PinAnnotation = "numaspark.io/pin"
	// SlotsAnnotation says how many; 1 without it.
	SlotsAnnotation = "numaspark.io/pin-slots"
	// MarkAnnotation is written on containers.
	MarkAnnotation = "numaspark.io/slot"

	// executorContainer is Spark's name of the container that gets the slots; all others of the pod share CPUs.
	executorContainer = "spark-kubernetes-executor"

	// patience is how long a request waits for its turn. The runtime drops a plugin that takes longer than 2 s, and lets all
	// pods of the node wait until then.
	patience = time.Second
	// young containers have little memory that the kernel would have to move.
	young = 30 * time.Second
	// mostAtOnce: each change of another container runs the OCI runtime while all pods of the node wait.
	mostAtOnce, mostAtSynchronize = 32, 256
)

// Runtime is what the container runtime says of itself.
type Runtime struct{ Name, Version string }

// leastVersions are the first of each line in which a Synchronize does not race with other requests (containerd pull request
// 11384). A line that is not listed is newer than all of these, or older.
var leastVersions = map[string][]*version.Version{
	"containerd": {version.MustParseSemantic("1.7.26"), version.MustParseSemantic("2.0.3"), version.MustParseSemantic("2.1.0")},
	"cri-o":      {version.MustParseSemantic("1.32.0")},
}

// isTooOld is false for a runtime that nobody here knows.
func (r Runtime) isTooOld() bool {
	known, found := leastVersions[r.Name]
	own, err := version.ParseGeneric(r.Version)
	if !found || err != nil {
		return false
	}
	for _, least := range known {
		if own.Major() == least.Major() && own.Minor() == least.Minor() {
			return own.LessThan(least)
		}
	}
	return own.LessThan(known[len(known)-1])
}

// Refusal says why nothing is changed on this node although the layout asks for it.
type Refusal struct{ Reason, Message string }

// Reasons of refusals.
const (
	RuntimeTooOld  = "RuntimeTooOld"
	OtherCPUPlugin = "OtherCpuPlugin"
)

// Plugin answers the container runtime. It never answers with an error, because then the runtime would not create the
// container: on any doubt it changes nothing.
type Plugin struct {
	log     *slog.Logger
	now     func() time.Time
	changed func() // called after each change of what Snapshot returns

	// turn has one token; whoever has it may use what follows.
	turn     chan struct{}
	layout   pinfile.Layout
	running  *Assigner // nil before the first Synchronize of a connection
	refusal  *Refusal
	counters pinfile.Counters
	runtime  Runtime
	// generation is that of the layout by which the running containers were synchronized; empty before.
	generation string
	// synchronized is closed by the first Synchronize of a connection.
	synchronized chan struct{}
}

// NewPlugin makes one that knows no layout and changes nothing. The callback must not wait.
func NewPlugin(log *slog.Logger, changed func()) *Plugin {
	p := &Plugin{log: log, now: time.Now, changed: changed, turn: make(chan struct{}, 1), synchronized: make(chan struct{})}
	p.turn <- struct{}{}
	return p
}

// Snapshot is what a plugin knows at one moment.
type Snapshot struct {
	Layout pinfile.Layout
	// Generation is that of the layout that running containers have got, or are due to get.
	Generation string
	Runtime    Runtime
	Executors  []Executor
	Free       []pinfile.Slot
	// Due is how many containers still have other CPUs than the layout says.
	Due      int
	Counters pinfile.Counters
	// Refusal is nil if there is none.
	Refusal *Refusal
}

// Snapshot returns what is known now.
func (p *Plugin) Snapshot() Snapshot {
	<-p.turn
	defer p.done()
	s := Snapshot{Layout: p.layout, Generation: p.generation, Runtime: p.runtime, Counters: p.counters, Refusal: p.refusal}
	if p.running != nil {
		s.Executors, s.Free, s.Due = p.running.Executors(), p.running.Free(), p.running.DueLeft()
	}
	return s
}

// SetLayout is for containers that are created from now on; those that run get it by the next connection.
func (p *Plugin) SetLayout(layout pinfile.Layout) {
	<-p.turn
	defer p.done()
	p.layout = layout
	if p.running != nil && p.refusal == nil {
		p.running.SetLayout(layout)
	}
}

// Connecting forgets what an earlier connection knew. The channel is closed when the new one has told what runs.
func (p *Plugin) Connecting() <-chan struct{} {
	<-p.turn
	defer p.done()
	p.running, p.generation, p.synchronized = nil, "", make(chan struct{})
	return p.synchronized
}

func (p *Plugin) done() { p.turn <- struct{}{} }

// answer carries out one request: when its turn comes, or not at all. What it changes on its way to a panic stays, until the
// next Synchronize.
func (p *Plugin) answer(ctx context.Context, what string, work func()) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.turn:
	case <-ctx.Done():
		p.missed(what)
		return
	case <-timer.C:
		p.missed(what)
		return
	}
	defer p.changed()
	defer p.done()
	defer func() {
		if cause := recover(); cause != nil {
			p.counters.Panics++
			p.log.Error(fmt.Sprintf("%s: nothing is changed, because of an error of this program: %v", what, cause))
		}
	}()
	p.counters.Requests++
	work()
}

// missed counts without a turn of its own, which somebody else has.
func (p *Plugin) missed(what string) {
	p.log.Warn(what + ": nothing is changed, because the program was busy for a second")
	go func() {
		<-p.turn
		defer p.done()
		p.counters.Timeouts++
	}()
}

// Configure is called once on each connection.
func (p *Plugin) Configure(ctx context.Context, _, runtime, version string) (api.EventMask, error) {
	p.answer(ctx, "Configure", func() {
		p.runtime = Runtime{text.Quote(runtime), text.Quote(version)}
		p.log.Info("connected with " + p.runtime.Name + " " + p.runtime.Version)
	})
	return 0, nil // all events that have a handler here
}

// Synchronize takes over the node.
func (p *Plugin) Synchronize(ctx context.Context, pods []*api.PodSandbox, containers []*api.Container) ([]*api.ContainerUpdate, error) {
	var updates []*api.ContainerUpdate
	p.answer(ctx, "Synchronize", func() {
		byID := map[string]*api.PodSandbox{}
		for _, pod := range pods {
			byID[pod.GetId()] = pod
		}
		var running []Container
		for _, container := range containers {
			if c, ok := p.container(byID[container.GetPodSandboxId()], container); ok {
				running = append(running, c)
			}
		}
		layout := p.layout
		if p.refusal = p.refuse(layout, running); p.refusal != nil {
			p.log.Error(p.refusal.Message)
			layout.Mode = ""
		}
		p.running, p.generation = NewAssigner(layout, running), layout.Generation
		updates = updatesOf(p.running.Due(mostAtSynchronize))
		p.log.Info(fmt.Sprintf("%d containers run, %d of them are changed", len(running), len(updates)))
		select {
		case <-p.synchronized: // an earlier one of this connection
		default:
			close(p.synchronized)
		}
	})
	return updates, nil
}

func (p *Plugin) refuse(layout pinfile.Layout, running []Container) *Refusal {
	if p.runtime.isTooOld() {
		return &Refusal{RuntimeTooOld, fmt.Sprintf("%s %s loses containers that are created while a plugin connects: nothing is changed"+
			" on this node; upgrade to containerd 2.3.3 or CRI-O 1.32", p.runtime.Name, p.runtime.Version)}
	}
	if layout.Mode != pinfile.Pin {
		return nil
	}
	if c, found := Foreign(layout, running); found {
		return &Refusal{OtherCPUPlugin, fmt.Sprintf("container %s of pod %s/%s has the CPUs %s, which numaspark has not given to it:"+
			" nothing is changed on this node; remove the other program that sets CPUs, and restart that pod", c.Name, c.Namespace,
			c.Pod, c.CPUs)}
	}
	return nil
}

// CreateContainer gives a container its CPUs before it starts.
func (p *Plugin) CreateContainer(ctx context.Context, pod *api.PodSandbox, container *api.Container) (
	*api.ContainerAdjustment, []*api.ContainerUpdate, error) {
	var adjustment *api.ContainerAdjustment
	var updates []*api.ContainerUpdate
	p.whileRunning(ctx, "CreateContainer", func(running *Assigner) {
		c, ok := p.container(pod, container)
		if !ok {
			return
		}
		adjustment = adjustmentOf(running.Create(c))
		updates = updatesOf(without(c.ID, running.Due(mostAtOnce)))
	})
	return adjustment, updates, nil
}

// UpdateContainer keeps the CPUs of executors when somebody updates their resources.
func (p *Plugin) UpdateContainer(ctx context.Context, _ *api.PodSandbox, container *api.Container, wanted *api.LinuxResources) (
	[]*api.ContainerUpdate, error) {
	var updates []*api.ContainerUpdate
	p.whileRunning(ctx, "UpdateContainer", func(running *Assigner) {
		set, err := cpus.Parse(wanted.GetCpu().GetCpus())
		if err != nil {
			set = cpuset.New(0) // not what the container was given
		}
		own := running.Resize(container.GetId(), set)
		updates = updatesOf(without(container.GetId(), running.Due(mostAtOnce)))
		if !own.isEmpty() {
			updates = append(updates, updateOf(own))
		}
	})
	return updates, nil
}

// StopContainer changes nothing of the container that has stopped: its pod keeps the slots, because it may start it again.
func (p *Plugin) StopContainer(ctx context.Context, _ *api.PodSandbox, container *api.Container) ([]*api.ContainerUpdate, error) {
	var updates []*api.ContainerUpdate
	p.whileRunning(ctx, "StopContainer", func(running *Assigner) {
		updates = updatesOf(without(container.GetId(), running.Due(mostAtOnce)))
	})
	return updates, nil
}

// RemoveContainer forgets a container.
func (p *Plugin) RemoveContainer(ctx context.Context, _ *api.PodSandbox, container *api.Container) error {
	p.whileRunning(ctx, "RemoveContainer", func(running *Assigner) { running.Remove(container.GetId()) })
	return nil
}

// StopPodSandbox frees the slots of a pod, whose containers have ended.
func (p *Plugin) StopPodSandbox(ctx context.Context, pod *api.PodSandbox) error {
	p.whileRunning(ctx, "StopPodSandbox", func(running *Assigner) { running.EndSandbox(pod.GetId(), pod.GetUid()) })
	return nil
}

// RemovePodSandbox does the same, if the other event was lost.
func (p *Plugin) RemovePodSandbox(ctx context.Context, pod *api.PodSandbox) error {
	p.whileRunning(ctx, "RemovePodSandbox", func(running *Assigner) { running.EndSandbox(pod.GetId(), pod.GetUid()) })
	return nil
}

// whileRunning leaves out what comes before Synchronize: it is told there.
func (p *Plugin) whileRunning(ctx context.Context, what string, work func(*Assigner)) {
	p.answer(ctx, what, func() {
		if p.running != nil {
			work(p.running)
		}
	})
}

// container is what matters of a container; not ok if its CPUs cannot be understood. Environment and arguments, which may have
// secrets, are not looked at.
func (p *Plugin) container(pod *api.PodSandbox, from *api.Container) (c Container, ok bool) {
	resources := from.GetLinux().GetResources().GetCpu()
	set, err := cpus.Parse(resources.GetCpus())
	if err != nil {
		p.log.Warn(fmt.Sprintf("container %s is left as it is: its cpuset.cpus: %v", text.Quote(from.GetName()), err))
		return c, false
	}
	mems, err := cpus.Parse(resources.GetMems())
	if err != nil {
		p.log.Warn(fmt.Sprintf("container %s is left as it is: its cpuset.mems: %v", text.Quote(from.GetName()), err))
		return c, false
	}
	return Container{
		ID:        from.GetId(),
		Name:      from.GetName(),
		Sandbox:   from.GetPodSandboxId(),
		Namespace: pod.GetNamespace(),
		Pod:       pod.GetName(),
		PodUID:    pod.GetUid(),
		Wish:      wishOf(pod.GetAnnotations()),
		CPUs:      set,
		Mems:      mems,
		Mark:      from.GetAnnotations()[MarkAnnotation],
		Young:     p.isYoung(from.GetCreatedAt()),
	}, true
}

// isYoung is false if the runtime does not tell when the container was made.
func (p *Plugin) isYoung(createdAt int64) bool {
	return createdAt > 0 && p.now().Sub(time.Unix(0, createdAt)) < young
}

// wishOf reads a pod's annotations; one that makes no sense asks for nothing. An admission policy allows them only to pods that
// request as many slots from the scheduler.
func wishOf(annotations map[string]string) Wish {
	wish := Wish{Profile: annotations[PinAnnotation], Slots: 1}
	if wish.Profile == "" {
		return Wish{}
	}
	if count, found := annotations[SlotsAnnotation]; found {
		slots, err := strconv.ParseUint(count, 10, 16)
		if err != nil || slots < 1 || slots > pinfile.MaxSlots {
			return Wish{}
		}
		wish.Slots = int(slots)
	}
	return wish
}

func adjustmentOf(change Change) *api.ContainerAdjustment {
	if change.isEmpty() && change.Mark == "" {
		return nil
	}
	adjustment := &api.ContainerAdjustment{}
	adjustment.AddAnnotation(MarkAnnotation, change.Mark)
	if !change.CPUs.IsEmpty() {
		adjustment.SetLinuxCPUSetCPUs(change.CPUs.String())
	}
	if !change.Mems.IsEmpty() {
		adjustment.SetLinuxCPUSetMems(change.Mems.String())
	}
	return adjustment
}

// without leaves out the container that a request is about, of which the request says what it gets.
func without(id string, changes []Change) []Change {
	return slices.DeleteFunc(changes, func(c Change) bool { return c.ID == id })
}

func updatesOf(changes []Change) []*api.ContainerUpdate {
	var updates []*api.ContainerUpdate
	for _, change := range changes {
		updates = append(updates, updateOf(change))
	}
	return updates
}

// updateOf may fail: the container may have ended.
func updateOf(change Change) *api.ContainerUpdate {
	update := &api.ContainerUpdate{IgnoreFailure: true}
	update.SetContainerId(change.ID)
	if !change.CPUs.IsEmpty() {
		update.SetLinuxCPUSetCPUs(change.CPUs.String())
	}
	if !change.Mems.IsEmpty() {
		update.SetLinuxCPUSetMems(change.Mems.String())
	}
	return update
}
