package writer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
)

// Server takes one request from each connection to a UNIX domain socket, one connection after the other. A client that says
// nothing, or does not read its reply, is dropped after a time.
type Server struct {
	log      *slog.Logger
	writer   *Writer
	patience time.Duration
	listener net.Listener
}

// Listen makes the socket; a file that an earlier run has left there is removed. Only the owner of the process may connect,
// which the umask ensures. Patience is how long a client may take to say its line, and again to read the reply.
func Listen(log *slog.Logger, w *Writer, socket string, patience time.Duration) (*Server, error) {
	socket, err := filepath.Abs(socket)
	if err != nil {
		return nil, err
	}
	directory := filepath.Dir(socket)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, err
	}
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	if err := requireClosed(socket, directory); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &Server{log, w, patience, listener}, nil
}

// requireClosed returns an error if others may connect. It does not change the mode: that follows links, and others may write
// to this folder.
func requireClosed(socket, directory string) error {
	file, err := os.Lstat(socket)
	if err != nil {
		return err
	}
	folder, err := os.Lstat(directory)
	if err != nil {
		return err
	}
	if file.Mode()&0o022 != 0 && folder.Mode()&0o011 != 0 {
		return fmt.Errorf("%s is open to other users: start the writer with the umask 022 or 077", socket)
	}
	return nil
}

// Serve serves until Close. It returns an error if no connection can be taken any more.
func (s *Server) Serve() error {
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.serve(conn); err != nil {
			// The client's fault or loss; whatever it asked for is done or not begun.
			s.log.Info("connection dropped: " + err.Error())
		}
	}
}

// Close stops listening and removes the socket; it restores nothing.
func (s *Server) Close() error { return s.listener.Close() }

func (s *Server) serve(conn net.Conn) error {
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(s.patience)); err != nil {
		return err
	}
	line, err := knob.ReadLine(conn, knob.MaxRequest)
	var tooLong *knob.TooLongError
	var reply []byte
	switch {
	case errors.As(err, &tooLong):
		reply, err = knob.EncodeError(err.Error() + ": write a shorter request")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ended before its line did")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("it took too long")
	case err == nil:
		reply, err = s.reply(line)
	}
	if err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Now().Add(s.patience)); err != nil {
		return err
	}
	_, err = conn.Write(reply)
	return err
}

func (s *Server) reply(line []byte) ([]byte, error) {
	states, err := s.answer(line)
	if err != nil {
		s.log.Warn("refused: " + err.Error())
		return knob.EncodeError(err.Error())
	}
	return knob.EncodeReply(states)
}

func (s *Server) answer(line []byte) ([]api.KnobState, error) {
	request, err := knob.DecodeRequest(line)
	if err != nil {
		return nil, err
	}
	switch request.Op {
	case knob.Apply:
		return s.writer.Apply(request.Settings, request.CPUs)
	case knob.Restore:
		return s.writer.Restore()
	default:
		return s.writer.Status()
	}
}
