package kubelet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// configzServer answers as it is told, and remembers what it was asked.
type configzServer struct {
	status int
	body   string
	seen   []string
	Configz
}

func startConfigz(t *testing.T) *configzServer {
	folder := t.TempDir()
	s := &configzServer{status: 200, body: `{"kubeletconfig":{"cpuManagerPolicy":"static"}}`}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.seen = append(s.seen, r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization"))
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(s.status)
		_, _ = w.Write([]byte(s.body))
	}))
	t.Cleanup(server.Close)
	s.Configz = Configz{
		Host: "127.0.0.1", Port: server.Listener.Addr().(*net.TCPAddr).Port,
		TokenFile: filepath.Join(folder, "token"), AuthoritiesFile: filepath.Join(folder, "ca.crt"), Timeout: ample,
	}
	writeFile(t, s.TokenFile, "secret-1\n")
	writeFile(t, s.AuthoritiesFile, certificate(server.Certificate().Raw))
	return s
}

func certificate(der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func expectConfigz(t *testing.T, configz Configz, reason Reason, message string) {
	t.Helper()
	_, err := configz.Read(t.Context())
	var refused *Error
	if !errors.As(err, &refused) || refused.Reason != reason || !strings.Contains(refused.Message, message) {
		t.Errorf("%v; want %s, %s", err, reason, message)
	}
	if err != nil && strings.Contains(err.Error(), "secret") {
		t.Errorf("the token is shown: %v", err)
	}
}

func TestReadsTheConfigurationWithTheTokenOfTheMoment(t *testing.T) {
	s := startConfigz(t)
	if got, err := s.Read(t.Context()); err != nil || string(got) != `{"cpuManagerPolicy":"static"}` {
		t.Errorf("%s, %v", got, err)
	}
	writeFile(t, s.TokenFile, "secret-2")
	if _, err := s.Read(t.Context()); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(s.seen); got != "[GET /configz Bearer secret-1 GET /configz Bearer secret-2]" {
		t.Error(got)
	}
}

func TestSaysWhatToDoAboutAStatus(t *testing.T) {
	for status, want := range map[int]struct {
		reason Reason
		remedy string
	}{
		401: {Forbidden, "let the kubelet run with authentication.webhook.enabled"},
		403: {Forbidden, "HTTP 403: the agent's ClusterRole needs the verb get on nodes/configz"},
		404: {NotFound, "enableDebuggingHandlers: true"},
		302: {BadAnswer, "HTTP 302"},
		500: {BadAnswer, "HTTP 500"},
	} {
		s := startConfigz(t)
		s.status = status
		expectConfigz(t, s.Configz, want.reason, want.remedy)
		if len(s.seen) != 1 {
			t.Errorf("%d: %v", status, s.seen)
		}
	}
}

// Kubelets reply so: InstallAuthFilter in pkg/kubelet/server/server.go of 1.32 and 1.33.
func TestSaysWhichKubeletsRequireMoreThanAgentsHave(t *testing.T) {
	tooOld := "kubelets before Kubernetes 1.33, which require nodes/proxy, a right that no agent should have: upgrade the node, on 1.32" +
		" switch on the feature gate KubeletFineGrainedAuthz, or write spec.kubelet by hand"
	noRight := "HTTP 403: the agent's ClusterRole needs the verb get on nodes/configz"
	for name, test := range map[string]struct{ reply, message string }{
		"1.32":                {"Forbidden (user=agent, verb=get, resource=nodes, subresource(s)=[proxy])\n", tooOld},
		"before 1.32":         {"Forbidden (user=agent, verb=get, resource=nodes, subresource=proxy)\n", tooOld},
		"1.33":                {"Forbidden (user=agent, verb=get, resource=nodes, subresource(s)=[configz proxy])\n", noRight},
		"another program":     {"no", noRight},
		"nothing":             {"", noRight},
		"more than is read":   {strings.Repeat("x", 1<<20) + "subresource=proxy", noRight},
		"the secret comes up": {"subresource secret-1", tooOld},
	} {
		t.Run(name, func(t *testing.T) {
			s := startConfigz(t)
			s.status, s.body = 403, test.reply
			expectConfigz(t, s.Configz, Forbidden, test.message)
		})
	}
}

func TestRefusesAnswersOfSomethingElse(t *testing.T) {
	for body, message := range map[string]string{
		"":                             "the answer is not a JSON",
		"<html>secret</html>":          "the answer is not a JSON",
		`{"kubeletconfig":{"a":`:       "the answer is not a JSON",
		`{"kind":"secret"}`:            "no object kubeletconfig",
		`{"kubeletconfig":"secret"}`:   "no object kubeletconfig",
		"[1]":                          "no object kubeletconfig",
		strings.Repeat(" ", 256<<10+1): "more than 262144 bytes",
		`{"kubeletconfig":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}": "the answer is not a JSON",
		`{"kubeletconfig":[` + strings.Repeat("1,", 100_000) + "1]}":                        "no object kubeletconfig",
	} {
		s := startConfigz(t)
		s.body = body
		expectConfigz(t, s.Configz, BadAnswer, message)
	}
}

func TestJudgesTheCertificate(t *testing.T) {
	s := startConfigz(t)
	own := s.AuthoritiesFile
	s.AuthoritiesFile = filepath.Join(t.TempDir(), "stranger")
	writeFile(t, s.AuthoritiesFile, certificate(selfSigned(t)))
	expectConfigz(t, s.Configz, Untrusted, "give the authority that signed")

	s.AuthoritiesFile, s.Host = own, "localhost"
	expectConfigz(t, s.Configz, Untrusted, "give the authority that signed")
	if s.seen != nil {
		t.Errorf("it was asked nevertheless: %v", s.seen)
	}
	for _, host := range []string{"localhost", "127.0.0.1"} {
		s.Host, s.Insecure = host, true
		if _, err := s.Read(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func selfSigned(t *testing.T) []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestNamesTheFileThatItCannotUse(t *testing.T) {
	s := startConfigz(t)
	own := s.AuthoritiesFile
	folder := t.TempDir()
	authorities, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"none": "", "empty": "", "text": "hello", "large": strings.Repeat(" ", 256<<10) + string(authorities),
	} {
		s.AuthoritiesFile = filepath.Join(folder, name)
		if name != "none" {
			writeFile(t, s.AuthoritiesFile, content)
		}
		expectConfigz(t, s.Configz, Untrusted, s.AuthoritiesFile)
	}
	s.AuthoritiesFile = own
	for _, noToken := range []string{"", "\n", "secret\r\nX-Header: secret", "secrät"} {
		writeFile(t, s.TokenFile, noToken)
		expectConfigz(t, s.Configz, NotFound, "the file "+s.TokenFile+" has no token")
	}
	if err := os.Remove(s.TokenFile); err != nil {
		t.Fatal(err)
	}
	expectConfigz(t, s.Configz, NotFound, "the token "+s.TokenFile+" cannot be read")
	if s.seen != nil {
		t.Errorf("it was asked nevertheless: %v", s.seen)
	}
}

func TestNobodyListensWhileTheKubeletRestarts(t *testing.T) {
	s := startConfigz(t)
	s.Port = listen(t, nil)
	expectConfigz(t, s.Configz, Unreachable, "the kubelet restarts or is down")
}

// listen returns a port. Without a conversation nobody listens there any more.
func listen(t *testing.T, talk func(net.Conn)) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if talk == nil {
		listener.Close()
		return port
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		client, err := listener.Accept()
		if err == nil {
			talk(client)
			<-t.Context().Done()
			client.Close()
		}
	}()
	return port
}

func TestSilenceEndsWithTheTimeout(t *testing.T) {
	s := startConfigz(t)
	s.Port = listen(t, func(net.Conn) {})
	s.Timeout = 200 * time.Millisecond
	expectConfigz(t, s.Configz, TimedOut, "in time (200 ms)")
}

// Whoever sends a byte now and then must not keep the agent, be it in the headers or after.
func TestAnAnswerThatTricklesEndsWithTheTimeout(t *testing.T) {
	for _, headersFirst := range []bool{false, true} {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer connection.Close()
			start := "HTTP/1.1 200 OK\r\nX-Long: "
			if headersFirst {
				start = "HTTP/1.1 200 OK\r\n\r\n"
			}
			for _, err = connection.Write([]byte(start)); err == nil; _, err = connection.Write([]byte(" ")) {
				time.Sleep(20 * time.Millisecond)
			}
		}))
		s := startConfigz(t)
		s.Insecure, s.Port, s.Timeout = true, server.Listener.Addr().(*net.TCPAddr).Port, 300*time.Millisecond
		expectConfigz(t, s.Configz, TimedOut, "in time (300 ms)")
		server.Close() // waits until the connection is closed
	}
}

func TestNamesAHostThatIsNone(t *testing.T) {
	for _, host := range []string{"", "a b", "::1::", "[", "a/b", "user@host"} {
		s := startConfigz(t)
		s.Host = host
		expectConfigz(t, s.Configz, NotFound, "'"+host+"' is not a host")
	}
}
