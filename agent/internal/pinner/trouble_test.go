package pinner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/containerd/nri/pkg/adaptation"
	"github.com/containerd/nri/pkg/api"
	"github.com/containerd/nri/pkg/net/multiplex"
	"github.com/containerd/ttrpc"
	"google.golang.org/protobuf/proto"

	"numaspark.io/agent/internal/pinfile"
)

// forgetful is a runtime that takes a plugin, and is gone before it configures it.
type forgetful struct{ connection net.Conn }

func (f forgetful) RegisterPlugin(context.Context, *api.RegisterPluginRequest) (*api.Empty, error) {
	time.AfterFunc(50*time.Millisecond, func() { f.connection.Close() })
	return &api.Empty{}, nil
}

func (forgetful) UpdateContainers(context.Context, *api.UpdateContainersRequest) (*api.UpdateContainersResponse, error) {
	return nil, errors.New("not asked for")
}

func (f forgetful) serve() {
	listener, err := multiplex.Multiplex(f.connection).Listen(multiplex.RuntimeServiceConn)
	if err != nil {
		return
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		return
	}
	api.RegisterRuntimeService(server, f)
	_ = server.Serve(context.Background(), listener)
}

// The library's Start then never returns: it holds its mutex while it waits for Configure, and its own handling of the lost
// connection waits for the mutex (pkg/stub/stub.go, Start and connClosed). Only a new process helps.
func TestEndsIfTheRuntimeIsLostBeforeItConfigures(t *testing.T) {
	r := newRuntime(t)
	listener, err := net.Listen("unix", r.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go forgetful{connection}.serve()
		}
	}()
	files := pinfile.Files{Folder: t.TempDir()}
	(&inFront{t: t, files: files}).write(layoutOf("g", 1))
	impatient := quick
	impatient.Start = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err = Pinner{Files: files, Socket: r.socket(), Patience: impatient, Look: 20 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}.Run(ctx)
	if !errors.Is(err, ErrHangs) {
		t.Errorf("%v", err)
	}
}

func TestASlowAnswerIsOneNevertheless(t *testing.T) {
	r := newRuntime(t)
	r.start()
	plugin, connector := r.connect(seldom)
	once := sync.Once{}
	plugin.now = func() time.Time {
		once.Do(func() { time.Sleep(1500 * time.Millisecond) }) // the runtime waits for 2 s
		return time.Now()
	}
	r.executor("slow")
	r.executor("next")
	r.requireCPUs("slow=2-3/0 next=4-5/0")
	if got := plugin.Snapshot().Counters; got.Timeouts+got.Panics > 0 || connector.Standing().State != pinfile.Connected {
		t.Errorf("%+v, %+v", got, connector.Standing())
	}
}

func TestAListThatThePinnerCouldNotProcessIsRequestedAgain(t *testing.T) {
	r := newRuntime(t)
	r.executorBefore("a")
	r.start()
	plugin := NewPlugin(slog.New(slog.DiscardHandler), func() {})
	plugin.SetLayout(layoutOf("g", 1))
	fails := make(chan struct{})
	plugin.now = func() time.Time {
		select {
		case <-fails:
			return time.Now()
		default:
			panic("an error of ours")
		}
	}
	r.serve(plugin, quick)
	for plugin.Snapshot().Counters.Panics < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	close(fails)
	r.awaitCPUs("a", "2-3")
}

// executorBefore is one that runs already when the pinner comes, of which the runtime says when it was made.
func (r *fakeRuntime) executorBefore(name string) {
	c := bare(r.pod(name, map[string]string{PinAnnotation: "p"}), executorContainer)
	c.CreatedAt = 1
	r.containers[c.Id] = c
}

// connect runs a plugin with two slots that a test can look into.
func (r *fakeRuntime) connect(patience Patience) (*Plugin, *Connector) {
	r.t.Helper()
	plugin := NewPlugin(slog.New(slog.NewTextHandler(io.Discard, nil)), func() {})
	plugin.SetLayout(layoutOf("g", 2))
	connector := r.serve(plugin, patience)
	for connector.Standing().State != pinfile.Connected {
		time.Sleep(10 * time.Millisecond)
	}
	return plugin, connector
}

func (r *fakeRuntime) serve(plugin *Plugin, patience Patience) *Connector {
	connector := &Connector{Socket: r.socket(), Plugin: plugin, Patience: patience, Log: plugin.log, Changed: func() {}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- connector.Run(ctx, make(chan struct{})) }()
	r.t.Cleanup(func() { cancel(); <-ended })
	return connector
}

func TestASocketThatARuntimeHasLeftIsTriedAgain(t *testing.T) {
	r := newRuntime(t)
	listener, err := net.Listen("unix", r.socket())
	if err != nil {
		t.Fatal(err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	listener.Close()
	p := r.pinner(layoutOf("g", 1))
	p.await("nobody listens", func(pins pinfile.Pins) bool { return pins.State == pinfile.Disconnected && pins.Reason == NotReached })
	if err := os.Remove(r.socket()); err != nil { // as a runtime does at its start
		t.Fatal(err)
	}
	r.start()
	p.await("connected", connected("g"))
}

func TestMendsNoMoreOftenThanItMay(t *testing.T) {
	r := newRuntime(t)
	r.start()
	patient := quick
	patient.Again = 700 * time.Millisecond
	plugin, _ := r.connect(patient)
	mend := func() time.Duration {
		<-plugin.turn
		plugin.askAgain()
		plugin.done()
		started := time.Now()
		for plugin.NeedsAgain() {
			time.Sleep(5 * time.Millisecond)
		}
		return time.Since(started)
	}
	if first := mend(); first > 500*time.Millisecond {
		t.Errorf("the first time takes %v", first)
	}
	if second := mend(); second < 400*time.Millisecond {
		t.Errorf("the second time takes only %v", second)
	}
}

const childSocket = "NUMASPARK_TEST_PINNER_SOCKET"

// runChild is a pinner of its own process, which the test binary is if it is told so.
func runChild() {
	_ = Pinner{Files: pinfile.Files{Folder: os.Getenv(childSocket + "_FOLDER")}, Socket: os.Getenv(childSocket), Patience: quick,
		Look: 20 * time.Millisecond, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}.Run(context.Background())
}

// 60 MB of environments, and annotations, of pods that anybody may create: the whole process stays below its limit of 64 MiB.
func TestPodsCannotFillTheMemoryOfThePinner(t *testing.T) {
	r := newRuntime(t)
	// containerd puts no less than four containers into a message of at most 4 MiB (recalcObjsPerSyncMsg of pkg/adaptation/plugin.go).
	for i := range 80 {
		c := bare(r.pod(fmt.Sprint("p", i), map[string]string{"big": strings.Repeat("x", 100<<10)}), "main")
		c.Env = []string{"BIG=" + strings.Repeat("x", 750<<10)}
		r.containers[c.Id] = c
	}
	// Bytes, not haste, are the matter here; machines of tests are slow.
	adaptation.SetPluginRequestTimeout(time.Minute)
	defer adaptation.SetPluginRequestTimeout(adaptation.DefaultPluginRequestTimeout)
	r.start()
	p := &inFront{t: t, files: pinfile.Files{Folder: t.TempDir()}}
	p.write(layoutOf("g", 1))
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childSocket+"="+r.socket(), childSocket+"_FOLDER="+p.files.Folder, "GOMEMLIMIT=48MiB")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	p.await("connected", connected("g"))
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", child.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	most, err := strconv.Atoi(strings.TrimSpace(string(line)))
	if err != nil || most > 64<<10 {
		t.Errorf("it has used %d KiB, %v", most, err)
	}
}

// choices turns the bytes of a fuzzer into decisions.
type choices struct{ left []byte }

func (c *choices) of(most int) int {
	if len(c.left) == 0 {
		return 0
	}
	next := int(c.left[0]) % most
	c.left = c.left[1:]
	return next
}

func (c *choices) word(words ...string) string { return words[c.of(len(words))] }

func (c *choices) pod() *api.PodSandbox {
	name := c.word("a", "b", "c", "d")
	annotations := map[string]string{}
	for _, words := range [][]string{{PinAnnotation, "p", "p", "", "q"}, {SlotsAnnotation, "", "2", "3", "-1", "x"},
		{CPUsAnnotation, "", "1", "3", "4", "0"}, {MarkAnnotation, "", "", "", "n0-0@g"}} {
		if word := c.word(words[1:]...); word != "" {
			annotations[words[0]] = word
		}
	}
	return &api.PodSandbox{Id: c.word("s-", "t-") + name, Name: name, Namespace: "team", Uid: c.word("u-"+name, "u-"+name, "u-"+name, ""), Annotations: annotations}
}

func (c *choices) container(pod *api.PodSandbox) *api.Container {
	made := bare(pod, c.word(executorContainer, executorContainer, "sidecar"))
	made.Id = c.word("c-", "d-") + pod.Name
	made.State = api.ContainerState(c.of(5))
	made.Annotations[MarkAnnotation] = c.word("", "shared@g", "foreign@g", "n0-0@g", "n0-1,n0-0@f", "@", "x@g", ",")
	made.Linux.Resources.Cpu.Cpus = c.word("", "2-3", "0-1,8-9", "0-15", "4", "2-5", "9-", "99999", "10-11", "1-2", "0-1")
	made.Linux.Resources.Cpu.Mems = c.word("", "0", "1", "x")
	return made
}

// FuzzEvents: whatever a runtime says in whatever order, the pinner makes no error, sends no more than it may, names no container
// twice in an answer, and gives no CPU to two pods.
func FuzzEvents(f *testing.F) {
	for seed := range 64 {
		text := make([]byte, 400)
		for i := range text {
			text[i] = byte((i*i*31 + i*seed*17 + seed*101) >> (seed % 3))
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		ctx := context.Background()
		c := &choices{text}
		plugin := NewPlugin(slog.New(slog.DiscardHandler), func() {})
		synchronize := func() []*api.ContainerUpdate {
			var pods []*api.PodSandbox
			var containers []*api.Container
			for range c.of(7) {
				pod := c.pod()
				pods = append(pods, pod)
				containers = append(containers, c.container(pod))
			}
			if c.of(4) == 0 {
				pods = nil
			}
			plugin.Connecting()
			updates, err := plugin.Synchronize(ctx, pods, containers)
			if err != nil {
				t.Fatal(err)
			}
			return updates
		}
		for len(c.left) > 0 {
			var updates []*api.ContainerUpdate
			var err error
			pod := c.pod()
			container := c.container(pod)
			switch c.of(10) {
			case 0:
				updates = synchronize()
			case 1:
				layout := layoutOf(c.word("g", "h"), c.of(4), c.of(4))
				layout.Mode = pinfile.Mode(c.word("Pin", "Pin", "Pin", "Release", "Observe", "Ignore"))
				layout.FormerShared = append(layout.FormerShared, set(c.word("0-1", "0-3")))
				plugin.SetLayout(layout)
			case 2:
				updates, err = plugin.StopContainer(ctx, pod, container)
			case 3:
				err = plugin.RemoveContainer(ctx, pod, container)
			case 4:
				err = plugin.StopPodSandbox(ctx, pod)
			case 5:
				err = plugin.PostStartContainer(ctx, pod, container)
			case 6:
				updates, err = plugin.UpdateContainer(ctx, pod, container, &api.LinuxResources{Cpu: &api.LinuxCPU{Cpus: c.word("", "0-15", "x")}})
			default:
				_, updates, err = plugin.CreateContainer(ctx, pod, container)
			}
			requireFine(t, plugin, updates, err)
		}
	})
}

func requireFine(t *testing.T, plugin *Plugin, updates []*api.ContainerUpdate, err error) {
	t.Helper()
	known := plugin.Snapshot()
	if err != nil || known.Counters.Panics > 0 || len(updates) > mostAtSynchronize {
		t.Fatalf("%v, %+v, %d updates", err, known.Counters, len(updates))
	}
	named := map[string]bool{}
	for _, update := range updates {
		if named[update.ContainerId] || update.ContainerId == "" {
			t.Fatalf("%v", updates)
		}
		named[update.ContainerId] = true
		if _, err := proto.Marshal(update); err != nil {
			t.Fatal(err)
		}
	}
	for i, one := range known.Executors {
		for _, other := range known.Executors[:i] {
			isLayouts := one.Outcome != pinfile.EarlierLayout && other.Outcome != pinfile.EarlierLayout
			if isLayouts && one.PodUID != other.PodUID && !one.Given.CPUs.Intersection(other.Given.CPUs).IsEmpty() {
				t.Fatalf("%s of %s and %s of %s", one.Given.CPUs, one.ID, other.Given.CPUs, other.ID)
			}
		}
		for _, slot := range known.Free {
			if !slot.CPUs.Intersection(one.Given.CPUs).IsEmpty() {
				t.Fatalf("slot %s is free, and %s has %s", slot.ID, one.ID, one.Given.CPUs)
			}
		}
	}
	pinsOf(known, Standing{State: pinfile.Connected}, "", time.Now())
}
