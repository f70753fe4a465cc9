package reader

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"numaspark.io/agent/internal/fakenode"
	"numaspark.io/agent/internal/knob"
)

// launch starts the real writer on the made-up node, and waits until it listens.
func launch(t *testing.T, node *fakenode.Node, client knob.Client) *exec.Cmd {
	t.Helper()
	var output bytes.Buffer
	c := exec.Command(node.Path("numaspark-writer"))
	c.Env = append(os.Environ(), "NUMASPARK_WRITER_SOCKET="+client.Socket)
	for name, value := range node.Environment() {
		c.Env = append(c.Env, name+"="+value)
	}
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := client.Status(t.Context()); err == nil {
			return c
		} else if time.Now().After(deadline) {
			t.Fatalf("%v\n%s", err, &output)
		}
	}
}

func TestAWriterThatIsKilledInTheMiddleOfARequestIsReportedAndTheNextOneGoesOn(t *testing.T) {
	node := startNode(t)
	build := exec.Command("go", "build", "-o", node.Path("numaspark-writer"), "numaspark.io/agent/cmd/numaspark-writer")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	processor, err := knob.ReadProcessor(node.Path("root"))
	if err != nil {
		t.Fatal(err)
	}
	client := knob.Client{Socket: node.Path("run/writer.sock"), Timeout: 30 * time.Second}
	k := &knobs{observer: knob.NewObserver(node.Path("root"), processor), writer: client}
	wish := wanted(map[string]string{"prefetch.l1NextLine": "Disabled", "memory.swappiness": "1"}, "prefetch.l1NextLine", "memory.swappiness")
	values := func() string {
		var all strings.Builder
		for _, name := range []string{"root/proc/sys/vm/swappiness", "root/dev/cpu/0/msr", "root/dev/cpu/111/msr"} {
			content, err := os.ReadFile(node.Path(name))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(content)
		}
		return all.String()
	}
	looked := func(at time.Time) string {
		states, failure := k.look(t.Context(), wish, nil, at)
		return condition(wish, states, failure)
	}
	before := values()

	// Its first step is to save the originals. Here that waits, as on a disk that hangs.
	first := launch(t, node, client)
	pipe := filepath.Join(node.Path("state"), "originals.json.new")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	killed := time.AfterFunc(300*time.Millisecond, func() { _ = first.Process.Kill() })
	defer killed.Stop()
	if got := looked(start); !strings.HasPrefix(got, "Unknown WriterNotAnswering ") {
		t.Errorf("killed: %s", got)
	}
	if values() != before {
		t.Error("a knob was set before its original was saved")
	}
	if got := looked(start.Add(time.Minute)); !strings.HasPrefix(got, "Unknown WriterNotAnswering ") {
		t.Errorf("without a writer: %s", got)
	}

	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	second := launch(t, node, client)
	if got := looked(start.Add(2 * time.Minute)); got != "True Applied " {
		t.Errorf("the next one: %s", got)
	}

	// It is killed between two requests: the third one knows the originals, and nobody has said yet what is wanted now.
	if err := second.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = second.Wait()
	launch(t, node, client)
	if got := looked(start.Add(3 * time.Minute)); got != "True Applied " {
		t.Errorf("the third one: %s", got)
	}
	if values() == before {
		t.Error("nothing was set")
	}
	if _, err := client.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if values() != before {
		t.Error("not restored")
	}
}
