package main

import (
	"math"
	"sync"
	"time"
)

// request is one read or write as the block layer sends it.
type request struct {
	offset, size int64
	arrived      time.Time
	done         chan struct{}
}

// model delays requests as a device would; serve returns when the device has finished the request.
type model interface {
	serve(offset, size int64)
	counters() counters
}

// counters add up what a device did since it was made.
type counters struct {
	Requests int64   `json:"requests"`
	Bytes    int64   `json:"bytes"`
	Seeks    int64   `json:"seeks"`
	BusyS    float64 `json:"busySeconds"`
}

// diskGeometry describes a disk with one head. The defaults are those of a 7200/min disk for servers.
type diskGeometry struct {
	bandwidth  float64       // bytes a second while the head stays on its track
	revolution time.Duration // 60 s / (revolutions a minute)
	settle     time.Duration // the shortest seek, from one track to the next
	stroke     time.Duration // a seek over the whole disk, in addition to settle
	capacity   int64         // bytes of the whole disk, of which the image is the first part
	maxAge     time.Duration // a request that has waited longer goes first
}

func hardDisk() diskGeometry {
	return diskGeometry{
		bandwidth:  150e6,
		revolution: time.Minute / 7200,
		settle:     time.Millisecond,
		stroke:     13 * time.Millisecond,
		capacity:   1e12,
		maxAge:     250 * time.Millisecond,
	}
}

// slower is the same disk in slow motion: all its times are multiplied.
func (g diskGeometry) slower(factor float64) diskGeometry {
	times := func(d time.Duration) time.Duration { return time.Duration(float64(d) * factor) }
	g.bandwidth /= factor
	g.revolution, g.settle, g.stroke, g.maxAge = times(g.revolution), times(g.settle), times(g.stroke), times(g.maxAge)
	return g
}

// seek is the time to move the head: the square root of the distance, as the arm accelerates and brakes
// (Ruemmler and Wilkes, An introduction to disk drive modeling, IEEE Computer 27(3), 1994).
func (g diskGeometry) seek(distance int64) time.Duration {
	if distance == 0 {
		return 0
	}
	return g.settle + time.Duration(float64(g.stroke)*math.Sqrt(float64(distance)/float64(g.capacity)))
}

// positioning is seek and rotational latency. The sector that follows the last one has neither: the disk reads on into its buffer.
func (g diskGeometry) positioning(head, offset int64, now time.Duration) time.Duration {
	if head == offset {
		return 0
	}
	seek := g.seek(max(head-offset, offset-head))
	track := g.bandwidth * g.revolution.Seconds()
	target := time.Duration(math.Mod(float64(offset), track) / track * float64(g.revolution))
	wait := (target - (now+seek)%g.revolution) % g.revolution
	if wait < 0 {
		wait += g.revolution
	}
	return seek + wait
}

func (g diskGeometry) transfer(size int64) time.Duration {
	return time.Duration(float64(size) / g.bandwidth * float64(time.Second))
}

// disk serves one request at a time, the one with the shortest positioning first.
// Limit: no write cache; what the kernel gathers before it writes is all the gathering there is.
type disk struct {
	geometry diskGeometry
	arrivals chan *request
	epoch    time.Time

	mu    sync.Mutex
	count counters
}

func newDisk(g diskGeometry) *disk {
	d := &disk{geometry: g, arrivals: make(chan *request, 1024), epoch: time.Now()}
	go d.run()
	return d
}

func (d *disk) serve(offset, size int64) {
	r := &request{offset: offset, size: size, arrived: time.Now(), done: make(chan struct{})}
	d.arrivals <- r
	<-r.done
}

func (d *disk) counters() counters {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// run keeps the disk's own clock (free): a late wake-up of this goroutine delays one request but never slows the disk down.
func (d *disk) run() {
	var pending []*request
	var head int64
	free := d.epoch
	for {
		if len(pending) == 0 {
			pending = append(pending, <-d.arrivals)
		}
		pending = d.drain(pending)
		next := d.choose(pending, head, free)
		r := pending[next]
		pending = append(pending[:next], pending[next+1:]...)

		start := free
		if r.arrived.After(start) {
			start = r.arrived
		}
		position := d.geometry.positioning(head, r.offset, start.Sub(d.epoch))
		service := position + d.geometry.transfer(r.size)
		free = start.Add(service)
		head = r.offset + r.size
		time.Sleep(time.Until(free))
		d.mu.Lock()
		d.count.Requests++
		d.count.Bytes += r.size
		d.count.BusyS += service.Seconds()
		if position > 0 {
			d.count.Seeks++
		}
		d.mu.Unlock()
		close(r.done)
	}
}

func (d *disk) drain(pending []*request) []*request {
	for {
		select {
		case r := <-d.arrivals:
			pending = append(pending, r)
		default:
			return pending
		}
	}
}

// choose is shortest positioning time first, with an age after which a request is not passed over any more.
func (d *disk) choose(pending []*request, head int64, free time.Time) int {
	best, bestTime := 0, time.Duration(math.MaxInt64)
	for i, r := range pending {
		if free.Sub(r.arrived) > d.geometry.maxAge {
			return i // pending is in the order of arrival
		}
		if t := d.geometry.positioning(head, r.offset, free.Sub(d.epoch)); t < bestTime {
			best, bestTime = i, t
		}
	}
	return best
}

// flash has a latency that requests wait for side by side, and a bus that carries one at a time. The defaults are a SATA drive's.
type flash struct {
	latency   time.Duration
	bandwidth float64 // bytes a second

	mu    sync.Mutex
	bus   time.Time // when the bus is free
	count counters
}

func solidState() *flash {
	return &flash{latency: 80 * time.Microsecond, bandwidth: 520e6}
}

func (f *flash) slower(factor float64) *flash {
	return &flash{latency: time.Duration(float64(f.latency) * factor), bandwidth: f.bandwidth / factor}
}

func (f *flash) serve(_, size int64) {
	transfer := time.Duration(float64(size) / f.bandwidth * float64(time.Second))
	f.mu.Lock()
	ready := time.Now().Add(f.latency)
	if f.bus.After(ready) {
		ready = f.bus
	}
	f.bus = ready.Add(transfer)
	done := f.bus
	f.count.Requests++
	f.count.Bytes += size
	f.count.BusyS += transfer.Seconds()
	f.mu.Unlock()
	time.Sleep(time.Until(done))
}

func (f *flash) counters() counters {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}
