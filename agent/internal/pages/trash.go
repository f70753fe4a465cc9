package pages

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// mostKnown: others are found when the folder is read again.
const mostKnown = 256

// trash deletes folders however deep and full they are: it moves them into a folder that no tenant sees, and what is below them
// beside them, so that only two levels are ever open.
//
// A folder goes by one renaming, which needs no space; its executors find none of it left. A mount point cannot be renamed, so
// nothing behind one is deleted.
type trash struct {
	path  string
	names string
	count int
	known []string

	top       *folder
	inner     *folder
	innerName string

	overlooked, done bool
}

func newTrash(path string) *trash {
	return &trash{path: path, names: strconv.FormatInt(time.Now().UnixMilli(), 36) + "-"}
}

// take takes a folder out of another one; it deletes it at once if it is empty.
func (t *trash) take(from *folder, name string) error {
	err := from.deleteFolder(name)
	if !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
		return err
	}
	if err := t.open(); err != nil {
		return err
	}
	own := t.names + strconv.Itoa(t.count)
	t.count++
	if err := from.move(name, t.top, own); err != nil {
		return err
	}
	t.done = false
	if len(t.known) < mostKnown {
		t.known = append(t.known, own)
	} else {
		t.overlooked = true
	}
	return nil
}

func (t *trash) open() (err error) {
	if t.top != nil {
		return nil
	}
	if err := unix.Mkdir(t.path, 0o700); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("%s cannot be made: %w", t.path, err)
	}
	t.top, err = openFolder(t.path)
	if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return fmt.Errorf("%s is in the way: it is not a folder; remove it", t.path)
	}
	return err
}

// step deletes one entry.
func (t *trash) step() error {
	if t.inner != nil {
		return t.stepInner()
	}
	if err := t.open(); err != nil {
		t.done = true // it would fail for ever; the next sweep tries again
		return err
	}
	name, err := t.nextTop()
	if err != nil {
		t.done = true
		t.close()
		return err
	}
	if name == "" {
		t.done = !t.overlooked
		t.overlooked = false
		t.close()
		return nil
	}
	stat, err := t.top.stat(name)
	if err != nil {
		return err
	}
	if !isFolder(stat) {
		return t.top.deleteFile(name)
	}
	t.innerName = name
	t.inner, err = t.top.below(name)
	return err
}

func (t *trash) nextTop() (string, error) {
	if len(t.known) > 0 {
		name := t.known[0]
		t.known = t.known[1:]
		return name, nil
	}
	return t.top.next()
}

func (t *trash) stepInner() error {
	name, err := t.inner.next()
	if err != nil || name == "" {
		t.inner.close()
		t.inner = nil
		if err == nil {
			err = t.top.deleteFolder(t.innerName)
		}
		return err
	}
	stat, err := t.inner.stat(name)
	if err != nil {
		return err
	}
	if isFolder(stat) {
		return t.take(t.inner, name)
	}
	return t.inner.deleteFile(name)
}

func (t *trash) close() {
	if t.inner != nil {
		t.inner.close()
		t.inner = nil
	}
	if t.top != nil {
		t.top.close()
		t.top = nil
	}
}
