package writer

import (
	"context"
	"errors"
	"io"
	"maps"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/knob"
)

type served struct {
	*tree
	socket string
	server *Server
	client knob.Client
}

func serve(t *testing.T) *served {
	t.Helper()
	f := intelTree(t, skylake)
	socket := f.path("run/writer.sock")
	f.text("run/writer.sock", "what an earlier run has left")
	w, err := New(quiet, f.root, f.path("state"))
	f.must(err)
	server, err := Listen(quiet, w, socket, 200*time.Millisecond)
	f.must(err)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	t.Cleanup(func() {
		server.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &served{f, socket, server, knob.Client{Socket: socket, Timeout: 30 * time.Second}}
}

func (s *served) connect() net.Conn {
	s.t.Helper()
	conn, err := net.Dial("unix", s.socket)
	s.must(err, conn.SetDeadline(time.Now().Add(30*time.Second)))
	return conn
}

// say returns what the server answers until it hangs up.
func (s *served) say(line string) string {
	s.t.Helper()
	conn := s.connect()
	defer conn.Close()
	_, _ = io.WriteString(conn, line) // the server may have heard enough before the end
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func (s *served) requireQuiet() {
	s.t.Helper()
	states, err := s.client.Status(context.Background())
	s.must(err)
	if len(states) != 0 {
		s.t.Fatalf("%v", states)
	}
}

func TestServesTheClient(t *testing.T) {
	s := serve(t)
	states, err := s.client.Apply(context.Background(), nextLine(t), set(1))
	s.must(err)
	if len(states) != 1 || states[0].State != knob.Applied || s.registers(control)[3] != 4 {
		t.Errorf("%v", states)
	}
	if states, err = s.client.Status(context.Background()); err != nil || len(states) != 1 {
		t.Errorf("%v, %v", states, err)
	}
	states, err = s.client.Restore(context.Background())
	if err != nil || len(states) != 1 || states[0].State != knob.Restored || s.registers(control)[3] != 0 {
		t.Errorf("%v, %v", states, err)
	}
	s.requireQuiet()
}

func TestReportsToTheClientWhatIsRefused(t *testing.T) {
	s := serve(t)
	_, err := s.client.Apply(context.Background(), nextLine(t), set(64))
	var refused *knob.RefusedError
	if !errors.As(err, &refused) || refused.Reason != "cpus: 64 is not on this machine: write some of 0-3" {
		t.Error(err)
	}
}

func TestSocketIsForItsOwnerOnly(t *testing.T) {
	for _, test := range []struct {
		socket, folder os.FileMode
		open           bool
	}{{0o755, 0o755, false}, {0o775, 0o755, true}, {0o757, 0o711, true}, {0o777, 0o700, false}, {0o777, 0o710, true}} {
		folder := filepath.Join(t.TempDir(), "run")
		socket := filepath.Join(folder, "writer.sock")
		err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(socket, nil, 0o600), os.Chmod(socket, test.socket),
			os.Chmod(folder, test.folder))
		if err != nil {
			t.Fatal(err)
		}
		if err := requireClosed(socket, folder); (err != nil) != test.open {
			t.Errorf("%v in %v: %v", test.socket, test.folder, err)
		}
	}
	s := serve(t)
	if err := requireClosed(s.socket, filepath.Dir(s.socket)); err != nil {
		t.Error(err)
	}
}

// Whoever may write to the folder of the socket may put a link in its place at any time.
func TestChangesTheModeOfNothingThatALinkNames(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	contested := filepath.Join(t.TempDir(), "writer.sock")
	if err := errors.Join(os.WriteFile(victim, nil, 0o600), os.Chmod(victim, 0o666)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_ = os.Remove(contested)
			_ = os.Symlink(victim, contested) // the server may be faster
		}
	}()
	for range 300 {
		if server, err := Listen(quiet, nil, contested, time.Millisecond); err == nil {
			_ = server.Close()
		}
	}
	cancel()
	<-ended
	if info, err := os.Stat(victim); err != nil || info.Mode() != 0o666 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestClosePutsNothingBack(t *testing.T) {
	s := serve(t)
	_, err := s.client.Apply(context.Background(), nextLine(t), nil)
	s.must(err, s.server.Close())
	if s.registers(control)[0] != 4 {
		t.Error("the register is back")
	}
	if _, err := os.Lstat(s.socket); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := s.client.Status(context.Background()); err == nil {
		t.Error("it still serves")
	}
}

func TestRefusesAndChangesNothing(t *testing.T) {
	s := serve(t)
	before := s.everything()
	for _, line := range []string{
		`{"op":"apply","settings":{"msr":"0x1a4"}}`, "wrmsr 0x1a4 0xf", "",
		`{"op":"apply","settings":{"prefetch.l1NextLine":"Disabled"},"cpus":"0-9"}`,
	} {
		if answer := s.say(line + "\n"); !strings.HasPrefix(answer, `{"error":"`) || !strings.HasSuffix(answer, "\n") {
			t.Errorf("%s: %s", line, answer)
		}
	}
	if answer := s.say(strings.Repeat(" ", 70_000)); !strings.Contains(answer, "longer than 65536 bytes: write a shorter request") {
		t.Errorf("an endless line: %s", answer)
	}
	random := rand.New(rand.NewSource(5))
	for range 300 {
		line := make([]byte, 1+random.Intn(200))
		random.Read(line)
		line[len(line)-1] = '\n'
		if answer := s.say(string(line)); !strings.HasPrefix(answer, `{"error":"`) {
			t.Errorf("%q: %s", line, answer)
		}
	}
	if !maps.Equal(s.everything(), before) {
		t.Error("something has changed")
	}
	s.requireQuiet()
}

func TestDropsClientsThatSayNothing(t *testing.T) {
	s := serve(t)
	var idle []net.Conn
	for i := range 6 {
		conn := s.connect()
		defer conn.Close()
		if i%2 == 0 {
			_, err := io.WriteString(conn, `{"op":`)
			s.must(err)
		}
		idle = append(idle, conn)
	}
	s.requireQuiet()
	for _, conn := range idle {
		if n, err := conn.Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	// One that hangs up in the middle, and one that does not read its reply.
	s.connect().Close()
	deaf := s.connect()
	_, err := io.WriteString(deaf, "{\"op\":\"status\"}\n")
	s.must(err, deaf.Close())
	s.requireQuiet()
}
