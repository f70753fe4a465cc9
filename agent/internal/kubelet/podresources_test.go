package kubelet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	podresources "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/pinning"
)

const ample = 20 * time.Second

// fakeKubelet answers with the kubelet's own message types.
type fakeKubelet struct {
	podresources.UnimplementedPodResourcesListerServer
	list        func(context.Context) (*podresources.ListPodResourcesResponse, error)
	allocatable []int64
}

func (k fakeKubelet) List(ctx context.Context, _ *podresources.ListPodResourcesRequest) (*podresources.ListPodResourcesResponse, error) {
	return k.list(ctx)
}

func (k fakeKubelet) GetAllocatableResources(
	context.Context, *podresources.AllocatableResourcesRequest,
) (*podresources.AllocatableResourcesResponse, error) {
	return &podresources.AllocatableResourcesResponse{CpuIds: k.allocatable, Memory: memory("memory", 0)}, nil
}

func serve(t *testing.T, kubelet podresources.PodResourcesListerServer) PodResources {
	socket := filepath.Join(t.TempDir(), "kubelet.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxSendMsgSize(64 << 20))
	if kubelet != nil {
		podresources.RegisterPodResourcesListerServer(server, kubelet)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return PodResources{Socket: socket, Timeout: ample}
}

func answering(t *testing.T, pods ...*podresources.PodResources) PodResources {
	return serve(t, fakeKubelet{list: func(context.Context) (*podresources.ListPodResourcesResponse, error) {
		return &podresources.ListPodResourcesResponse{PodResources: pods}, nil
	}})
}

func memory(kind string, nodes ...int64) []*podresources.ContainerMemory {
	topology := &podresources.TopologyInfo{}
	for _, node := range nodes {
		topology.Nodes = append(topology.Nodes, &podresources.NUMANode{ID: node})
	}
	return []*podresources.ContainerMemory{{MemoryType: kind, Size: 1 << 30, Topology: topology}}
}

func podOf(namespace, name string, containers ...*podresources.ContainerResources) *podresources.PodResources {
	return &podresources.PodResources{Namespace: namespace, Name: name, Containers: containers}
}

func TestListsContainersWithCPUsOrMemoryOfTheirOwn(t *testing.T) {
	executor := &podresources.ContainerResources{
		Name:   "spark-kubernetes-executor",
		CpuIds: []int64{130, 2, 3, 129, 1, 131},
		Memory: append(memory("memory", 0), memory("hugepages-2Mi", 1)...),
		Devices: []*podresources.ContainerDevices{{ResourceName: "example.com/nic", DeviceIds: []string{"a", "b"},
			Topology: &podresources.TopologyInfo{Nodes: []*podresources.NUMANode{{ID: 1}}}}},
		DynamicResources: []*podresources.DynamicResource{{ClaimName: "claim", ClaimNamespace: "spark"}},
	}
	got, err := answering(t,
		podOf("spark", "pi-exec-1", executor, &podresources.ContainerResources{Name: "sidecar"}),
		podOf("apps", "fraction", &podresources.ContainerResources{Name: "main", Memory: memory("memory", 1, 0)}),
	).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []pinning.Given{
		{Namespace: "apps", Pod: "fraction", Container: "main", CPUs: cpuset.New(), MemoryNodes: cpuset.New(0, 1)},
		{Namespace: "spark", Pod: "pi-exec-1", Container: "spark-kubernetes-executor",
			CPUs: cpuset.New(1, 2, 3, 129, 130, 131), MemoryNodes: cpuset.New(0, 1)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestReadsAllocatableCPUs(t *testing.T) {
	got, err := serve(t, fakeKubelet{allocatable: []int64{3, 1, 2, 131, 130, 129}}).AllocatableCPUs(t.Context())
	if err != nil || got.String() != "1-3,129-131" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestReadsAnAnswerOfManyWindows(t *testing.T) {
	var pods []*podresources.PodResources
	for i := range 4000 {
		pods = append(pods, podOf("many", fmt.Sprintf("filler-%d-%s", i, strings.Repeat("x", 200)),
			&podresources.ContainerResources{Name: "main", CpuIds: []int64{int64(200 + i)}}))
	}
	got, err := answering(t, pods...).List(t.Context())
	if err != nil || len(got) != 4000 {
		t.Errorf("%d, %v", len(got), err)
	}
}

func TestRefusesWhatMakesNoSense(t *testing.T) {
	var many []*podresources.ContainerResources
	for range mostContainers + 1 {
		many = append(many, &podresources.ContainerResources{Name: "main", CpuIds: []int64{1}})
	}
	one := func(container *podresources.ContainerResources) *podresources.PodResources {
		return podOf("n", "p", container)
	}
	for message, pod := range map[string]*podresources.PodResources{
		"the id 8192, outside of 0-8191": one(&podresources.ContainerResources{CpuIds: []int64{8192}}),
		"the id -1, outside of 0-8191":   one(&podresources.ContainerResources{Memory: memory("memory", -1)}),
		"more than 4096 containers":      podOf("n", "p", many...),
		"received message larger than max": one(&podresources.ContainerResources{
			Name: strings.Repeat("x", 2<<20), CpuIds: []int64{1}}),
	} {
		expect(t, answering(t, pod), BadAnswer, message)
	}
}

func expect(t *testing.T, client PodResources, reason Reason, message string) {
	t.Helper()
	_, err := client.List(t.Context())
	var refused *Error
	if !errors.As(err, &refused) || refused.Reason != reason || !strings.Contains(refused.Message, message) ||
		!strings.Contains(refused.Message, client.Socket) {
		t.Errorf("%v; want %s, %s", err, reason, message)
	}
}

func TestExplainsErrorsOfTheKubelet(t *testing.T) {
	for _, c := range []struct {
		code    codes.Code
		said    string
		reason  Reason
		message string
	}{
		{codes.Internal, "100 % grün", BadAnswer, "gRPC status 13, 100 % grün; see the kubelet's log"},
		{codes.Unknown, "", BadAnswer, "gRPC status 2, no message; see the kubelet's log"},
		{codes.ResourceExhausted, "rejected by rate limit", BadAnswer, "gRPC status 8, rejected by rate limit; the kubelet limits"},
		{codes.Unavailable, "stopping", Unreachable, "gRPC status 14, stopping"},
		{codes.DeadlineExceeded, "", TimedOut, "no complete answer in time"},
		{codes.Unimplemented, "unknown method", NotFound, "needs a kubelet of Kubernetes 1.23"},
	} {
		expect(t, serve(t, fakeKubelet{list: func(context.Context) (*podresources.ListPodResourcesResponse, error) {
			return nil, status.Error(c.code, c.said)
		}}), c.reason, c.message)
	}
	expect(t, serve(t, nil), NotFound, "gRPC status 12, unknown service v1.PodResourcesLister; the agent")
}

// raw talks to each client as it likes until the test ends.
func raw(t *testing.T, talk func(net.Conn)) PodResources {
	socket := filepath.Join(t.TempDir(), "kubelet.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				talk(client)
				<-t.Context().Done()
				client.Close()
			}()
		}
	}()
	return PodResources{Socket: socket, Timeout: ample}
}

func TestGivesUpAtTheDeadline(t *testing.T) {
	settings := "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for name, talk := range map[string]func(net.Conn){
		"silence":               func(net.Conn) {},
		"silence in the middle": func(c net.Conn) { _, _ = c.Write([]byte(settings)) },
		"pings without end": func(c net.Conn) {
			_, err := c.Write([]byte(settings))
			for err == nil {
				_, err = c.Write([]byte("\x00\x00\x08\x06\x01\x00\x00\x00\x0012345678"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := raw(t, talk)
			client.Timeout = 200 * time.Millisecond
			expect(t, client, TimedOut, "no complete answer in time (200 ms)")
		})
	}
}

func TestAKubeletThatRestartsIsUnreachable(t *testing.T) {
	expect(t, raw(t, func(c net.Conn) { c.Close() }), Unreachable, "the kubelet restarts or is down")
	expect(t, raw(t, func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")); c.Close() }),
		Unreachable, "another program listens there")
}

func TestSaysWhyThereIsNobodyToAsk(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) PodResources {
		return PodResources{Socket: filepath.Join(folder, name), Timeout: ample}
	}
	expect(t, at("none/kubelet.sock"), NotFound, "none/kubelet.sock cannot be seen: mount the node's /var/lib/kubelet/pod-resources there")
	expect(t, at("kubelet.sock"), NotFound, "kubelet.sock does not exist: the kubelet is starting")
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, at("file"), Unreachable, "refused")
	deep := strings.Repeat("d", 100)
	if err := os.MkdirAll(filepath.Join(folder, deep, "x.sock"), 0o700); err != nil {
		t.Fatal(err)
	}
	expect(t, at(deep+"/x.sock"), Unreachable, "invalid argument")
}

func TestSaysThatTheSocketMayNotBeOpened(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may open every socket")
	}
	client := answering(t)
	if err := os.Chmod(client.Socket, 0); err != nil {
		t.Fatal(err)
	}
	expect(t, client, Forbidden, "run the agent's reader as user 0")
}
