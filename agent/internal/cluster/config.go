// Package cluster reads and writes the node's own SparkNodeTopology at the API server: the only object that the agent knows.
package cluster

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"k8s.io/client-go/rest"
)

// The API server itself stores no object of more than 1.5 MiB.
const longestAnswer = 2 << 20

// Config says where the API server is and how the agent proves who it is. The folder has the files token and ca.crt, as the
// kubelet mounts them for a service account; the token is read again when the kubelet has renewed it.
func Config(address, credentials, userAgent string) *rest.Config {
	config := &rest.Config{
		Host:            address,
		BearerTokenFile: filepath.Join(credentials, "token"),
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(credentials, "ca.crt")},
		UserAgent:       userAgent,
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return bounded{next} })
	return config
}

// bounded refuses answers that nobody needs, and to be sent elsewhere: the client library would take the token along. Events of
// a watch are bounded by the frames of the library.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 == 3 {
		answer.Body.Close()
		return nil, fmt.Errorf("the API server answers %d, which the agent does not follow", answer.StatusCode)
	}
	if request.URL.Query().Get("watch") != "true" {
		answer.Body = &boundedBody{answer.Body, longestAnswer}
	}
	return answer, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the API server's answer has more than %d bytes", longestAnswer)
	}
	return n, err
}
