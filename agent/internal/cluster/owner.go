package cluster

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Owner is the DaemonSet that the agent belongs to.
type Owner struct {
	client dynamic.ResourceInterface
	name   string
}

// NewOwner makes one.
func NewOwner(config *rest.Config, namespace, name string) (*Owner, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("the API server %s cannot be asked: %w", config.Host, err)
	}
	sets := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}
	return &Owner{client: client.Resource(sets).Namespace(namespace), name: name}, nil
}

// IsGone reports whether numaspark is being uninstalled: the DaemonSet is deleted, or the agent's rights are. It is false if the
// API server does not answer: nobody knows then.
func (o *Owner) IsGone(ctx context.Context) bool {
	object, err := o.client.Get(ctx, o.name, metav1.GetOptions{})
	if err != nil {
		return errors.IsNotFound(err) || errors.IsForbidden(err) || errors.IsUnauthorized(err)
	}
	return object.GetDeletionTimestamp() != nil
}
