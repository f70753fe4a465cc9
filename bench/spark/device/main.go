// Command device makes a file system on an emulated hard disk or solid-state drive, and takes it away again when its
// standard input ends. Needs root and /dev/fuse.
//
//	device -kind hdd|ssd -size-mib 8192 -mount /mnt/point
//
// Commands on standard input, one a line, each answered with one line: "timed" (the model's delays on), "fast" (off: to fill the
// file system), "drop" (everything written, and nothing of it in the page cache any more), "counters" (requests, bytes, seeks and busy seconds so far, as JSON).
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// options of a device.
type options struct {
	kind     string
	mount    string
	size     int64   // bytes
	dirty    int64   // bytes
	slowdown float64 // factor
	check    bool
}

func main() {
	var o options
	flag.StringVar(&o.kind, "kind", "hdd", "hdd or ssd")
	flag.StringVar(&o.mount, "mount", "", "folder to mount the file system at; made if it is not there")
	flag.Int64Var(&o.size, "size-mib", 8192, "size of the device in MiB; takes memory for what is written")
	flag.Int64Var(&o.dirty, "dirty-mib", 32, "MiB that may wait in memory to be written before writers have to wait")
	flag.Float64Var(&o.slowdown, "slowdown", 1, "all times of the device are multiplied by this")
	flag.BoolVar(&o.check, "check", false, "print the throughput with 1 to 32 sequential streams, and end")
	flag.Parse()
	o.size <<= 20
	o.dirty <<= 20
	// A terminal's Ctrl-C goes to the whole group; the end of standard input and SIGTERM are the ways to stop.
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP)
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "device:", err)
		os.Exit(1)
	}
}

func newModel(kind string, slowdown float64) (model, error) {
	switch kind {
	case "hdd":
		return newDisk(hardDisk().slower(slowdown)), nil
	case "ssd":
		return solidState().slower(slowdown), nil
	}
	return nil, fmt.Errorf("-kind %s: must be hdd or ssd", kind)
}

func run(o options) (err error) {
	if o.mount == "" {
		return fmt.Errorf("-mount is missing: name a folder")
	}
	if os.Getuid() != 0 {
		return fmt.Errorf("needs root, to o.mount and to make a loop device")
	}
	m, err := newModel(o.kind, o.slowdown)
	if err != nil {
		return err
	}
	img, err := newImage(o.size, m)
	if err != nil {
		return fmt.Errorf("memory for the device: %w", err)
	}
	behind := o.mount + ".image"
	for _, dir := range []string{o.mount, behind} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("%w (of a device that was killed? then: umount --lazy %s %s)", err, o.mount, behind)
		}
		defer os.Remove(dir)
	}
	server, err := serveImage(behind, img)
	if err != nil {
		return fmt.Errorf("FUSE at %s: %w", behind, err)
	}
	defer server.Unmount()
	loop, err := attach(filepath.Join(behind, "disk"), o.kind, o.dirty)
	if err != nil {
		return err
	}
	defer command("losetup", "--detach", loop)
	if err := command("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", loop); err != nil {
		return err
	}
	if err := command("mount", "-o", "noatime,discard", loop, o.mount); err != nil {
		return err
	}
	defer func() {
		img.timed.Store(false)
		if failed := unmount(o.mount); failed != nil && err == nil {
			err = failed
		}
	}()
	// 128 KiB is what the kernel gives a disk. Now, because it computes the loop device's anew at every change before.
	readAhead := filepath.Join("/sys/block", filepath.Base(loop), "bdi/read_ahead_kb")
	if err := os.WriteFile(readAhead, []byte("128"), 0o644); err != nil {
		return err
	}
	if o.check {
		// This process waits for files that it serves itself; if it ended now, the kernel would wait for an answer for ever.
		signal.Ignore(syscall.SIGTERM)
		return check(img, o.mount)
	}
	fmt.Printf("ready %s\n", loop)
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- obey(img, o.mount) }()
	select {
	case err = <-ended:
	case <-terminated:
	}
	return err
}

func serveImage(dir string, img *image) (*fuse.Server, error) {
	return fs.Mount(dir, &root{image: img}, &fs.Options{MountOptions: fuse.MountOptions{
		FsName: "numaspark-device", DirectMount: true, MaxBackground: 64, MaxWrite: 512 << 10, DisableXAttrs: true,
	}})
}

// attach makes the loop device and gives it the block layer's settings for such a device.
func attach(file, kind string, dirty int64) (string, error) {
	out, err := exec.Command("losetup", "--find", "--show", "--direct-io=on", file).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("losetup: %s", strings.TrimSpace(string(out)))
	}
	loop := strings.TrimSpace(string(out))
	block := filepath.Join("/sys/block", filepath.Base(loop))
	scheduler, rotational := "none", "0"
	if kind == "hdd" {
		scheduler, rotational = "mq-deadline", "1"
	}
	for _, setting := range [][2]string{
		{"queue/scheduler", scheduler},
		{"queue/rotational", rotational},
		{"bdi/strict_limit", "1"},
		{"bdi/max_bytes", fmt.Sprint(dirty)},
		{"queue/read_ahead_kb", "128"},
	} {
		path := filepath.Join(block, setting[0])
		if err := os.WriteFile(path, []byte(setting[1]), 0o644); err != nil {
			command("losetup", "--detach", loop)
			return "", fmt.Errorf("%s = %s: %w (a kernel since 6.2 has it)", path, setting[1], err)
		}
	}
	return loop, nil
}

func obey(img *image, mount string) error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch lines.Text() {
		case "timed":
			img.timed.Store(true)
			fmt.Println("timed")
		case "fast":
			img.timed.Store(false)
			fmt.Println("fast")
		case "drop":
			if err := drop(mount); err != nil {
				fmt.Println("error:", err)
				continue
			}
			fmt.Println("dropped")
		case "counters":
			answer, _ := json.Marshal(img.model.counters())
			fmt.Println(string(answer))
		default:
			fmt.Println("error: commands are timed, fast, drop and counters")
		}
	}
	return lines.Err()
}

// drop writes what waits to be written and takes the files out of the page cache, of this file system only.
func drop(mount string) error {
	return filepath.WalkDir(mount, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // what is being deleted needs no cache
		}
		file, err := os.Open(path)
		if err != nil {
			return nil
		}
		defer file.Close()
		if err := file.Sync(); err != nil {
			return err
		}
		return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
}

// unmount tries again for a while: who used the file system may still be going.
func unmount(mount string) error {
	var err error
	for range 100 {
		if err = command("umount", mount); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %s", name, strings.Join(args, " "), strings.TrimSpace(string(out)))
	}
	return nil
}
