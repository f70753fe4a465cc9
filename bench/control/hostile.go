package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

const (
	webUIPort   = 4040 // of Spark
	hostileWork = 25 * time.Second
	hostilePool = "hostile"
	flood       = 1 << 30 // bytes
)

// Hostility is what a driver's web UI does with a request instead of answering it. It listens on a loopback address of its own.
type Hostility struct {
	name    string
	drivers int // so many are hostile in this way at once
	answer  func(context.Context, io.Writer) error
}

// stalling ones hold whoever waits for the end of an answer; together they are more than the operator has workers (16).
var stalling = []Hostility{
	{"stalls after the headers", 12, func(ctx context.Context, to io.Writer) error {
		return inTurn(to, okay("application/json", 1000), waiting(ctx))
	}},
	{"trickles a byte a second", 12, func(ctx context.Context, to io.Writer) error {
		return inTurn(to, okay("application/json", 1<<20), dripping(ctx))
	}},
	{"trickles its headers", 3, func(ctx context.Context, to io.Writer) error {
		return inTurn(to, text("HTTP/1.1 200 OK\r\nX-Slow: "), dripping(ctx))
	}},
	{"trickles chunks", 3, func(ctx context.Context, to io.Writer) error {
		return inTurn(to, text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), func(to io.Writer) error {
			return every(ctx, time.Second, func() error { _, err := io.WriteString(to, "1\r\n[\r\n"); return err })
		})
	}},
}

// flooding ones send too much, or what is not an answer at all.
var flooding = []Hostility{
	{"sends 1 GB", 3, func(_ context.Context, to io.Writer) error {
		return inTurn(to, okay("application/json", flood), repeated(`{"id": "1"},`, flood))
	}},
	{"sends 1 GB of headers", 2, func(_ context.Context, to io.Writer) error {
		return inTurn(to, text("HTTP/1.1 200 OK\r\n"), repeated("X-More: and more\r\n", flood))
	}},
	{"sends deep JSON", 2, func(_ context.Context, to io.Writer) error {
		return inTurn(to, okay("application/json", 10<<20), repeated("[", 10<<20))
	}},
	{"sends attributes of 4 MB", 2, func(_ context.Context, to io.Writer) error {
		const size = 4 << 20
		parts := []string{`[{"id": "1", "attributes": {"NUMASPARK_CPUS_ALLOWED": "`, `", "NUMASPARK_MEMS_ALLOWED": "0"}}]`}
		return inTurn(to, okay("application/json", size+len(parts[0])+len(parts[1])), text(parts[0]), repeated("1,", size), text(parts[1]))
	}},
	{"sends 100,000 executors", 2, func(_ context.Context, to io.Writer) error {
		if err := inTurn(to, text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[")); err != nil {
			return err
		}
		for i := range 100_000 {
			if _, err := fmt.Fprintf(to, `{"id": "%d", "attributes": {"NUMASPARK_CPUS_ALLOWED": "1"}},`, i); err != nil {
				return err
			}
		}
		return inTurn(to, text(`{"id": "driver"}]`))
	}},
	{"sends garbage", 2, func(_ context.Context, to io.Writer) error {
		return inTurn(to, okay("application/json", 1<<16), repeated("\x00\xff{]\n", 1<<16))
	}},
	{"speaks no HTTP", 2, func(_ context.Context, to io.Writer) error { return inTurn(to, repeated("SSH-2.0-", 1<<20)) }},
	{"redirects to itself", 2, func(_ context.Context, to io.Writer) error {
		return inTurn(to, text("HTTP/1.1 302 Found\r\nLocation: /api/v1/applications\r\nContent-Length: 0\r\n\r\n"))
	}},
	{"closes at once", 2, func(context.Context, io.Writer) error { return nil }},
}

type writing func(io.Writer) error

func inTurn(to io.Writer, parts ...writing) error {
	for _, part := range parts {
		if err := part(to); err != nil {
			return err
		}
	}
	return nil
}

func text(what string) writing {
	return func(to io.Writer) error { _, err := io.WriteString(to, what); return err }
}

func okay(kind string, length int) writing {
	return text(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", kind, length))
}

// repeated writes so many bytes, in pieces of about 64 KiB.
func repeated(what string, size int) writing {
	return func(to io.Writer) error {
		piece := strings.Repeat(what, 1+(1<<16)/len(what))
		for size > 0 {
			written, err := io.WriteString(to, piece[:min(size, len(piece))])
			if err != nil {
				return err
			}
			size -= written
		}
		return nil
	}
}

func waiting(ctx context.Context) writing {
	return func(io.Writer) error { <-ctx.Done(); return ctx.Err() }
}

func dripping(ctx context.Context) writing {
	return func(to io.Writer) error {
		return every(ctx, time.Second, func() error { _, err := io.WriteString(to, "["); return err })
	}
}

func every(ctx context.Context, interval time.Duration, do func() error) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if err := do(); err != nil {
				return err
			}
		}
	}
}

// HostileUI is one hostile web UI.
type HostileUI struct {
	Hostility
	address string
	asked   atomic.Int64
}

// serve answers until the context ends. What goes wrong with one connection is the point.
func (h *HostileUI) serve(ctx context.Context, listener net.Listener) {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer connection.Close()
			closing := context.AfterFunc(ctx, func() { connection.Close() })
			defer closing()
			reader := bufio.NewReader(connection)
			for line, err := reader.ReadString('\n'); strings.TrimSpace(line) != ""; line, err = reader.ReadString('\n') {
				if err != nil {
					return
				}
			}
			h.asked.Add(1)
			_ = h.answer(ctx, connection)
		}()
	}
}

// openUIs lets each hostility listen where a driver's web UI would. Addresses of 127.0.0.0/8 are all this machine's.
func openUIs(ctx context.Context, hostilities []Hostility) ([]*HostileUI, error) {
	var uis []*HostileUI
	for i, hostility := range hostilities {
		ui := &HostileUI{Hostility: hostility, address: fmt.Sprintf("127.0.1.%d", i+1)}
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("%s:%d", ui.address, webUIPort))
		if err != nil {
			return nil, err
		}
		go ui.serve(ctx, listener)
		uis = append(uis, ui)
	}
	return uis, nil
}

// sufferDrivers has drivers be hostile for a while. They end well, as soon as that is over: each must be COMPLETED like any other.
func sufferDrivers(hostilities []Hostility) func(context.Context, *FaultRun) error {
	return func(ctx context.Context, run *FaultRun) error {
		pool := newPool(hostilePool, 2)
		if err := pool.raise(ctx, run.cluster, run.patient(usualBound)); err != nil {
			return err
		}
		hostile, mend := context.WithCancel(ctx)
		defer mend()
		uis, err := openUIs(hostile, hostilities)
		if err != nil {
			return err
		}
		var asked []Plan
		for _, ui := range uis {
			for range ui.drivers {
				asked = append(asked, Plan{Retries: never, Work: hostileWork, Profile: pool.name, Address: ui.address})
			}
		}
		run.submitAll(ctx, asked)
		notAsked := func(ui *HostileUI) bool { return ui.asked.Load() == 0 }
		deadline := time.Now().Add(run.patient(hostileWork))
		for slices.ContainsFunc(uis, notAsked) && time.Now().Before(deadline) {
			time.Sleep(playInterval)
		}
		beside(ctx, run)
		for _, ui := range uis {
			fmt.Fprintf(os.Stderr, "faults:   a driver that %s was asked %d times\n", ui.name, ui.asked.Load())
		}
		if !slices.ContainsFunc(uis, func(ui *HostileUI) bool { return !notAsked(ui) }) {
			return errors.New("no hostile driver was ever asked: are their applications pinned, and do they run?")
		}
		return nil
	}
}

// beside creates a few ordinary applications in the middle of a fault that lasts, and waits until they are final: the others go on
// meanwhile, and not only afterwards.
func beside(ctx context.Context, run *FaultRun) {
	const applications = 4
	bound := run.patient(usualBound)
	names := run.submitAll(ctx, fillPlans(applications, Plan{Retries: never, Work: time.Second}))
	deadline := time.Now().Add(bound)
	for time.Now().Before(deadline) {
		if _, all := run.ledger.lastEnd(names); all {
			return
		}
		time.Sleep(playInterval)
	}
	run.violate("stuck", "applications beside the fault were not final within %s of their creation", bound)
}

func fillPlans(count int, plan Plan) []Plan { return slices.Repeat([]Plan{plan}, count) }
