package reader

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/hardware"
	"numaspark.io/agent/internal/pinfile"
	"numaspark.io/agent/internal/pinning"
	"numaspark.io/agent/internal/text"
)

// pinnerSilence: a pinner writes its report at least every half a minute.
const pinnerSilence = 90 * time.Second

// mostNamed is how many slots a message names.
const mostNamed = 8

// mostFormer is how many earlier shared sets are told to the pinner.
const mostFormer = 8

// pins brings the layout that is wanted of the node to its pinner, and says what the pinner has made of it.
type pins struct {
	files  pinfile.Files
	layout pinfile.Layout
	known  pinfile.Pins
	// silent says why known does not count; empty if it does.
	silent string
	// kubelet has the last settings that were read; nil before.
	kubelet *api.Kubelet
	// pods are the CPUs that the kernel lets pods use; empty if it does not say.
	pods cpuset.CPUSet
	// leftOut says which slots are not in the layout, and why; empty if all are.
	leftOut string
}

// errKubeletUnknown keeps the pinner from changing a node whose kubelet may set cpusets itself.
var errKubeletUnknown = errors.New("it is not known whether the kubelet sets the cpusets of containers itself, so no layout is written:" +
	" the condition TopologyRead says why its settings cannot be read; write spec.kubelet of the SparkNodeTopology by hand if it stays so")

// knowKubelet returns the settings of the kubelet: those read now, or the last that were, or those that the topology has. If nobody
// knows, CPUs that it may give to containers say that its CPU manager is static; without them it may be anything, because the memory
// manager does not say.
func (p *pins) knowKubelet(now, topology *api.Kubelet, allocatable func() (cpuset.CPUSet, error)) *api.Kubelet {
	if now != nil {
		p.kubelet = now
	}
	if known := cmp.Or(p.kubelet, topology); known != nil {
		return known
	}
	if set, err := allocatable(); err == nil && !set.IsEmpty() {
		return &api.Kubelet{CPUManagerPolicy: "static"}
	}
	return nil
}

// order writes the layout if it is another one than before. A kubelet that sets cpusets itself is left alone. An error says why
// the pinner cannot know what is wanted.
func (p *pins) order(wanted *api.Pins, machine hardware.Reading, kubelet *api.Kubelet, shared string) error {
	if wanted == nil {
		return nil // an earlier layout stays, until the operator takes the pinner off the node
	}
	if p.files.IsUninstalling() {
		return nil // whatever the operator still wants
	}
	before, err := p.files.ReadLayout()
	if err != nil {
		return err
	}
	if p.layout.Generation == "" {
		// What an agent before has ordered is in force.
		if last, err := pinfile.ParseLayout(before); err == nil {
			p.layout = last
		}
	}
	if kubelet == nil {
		return errKubeletUnknown
	}
	next, leftOut, err := layoutOf(wanted, machine, p.pods)
	if err != nil {
		return err
	}
	if setsCpusets(kubelet) {
		// Whatever is wanted: also what looks like ours is the kubelet's by now, or will be soon.
		next.Mode, next.Slots, leftOut = pinfile.Ignore, nil, ""
	}
	next.FormerShared = formerShared(before, shared, next.Shared)
	source, err := next.Encode()
	if err != nil {
		return err
	}
	if _, err := pinfile.ParseLayout(source); err != nil {
		return fmt.Errorf("spec.pins: %w", err)
	}
	p.layout, p.leftOut = next, leftOut
	if bytes.Equal(before, source) {
		return nil
	}
	return p.files.WriteLayout(source)
}

// layoutOf leaves out slots with CPUs that no executor could use: a slot that has lost one is none. It says which, and why.
func layoutOf(wanted *api.Pins, machine hardware.Reading, pods cpuset.CPUSet) (layout pinfile.Layout, leftOut string, err error) {
	layout = pinfile.Layout{Generation: wanted.Generation, Mode: pinfile.Mode(wanted.Mode), Memory: pinfile.Memory(wanted.Memory),
		Online: machine.Online}
	mems := []int{}
	for _, numa := range machine.NumaNodes {
		if numa.Memory > 0 {
			mems = append(mems, numa.ID)
		}
		for _, core := range numa.Cores {
			if set, err := cpus.Parse(core); err == nil && !set.IsEmpty() {
				layout.Cores = append(layout.Cores, set)
			}
		}
	}
	layout.Mems = cpuset.New(mems...)
	if layout.Shared, err = cpus.Parse(wanted.SharedCPUs); err != nil {
		return layout, "", fmt.Errorf("spec.pins.sharedCpus: %w", err)
	}
	layout.Shared = layout.Shared.Intersection(machine.Online)
	var reasons []string
	for i, slot := range wanted.Slots {
		own, err := cpus.Parse(slot.CPUs)
		if err != nil {
			return layout, "", fmt.Errorf("spec.pins.slots[%d].cpus: %w", i, err)
		}
		if why := unusable(own, machine, pods); why != "" {
			reasons = append(reasons, text.Quote(slot.ID)+" ("+why+")")
			continue
		}
		layout.Slots = append(layout.Slots, pinfile.Slot{
			ID: slot.ID, Profile: wanted.Profile, NumaNode: slot.NumaNode, CPUs: own, Mems: cpuset.New(slot.NumaNode)})
	}
	if len(reasons) > 0 {
		leftOut = "executors do not get the slots " + strings.Join(reasons[:min(len(reasons), mostNamed)], ", ")
		if more := len(reasons) - mostNamed; more > 0 {
			leftOut += fmt.Sprintf(" and %d more", more)
		}
	}
	return layout, leftOut, nil
}

// unusable says why a slot with these CPUs is none; empty if it is one.
func unusable(own cpuset.CPUSet, machine hardware.Reading, pods cpuset.CPUSet) string {
	if gone := own.Difference(machine.Online); !gone.IsEmpty() {
		return "CPUs " + gone.String() + " are offline"
	}
	if isolated := own.Intersection(machine.Isolated); !isolated.IsEmpty() {
		return "CPUs " + isolated.String() + " are isolated, so that all threads would stay on one: remove isolcpus from the kernel's command line"
	}
	if outside := own.Difference(pods); !pods.IsEmpty() && !outside.IsEmpty() {
		// The kubelet writes cpuset.cpus of kubepods at its start only.
		return "CPUs " + outside.String() + " are not in cpuset.cpus.effective of kubepods: restart the kubelet"
	}
	return ""
}

// setsCpusets reports whether the kubelet has a policy by which it sets cpusets itself.
func setsCpusets(kubelet *api.Kubelet) bool {
	return kubelet != nil && (kubelet.CPUManagerPolicy == "static" || kubelet.MemoryManagerPolicy == "Static")
}

// formerShared are the shared sets that containers may still have, the newest first.
func formerShared(before []byte, reported string, now cpuset.CPUSet) (former []cpuset.CPUSet) {
	var candidates []cpuset.CPUSet
	if layout, err := pinfile.ParseLayout(before); err == nil {
		candidates = append(append(candidates, layout.Shared), layout.FormerShared...)
	}
	if set, err := cpus.Parse(reported); err == nil {
		candidates = append(candidates, set)
	}
	for _, set := range candidates {
		known := set.IsEmpty() || set.Equals(now)
		for _, other := range former {
			known = known || other.Equals(set)
		}
		if !known && len(former) < mostFormer {
			former = append(former, set)
		}
	}
	return former
}

// read reads the pinner's report anew.
func (p *pins) read(now time.Time) {
	p.known, p.silent = pinfile.Pins{}, "the node's pinner has written no report yet; see the log of its container"
	source, err := p.files.ReadPins()
	if err == nil && source != nil {
		p.known, err = pinfile.ParsePins(source)
	}
	if err != nil {
		p.silent = "the report of the node's pinner cannot be read: " + text.Quote(err.Error())
		return
	}
	if source == nil {
		return
	}
	p.silent = silence("pinner", p.known.Heartbeat, pinnerSilence, now)
}

// silence says that a program of the node has not written for too long; it is empty if it has.
func silence(program, heartbeat string, longest time.Duration, now time.Time) string {
	heard, err := time.Parse(time.RFC3339, heartbeat)
	if err == nil && now.Sub(heard) <= longest {
		return ""
	}
	return fmt.Sprintf("the node's %s has written no report since %s; see the log of its container", program, text.Quote(heartbeat))
}

// put adds the condition whether the runtime pins as it is wanted.
func (p *pins) put(wanted *api.Pins, failure error, found *conditions) {
	switch {
	case errors.Is(failure, errKubeletUnknown):
		found.put(pinnerConnected, statusFalse, reasonKubeletUnknown, failure.Error())
	case failure != nil:
		found.put(pinnerConnected, statusFalse, reasonLayoutInvalid, failure.Error())
	case p.silent != "":
		found.put(pinnerConnected, statusFalse, reasonPinnerNotAnswering, p.silent)
	case p.layout.Mode == pinfile.Ignore && wanted.Mode == string(pinfile.Pin):
		found.put(pinnerConnected, statusFalse, reasonKubeletPins, "the kubelet has a static CPU manager or memory manager, which sets"+
			" the cpusets of containers itself: set spec.pinning.by to Kubelet or Auto in the profile, or the kubelet's policies to none")
	case p.known.State != pinfile.Connected:
		found.put(pinnerConnected, statusFalse, p.known.Reason, p.known.Message)
	case p.known.LayoutError != "":
		found.put(pinnerConnected, statusFalse, reasonLayoutInvalid, p.known.LayoutError)
	case p.known.Generation != wanted.Generation:
		found.put(pinnerConnected, statusFalse, reasonLayoutNotApplied, "the pinner has not taken the newest layout yet")
	default:
		reason, message := p.warnings()
		found.put(pinnerConnected, statusTrue, reason, message)
	}
}

// warnings are what should be known of a pinner that works: the first one's reason, and what all say.
func (p *pins) warnings() (reason, message string) {
	all := slices.Clone(p.known.Warnings)
	if p.leftOut != "" {
		all = append([]pinfile.Warning{{Reason: reasonSlotsLeftOut, Message: p.leftOut}}, all...)
	}
	if len(all) == 0 {
		return reasonConnected, ""
	}
	var messages []string
	for _, warning := range all {
		messages = append(messages, warning.Message)
	}
	return all[0].Reason, strings.Join(messages, "; ")
}

// status is what the node's status says of the pinner; nil if it says nothing.
func (p *pins) status() *api.Pinner {
	if p.silent != "" {
		return nil
	}
	pinner := &api.Pinner{Generation: p.known.Generation, SharedCPUs: p.known.Shared, Runtime: p.known.Runtime,
		RuntimeVersion: p.known.RuntimeVersion, FreeSlots: append([]string{}, p.known.FreeSlots...), Due: p.known.Due,
		Executors: []api.PinnerExecutor{}}
	for _, executor := range p.known.Executors {
		pinner.Executors = append(pinner.Executors, api.PinnerExecutor{Namespace: executor.Namespace, Pod: executor.Pod,
			PodUID: executor.PodUID, Outcome: string(executor.Outcome), Slots: executor.Slots})
	}
	return pinner
}

// isGiver reports whether executors have what the pinner says. A kubelet that sets cpusets itself gives them.
func (p *pins) isGiver() bool { return p.layout.Mode != pinfile.Ignore }

// sharedCPUs are what containers have that have no slot.
func (p *pins) sharedCPUs() cpuset.CPUSet {
	if p.layout.Mode != pinfile.Pin {
		return p.layout.Online
	}
	if now, err := cpus.Parse(p.known.SharedNow); err == nil && !now.IsEmpty() {
		return now
	}
	return p.layout.Shared
}

// AllocatableCPUs are those of all slots.
func (p *pins) AllocatableCPUs(context.Context) (cpuset.CPUSet, error) {
	all := cpuset.New()
	for _, slot := range p.layout.Slots {
		all = all.Union(slot.CPUs)
	}
	return all, nil
}

// List returns what the pinner has given to containers that run, also if it is silent now: its pins stay.
func (p *pins) List(context.Context) (given []pinning.Given, err error) {
	for _, executor := range p.known.Executors {
		own, err := cpus.Parse(executor.CPUs)
		if err != nil {
			return nil, err
		}
		mems, err := cpus.Parse(executor.MemoryNodes)
		if err != nil {
			return nil, err
		}
		if !own.IsEmpty() && !executor.Ended {
			given = append(given, pinning.Given{Namespace: executor.Namespace, Pod: executor.Pod, Container: executor.Container,
				PodUID: executor.PodUID, ContainerID: executor.ContainerID, CPUs: own, MemoryNodes: mems})
		}
	}
	return given, nil
}
