package knob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
)

// Client is the reader's side of the writer's socket: one connection, one request, one reply. It does not try again; a
// writer that is not there yet is an error.
type Client struct {
	Socket  string        // path
	Timeout time.Duration // how long the writer may take for a reply
}

// Apply sets the wanted knobs, and restores every knob that was set before and is no longer wanted. Prefetchers are set on
// the cores of these CPUs and restored on all others; nil means all CPUs. Memory policy is always the whole node's. It
// returns a state for each wanted knob, and for each that was restored.
//
// Its error is a *RefusedError if the writer refuses, and another one if it cannot be reached or takes too long.
func (c Client) Apply(ctx context.Context, wanted Settings, cores *cpuset.CPUSet) ([]api.KnobState, error) {
	if wanted == nil {
		wanted = Settings{}
	}
	return c.ask(ctx, Request{Apply, wanted, cores})
}

// Restore restores every knob that was set, and returns a state for each. Errors are as those of Apply.
func (c Client) Restore(ctx context.Context) ([]api.KnobState, error) {
	return c.ask(ctx, Request{Op: Restore})
}

// Status reads back every knob that is wanted or set, and writes nothing. Errors are as those of Apply.
func (c Client) Status(ctx context.Context) ([]api.KnobState, error) {
	return c.ask(ctx, Request{Op: Status})
}

func (c Client) ask(ctx context.Context, r Request) ([]api.KnobState, error) {
	deadline, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	reply, err := c.exchange(deadline, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("the writer has not replied within %v on %s", c.Timeout, c.Socket)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the writer has closed %s before its reply was whole", c.Socket)
	case err != nil:
		return nil, err
	}
	return DecodeReply(reply)
}

func (c Client) exchange(ctx context.Context, r Request) ([]byte, error) {
	request, err := r.Encode()
	if err != nil {
		return nil, err
	}
	// A writer that is stopped takes connections until its queue is full; then this is an error at once.
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", c.Socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // the past: it ends every wait
	defer stop()
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	return ReadLine(conn, MaxReply)
}
