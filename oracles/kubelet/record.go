package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
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
