// Package nonet takes the network from a process that needs UNIX sockets only.
package nonet

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// offsets into struct seccomp_data; both of our processors are little endian.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetFirst  = 16
	// x32 has the other numbers of amd64 processes; no other processor has so many.
	firstOfX32 = 0x40000000
)

// Enter makes all sockets but UNIX ones impossible for this process and all it starts, for ever: the kernel answers EPERM. It
// needs no privilege (seccomp(2), SECCOMP_SET_MODE_FILTER with no_new_privs).
func Enter() error {
	deny := uint32(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	// Each jump is relative to the next line: 8 denies, 9 allows.
	filter := []unix.SockFilter{
		load(offsetArch),
		jump(unix.BPF_JEQ, auditArch, 0, 6),
		load(offsetNumber),
		jump(unix.BPF_JGE, firstOfX32, 4, 0),
		jump(unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, 3, 0),
		jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 3),
		load(offsetFirst),
		jump(unix.BPF_JEQ, unix.AF_UNIX, 1, 0),
		{Code: unix.BPF_RET | unix.BPF_K, K: deny},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	// Both calls are about the thread that makes them, and goroutines change theirs.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("the kernel does not refuse new privileges: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// For all threads: the Go runtime has several by now.
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	return verdict(thread, errno)
}

// verdict reads the answer of seccomp(2): with SECCOMP_FILTER_FLAG_TSYNC a thread that cannot take the filter is no error, but the
// result.
func verdict(thread uintptr, errno unix.Errno) error {
	switch {
	case errno != 0:
		return fmt.Errorf("the kernel does not take a filter of system calls: %w", errno)
	case thread != 0:
		return fmt.Errorf("thread %d has a filter of system calls of its own, so that it does not take this one", thread)
	}
	return nil
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(condition uint16, value uint32, ifTrue, ifFalse uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | condition | unix.BPF_K, K: value, Jt: ifTrue, Jf: ifFalse}
}
