package cluster

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

const collection = "/apis/numaspark.io/v1alpha1/sparknodetopologies"

// fakeServer has room for one SparkNodeTopology: versions, generations, conflicts, the status apart, and a watch that sends what
// it is given. Nothing is validated or defaulted; the end-to-end tests ask a real server.
type fakeServer struct {
	config *rest.Config
	folder string
	events chan string

	mu              sync.Mutex
	object          map[string]any
	version         int
	requests        []string
	beforeNextWrite func()
	answer          http.HandlerFunc // instead of everything else
}

func newFake(t *testing.T) *fakeServer {
	f := &fakeServer{folder: t.TempDir(), events: make(chan string)}
	server := httptest.NewUnstartedServer(f)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	f.write(t, "ca.crt", string(authority))
	f.write(t, "token", "a-token\n")
	f.config = Config(server.URL, f.folder, "test")
	return f
}

func (f *fakeServer) write(t *testing.T, name, text string) {
	if err := os.WriteFile(filepath.Join(f.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// put writes a field of the spec, as somebody else would.
func (f *fakeServer) put(field string, value any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed := maps.Clone(f.object)
	spec := maps.Clone(changed["spec"].(map[string]any))
	spec[field] = value
	changed["spec"] = spec
	f.store(changed)
}

func (f *fakeServer) store(next map[string]any) {
	f.version++
	metadata := maps.Clone(next["metadata"].(map[string]any))
	metadata["resourceVersion"] = fmt.Sprint(f.version)
	metadata["generation"] = f.version
	next["metadata"] = metadata
	f.object = next
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	query := r.URL.Query()
	f.mu.Lock()
	if f.answer != nil {
		f.requests = append(f.requests, r.URL.Path)
		f.mu.Unlock()
		f.answer(w, r)
		return
	}
	if query.Get("watch") == "true" {
		f.mu.Unlock()
		f.watch(w, r)
		return
	}
	defer f.mu.Unlock()
	f.requests = append(f.requests, r.Method+" "+r.URL.Path)
	switch {
	case r.Header.Get("Authorization") != "Bearer a-token":
		refuse(w, 401, "Unauthorized")
	case r.Method == http.MethodGet && r.URL.Path == collection:
		list := map[string]any{"apiVersion": "numaspark.io/v1alpha1", "kind": "SparkNodeTopologyList",
			"metadata": map[string]any{"resourceVersion": fmt.Sprint(f.version)}, "items": []any{}}
		if f.object != nil {
			list["items"] = []any{f.object}
		}
		reply(w, 200, list)
	case r.Method == http.MethodGet:
		f.replyObject(w)
	default:
		if happens := f.beforeNextWrite; happens != nil {
			f.beforeNextWrite = nil
			f.mu.Unlock()
			happens()
			f.mu.Lock()
		}
		f.replace(w, r.URL.Path, body)
	}
}

func (f *fakeServer) watch(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		refuse(w, 422, "sendInitialEvents is not supported")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(200)
	for {
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case event, open := <-f.events:
			if !open || event == "" {
				return
			}
			fmt.Fprintln(w, event)
		}
	}
}

func (f *fakeServer) replace(w http.ResponseWriter, path string, body []byte) {
	var written map[string]any
	if err := json.Unmarshal(body, &written); err != nil {
		refuse(w, 400, err.Error())
		return
	}
	create := path == collection
	switch {
	case create && f.object != nil:
		refuse(w, 409, "it exists")
	case !create && f.object == nil:
		refuse(w, 404, "it does not exist")
	case !create && written["metadata"].(map[string]any)["resourceVersion"] != fmt.Sprint(f.version):
		refuse(w, 409, "the object has been modified")
	default:
		next := written
		if strings.HasSuffix(path, "/status") {
			next = maps.Clone(f.object)
			next["status"] = written["status"]
		} else if f.object != nil && f.object["status"] != nil {
			next["status"] = f.object["status"]
		}
		f.store(next)
		f.replyObject(w)
	}
}

func (f *fakeServer) replyObject(w http.ResponseWriter) {
	if f.object == nil {
		refuse(w, 404, "it does not exist")
		return
	}
	reply(w, 200, f.object)
}

func refuse(w http.ResponseWriter, code int, message string) {
	reasons := map[int]string{401: "Unauthorized", 404: "NotFound", 409: "Conflict", 422: "Invalid", 400: "BadRequest"}
	reply(w, code, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": message,
		"reason": reasons[code]})
}

func reply(w http.ResponseWriter, code int, object any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object)
}
