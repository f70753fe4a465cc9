package main

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

// A pod that the API server refuses never comes to a kubelet, and what the kubelet would do with it is nobody's concern.
func TestRandomPodsWouldPassTheAPIServer(t *testing.T) {
	s := selection{seed: 12, count: 400}
	err := s.each(func(c Case) error {
		pods, err := readPods(c.Pods)
		if err != nil {
			return err
		}
		for _, pod := range pods {
			if pod.Annotations[removedAnnotation] == "true" {
				continue
			}
			pod.UID = ""
			for _, containers := range [][]v1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
				for i := range containers {
					containers[i].Image = "image"
					containers[i].TerminationMessagePolicy = v1.TerminationMessageReadFile
				}
			}
			internal := &core.Pod{}
			if err := corev1.Convert_v1_Pod_To_core_Pod(pod, internal, nil); err != nil {
				return err
			}
			options := validation.PodValidationOptions{PodLevelResourcesEnabled: true}
			for _, problem := range validation.ValidatePodCreate(internal, options) {
				t.Errorf("%s, pod %s: %v", c.ID, pod.Name, problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
