// Command podresources-server answers the kubelet's PodResources API with the kubelet's own
// message types and its gRPC server, for the tests of the agent's client.
//
//	podresources-server SOCKET
//
// It is ready when it has printed "ready", and ends when its standard input does.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	v1 "k8s.io/kubelet/pkg/apis/podresources/v1"
)

type server struct {
	v1.UnimplementedPodResourcesListerServer
	pods int
}

func memory(kind string, size uint64, nodes ...int64) *v1.ContainerMemory {
	topology := &v1.TopologyInfo{}
	for _, node := range nodes {
		topology.Nodes = append(topology.Nodes, &v1.NUMANode{ID: node})
	}
	return &v1.ContainerMemory{MemoryType: kind, Size: size, Topology: topology}
}

// List answers one executor with CPUs and memory, one container of the shared pool, one with memory
// alone, and as many pods with a device each as fill the answer.
func (s server) List(context.Context, *v1.ListPodResourcesRequest) (*v1.ListPodResourcesResponse, error) {
	if s.pods < 0 {
		return nil, status.Error(codes.ResourceExhausted, "rejected by rate limit: 100 %, größer")
	}
	executor := &v1.ContainerResources{
		Name:   "spark-kubernetes-executor",
		CpuIds: []int64{130, 2, 3, 129, 1, 131},
		Memory: []*v1.ContainerMemory{memory("memory", 20<<30, 0), memory("hugepages-2Mi", 1<<30, 1)},
		Devices: []*v1.ContainerDevices{{ResourceName: "example.com/nic", DeviceIds: []string{"a", "b"},
			Topology: &v1.TopologyInfo{Nodes: []*v1.NUMANode{{ID: 1}}}}},
		DynamicResources: []*v1.DynamicResource{{ClaimName: "claim", ClaimNamespace: "spark"}},
	}
	answer := &v1.ListPodResourcesResponse{PodResources: []*v1.PodResources{
		{Name: "pi-exec-1", Namespace: "spark", Containers: []*v1.ContainerResources{
			executor, {Name: "sidecar"}}},
		{Name: "fraction", Namespace: "apps", Containers: []*v1.ContainerResources{
			{Name: "main", Memory: []*v1.ContainerMemory{memory("memory", 1<<30, 1, 0)}}}},
	}}
	for i := range s.pods {
		answer.PodResources = append(answer.PodResources, &v1.PodResources{
			Name: fmt.Sprintf("filler-%d-%s", i, strings.Repeat("x", 200)), Namespace: "many",
			Containers: []*v1.ContainerResources{{Name: "main", CpuIds: []int64{int64(200 + i)}}},
		})
	}
	return answer, nil
}

func (s server) GetAllocatableResources(context.Context, *v1.AllocatableResourcesRequest) (*v1.AllocatableResourcesResponse, error) {
	return &v1.AllocatableResourcesResponse{
		CpuIds: []int64{3, 1, 2, 131, 130, 129},
		Memory: []*v1.ContainerMemory{memory("memory", 20<<30, 0)},
	}, nil
}

func serve(socket string, pods int) {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer()
	v1.RegisterPodResourcesListerServer(s, server{pods: pods})
	go func() { log.Fatal(s.Serve(listener)) }()
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: podresources-server SOCKET")
	}
	serve(os.Args[1], 0)
	serve(os.Args[1]+".many", 4000)
	serve(os.Args[1]+".refusing", -1)
	bare, err := net.Listen("unix", os.Args[1]+".bare")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(grpc.NewServer().Serve(bare)) }()
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}
