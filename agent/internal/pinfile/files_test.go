package pinfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Both programs are root, and either may be in an attacker's hands: it leads the other one nowhere else.
func TestOnlyRegularFilesOfTheFolderAreReadAndWritten(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, place := range map[string]func(path string) error{
		"a link":   func(path string) error { return os.Symlink(secret, path) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		files := Files{Folder: t.TempDir()}
		if err := place(filepath.Join(files.Folder, layoutFile)); err != nil {
			t.Fatal(err)
		}
		if text, err := files.ReadLayout(); err == nil {
			t.Errorf("%s is read: %q", what, text)
		}
		if err := place(filepath.Join(files.Folder, pinsFile+".next")); err != nil {
			t.Fatal(err)
		}
		if err := files.WritePins(Pins{}); err != nil {
			t.Errorf("%s in the way of a report: %v", what, err)
		}
		if text, err := files.ReadPins(); err != nil || len(text) == 0 {
			t.Errorf("%s: the report is %q, %v", what, text, err)
		}
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
		t.Errorf("the file behind the link has %q, %v", text, err)
	}
}
