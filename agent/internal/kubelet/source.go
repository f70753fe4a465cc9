package kubelet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"numaspark.io/agent/internal/api"
)

const (
	askAgainAfter = 30 * time.Minute
	firstRetry    = 10 * time.Second
)

// ReasonNotUnderstood is for settings that this version does not know.
const ReasonNotUnderstood = "KubeletNotUnderstood"

// SettingsSource has the settings that the node's kubelet runs with. It asks again when the kubelet has started again, which
// makes its socket anew, and every half an hour; a question that fails after ten seconds, then less and less often. It is not
// for several goroutines at once.
type SettingsSource struct {
	configz  Configz
	socket   string
	settings *api.Kubelet
	reason   string
	err      error
	start    string
	due      time.Time
	retry    time.Duration
}

// NewSettingsSource makes one. The socket is that of PodResources.
func NewSettingsSource(configz Configz, socket string) *SettingsSource {
	return &SettingsSource{configz: configz, socket: socket, retry: firstRetry}
}

// Read returns the settings, or the reason why there are none in one word and an error with a remedy.
func (s *SettingsSource) Read(ctx context.Context, now time.Time) (settings *api.Kubelet, reason string, err error) {
	if start := s.startOfKubelet(); start != s.start {
		s.start, s.due, s.retry = start, time.Time{}, firstRetry
	}
	if now.Before(s.due) {
		return s.settings, s.reason, s.err
	}
	s.settings, s.reason, s.err = s.ask(ctx)
	if s.err != nil {
		s.due = now.Add(s.retry)
		s.retry = min(2*s.retry, askAgainAfter)
	} else {
		s.due, s.retry = now.Add(askAgainAfter), firstRetry
	}
	return s.settings, s.reason, s.err
}

func (s *SettingsSource) ask(ctx context.Context) (*api.Kubelet, string, error) {
	config, err := s.configz.Read(ctx)
	var refused *Error
	if errors.As(err, &refused) {
		return nil, "Kubelet" + string(refused.Reason), refused
	}
	settings, err := Settings(config)
	if err != nil {
		return nil, ReasonNotUnderstood, fmt.Errorf("the kubelet's /configz: %w", err)
	}
	return settings, "", nil
}

// startOfKubelet is another text after each start of the kubelet.
func (s *SettingsSource) startOfKubelet() string {
	info, err := os.Stat(s.socket)
	if err != nil {
		return ""
	}
	inode := uint64(0)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = stat.Ino
	}
	return fmt.Sprint(inode, " ", info.ModTime().UnixNano())
}
