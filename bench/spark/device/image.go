package main

import (
	"context"
	"sync/atomic"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// image is the one file of the FUSE file system: memory behind a model of a device.
// A loop device on it is what the kernel takes for a disk.
type image struct {
	fs.Inode
	memory int // memfd: freed with the process, whatever happens
	size   int64
	model  model
	timed  atomic.Bool // false: no delays, to make the file system and to fill it
}

var (
	_ fs.NodeOpener    = (*image)(nil)
	_ fs.NodeGetattrer = (*image)(nil)
	_ fs.NodeSetattrer = (*image)(nil)
	_ fs.NodeReader    = (*image)(nil)
	_ fs.NodeWriter    = (*image)(nil)
	_ fs.NodeFsyncer   = (*image)(nil)
	_ fs.NodeAllocater = (*image)(nil)
)

// root is the folder that holds the image.
type root struct {
	fs.Inode
	image *image
}

var _ fs.NodeOnAdder = (*root)(nil)

func (r *root) OnAdd(ctx context.Context) {
	r.AddChild("disk", r.NewPersistentInode(ctx, r.image, fs.StableAttr{Mode: syscall.S_IFREG}), false)
}

func newImage(size int64, m model) (*image, error) {
	memory, err := unix.MemfdCreate("disk", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	if err := unix.Ftruncate(memory, size); err != nil {
		return nil, err
	}
	return &image{memory: memory, size: size, model: m}, nil
}

func (i *image) wait(offset, size int64) {
	if i.timed.Load() {
		i.model.serve(offset, size)
	}
}

func (i *image) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

func (i *image) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = 0o600
	out.Size = uint64(i.size)
	return 0
}

func (i *image) Setattr(ctx context.Context, f fs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return i.Getattr(ctx, f, out)
}

func (i *image) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	i.wait(off, int64(len(dest)))
	n, err := unix.Pread(i.memory, dest, off)
	if err != nil {
		return nil, fs.ToErrno(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (i *image) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	i.wait(off, int64(len(data)))
	n, err := unix.Pwrite(i.memory, data, off)
	if err != nil {
		return 0, fs.ToErrno(err)
	}
	return uint32(n), 0
}

// Fsync has nothing to do: a write is answered when the device has it.
func (i *image) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno { return 0 }

// Allocate is how a discard arrives; it takes no time, and gives the memory back.
func (i *image) Allocate(_ context.Context, _ fs.FileHandle, off, size uint64, mode uint32) syscall.Errno {
	return fs.ToErrno(unix.Fallocate(i.memory, mode|unix.FALLOC_FL_KEEP_SIZE, int64(off), int64(size)))
}
