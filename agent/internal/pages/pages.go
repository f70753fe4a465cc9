// Package pages makes and sweeps the folders on a tmpfs of the node in which executors of one application share shuffle pages:
// namespace/mounted folder/application/executor, where an executor that lives holds the lock of its file called lock.
//
// Tenants write there, so nothing that is found is believed, and no namespace gets more time than another.
package pages

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// limits are how much of the node the sweep takes, whatever it finds.
type limits struct {
	// entries are the most of one namespace in one round.
	entries int
	// time is the longest of one round, for all namespaces in equal parts.
	time time.Duration
	// period is from the end of one sweep of a namespace to the start of the next.
	period time.Duration
}

// usual: memory of dead executors is missed by those that start.
var usual = limits{entries: 20_000, time: 500 * time.Millisecond, period: time.Minute}

// pauses: the pause after a round that was not enough is so many times as long as the round, so that the sweep never takes more
// than a fifth of one CPU.
const pauses = 4

// mode: Kubernetes gives the folders that it makes below for applications the permissions of this one, and executors are any
// user. The sticky bit keeps one user from deleting another one's.
const mode = 0o1777

// Sweeper looks after the folders below one root.
type Sweeper struct {
	sweeps []*sweep
	limits limits

	mu       sync.Mutex
	looked   bool
	troubled []string
}

// New makes one for a root on a tmpfs of the node, with a folder for each namespace.
func New(root string, namespaces []string, log *slog.Logger) *Sweeper {
	return newSweeper(root, namespaces, usual, log)
}

func newSweeper(root string, namespaces []string, limits limits, log *slog.Logger) *Sweeper {
	s := &Sweeper{limits: limits}
	for _, namespace := range namespaces {
		s.sweeps = append(s.sweeps, &sweep{
			folder:    filepath.Join(root, namespace),
			namespace: namespace,
			limits:    limits,
			log:       log,
			// No namespace has a name with a dot, and no pod has a volume of the folder above.
			trash: newTrash(filepath.Join(root, "."+namespace)),
		})
	}
	return s
}

// Look makes what is missing and deletes what nobody owns, for a bounded time. Trouble is logged and does no harm. It returns
// how long to wait until it is called again.
func (s *Sweeper) Look(now time.Time) time.Duration {
	start := time.Now()
	part := s.limits.time / time.Duration(max(1, len(s.sweeps)))
	more := false
	troubled := []string{}
	for _, sweep := range s.sweeps {
		more = sweep.round(now, part) || more
		if sweep.troubled {
			troubled = append(troubled, sweep.namespace)
		}
	}
	s.mu.Lock()
	s.looked, s.troubled = true, troubled
	s.mu.Unlock()
	if more {
		return min(pauses*time.Since(start), s.limits.period)
	}
	return s.limits.period
}

// Troubled are the namespaces in whose folders something could not be looked at or deleted; unknown before the first look.
func (s *Sweeper) Troubled() (namespaces []string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.troubled, s.looked
}

// sweep makes the folder of one namespace and sweeps it, in rounds that end when their allowance is used up and go on where the
// last one ended.
type sweep struct {
	folder, namespace string
	limits            limits
	log               *slog.Logger
	trash             *trash
	walk              walk
	underWay          bool
	restUntil         time.Time

	// Since they were last logged: what was deleted, and what was not.
	counts   counts
	errors   int
	first    error
	troubled bool
}

// round works for some time, and reports whether there is more to do.
func (s *sweep) round(now time.Time, allowance time.Duration) (more bool) {
	if time.Now().Before(s.restUntil) {
		return false
	}
	err := s.begin()
	if err == nil && s.goOn(now, time.Now().Add(allowance)) {
		return true
	}
	s.failed(err)
	s.walk.close()
	s.trash.close()
	s.underWay = false
	s.tell()
	s.restUntil = time.Now().Add(s.limits.period)
	return false
}

func (s *sweep) begin() error {
	if err := s.make(); err != nil || s.underWay {
		return err
	}
	if err := s.walk.begin(s.folder); err != nil {
		return err
	}
	s.trash.done = false
	s.underWay = true
	return nil
}

// goOn deletes and looks in turns, so that neither keeps the other waiting.
func (s *sweep) goOn(now, deadline time.Time) (more bool) {
	for i := 0; !s.walk.done() || !s.trash.done; i++ {
		if i >= s.limits.entries || !time.Now().Before(deadline) {
			return true
		}
		if !s.trash.done {
			s.failed(s.trash.step())
		}
		if !s.walk.done() {
			s.failed(s.walk.step(now, s.trash, &s.counts))
		}
	}
	return false
}

// failed counts an error. Only the first is kept, because a tenant may make millions of entries. What does not exist is none:
// somebody has just deleted it.
func (s *sweep) failed(err error) {
	if err == nil || errors.Is(err, unix.ENOENT) {
		return
	}
	if s.errors++; s.errors == 1 {
		s.first = err
	}
}

// tell writes at most one line for what was done and one for what was not.
func (s *sweep) tell() {
	if s.counts != (counts{}) {
		s.log.Info(fmt.Sprintf("shared pages of namespace %s: deleted the folders of %d dead executors, %d strays",
			s.namespace, s.counts.executors, s.counts.strays))
	}
	if s.errors > 0 {
		s.log.Warn(fmt.Sprintf("shared pages of namespace %s: %d entries could not be deleted; the agent tries again; the first: %v",
			s.namespace, s.errors, s.first))
	}
	s.troubled = s.errors > 0
	s.counts, s.errors, s.first = counts{}, 0, nil
}

func (s *sweep) make() error {
	if err := unix.Mkdir(s.folder, 0o755); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("%s cannot be made: %w", s.folder, err)
	}
	own, err := openFolder(s.folder)
	if err != nil {
		return err
	}
	defer own.close()
	var stat unix.Stat_t
	if err := unix.Fstat(own.fd(), &stat); err != nil {
		return fmt.Errorf("%s cannot be read: %w", s.folder, err)
	}
	if stat.Mode&0o7777 == mode {
		return nil
	}
	if err := unix.Fchmod(own.fd(), mode); err != nil {
		return fmt.Errorf("%s cannot be opened to every user: %w", s.folder, err)
	}
	return nil
}
