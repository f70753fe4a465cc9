package knob

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/strictjson"
	"numaspark.io/agent/internal/text"
)

const (
	// MaxRequest is the length of the longest request, in bytes without its line feed.
	MaxRequest = 64 << 10

	// MaxReply is that of the longest reply: a state for each knob, with lists of up to 8192 CPUs.
	MaxReply = 1 << 20
)

// Op is what the writer can be asked for.
type Op string

// The operations.
const (
	Apply   Op = "apply"   // set these knobs, and restore all others
	Restore Op = "restore" // restore everything
	Status  Op = "status"  // read back
)

// Request is a line to the writer. Settings and CPUs belong to Apply.
type Request struct {
	Op       Op
	Settings Settings
	CPUs     *cpuset.CPUSet // CPUs whose cores' prefetchers are set; nil for all
}

// Encode returns the request as a line.
func (r Request) Encode() ([]byte, error) {
	message := struct {
		Op       Op      `json:"op"`
		Settings any     `json:"settings,omitempty"`
		CPUs     *string `json:"cpus,omitempty"`
	}{Op: r.Op}
	if r.Op == Apply {
		message.Settings = r.Settings
		if r.CPUs != nil {
			list := r.CPUs.String()
			message.CPUs = &list
		}
	}
	return line(message)
}

// DecodeRequest reads a request without its line feed. Everything that is not exactly a request is refused; the error names
// what is not understood, and is one line.
func DecodeRequest(source []byte) (Request, error) {
	var op, list *string
	var settings map[string]string
	decoder, err := strictjson.NewDecoder(source)
	if err == nil {
		err = decoder.Object("a request", func(field string) error {
			switch field {
			case "op":
				return readText(decoder, field, &op)
			case "cpus":
				return readText(decoder, field, &list)
			case "settings":
				settings, err = readTexts(decoder, field)
				return err
			}
			return fmt.Errorf("'%s' is not a field of a request: write op, settings, cpus", text.Quote(field))
		})
	}
	if err == nil {
		err = decoder.End()
	}
	var syntax *strictjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return Request{}, fmt.Errorf("the line is not JSON: %w", err)
	case errors.Is(err, strictjson.ErrTrailing):
		return Request{}, errors.New("more than one object in a line: write one a line")
	case err != nil:
		return Request{}, err
	}
	return request(op, settings, list)
}

func request(op *string, settings map[string]string, list *string) (Request, error) {
	if op == nil {
		return Request{}, errors.New("op: is missing: write apply, restore or status")
	}
	r := Request{Op: Op(*op)}
	switch r.Op {
	case Apply:
	case Restore, Status:
		if settings != nil || list != nil {
			return Request{}, fmt.Errorf("op: %s takes neither settings nor cpus: leave them out", r.Op)
		}
		return r, nil
	default:
		return Request{}, fmt.Errorf("op: '%s' is unknown: write apply, restore or status", text.Quote(*op))
	}
	if settings == nil {
		return Request{}, errors.New("settings: is missing: write at least {}")
	}
	var err error
	if r.Settings, err = ParseSettings(settings); err != nil {
		return Request{}, err
	}
	if list != nil {
		set, err := cpus.Parse(*list)
		if err != nil {
			return Request{}, fmt.Errorf("cpus: '%s' is not a list of CPUs: write for example 0-3,8", text.Quote(*list))
		}
		r.CPUs = &set
	}
	return r, nil
}

// EncodeReply returns states as a line.
func EncodeReply(states []api.KnobState) ([]byte, error) {
	if states == nil {
		states = []api.KnobState{}
	}
	return line(struct {
		Knobs []api.KnobState `json:"knobs"`
	}{states})
}

// EncodeError returns a refusal as a line.
func EncodeError(message string) ([]byte, error) {
	return line(struct {
		Error string `json:"error"`
	}{message})
}

// RefusedError has the writer's words about a request that it refused.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "the writer refuses: " + e.Reason }

// DecodeReply reads a reply. Its error is a *RefusedError if the writer has refused the request.
func DecodeReply(source []byte) ([]api.KnobState, error) {
	states := []api.KnobState{}
	known := false
	decoder, err := strictjson.NewDecoder(source)
	if err == nil {
		err = decoder.Object("a reply", func(field string) error {
			switch field {
			case "error":
				reason, err := decoder.Text(field)
				if err != nil {
					return err
				}
				return &RefusedError{reason}
			case "knobs":
				known = true
				return decoder.Array(field, func() error {
					state, err := readTexts(decoder, "a state")
					states = append(states, api.KnobState{
						Name: state["name"], Wanted: state["wanted"], Actual: state["actual"], State: state["state"],
						DifferingCPUs: state["differingCpus"], Message: state["message"],
					})
					return err
				})
			}
			return fmt.Errorf("'%s' is not a field of a reply", text.Quote(field))
		})
	}
	if err == nil {
		err = decoder.End()
	}
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, refused
	case err != nil:
		return nil, fmt.Errorf("the writer's reply is not understood: %w", err)
	case !known:
		return nil, errors.New("the writer's reply has neither knobs nor error")
	}
	return states, nil
}

func readText(decoder *strictjson.Decoder, field string, into **string) error {
	read, err := decoder.Text(field)
	*into = &read
	return err
}

func readTexts(decoder *strictjson.Decoder, what string) (map[string]string, error) {
	texts := map[string]string{}
	return texts, decoder.Object(what, func(name string) (err error) {
		texts[name], err = decoder.Text(text.Quote(name))
		return err
	})
}

func line(message any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out) // which ends with a line feed
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(message)
	return out.Bytes(), err
}

// TooLongError says that a line has more bytes than its limit.
type TooLongError struct{ Limit int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("the line is longer than %d bytes", e.Limit)
}

// ReadLine reads one line of at most limit bytes and returns it without its line feed; what follows is lost. Its error is a
// *TooLongError if the line is longer, and io.ErrUnexpectedEOF if it has no end.
func ReadLine(r io.Reader, limit int) ([]byte, error) {
	read, err := bufio.NewReader(io.LimitReader(r, int64(limit)+1)).ReadBytes('\n')
	switch {
	case err == nil:
		return read[:len(read)-1], nil
	case err == io.EOF && len(read) > limit:
		return nil, &TooLongError{limit}
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	}
	return nil, err
}
