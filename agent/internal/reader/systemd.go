package reader

import (
	"fmt"
	"slices"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/systemd"
)

// putSystemd adds the condition of the containers that a reload of systemd would move. The message has the first one only, and no
// count of the others that are right: it would be another status after each start of a pod.
func (c *conditions) putSystemd(compared int, moves []systemd.Move, exclusive []api.Exclusive) {
	if compared == 0 {
		return
	}
	if len(moves) == 0 {
		c.put(systemdAgrees, statusTrue, reasonAgrees, "")
		return
	}
	move, name := moves[0], "of pod UID "+moves[0].PodUID
	for i := len(moves) - 1; i >= 0; i-- {
		at := slices.IndexFunc(exclusive, func(entry api.Exclusive) bool {
			return entry.Pod != "" && entry.ContainerID == moves[i].ContainerID
		})
		if at >= 0 {
			move, name = moves[i], fmt.Sprintf("%s of pod %s/%s", exclusive[at].Container, exclusive[at].Namespace, exclusive[at].Pod)
		}
	}
	cause := "something else than systemd has set the CPUs that it has"
	remedy := "delete the pod"
	if move.IsRuncDefect() {
		cause = "runc before 1.1.6 gives systemd the bytes of CPU sets in the wrong order (opencontainers/runc issue 3808)"
		remedy = "update runc on this node to 1.1.6 or later, then delete the pod"
	}
	c.put(systemdAgrees, statusFalse, reasonReloadMoves, fmt.Sprintf(
		"the next reload of systemd (systemctl daemon-reload, any package's update) moves %d of the containers; container %s has CPUs %s"+
			" and would have %s: %s; %s; until then, on the node: systemctl set-property --runtime %s AllowedCPUs=%s",
		len(moves), name, move.CPUs, move.Held, cause, remedy, move.Unit, move.CPUs))
}
