package pinfile

import (
	"encoding/json"
	"time"

	"numaspark.io/agent/internal/sharedfile"
)

const (
	layoutFile       = "layout.json"
	pinsFile         = "pins.json"
	farewellFile     = "farewell"
	uninstallingFile = "uninstalling"

	// MaxPins is the length of the longest report, in bytes.
	MaxPins = 1 << 20
)

// Files is the folder that the pinner shares with the reader, its only other contact.
type Files struct{ Folder string }

// ReadLayout returns what the reader has written, and nothing if it has written nothing yet.
func (f Files) ReadLayout() ([]byte, error) { return f.folder().Read(layoutFile, MaxLayout) }

// WriteLayout is the reader's.
func (f Files) WriteLayout(layout []byte) error { return f.folder().Replace(layoutFile, layout) }

// ReadPins returns what the pinner has written, and nothing if it has written nothing yet.
func (f Files) ReadPins() ([]byte, error) { return f.folder().Read(pinsFile, MaxPins) }

// WritePins is the pinner's.
func (f Files) WritePins(pins Pins) error {
	text, err := json.Marshal(pins)
	if err != nil {
		return err
	}
	return f.folder().Replace(pinsFile, text)
}

// SayUninstalling says that nothing shall be pinned any more, whatever is wanted.
func (f Files) SayUninstalling() error { return f.folder().Replace(uninstallingFile, nil) }

// IsUninstalling reports whether that was said.
func (f Files) IsUninstalling() bool { return f.folder().Exists(uninstallingFile) }

// SayFarewell says that the reader has nothing more to ask of the pinner.
func (f Files) SayFarewell() error { return f.folder().Replace(farewellFile, nil) }

// HasFarewell reports whether that was said.
func (f Files) HasFarewell() bool { return f.folder().Exists(farewellFile) }

// TakeBack unsays both: for a reader that starts.
func (f Files) TakeBack() error {
	for _, name := range []string{uninstallingFile, farewellFile} {
		if err := f.folder().Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// CheckAlive returns an error unless the pinner has written its report within the time. It does so whether or not it is connected.
func (f Files) CheckAlive(now time.Time, within time.Duration) error {
	return f.folder().CheckWritten(pinsFile, now, within)
}

func (f Files) folder() sharedfile.Folder { return sharedfile.Folder(f.Folder) }
