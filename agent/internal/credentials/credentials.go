// Package credentials reads the token and the authorities of the pod's service account.
package credentials

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	// Tokens of service accounts have about 1 KiB.
	longestToken = 64 << 10
	// A cluster has a few authorities, each of some KiB.
	longestAuthorities = 256 << 10
)

// Token reads a bearer token. It is read anew for each request because the kubelet renews it. Errors name the file, never its text.
func Token(file string) (string, error) {
	text, err := read(file, longestToken)
	if err != nil {
		return "", fmt.Errorf("the token %s cannot be read: let the pod mount its service account's token: %w", file, err)
	}
	token := strings.TrimSpace(string(text))
	// What is not a token must not get into a header, whose errors quote it.
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", fmt.Errorf("the file %s has no token: let the pod mount its service account's token", file)
	}
	return token, nil
}

// Authorities reads certificates in PEM form.
func Authorities(file string) (*x509.CertPool, error) {
	pem, err := read(file, longestAuthorities)
	if err != nil {
		return nil, fmt.Errorf("the authorities' file %s cannot be read: mount it there: %w", file, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificates in PEM form", file)
	}
	return pool, nil
}

func read(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, unwrapPath(err)
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return text, nil
}

// unwrapPath leaves out the path, which our own messages have already.
func unwrapPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
