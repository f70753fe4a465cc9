package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"
)

const (
	poolLabel    = "bench.example.com/pool"
	profileLabel = "numaspark.io/profile"
	slotPrefix   = "slots.numaspark.io/"
)

var (
	topologyKind = schema.GroupVersionResource{Group: "numaspark.io", Version: "v1alpha1", Resource: "sparknodetopologies"}
	profileKind  = schema.GroupVersionResource{Group: "numaspark.io", Version: "v1alpha1", Resource: "sparknodeprofiles"}
	scheduleKind = schema.GroupVersionResource{Group: "numaspark.io", Version: "v1alpha1", Resource: "scheduledsparkapplications"}
)

// topologySpec is a machine of two NUMA nodes of four cores with siblings; core 0 is reserved. It has seven slots of one core.
const topologySpec = `
numaNodes:
- {id: 0, socket: 0, memory: 17179869184, cores: ["0,8", "1,9", "2,10", "3,11"]}
- {id: 1, socket: 1, memory: 17179869184, cores: ["4,12", "5,13", "6,14", "7,15"]}
kubelet:
  cpuManagerPolicy: static
  cpuManagerPolicyOptions: {full-pcpus-only: "true"}
  topologyManagerPolicy: single-numa-node
  topologyManagerScope: pod
  memoryManagerPolicy: Static
  reservedCpus: "0,8"
  reservedMemory: {"0": 1073741824}
`

// Pool is simulated nodes with a topology each, as an agent writes it, and the profile that selects them.
type Pool struct {
	name     string // of the profile, and label of the nodes
	nodes    []string
	cordoned bool // no pod is bound to them: they can go at any time
}

func newPool(name string, size int) Pool {
	pool := Pool{name: name}
	for i := range size {
		pool.nodes = append(pool.nodes, name+"-"+strconv.Itoa(i))
	}
	return pool
}

func (p Pool) slotResource() string { return slotPrefix + p.name }

func customObject(kind, name string, spec any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "numaspark.io/v1alpha1", "kind": kind, "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

// raise creates the pool, or what is missing of it, and waits until every node has slots.
func (p Pool) raise(ctx context.Context, cluster Cluster, patience time.Duration) error {
	profile := customObject("SparkNodeProfile", p.name, map[string]any{
		"nodeSelector": map[string]any{"matchLabels": map[string]any{poolLabel: p.name}},
		"executor":     map[string]any{"coresPerExecutor": map[string]any{"min": int64(1), "max": int64(1)}},
	})
	if _, err := cluster.custom.Resource(profileKind).Create(ctx, profile, metav1.CreateOptions{}); ignoreExisting(err) != nil {
		return err
	}
	for _, name := range p.nodes {
		var spec map[string]any
		if err := yaml.Unmarshal([]byte(topologySpec), &spec); err != nil {
			return err
		}
		topology := customObject("SparkNodeTopology", name, spec)
		if _, err := cluster.custom.Resource(topologyKind).Create(ctx, topology, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{poolLabel: p.name}}}
		node.Spec.Unschedulable = p.cordoned
		if _, err := cluster.core.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
	}
	err := wait.PollUntilContextTimeout(ctx, playInterval, patience, true, func(ctx context.Context) (bool, error) {
		for _, name := range p.nodes {
			if slots, err := p.slots(ctx, cluster, name); err != nil || slots < 1 {
				return false, nil // asked again: faults make requests fail
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("the nodes of profile %s have no slots: %w", p.name, err)
	}
	return nil
}

// slots are those that the scheduler may give away on a node.
func (p Pool) slots(ctx context.Context, cluster Cluster, node string) (int64, error) {
	found, err := cluster.core.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
	if err != nil {
		return 0, err
	}
	quantity := found.Status.Allocatable[corev1.ResourceName(p.slotResource())]
	return quantity.Value(), nil
}

// heartbeat is what the agents of the pool's nodes tell every minute.
func (p Pool) heartbeat(ctx context.Context, cluster Cluster) error {
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"heartbeat": time.Now().UTC().Format(time.RFC3339)}})
	if err != nil {
		return err
	}
	for _, name := range p.nodes {
		_, err := cluster.custom.Resource(topologyKind).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		if ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// reshape has the profile have executors of twice the size.
func (p Pool) reshape(ctx context.Context, cluster Cluster) error {
	patch := []byte(`{"spec": {"executor": {"coresPerExecutor": {"min": 2, "max": 2}}}}`)
	_, err := cluster.custom.Resource(profileKind).Patch(ctx, p.name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// raze deletes the pool: the agents' words, the nodes and the profile.
func (p Pool) raze(ctx context.Context, cluster Cluster) error {
	for _, name := range p.nodes {
		if err := cluster.custom.Resource(topologyKind).Delete(ctx, name, metav1.DeleteOptions{}); ignoreMissing(err) != nil {
			return err
		}
		if err := cluster.core.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{}); ignoreMissing(err) != nil {
			return err
		}
	}
	return ignoreMissing(cluster.custom.Resource(profileKind).Delete(ctx, p.name, metav1.DeleteOptions{}))
}
