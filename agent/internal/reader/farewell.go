package reader

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"numaspark.io/agent/internal/cluster"
	"numaspark.io/agent/internal/pinfile"
)

const (
	// farewell: pods have 30 s to end, and the pinner waits for 25 of them.
	farewell = 20 * time.Second
	again    = 200 * time.Millisecond
)

// Farewell runs beside the reader before its container is stopped. If numaspark is being uninstalled, it has all containers of the
// node get all CPUs again: nobody else would do that later. An agent that is only replaced leaves everything as it is.
//
// It has to be over before the runtime is asked to stop the container: from then on the pinner cannot connect any more
// (containerd issue 14083).
func Farewell(config Config, version string, log *slog.Logger) error {
	if config.Pinner == "" {
		return nil
	}
	files := pinfile.Files{Folder: config.Pinner}
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	owner, err := cluster.NewOwner(cluster.Config(config.API, config.Credentials, "numaspark-agent/"+version), config.Namespace, config.DaemonSet)
	if err != nil {
		return err
	}
	if owner.IsGone(ctx) {
		log.Info("numaspark is being uninstalled: all containers of the node get all CPUs again")
		if err := release(ctx, files); err != nil {
			log.Error("containers keep the CPUs that they have until they end: " + err.Error())
		}
	}
	return files.SayFarewell()
}

// release waits until the pinner has given all CPUs back.
func release(ctx context.Context, files pinfile.Files) error {
	if err := files.SayUninstalling(); err != nil {
		return err
	}
	p := pins{files: files}
	for {
		before, err := files.ReadLayout()
		if err != nil || before == nil {
			return err
		}
		layout, err := pinfile.ParseLayout(before)
		if err != nil {
			return err
		}
		if layout.Mode == pinfile.Ignore {
			return nil // the kubelet has given what containers have
		}
		// The reader may have written its own once more.
		if layout.Mode != pinfile.Release {
			layout.Mode, layout.Generation = pinfile.Release, "uninstalled"
			source, err := layout.Encode()
			if err != nil {
				return err
			}
			if err := files.WriteLayout(source); err != nil {
				return err
			}
		}
		p.read(time.Now())
		if p.known.State == pinfile.Refused {
			return nil // it has given nothing on this node
		}
		if p.known.Generation == layout.Generation && p.known.State == pinfile.Connected && p.known.Due == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the pinner has not done so in time: %s %s", p.known.State, p.known.Reason)
		case <-time.After(again):
		}
	}
}
