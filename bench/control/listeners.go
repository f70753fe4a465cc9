package main

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	livezPath = "/livez"
	// As the chart's livenessProbe: six failures in a row, 20 s apart, each of at most 5 s.
	probeTimeout    = 5 * time.Second
	livenessPeriod  = 120 * time.Second
	probeInterval   = time.Second
	toleratedMisses = 1 // in a row: one probe may fall into a pause of a busy machine
)

// readPID reads the process id of a replica from the file that faults.sh keeps of it.
func readPID(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return pid, nil
}

// listeners are the TCP addresses that a process listens on, in its own network namespace, made ones that can be dialled.
func listeners(pid int) ([]netip.AddrPort, error) {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	descriptors, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{} // inodes of its sockets
	for _, descriptor := range descriptors {
		target, _ := os.Readlink(filepath.Join(folder, descriptor.Name()))
		if inode, found := strings.CutPrefix(target, "socket:["); found {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var found []netip.AddrPort
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if errors.Is(err, os.ErrNotExist) {
			continue // a kernel without IPv6
		} else if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			address, inode, listening := parseSocket(line)
			if listening && own[inode] && !slices.Contains(found, address) {
				found = append(found, address)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("process %d listens on no port", pid)
	}
	return found, nil
}

// parseSocket reads a line of /proc/net/tcp or tcp6: addresses are words of 32 bits in the byte order of the machine.
func parseSocket(line string) (address netip.AddrPort, inode string, listening bool) {
	const stateListen = "0A"
	fields := strings.Fields(line)
	if len(fields) < 10 || fields[3] != stateListen {
		return netip.AddrPort{}, "", false
	}
	host, port, _ := strings.Cut(fields[1], ":")
	octets, err := hex.DecodeString(host)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(octets)%4 != 0 {
		return netip.AddrPort{}, "", false
	}
	for i := 0; i < len(octets); i += 4 {
		binary.NativeEndian.PutUint32(octets[i:], binary.BigEndian.Uint32(octets[i:]))
	}
	ip, _ := netip.AddrFromSlice(octets)
	ip = ip.Unmap()
	if ip.IsUnspecified() {
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.AddrPortFrom(ip, uint16(number)), fields[9], true
}

// probe asks once, over a connection of its own as a kubelet does.
func probe(ctx context.Context, url string) error {
	client := &http.Client{Timeout: probeTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, response.Status)
	}
	return nil
}

// findPath is the address of the first listener that answers the path with 200: which one serves probes is not ours to know.
func findPath(ctx context.Context, addresses []netip.AddrPort, path string) (string, error) {
	var last error
	for _, address := range addresses {
		url := "http://" + address.String() + path
		if last = probe(ctx, url); last == nil {
			return url, nil
		}
	}
	return "", fmt.Errorf("no listener of %v answers %s with 200: %w", addresses, path, last)
}

// Liveness polls /livez once a second and notes when it would have been missed.
type Liveness struct {
	mutex  sync.Mutex
	polls  int
	missed int // in a row
	worst  int
	last   error
}

func (l *Liveness) note(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.polls++
	if err == nil {
		l.missed = 0
		return
	}
	l.missed++
	if l.missed >= l.worst {
		l.worst, l.last = l.missed, err
	}
}

// verdict is what was wrong; empty: nothing.
func (l *Liveness) verdict() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.worst <= toleratedMisses {
		return ""
	}
	return fmt.Sprintf("%d probes of %s in a row failed, of %d: %v", l.worst, livezPath, l.polls, l.last)
}

func (l *Liveness) poll(ctx context.Context, url string) {
	ticker := time.NewTicker(probeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := probe(ctx, url); ctx.Err() == nil {
				l.note(err)
			}
		}
	}
}

// alive has an action happen while /livez of the operator is polled. The process must be the same one afterwards.
func alive(action func(context.Context, *FaultRun) error) func(context.Context, *FaultRun) error {
	return func(ctx context.Context, run *FaultRun) error {
		pid, err := readPID(run.pidFile)
		if err != nil {
			return err
		}
		addresses, err := listeners(pid)
		if err != nil {
			return err
		}
		url, err := findPath(ctx, addresses, livezPath)
		if err != nil {
			return err
		}
		polling, stop := context.WithCancel(ctx)
		liveness := &Liveness{}
		var poller sync.WaitGroup
		poller.Go(func() { liveness.poll(polling, url) })
		err = action(ctx, run)
		stop()
		poller.Wait()
		if what := liveness.verdict(); what != "" {
			run.violate("dead", "%s", what)
		}
		if now, _ := readPID(run.pidFile); now != pid {
			run.violate("dead", "the operator's process was %d and is %d", pid, now)
		}
		return err
	}
}

// halves are requests that never end: nothing at all, half a line, a line without headers, headers without their end, and
// headers that promise a body.
var halves = []string{
	"",
	"GET /live",
	"GET /metrics HTTP/1.1\r\n",
	"GET /nodes HTTP/1.1\r\nHost: a\r\nX-Half: ",
	"POST /readyz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nx",
}

const (
	attackers  = 4
	halvesEach = 60 // and as many that never read their answers, which can hold a thread as well
)

// holdHalfRequests opens hundreds of connections to every listener, from several addresses, and holds them for as long as it takes a
// kubelet to give up. Those that the operator closes are opened again.
func holdHalfRequests(ctx context.Context, run *FaultRun) error {
	pid, err := readPID(run.pidFile)
	if err != nil {
		return err
	}
	addresses, err := listeners(pid)
	if err != nil {
		return err
	}
	holding, stop := context.WithTimeout(ctx, run.scenario.Hold)
	defer stop()
	var group sync.WaitGroup
	deaf := strings.Repeat("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 200)
	for _, address := range addresses {
		for i := range halvesEach {
			for _, half := range halves {
				group.Go(func() { holdOpen(holding, attacker(i), address.String(), half) })
			}
			group.Go(func() { holdOpen(holding, attacker(i), address.String(), deaf) })
		}
	}
	group.Wait()
	return ctx.Err()
}

// attacker is an address to attack from; one of them is also that of the probes.
func attacker(number int) net.IP { return net.IPv4(127, 0, 0, byte(1+number%attackers)) }

// holdOpen holds one connection, and opens another one when it is closed.
func holdOpen(ctx context.Context, from net.IP, address, text string) {
	for ctx.Err() == nil {
		holdOnce(ctx, from, address, text)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func holdOnce(ctx context.Context, from net.IP, address, text string) {
	dialer := net.Dialer{Timeout: probeTimeout, LocalAddr: &net.TCPAddr{IP: from}}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	if _, err := connection.Write([]byte(text)); err != nil {
		return
	}
	// Not read: an answer that nobody takes fills the buffers. That the other side has closed is seen by writing.
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if _, err := connection.Write([]byte("x")); err != nil {
				return
			}
		}
	}
}
