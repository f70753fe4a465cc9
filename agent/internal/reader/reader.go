// Package reader is the unprivileged part of the node agent. It reads the hardware, asks the kubelet, compares with the kernel, and
// writes the node's SparkNodeTopology.
package reader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/cluster"
	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/hardware"
	"numaspark.io/agent/internal/knob"
	"numaspark.io/agent/internal/kubelet"
	"numaspark.io/agent/internal/load"
	"numaspark.io/agent/internal/pages"
	"numaspark.io/agent/internal/pinfile"
	"numaspark.io/agent/internal/pinning"
	"numaspark.io/agent/internal/systemd"
)

const (
	lookAfter = 30 * time.Second
	// soon: after an event the next looks come sooner, because the containers of a new pod start after its cgroup.
	soon = 2 * time.Second
	// writerTimeout: a machine may have some hundred CPUs, each with registers to be written and read back.
	writerTimeout = 30 * time.Second
)

// Reader looks at the node when something may have changed, and writes what has. It asks nobody more often than every two
// seconds, and looks at least every half a minute.
//
// One goroutine does all of it but sweep shared pages; others only wake it.
type Reader struct {
	config   Config
	version  string
	log      *slog.Logger
	now      func() time.Time
	signal   signal
	topology *cluster.Topology
	hardware *hardware.Cache
	kubelet  *kubelet.SettingsSource
	pinning  *pinning.Looker
	knobs    *knobs
	pins     *pins            // nil if there is no pinner
	counts   *counts          // nil if there is no counter
	systemd  *systemd.Watcher // nil if it is not to be read
	pages    *pages.Sweeper   // nil if there are none
	bootID   string

	actedOn    *int64
	written    *api.Status
	writtenAt  time.Time
	conditions []api.Condition
}

// New makes one. Its error names what keeps it from starting.
func New(config Config, version string, log *slog.Logger) (*Reader, error) {
	topology, err := cluster.New(cluster.Config(config.API, config.Credentials, "numaspark-agent/"+version), config.Node, log)
	if err != nil {
		return nil, err
	}
	processor, err := knob.ReadProcessor(config.Root)
	if err != nil {
		return nil, err
	}
	r := &Reader{
		config:   config,
		version:  version,
		log:      log,
		now:      time.Now,
		signal:   newSignal(),
		topology: topology,
		hardware: hardware.NewCache(config.Root, config.DMI),
		kubelet:  kubelet.NewSettingsSource(config.Configz, config.PodResources.Socket),
		pinning:  pinning.NewLooker(config.PodResources, config.Cgroup, config.Counter != ""),
		knobs:    &knobs{observer: knob.NewObserver(config.Root, processor)},
		bootID:   bootID(config.Root),
		actedOn:  new(int64),
	}
	if config.WriterSocket != "" {
		r.knobs.writer = knob.Client{Socket: config.WriterSocket, Timeout: writerTimeout}
	}
	if config.Pinner != "" {
		r.pins = &pins{files: pinfile.Files{Folder: config.Pinner}}
		if err := r.pins.files.TakeBack(); err != nil {
			return nil, err
		}
	}
	if config.Counter != "" {
		r.counts = &counts{files: countfile.Files{Folder: config.Counter}, cgroup: config.Cgroup}
	}
	if config.Systemd != "" {
		r.systemd = systemd.NewWatcher(config.Systemd)
	}
	if config.Pages != "" {
		r.pages = pages.New(config.Pages, config.PagesNamespaces, log)
	}
	return r, nil
}

func bootID(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Run works until the context ends.
func (r *Reader) Run(ctx context.Context) {
	events := cgroup.NewEvents(r.config.Cgroup, r.signal.raise, r.log)
	if r.pages != nil {
		go r.sweep(ctx)
	}
	watched := false
	look := soon
	for ctx.Err() == nil {
		events.Register(ctx)
		pause := look
		quiet, err := r.step(ctx, !watched)
		switch {
		case err != nil && ctx.Err() == nil:
			r.log.Warn(fmt.Sprintf("again in %d s: %v", int(look.Seconds()), err))
		case err == nil:
			pause = min(quiet, look)
			if r.topology.Wishes().Load {
				pause = min(pause, loadAfter)
			}
			if !watched {
				watched = true
				r.log.Info("node " + r.config.Node + " is read")
				go r.topology.Watch(ctx, r.signal.raise)
			}
		}
		if r.signal.wait(ctx, soon, pause) {
			look = soon
		} else {
			look = min(2*look, lookAfter)
		}
	}
}

// sweep has a goroutine of its own, because tenants may make one step of it last.
func (r *Reader) sweep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(r.pages.Look(r.now())):
		}
	}
}

// step looks once and writes what is due. It returns how long there is nothing to write.
func (r *Reader) step(ctx context.Context, refresh bool) (time.Duration, error) {
	if refresh {
		if err := r.topology.Refresh(ctx); err != nil {
			return 0, err
		}
	}
	now := r.now()
	found := conditions{before: r.conditions, now: now}
	status := &api.Status{
		Heartbeat: timestamp(now), AgentVersion: r.version, BootID: r.bootID, Exclusive: []api.Exclusive{},
	}
	machine, err := r.hardware.Read(now)
	if err != nil {
		found.put(topologyRead, statusFalse, reasonHardwareNotRead, err.Error())
		found.put(pinningRead, statusFalse, reasonHardwareNotRead, "the CPUs could not be read, so pinning is unknown; see the condition TopologyRead")
	} else {
		if err := r.describe(ctx, machine, now, &found); err != nil {
			return 0, err
		}
		r.pin(ctx, machine, now, status, &found)
		r.prove(ctx, machine, now, status, &found)
	}
	if r.counts != nil {
		r.counts.look(now, status, &found)
	}
	wishes := r.topology.Wishes()
	if wishes.Load {
		status.Load = load.Read(r.config.Root, r.config.Cgroup)
	}
	var failure error
	status.Knobs, failure = r.knobs.look(ctx, wishes.Knobs, status.Exclusive, now)
	if failure == nil {
		r.actedOn = wishes.Generation
	}
	status.ObservedGeneration = r.actedOn
	found.putKnobs(wishes.Knobs, status.Knobs, failure)
	if r.pages != nil {
		found.putPages(r.pages)
	}
	status.Conditions, r.conditions = found.all, found.all
	return r.write(ctx, status, now)
}

// describe writes what the node is, as far as that is known.
func (r *Reader) describe(ctx context.Context, machine hardware.Reading, now time.Time, found *conditions) error {
	settings, reason, unknown := r.kubelet.Read(ctx, now)
	spec := &api.Spec{CPU: machine.CPU, System: machine.System, NumaNodes: machine.NumaNodes, Kubelet: settings}
	same, err := r.topology.HasSpec(spec)
	if err != nil {
		return err
	}
	if !same {
		made, err := r.topology.WriteSpec(ctx, spec)
		if cluster.RefusesContent(err) {
			// The rest can be reported nevertheless.
			found.put(topologyRead, statusFalse, reasonSpecRefused, err.Error())
			return nil
		}
		if err != nil {
			return err
		}
		if made {
			r.written = nil
		}
		r.log.Info("the topology of node " + r.config.Node + " is written")
	}
	if unknown != nil {
		found.put(topologyRead, statusFalse, reason, unknown.Error())
	} else {
		found.put(topologyRead, statusTrue, reasonRead, "")
	}
	return nil
}

// pin brings the layout to the pinner, and says what has become of it.
func (r *Reader) pin(ctx context.Context, machine hardware.Reading, now time.Time, status *api.Status, found *conditions) {
	wanted := r.topology.Wishes().Pins
	if r.pins == nil || wanted == nil {
		r.pinning.SetGiver(r.config.PodResources)
		return
	}
	settings, _, _ := r.kubelet.Read(ctx, now)
	settings = r.pins.knowKubelet(settings, r.topology.Kubelet(), func() (cpuset.CPUSet, error) {
		return r.config.PodResources.AllocatableCPUs(ctx)
	})
	r.pins.pods, _ = cgroup.PodCPUs(r.config.Cgroup)
	failure := r.pins.order(wanted, machine, settings, r.topology.SharedCPUs())
	r.pins.read(now)
	r.pins.put(wanted, failure, found)
	status.Pinner = r.pins.status()
	if r.pins.isGiver() {
		r.pinning.SetGiver(r.pins)
	} else {
		r.pinning.SetGiver(r.config.PodResources)
	}
}

func (r *Reader) prove(ctx context.Context, machine hardware.Reading, now time.Time, status *api.Status, found *conditions) {
	node := pinning.NodeCPUs{Online: machine.Online, ByNode: machine.ByNode}
	if r.pins != nil && r.topology.Wishes().Pins != nil && r.pins.isGiver() {
		node.Shared, node.Sandboxes = r.pins.sharedCPUs(), r.pins.known.Sandboxes
	}
	seen, err := r.pinning.Look(ctx, node, now)
	var ofKubelet *kubelet.Error
	var ofKernel *cgroup.Error
	switch {
	case errors.As(err, &ofKubelet):
		found.put(pinningRead, statusFalse, "PodResources"+string(ofKubelet.Reason), ofKubelet.Message)
	case errors.As(err, &ofKernel):
		found.put(pinningRead, statusFalse, ofKernel.Reason, ofKernel.Message)
	case err != nil:
		found.put(pinningRead, statusFalse, cgroup.NotUnderstood, err.Error())
	default:
		allocatable := seen.Allocatable.String()
		status.AllocatableCPUs, status.Exclusive = &allocatable, seen.Exclusive
		message := ""
		if seen.Omitted > 0 {
			message = fmt.Sprintf("%d containers more than the list can hold", seen.Omitted)
		}
		found.put(pinningRead, statusTrue, reasonRead, message)
		if r.systemd != nil {
			compared, moves := r.systemd.Look(seen.Running, now)
			found.putSystemd(compared, moves, seen.Exclusive)
		}
	}
}

// putPages adds the condition of shared pages, without counts, which would be another status after each sweep.
func (c *conditions) putPages(sweeper *pages.Sweeper) {
	troubled, known := sweeper.Troubled()
	switch {
	case !known:
	case len(troubled) == 0:
		c.put(pagesSwept, statusTrue, reasonSwept, "")
	default:
		c.put(pagesSwept, statusFalse, reasonNotSwept, "something in the folders of the namespaces "+strings.Join(troubled, ", ")+
			" cannot be read or deleted: the log of the agent names the first")
	}
}

func (r *Reader) write(ctx context.Context, status *api.Status, now time.Time) (quiet time.Duration, err error) {
	if due := r.writtenAt.Add(pause(r.written, status)); now.Before(due) {
		return due.Sub(now), nil
	}
	if err := r.topology.WriteStatus(ctx, status); err != nil {
		return 0, err
	}
	r.pinning.Written()
	r.written, r.writtenAt = status, now
	return lookAfter, nil
}
