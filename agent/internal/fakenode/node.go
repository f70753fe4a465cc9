package fakenode

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	podresources "k8s.io/kubelet/pkg/apis/podresources/v1"
)

const configz = `{"kubeletconfig": {"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
  "cpuManagerPolicy": "static", "cpuManagerPolicyOptions": {"full-pcpus-only": "true"},
  "topologyManagerPolicy": "single-numa-node", "topologyManagerScope": "pod", "memoryManagerPolicy": "Static",
  "reservedSystemCPUs": "0,28,56,84", "kubeReserved": {"memory": "1Gi"}, "featureGates": {"CPUManagerPolicyAlphaOptions": true},
  "reservedMemory": [{"numaNode": 0, "limits": {"memory": "1Gi"}}, {"numaNode": 1, "limits": {"memory": "600Mi"}}],
  "evictionHard": {"memory.available": "100Mi"}, "clusterDNS": ["10.96.0.10"], "maxPods": 110}}`

// bookmarkAfter is when an API server says how far a watch has come in which nothing happens.
const bookmarkAfter = time.Minute

// Settings are the knobs that the operator wants.
var Settings = map[string]any{
	"prefetch.l2Stream": "Disabled", "prefetch.l2AdjacentLine": "Disabled", "memory.transparentHugePages": "Madvise",
	"memory.numaBalancing": "Disabled", "memory.swappiness": "1",
}

// Node is a made-up one.
type Node struct {
	// WantLoad is what the operator wants of a node that a trial has.
	WantLoad bool
	// Folder has root/, cgroup/, credentials/ and kubelet.sock, and status.json with the status that was written last.
	Folder string
	server *httptest.Server
	grpc   *grpc.Server

	mu         sync.Mutex
	topology   map[string]any
	version    int
	generation int
	changed    chan struct{} // closed at the next change
}

// Start makes one below a folder, with servers on loopback.
func Start(folder string) (*Node, error) {
	n := &Node{Folder: folder, changed: make(chan struct{}), version: 1}
	if err := errors.Join(writeMachine(n.Path("root")), writeCgroups(n.Path("cgroup"))); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", n.Path("kubelet.sock"))
	if err != nil {
		return nil, err
	}
	n.grpc = grpc.NewServer()
	podresources.RegisterPodResourcesListerServer(n.grpc, lister{})
	go func() { _ = n.grpc.Serve(listener) }()
	n.server = httptest.NewUnstartedServer(n)
	n.server.EnableHTTP2 = true
	n.server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	n.server.StartTLS()
	if err := os.MkdirAll(n.Path("credentials"), 0o755); err != nil {
		return nil, err
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: n.server.Certificate().Raw})
	// As long as the token of a service account.
	token := []byte(strings.Repeat("x", 1000))
	return n, errors.Join(os.WriteFile(n.Path("credentials/ca.crt"), authority, 0o644), os.WriteFile(n.Path("credentials/token"), token, 0o600))
}

// Path is that of a file of the folder.
func (n *Node) Path(name string) string { return filepath.Join(n.Folder, name) }

// Environment is what the agent is started with.
func (n *Node) Environment() map[string]string {
	port := fmt.Sprint(n.server.Listener.Addr().(*net.TCPAddr).Port)
	return map[string]string{
		"NUMASPARK_NODE": "node-1", "NUMASPARK_HOST_IP": "127.0.0.1", "NUMASPARK_API": n.server.URL, "NUMASPARK_KUBELET_PORT": port,
		"NUMASPARK_CREDENTIALS": n.Path("credentials"), "NUMASPARK_POD_RESOURCES": n.Path("kubelet.sock"),
		"NUMASPARK_ROOT": n.Path("root"), "NUMASPARK_CGROUP": n.Path("cgroup"),
		"NUMASPARK_WRITER_ROOT": n.Path("root"), "NUMASPARK_WRITER_STATE": n.Path("state"),
	}
}

// Stop ends the servers.
func (n *Node) Stop() {
	n.grpc.Stop()
	n.server.CloseClientConnections()
	n.server.Close()
}

type lister struct {
	podresources.UnimplementedPodResourcesListerServer
}

func (lister) List(context.Context, *podresources.ListPodResourcesRequest) (*podresources.ListPodResourcesResponse, error) {
	answer := &podresources.ListPodResourcesResponse{}
	for pod := range pods {
		container := &podresources.ContainerResources{Name: "main"}
		one := &podresources.PodResources{Namespace: "apps", Name: fmt.Sprint("service-", pod), Containers: []*podresources.ContainerResources{container}}
		if pod < Executors {
			one.Namespace, one.Name, container.Name = "spark", fmt.Sprint("sort-exec-", pod), "spark-kubernetes-executor"
			for _, cpu := range ExecutorCPUs(pod).List() {
				container.CpuIds = append(container.CpuIds, int64(cpu))
			}
			node := &podresources.NUMANode{ID: int64(pod / executorsOfNode)}
			container.Memory = []*podresources.ContainerMemory{{MemoryType: "memory", Size: 8 << 30,
				Topology: &podresources.TopologyInfo{Nodes: []*podresources.NUMANode{node}}}}
		}
		answer.PodResources = append(answer.PodResources, one)
	}
	return answer, nil
}

func (lister) GetAllocatableResources(
	context.Context, *podresources.AllocatableResourcesRequest,
) (*podresources.AllocatableResourcesResponse, error) {
	answer := &podresources.AllocatableResourcesResponse{}
	for _, cpu := range allocatable().List() {
		answer.CpuIds = append(answer.CpuIds, int64(cpu))
	}
	return answer, nil
}

// ServeHTTP answers as the kubelet and as the API server.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/configz":
		_, _ = w.Write([]byte(configz))
	case r.URL.Query().Get("watch") == "true":
		n.watch(w, r)
	default:
		n.answer(w, r)
	}
}

func (n *Node) answer(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var written map[string]any
	status := strings.HasSuffix(r.URL.Path, "/status")
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&written); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n.write(written, status)
	}
	list := strings.HasSuffix(r.URL.Path, "/sparknodetopologies") && r.Method == http.MethodGet
	switch {
	case list:
		items := []any{}
		if n.topology != nil {
			items = append(items, n.topology)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "numaspark.io/v1alpha1", "kind": "SparkNodeTopologyList",
			"metadata": map[string]any{"resourceVersion": fmt.Sprint(n.version)}, "items": items})
	case n.topology == nil:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","code":404,"reason":"NotFound","message":"not found"}`))
	default:
		_ = json.NewEncoder(w).Encode(n.topology)
	}
	if spec, _ := n.topology["spec"].(map[string]any); written != nil && status && spec["knobs"] == nil {
		n.wantKnobs(spec)
	}
}

func (n *Node) write(written map[string]any, status bool) {
	if n.topology == nil {
		n.topology = maps.Clone(written)
	} else {
		n.topology = maps.Clone(n.topology)
	}
	if !status {
		n.topology["spec"] = written["spec"]
		n.change(true)
		return
	}
	n.topology["status"] = written["status"]
	n.change(false)
	text, err := json.Marshal(written["status"])
	if err == nil && os.WriteFile(n.Path("status.json.new"), text, 0o644) == nil {
		_ = os.Rename(n.Path("status.json.new"), n.Path("status.json"))
	}
}

// wantKnobs does what the operator does once there is a topology.
func (n *Node) wantKnobs(spec map[string]any) {
	var names []any
	for name := range Settings {
		names = append(names, name)
	}
	changed := maps.Clone(spec)
	changed["knobs"] = map[string]any{"profile": "sort", "scope": "Executors", "settings": Settings, "enforced": names}
	if n.WantLoad {
		changed["reportLoad"] = true
	}
	n.topology = maps.Clone(n.topology)
	n.topology["spec"] = changed
	n.change(true)
}

func (n *Node) change(spec bool) {
	n.version++
	if spec {
		n.generation++
	}
	n.topology["metadata"] = map[string]any{"name": "node-1", "uid": "11111111-2222-3333-4444-555555555555",
		"resourceVersion": fmt.Sprint(n.version), "generation": n.generation, "creationTimestamp": "2026-01-01T00:00:00Z"}
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *Node) watch(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","code":422,"reason":"Invalid","message":"sendInitialEvents is not supported"}`))
		return
	}
	for encoder := json.NewEncoder(w); ; {
		n.mu.Lock()
		changed := n.changed
		event := map[string]any{"type": "MODIFIED", "object": n.topology}
		n.mu.Unlock()
		if encoder.Encode(event) != nil {
			return
		}
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-time.After(bookmarkAfter):
		}
	}
}
