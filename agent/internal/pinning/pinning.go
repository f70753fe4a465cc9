package pinning

import (
	"context"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
)

// Giver is asked what it has given to containers: the kubelet or the node's pinner.
type Giver interface {
	// AllocatableCPUs can be given to containers on an empty node.
	AllocatableCPUs(context.Context) (cpuset.CPUSet, error)
	// List returns the containers with CPUs or memory of their own.
	List(context.Context) ([]Given, error)
}

// Looker compares a giver with the kernel again and again. It is not for several goroutines at once.
type Looker struct {
	giver    Giver
	cgroup   string
	accounts bool
	proof    Proof
}

// NewLooker makes one. The folder is where the node's /sys/fs/cgroup is. With accounts, each container's usage is read too.
func NewLooker(giver Giver, folder string, accounts bool) *Looker {
	return &Looker{giver: giver, cgroup: folder, accounts: accounts}
}

// SetGiver is for a node that another one pins from now on.
func (l *Looker) SetGiver(giver Giver) {
	if l.giver != giver {
		l.giver, l.proof = giver, Proof{}
	}
}

// Seen is what a look has found.
type Seen struct {
	Allocatable cpuset.CPUSet
	Exclusive   []api.Exclusive
	// Omitted is how many containers the list has no room for.
	Omitted int
	// Running are all containers that the kernel has.
	Running []cgroup.Container
}

// Look asks both. An error is that of the giver or a *cgroup.Error. Of the node's CPUs the giver says which are allocatable.
func (l *Looker) Look(ctx context.Context, node NodeCPUs, now time.Time) (Seen, error) {
	seen, err := l.look(ctx, node, now)
	if err != nil {
		l.proof = Proof{}
	}
	return seen, err
}

func (l *Looker) look(ctx context.Context, node NodeCPUs, now time.Time) (Seen, error) {
	allocatable, err := l.giver.AllocatableCPUs(ctx)
	if err != nil {
		return Seen{}, err
	}
	given, err := l.giver.List(ctx)
	if err != nil {
		return Seen{}, err
	}
	node.Allocatable = allocatable
	question := node.question(given)
	question.Accounts = l.accounts
	running, err := cgroup.Read(l.cgroup, question)
	if err != nil {
		return Seen{}, err
	}
	l.proof = l.proof.Next(node, given, running, now)
	return Seen{Allocatable: allocatable, Exclusive: l.proof.Exclusive(), Omitted: l.proof.Omitted(), Running: running}, nil
}

// Written is to be called when the last look was written.
func (l *Looker) Written() { l.proof = l.proof.Written() }
