package pinner

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
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
	// SlotsAnnotation says how many of one NUMA node; 1 without it.
	SlotsAnnotation = "numaspark.io/pin-slots"
	// CPUsAnnotation says how many of their CPUs it uses; all without it.
	CPUsAnnotation = "numaspark.io/pin-cpus"
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

// panics are the versions before which containerd panics when it removes a container whose sandbox is gone (containerd issue 13683:
// GetIPs of internal/cri/nri/nri_api_linux.go had no check). It was never mended in 2.1.
var panics = []struct{ first, mended *version.Version }{
	{version.MustParseSemantic("2.1.0"), version.MustParseSemantic("2.2.0")},
	{version.MustParseSemantic("2.2.0"), version.MustParseSemantic("2.2.6")},
	{version.MustParseSemantic("2.3.0"), version.MustParseSemantic("2.3.3")},
}

// mayPanic is false for a runtime that nobody here knows.
func (r Runtime) mayPanic() bool {
	own, err := version.ParseGeneric(r.Version)
	if r.Name != "containerd" || err != nil {
		return false
	}
	for _, line := range panics {
		if own.AtLeast(line.first) && own.LessThan(line.mended) {
			return true
		}
	}
	return false
}

// Refusal says why nothing is changed on this node although the layout asks for it.
type Refusal struct{ Reason, Message string }

// Reasons of refusals.
const (
	RuntimeTooOld  = "RuntimeTooOld"
	OtherCPUPlugin = "OtherCpuPlugin"
)

// Reasons of warnings.
const (
	RuntimePanics           = "RuntimePanics"
	SharedOverlapsExecutors = "SharedOverlapsExecutors"
)

// Plugin answers the container runtime. It never answers with an error, because then the runtime would not create the
// container: on any doubt it changes nothing.
type Plugin struct {
	log     *slog.Logger
	now     func() time.Time
	changed func() // called after each change of what Snapshot returns

	// again has a token if only a new connection mends something.
	again chan struct{}

	// turn has one token; whoever has it may use what follows.
	turn     chan struct{}
	layout   pinfile.Layout
	running  *Assigner // nil before the first Synchronize of a connection
	refusal  *Refusal
	counters pinfile.Counters
	runtime  Runtime
	// isOthers says that another program rules the node's CPUs, so that no layout concerns it.
	isOthers bool
	// before is the assigner of the last connection, until the next one has told what runs.
	before *Assigner
	// appliedGeneration is that of the layout by which the running containers were synchronized.
	appliedGeneration string
	// layouts counts them, and applied says which of them running containers got; 0 if none.
	layouts, applied int
	// missedOne says that a container may lack its CPUs because a request was not answered.
	missedOne bool
	// resent is how many changes were due again because their container was not started.
	resent int
	// sandboxes are the ids of those that run.
	sandboxes map[string]bool
	// births are the times at which containers were seen to be created or started. containerd has passed no CreatedAt before 2.4.
	births map[string]time.Time
	// synchronized is closed by the first Synchronize of a connection.
	synchronized chan struct{}
}

// NewPlugin makes one that knows no layout and changes nothing. The callback must not wait.
func NewPlugin(log *slog.Logger, changed func()) *Plugin {
	p := &Plugin{log: log, now: time.Now, changed: changed, again: make(chan struct{}, 1), turn: make(chan struct{}, 1),
		sandboxes: map[string]bool{}, births: map[string]time.Time{}, synchronized: make(chan struct{})}
	p.turn <- struct{}{}
	return p
}

// Snapshot is what a plugin knows at one moment.
type Snapshot struct {
	Layout pinfile.Layout
	// Generation is that of the layout that running containers have got, or are due to get; empty before they are known.
	Generation string
	Runtime    Runtime
	// Executors are those of the last connection until the next one has told what runs.
	Executors []Executor
	// Sandboxes are the ids of the pods' sandboxes, in whose own containers nothing runs.
	Sandboxes []string
	Free      []pinfile.Slot
	// Shared are the CPUs that containers without slots get now; not Fit if executors of an earlier layout have all of them.
	Shared cpuset.CPUSet
	Fit    bool
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
	s := Snapshot{Layout: p.layout, Runtime: p.runtime, Counters: p.counters, Refusal: p.refusal, Shared: p.layout.Shared, Fit: true,
		Sandboxes: slices.Sorted(maps.Keys(p.sandboxes))}
	switch {
	case p.running != nil:
		s.Generation, s.Executors, s.Free, s.Due = p.appliedGeneration, p.running.Executors(), p.running.Free(), p.running.DueLeft()
		if p.layout.Mode == pinfile.Pin && p.refusal == nil {
			s.Shared, s.Fit = p.running.Shared()
		}
	case p.before != nil:
		s.Executors = p.before.Executors()
	}
	return s
}

// SetLayout is for containers that are created from now on; those that run get it by the next connection.
func (p *Plugin) SetLayout(layout pinfile.Layout) {
	<-p.turn
	defer p.done()
	p.layout = layout
	p.layouts++
	if p.running != nil && p.refusal == nil && !p.isOthers {
		p.running.SetLayout(layout)
	}
}

// Connecting forgets what an earlier connection knew. The channel is closed when the new one has told what runs.
func (p *Plugin) Connecting() <-chan struct{} {
	<-p.turn
	defer p.done()
	if p.running != nil {
		p.before = p.running
	}
	p.running, p.applied, p.synchronized = nil, 0, make(chan struct{})
	select {
	case <-p.again: // the new connection is what it asks for
	default:
	}
	return p.synchronized
}

// IsApplied reports whether running containers got the newest layout.
func (p *Plugin) IsApplied() bool {
	<-p.turn
	defer p.done()
	return p.applied == p.layouts
}

// Again has a token when NeedsAgain may have become true.
func (p *Plugin) Again() <-chan struct{} { return p.again }

// NeedsAgain reports whether something is wrong that no event mends for sure, but a new connection does: it tells what all
// containers have, and its answer may change all of them.
func (p *Plugin) NeedsAgain() bool {
	<-p.turn
	defer p.done()
	return p.missedOne || p.resent > 0 && p.running != nil && p.running.DueLeft() > 0
}

// ToRelease is how many containers have not been given all CPUs although the layout says so. No event may ever come that carries
// the rest, where numaspark is being uninstalled.
func (p *Plugin) ToRelease() int {
	<-p.turn
	defer p.done()
	if p.layout.Mode != pinfile.Release || p.running == nil {
		return 0
	}
	return p.running.DueLeft()
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
			p.askAgain()
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
		p.askAgain()
	}()
}

// askAgain is called by whoever has the turn: a request was not answered, so that a container may have all CPUs.
func (p *Plugin) askAgain() {
	p.missedOne = true
	raise(p.again)
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
		p.sandboxes = map[string]bool{}
		for _, pod := range pods {
			byID[pod.GetId()] = pod
			p.sandboxes[pod.GetId()] = true
		}
		var running []Container
		for _, container := range containers {
			if container.GetState() == api.ContainerState_CONTAINER_STOPPED {
				continue // CRI-O tells of these too
			}
			if c, ok := p.container(byID[container.GetPodSandboxId()], container); ok {
				running = append(running, c)
			}
		}
		p.takeOver(running)
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

// takeOver makes the assigner of a connection, if there is one.
func (p *Plugin) takeOver(running []Container) {
	memory := map[string]Memory(nil)
	if p.before != nil {
		memory = p.before.Memory()
	}
	layout := p.layout
	p.refusal, p.isOthers = p.refuse(layout, running, memory)
	if p.refusal != nil || p.isOthers {
		// Not the layout with another mode: a container may have just the CPUs of the layout by chance.
		layout = pinfile.Layout{}
	}
	if p.refusal != nil {
		p.log.Error(p.refusal.Message)
	}
	p.running, p.before = TakeOver(layout, running, memory), nil
	p.running.young = p.isNewborn
	p.appliedGeneration, p.applied, p.missedOne, p.resent = p.layout.Generation, p.layouts, false, 0
	known := map[string]bool{}
	for _, c := range running {
		known[c.ID] = true
	}
	maps.DeleteFunc(p.births, func(id string, _ time.Time) bool { return !known[id] })
}

// refuse says why a layout cannot be put into force here, and whether another program rules the node's CPUs. Then there is nothing
// to be given back either, which is no reason to refuse.
func (p *Plugin) refuse(layout pinfile.Layout, running []Container, memory map[string]Memory) (refusal *Refusal, isOthers bool) {
	if p.runtime.isTooOld() {
		return &Refusal{RuntimeTooOld, fmt.Sprintf("%s %s loses containers that are created while a plugin connects: nothing is changed"+
			" on this node; upgrade to containerd 2.3.3 or CRI-O 1.32", p.runtime.Name, p.runtime.Version)}, false
	}
	if len(memory) > 0 {
		return nil, false // it has pinned here since it was started
	}
	c, found := Foreign(layout, running)
	if !found || layout.Mode != pinfile.Pin {
		return nil, found
	}
	return &Refusal{OtherCPUPlugin, fmt.Sprintf("container %s of pod %s/%s has the CPUs %s, which numaspark has not given to it:"+
		" nothing is changed on this node; remove the other program that sets CPUs, and restart that pod", c.Name, c.Namespace,
		c.Pod, c.CPUs)}, true
}

// CreateContainer gives a container its CPUs before it starts.
func (p *Plugin) CreateContainer(ctx context.Context, pod *api.PodSandbox, container *api.Container) (
	*api.ContainerAdjustment, []*api.ContainerUpdate, error) {
	var adjustment *api.ContainerAdjustment
	var updates []*api.ContainerUpdate
	p.whileRunning(ctx, "CreateContainer", func(running *Assigner) {
		p.births[container.GetId()] = p.now()
		p.sandboxes[container.GetPodSandboxId()] = true
		c, ok := p.container(pod, container)
		if !ok {
			return
		}
		adjustment = adjustmentOf(running.Create(c))
		updates = updatesOf(running.Due(mostAtOnce))
	})
	return adjustment, updates, nil
}

// PostStartContainer makes good what a container could not get before. Its answer has no updates: they come with the next one.
func (p *Plugin) PostStartContainer(ctx context.Context, pod *api.PodSandbox, container *api.Container) error {
	p.whileRunning(ctx, "PostStartContainer", func(running *Assigner) {
		p.births[container.GetId()] = p.now()
		c, ok := p.container(pod, container)
		if !ok {
			return
		}
		before := running.DueLeft()
		running.Start(c)
		if more := running.DueLeft() - before; more > 0 {
			p.resent += more
			raise(p.again) // no event may follow on a quiet node
		}
	})
	return nil
}

// UpdateContainer keeps the CPUs of executors when somebody updates their resources. What is due of that container is its own
// update, which takes the place of what the request says of its CPUs: one among the updates of others would be lost.
func (p *Plugin) UpdateContainer(ctx context.Context, _ *api.PodSandbox, container *api.Container, wanted *api.LinuxResources) (
	[]*api.ContainerUpdate, error) {
	var updates []*api.ContainerUpdate
	p.whileRunning(ctx, "UpdateContainer", func(running *Assigner) {
		set, err := cpus.Parse(wanted.GetCpu().GetCpus())
		if err != nil {
			set = cpuset.New(0) // not what the container was given
		}
		running.pinWaiting()
		own := running.Resize(container.GetId(), set)
		updates = updatesOf(running.Due(mostAtOnce))
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
		running.End(container.GetId())
		updates = updatesOf(running.Due(mostAtOnce))
	})
	return updates, nil
}

// RemoveContainer forgets a container.
func (p *Plugin) RemoveContainer(ctx context.Context, _ *api.PodSandbox, container *api.Container) error {
	p.whileRunning(ctx, "RemoveContainer", func(running *Assigner) {
		delete(p.births, container.GetId())
		running.Remove(container.GetId())
	})
	return nil
}

// RunPodSandbox learns of a sandbox.
func (p *Plugin) RunPodSandbox(ctx context.Context, pod *api.PodSandbox) error {
	p.whileRunning(ctx, "RunPodSandbox", func(*Assigner) { p.sandboxes[pod.GetId()] = true })
	return nil
}

// StopPodSandbox frees the slots of a pod, whose containers have ended.
func (p *Plugin) StopPodSandbox(ctx context.Context, pod *api.PodSandbox) error {
	p.whileRunning(ctx, "StopPodSandbox", func(running *Assigner) { running.EndSandbox(pod.GetId(), pod.GetUid()) })
	return nil
}

// RemovePodSandbox does the same, if the other event was lost.
func (p *Plugin) RemovePodSandbox(ctx context.Context, pod *api.PodSandbox) error {
	p.whileRunning(ctx, "RemovePodSandbox", func(running *Assigner) {
		delete(p.sandboxes, pod.GetId())
		running.EndSandbox(pod.GetId(), pod.GetUid())
	})
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
		Mark:      markFor(pod, from),
		Started:   from.GetState() != api.ContainerState_CONTAINER_CREATED,
		Young:     p.isYoung(from.GetCreatedAt()) || p.isNewborn(from.GetId()),
	}, true
}

// markFor is the mark of a container, unless its pod may have forged it: CRI-O copies all annotations of a pod to its containers
// (internal/factory/container/container.go), and nobody has a reason to write this one on a pod.
func markFor(pod *api.PodSandbox, container *api.Container) string {
	if _, forged := pod.GetAnnotations()[MarkAnnotation]; forged {
		return ""
	}
	return container.GetAnnotations()[MarkAnnotation]
}

// isYoung is false if the runtime does not tell when the container was made.
func (p *Plugin) isYoung(createdAt int64) bool {
	return createdAt > 0 && p.now().Sub(time.Unix(0, createdAt)) < young
}

// isNewborn is false if nobody here has seen when it was made.
func (p *Plugin) isNewborn(id string) bool {
	born, seen := p.births[id]
	return seen && p.now().Sub(born) < young
}

// wishOf reads a pod's annotations; one that makes no sense asks for nothing. An admission policy allows them only to pods that
// request as many slots from the scheduler.
func wishOf(annotations map[string]string) Wish {
	wish := Wish{Profile: annotations[PinAnnotation], Slots: 1}
	if wish.Profile == "" {
		return Wish{}
	}
	for annotation, to := range map[string]struct {
		number *int
		most   uint64
	}{SlotsAnnotation: {&wish.Slots, pinfile.MaxSlots}, CPUsAnnotation: {&wish.CPUs, pinfile.MaxCPUs}} {
		text, found := annotations[annotation]
		if !found {
			continue
		}
		number, err := strconv.ParseUint(text, 10, 16)
		if err != nil || number < 1 || number > to.most {
			return Wish{}
		}
		*to.number = int(number)
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
