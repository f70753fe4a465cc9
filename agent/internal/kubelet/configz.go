package kubelet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"numaspark.io/agent/internal/credentials"
)

// DefaultPort is the kubelet's port unless it is configured otherwise (KubeletConfiguration.port).
const DefaultPort = 10250

// Real answers have less than 10 KiB.
const longestConfigz = 256 << 10

// A refusal is one line.
const longestRefusal = 4 << 10

// Configz reads the configuration that the kubelet runs with: file, drop-ins and flags merged.
type Configz struct {
	// Host is the node's address as in the kubelet's certificate, IPv6 without brackets.
	Host string
	Port int
	// TokenFile has the bearer token, which is read anew for each question.
	TokenFile string
	// AuthoritiesFile has those that may sign the kubelet's certificate, in PEM form; it is read anew for each question.
	AuthoritiesFile string
	// Insecure accepts any certificate, like metrics-server's --kubelet-insecure-tls. Whoever can take over the kubelet's address then
	// gets the agent's token.
	Insecure bool
	// Timeout is for the whole exchange.
	Timeout time.Duration
}

// Read returns the fields of the KubeletConfiguration, without their envelope "kubeletconfig".
func (c Configz) Read(ctx context.Context) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	address, err := c.address()
	if err != nil {
		return nil, err
	}
	token, err := credentials.Token(c.TokenFile)
	if err != nil {
		return nil, &Error{NotFound, err.Error()}
	}
	trust, err := c.trust()
	if err != nil {
		return nil, &Error{Untrusted, err.Error()}
	}
	// HTTP/1.1 is enough for one question, and a connection that is not kept leaves nothing behind.
	transport := &http.Transport{TLSClientConfig: trust, DisableKeepAlives: true, MaxResponseHeaderBytes: longestConfigz}
	defer transport.CloseIdleConnections()
	client := http.Client{
		Transport: transport,
		// The token is for the kubelet alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, c.explain(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(request)
	if err != nil {
		return nil, c.explain(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		reply, _ := io.ReadAll(io.LimitReader(answer.Body, longestRefusal)) // the status alone says enough
		return nil, c.refused(answer.StatusCode, string(reply))
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestConfigz+1))
	if err != nil {
		return nil, c.explain(err)
	}
	return c.configuration(body)
}

func (c Configz) configuration(body []byte) (json.RawMessage, error) {
	if len(body) > longestConfigz {
		return nil, &Error{BadAnswer, fmt.Sprintf("%sthe answer has more than %d bytes; is it a kubelet?", c.at(), longestConfigz)}
	}
	if !json.Valid(body) {
		return nil, &Error{BadAnswer, c.at() + "the answer is not a JSON; is it a kubelet?"}
	}
	var envelope struct {
		Configuration json.RawMessage `json:"kubeletconfig"`
	}
	if json.Unmarshal(body, &envelope) != nil || len(envelope.Configuration) == 0 || envelope.Configuration[0] != '{' {
		return nil, &Error{BadAnswer, "the kubelet's /configz answers no object kubeletconfig; is it a kubelet?"}
	}
	return envelope.Configuration, nil
}

func (c Configz) address() (*url.URL, error) {
	address, err := url.Parse("https://" + net.JoinHostPort(c.Host, strconv.Itoa(c.Port)) + "/configz")
	if err != nil || c.Host == "" || strings.ContainsAny(c.Host, " /@[]") || strings.Contains(c.Host, ":") && net.ParseIP(c.Host) == nil {
		return nil, &Error{NotFound, "'" + c.Host + "' is not a host: give the address of the agent's node"}
	}
	return address, nil
}

func (c Configz) trust() (*tls.Config, error) {
	if c.Insecure {
		return &tls.Config{InsecureSkipVerify: true}, nil
	}
	authorities, err := credentials.Authorities(c.AuthoritiesFile)
	return &tls.Config{RootCAs: authorities}, err
}

// refused explains a status. A kubelet that refuses names the subresources that it has asked the API server about
// (InstallAuthFilter in pkg/kubelet/server/server.go); configz is one of them only with fine-grained authorization (KEP-2862).
func (c Configz) refused(status int, reply string) *Error {
	switch status {
	case http.StatusUnauthorized:
		return &Error{Forbidden, c.at() + "HTTP 401, the kubelet does not accept the agent's token: let the kubelet run" +
			" with authentication.webhook.enabled"}
	case http.StatusForbidden:
		if strings.Contains(reply, "subresource") && !strings.Contains(reply, "configz") {
			return &Error{Forbidden, c.at() + "HTTP 403, as from kubelets before Kubernetes 1.33, which require nodes/proxy, a right that no agent" +
				" should have: upgrade the node, on 1.32 switch on the feature gate KubeletFineGrainedAuthz, or write spec.kubelet by hand"}
		}
		return &Error{Forbidden, c.at() + "HTTP 403: the agent's ClusterRole needs the verb get on nodes/configz"}
	case http.StatusNotFound:
		return &Error{NotFound, c.at() + "HTTP 404: the kubelet serves it only with enableDebuggingHandlers: true, its default"}
	}
	return &Error{BadAnswer, fmt.Sprintf("%sHTTP %d; asked again later", c.at(), status)}
}

func (c Configz) explain(err error) *Error {
	var asked *url.Error
	if errors.As(err, &asked) {
		err = asked.Err // the address is named already
	}
	why := c.at() + err.Error()
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{TimedOut, fmt.Sprintf("%sno whole answer in time (%d ms); asked again later", c.at(), c.Timeout.Milliseconds())}
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &record), errors.As(err, &alert):
		return &Error{Untrusted, why + "; give the authority that signed the kubelet's certificate (serverTLSBootstrap: true" +
			" lets the cluster sign it), or allow any certificate"}
	}
	return &Error{Unreachable, why + "; the kubelet restarts or is down, asked again later"}
}

func (c Configz) at() string {
	return "https://" + net.JoinHostPort(c.Host, strconv.Itoa(c.Port)) + "/configz: "
}
