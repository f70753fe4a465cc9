package main

import (
	"sync"
	"testing"
	"time"
)

func TestSeekGrowsWithTheSquareRootOfTheDistance(t *testing.T) {
	disk := hardDisk()
	near, far := disk.seek(1e9)-disk.settle, disk.seek(4e9)-disk.settle
	if far < 2*near-time.Microsecond || far > 2*near+time.Microsecond {
		t.Errorf("4 times the distance: %v, want twice %v", far, near)
	}
	if disk.seek(0) != 0 {
		t.Error("a seek over no distance takes time")
	}
}

func TestNextSectorNeedsNoPositioning(t *testing.T) {
	disk := hardDisk()
	if wait := disk.positioning(1<<20, 1<<20, 12345); wait != 0 {
		t.Errorf("waits %v", wait)
	}
}

func TestRotationalLatencyIsHalfARevolutionOnAverage(t *testing.T) {
	disk := hardDisk()
	var sum time.Duration
	const n = 10000
	for i := range n {
		now := time.Duration(i) * 1237 * time.Microsecond
		wait := disk.positioning(0, 5e9, now) - disk.seek(5e9)
		if wait < 0 || wait >= disk.revolution {
			t.Fatalf("rotational latency of %v at %v", wait, now)
		}
		sum += wait
	}
	if mean := sum / n; mean < disk.revolution*45/100 || mean > disk.revolution*55/100 {
		t.Errorf("mean of %v, revolution of %v", mean, disk.revolution)
	}
}

func TestSlowerMultipliesAllTimes(t *testing.T) {
	disk, slow := hardDisk(), hardDisk().slower(4)
	near := func(a, b time.Duration) bool { return (a - b).Abs() < time.Microsecond }
	if !near(slow.transfer(1<<20), 4*disk.transfer(1<<20)) || !near(slow.seek(1e9), 4*disk.seek(1e9)) {
		t.Errorf("transfer %v and %v, seek %v and %v", disk.transfer(1<<20), slow.transfer(1<<20), disk.seek(1e9), slow.seek(1e9))
	}
}

func TestChoosesTheShortestPositioningUntilARequestIsOld(t *testing.T) {
	d := &disk{geometry: hardDisk(), epoch: time.Now()}
	now := d.epoch.Add(time.Second)
	pending := []*request{{offset: 9e9, arrived: now}, {offset: 4096, arrived: now}}
	if d.choose(pending, 4096, now) != 1 {
		t.Error("the next sector was not chosen")
	}
	pending[0].arrived = now.Add(-d.geometry.maxAge - 1)
	if d.choose(pending, 4096, now) != 0 {
		t.Error("the old request was passed over")
	}
}

func TestOneStreamIsFasterThanManyOnADiskOnly(t *testing.T) {
	streams := func(m model, n int) float64 {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				for k := range 16 / n {
					m.serve(int64(i)<<30+int64(k)<<17, 1<<17)
				}
			})
		}
		all.Wait()
		return m.counters().BusyS
	}
	if one, many := streams(newDisk(hardDisk()), 1), streams(newDisk(hardDisk()), 8); many < 2*one {
		t.Errorf("disk busy for %.3f s with one stream, %.3f s with eight", one, many)
	}
	if one, many := streams(solidState(), 1), streams(solidState(), 8); many > one*1.001 {
		t.Errorf("flash busy for %.4f s with one stream, %.4f s with eight", one, many)
	}
}
