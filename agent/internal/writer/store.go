package writer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxOriginals is the size of the file in bytes: three registers of each of 8192 CPUs take less.
const maxOriginals = 3 << 20

// store keeps originals in a file of the host, which has at any moment either the old text or the new one. It is for one
// writer at a time, which Lock ensures.
type store struct {
	directory string
	files     files
}

// files is what a store does to its directory. Tests end the writer between any two of these.
type files interface {
	// write makes a file with this text, and returns when it is on disk.
	write(path string, text []byte) error
	rename(from, to string) error
	remove(path string) error
	syncDirectory(path string) error
}

func (s store) file() string { return filepath.Join(s.directory, "originals.json") }

func (s store) temporary() string { return filepath.Join(s.directory, "originals.json.new") }

// load reads what is kept; nil if nothing is.
func (s store) load() (*originals, error) {
	info, err := os.Stat(s.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file") // a pipe would be waited for
	}
	file, err := os.Open(s.file())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxOriginals+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxOriginals {
		return nil, fmt.Errorf("it has more than %d bytes", maxOriginals)
	}
	o, err := parseOriginals(text)
	if err != nil {
		return nil, err
	}
	return &o, nil
}

// save keeps originals; it removes the file if there are none. When it returns nil, they outlast a crash of the machine.
func (s store) save(o originals) error {
	if len(o.cells) == 0 {
		if err := s.files.remove(s.file()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err := s.files.syncDirectory(s.directory)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	text, err := o.marshal()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.directory, 0o755); err != nil {
		return err
	}
	if err := s.files.write(s.temporary(), text); err != nil {
		return err
	}
	if err := s.files.rename(s.temporary(), s.file()); err != nil {
		return err
	}
	// The rename is on disk only when the directory is.
	return s.files.syncDirectory(s.directory)
}

// disk is the real one.
type disk struct{}

func (disk) write(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	if _, err = file.Write(text); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func (disk) rename(from, to string) error { return os.Rename(from, to) }

func (disk) remove(path string) error { return os.Remove(path) }

func (disk) syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
