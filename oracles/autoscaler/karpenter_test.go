package autoscaler

import (
	"context"
	"strings"
	"testing"

	"github.com/awslabs/operatorpkg/object"
	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/karpenter/pkg/apis"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/fake"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/injection"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/test"
)

// overlay is the printed one.
func overlay(t *testing.T) *v1alpha1.NodeOverlay {
	t.Helper()
	overlay := &v1alpha1.NodeOverlay{}
	decode(t, read(t, printed, "karpenter.txt"), overlay)
	return overlay
}

// nodePool is a NodePool with the profile's label and taint, as docs/autoscaling.md requires.
func nodePool() *karpenter.NodePool {
	return test.NodePool(karpenter.NodePool{
		ObjectMeta: metav1.ObjectMeta{Name: "spark"},
		Spec: karpenter.NodePoolSpec{Template: karpenter.NodeClaimTemplate{
			ObjectMeta: karpenter.ObjectMeta{Labels: map[string]string{"node.example.com/pool": "lab"}},
			Spec: karpenter.NodeClaimTemplateSpec{
				Taints:        []corev1.Taint{{Key: "numaspark.io/pinned", Effect: corev1.TaintEffectNoSchedule}},
				StartupTaints: []corev1.Taint{{Key: pending, Effect: corev1.TaintEffectNoSchedule}},
			},
		}},
	})
}

// metal is an instance type with room for more executors than it has slots.
func metal() *cloudprovider.InstanceType {
	return fake.NewInstanceType("metal", fake.WithResources(corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("64"),
		corev1.ResourceMemory: resource.MustParse("64Gi"),
		corev1.ResourcePods:   resource.MustParse("110"),
	}))
}

// nodeClaims lets Karpenter apply the overlay, if there is one, and returns how many pods it puts on each new node, and how many nowhere.
func nodeClaims(t *testing.T, pool *karpenter.NodePool, overlay *v1alpha1.NodeOverlay, pods []*corev1.Pod) (perNode []int, without int) {
	t.Helper()
	ctx := options.ToContext(injection.WithControllerName(context.Background(), "provisioner"), test.Options())
	objects := clientfake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(pool).WithStatusSubresource(&v1alpha1.NodeOverlay{})
	if overlay != nil {
		objects = objects.WithObjects(overlay)
	}
	client := objects.Build()
	provider := fake.NewCloudProvider()
	provider.InstanceTypes = []*cloudprovider.InstanceType{metal()}
	now := clock.RealClock{}
	cluster := state.NewCluster(now, client, provider)
	store := nodeoverlay.NewInstanceTypeStore()
	controller := nodeoverlay.NewController(now, client, provider, store, cluster)
	if _, err := controller.Reconcile(ctx, reconcile.Request{}); err != nil {
		t.Fatal(err)
	}
	types, err := store.ApplyAll(pool.Name, provider.InstanceTypes)
	if err != nil {
		t.Fatal(err)
	}
	pools := []*karpenter.NodePool{pool}
	byPool := map[string][]*cloudprovider.InstanceType{pool.Name: types}
	topology, err := scheduling.NewTopology(ctx, client, cluster, nil, pools, byPool, pods)
	if err != nil {
		t.Fatal(err)
	}
	scheduler := scheduling.NewScheduler(ctx, client, pools, cluster, nil, topology, byPool, nil,
		events.NewRecorder(&record.FakeRecorder{}), now, nil, nil)
	results, err := scheduler.Solve(ctx, pods)
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range results.NewNodeClaims {
		perNode = append(perNode, len(claim.Pods))
	}
	return perNode, len(results.PodErrors)
}

func TestKarpenterPutsAsManyExecutorsOnANodeAsItHasSlots(t *testing.T) {
	quantity := overlay(t).Spec.Capacity[slots]
	want := int(quantity.Value())
	if got, without := nodeClaims(t, nodePool(), overlay(t), executors(t, want)); len(got) != 1 || got[0] != want || without != 0 {
		t.Errorf("%d executors: %v, and %d nowhere", want, got, without)
	}
	if got, without := nodeClaims(t, nodePool(), overlay(t), executors(t, want+1)); len(got) != 2 || got[0]+got[1] != want+1 || without != 0 {
		t.Errorf("%d executors: %v, and %d nowhere", want+1, got, without)
	}
}

func TestKarpenterAddsNoNodeWithoutTheOverlay(t *testing.T) {
	if got, without := nodeClaims(t, nodePool(), nil, executors(t, 1)); len(got) != 0 || without != 1 {
		t.Errorf("%v, and %d nowhere", got, without)
	}
}

func TestTheOverlayIsForNodePoolsWithTheLabelsOfTheProfile(t *testing.T) {
	pool := nodePool()
	pool.Spec.Template.Labels = nil
	if got, without := nodeClaims(t, pool, overlay(t), executors(t, 1)); len(got) != 0 || without != 1 {
		t.Errorf("%v, and %d nowhere", got, without)
	}
}

func TestKarpenterAddsNoNodeForPodsWithoutTheToleration(t *testing.T) {
	other := withoutTolerations(executors(t, 1)[0])
	if got, without := nodeClaims(t, nodePool(), overlay(t), []*corev1.Pod{other}); len(got) != 0 || without != 1 {
		t.Errorf("%v, and %d nowhere", got, without)
	}
}

// The CRD's schema and its rules, and what Karpenter checks itself. The richer one has every operator of a selector.
func TestTheCustomResourceDefinitionTakesTheOverlay(t *testing.T) {
	for _, name := range []string{"karpenter.txt", "../karpenter.txt"} {
		if faults := faults(t, read(t, printed, name)); len(faults) != 0 {
			t.Errorf("%s: %v", name, faults)
		}
	}
	bad := strings.Replace(string(read(t, printed, "karpenter.txt")), "operator: In", "operator: Is", 1)
	if len(faults(t, []byte(bad))) == 0 {
		t.Error("this test does not see a wrong operator")
	}
	bad = strings.Replace(string(read(t, printed, "karpenter.txt")), string(slots), "cpu", 1)
	if len(faults(t, []byte(bad))) == 0 {
		t.Error("this test does not see a broken rule")
	}
}

// faults is what an API server with the CRD answers, and then Karpenter.
func faults(t *testing.T, manifest []byte) []string {
	t.Helper()
	crd := object.Unmarshal[apiextensionsv1.CustomResourceDefinition](apis.NodeOverlayCRD)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, internal, nil); err != nil {
		t.Fatal(err)
	}
	schema := internal.Spec.Validation
	if schema == nil {
		schema = internal.Spec.Versions[0].Schema
	}
	structural, err := structuralschema.NewStructural(schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	decode(t, manifest, &value)
	var faults []string
	for _, fault := range validation.ValidateCustomResource(nil, value, validator) {
		faults = append(faults, fault.Error())
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	broken, _ := rules.Validate(t.Context(), nil, structural, value, nil, celconfig.RuntimeCELCostBudget)
	for _, fault := range broken {
		faults = append(faults, fault.Error())
	}
	overlay := &v1alpha1.NodeOverlay{}
	decode(t, manifest, overlay)
	if err := overlay.RuntimeValidate(t.Context()); err != nil {
		faults = append(faults, err.Error())
	}
	return faults
}
