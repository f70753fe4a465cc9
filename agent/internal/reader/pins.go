package reader

import (
	"bytes"
	"context"
	"fmt"
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

// mostFormer is how many earlier shared sets are told to the pinner.
const mostFormer = 8

// pins brings the layout that is wanted of the node to its pinner, and says what the pinner has made of it.
type pins struct {
	files  pinfile.Files
	layout pinfile.Layout
	known  pinfile.Pins
	// silent says why known does not count; empty if it does.
	silent string
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
	next, err := layoutOf(wanted, machine)
	if err != nil {
		return err
	}
	if setsCpusets(kubelet) && next.Mode == pinfile.Pin {
		next.Mode, next.Slots = pinfile.Observe, nil
	}
	before, err := p.files.ReadLayout()
	if err != nil {
		return err
	}
	next.FormerShared = formerShared(before, shared, next.Shared)
	source, err := next.Encode()
	if err != nil {
		return err
	}
	if _, err := pinfile.ParseLayout(source); err != nil {
		return fmt.Errorf("spec.pins: %w", err)
	}
	p.layout = next
	if bytes.Equal(before, source) {
		return nil
	}
	return p.files.WriteLayout(source)
}

func layoutOf(wanted *api.Pins, machine hardware.Reading) (layout pinfile.Layout, err error) {
	layout = pinfile.Layout{Generation: wanted.Generation, Mode: pinfile.Mode(wanted.Mode), Memory: pinfile.Memory(wanted.Memory),
		Online: machine.Online}
	mems := []int{}
	for _, numa := range machine.NumaNodes {
		if numa.Memory > 0 {
			mems = append(mems, numa.ID)
		}
	}
	layout.Mems = cpuset.New(mems...)
	// CPUs that have gone offline are nobody's; a slot that has lost one is none.
	if layout.Shared, err = cpus.Parse(wanted.SharedCPUs); err != nil {
		return layout, fmt.Errorf("spec.pins.sharedCpus: %w", err)
	}
	layout.Shared = layout.Shared.Intersection(machine.Online)
	for i, slot := range wanted.Slots {
		own, err := cpus.Parse(slot.CPUs)
		if err != nil {
			return layout, fmt.Errorf("spec.pins.slots[%d].cpus: %w", i, err)
		}
		if own.IsSubsetOf(machine.Online) {
			layout.Slots = append(layout.Slots, pinfile.Slot{
				ID: slot.ID, Profile: wanted.Profile, NumaNode: slot.NumaNode, CPUs: own, Mems: cpuset.New(slot.NumaNode)})
		}
	}
	return layout, nil
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
	heard, err := time.Parse(time.RFC3339, p.known.Heartbeat)
	if age := now.Sub(heard); err != nil || age > pinnerSilence {
		p.silent = fmt.Sprintf("the node's pinner has written no report since %s; see the log of its container", text.Quote(p.known.Heartbeat))
		return
	}
	p.silent = ""
}

// put adds the condition whether the runtime pins as it is wanted.
func (p *pins) put(wanted *api.Pins, failure error, found *conditions) {
	switch {
	case failure != nil:
		found.put(pinnerConnected, statusFalse, reasonLayoutInvalid, failure.Error())
	case p.silent != "":
		found.put(pinnerConnected, statusFalse, reasonPinnerNotAnswering, p.silent)
	case p.layout.Mode == pinfile.Observe && wanted.Mode == string(pinfile.Pin):
		found.put(pinnerConnected, statusFalse, reasonKubeletPins, "the kubelet has a static CPU manager or memory manager, which sets"+
			" the cpusets of containers itself: set spec.pinning.by to Kubelet or Auto in the profile, or the kubelet's policies to none")
	case p.known.State != pinfile.Connected:
		found.put(pinnerConnected, statusFalse, p.known.Reason, p.known.Message)
	case p.known.LayoutError != "":
		found.put(pinnerConnected, statusFalse, reasonLayoutInvalid, p.known.LayoutError)
	case p.known.Generation != wanted.Generation:
		found.put(pinnerConnected, statusFalse, reasonLayoutNotApplied, "the pinner has not taken the newest layout yet")
	default:
		found.put(pinnerConnected, statusTrue, reasonConnected, "")
	}
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

// sharedCPUs are what containers have that have no slot.
func (p *pins) sharedCPUs() cpuset.CPUSet {
	if p.layout.Mode == pinfile.Pin {
		return p.layout.Shared
	}
	return p.layout.Online
}

// AllocatableCPUs are those of all slots.
func (p *pins) AllocatableCPUs(context.Context) (cpuset.CPUSet, error) {
	all := cpuset.New()
	for _, slot := range p.layout.Slots {
		all = all.Union(slot.CPUs)
	}
	return all, nil
}

// List returns what the pinner has given, also if it is silent now: its pins stay.
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
		if !own.IsEmpty() {
			given = append(given, pinning.Given{
				Namespace: executor.Namespace, Pod: executor.Pod, Container: executor.Container, CPUs: own, MemoryNodes: mems})
		}
	}
	return given, nil
}
