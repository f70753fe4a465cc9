package cgroup

import "strings"

const (
	slice = ".slice"
	scope = ".scope"
	// All runtimes use 64 hexadecimal digits; half of that is no other file's name either.
	shortestID = 32
)

// The kubelet's names are made in pkg/kubelet/cm: CgroupName.ToSystemd, ToCgroupfs and podContainerManagerImpl.GetPodContainerName.

// isKubepods reports whether it is the cgroup of all pods.
func isKubepods(name string) bool {
	return name == "kubepods" || name == "kubepods"+slice || strings.HasSuffix(name, "-kubepods"+slice)
}

// isQoSClass reports whether it is the cgroup of all pods of a QoS class that has one.
func isQoSClass(name string) bool {
	return name == "burstable" || name == "besteffort" ||
		strings.HasSuffix(name, "kubepods-burstable"+slice) || strings.HasSuffix(name, "kubepods-besteffort"+slice)
}

// isCgroup reports whether it can be a cgroup: the names of the kernel's files have a dot and another end.
func isCgroup(name string) bool {
	return !strings.Contains(name, ".") || strings.HasSuffix(name, slice) || strings.HasSuffix(name, scope) ||
		strings.HasSuffix(name, ".service")
}

// podUID is the UID if it is a pod's cgroup; systemd's names have _ for the - of a UID.
func podUID(name string) (string, bool) {
	uid, isPod := strings.CutPrefix(name, "pod")
	if unit, isSlice := strings.CutSuffix(name, slice); isSlice {
		at := strings.LastIndex(unit, "-pod")
		isPod = at >= 0
		uid = strings.ReplaceAll(unit[at+1:], "_", "-")
		uid = strings.TrimPrefix(uid, "pod")
	}
	return uid, isPod && isHexadecimal(strings.ReplaceAll(uid, "-", ""))
}

// containerID is the id if it is a container's cgroup; that of CRI-O's monitor of a container is not.
func containerID(name string) (string, bool) {
	plain := strings.TrimSuffix(name, scope)
	id := plain[strings.LastIndex(plain, "-")+1:]
	return id, isHexadecimal(id) && !strings.HasPrefix(plain, "crio-conmon-")
}

// ContainerOfScope is the id of the container that a systemd unit belongs to, if its name is that of a container's scope.
func ContainerOfScope(unit string) (string, bool) {
	if !strings.HasSuffix(unit, scope) {
		return "", false
	}
	return containerID(unit)
}

func isHexadecimal(text string) bool {
	return len(text) >= shortestID && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}
