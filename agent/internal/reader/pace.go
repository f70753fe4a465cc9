package reader

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"numaspark.io/agent/internal/api"
)

const (
	// burst: containers that start together are reported together.
	burst = 2 * time.Second
	// drift: percentages alone have moved.
	drift = time.Minute
	// firstCounts: a run of an experiment may be short.
	firstCounts = 15 * time.Second
	// loadAfter: a run of an experiment is measured from one to another.
	loadAfter = 10 * time.Second
	// heartbeat: nothing has happened; it is a sign of life.
	heartbeat = 5 * time.Minute
	// points: percentages that move by less are noise.
	points = 5
)

// pause is how long after the last write a status is worth another one.
func pause(written, next *api.Status) time.Duration {
	switch {
	case written == nil:
		return 0
	case !reflect.DeepEqual(substance(written), substance(next)):
		return burst
	case (written.Load == nil) != (next.Load == nil):
		return burst
	case next.Load != nil:
		return loadAfter
	case countsBegin(written.Exclusive, next.Exclusive):
		return firstCounts
	case percentagesMoved(written.Exclusive, next.Exclusive):
		return drift
	}
	return heartbeat
}

// substance is what is the same in two statuses if nothing has happened.
func substance(status *api.Status) api.Status {
	same := *status
	same.Heartbeat = ""
	same.Load = nil
	same.Exclusive = slices.Clone(status.Exclusive)
	for i := range same.Exclusive {
		same.Exclusive[i].LocalMemoryPercent = nil
		same.Exclusive[i].ThrottledPercent = nil
		same.Exclusive[i].Usage = nil
		same.Exclusive[i].Counts = nil
	}
	return same
}

// countsBegin is only asked if the lists are otherwise equal.
func countsBegin(before, after []api.Exclusive) bool {
	for i := range before {
		if before[i].Counts == nil && after[i].Counts != nil {
			return true
		}
	}
	return false
}

// percentagesMoved is only asked if the lists are otherwise equal. What is counted moves all the time.
func percentagesMoved(before, after []api.Exclusive) bool {
	for i := range before {
		if moved(before[i].LocalMemoryPercent, after[i].LocalMemoryPercent) ||
			moved(before[i].ThrottledPercent, after[i].ThrottledPercent) ||
			!reflect.DeepEqual(before[i].Usage, after[i].Usage) || !maps.Equal(before[i].Counts, after[i].Counts) {
			return true
		}
	}
	return false
}

func moved(before, after *int) bool {
	if before == nil || after == nil {
		return before != after
	}
	return *before-*after >= points || *after-*before >= points
}
