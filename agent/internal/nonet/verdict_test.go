package nonet

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestAThreadThatKeepsItsNetworkIsAnError(t *testing.T) {
	for _, c := range []struct {
		thread uintptr
		errno  unix.Errno
		fine   bool
	}{{0, 0, true}, {4711, 0, false}, {^uintptr(0), unix.EINVAL, false}} {
		if err := verdict(c.thread, c.errno); (err == nil) != c.fine {
			t.Errorf("%d, %d: %v", c.thread, c.errno, err)
		}
	}
}
