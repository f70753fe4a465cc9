// Command serve makes a node in a folder, prints what the agent is started with, a variable a line, then ready, and ends with
// SIGTERM.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"numaspark.io/agent/internal/fakenode"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: serve FOLDER")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
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
	<-ctx.Done()
}
