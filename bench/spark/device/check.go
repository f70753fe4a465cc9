package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	checkFile   = 16 << 20
	checkBuffer = 64 << 10
)

// check prints the throughput of the file system on the device with 1 to 32 sequential streams, as Markdown.
func check(img *image, mount string) error {
	fmt.Println("| streams | read, MB/s | seeks | write, MB/s | seeks |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: |")
	for streams := 1; streams <= 32; streams *= 2 {
		img.timed.Store(false)
		if _, err := inParallel(streams, mount, writeFile); err != nil {
			return err
		}
		if err := drop(mount); err != nil {
			return err
		}
		img.timed.Store(true)
		before := img.model.counters()
		reading, err := inParallel(streams, mount, readFile)
		if err != nil {
			return err
		}
		between := img.model.counters()
		writing, err := inParallel(streams, mount, writeFile)
		if err != nil {
			return err
		}
		after := img.model.counters()
		megabytes := float64(streams*filesOf(streams)*checkFile) / 1e6
		fmt.Printf("| %d | %.0f | %d | %.0f | %d |\n", streams, megabytes/reading.Seconds(), between.Seeks-before.Seeks,
			megabytes/writing.Seconds(), after.Seeks-between.Seeks)
	}
	return nil
}

// filesOf gives few streams several files each, so that a measurement does not end at once.
func filesOf(streams int) int {
	return max(1, 8/streams)
}

func inParallel(streams int, mount string, do func(string) error) (time.Duration, error) {
	start := time.Now()
	var all sync.WaitGroup
	failures := make(chan error, streams)
	for i := range streams {
		all.Go(func() {
			for k := range filesOf(streams) {
				if err := do(filepath.Join(mount, fmt.Sprintf("check-%d-%d", i, k))); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	all.Wait()
	select {
	case err := <-failures:
		return 0, err
	default:
		return time.Since(start), nil
	}
}

func readFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffer := make([]byte, checkBuffer)
	for range checkFile / checkBuffer {
		if _, err := file.Read(buffer); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffer := make([]byte, checkBuffer)
	for range checkFile / checkBuffer {
		if _, err := file.Write(buffer); err != nil {
			return err
		}
	}
	return file.Sync()
}
