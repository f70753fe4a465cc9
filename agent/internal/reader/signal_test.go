package reader

import (
	"context"
	"testing"
	"time"
)

// Pods that come and go all the time must not keep the agent busy all the time.
func TestSignalWaitsAWhileEvenIfItIsRaisedAllTheTime(t *testing.T) {
	s := newSignal()
	s.raise()
	s.raise()
	start := time.Now()
	if !s.wait(t.Context(), 60*time.Millisecond, 5*time.Minute) || time.Since(start) < 60*time.Millisecond {
		t.Error("it did not wait")
	}
	if s.wait(t.Context(), 60*time.Millisecond, 0) {
		t.Error("it is raised twice")
	}
}

func TestSignalWaitsNoLongerThanTheLongest(t *testing.T) {
	s := newSignal()
	if s.wait(t.Context(), 5*time.Minute, time.Millisecond) {
		t.Error("raised by nobody")
	}
	s.raise()
	if !s.wait(t.Context(), 5*time.Minute, time.Millisecond) {
		t.Error("not raised")
	}
}

func TestSignalEndsAtOnceWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if newSignal().wait(ctx, 5*time.Minute, 5*time.Minute) {
		t.Error("raised by nobody")
	}
}
