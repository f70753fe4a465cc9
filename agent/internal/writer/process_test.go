package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

// program is the writer as processes of their own, which get signals.
type program struct {
	*tree
	binary string
	client knob.Client
}

func build(t *testing.T) *program {
	t.Helper()
	f := intelTree(t, skylake)
	binary := f.path("numaspark-writer")
	command := exec.Command("go", "build", "-ldflags", "-X main.version=1.2.3", "-o", binary,
		"numaspark.io/agent/cmd/numaspark-writer")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return &program{f, binary, knob.Client{Socket: f.path("run/writer.sock"), Timeout: 30 * time.Second}}
}

type process struct {
	*exec.Cmd
	output *bytes.Buffer
	ended  chan struct{}
}

func (p *program) launch(arguments ...string) *process {
	p.t.Helper()
	c := &process{exec.Command(p.binary, arguments...), &bytes.Buffer{}, make(chan struct{})}
	c.Env = append(os.Environ(), "NUMASPARK_WRITER_ROOT="+p.root, "NUMASPARK_WRITER_STATE="+p.path("state"),
		"NUMASPARK_WRITER_SOCKET="+p.client.Socket)
	c.Stdout, c.Stderr = c.output, c.output
	p.must(c.Start())
	go func() {
		_ = c.Wait() // the exit code is in ProcessState
		close(c.ended)
	}()
	p.t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		<-c.ended
	})
	return c
}

// exit waits for the end and returns the exit code; -1 after a signal.
func (p *program) exit(c *process) int {
	p.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(time.Minute):
		p.t.Fatal("the writer does not end")
	}
	return c.ProcessState.ExitCode()
}

// listening asks as soon as the process listens.
func (p *program) listening(c *process) []api.KnobState {
	p.t.Helper()
	for {
		states, err := p.client.Status(context.Background())
		if err == nil {
			return states
		}
		select {
		case <-c.ended:
			p.t.Fatalf("the writer has ended: %s", c.output)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (p *program) applied() {
	p.t.Helper()
	wanted := settings(p.t, "prefetch.l1NextLine", "Disabled", "memory.swappiness", "1")
	states, err := p.client.Apply(context.Background(), wanted, nil)
	p.must(err)
	if len(states) != 2 || states[0].State != knob.Applied || states[1].State != knob.Applied || p.registers(control)[2] != 4 {
		p.t.Fatalf("%v", states)
	}
}

func TestProcess(t *testing.T) {
	p := build(t)
	before := p.everything()

	t.Run("restores on each signal that ends it", func(t *testing.T) {
		for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			c := p.launch()
			p.listening(c)
			p.applied()
			p.must(c.Process.Signal(signal))
			if code := p.exit(c); code != 0 {
				t.Errorf("%v: exit code %d: %s", signal, code, c.output)
			}
			p.requireBack(before, signal.String())
		}
	})
	t.Run("restores after SIGKILL when asked", func(t *testing.T) {
		c := p.launch()
		p.listening(c)
		p.applied()
		p.must(c.Process.Kill())
		p.exit(c)
		if _, err := os.Stat(p.path("state/originals.json")); err != nil || p.registers(control)[2] != 4 {
			t.Errorf("after SIGKILL: %v", err)
		}
		for _, state := range p.listening(p.launch()) {
			if state.State != knob.Observed {
				t.Errorf("%+v", state)
			}
		}
		_, err := p.client.Restore(context.Background())
		p.must(err)
		p.requireBack(before, "asked")
	})
}

func TestProcessRestoresOnceAndEnds(t *testing.T) {
	p := build(t)
	before := p.everything()
	c := p.launch()
	p.listening(c)
	p.applied()
	// It waits for the first to end; who comes first does not matter to what is left.
	once := p.launch("restore")
	p.must(c.Process.Kill())
	if code := p.exit(once); code != 0 {
		t.Errorf("exit code %d: %s", code, once.output)
	}
	p.requireBack(before, "restore")
	for want, arguments := range map[int][]string{0: {"restore"}, 2: {"wrmsr", "0x1a4"}} {
		if c := p.launch(arguments...); p.exit(c) != want {
			t.Errorf("%v: %s", arguments, c.output)
		}
	}
	for argument, want := range map[string]string{"--version": "1.2.3\n", "--help": usageLine} {
		if c := p.launch(argument); p.exit(c) != 0 || !strings.HasPrefix(c.output.String(), want) {
			t.Errorf("%s: %s", argument, c.output)
		}
	}
	if c := p.launch("--wrmsr"); p.exit(c) != 2 || !strings.Contains(c.output.String(), usageLine) {
		t.Errorf("a flag that does not exist: %s", c.output)
	}
}

const usageLine = "usage: numaspark-writer"

func TestProcessReportsWhatItCannotDo(t *testing.T) {
	p := build(t)
	p.text("state/originals.json", "{")
	if c := p.launch("restore"); p.exit(c) != 1 || !strings.Contains(c.output.String(), "not readable as originals") {
		t.Errorf("%s", c.output)
	}
	p.must(os.Remove(p.path("proc/cpuinfo")))
	if c := p.launch(); p.exit(c) != 1 || strings.Count(c.output.String(), "\n") != 1 ||
		!strings.Contains(c.output.String(), "proc/cpuinfo") {
		t.Errorf("%s", c.output)
	}
}

func TestProcessHasItsOwnNetwork(t *testing.T) {
	p := build(t)
	c := p.launch("--own-network")
	if !canUnshare() {
		if p.exit(c) != 1 || !strings.Contains(c.output.String(), "--own-network: the kernel refuses a network namespace") {
			t.Errorf("%s", c.output)
		}
		return
	}
	p.listening(c)
	own, err := os.Readlink("/proc/self/ns/net")
	p.must(err)
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/ns/net", c.Process.Pid))
	p.must(err)
	if len(tasks) == 0 {
		t.Error("it has no threads")
	}
	for _, task := range tasks {
		if theirs, err := os.Readlink(task); err == nil && theirs == own {
			t.Errorf("%s is %s, the test's", task, theirs)
		}
	}
}

func canUnshare() bool {
	c := exec.Command("/proc/self/exe", "-test.run=^$")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET}
	return c.Run() == nil
}

func TestLockIsThatOfEarlierReleases(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	file, err := Lock(quiet, state)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// Another process asks for a POSIX lock of the whole file, as Java's FileChannel.lock does.
	c := exec.Command("/proc/self/exe", "-test.run=^TestHelperTriesTheLock$")
	c.Env = append(os.Environ(), "TRY_LOCK="+filepath.Join(state, "writer.lock"))
	if out, err := c.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("held by")) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestHelperTriesTheLock(t *testing.T) {
	path := os.Getenv("TRY_LOCK")
	if path == "" {
		t.Skip("a part of TestLockIsThatOfEarlierReleases")
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(file.Fd(), unix.F_SETLK, &lock); !errors.Is(err, unix.EAGAIN) {
		t.Fatal(err)
	}
	fmt.Println("held by another process")
}
