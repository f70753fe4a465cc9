package pinner

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"time"

	"numaspark.io/agent/internal/pinfile"
	"numaspark.io/agent/internal/text"
)

const (
	// UsualLook is the pause between two looks at the layout.
	UsualLook = 2 * time.Second
	// heartbeat is how often the report is written when nothing happens.
	heartbeat = 30 * time.Second
	// pause is the shortest time between two reports.
	pause = 200 * time.Millisecond
)

// Pinner is the whole program: it reads the layout, keeps the plugin connected, and writes what has become of it.
type Pinner struct {
	Files    pinfile.Files
	Socket   string
	Patience Patience
	// Look is the pause between two looks at the layout.
	Look time.Duration
	Log  *slog.Logger
}

// Run works until the context ends, and leaves all pins as they are. Its error is ErrHangs.
func (p Pinner) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	news := make(chan struct{}, 1)
	tell := func() { raise(news) }
	plugin := NewPlugin(p.Log, tell)
	connector := &Connector{Socket: p.Socket, Plugin: plugin, Patience: p.Patience, Log: p.Log, Changed: tell}
	connector.standing = Standing{State: pinfile.Disconnected, Reason: NoLayout, Since: time.Now(),
		Message: "the operator has written no layout for this node, or the agent has not"}
	layouts := make(chan struct{}, 1)
	var ended chan error
	var last []byte
	layoutError := ""
	written := time.Time{}
	ticker := time.NewTicker(p.Look)
	defer ticker.Stop()
	tell()
	for {
		layout, fresh, err := p.next(last)
		if now := messageOf(err); now != layoutError {
			if layoutError = now; now != "" {
				p.Log.Error("layout.json is not taken, what was before stays: " + now)
			}
			tell()
		}
		if fresh != nil {
			last = fresh
			plugin.SetLayout(layout)
			p.Log.Info(fmt.Sprintf("layout %s: %d slots, mode %s", layout.Generation, len(layout.Slots), layout.Mode))
			raise(layouts)
			if ended == nil {
				ended = make(chan error, 1)
				go func() { ended <- connector.Run(ctx, layouts) }()
			}
			tell()
		}
		select {
		case <-ctx.Done():
			if ended != nil {
				<-ended
			}
			return nil
		case err := <-ended:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case <-news:
			time.Sleep(pause) // others may follow
			p.report(plugin, connector, layoutError)
			written = time.Now()
		case <-ticker.C:
			if time.Since(written) > heartbeat {
				tell()
			}
		}
	}
}

func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return text.Line(err.Error())
}

// next returns the layout if there is another one than the last.
func (p Pinner) next(last []byte) (pinfile.Layout, []byte, error) {
	source, err := p.Files.ReadLayout()
	if err != nil || source == nil || bytes.Equal(source, last) {
		return pinfile.Layout{}, nil, err
	}
	layout, err := pinfile.ParseLayout(source)
	if err != nil {
		return pinfile.Layout{}, nil, err
	}
	return layout, source, nil
}

func (p Pinner) report(plugin *Plugin, connector *Connector, layoutError string) {
	if err := p.Files.WritePins(pinsOf(plugin.Snapshot(), connector.Standing(), layoutError, time.Now())); err != nil {
		p.Log.Error("pins.json is not written: " + err.Error())
	}
}

func raise(signal chan struct{}) {
	select {
	case signal <- struct{}{}:
	default:
	}
}
