package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Plan is what one application of a fault run asks for and what its drivers do unless something is done to them.
type Plan struct {
	Retries     int           // onFailureRetries; -1: restartPolicy Never
	BadAttempts int           // the first attempts, whose drivers exit with 1
	Work        time.Duration // how long a driver works once its executors run
	Profile     string        // nodeProfile; empty: not pinned
	Address     string        // of the driver's pod; empty: as the simulated kubelet gives it
	DriverPool  string        // pool label of the driver's node; empty: any node
}

const (
	never         = -1
	retryInterval = 3 // seconds: longer than one fault, so that some fall between two attempts
)

// plans are taken in turn: applications that end well and badly, with and without further attempts.
var plans = []Plan{
	{Retries: never, Work: 3 * time.Second},
	{Retries: 2, BadAttempts: 1, Work: 2 * time.Second},
	{Retries: 3, Work: 8 * time.Second},
	{Retries: never, BadAttempts: 1, Work: 2 * time.Second},
	{Retries: 1, BadAttempts: 2, Work: time.Second},
	{Retries: never, Work: 8 * time.Second},
	{Retries: 3, Work: 5 * time.Second},
}

func planOf(index int) Plan { return plans[index%len(plans)] }

// restarts tells whether another attempt follows the failures so far.
func (p Plan) restarts(failures int) bool { return p.Retries != never && failures <= p.Retries }

// apply writes the plan into a numaspark SparkApplication.
func (p Plan) apply(application *unstructured.Unstructured, executors int) error {
	if err := unstructured.SetNestedField(application.Object, int64(executors), "spec", "executor", "instances"); err != nil {
		return err
	}
	policy := map[string]any{"type": "Never"}
	if p.Retries != never {
		policy = map[string]any{"type": "OnFailure", "onFailureRetries": int64(p.Retries), "onFailureRetryInterval": int64(retryInterval)}
	}
	if p.Profile != "" {
		if err := unstructured.SetNestedField(application.Object, p.Profile, "spec", "nodeProfile"); err != nil {
			return err
		}
	}
	if p.DriverPool != "" {
		if err := unstructured.SetNestedField(application.Object, p.DriverPool, "spec", "driver", "nodeSelector", poolLabel); err != nil {
			return err
		}
	}
	return unstructured.SetNestedMap(application.Object, policy, "spec", "restartPolicy")
}

func faultName(namespaces, index int) types.NamespacedName {
	return types.NamespacedName{Namespace: namespaceName(index % namespaces), Name: fmt.Sprintf("app-%05d", index)}
}
