package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	logPool     = "logs"
	logLineSize = 5 << 20
	logApps     = 6
)

// KubeletLogs is the part of a kubelet that gives out containers' logs: one line of 5 MB that looks like what the operator
// searches for, and in turn with it a byte a second. limitBytes is honoured, as a kubelet does; tailLines does not matter to one line.
type KubeletLogs struct {
	server *http.Server
	asked  atomic.Int64
	lines  atomic.Int64 // requests for the long line
	drips  atomic.Int64
}

func (k *KubeletLogs) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if !strings.HasPrefix(request.URL.Path, "/containerLogs/") {
		http.NotFound(response, request)
		return
	}
	size := logLineSize
	if limit, err := strconv.Atoi(request.URL.Query().Get("limitBytes")); err == nil {
		size = min(size, limit)
	}
	if k.asked.Add(1)%2 == 0 {
		k.drips.Add(1)
		_ = every(request.Context(), time.Second, func() error {
			_, err := io.WriteString(response, "x")
			response.(http.Flusher).Flush()
			return err
		})
		return
	}
	k.lines.Add(1)
	_ = repeated("pods is forbidden: User ", size)(response)
}

// openKubelet serves on a free port of 127.0.0.1, and returns it.
func (k *KubeletLogs) openKubelet(ctx context.Context, certificate string) (int32, error) {
	file, key, _ := strings.Cut(certificate, ",")
	pair, err := tls.LoadX509KeyPair(file, key)
	if err != nil {
		return 0, fmt.Errorf("-kubelet-certificate: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	k.server = &http.Server{Handler: k, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}, ReadHeaderTimeout: playerTimeout}
	go func() { _ = k.server.ServeTLS(listener, "", "") }()
	return int32(listener.Addr().(*net.TCPAddr).Port), nil
}

// longLogs has drivers fail whose logs are one line of 5 MB, or never end.
func longLogs(ctx context.Context, run *FaultRun) error {
	kubelet := &KubeletLogs{}
	port, err := kubelet.openKubelet(ctx, run.certificate)
	if err != nil {
		return err
	}
	defer kubelet.server.Close()
	if err := run.logNode(ctx, port); err != nil {
		return err
	}
	run.submitAll(ctx, fillPlans(logApps, Plan{Retries: never, BadAttempts: 1, Work: time.Second, DriverPool: logPool}))
	deadline := time.Now().Add(run.patient(usualBound))
	for (kubelet.lines.Load() == 0 || kubelet.drips.Load() == 0) && time.Now().Before(deadline) {
		time.Sleep(playInterval)
	}
	beside(ctx, run)
	fmt.Fprintf(os.Stderr, "faults:   a log of one line was asked for %d times, one that trickles %d times\n", kubelet.lines.Load(), kubelet.drips.Load())
	if kubelet.lines.Load() == 0 {
		return errors.New("no long log was ever asked for: does the API server reach 127.0.0.1, and does a driver fail there?")
	}
	return nil
}

// logNode makes the node whose kubelet listens on a port of this machine.
func (r *FaultRun) logNode(ctx context.Context, port int32) error {
	nodes := r.cluster.core.CoreV1().Nodes()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: logPool, Labels: map[string]string{poolLabel: logPool}}}
	if _, err := nodes.Create(ctx, node, metav1.CreateOptions{}); ignoreExisting(err) != nil {
		return err
	}
	err := wait.PollUntilContextTimeout(ctx, playInterval, r.patient(usualBound), true, func(ctx context.Context) (bool, error) {
		found, err := nodes.Get(ctx, node.Name, metav1.GetOptions{})
		return err == nil && isReady(*found), nil
	})
	if err != nil {
		return fmt.Errorf("node %s is not ready: %w", node.Name, err)
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{
		"addresses":       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}},
		"daemonEndpoints": corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: port}},
	}})
	if err != nil {
		return err
	}
	_, err = nodes.Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}
