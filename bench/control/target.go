package main

import (
	"fmt"
	"os"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Target is a kind of application: how to write one, and where it says that it has ended.
type Target struct {
	Resource         string         `json:"resource"`         // plural name in the API
	ApplicationLabel string         `json:"applicationLabel"` // label of driver pods: name of their application
	State            []string       `json:"state"`            // path of the state in the object
	Succeeded        []string       `json:"succeeded"`        // values that end an application well
	Failed           []string       `json:"failed"`           // values that end it badly
	Manifest         map[string]any `json:"manifest"`         // an application without name and namespace
}

func readTarget(path string) (Target, error) {
	var target Target
	text, err := os.ReadFile(path)
	if err != nil {
		return target, err
	}
	if err := yaml.UnmarshalStrict(text, &target); err != nil {
		return target, fmt.Errorf("%s: %w", path, err)
	}
	if target.Resource == "" || target.ApplicationLabel == "" || len(target.State) == 0 || len(target.Succeeded) == 0 {
		return target, fmt.Errorf("%s: resource, applicationLabel, state and succeeded must be given", path)
	}
	if version, _ := target.Manifest["apiVersion"].(string); version == "" {
		return target, fmt.Errorf("%s: manifest.apiVersion is missing", path)
	}
	return target, nil
}

func (t Target) groupVersionResource() schema.GroupVersionResource {
	version := schema.FromAPIVersionAndKind(t.Manifest["apiVersion"].(string), "").GroupVersion()
	return version.WithResource(t.Resource)
}

func (t Target) application(namespace, name string) *unstructured.Unstructured {
	object := (&unstructured.Unstructured{Object: t.Manifest}).DeepCopy()
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// ended tells whether the application has ended, and whether well.
func (t Target) ended(application *unstructured.Unstructured) (ended, well bool) {
	state, _, _ := unstructured.NestedString(application.Object, t.State...)
	well = slices.Contains(t.Succeeded, state)
	return well || slices.Contains(t.Failed, state), well
}
