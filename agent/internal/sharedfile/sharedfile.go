// Package sharedfile reads and replaces the files of a folder that two programs share. Each file has one writer, which replaces it as
// a whole. The other program may be in an attacker's hands.
package sharedfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Folder is the path of one.
type Folder string

// Read returns what a file has, and nil if there is none. It follows no link, waits for no pipe, and an error says that the file
// has more bytes than the most.
func (f Folder) Read(name string, most int64) ([]byte, error) {
	// A link would lead to files that only this program may read, and a pipe would make it wait for ever.
	file, err := os.OpenFile(f.path(name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
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

// Replace writes a file. Whoever reads it meanwhile gets all of the old text or all of the new one.
func (f Folder) Replace(name string, text []byte) error {
	// One writer, so that one name for what is not complete is enough, and a crash leaves one file at most.
	next := f.path(name) + ".next"
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
	return os.Rename(next, f.path(name))
}

// Exists reports whether there is a file.
func (f Folder) Exists(name string) bool {
	_, err := os.Lstat(f.path(name))
	return err == nil
}

// Remove deletes a file, if there is one.
func (f Folder) Remove(name string) error {
	if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// CheckWritten returns an error unless a file was written within the time.
func (f Folder) CheckWritten(name string, now time.Time, within time.Duration) error {
	found, err := os.Lstat(f.path(name))
	if err != nil {
		return err
	}
	if age := now.Sub(found.ModTime()); age > within {
		return fmt.Errorf("%s was last written %d s ago", name, int(age.Seconds()))
	}
	return nil
}

func (f Folder) path(name string) string { return filepath.Join(string(f), name) }
