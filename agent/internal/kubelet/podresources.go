package kubelet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	podresources "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/pinning"
)

// DefaultSocket is where kubelets listen unless they were started with another root directory.
const DefaultSocket = "/var/lib/kubelet/pod-resources/kubelet.sock"

const (
	// An answer for 250 pods with four containers each has a fifth of it.
	longestAnswer  = 2 << 20
	longestHeaders = 64 << 10
	// Four times as many as a status may list.
	mostContainers = 4096
)

// PodResources asks the kubelet over its PodResources socket, version v1 of the API. Kubelets answer List since Kubernetes
// 1.20 and GetAllocatableResources since 1.23.
type PodResources struct {
	Socket string
	// Timeout is for one whole question, from connecting to the last byte.
	Timeout time.Duration
}

// List returns the containers of active pods that have CPUs or memory of their own, sorted by namespace, pod and container.
func (p PodResources) List(ctx context.Context) ([]pinning.Given, error) {
	var given []pinning.Given
	err := p.ask(ctx, func(ctx context.Context, client podresources.PodResourcesListerClient) error {
		answer, err := client.List(ctx, &podresources.ListPodResourcesRequest{})
		if err != nil {
			return err
		}
		given, err = listed(answer)
		return err
	})
	return given, err
}

// AllocatableCPUs returns the CPUs that can be given to containers on an empty node: all without the reserved ones. It is
// empty if the CPU manager's policy is none.
func (p PodResources) AllocatableCPUs(ctx context.Context) (cpuset.CPUSet, error) {
	var allocatable cpuset.CPUSet
	err := p.ask(ctx, func(ctx context.Context, client podresources.PodResourcesListerClient) error {
		answer, err := client.GetAllocatableResources(ctx, &podresources.AllocatableResourcesRequest{})
		if err != nil {
			return err
		}
		allocatable, err = ids(answer.CpuIds)
		return err
	})
	return allocatable, err
}

// ask connects for one question: a kubelet that restarts makes its socket anew, and a connection kept would only learn of it late.
func (p PodResources) ask(
	ctx context.Context, question func(context.Context, podresources.PodResourcesListerClient) error,
) error {
	if _, err := os.Stat(p.Socket); errors.Is(err, fs.ErrNotExist) {
		return p.notThere()
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	connection, err := (&net.Dialer{}).DialContext(ctx, "unix", p.Socket)
	if err != nil {
		return p.explain(err)
	}
	defer connection.Close()
	dialed := false
	client, err := grpc.NewClient("passthrough:///kubelet",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) {
			if dialed {
				return nil, net.ErrClosed
			}
			dialed = true
			return connection, nil
		}),
		grpc.WithNoProxy(),
		grpc.WithMaxHeaderListSize(longestHeaders),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(longestAnswer)))
	if err != nil {
		return p.explain(err)
	}
	defer client.Close()
	if err := question(ctx, podresources.NewPodResourcesListerClient(client)); err != nil {
		return p.explain(err)
	}
	return nil
}

func (p PodResources) notThere() *Error {
	if info, err := os.Stat(filepath.Dir(p.Socket)); err == nil && info.IsDir() {
		return &Error{NotFound, p.Socket + " does not exist: the kubelet is starting, or its root directory is another one;" +
			" mount the directory pod-resources of the kubelet's --root-dir"}
	}
	return &Error{NotFound, "the directory of " + p.Socket + " cannot be seen: mount the node's /var/lib/kubelet/pod-resources there"}
}

func (p PodResources) explain(err error) *Error {
	what := "the kubelet's PodResources API at " + p.Socket + ": "
	var bad *badAnswer
	if errors.As(err, &bad) {
		return &Error{BadAnswer, what + bad.Error() + "; make sure that the path is the socket of the kubelet and not another one"}
	}
	if answer, ok := status.FromError(err); ok {
		return p.refused(what, answer)
	}
	switch {
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return &Error{Forbidden, what + err.Error() + "; the socket belongs to root: run the agent's reader as user 0 outside of a user" +
			" namespace, and allow the connection in SELinux or AppArmor"}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return p.late(what)
	}
	return &Error{Unreachable, what + err.Error() + "; the kubelet restarts or is down, asked again later"}
}

func (p PodResources) late(what string) *Error {
	return &Error{TimedOut, fmt.Sprintf("%sno complete answer in time (%d ms); asked again later, see the kubelet's log",
		what, p.Timeout.Milliseconds())}
}

// refused explains a gRPC status, the kubelet's own or one that the library gives to what it did not understand.
func (p PodResources) refused(what string, answer *status.Status) *Error {
	message := answer.Message()
	if message == "" {
		message = "no message"
	}
	text := fmt.Sprintf("%sgRPC status %d, %s", what, answer.Code(), message)
	switch answer.Code() {
	case codes.Unimplemented:
		return &Error{NotFound, text + "; the agent needs a kubelet of Kubernetes 1.23 or later"}
	case codes.DeadlineExceeded, codes.Canceled:
		return p.late(what)
	case codes.ResourceExhausted:
		return &Error{BadAnswer, text + "; the kubelet limits how often it is asked, and the agent reads no more than 2 MiB; asked again later"}
	case codes.Unavailable:
		return &Error{Unreachable, text + "; the kubelet restarts or is down, or another program listens there; asked again later"}
	}
	return &Error{BadAnswer, text + "; see the kubelet's log for why"}
}

// badAnswer is a message of the right form that makes no sense.
type badAnswer struct{ text string }

func (e *badAnswer) Error() string { return e.text }

func listed(answer *podresources.ListPodResourcesResponse) ([]pinning.Given, error) {
	var given []pinning.Given
	for _, pod := range answer.PodResources {
		for _, container := range pod.Containers {
			exclusive, err := ids(container.CpuIds)
			if err != nil {
				return nil, err
			}
			memory, err := memoryNodes(container.Memory)
			if err != nil {
				return nil, err
			}
			if exclusive.IsEmpty() && memory.IsEmpty() {
				continue
			}
			if len(given) == mostContainers {
				return nil, &badAnswer{fmt.Sprintf("the kubelet's answer has more than %d containers with CPUs or memory of their own",
					mostContainers)}
			}
			given = append(given, pinning.Given{
				Namespace: pod.Namespace, Pod: pod.Name, Container: container.Name, CPUs: exclusive, MemoryNodes: memory,
			})
		}
	}
	slices.SortFunc(given, func(a, b pinning.Given) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.Container, b.Container))
	})
	return given, nil
}

// memoryNodes are the NUMA nodes that memory and huge pages of any size are assigned to.
func memoryNodes(memory []*podresources.ContainerMemory) (cpuset.CPUSet, error) {
	var nodes []int64
	for _, part := range memory {
		for _, node := range part.GetTopology().GetNodes() {
			nodes = append(nodes, node.ID)
		}
	}
	return ids(nodes)
}

func ids(numbers []int64) (cpuset.CPUSet, error) {
	set := make([]int, 0, len(numbers))
	for _, id := range numbers {
		if id < 0 || id > cpus.MaxID {
			return cpuset.New(), &badAnswer{fmt.Sprintf("the kubelet's answer has the id %d, outside of 0-%d", id, cpus.MaxID)}
		}
		set = append(set, int(id))
	}
	return cpuset.New(set...), nil
}
