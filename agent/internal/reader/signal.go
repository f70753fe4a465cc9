package reader

import (
	"context"
	"time"
)

// signal wakes the one goroutine that works: something may have changed.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default: // it is raised already
	}
}

// wait waits until it is raised or the context ends, and reports whether it was raised. It waits for the shortest time even if it
// is raised before, so that nobody drives us by raising it, and for the longest at most.
func (s signal) wait(ctx context.Context, shortest, longest time.Duration) (raised bool) {
	least, most := time.NewTimer(min(shortest, longest)), time.NewTimer(longest)
	defer least.Stop()
	defer most.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-most.C:
		select {
		case <-s:
			return true
		default:
			return false
		}
	case <-s:
	}
	select {
	case <-ctx.Done():
	case <-least.C:
	}
	// Raised again meanwhile: it is the same.
	select {
	case <-s:
	default:
	}
	return true
}
