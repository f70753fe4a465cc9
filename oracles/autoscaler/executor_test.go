package autoscaler

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// The executors, their profile and their node are those of a golden test of the renderer.
const (
	rendered = "../../operator/render/src/test/resources/golden/pinned-scala/"
	printed  = "../../operator/cli/src/test/resources/autoscaler/expected/pinned-scala/"
	slots    = corev1.ResourceName("slots.numaspark.io/lab")
	pending  = "startup-taint.cluster-autoscaler.kubernetes.io/numaspark-slots"
)

// read returns a file of the repository.
func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// decode reads YAML strictly: a field that the type does not have is an error.
func decode(t *testing.T, content []byte, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(content, into); err != nil {
		t.Fatal(err)
	}
}

// property returns a Spark property of the rendered driver.
func property(t *testing.T, key string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `=(.*)$`).FindSubmatch(read(t, rendered, "expected/spark.properties"))
	if line == nil {
		t.Fatalf("spark.properties has no %s", key)
	}
	return string(line[1])
}

// mebibytes returns a size that is rendered as 123m.
func mebibytes(t *testing.T, key string) int64 {
	t.Helper()
	value := property(t, key)
	size, err := strconv.ParseInt(value[:len(value)-1], 10, 64)
	if err != nil || value[len(value)-1] != 'm' {
		t.Fatalf("%s=%s is not a number of mebibytes", key, value)
	}
	return size
}

// executors returns pending executors: the rendered template with what Spark adds to it, its CPUs and its memory.
func executors(t *testing.T, count int) []*corev1.Pod {
	t.Helper()
	template := &corev1.Pod{}
	decode(t, read(t, rendered, "expected/executor-pod-template.yaml"), template)
	requests := template.Spec.Containers[0].Resources.Requests
	requests[corev1.ResourceCPU] = resource.MustParse(property(t, "spark.kubernetes.executor.request.cores"))
	memory := mebibytes(t, "spark.executor.memory") + mebibytes(t, "spark.executor.memoryOverhead")
	requests[corev1.ResourceMemory] = resource.MustParse(fmt.Sprintf("%dMi", memory))
	pods := make([]*corev1.Pod, count)
	for i := range pods {
		pods[i] = template.DeepCopy()
		pods[i].Namespace = "analytics"
		pods[i].Name = fmt.Sprintf("pi-exec-%d", i+1)
		pods[i].UID = types.UID(pods[i].Name)
	}
	return pods
}

// withoutTolerations is a pod of somebody else that requests the same.
func withoutTolerations(pod *corev1.Pod) *corev1.Pod {
	other := pod.DeepCopy()
	other.Spec.Tolerations = nil
	return other
}
