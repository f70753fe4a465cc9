// Command serve makes a node in a folder, prints what the agent is started with, a variable a line, and ends when its standard
// input does.
package main

import (
	"fmt"
	"io"
	"os"

	"numaspark.io/agent/internal/fakenode"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: serve FOLDER")
		os.Exit(2)
	}
	node, err := fakenode.Start(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer node.Stop()
	for name, value := range node.Environment() {
		fmt.Printf("%s=%s\n", name, value)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}
