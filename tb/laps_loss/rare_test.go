// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// drive is a cycle of a script.
type drive struct{ benchtest.Drive }

func (d drive) event(lane string, path, seq, latency uint64) {
	d.Set(lane+"_valid", 1)
	d.Set(lane+"_pid", path)
	d.Set(lane+"_seq", seq)
	d.Set(lane+"_latency_ns", latency)
}

func (d drive) send(path, seq, latency uint64) { d.event("s_send", path, seq, latency) }
func (d drive) ack(path, seq, latency uint64)  { d.event("s_ack", path, seq, latency) }

// crowd: for a round, all that is in stage 6 is of queue 3: two reports, and between them ACKs of a path that does
// not exist; an ACK of the first path has gone back. ACKs of queue 0 come behind it. Each time a cycle later in a round.
func crowd(d drive, c int) {
	d.Set("m_lost_ready", 1)
	d.Set("cfg_rto_min_ns", 100_000)
	n := uint64(c/401) * 64
	switch c %= 401; {
	case c < 24:
		d.send(3+4*uint64(c&1), n+uint64(c/2), 0)
	case c == 40:
		d.ack(3, n+10, 0)
	case c == 46:
		d.ack(7, n+10, 0)
	case c > 46 && c < 52:
		d.ack(11, 0, 0)
	case c == 52:
		d.ack(3, n+11, 0)
	case c > 55 && c < 106:
		d.ack(12, 0, 0)
	case c == 346:
		d.ack(7, n+11, 0)
	}
}

// jam: seven paths report into a full queue while the timer of path 0 has expired, and an ACK of path 0 goes back. Then
// the lost segments are taken, each time a cycle later.
func jam(d drive, c int) {
	paths := []uint64{1, 2, 3, 5, 6, 7, 9}
	d.Set("cfg_rto_min_ns", 100)
	n := uint64(c / 1200)
	c %= 1200
	now := n * 10_000
	switch {
	case c < 56:
		d.send(paths[c%7], 64*n+uint64(c/7), 4000)
	case c == 60:
		d.send(0, 64*n, 0)
	case c >= 70 && c < 77:
		d.ack(paths[c-70], 64*n+7, 0)
	case c == 400:
		d.ack(0, 64*n, 0)
	}
	if c >= 200 {
		now += 1000
	}
	if c < 60 || c >= 460+int(n%113) {
		d.Set("m_lost_ready", 1)
	}
	d.Set("now_ns", now)
}

// full: seven paths report into a full queue, and an ACK of path 0 waits in e1 for a slot; then more come than its
// queue takes.
func full(d drive, c int) {
	paths := []uint64{1, 2, 3, 5, 6, 7, 9}
	d.Set("cfg_rto_min_ns", 100_000)
	n := uint64(c / 1200)
	switch c %= 1200; {
	case c < 56:
		d.send(paths[c%7], 64*n+uint64(c/7), 4000)
	case c >= 70 && c < 77:
		d.ack(paths[c-70], 64*n+7, 0)
	case c == 400, c >= 440 && c < 460:
		d.ack(0, 64*n, 0)
	}
	if c < 60 || c >= 600 {
		d.Set("m_lost_ready", 1)
	}
}

// kept: reports of paths 1 to 3 fill the queue of lost segments, and one of path 0 waits. An ACK of path 0 goes back;
// its queue becomes full, and one more is offered that has another latency. Then all goes on, and the timer of the first
// has expired.
func kept(d drive, c int) {
	d.Set("now_ns", 1000)
	switch {
	case c < 48:
		d.send(1+uint64(c%3), uint64(c/3), 4000)
	case c < 60:
		d.send(0, uint64(c), 4000)
	case c >= 100 && c < 103:
		d.ack(1+uint64(c-100), 15, 4000)
	case c == 200:
		d.ack(0, 53, 4000)
	case c == 300:
		d.ack(0, 54, 0)
	case c >= 310 && c < 325:
		d.ack(4, 0, 0)
	case c >= 325 && c < 450:
		d.ack(4, 0, 8)
	case c >= 900:
		d.Set("now_ns", 1005)
	}
	if c >= 400 {
		d.Set("m_lost_ready", 1)
	}
}

// twin: the timer of path 1 is read after it has expired, while an ACK of it waits for room in the queue of lost segments;
// when the timer check enters, the timer is a new one, and an ACK of another path names the segment that is left. Then nothing comes of the path.
func twin(d drive, c int) {
	const round = 60_000 // all timers are read
	full := []uint64{2, 3, 6}
	d.Set("cfg_rto_min_ns", 100)
	switch {
	case c < 48:
		d.send(full[c%3], uint64(c/3), 100_000)
	case c >= 50 && c < 53:
		d.send(1, 950+uint64(c), 0)
	case c >= 70 && c < 73:
		d.ack(full[c-70], 15, 0)
	case c == 400:
		d.ack(1, 1001, 4000)
	case c >= 450+round && c < 600+round:
		d.ack(10+4*uint64(c-450-round), 1002, 0) // of a path each: none goes back behind another
	}
	if c >= 500+round {
		d.Set("m_lost_ready", 1)
	}
	switch {
	case c >= 1200+round:
		d.Set("now_ns", 1000+8000+1)
	case c >= 300:
		d.Set("now_ns", 1000)
	}
}

// doubted: the rings of paths 0 and 3 are full. A send on path 0 finds that, and much later one on path 3, which is in
// doubt from then on, and one on path 0 right behind it. A segment on path 1 comes and goes. Each time a cycle later in
// a round of looks at timers.
func doubted(d drive, c int) {
	d.Set("m_lost_ready", 1)
	d.Set("cfg_rto_min_ns", 100_000)
	n := uint64(c / 401)
	switch c %= 401; {
	case n == 0 && c < 40:
		d.send(3*uint64(c&1), uint64(c/2), 0)
	case c == 100:
		d.send(0, n, 0)
	case c == 300:
		d.send(3, n, 0)
	case c == 301+int(n%5):
		d.send(0, n, 0)
	case c == 310:
		d.send(1, n, 0)
	case c == 350:
		d.ack(1, n, 0)
	}
}

// everywhere: a send on each of 8,192 paths, after each timer has been read.
func everywhere(d drive, c int) {
	const round = 60_000
	d.Set("cfg_rto_min_ns", 100_000)
	if c >= round && c < round+8192 {
		d.send(uint64(c-round), 0, 0)
	}
}

// firstRows: a segment in the first row of each column of the rings comes and goes.
func firstRows(d drive, c int) {
	d.Set("cfg_rto_min_ns", 100_000)
	path := uint64(1024 * (c % 8))
	switch {
	case c < 8:
		d.send(path, 4, 0)
	case c >= 48 && c < 56:
		d.ack(path, 4, 0)
	}
}

// exact: a timer that an ACK has set is checked in the first ns in which it has expired.
func exact(d drive, c int) {
	d.Set("cfg_rto_min_ns", 100)
	d.Set("m_lost_ready", 1)
	now := uint64(1 << 20)
	switch {
	case c < 2:
		d.send(0, uint64(c), 0)
	case c == 40:
		d.ack(0, 0, 0)
	case c >= 200:
		now += 101
	}
	d.Set("now_ns", now)
}

// eleven paths, of four queues, are enough to fill the barrel; queue 3 has two of them and two that do not exist.
// The barrel has seven slots, as the scripts have it.
const eleven = "ram_latency=1 ring_latency=2 paths=11 pid_bits=4 depth=16 lanes=4 ring_memory=bram time_bits=24"

// scripted makes a script of a situation.
func scripted(f func(d drive, c int)) func(benchtest.Drive, int) {
	return func(d benchtest.Drive, c int) { f(drive{d}, c) }
}

// rare are situations that random traffic hardly comes to.
var rare = []benchtest.Rare{
	{Play: scripted(crowd), Cycles: 8_000, Bug: benchtest.Bug{Name: "a round of one queue", File: acks, Set: eleven, Edits: []string{
		"(last_valid && ends) ||", "!(last_valid && ends) ||"}}},
	{Play: scripted(jam), Cycles: 150_000, Bug: benchtest.Bug{Name: "a timer check that is kept out", File: acks, Set: eleven, Edits: []string{
		"(scan_want && scan_queue == QUEUE_W'(g));", "!(scan_want && scan_queue == QUEUE_W'(g));"}}},
	{Play: scripted(full), Cycles: 8_000, Bug: benchtest.Bug{Name: "an ACK that waits for a slot", File: acks, Set: eleven, Edits: []string{
		"(e1_valid_q && e1_queue == QUEUE_W'(g)) ||", "(e1_valid_q && e1_queue != QUEUE_W'(g)) ||"}}},
	{Play: scripted(kept), Cycles: 3_000, Bug: benchtest.Bug{Name: "an ACK is written over that its queue keeps", File: acks, Set: eleven, Edits: []string{
		"if (push) begin\n        acks[", "acks[wr_q[PLACE_W-1:0]][TIME_W+3] <= s_latency[3];\n      if (push) begin\n        acks["}}},
	{Play: scripted(doubted), Cycles: 200_000, Bug: benchtest.Bug{Name: "the path in doubt changes", File: watch, Set: eleven, Edits: []string{
		"doubt_idx_q <= told_idx;", "doubt_idx_q <= told_idx & ~IDX_W'(2);"}}},
	{Play: scripted(firstRows), Cycles: 9_000, Bug: benchtest.Bug{Name: "a bit of the first row is written over", File: "nic_lib_lanes_ultra.sv", Edits: []string{
		"row_q <= mem[rd_addr];", "mem[0][2] <= 1'b0;\n    row_q <= mem[rd_addr];"}}},
	{Play: scripted(exact), Cycles: 2_000, Bug: benchtest.Bug{Name: "the time of an ACK is off by one if a bit of it is set", File: barrel, Set: eleven, Edits: []string{
		"free ? ack_when : last_when}", "free ? ack_when ^ TIME_W'(ack_when[20]) : last_when}"}}},
	{Play: scripted(everywhere), Cycles: 80_000, Bug: benchtest.Bug{Name: "a path is in doubt by itself", File: watch, Edits: []string{
		"if (mend_q || (told_stored", "doubt_q[0] <= 1'b1;\n    if (mend_q || (told_stored"}}},
	{Play: scripted(twin), Cycles: 150_000, Bug: benchtest.Bug{Name: "a timer check that names a segment", File: barrel, Edits: []string{
		"!report_q[LAST] && !timer_q[LAST] && legal_q[LAST]", "!report_q[LAST] && legal_q[LAST]"}}},
}

func TestRare(t *testing.T) {
	suite.Rare(t, func(p *params.Params) int { return int(p.Paths) + 100 }, rare)
}
