package smt

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
	"numaspark.io/agent/internal/text"
)

const (
	reservation   = "reservedSystemCPUs"
	longestConfig = 1 << 20
	usualHealth   = 10248
)

// configured is what the merged configuration says, as far as a switch needs it.
type configured struct {
	// file sets reservedSystemCPUs; empty if no file does.
	file string
	// token is the value as it is written there, with its quotes.
	token    string
	reserved cpuset.CPUSet
	// health is the address of the kubelet's check of itself; empty if it has none.
	health string
}

// readConfig merges the files as the kubelet does: the last one that has a field decides, and null removes it.
func readConfig(host Host, files []string) (configured, error) {
	merged := configured{}
	port, address := usualHealth, "127.0.0.1"
	for _, file := range files {
		content, err := host.Read(file, longestConfig)
		if err != nil {
			return merged, fmt.Errorf("the kubelet's configuration cannot be read: %w", err)
		}
		document, err := parse(content)
		if err != nil {
			return merged, fmt.Errorf("%s: %w", text.Quote(file), err)
		}
		if value := document.field(reservation); value != nil {
			if merged.file, merged.token, err = "", "", nil; !isEmpty(value) {
				if merged.token, err = document.token(value); err == nil {
					merged.reserved, err = cpus.Parse(value.Value)
				}
				if err != nil {
					return merged, fmt.Errorf("%s: %s: %w", text.Quote(file), reservation, err)
				}
				merged.file = file
			}
		}
		if value := document.field("healthzPort"); value != nil {
			port = usualHealth
			if !isNull(value) {
				if port, err = strconv.Atoi(value.Value); err != nil || port < 0 || port > 65535 {
					return merged, fmt.Errorf("%s: healthzPort: '%s' is not a port", text.Quote(file), text.Quote(value.Value))
				}
			}
		}
		if value := document.field("healthzBindAddress"); value != nil {
			address = value.Value
		}
	}
	if ip := net.ParseIP(cmp.Or(address, "127.0.0.1")); port > 0 && ip != nil {
		if ip.IsUnspecified() {
			ip = net.IPv4(127, 0, 0, 1)
		}
		merged.health = net.JoinHostPort(ip.String(), strconv.Itoa(port))
	}
	return merged, nil
}

func isNull(value *yaml.Node) bool { return value.Tag == "!!null" }

func isEmpty(value *yaml.Node) bool {
	return isNull(value) || value.Kind == yaml.ScalarNode && strings.TrimSpace(value.Value) == ""
}

// document is a file of the kubelet's configuration.
type document struct {
	content []byte
	root    *yaml.Node
}

func parse(content []byte) (document, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(content, &node); err != nil {
		return document{}, fmt.Errorf("is not YAML: %s", text.Quote(err.Error()))
	}
	if len(node.Content) == 0 {
		return document{content, &yaml.Node{Kind: yaml.MappingNode}}, nil // an empty drop-in
	}
	if node.Content[0].Kind != yaml.MappingNode {
		return document{}, errors.New("is not a mapping of fields")
	}
	return document{content, node.Content[0]}, nil
}

// field is the value of a field of the root; nil if there is none.
func (d document) field(name string) *yaml.Node {
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if d.root.Content[i].Value == name {
			return d.root.Content[i+1]
		}
	}
	return nil
}

// token is a value as it is written in the file.
func (d document) token(value *yaml.Node) (string, error) {
	start, end, err := d.place(value)
	if err != nil {
		return "", err
	}
	return string(d.content[start:end]), nil
}

// place returns where a value of one line begins and ends in the file.
func (d document) place(value *yaml.Node) (start, end int, err error) {
	unclear := errors.New("is written in an unusual way: write it as one text on the line of its name, such as \"0,1\"")
	if value.Kind != yaml.ScalarNode {
		return 0, 0, unclear
	}
	for range value.Line - 1 {
		line := bytes.IndexByte(d.content[start:], '\n')
		if line < 0 {
			return 0, 0, unclear
		}
		start += line + 1
	}
	for range value.Column - 1 { // a column is a character
		_, size := utf8.DecodeRune(d.content[start:])
		start += size
	}
	rest := d.content[start:]
	for _, quote := range []string{`"`, `'`, ""} {
		written := quote + value.Value + quote
		if !bytes.HasPrefix(rest, []byte(written)) {
			continue
		}
		if after := rest[len(written):]; quote != "" || len(after) == 0 || bytes.ContainsAny(after[:1], " \t\r\n,}") {
			return start, start + len(written), nil
		}
	}
	return 0, 0, unclear
}

// withReserved returns the file with another value of reservedSystemCPUs, and everything else as it was.
func withReserved(content []byte, token string) ([]byte, error) {
	before, err := parse(content)
	if err != nil {
		return nil, err
	}
	value := before.field(reservation)
	if value == nil {
		return nil, fmt.Errorf("%s is not there any more: another program has changed the file meanwhile", reservation)
	}
	start, end, err := before.place(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reservation, err)
	}
	changed := bytes.Join([][]byte{content[:start], []byte(token), content[end:]}, nil)
	return changed, sameBut(content, changed)
}

// sameBut makes sure that the change has changed one field alone.
func sameBut(before, after []byte) error {
	var was, is map[string]any
	if err := errors.Join(yaml.Unmarshal(before, &was), yaml.Unmarshal(after, &is)); err != nil {
		return fmt.Errorf("cannot be changed: %s", text.Quote(err.Error()))
	}
	delete(was, reservation)
	delete(is, reservation)
	if !reflect.DeepEqual(was, is) {
		return fmt.Errorf("%s cannot be changed without changing other fields: write it as one text on a line of its own", reservation)
	}
	return nil
}

// quoted is a list of CPUs as YAML and JSON have it.
func quoted(list string) string { return `"` + list + `"` }

// unquoted is the list of a token.
func unquoted(token string) string { return strings.Trim(token, `"'`) }
