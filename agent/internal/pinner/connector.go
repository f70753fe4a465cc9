package pinner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"time"

	nrilog "github.com/containerd/nri/pkg/log"
	"github.com/containerd/nri/pkg/stub"
	"github.com/containerd/ttrpc"

	"numaspark.io/agent/internal/pinfile"
)

const (
	pluginName = "numaspark"
	// pluginIndex is the last, so that what other plugins have set is seen.
	pluginIndex = "99"
)

// Reasons of being disconnected.
const (
	NoLayout     = "NoLayout"
	NoSocket     = "NoSocket"
	NotReached   = "NotReached"
	NotConnected = "NotConnected"
	// WaitingForRuntime is connected, but the runtime has not told yet what runs: it waits for containers that are stopping.
	WaitingForRuntime = "WaitingForRuntime"
)

// Standing is a state since a time, with a reason unless the state is Connected.
type Standing struct {
	State           pinfile.State
	Reason, Message string
	Since           time.Time
}

// Patience says how long a connector waits.
type Patience struct {
	// Start bounds the library's start, which may never return (its mutex is held while it waits for Configure).
	Start time.Duration
	// Synchronize is how long the runtime may take to tell what runs. It is the grace period of a container that is stopping:
	// containerd takes the plugin when that has ended (nri's pkg/adaptation, acceptPluginConnections, requestPluginSync). Whoever
	// leaves before that waits again, and with him the next one.
	Synchronize time.Duration
	// Again is the least time between two connections that only mend something, and Settle is how long events may mend it before.
	Again, Settle time.Duration
	// Least and Most are the pauses between two attempts.
	Least, Most time.Duration
}

// UsualPatience is that of a node.
var UsualPatience = Patience{
	Start: 12 * time.Second, Synchronize: 10 * time.Minute, Again: 5 * time.Minute, Settle: 10 * time.Second,
	Least: time.Second, Most: 30 * time.Second,
}

// ErrHangs says that the library has not come back; only a new process helps.
var ErrHangs = errors.New("the connection with the container runtime hangs while it is made; restart the program")

// Connector keeps the plugin connected with the container runtime.
//
// It connects as rarely as it can: while containerd stops a container, a plugin that registers keeps all other requests of the
// node waiting until the container has ended (containerd issue 14083), and nobody on the node can know that before.
type Connector struct {
	Socket   string
	Plugin   *Plugin
	Patience Patience
	Log      *slog.Logger
	// Changed is called after each change of the standing.
	Changed func()

	// mended is when the newest connection was made that only mends something; released is what had to be given back before it.
	mended   time.Time
	released int

	mutex    sync.Mutex
	standing Standing
}

// Standing returns the newest.
func (c *Connector) Standing() Standing {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.standing
}

func (c *Connector) stand(s Standing) {
	c.mutex.Lock()
	if s.State != c.standing.State || s.Reason != c.standing.Reason {
		s.Since = time.Now()
	} else {
		s.Since = c.standing.Since
	}
	c.standing = s
	c.mutex.Unlock()
	c.Changed()
}

// Run connects, and again after each loss and each new layout, until the context ends or the library hangs. A layout has to be
// there before it is called; layouts tells of new ones.
func (c *Connector) Run(ctx context.Context, layouts <-chan struct{}) error {
	pause := c.Patience.Least
	for ctx.Err() == nil {
		started := time.Now()
		err := c.connect(ctx, layouts)
		if errors.Is(err, ErrHangs) || ctx.Err() != nil {
			return err
		}
		if err == nil {
			continue // another one is wanted
		}
		if time.Since(started) > c.Patience.Most {
			pause = c.Patience.Least
		}
		c.Log.Warn(fmt.Sprintf("again in %d s: %v", int(pause.Seconds()), err))
		c.stand(Standing{State: pinfile.Disconnected, Reason: reasonOf(err), Message: err.Error()})
		jitter := 0.8 + 0.4*rand.Float64()
		wait(ctx, time.Duration(jitter*float64(pause)))
		pause = min(2*pause, c.Patience.Most)
	}
	return nil
}

func reasonOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return NoSocket
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrPermission):
		return NotReached
	default:
		return NotConnected
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// connect holds one connection. It returns nil if a new layout wants another one.
func (c *Connector) connect(ctx context.Context, layouts <-chan struct{}) error {
	// A layout that is there already is the one of this connection.
	select {
	case <-layouts:
	default:
	}
	connection, err := net.DialTimeout("unix", c.Socket, c.Patience.Start)
	if err != nil {
		return fmt.Errorf("the container runtime's NRI socket %s cannot be opened: %w", c.Socket, err)
	}
	defer connection.Close()
	synchronized := c.Plugin.Connecting()
	lost := make(chan struct{})
	once := sync.OnceFunc(func() { close(lost) })
	library, err := stub.New(c.Plugin, stub.WithPluginName(pluginName), stub.WithPluginIdx(pluginIndex), stub.WithConnection(connection),
		stub.WithTTRPCOptions(nil, []ttrpc.ServerOpt{ttrpc.WithUnaryServerInterceptor(strip)}),
		stub.WithOnClose(once), stub.WithLogger(LibraryLog{c.Log}))
	if err != nil {
		return err
	}
	if err := c.start(ctx, library); err != nil {
		return err
	}
	defer c.stop(library)
	// Also for a new layout: what was said of the one before does not count any more.
	c.stand(Standing{State: pinfile.Disconnected, Reason: WaitingForRuntime, Message: "the container runtime has accepted" +
		" the pinner, and sends the list of running containers when no container is stopping any more: after the longest grace period at most"})
	if err := c.await(ctx, synchronized, lost); err != nil || ctx.Err() != nil {
		return err
	}
	c.stand(Standing{State: pinfile.Connected})
	return c.stay(ctx, lost, layouts)
}

// await waits for what runs. A Synchronize that this program could not answer comes only with another connection.
func (c *Connector) await(ctx context.Context, synchronized, lost <-chan struct{}) error {
	late := time.After(c.Patience.Synchronize)
	var due <-chan time.Time
	for {
		select {
		case <-synchronized:
			return nil
		case <-lost:
			return errors.New("the container runtime has ended the connection before it sent the list of running containers")
		case <-ctx.Done():
			return nil
		case <-late:
			return errors.New("the container runtime has not sent the list of running containers")
		case <-c.Plugin.Again():
			due = c.mendAfter()
		case <-due:
			c.mended = time.Now()
			return errors.New("the pinner could not process the list of running containers")
		}
	}
}

// mendAfter is when another connection may be made that only corrects something.
func (c *Connector) mendAfter() <-chan time.Time {
	return time.After(max(c.Patience.Settle, c.Patience.Again-time.Since(c.mended)))
}

// stay returns nil if another connection is wanted.
func (c *Connector) stay(ctx context.Context, lost <-chan struct{}, layouts <-chan struct{}) error {
	var due <-chan time.Time
	if c.releasesMore() {
		due = time.After(c.Patience.Least)
	}
	for {
		select {
		case <-lost:
			return errors.New("the container runtime has ended the connection")
		case <-ctx.Done():
			return nil
		case <-layouts:
			if c.Plugin.IsApplied() {
				continue // it came before the runtime told what runs
			}
			c.Log.Info("there is a new layout: the pinner connects again, so that running containers get it")
			return nil
		case <-c.Plugin.Again():
			if due == nil {
				due = c.mendAfter()
			}
		case <-due:
			due = nil
			if c.released > 0 || c.Plugin.NeedsAgain() {
				c.mended = time.Now()
				c.Log.Info("some containers lack their CPUs: the pinner connects again, so that they get them")
				return nil
			}
		}
	}
}

// releasesMore reports whether another connection gives back more: a runtime that refuses all of it is not asked for ever.
func (c *Connector) releasesMore() bool {
	left := c.Plugin.ToRelease()
	more := left > 0 && (c.released == 0 || left < c.released)
	c.released = left
	return more
}

// start bounds the library's start. If it hangs, its goroutine and the connection are lost with the process.
func (c *Connector) start(ctx context.Context, library stub.Stub) error {
	started := make(chan error, 1)
	go func() { started <- library.Start(ctx) }()
	select {
	case err := <-started:
		if err != nil {
			return fmt.Errorf("the container runtime does not take the plugin: %w", err)
		}
		return nil
	case <-time.After(c.Patience.Start):
		return ErrHangs
	}
}

// stop does not wait for a library that hangs.
func (c *Connector) stop(library stub.Stub) {
	stopped := make(chan struct{})
	go func() {
		library.Stop()
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(c.Patience.Start):
	}
}

// LibraryLog brings the NRI library's messages into our log; what it says of itself only in detail.
type LibraryLog struct{ Log *slog.Logger }

var _ nrilog.Logger = LibraryLog{}

// Debugf drops what only the authors of the library want to know.
func (l LibraryLog) Debugf(context.Context, string, ...any) {}

// Infof is for our debugging.
func (l LibraryLog) Infof(_ context.Context, format string, values ...any) {
	l.Log.Debug(fmt.Sprintf(format, values...))
}

// Warnf passes a warning on.
func (l LibraryLog) Warnf(_ context.Context, format string, values ...any) {
	l.Log.Warn(fmt.Sprintf(format, values...))
}

// Errorf passes an error on.
func (l LibraryLog) Errorf(_ context.Context, format string, values ...any) {
	l.Log.Error(fmt.Sprintf(format, values...))
}
