package autoscaler

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The readers below are written after the cluster autoscaler's source, and are not its code. docs/autoscaling.md names the files and the
// commit that were read.
const (
	tagPrefix      = "k8s.io/cluster-autoscaler/node-template/"
	azureTagPrefix = "k8s.io_cluster-autoscaler_node-template_"
	annotation     = "capacity.cluster-autoscaler.kubernetes.io/"
)

var taintValue = regexp.MustCompile(`^(.*):(NoSchedule|PreferNoSchedule|NoExecute)$`)

// platforms are the readers by the name of their file.
var platforms = map[string]func(*testing.T, []byte, *corev1.Node){
	"aws.txt":         readAWS,
	"azure.txt":       readAzure,
	"gce.txt":         readGCE,
	"cluster-api.txt": readClusterAPI,
}

// machine is a node as a cloud provider describes the machine type: without slots, labels and taints.
func machine(cpus, memory string) *corev1.Node {
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(cpus),
		corev1.ResourceMemory: resource.MustParse(memory),
		corev1.ResourcePods:   resource.MustParse("110"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "template", Labels: map[string]string{corev1.LabelHostname: "template"}},
		Status:     corev1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
}

// template is the machine with what was printed for a platform.
func template(t *testing.T, platform string, node *corev1.Node) *corev1.Node {
	t.Helper()
	platforms[platform](t, read(t, printed, platform), node)
	return node
}

func setResource(t *testing.T, node *corev1.Node, name, amount string) {
	t.Helper()
	quantity, err := resource.ParseQuantity(amount)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	node.Status.Allocatable[corev1.ResourceName(name)] = quantity
}

func addTaint(t *testing.T, node *corev1.Node, key, value string) {
	t.Helper()
	parts := taintValue.FindStringSubmatch(value)
	if parts == nil {
		t.Fatalf("taint %s: %q is not VALUE:EFFECT", key, value)
	}
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Value: parts[1], Effect: corev1.TaintEffect(parts[2])})
}

// set applies one tag whose name is kind/key.
func set(t *testing.T, node *corev1.Node, kind, key, value string) {
	t.Helper()
	switch kind {
	case "resources":
		setResource(t, node, key, value)
	case "label":
		node.Labels[key] = value
	case "taint":
		addTaint(t, node, key, value)
	default:
		t.Fatalf("unknown kind of tag %q", kind)
	}
}

func readAWS(t *testing.T, content []byte, node *corev1.Node) {
	t.Helper()
	var input struct {
		Tags []struct {
			ResourceId, ResourceType, Key, Value string
			PropagateAtLaunch                    bool
		}
	}
	decode(t, content, &input)
	for _, tag := range input.Tags {
		if tag.ResourceId != "spark" || tag.ResourceType != "auto-scaling-group" || tag.PropagateAtLaunch {
			t.Errorf("not a tag of the group: %+v", tag)
		}
		kind, key, _ := strings.Cut(strings.TrimPrefix(tag.Key, tagPrefix), "/")
		set(t, node, kind, key, tag.Value)
	}
}

func readAzure(t *testing.T, content []byte, node *corev1.Node) {
	t.Helper()
	for line := range bytes.Lines(content) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "#") {
			continue
		}
		name, value, _ := strings.Cut(text, "=")
		if strings.ContainsAny(name, `<>%&\?/`) {
			t.Errorf("Azure takes no such name of a tag: %s", name)
		}
		kind, key, _ := strings.Cut(strings.TrimPrefix(name, azureTagPrefix), "_")
		key = strings.ReplaceAll(key, "_", "/")
		set(t, node, kind, strings.ReplaceAll(key, "~2", "_"), value)
	}
}

func readGCE(t *testing.T, content []byte, node *corev1.Node) {
	t.Helper()
	var kubeEnv map[string]string
	decode(t, content, &kubeEnv)
	for variable := range strings.SplitSeq(kubeEnv["AUTOSCALER_ENV_VARS"], ";") {
		name, list, _ := strings.Cut(variable, "=")
		kind := map[string]string{"extended_resources": "resources", "node_labels": "label", "node_taints": "taint"}[name]
		for pair := range strings.SplitSeq(list, ",") {
			key, value, _ := strings.Cut(pair, "=")
			set(t, node, kind, key, value)
		}
	}
}

func readClusterAPI(t *testing.T, content []byte, node *corev1.Node) {
	t.Helper()
	var patch metav1.PartialObjectMetadata
	decode(t, content, &patch)
	value := func(name string) string { return patch.Annotations[annotation+name] }
	setResource(t, node, "cpu", value("cpu"))
	setResource(t, node, "memory", value("memory"))
	setResource(t, node, value("gpu-type"), value("gpu-count"))
	for kind, list := range map[string]string{"label": value("labels"), "taint": value("taints")} {
		for pair := range strings.SplitSeq(list, ",") {
			key, text, _ := strings.Cut(pair, "=")
			set(t, node, kind, key, text)
		}
	}
}
