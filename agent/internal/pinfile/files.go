package pinfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	layoutFile       = "layout.json"
	pinsFile         = "pins.json"
	farewellFile     = "farewell"
	uninstallingFile = "uninstalling"

	// MaxPins is the length of the longest report, in bytes.
	MaxPins = 1 << 20
)

// Files is the folder that the pinner shares with the reader, its only other contact. Each file has one writer, which
// replaces it as a whole.
type Files struct{ Folder string }

// ReadLayout returns what the reader has written, and nothing if it has written nothing yet.
func (f Files) ReadLayout() ([]byte, error) { return f.read(layoutFile, MaxLayout) }

// WriteLayout is the reader's.
func (f Files) WriteLayout(layout []byte) error { return f.replace(layoutFile, layout) }

// ReadPins returns what the pinner has written, and nothing if it has written nothing yet.
func (f Files) ReadPins() ([]byte, error) { return f.read(pinsFile, MaxPins) }

// WritePins is the pinner's.
func (f Files) WritePins(pins Pins) error {
	text, err := json.Marshal(pins)
	if err != nil {
		return err
	}
	return f.replace(pinsFile, text)
}

// SayUninstalling says that nothing shall be pinned any more, whatever is wanted.
func (f Files) SayUninstalling() error { return f.replace(uninstallingFile, nil) }

// IsUninstalling reports whether that was said.
func (f Files) IsUninstalling() bool { return f.exists(uninstallingFile) }

// SayFarewell says that the reader has nothing more to ask of the pinner.
func (f Files) SayFarewell() error { return f.replace(farewellFile, nil) }

// HasFarewell reports whether that was said.
func (f Files) HasFarewell() bool { return f.exists(farewellFile) }

func (f Files) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(f.Folder, name))
	return err == nil
}

// TakeBack unsays both: for a reader that starts.
func (f Files) TakeBack() error {
	for _, name := range []string{uninstallingFile, farewellFile} {
		if err := os.Remove(filepath.Join(f.Folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// CheckAlive returns an error unless the pinner has written its report within the time. It does so whether or not it is connected.
func (f Files) CheckAlive(now time.Time, within time.Duration) error {
	found, err := os.Lstat(filepath.Join(f.Folder, pinsFile))
	if err != nil {
		return err
	}
	if age := now.Sub(found.ModTime()); age > within {
		return fmt.Errorf("%s was last written %d s ago", pinsFile, int(age.Seconds()))
	}
	return nil
}

func (f Files) read(name string, most int64) ([]byte, error) {
	// The other program may be in an attacker's hands: a link would lead to files that only this one may read, and a pipe would
	// make it wait for ever.
	file, err := os.OpenFile(filepath.Join(f.Folder, name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return text, err
}

func (f Files) replace(name string, text []byte) error {
	path := filepath.Join(f.Folder, name)
	// One writer, so that one name for what is not complete is enough, and a crash leaves one file at most.
	next := path + ".next"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// O_EXCL follows no link that somebody else has left there.
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(next, path)
}
