package autoscaler

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// filters are the default plugins that look at what a template says. Those for volumes, ports and claims would see nothing.
var filters = []string{"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodeResourcesFit", "InterPodAffinity"}

// profile is the default scheduler's, with these filters only.
func profile(t *testing.T) *config.KubeSchedulerProfile {
	t.Helper()
	defaults, err := latest.Default()
	if err != nil {
		t.Fatal(err)
	}
	profile := defaults.Profiles[0]
	profile.Plugins = &config.Plugins{
		QueueSort: config.PluginSet{Enabled: []config.Plugin{{Name: "PrioritySort"}}},
		Bind:      config.PluginSet{Enabled: []config.Plugin{{Name: "DefaultBinder"}}},
	}
	for _, name := range filters {
		plugin := config.Plugin{Name: name}
		profile.Plugins.Filter.Enabled = append(profile.Plugins.Filter.Enabled, plugin)
		if name != "NodeUnschedulable" && name != "NodeName" && name != "TaintToleration" {
			profile.Plugins.PreFilter.Enabled = append(profile.Plugins.PreFilter.Enabled, plugin)
		}
	}
	return &profile
}

// fit puts the pods on the node, one after the other, and returns how many fit and why the next one does not.
func fit(t *testing.T, node *corev1.Node, pods []*corev1.Pod) (int, string) {
	t.Helper()
	metrics.Register()
	snapshot := cache.NewSnapshot(nil, []*corev1.Node{node})
	client := fake.NewClientset()
	scheduler, err := runtime.NewFramework(t.Context(), plugins.NewInTreeRegistry(), profile(t),
		runtime.WithClientSet(client),
		runtime.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)),
		runtime.WithSnapshotSharedLister(snapshot))
	if err != nil {
		t.Fatal(err)
	}
	info, err := snapshot.NodeInfos().Get(node.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, pod := range pods {
		state := framework.NewCycleState()
		_, status, _ := scheduler.RunPreFilterPlugins(t.Context(), state, pod)
		if status.IsSuccess() {
			status = scheduler.RunFilterPlugins(t.Context(), state, pod, info)
		}
		if !status.IsSuccess() {
			return i, status.Message()
		}
		added, err := framework.NewPodInfo(pod)
		if err != nil {
			t.Fatal(err)
		}
		info.(fwk.NodeInfo).AddPodInfo(added)
	}
	return len(pods), ""
}

// count returns the slots that a node names.
func count(t *testing.T, node *corev1.Node) int {
	t.Helper()
	quantity, found := node.Status.Allocatable[slots]
	if !found || quantity.Value() < 1 {
		t.Fatalf("%s: %v", slots, node.Status.Allocatable)
	}
	return int(quantity.Value())
}

// A template must take all executors of a node and not one more, also if the machine type has room for more.
func TestAsManyExecutorsFitATemplateAsItHasSlots(t *testing.T) {
	for platform := range platforms {
		t.Run(platform, func(t *testing.T) {
			node := template(t, platform, machine("16", "10Gi"))
			want := count(t, node)
			if got, why := fit(t, node, executors(t, want)); got != want {
				t.Errorf("%d of %d executors fit: %s", got, want, why)
			}
			roomy := template(t, platform, machine("64", "64Gi"))
			roomy.Status.Allocatable[corev1.ResourceCPU] = machine("64", "64Gi").Status.Capacity[corev1.ResourceCPU]
			roomy.Status.Allocatable[corev1.ResourceMemory] = machine("64", "64Gi").Status.Capacity[corev1.ResourceMemory]
			got, why := fit(t, roomy, executors(t, want+1))
			if got != want || why != "Insufficient "+string(slots) {
				t.Errorf("%d of %d executors fit, the next one not because of %q", got, want+1, why)
			}
		})
	}
}

func TestNoExecutorFitsAMachineOfWhichNothingIsSaid(t *testing.T) {
	if got, why := fit(t, machine("64", "64Gi"), executors(t, 1)); got != 0 || why != "Insufficient "+string(slots) {
		t.Errorf("%d fit: %s", got, why)
	}
}

// Otherwise pods that never run there would add nodes.
func TestPodsWithoutTheTolerationDoNotFit(t *testing.T) {
	for platform := range platforms {
		node := template(t, platform, machine("64", "64Gi"))
		other := withoutTolerations(executors(t, 1)[0])
		if got, why := fit(t, node, []*corev1.Pod{other}); got != 0 || !strings.Contains(why, "untolerated taint") {
			t.Errorf("%s: %d fit: %s", platform, got, why)
		}
	}
}

func TestNoExecutorGoesToANodeWithTheStartupTaint(t *testing.T) {
	node := template(t, "aws.txt", machine("64", "64Gi"))
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: pending, Effect: corev1.TaintEffectNoSchedule})
	if got, why := fit(t, node, executors(t, 1)); got != 0 || !strings.Contains(why, "untolerated taint") {
		t.Errorf("%d fit: %s", got, why)
	}
}

// All platforms describe the same node.
func TestPlatformsAgree(t *testing.T) {
	want := template(t, "aws.txt", machine("16", "10Gi"))
	for platform := range platforms {
		got := template(t, platform, machine("16", "10Gi"))
		if count(t, got) != count(t, want) || got.Labels["node.example.com/pool"] != "lab" || len(got.Spec.Taints) != 1 ||
			got.Spec.Taints[0] != want.Spec.Taints[0] {
			t.Errorf("%s: %v %v %v", platform, got.Status.Allocatable, got.Labels, got.Spec.Taints)
		}
	}
}
