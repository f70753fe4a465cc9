package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	kjson "sigs.k8s.io/json"
)

// patience is how long a case may take. Few take more than some milliseconds.
const patience = 30 * time.Second

// endless is the Panic of a case that took longer: takeByTopologyNUMADistributed has a loop without end.
const endless = "the kubelet has not answered within 30s"

// answer runs one case in a kubelet of its own. A case that has no end keeps a CPU busy for as long as this process lives.
func answer(c Case) Answer {
	answered := make(chan Answer, 1)
	go func() { answered <- decide(c) }()
	select {
	case a := <-answered:
		return a
	case <-time.After(patience):
		return Answer{ID: c.ID, Panic: endless}
	}
}

func decide(c Case) (a Answer) {
	defer func() {
		if cause := recover(); cause != nil {
			a = Answer{Panic: fmt.Sprint(cause)}
		}
		a.ID = c.ID
	}()
	pods, err := readPods(c.Pods)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	folder, err := stateFolder()
	if err != nil {
		return Answer{Error: err.Error()}
	}
	defer func() { _ = os.RemoveAll(folder) }()
	n, err := startNode(c.Topology, folder)
	if err != nil {
		if start := (startError{}); errors.As(err, &start) {
			return Answer{StartError: err.Error()}
		}
		return Answer{Error: err.Error()}
	}
	results := []Result{}
	present := map[types.NamespacedName]types.UID{}
	for _, pod := range pods {
		name := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
		uid, here := present[name]
		if pod.Annotations[removedAnnotation] == "true" {
			if !here {
				return Answer{Error: fmt.Sprintf("pod %s cannot leave: it has not come", name)}
			}
			n.remove(uid)
			delete(present, name)
			results = append(results, Result{Pod: pod.Name, Removed: true})
			continue
		}
		if here {
			return Answer{Error: fmt.Sprintf("pod %s comes twice without leaving in between", name)}
		}
		present[name] = pod.UID
		results = append(results, n.admit(pod))
	}
	free, err := n.free()
	if err != nil {
		return Answer{Error: err.Error()}
	}
	return Answer{Results: results, Free: free}
}

// readPods decodes the pods and completes them as the API server does: its defaults, and a UID of their own.
func readPods(raw []json.RawMessage) ([]*v1.Pod, error) {
	if err := setFeatureGates(nil); err != nil {
		return nil, err
	}
	pods := make([]*v1.Pod, len(raw))
	for index, text := range raw {
		pod := &v1.Pod{}
		if err := kjson.UnmarshalCaseSensitivePreserveInts(text, pod); err != nil {
			return nil, fmt.Errorf("pods[%d]: %w", index, err)
		}
		if pod.Name == "" {
			return nil, fmt.Errorf("pods[%d]: metadata.name is missing", index)
		}
		if pod.Annotations[removedAnnotation] != "true" && len(pod.Spec.Containers) == 0 {
			return nil, fmt.Errorf("pods[%d]: %s has no container", index, pod.Name)
		}
		if pod.Namespace == "" {
			pod.Namespace = v1.NamespaceDefault
		}
		pod.UID = types.UID(fmt.Sprintf("pod-%d", index))
		// A quality of service in the status would be believed.
		pod.Status = v1.PodStatus{}
		corev1.SetObjectDefaults_Pod(pod)
		pods[index] = pod
	}
	return pods, nil
}
