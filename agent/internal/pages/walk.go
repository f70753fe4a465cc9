package pages

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// beingMade: an executor that has made its folder needs some moments until it holds its lock.
	beingMade = 10 * time.Minute
	// unused: a folder that Kubernetes has mounted into a pod that still starts is empty too. It costs the node little, so it is
	// given up late.
	unused = 24 * time.Hour
	// many are more than pods could start at a time; so many empty folders do cost something.
	many   = 1000
	levels = 3
)

// walk goes through namespace/mounted folder/application/executor once, an entry at a time: it finds executors that have died, and
// what does not belong there. It holds three open folders and no list of names, however many there are.
type walk struct {
	open    []level
	mounted int
	unused  time.Duration
}

// level is a folder that is walked through: its name in the one above, and when that was last changed.
type level struct {
	folder  *folder
	name    string
	changed time.Time
}

// counts is what a step has found.
type counts struct{ executors, strays int }

// begin begins at the start.
func (w *walk) begin(namespace string) error {
	w.close()
	w.unused = unused
	if w.mounted > many {
		w.unused = beingMade
	}
	w.mounted = 0
	top, err := openFolder(namespace)
	if err == nil {
		w.open = append(w.open, level{folder: top})
	}
	return err
}

func (w *walk) done() bool { return len(w.open) == 0 }

// step looks at one entry.
func (w *walk) step(now time.Time, trash *trash, counts *counts) error {
	err := w.look(now, trash, counts)
	if errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) {
		return nil // somebody lives in it
	}
	return err
}

func (w *walk) look(now time.Time, trash *trash, counts *counts) error {
	here := w.open[len(w.open)-1].folder
	name, err := here.next()
	if err != nil {
		w.pop()
		return err
	}
	if name == "" {
		return w.leave(now)
	}
	stat, err := here.stat(name)
	if err != nil {
		return err
	}
	changed := time.Unix(stat.Mtim.Unix())
	switch {
	case !isFolder(stat):
		if !isOld(changed, beingMade, now) {
			return nil
		}
		err := here.deleteFile(name)
		if err == nil {
			counts.strays++
		}
		return err
	case len(w.open) < levels:
		below, err := here.below(name)
		if err == nil {
			w.open = append(w.open, level{below, name, changed})
		}
		return err
	case !isOld(changed, beingMade, now):
		return nil
	}
	locked, err := isLocked(here, name)
	if err != nil || locked {
		return err
	}
	if err := trash.take(here, name); err != nil {
		return err
	}
	counts.executors++
	return nil
}

// isOld: anybody may set a time, one to come too. Such a one is not believed.
func isOld(changed time.Time, age time.Duration, now time.Time) bool {
	return now.Sub(changed).Abs() > age
}

func isLocked(parent *folder, executor string) (bool, error) {
	own, err := parent.below(executor)
	if err != nil {
		return false, err
	}
	defer own.close()
	return own.isLocked()
}

// leave goes up, and deletes what was left if it is empty now.
func (w *walk) leave(now time.Time) error {
	left := w.pop()
	if w.done() {
		return nil
	}
	isMounted := len(w.open) == 1
	if isMounted {
		w.mounted++
	}
	if isMounted && !isOld(left.changed, w.unused, now) {
		return nil
	}
	return w.open[len(w.open)-1].folder.deleteFolder(left.name)
}

func (w *walk) pop() level {
	last := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	last.folder.close()
	return last
}

func (w *walk) close() {
	for !w.done() {
		w.pop()
	}
}
