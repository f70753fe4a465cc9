package reader

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/knob"
)

const (
	// checkAfter: others may change a knob at any time.
	checkAfter = time.Minute
	// executorContainer is Spark's name of an executor's container, unless its pod template names another.
	executorContainer = "spark-kubernetes-executor"
	noWriter          = "the agent of this node has no writer; install the chart with agent.enforce=true"
)

// writer sets knobs.
type writer interface {
	Apply(ctx context.Context, wanted knob.Settings, cores *cpuset.CPUSet) ([]api.KnobState, error)
	Restore(ctx context.Context) ([]api.KnobState, error)
	Status(ctx context.Context) ([]api.KnobState, error)
}

// knobs brings what is wanted of the node's knobs to the writer, and says how they are. Without a writer it compares, as far as
// a knob can be read without privileges.
type knobs struct {
	observer *knob.Observer
	writer   writer // nil if there is none
	last     *order
	enforced []api.KnobState
	due      time.Time
}

// order is what the writer is asked for.
type order struct {
	settings knob.Settings
	cores    *cpuset.CPUSet // nil for all
}

// look looks, and has set what does not have its wanted value. The containers with CPUs of their own are for knobs of
// executors' cores. An error says why the writer could not be asked; then the wish is not fulfilled yet.
func (k *knobs) look(ctx context.Context, wanted *api.Knobs, exclusive []api.Exclusive, now time.Time) ([]api.KnobState, error) {
	toSet, compared := knob.Settings{}, knob.Settings{}
	states := []api.KnobState{}
	var cores *cpuset.CPUSet
	if wanted != nil {
		states = sortWishes(wanted, toSet, compared)
		if wanted.Scope == api.ScopeExecutors {
			own := executorCPUs(exclusive)
			cores = &own
		}
	}
	var failure error
	if k.writer == nil {
		for _, state := range k.observer.Observe(toSet) {
			if state.State == knob.Observed {
				state.Message = noWriter
			}
			states = append(states, state)
		}
	} else {
		var enforced []api.KnobState
		if enforced, failure = k.order(ctx, order{toSet, cores}, now); failure != nil {
			// What was set may still be so.
			enforced, k.last = k.enforced, nil
		}
		for _, state := range enforced {
			// One that was restored and is compared from now on is reported once.
			if at, known := knob.Find(state.Name); !known || compared[at] == "" {
				states = append(states, state)
			}
		}
	}
	return append(states, k.observer.Observe(compared)...), failure
}

// sortWishes returns the states of knobs that this agent does not know: a newer operator may want them.
func sortWishes(wanted *api.Knobs, toSet, compared knob.Settings) (unknown []api.KnobState) {
	for _, name := range slices.Sorted(maps.Keys(wanted.Settings)) {
		value := wanted.Settings[name]
		parsed, err := knob.ParseSettings(map[string]string{name: value})
		if err != nil {
			unknown = append(unknown, api.KnobState{
				Name: name, Wanted: value, Actual: knob.Unknown, State: knob.Unsupported, Message: err.Error(),
			})
		} else if slices.Contains(wanted.Enforced, name) {
			maps.Copy(toSet, parsed)
		} else {
			maps.Copy(compared, parsed)
		}
	}
	return unknown
}

func (k *knobs) order(ctx context.Context, wanted order, now time.Time) (states []api.KnobState, err error) {
	switch {
	case k.last == nil || !wanted.equal(*k.last):
		states, err = k.carryOut(ctx, wanted)
	case now.Before(k.due) || len(wanted.settings) == 0:
		return k.enforced, nil
	default:
		states, err = k.writer.Status(ctx)
		again := func(state api.KnobState) bool { return isToBeSetAgain(state, wanted) }
		if err == nil && slices.ContainsFunc(states, again) {
			states, err = k.carryOut(ctx, wanted)
		}
	}
	if err != nil {
		return nil, err
	}
	k.enforced, k.last, k.due = states, &wanted, now.Add(checkAfter)
	return states, nil
}

func (o order) equal(other order) bool {
	if (o.cores == nil) != (other.cores == nil) || o.cores != nil && !o.cores.Equals(*other.cores) {
		return false
	}
	return reflect.DeepEqual(o.settings, other.settings)
}

// isToBeSetAgain: somebody has changed it, or another writer has started, which compares until it is asked.
func isToBeSetAgain(state api.KnobState, wanted order) bool {
	at, known := knob.Find(state.Name)
	return state.State == knob.Drifted || state.State == knob.Observed && known && wanted.settings[at] != ""
}

func (k *knobs) carryOut(ctx context.Context, wanted order) ([]api.KnobState, error) {
	if len(wanted.settings) == 0 {
		return k.writer.Restore(ctx)
	}
	return k.writer.Apply(ctx, wanted.settings, wanted.cores)
}

func executorCPUs(exclusive []api.Exclusive) cpuset.CPUSet {
	own := cpuset.New()
	for _, container := range exclusive {
		if container.Container == executorContainer {
			// It is our own list.
			if set, err := cpus.Parse(container.CPUs); err == nil {
				own = own.Union(set)
			}
		}
	}
	return own
}

// putKnobs adds the condition whether every knob that shall be set is; none if nothing shall be set.
func (c *conditions) putKnobs(wanted *api.Knobs, states []api.KnobState, failure error) {
	if failure != nil {
		c.put(knobsApplied, statusUnknown, reasonWriterNotReached, failure.Error())
		return
	}
	if wanted == nil || len(wanted.Enforced) == 0 {
		return
	}
	reason := ""
	var wrong []string
	for _, state := range states {
		if !slices.Contains(wanted.Enforced, state.Name) || state.State == knob.Applied {
			continue
		}
		why := state.State
		if why == knob.Observed {
			why = reasonNoWriter
		}
		if reason != "" && reason != why {
			why = reasonSeveral
		}
		reason = why
		wrong = append(wrong, state.Name+": "+state.Message)
	}
	if len(wrong) == 0 {
		c.put(knobsApplied, statusTrue, reasonApplied, "")
		return
	}
	c.put(knobsApplied, statusFalse, reason, strings.Join(wrong, "; "))
}
