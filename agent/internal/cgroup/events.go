package cgroup

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// kubepodsFolders are the names by the two cgroup drivers of the kubelet, systemd and cgroupfs.
var kubepodsFolders = []string{"kubepods.slice", "kubepods"}

// Events calls back when a pod that may have CPUs of its own comes or goes: its cgroup is a folder directly below that of all
// pods.
//
// A container that starts again inside its pod makes no event, nor does anything below another cgroup root. Both are seen at
// the next look. Events is not for several goroutines at once.
type Events struct {
	root    string
	changed func()
	log     *slog.Logger
	watcher *fsnotify.Watcher
	folder  string
	trouble string
}

// NewEvents makes one that listens from the first Register on.
func NewEvents(root string, changed func(), log *slog.Logger) *Events {
	return &Events{root: root, changed: changed, log: log}
}

// Register listens until the context ends, if that was not possible before, or if the folder was made anew. A node has so many
// watches for all containers of one user, and others may have taken them all: then pods are seen at the next look.
func (e *Events) Register(ctx context.Context) {
	if e.watcher != nil && e.folder != "" && len(e.watcher.WatchList()) > 0 {
		return
	}
	err := e.open(ctx)
	for i := 0; err == nil && i < len(kubepodsFolders); i++ {
		folder := filepath.Join(e.root, kubepodsFolders[i])
		if info, missing := os.Stat(folder); missing == nil && info.IsDir() {
			err = e.watcher.Add(folder)
			e.folder = folder
			break
		}
	}
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	if trouble != "" && trouble != e.trouble { // once, not at each look
		e.log.Warn("cannot listen to " + e.root + ": " + trouble)
	}
	e.trouble = trouble
}

func (e *Events) open(ctx context.Context) (err error) {
	if e.watcher != nil {
		return nil
	}
	if e.watcher, err = fsnotify.NewWatcher(); err != nil {
		e.watcher = nil
		return err
	}
	go e.listen(ctx, e.watcher)
	return nil
}

func (e *Events) listen(ctx context.Context, watcher *fsnotify.Watcher) {
	defer watcher.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-watcher.Events:
			if !open {
				return
			}
			if event.Has(fsnotify.Create) || event.Has(fsnotify.Remove) {
				e.changed()
			}
		case _, open := <-watcher.Errors:
			if !open {
				return
			}
			e.changed() // events were lost
		}
	}
}
