package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The random cases that the Java tests read: enough to meet every rule, few enough to keep in the repository.
const (
	recordedSeed  = 36
	recordedCount = 400
)

func record(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := writeFile(filepath.Join(folder, "named.jsonl"), func(out *bufio.Writer) error {
		for _, c := range namedCases() {
			recorded := withAnswer(c)
			if recorded.Expect.Error != "" {
				return fmt.Errorf("case %s: %s", c.ID, recorded.Expect.Error)
			}
			if err := writeLine(out, recorded); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, "generated.jsonl"), func(out *bufio.Writer) error {
		s := selection{seed: recordedSeed, count: recordedCount}
		return s.each(func(c Case) error { return writeLine(out, withAnswer(c)) })
	})
}

// differences writes what this version of the kubelet answers to the recorded cases, if it is not what is recorded.
func differences(folder string) error {
	numbers := strings.SplitN(strings.TrimPrefix(kubernetesVersion(), "v"), ".", 3)
	if len(numbers) < 3 {
		return fmt.Errorf("%q is not a version", kubernetesVersion())
	}
	return writeFile(filepath.Join(folder, numbers[0]+"."+numbers[1]+".jsonl"), func(out *bufio.Writer) error {
		for _, name := range []string{"named.jsonl", "generated.jsonl"} {
			if err := differencesFrom(filepath.Join(folder, name), out); err != nil {
				return err
			}
		}
		return nil
	})
}

func differencesFrom(path string, out *bufio.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		var recorded struct{ Expect json.RawMessage }
		if err := json.Unmarshal([]byte(line), &recorded); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		c, err := parseCase([]byte(line))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		here := answer(c)
		same, err := isSame(here, recorded.Expect)
		if err != nil {
			return err
		}
		if same {
			continue
		}
		if err := writeLine(out, here); err != nil {
			return err
		}
	}
	return nil
}

// isSame compares outcomes, but not the texts of start errors and panics, which change without a reason.
func isSame(here Answer, recorded json.RawMessage) (bool, error) {
	var outcome struct{ StartError, Panic string }
	if err := json.Unmarshal(recorded, &outcome); err != nil {
		return false, err
	}
	if here.StartError != "" || here.Panic != "" {
		return (here.StartError != "") == (outcome.StartError != "") && (here.Panic != "") == (outcome.Panic != ""), nil
	}
	here.ID = ""
	text, err := encode(here)
	return string(text) == string(recorded), err
}

func writeFile(path string, write func(*bufio.Writer) error) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeError := file.Close(); err == nil {
			err = closeError
		}
	}()
	return write(bufio.NewWriter(file))
}
