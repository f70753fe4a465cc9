package smt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/text"
)

const (
	// A unit that starts may wait for others.
	systemctlTimeout = 5 * time.Minute
	healthTimeout    = 5 * time.Second
	longestOutput    = 64 << 10
	// mostEntries: /proc has one for each process, and a node with 47 executors has some thousands of them.
	mostEntries = 1 << 17
)

// System is the node that this program runs on, or whose root it has changed to.
type System struct{}

// Read returns what a file has.
func (System) Read(path string, most int64) ([]byte, error) {
	// A pipe would be waited for.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return content, err
}

// List returns a folder's entries in the order of their names. It fails if there are more than mostEntries.
func (System) List(path string) ([]Entry, error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	found, err := folder.ReadDir(mostEntries + 1)
	if len(found) > mostEntries {
		return nil, fmt.Errorf("%s has more than %d entries", path, mostEntries)
	}
	if errors.Is(err, io.EOF) { // of an empty folder
		err = nil
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	entries := make([]Entry, len(found))
	for i, entry := range found {
		entries[i] = Entry{entry.Name(), entry.IsDir()}
	}
	return entries, err
}

// Resolve follows links.
func (System) Resolve(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Replace writes a file as a whole.
func (System) Replace(path string, content []byte, mode fs.FileMode) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	owner, group := -1, -1
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			owner, group = int(stat.Uid), int(stat.Gid)
		}
	}
	// The kubelet reads *.conf alone.
	next := filepath.Join(folder, "."+filepath.Base(path)+".numaspark")
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = file.Write(content); err == nil {
		err = file.Chmod(mode)
	}
	if err == nil && owner >= 0 {
		err = file.Chown(owner, group)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return syncFolder(folder)
}

// Remove deletes a file, if there is one.
func (System) Remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// The rename is on disk only when the folder is.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Write writes to a file of the kernel.
func (System) Write(path, value string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

// CheckWritable returns an error unless files can be created in a folder.
func (System) CheckWritable(path string) error {
	if err := unix.Access(path, unix.W_OK); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Stop stops a unit, and waits.
func (System) Stop(unit string) error { return systemctl("stop", unit) }

// Start starts a unit, and waits.
func (System) Start(unit string) error { return systemctl("start", unit) }

// StartSoon starts a unit, and does not wait.
func (System) StartSoon(unit string) error { return systemctl("start", "--no-block", unit) }

// Enable makes systemd read a new unit, and start it with the machine.
func (System) Enable(unit string) error {
	if err := systemctl("daemon-reload"); err != nil {
		return err
	}
	return systemctl("enable", "--quiet", unit)
}

// Disable does the opposite.
func (System) Disable(unit string) error { return systemctl("disable", "--quiet", unit) }

// Service is the state of a unit.
func (System) Service(unit string) (Service, error) {
	out, err := output("show", "--property=ActiveState,MainPID,NRestarts", unit)
	if err != nil {
		return Service{}, err
	}
	var service Service
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "ActiveState":
			service.State = value
		case "MainPID":
			service.PID, _ = strconv.Atoi(value) // 0 is nobody's
		case "NRestarts":
			service.Restarts, _ = strconv.Atoi(value) // a systemd before 235 does not count
		}
	}
	if service.State == "" {
		return service, fmt.Errorf("systemctl show %s prints no state", unit)
	}
	return service, nil
}

func systemctl(words ...string) error {
	_, err := output(words...)
	return err
}

func output(words ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), systemctlTimeout)
	defer cancel()
	program, err := find("systemctl")
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, program, words...)
	command.Env = []string{"PATH=" + strings.Join(programFolders, ":"), "LC_ALL=C", "SYSTEMD_IGNORE_CHROOT=1",
		"SYSTEMD_BUS_TIMEOUT=240"} // a slow machine needs longer than the usual 25 s to read its units again
	command.WaitDelay = time.Second
	var out, said bounded
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("systemctl %s: %w: %s", strings.Join(words, " "), err, text.Quote(strings.TrimSpace(said.String())))
	}
	return out.String(), nil
}

// programFolders are those of the node; PATH is the container's.
var programFolders = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"}

func find(program string) (string, error) {
	for _, folder := range programFolders {
		path := filepath.Join(folder, program)
		if unix.Access(path, unix.X_OK) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the node has no %s in %s", program, strings.Join(programFolders, ", "))
}

// bounded keeps the beginning of what is written.
type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if room := longestOutput - b.Len(); room > 0 {
		b.Builder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// Healthy asks a kubelet. It is HTTP with one request, so that a program with the power to change the node has no HTTP client.
func (System) Healthy(address string) error {
	connection, err := net.DialTimeout("tcp", address, healthTimeout)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(healthTimeout)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(connection, "GET /healthz HTTP/1.0\r\nHost: %s\r\n\r\n", address); err != nil {
		return err
	}
	status, err := bufio.NewReader(io.LimitReader(connection, 1024)).ReadString('\n')
	if err != nil {
		return err
	}
	if words := strings.Fields(status); len(words) < 2 || words[1] != "200" {
		return fmt.Errorf("its /healthz answers '%s'", text.Quote(strings.TrimSpace(status)))
	}
	return nil
}

// Now is the time of the machine.
func (System) Now() time.Time { return time.Now() }

// Sleep waits.
func (System) Sleep(duration time.Duration) { time.Sleep(duration) }

// NotifyReady says to systemd that what is ordered after this service may start. Without systemd it does nothing.
func NotifyReady(getenv func(string) string) error {
	socket := getenv("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	connection, err := net.Dial("unixgram", socket)
	if err != nil {
		return err
	}
	_, err = io.WriteString(connection, "READY=1")
	return errors.Join(err, connection.Close())
}
