// Package strictjson reads JSON of which everything is known beforehand: objects and text. It refuses what encoding/json
// forgives: duplicate fields, bytes that are not UTF-8, and text after the value.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"numaspark.io/agent/internal/text"
)

// SyntaxError says that a text is not JSON, or has a field twice. Its text is safe for messages.
type SyntaxError struct{ Reason string }

func (e *SyntaxError) Error() string { return e.Reason }

// ErrTrailing says that something follows the value.
var ErrTrailing = errors.New("something follows the value")

// Decoder reads one value, token by token, so that nothing of a hostile text is built up in memory.
type Decoder struct{ tokens *json.Decoder }

// NewDecoder reads from a text, which the caller has bounded.
func NewDecoder(source []byte) (*Decoder, error) {
	if !utf8.Valid(source) {
		return nil, &SyntaxError{"it is not UTF-8"}
	}
	return &Decoder{json.NewDecoder(bytes.NewReader(source))}, nil
}

// Object reads an object and calls member after each name, which has to read the value. What names it in errors.
func (d *Decoder) Object(what string, member func(name string) error) error {
	return d.group(what, '{', '}', "an object", func() error {
		names := map[string]bool{}
		for d.tokens.More() {
			token, err := d.token()
			if err != nil {
				return err
			}
			name, _ := token.(string) // the decoder takes nothing else for a name
			if names[name] {
				return &SyntaxError{fmt.Sprintf("Duplicate field '%s'", text.Quote(name))}
			}
			names[name] = true
			if err := member(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// Array reads an array and calls element before each value, which it has to read.
func (d *Decoder) Array(what string, element func() error) error {
	return d.group(what, '[', ']', "an array", func() error {
		for d.tokens.More() {
			if err := element(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Decoder) group(what string, open, end json.Delim, kind string, content func() error) error {
	token, err := d.token()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if token != open {
		return fmt.Errorf("%s: is not %s: write %s", what, kind, kind)
	}
	if err := content(); err != nil {
		return err
	}
	if token, err = d.token(); errors.Is(err, io.EOF) || err == nil && token != end {
		return &SyntaxError{"it ends in the middle of " + kind}
	}
	return err
}

// Text reads a string.
func (d *Decoder) Text(what string) (string, error) {
	token, err := d.token()
	if err != nil {
		return "", err
	}
	read, ok := token.(string)
	if !ok {
		return "", fmt.Errorf("%s: is not text: write text", what)
	}
	return read, nil
}

// Bool reads true or false.
func (d *Decoder) Bool(what string) (bool, error) {
	token, err := d.token()
	if err != nil {
		return false, err
	}
	read, ok := token.(bool)
	if !ok {
		return false, fmt.Errorf("%s: is not true or false: write one of them", what)
	}
	return read, nil
}

// End returns ErrTrailing if something follows the value.
func (d *Decoder) End() error {
	_, err := d.token()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return ErrTrailing
	}
}

// token wraps what the decoder says of a text that is not JSON.
func (d *Decoder) token() (json.Token, error) {
	token, err := d.tokens.Token()
	if err == nil || err == io.EOF {
		return token, err
	}
	return nil, &SyntaxError{text.Quote(err.Error())}
}
