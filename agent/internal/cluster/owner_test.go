package cluster

import (
	"net/http"
	"testing"
)

func TestAnOwnerIsGoneIfItIsDeletedOrTheRightsAre(t *testing.T) {
	set := func(more string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent-pin"` + more + `}}`))
		}
	}
	refused := func(code int, reason string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			reply(w, code, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason})
		}
	}
	for what, c := range map[string]struct {
		answer http.HandlerFunc
		gone   bool
	}{
		"it exists":                      {set(""), false},
		"it is being deleted":            {set(`, "deletionTimestamp": "2026-11-24T03:00:00Z"`), true},
		"it does not exist":              {refused(404, "NotFound"), true},
		"the role is deleted":            {refused(403, "Forbidden"), true},
		"the account is deleted":         {refused(401, "Unauthorized"), true},
		"the API server has an error":    {refused(500, "InternalError"), false},
		"the API server answers rubbish": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, false},
	} {
		fake := newFake(t)
		fake.answer = c.answer
		owner, err := NewOwner(fake.config, "agents", "agent-pin")
		if err != nil {
			t.Fatal(err)
		}
		if got := owner.IsGone(t.Context()); got != c.gone {
			t.Errorf("%s: %v", what, got)
		}
		if len(fake.requests) == 0 || fake.requests[0] != "/apis/apps/v1/namespaces/agents/daemonsets/agent-pin" {
			t.Errorf("%s: asked %v", what, fake.requests)
		}
	}
}
