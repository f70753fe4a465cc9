package cluster

import (
	"context"
	stderrors "errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"numaspark.io/agent/internal/api"
)

const (
	tries   = 5
	timeout = 30 * time.Second
)

var resource = schema.GroupVersionResource{Group: "numaspark.io", Version: "v1alpha1", Resource: "sparknodetopologies"}

// Topology is the SparkNodeTopology of one node: its newest state as far as it is known here.
//
// Writes replace the object as it was read. So one of the operator in between is never lost: it makes the write a conflict,
// after which the object is read again.
type Topology struct {
	client dynamic.ResourceInterface
	node   string
	log    *slog.Logger

	mu    sync.Mutex
	known *unstructured.Unstructured // nil if there is none
}

// New makes one for a node.
func New(config *rest.Config, node string, log *slog.Logger) (*Topology, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("the API server %s cannot be asked: %w", config.Host, err)
	}
	return &Topology{client: client.Resource(resource), node: node, log: log}, nil
}

// Refresh reads the object anew.
func (t *Topology) Refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	object, err := t.client.Get(ctx, t.node, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		t.know(nil)
		return nil
	}
	if err != nil {
		return explain(err)
	}
	t.know(object)
	return nil
}

// Watch follows the object until the context ends, and calls back after each change of its spec.
func (t *Topology) Watch(ctx context.Context, changed func()) {
	own := fields.OneTermEqualSelector("metadata.name", t.node).String()
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = own
			return t.client.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = own
			return t.client.Watch(ctx, options)
		},
	}, &unstructured.Unstructured{}, 0, nil)
	learn := func(object *unstructured.Unstructured) {
		before := t.Wishes().Generation
		t.know(object)
		if !reflect.DeepEqual(before, t.Wishes().Generation) {
			changed()
		}
	}
	learnAny := func(object any) {
		if object, ok := object.(*unstructured.Unstructured); ok {
			learn(object)
		}
	}
	// Both fail only after the informer has been started or stopped.
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    learnAny,
		UpdateFunc: func(_, object any) { learnAny(object) },
		DeleteFunc: func(any) { learn(nil) },
	})
	_ = informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		if !errors.IsResourceExpired(err) && !errors.IsGone(err) {
			t.log.Warn("the watch is started again: " + err.Error())
		}
	})
	informer.RunWithContext(ctx)
}

// Wishes is what the operator wants of the node.
type Wishes struct {
	// Generation is that of the object; nil if there is none.
	Generation *int64
	// Knobs is nil if nothing is wanted of them.
	Knobs *api.Knobs
	// Pins is nil if the container runtime shall not pin here.
	Pins *api.Pins
	// Load asks how busy the node is.
	Load bool
}

// Wishes returns what the operator wants as far as it is known here.
func (t *Topology) Wishes() Wishes {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		return Wishes{}
	}
	generation := t.known.GetGeneration()
	wishes := Wishes{Generation: &generation}
	wishes.Knobs = wish[api.Knobs](t, "knobs")
	wishes.Pins = wish[api.Pins](t, "pins")
	wishes.Load, _, _ = unstructured.NestedBool(t.known.Object, "spec", "reportLoad")
	return wishes
}

// wish is a field of the spec that the operator writes; nil if it is absent.
func wish[T any](t *Topology, field string) *T {
	fields, found, err := unstructured.NestedMap(t.known.Object, "spec", field)
	if err != nil || !found {
		return nil
	}
	var wanted T
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &wanted); err != nil {
		t.log.Warn("spec." + field + " is not understood: " + err.Error())
		return nil
	}
	return &wanted
}

// Kubelet is what the spec says of the node's kubelet: what an agent has read lately, or somebody has typed; nil if nothing.
func (t *Topology) Kubelet() *api.Kubelet {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		return nil
	}
	return wish[api.Kubelet](t, "kubelet")
}

// SharedCPUs is what the status says that containers without slots have; empty if it says nothing.
func (t *Topology) SharedCPUs() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		return ""
	}
	shared, _, _ := unstructured.NestedString(t.known.Object, "status", "pinner", "sharedCpus")
	return shared
}

// HasSpec reports whether the object exists, and writing this spec would change nothing.
func (t *Topology) HasSpec(spec *api.Spec) (bool, error) {
	object := t.copyKnown()
	if object == nil {
		return false, nil
	}
	there, _, _ := unstructured.NestedMap(object.Object, "spec")
	whole, err := merge(spec, there)
	return reflect.DeepEqual(there, whole), err
}

// WriteSpec makes the spec this one, except for the operator's part, and for the kubelet's if that is not known now. It reports
// whether the object was made.
func (t *Topology) WriteSpec(ctx context.Context, spec *api.Spec) (made bool, err error) {
	err = t.again(ctx, func(ctx context.Context) (err error) {
		object := t.copyKnown()
		if made = object == nil; made {
			object = &unstructured.Unstructured{}
			object.SetGroupVersionKind(resource.GroupVersion().WithKind("SparkNodeTopology"))
			object.SetName(t.node)
		}
		there, _, _ := unstructured.NestedMap(object.Object, "spec")
		whole, err := merge(spec, there)
		if err != nil {
			return err
		}
		object.Object["spec"] = whole
		if made {
			object, err = t.client.Create(ctx, object, metav1.CreateOptions{})
		} else {
			object, err = t.client.Update(ctx, object, metav1.UpdateOptions{})
		}
		return t.knowIf(object, err)
	})
	return made, err
}

// WriteStatus makes the status this one. It does nothing while the object does not exist.
func (t *Topology) WriteStatus(ctx context.Context, status *api.Status) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return err
	}
	return t.again(ctx, func(ctx context.Context) error {
		object := t.copyKnown()
		if object == nil {
			return nil
		}
		object.Object["status"] = fields
		object, err := t.client.UpdateStatus(ctx, object, metav1.UpdateOptions{})
		return t.knowIf(object, err)
	})
}

// merge keeps what others have written.
func merge(spec *api.Spec, there map[string]any) (map[string]any, error) {
	whole, err := runtime.DefaultUnstructuredConverter.ToUnstructured(spec)
	if err != nil {
		return nil, err
	}
	keep := maps.Clone(there)
	maps.DeleteFunc(keep, func(field string, _ any) bool {
		return field != "knobs" && field != "pins" && field != "reportLoad" && (field != "kubelet" || spec.Kubelet != nil)
	})
	maps.Copy(whole, keep)
	return whole, nil
}

// again writes until nobody has written in between.
func (t *Topology) again(ctx context.Context, write func(context.Context) error) error {
	for i := 1; ; i++ {
		attempt, cancel := context.WithTimeout(ctx, timeout)
		err := write(attempt)
		cancel()
		retry := errors.IsConflict(err) || errors.IsAlreadyExists(err) || errors.IsNotFound(err)
		if !retry || i == tries {
			return explain(err)
		}
		if err := t.Refresh(ctx); err != nil {
			return err
		}
	}
}

func (t *Topology) copyKnown() *unstructured.Unstructured {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		return nil
	}
	return t.known.DeepCopy()
}

func (t *Topology) know(object *unstructured.Unstructured) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = object
}

func (t *Topology) knowIf(object *unstructured.Unstructured, err error) error {
	if err == nil {
		t.know(object)
	}
	return err
}

func explain(err error) error {
	if status := errors.APIStatus(nil); stderrors.As(err, &status) {
		return fmt.Errorf("the API server answers %d: %w", status.Status().Code, err)
	}
	return err
}

// RefusesContent reports whether the API server does not take the object, and would not take it another time.
func RefusesContent(err error) bool {
	return errors.IsInvalid(err) || errors.IsBadRequest(err) || errors.IsRequestEntityTooLargeError(err)
}
