package pinner

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/containerd/nri/pkg/adaptation"
	"github.com/containerd/nri/pkg/api"
	nrilog "github.com/containerd/nri/pkg/log"
	"github.com/containerd/nri/pkg/stub"
	"google.golang.org/protobuf/proto"

	"numaspark.io/agent/internal/pinfile"
)

// fakeRuntime has the containers of a node, and the runtimes' own side of NRI between them and the pinner.
type fakeRuntime struct {
	t       *testing.T
	folder  string
	version string
	// noSandboxes: containerd that was started again does not relay the ends of sandboxes that it has not started itself.
	noSandboxes bool
	// late is how long it makes a plugin wait that has registered, as for a container that is stopping.
	late time.Duration
	nri  *adaptation.Adaptation
	// door is where the pinner connects; behind it is the library's socket. It can be slammed, which the library cannot.
	door net.Listener

	mutex      sync.Mutex
	pods       map[string]*api.PodSandbox
	containers map[string]*api.Container
	guests     []net.Conn
}

func TestMain(m *testing.M) {
	if os.Getenv(childSocket) != "" {
		runChild()
		return
	}
	nrilog.Set(LibraryLog{slog.New(slog.NewTextHandler(io.Discard, nil))})
	os.Exit(m.Run())
}

func newRuntime(t *testing.T) *fakeRuntime {
	// Names of sockets are short.
	folder, err := os.MkdirTemp("", "nri")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	r := &fakeRuntime{t: t, folder: folder, version: "v2.1.9", pods: map[string]*api.PodSandbox{}, containers: map[string]*api.Container{}}
	t.Cleanup(r.stop)
	return r
}

func (r *fakeRuntime) socket() string { return filepath.Join(r.folder, "nri.sock") }

func (r *fakeRuntime) start() {
	r.t.Helper()
	made, err := adaptation.New("containerd", r.version, r.synchronize,
		func(context.Context, []*api.ContainerUpdate) ([]*api.ContainerUpdate, error) {
			r.t.Error("the pinner asks for an update by itself")
			return nil, nil
		}, adaptation.WithSocketPath(r.socket()+".behind"), adaptation.WithPluginPath(r.folder+"/plugins"), adaptation.WithPluginConfigPath(r.folder+"/conf"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.nri = made
	if err := made.Start(); err != nil {
		r.t.Fatal(err)
	}
	if r.door, err = net.Listen("unix", r.socket()); err != nil {
		r.t.Fatal(err)
	}
	go r.admit(r.door)
}

func (r *fakeRuntime) admit(door net.Listener) {
	for {
		guest, err := door.Accept()
		if err != nil {
			return
		}
		host, err := net.Dial("unix", r.socket()+".behind")
		if err != nil {
			guest.Close()
			continue
		}
		r.mutex.Lock()
		r.guests = append(r.guests, guest, host)
		r.mutex.Unlock()
		for _, pair := range [][2]net.Conn{{guest, host}, {host, guest}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1])
				guest.Close()
				host.Close()
			}()
		}
	}
}

func (r *fakeRuntime) stop() {
	if r.nri == nil {
		return
	}
	r.door.Close()
	r.mutex.Lock()
	for _, guest := range r.guests {
		guest.Close()
	}
	r.guests = nil
	r.mutex.Unlock()
	r.nri.Stop()
	r.nri = nil
}

func (r *fakeRuntime) synchronize(ctx context.Context, tell adaptation.SyncCB) error {
	time.Sleep(r.late)
	r.mutex.Lock()
	var pods []*api.PodSandbox
	for _, pod := range r.pods {
		pods = append(pods, pod)
	}
	var containers []*api.Container
	for _, container := range r.containers {
		containers = append(containers, proto.CloneOf(container))
	}
	r.mutex.Unlock()
	updates, err := tell(ctx, pods, containers)
	r.update(updates)
	return err
}

func (r *fakeRuntime) update(updates []*api.ContainerUpdate) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, update := range updates {
		if container, found := r.containers[update.GetContainerId()]; found {
			merge(container.Linux.Resources.Cpu, update.Linux.Resources.Cpu)
		}
	}
}

// merge leaves what the other does not say, as runtimes do.
func merge(into, from *api.LinuxCPU) {
	if from.GetCpus() != "" {
		into.Cpus = from.GetCpus()
	}
	if from.GetMems() != "" {
		into.Mems = from.GetMems()
	}
}

func (r *fakeRuntime) pod(name string, annotations map[string]string) *api.PodSandbox {
	pod := &api.PodSandbox{Id: "s-" + name, Name: name, Namespace: "team", Uid: "u-" + name, Annotations: annotations}
	r.mutex.Lock()
	r.pods[pod.Id] = pod
	r.mutex.Unlock()
	return pod
}

func bare(pod *api.PodSandbox, container string) *api.Container {
	return &api.Container{Id: "c-" + pod.Name, PodSandboxId: pod.Id, Name: container, State: api.ContainerState_CONTAINER_RUNNING,
		Annotations: map[string]string{}, Env: []string{"PASSWORD=secret"},
		Linux: &api.LinuxContainer{Resources: &api.LinuxResources{Cpu: &api.LinuxCPU{}}}}
}

// run creates and starts a container as a runtime does: with or without the pinner.
func (r *fakeRuntime) run(pod *api.PodSandbox, container string) {
	r.t.Helper()
	r.create(pod, container)
	r.begin(pod.Name)
}

func (r *fakeRuntime) create(pod *api.PodSandbox, container string) {
	r.t.Helper()
	c := bare(pod, container)
	c.State = api.ContainerState_CONTAINER_CREATED
	answer, err := r.nri.CreateContainer(context.Background(), &api.CreateContainerRequest{Pod: pod, Container: c})
	if err != nil {
		r.t.Fatalf("container of %s: %v", pod.Name, err)
	}
	maps.Copy(c.Annotations, answer.GetAdjust().GetAnnotations())
	merge(c.Linux.Resources.Cpu, answer.GetAdjust().GetLinux().GetResources().GetCpu())
	r.mutex.Lock()
	r.containers[c.Id] = c
	r.mutex.Unlock()
	r.update(answer.GetUpdate())
}

// begin starts a container that was created.
func (r *fakeRuntime) begin(name string) {
	r.t.Helper()
	r.mutex.Lock()
	pod, container := r.pods["s-"+name], r.containers["c-"+name]
	container.State = api.ContainerState_CONTAINER_RUNNING
	request := &api.PostStartContainerRequest{Pod: pod, Container: proto.CloneOf(container)}
	r.mutex.Unlock()
	if err := r.nri.PostStartContainer(context.Background(), request); err != nil {
		r.t.Fatalf("container of %s: %v", name, err)
	}
}

func (r *fakeRuntime) executor(name string) {
	r.t.Helper()
	r.run(r.pod(name, map[string]string{PinAnnotation: "p"}), executorContainer)
}

func (r *fakeRuntime) plain(name string) {
	r.t.Helper()
	r.run(r.pod(name, nil), "main")
}

// end ends a pod with all of its events.
func (r *fakeRuntime) end(name string) {
	r.t.Helper()
	ctx, pod, container := context.Background(), r.pods["s-"+name], r.containers["c-"+name]
	answer, err := r.nri.StopContainer(ctx, &api.StopContainerRequest{Pod: pod, Container: container})
	r.mutex.Lock()
	delete(r.containers, container.Id)
	delete(r.pods, pod.Id)
	r.mutex.Unlock()
	r.update(answer.GetUpdate())
	if r.noSandboxes {
		if failure := r.nri.RemoveContainer(ctx, &api.RemoveContainerRequest{Pod: pod, Container: container}); failure != nil || err != nil {
			r.t.Fatal(err, failure)
		}
		return
	}
	for _, failure := range []error{err, r.nri.StopPodSandbox(ctx, &api.StopPodSandboxRequest{Pod: pod}),
		r.nri.RemoveContainer(ctx, &api.RemoveContainerRequest{Pod: pod, Container: container}),
		r.nri.RemovePodSandbox(ctx, &api.RemovePodSandboxRequest{Pod: pod})} {
		if failure != nil {
			r.t.Fatal(failure)
		}
	}
}

// requireCPUs compares all containers of the node: pod=cpus/mems.
func (r *fakeRuntime) requireCPUs(want string) {
	r.t.Helper()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var all []string
	for id, container := range r.containers {
		cpu := container.Linux.Resources.Cpu
		all = append(all, fmt.Sprintf("%s=%s/%s", strings.TrimPrefix(id, "c-"), cpu.Cpus, cpu.Mems))
	}
	if !sameWords(strings.Join(all, " "), want) {
		r.t.Errorf("%v, want %s", all, want)
	}
}

// inFront is a pinner of this process, and what it says.
type inFront struct {
	t     *testing.T
	files pinfile.Files
	end   context.CancelFunc
	ended chan error
}

var quick = Patience{Start: 8 * time.Second, Synchronize: 20 * time.Second, Again: 50 * time.Millisecond, Settle: 50 * time.Millisecond, Least: 20 * time.Millisecond, Most: 100 * time.Millisecond}

// seldom does not connect again to mend something.
var seldom = Patience{Start: quick.Start, Synchronize: quick.Synchronize, Again: time.Hour, Settle: time.Hour, Least: quick.Least, Most: quick.Most}

func (r *fakeRuntime) pinner(layout pinfile.Layout) *inFront {
	r.t.Helper()
	p := &inFront{t: r.t, files: pinfile.Files{Folder: r.t.TempDir()}}
	p.write(layout)
	p.start(r.socket())
	r.t.Cleanup(p.stop)
	return p
}

func (p *inFront) start(socket string) {
	ctx, cancel := context.WithCancel(context.Background())
	p.end, p.ended = cancel, make(chan error, 1)
	go func() {
		p.ended <- Pinner{Files: p.files, Socket: socket, Patience: quick, Look: 20 * time.Millisecond,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil))}.Run(ctx)
	}()
}

func (p *inFront) stop() {
	p.end()
	select {
	case <-p.ended:
		p.ended <- nil
	case <-time.After(10 * time.Second):
		p.t.Error("the pinner does not end")
	}
}

func (p *inFront) write(layout pinfile.Layout) {
	p.t.Helper()
	text, err := layout.Encode()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.files.WriteLayout(text); err != nil {
		p.t.Fatal(err)
	}
}

// await waits until the report is as wanted.
func (p *inFront) await(what string, wanted func(pinfile.Pins) bool) pinfile.Pins {
	p.t.Helper()
	var pins pinfile.Pins
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, err := p.files.ReadPins()
		if err != nil {
			p.t.Fatal(err)
		}
		pins = pinfile.Pins{}
		if text != nil && json.Unmarshal(text, &pins) == nil && wanted(pins) {
			return pins
		}
	}
	p.t.Fatalf("%s: not so after 15 s: %+v", what, pins)
	return pins
}

func connected(generation string) func(pinfile.Pins) bool {
	return func(p pinfile.Pins) bool { return p.State == pinfile.Connected && p.Generation == generation }
}

// awaitCPUs waits: the pinner reports when it has answered, and then the runtime does what the answer says.
func (r *fakeRuntime) awaitCPUs(pod, want string) {
	r.t.Helper()
	got := ""
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		r.mutex.Lock()
		got = r.containers["c-"+pod].Linux.Resources.Cpu.Cpus
		r.mutex.Unlock()
		if got == want {
			return
		}
	}
	r.t.Fatalf("%s has %q, want %q", pod, got, want)
}

func TestPinsAnApplicationAndFreesItsSlots(t *testing.T) {
	r := newRuntime(t)
	r.start()
	r.plain("before")
	p := r.pinner(layoutOf("g", 1, 1))
	pins := p.await("connected", connected("g"))
	if pins.Runtime != "containerd" || pins.RuntimeVersion != "v2.1.9" || len(pins.FreeSlots) != 2 {
		t.Errorf("%+v", pins)
	}
	r.requireCPUs("before=0-1,8-9/")
	r.plain("x")
	for _, name := range []string{"a", "b", "c"} {
		r.executor(name)
	}
	waits := r.pod("waits", nil) // for its image
	if err := r.nri.RunPodSandbox(t.Context(), &api.RunPodSandboxRequest{Pod: waits}); err != nil {
		t.Fatal(err)
	}
	p.await("all sandboxes", func(pins pinfile.Pins) bool {
		return strings.Join(pins.Sandboxes, " ") == "s-a s-b s-before s-c s-waits s-x"
	})
	if err := r.nri.RemovePodSandbox(t.Context(), &api.RemovePodSandboxRequest{Pod: waits}); err != nil {
		t.Fatal(err)
	}
	r.requireCPUs("before=0-1,8-9/ x=0-1,8-9/ a=2-3/0 b=10-11/1 c=0-1,8-9/")
	pins = p.await("three executors", func(p pinfile.Pins) bool { return len(p.Executors) == 3 })
	if got := pins.Executors[1]; got.Pod != "b" || got.CPUs != "10-11" || got.MemoryNodes != "1" || got.Outcome != pinfile.Pinned || len(got.Slots) != 1 {
		t.Errorf("%+v", got)
	}
	if text, _ := p.files.ReadPins(); strings.Contains(string(text), "secret") {
		t.Error("the environment of a container is in the report")
	}
	r.end("a")
	r.plain("y")                                                             // its answer carries what is due
	r.requireCPUs("before=0-1,8-9/ x=0-1,8-9/ y=0-1,8-9/ b=10-11/1 c=2-3/0") // it is young
	r.end("b")
	r.end("c")
	p.await("all is free", func(p pinfile.Pins) bool {
		return len(p.FreeSlots) == 2 && len(p.Executors) == 0 && len(p.Sandboxes) == 3
	})
}

func TestExecutorsStayPinnedWhenPinnerOrRuntimeStartAnew(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1, 1))
	p.await("connected", connected("g"))
	r.executor("a")

	p.stop()
	r.requireCPUs("a=2-3/0")
	r.executor("b")
	r.plain("x")
	r.requireCPUs("a=2-3/0 b=/ x=/")
	p.start(r.socket())
	pins := p.await("two executors", func(p pinfile.Pins) bool { return len(p.Executors) == 2 && p.State == pinfile.Connected })
	if pins.Executors[0].Outcome != pinfile.Pinned || pins.Executors[1].Outcome != pinfile.PinnedLate {
		t.Errorf("%+v", pins.Executors)
	}
	r.requireCPUs("a=2-3/0 b=10-11/ x=0-1,8-9/")

	r.stop()
	p.await("disconnected", func(p pinfile.Pins) bool { return p.State == pinfile.Disconnected && p.Reason != "" })
	r.requireCPUs("a=2-3/0 b=10-11/ x=0-1,8-9/")
	r.start()
	pins = p.await("connected again", connected("g"))
	r.requireCPUs("a=2-3/0 b=10-11/ x=0-1,8-9/")
	if pins.Executors[1].Outcome != pinfile.Pinned || len(pins.FreeSlots) != 0 {
		t.Errorf("%+v", pins)
	}
}

func TestANewLayoutReachesWhatRuns(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", connected("g"))
	r.plain("x")
	r.executor("a")
	next := layoutOf("h", 1)
	next.Slots[0].CPUs, next.Shared, next.FormerShared = set("3-4"), set("0-2,5-7"), append(next.FormerShared, set("0-1"))
	p.write(next)
	p.await("the new layout", func(pins pinfile.Pins) bool { return connected("h")(pins) && pins.Due == 0 && len(pins.Executors) == 1 })
	r.awaitCPUs("x", "0-1,5-7") // the executor of the earlier layout has the rest
	r.requireCPUs("x=0-1,5-7/ a=2-3/0")

	next.Mode, next.Generation = pinfile.Release, "i"
	p.write(next)
	p.await("off", func(pins pinfile.Pins) bool { return connected("i")(pins) && pins.Mode == pinfile.Release })
	r.awaitCPUs("a", "0-7")
	r.requireCPUs("x=0-7/ a=0-7/0")
	r.plain("y")
	r.requireCPUs("x=0-7/ a=0-7/0 y=/")
}

func TestALayoutThatIsWrongLeavesTheLastOne(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", connected("g"))
	for _, wrong := range []string{"", "{", `{"generation": "h"}`, strings.Repeat(" ", pinfile.MaxLayout+1)} {
		if err := p.files.WriteLayout([]byte(wrong)); err != nil {
			t.Fatal(err)
		}
		p.await("an error", func(pins pinfile.Pins) bool { return pins.LayoutError != "" && connected("g")(pins) })
		p.write(layoutOf("g", 1))
		p.await("no error", func(pins pinfile.Pins) bool { return pins.LayoutError == "" })
	}
	if err := p.files.WriteLayout([]byte("{")); err != nil {
		t.Fatal(err)
	}
	p.await("an error", func(pins pinfile.Pins) bool { return pins.LayoutError != "" })
	r.executor("a")
	r.requireCPUs("a=2-3/0")
}

func TestWithoutLayoutNothingIsChanged(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := &inFront{t: t, files: pinfile.Files{Folder: t.TempDir()}}
	p.start(r.socket())
	t.Cleanup(p.stop)
	p.await("waiting", func(pins pinfile.Pins) bool { return pins.State == pinfile.Disconnected && pins.Reason == NoLayout })
	r.executor("a")
	r.requireCPUs("a=/")
}

func TestAContainerIsCreatedWhateverThePinnerDoes(t *testing.T) {
	r := newRuntime(t)
	r.start()
	ctx := context.Background()
	plugin, _ := r.connect(seldom)

	<-plugin.turn // it hangs
	started := time.Now()
	r.create(r.pod("hangs", map[string]string{PinAnnotation: "p"}), executorContainer)
	if waited := time.Since(started); waited > 1900*time.Millisecond {
		t.Errorf("the container waited for %v", waited)
	}
	plugin.done()

	plugin.now = func() time.Time { panic("an error of ours") }
	c := bare(r.pod("panics", map[string]string{PinAnnotation: "p"}), executorContainer)
	c.CreatedAt = 1
	if answer, err := r.nri.CreateContainer(ctx, &api.CreateContainerRequest{Pod: r.pods["s-panics"], Container: c}); err != nil ||
		answer.GetAdjust().GetLinux().GetResources().GetCpu().GetCpus() != "" {
		t.Errorf("%v, %v", answer, err)
	}
	plugin.now = time.Now
	r.executor("works")
	r.requireCPUs("hangs=/ works=2-3/0")
	for plugin.Snapshot().Counters.Timeouts == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if got := plugin.Snapshot().Counters; got.Timeouts != 1 || got.Panics != 1 {
		t.Errorf("%+v", got)
	}
}

// another is a plugin with an earlier index that sets CPUs too.
type another struct{}

func (another) CreateContainer(_ context.Context, pod *api.PodSandbox, _ *api.Container) (*api.ContainerAdjustment, []*api.ContainerUpdate, error) {
	adjustment := &api.ContainerAdjustment{}
	if pod.Name == "theirs" {
		adjustment.SetLinuxCPUSetCPUs("7")
	}
	return adjustment, nil, nil
}

func TestWhatAnotherPluginHasSetStays(t *testing.T) {
	r := newRuntime(t)
	r.start()
	other, err := stub.New(another{}, stub.WithPluginName("another"), stub.WithPluginIdx("50"), stub.WithSocketPath(r.socket()))
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Stop)
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", connected("g"))
	r.executor("theirs")
	r.executor("ours")
	r.requireCPUs("theirs=7/ ours=2-3/0")
	pins := p.await("both", func(pins pinfile.Pins) bool { return len(pins.Executors) == 2 })
	if pins.Executors[1].Outcome != pinfile.AlreadySet {
		t.Errorf("%+v", pins.Executors)
	}
}

func TestRefusesANodeThatAnotherPluginRules(t *testing.T) {
	r := newRuntime(t)
	r.start()
	pod := r.pod("theirs", nil)
	c := bare(pod, "main")
	c.Linux.Resources.Cpu.Cpus = "5-6"
	r.containers[c.Id] = c
	p := r.pinner(layoutOf("g", 1))
	pins := p.await("refused", func(pins pinfile.Pins) bool { return pins.State == pinfile.Refused })
	if pins.Reason != OtherCPUPlugin || !strings.Contains(pins.Message, "container main of pod team/theirs has the CPUs 5-6") || len(pins.FreeSlots) > 0 {
		t.Errorf("%+v", pins)
	}
	r.executor("a")
	r.requireCPUs("theirs=5-6/ a=/")
}

func TestRefusesARuntimeThatLosesContainers(t *testing.T) {
	r := newRuntime(t)
	r.version = "v2.0.2"
	r.start()
	p := r.pinner(layoutOf("g", 1))
	pins := p.await("refused", func(pins pinfile.Pins) bool { return pins.State == pinfile.Refused })
	if pins.Reason != RuntimeTooOld || !strings.Contains(pins.Message, "containerd v2.0.2 loses containers") {
		t.Errorf("%+v", pins)
	}
	r.executor("a")
	r.requireCPUs("a=/")
	for version, want := range map[string]bool{"1.7.25": true, "v1.7.26": false, "1.6.40": true, "2.0.3": false, "2.1.0": false, "2.4.0-rc.1": false, "nonsense": false} {
		if got := (Runtime{"containerd", version}).isTooOld(); got != want {
			t.Errorf("containerd %s: %v", version, got)
		}
	}
	if !(Runtime{"cri-o", "1.31.9"}).isTooOld() || (Runtime{"cri-o", "1.34.0"}).isTooOld() || (Runtime{"other", "0.1"}).isTooOld() {
		t.Error("of CRI-O or another one")
	}
}

func TestTakesOverANodeWithMoreThanAMessageHolds(t *testing.T) {
	r := newRuntime(t)
	r.start()
	for i := range 300 {
		pod := r.pod(fmt.Sprint("p", i), nil)
		c := bare(pod, "main")
		c.Env = []string{"BIG=" + strings.Repeat("x", 32<<10)}
		r.containers[c.Id] = c
	}
	r.executor("a")
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", func(pins pinfile.Pins) bool { return connected("g")(pins) && pins.Due == 301-mostAtSynchronize })
	r.awaitCPUs("a", "2-3") // executors are the first
	r.plain("x")
	r.plain("y")
	p.await("the rest", func(pins pinfile.Pins) bool { return pins.Due == 0 })
	for i := range 300 {
		r.awaitCPUs(fmt.Sprint("p", i), "0-1")
	}
}

// A runtime that ends the connection at every step, or says nothing.
func TestConnectsAnewWhateverTheRuntimeDoes(t *testing.T) {
	for what, behave := range map[string]func(net.Conn){
		"ends at once": func(c net.Conn) { c.Close() },
		"sends nonsense": func(c net.Conn) {
			c.Write([]byte(strings.Repeat("\xff", 4096)))
			time.Sleep(50 * time.Millisecond)
			c.Close()
		},
		"ends after a while": func(c net.Conn) { io.ReadAtLeast(c, make([]byte, 10), 10); c.Close() },
	} {
		r := newRuntime(t)
		listener, err := net.Listen("unix", r.socket())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				behave(c)
			}
		}()
		p := r.pinner(layoutOf("g", 1))
		p.await(what, func(pins pinfile.Pins) bool { return pins.State == pinfile.Disconnected && pins.Reason == NotConnected })
		listener.Close()
		p.await(what+", then is gone", func(pins pinfile.Pins) bool { return pins.Reason == NoSocket })
		r.start()
		p.await(what+", then works", connected("g"))
		p.stop()
		r.stop()
	}
}

func TestAPodStormIsPinned(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 3, 3, 3, 3))
	p.await("connected", connected("g"))
	for i := range 40 {
		r.pod(fmt.Sprint("e", i), map[string]string{PinAnnotation: "p"})
	}
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			r.run(r.pods[fmt.Sprint("s-e", i)], executorContainer)
		}()
	}
	wait.Wait()
	held := map[string]int{}
	for _, c := range r.containers {
		held[c.Linux.Resources.Cpu.Cpus]++
	}
	if shared := held["0-1,8-9,16-17,24-25"]; shared != 28 || len(held) != 13 {
		t.Errorf("%v", held)
	}
	if pins := p.await("all", func(pins pinfile.Pins) bool { return len(pins.Executors) == 40 }); pins.Counters.Timeouts+pins.Counters.Panics > 0 {
		t.Errorf("%+v", pins.Counters)
	}
}

func TestEverySlotIsFreeInTheEndAlsoIfTheRuntimeWasStartedAnew(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1, 1))
	p.await("connected", connected("g"))
	r.executor("a")
	r.executor("b")
	r.stop()
	p.await("disconnected", func(p pinfile.Pins) bool { return p.State == pinfile.Disconnected })
	r.start()
	r.noSandboxes = true
	p.await("connected again", func(p pinfile.Pins) bool { return connected("g")(p) && len(p.Executors) == 2 })
	r.end("a")
	r.end("b")
	p.await("all is free", func(p pinfile.Pins) bool { return len(p.FreeSlots) == 2 && len(p.Executors) == 0 })
}

// A node where a container has just the CPUs that this layout shares, and another one those of no layout.
func TestNothingIsChangedOnANodeThatAnotherPluginRules(t *testing.T) {
	for _, mode := range []pinfile.Mode{pinfile.Pin, pinfile.Observe, pinfile.Release} {
		r := newRuntime(t)
		r.start()
		for name, cpus := range map[string]string{"theirs": "5-6", "shared": "0-1", "slot": "2-3"} {
			c := bare(r.pod(name, nil), "main")
			c.Linux.Resources.Cpu.Cpus = cpus
			r.containers[c.Id] = c
		}
		layout := layoutOf("g", 1)
		layout.Mode = mode
		p := r.pinner(layout)
		p.await("taken", func(pins pinfile.Pins) bool {
			return pins.State == pinfile.Refused || mode != pinfile.Pin && connected("g")(pins)
		})
		r.plain("x")
		r.executor("a")
		r.end("x")
		r.requireCPUs("theirs=5-6/ shared=0-1/ slot=2-3/ a=/")
		p.stop()
	}
}

// What is carried to a container that is created and not started reaches its specification only.
func TestAContainerThatIsStartingIsToldAgain(t *testing.T) {
	r := newRuntime(t)
	r.start()
	r.create(r.pod("x", nil), "main")
	r.create(r.pod("a", map[string]string{PinAnnotation: "p"}), executorContainer)
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", connected("g"))
	r.awaitCPUs("x", "0-1")
	r.awaitCPUs("a", "2-3")
	for _, name := range []string{"c-x", "c-a"} {
		r.mutex.Lock()
		r.containers[name].Linux.Resources.Cpu.Cpus = "" // lost
		r.mutex.Unlock()
	}
	r.begin("x")
	r.begin("a")
	r.awaitCPUs("x", "0-1") // no event follows on a quiet node
	r.awaitCPUs("a", "2-3")
}

func TestAContainerThatWasNotAnsweredForGetsItsCPUsLater(t *testing.T) {
	r := newRuntime(t)
	r.start()
	plugin, _ := r.connect(quick)
	<-plugin.turn // it is busy
	r.create(r.pod("a", map[string]string{PinAnnotation: "p"}), executorContainer)
	plugin.done()
	r.requireCPUs("a=/")
	r.awaitCPUs("a", "2-3")
}

func (r *fakeRuntime) resize(name, cpus string) {
	r.t.Helper()
	r.mutex.Lock()
	request := &api.UpdateContainerRequest{Pod: r.pods["s-"+name], Container: proto.CloneOf(r.containers["c-"+name]),
		LinuxResources: &api.LinuxResources{Cpu: &api.LinuxCPU{Cpus: cpus, Shares: api.UInt64(uint64(512))}}}
	r.mutex.Unlock()
	answer, err := r.nri.UpdateContainer(context.Background(), request)
	if err != nil {
		r.t.Fatal(err)
	}
	r.update(answer.GetUpdate())
}

func TestAnUpdateOfAContainerKeepsItsCPUsAndCarriesWhatIsDue(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1))
	p.await("connected", connected("g"))
	for _, name := range []string{"a", "b"} {
		r.executor(name)
	}
	r.plain("x")
	r.resize("a", "0-7")
	r.resize("x", "")
	r.requireCPUs("a=2-3/0 b=0-1/ x=0-1/")
	r.end("a")
	r.resize("b", "") // it is b itself that something is due of
	r.requireCPUs("b=2-3/0 x=0-1/")
	p.await("pinned", func(pins pinfile.Pins) bool {
		return len(pins.Executors) == 1 && pins.Executors[0].Outcome == pinfile.PinnedLate
	})
}

func TestWaitsForARuntimeWhoseContainersAreStopping(t *testing.T) {
	r := newRuntime(t)
	r.late = 1500 * time.Millisecond
	r.start()
	p := r.pinner(layoutOf("g", 1))
	waiting := func(pins pinfile.Pins) bool {
		return pins.State == pinfile.Disconnected && pins.Reason == WaitingForRuntime
	}
	p.await("waiting", waiting)
	p.await("connected", connected("g"))
	r.executor("a")
	p.await("an executor", func(pins pinfile.Pins) bool { return len(pins.Executors) == 1 })
	p.write(layoutOf("h", 1))
	pins := p.await("waiting again", waiting)
	if pins.Generation != "" || len(pins.FreeSlots) > 0 || len(pins.Executors) != 1 || pins.Executors[0].CPUs != "2-3" {
		t.Errorf("while it waits: %+v", pins)
	}
	p.await("connected again", connected("h"))
}

func TestAPodCannotForgeAMark(t *testing.T) {
	r := newRuntime(t)
	r.start()
	for _, mark := range []string{"foreign@g", "n0-0@g", "shared@g"} {
		pod := r.pod("tenant", map[string]string{MarkAnnotation: mark})
		c := bare(pod, "main")
		c.Annotations[MarkAnnotation] = mark // as CRI-O does
		c.Linux.Resources.Cpu.Cpus = "0-7"
		r.containers[c.Id] = c
		p := r.pinner(layoutOf("g", 1))
		p.await("connected", func(pins pinfile.Pins) bool { return connected("g")(pins) && len(pins.FreeSlots) == 1 })
		r.awaitCPUs("tenant", "0-1")
		p.stop()
	}
}

func TestAnExecutorOfSeveralSlotsIsInOneNumaNode(t *testing.T) {
	r := newRuntime(t)
	r.start()
	p := r.pinner(layoutOf("g", 1, 3))
	p.await("connected", connected("g"))
	r.run(r.pod("wide", map[string]string{PinAnnotation: "p", SlotsAnnotation: "2"}), executorContainer)
	r.run(r.pod("wider", map[string]string{PinAnnotation: "p", SlotsAnnotation: "2"}), executorContainer)
	r.run(r.pod("nonsense", map[string]string{PinAnnotation: "p", SlotsAnnotation: "two"}), executorContainer)
	r.requireCPUs("wide=10-13/1 wider=0-1,8-9/ nonsense=0-1,8-9/")
	r.end("wide")
	r.run(r.pod("part", map[string]string{PinAnnotation: "p", SlotsAnnotation: "3", CPUsAnnotation: "4"}), executorContainer)
	pins := p.await("its slots", func(pins pinfile.Pins) bool { return len(pins.FreeSlots) == 1 && len(pins.Executors) == 2 })
	r.requireCPUs("part=10-13/1 wider=0-1,8-9/ nonsense=0-1,8-9/")
	if got := pins.Executors[0]; got.CPUs != "10-13" || len(got.Slots) != 3 || got.Outcome != pinfile.Pinned {
		t.Errorf("%+v", got)
	}
	r.end("part")
	r.plain("x")
	r.requireCPUs("x=0-1,8-9/ wider=10-13/1 nonsense=0-1,8-9/")
}

func TestWhatIsReleasedIsReleasedToTheLast(t *testing.T) {
	r := newRuntime(t)
	r.start()
	for i := range 2*mostAtSynchronize + 10 {
		c := bare(r.pod(fmt.Sprint("p", i), nil), "main")
		c.Linux.Resources.Cpu.Cpus = "0-1"
		c.Annotations[MarkAnnotation] = "shared@g"
		r.containers[c.Id] = c
	}
	layout := layoutOf("h", 1)
	layout.Mode = pinfile.Release
	p := r.pinner(layout)
	p.await("all is released", func(pins pinfile.Pins) bool { return connected("h")(pins) && pins.Due == 0 })
	for i := range 2*mostAtSynchronize + 10 {
		r.awaitCPUs(fmt.Sprint("p", i), "0-7")
	}
}

func TestWarnsOfARuntimeThatPanics(t *testing.T) {
	for version, want := range map[string]bool{"1.7.30": false, "2.0.9": false, "2.1.9": true, "v2.2.5": true, "2.2.6": false, "2.3.2": true,
		"2.3.3": false, "2.4.0": false, "nonsense": false} {
		known := Snapshot{Runtime: Runtime{"containerd", version}, Fit: true}
		pins := pinsOf(known, Standing{State: pinfile.Connected}, "", time.Now())
		if got := len(pins.Warnings) == 1 && pins.Warnings[0].Reason == RuntimePanics; got != want || pins.State != pinfile.Connected {
			t.Errorf("containerd %s: %+v", version, pins)
		}
	}
	if (Runtime{"cri-o", "2.1.0"}).mayPanic() {
		t.Error("CRI-O")
	}
}

// What pods say of themselves does not stay in memory until all messages of a Synchronize have come.
func TestEnvironmentsDoNotFillTheMemory(t *testing.T) {
	r := newRuntime(t)
	for i := range 40 {
		c := bare(r.pod(fmt.Sprint("p", i), map[string]string{"big": strings.Repeat("x", 200<<10)}), "main")
		c.Env = []string{"BIG=" + strings.Repeat("x", 1500<<10)}
		c.Args = []string{strings.Repeat("x", 64<<10)}
		r.containers[c.Id] = c
	}
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapInuse
	}
	var most uint64
	before := heap()
	var kept []*api.SynchronizeRequest
	for i := range 40 {
		request := &api.SynchronizeRequest{Pods: []*api.PodSandbox{r.pods[fmt.Sprint("s-p", i)]},
			Containers: []*api.Container{r.containers[fmt.Sprint("c-p", i)]}}
		wire, err := proto.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		_, err = strip(t.Context(), func(message any) error { return proto.Unmarshal(wire, message.(proto.Message)) }, nil,
			func(_ context.Context, unmarshal func(any) error) (any, error) {
				request := &api.SynchronizeRequest{}
				err := unmarshal(request)
				kept = append(kept, request)
				return nil, err
			})
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, heap())
	}
	if more := int64(most) - int64(before); more > 16<<20 {
		t.Errorf("%d MiB more are in use", more>>20)
	}
	if got := kept[39].Containers[0]; got.Id != "c-p39" || got.Name != "main" || got.Env != nil || got.GetLinux().GetResources().GetCpu() == nil {
		t.Errorf("%v", got)
	}
	runtime.KeepAlive(kept)
}
