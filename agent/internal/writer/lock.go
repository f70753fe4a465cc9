package writer

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Lock makes the directory of originals and waits until no other process writes there: two writers would take each other's
// values for originals. The lock is a POSIX one, as that of earlier releases. The caller keeps the file open until the
// process ends.
func Lock(log *slog.Logger, state string) (*os.File, error) {
	if err := os.MkdirAll(state, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(state, "writer.lock"), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK} // from the first byte to the last
	err = unix.FcntlFlock(file.Fd(), unix.F_SETLK, &lock)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		log.Info("waiting for another writer to end (" + state + ")")
		for err = unix.EINTR; errors.Is(err, unix.EINTR); {
			err = unix.FcntlFlock(file.Fd(), unix.F_SETLKW, &lock)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s cannot be locked: %w", file.Name(), err), file.Close())
	}
	return file, nil
}
