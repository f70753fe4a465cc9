package pages

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// batch is how many names are held of a folder at a time.
const batch = 128

// folder is open, so that whoever renames or replaces it meanwhile changes nothing of what is meant. No link is followed, and
// what is named is an entry of this folder, never a path.
type folder struct {
	file  *os.File
	names []string
}

// openFolder opens one whose path nobody but the node's administrator chooses.
func openFolder(path string) (*folder, error) {
	return openAt(unix.AT_FDCWD, path)
}

func openAt(parent int, name string) (*folder, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return &folder{file: os.NewFile(uintptr(fd), name)}, nil
}

// retry repeats what a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		result, err := call()
		if !errors.Is(err, unix.EINTR) {
			return result, err
		}
	}
}

func (f *folder) fd() int { return int(f.file.Fd()) }

func (f *folder) below(name string) (*folder, error) { return openAt(f.fd(), name) }

// next is the name of the next entry; empty at the end.
func (f *folder) next() (string, error) {
	if len(f.names) == 0 {
		names, err := f.file.Readdirnames(batch)
		if len(names) == 0 {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return "", err
		}
		f.names = names
	}
	name := f.names[0]
	f.names = f.names[1:]
	return name, nil
}

func (f *folder) stat(name string) (stat unix.Stat_t, err error) {
	if err := unix.Fstatat(f.fd(), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return stat, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return stat, nil
}

func isFolder(stat unix.Stat_t) bool { return stat.Mode&unix.S_IFMT == unix.S_IFDIR }

func (f *folder) deleteFile(name string) error { return f.unlink(name, 0) }

// deleteFolder deletes one that is empty.
func (f *folder) deleteFolder(name string) error { return f.unlink(name, unix.AT_REMOVEDIR) }

func (f *folder) unlink(name string, flags int) error {
	if err := unix.Unlinkat(f.fd(), name, flags); err != nil {
		return &os.PathError{Op: "delete", Path: name, Err: err}
	}
	return nil
}

func (f *folder) move(name string, to *folder, newName string) error {
	if err := unix.Renameat(f.fd(), name, to.fd(), newName); err != nil {
		return &os.PathError{Op: "move", Path: name, Err: err}
	}
	return nil
}

// isLocked reports whether a process holds a lock of the file called lock, as an executor's JVM does (FileChannel.lock, which is
// a POSIX lock). What is not a regular file, a pipe for example, is not a lock. Without waiting: neither for who reads a pipe
// that takes the file's place, nor for who holds a lease of the file, which is an error then.
func (f *folder) isLocked() (bool, error) {
	const name = "lock"
	stat, err := f.stat(name)
	if errors.Is(err, unix.ENOENT) || err == nil && stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd(), name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return false, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(fd)
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(uintptr(fd), unix.F_GETLK, &lock); err != nil {
		return false, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return lock.Type != unix.F_UNLCK, nil
}

// close is without an error: nothing was written.
func (f *folder) close() { _ = f.file.Close() }
