package pinner

import (
	"context"
	"maps"

	"github.com/containerd/nri/pkg/api"
	"github.com/containerd/ttrpc"
)

// ours are the annotations that matter here.
var ours = map[string]bool{PinAnnotation: true, SlotsAnnotation: true, CPUsAnnotation: true, MarkAnnotation: true}

// strip drops what pods say and the pinner does not need, as soon as a message is read: environments with their secrets, arguments,
// mounts, labels. The library keeps all messages of a Synchronize until the last one has come (collectSync of pkg/stub/stub.go), so
// that whoever may create pods could otherwise fill the pinner's memory with environments.
func strip(ctx context.Context, unmarshal ttrpc.Unmarshaler, _ *ttrpc.UnaryServerInfo, method ttrpc.Method) (any, error) {
	return method(ctx, func(message any) error {
		if err := unmarshal(message); err != nil {
			return err
		}
		switch request := message.(type) {
		case *api.SynchronizeRequest:
			for _, pod := range request.GetPods() {
				stripPod(pod)
			}
			for _, container := range request.GetContainers() {
				stripContainer(container)
			}
		case interface{ GetContainer() *api.Container }:
			stripContainer(request.GetContainer())
		}
		if request, ok := message.(interface{ GetPod() *api.PodSandbox }); ok {
			stripPod(request.GetPod())
		}
		return nil
	})
}

func stripPod(pod *api.PodSandbox) {
	if pod != nil {
		*pod = api.PodSandbox{Id: pod.Id, Name: pod.Name, Namespace: pod.Namespace, Uid: pod.Uid, Annotations: stripped(pod.Annotations)}
	}
}

func stripContainer(container *api.Container) {
	if container == nil {
		return
	}
	cpu := container.GetLinux().GetResources().GetCpu()
	*container = api.Container{Id: container.Id, PodSandboxId: container.PodSandboxId, Name: container.Name, State: container.State,
		CreatedAt: container.CreatedAt, Annotations: stripped(container.Annotations),
		Linux: &api.LinuxContainer{Resources: &api.LinuxResources{Cpu: &api.LinuxCPU{Cpus: cpu.GetCpus(), Mems: cpu.GetMems()}}}}
}

func stripped(annotations map[string]string) map[string]string {
	maps.DeleteFunc(annotations, func(name, _ string) bool { return !ours[name] })
	return annotations
}
