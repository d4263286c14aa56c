// SPDX-License-Identifier: Apache-2.0

//go:build peers

package linux

import (
	"time"

	"github.com/nicgen/nicgen/sim/live"
)

// row is a run: blocks, a network and a program of perftest, and what must come of it.
type row struct {
	name    string
	block   string // settings of the block's configuration; plain: no block
	actions string // of connections that are opened
	ecn     int    // of their data; 0: as Linux has it, Not-ECT
	window  uint32 // of each connection, in bytes; 0: the block's setting
	mbps    float64
	load    string // a file for both blocks
	fixed   bool   // queue pairs 0x11 and so on are loaded before the run, and none are learned
	network func(n *live.Network)
	program string // of perftest, with its flags, for both machines
	again   int    // runs in a row, one after the other; 0: one
	needed  uint64 // frames of requests, or READ responses and atomic ACKs, that the messages take
	limit   time.Duration
	want    want
}

// want is what must come of a run.
type want struct {
	stands string  // the reason for which the program does not finish; empty: it has to
	ratio  float64 // most frames sent for one needed; 0: 1
	naks   uint64  // at most
	rnrs   bool    // the receiver may be not ready
	marks  bool    // some frames have to be marked
	stalls bool    // packets may leave by the stall rule
}

// plain is a row without a block.
const plain = "plain"

// Reasons for which connections stand: issues that are open.
const (
	s10 = "S10: a window or ring shuts while no packet in flight asks for an ACK"
	s11 = "S11: a jump of the PSN shuts the ring"
)

// Configurations of the block.
const (
	none  = "path=none window=none connections=16 rows=256"
	spray = "path=spray window=none connections=16 rows=256"
	reps  = "path=reps window=none connections=16 rows=256"
	lists = "path=reps window=none list=16 connections=16 rows=256"
	plb   = "path=plb window=none connections=16 rows=256"
	theta = "path=reps window=powertcp connections=16 rows=256"
)

// Programs. -x 1 is IPv4, -x 0 a link-local address; -u 18 is a timeout of a second, as the blocks are slow.
const (
	send   = "ib_send_bw -d rxe0 -x 1 -u 18 -t 16 -s 16384 -m 1024 -n 200"
	write  = "ib_write_bw -d rxe0 -x 1 -u 18 -t 16 -s 16384 -m 1024 -n 200"
	fetch  = "ib_read_bw -d rxe0 -x 1 -u 18 -t 16 -s 16384 -m 1024 -n 200"
	atomic = "ib_atomic_bw -d rxe0 -x 1 -u 18 -t 16 -n 400"
)

// all are the actions of a connection with paths.
const all = "queue,path,echo-tx,echo-rx"

// room lets a connection have what two messages of a burst take; the quota after reset is 256 cells.
const room = "settings: {queue.cfg_quota: 8000, queue.cfg_xoff: 8000}\n"

func paths(n int) func(*live.Network) { return func(x *live.Network) { x.Paths = n } }

// rows are all runs.
var rows = []row{
	{name: "no block", block: plain, program: send, needed: 3200},
	{name: "no block: READ", block: plain, program: fetch, needed: 3200},
	{name: "no block: drops of 0.5 %", block: plain, program: send, needed: 3200, network: func(n *live.Network) { n.Drop = 0.005 }, want: want{ratio: 4, naks: 1000}},
	{name: "nothing loaded", block: reps, fixed: true, load: "{}", program: send, needed: 3200, want: want{ratio: 1.3}},
	{name: "REPS, 8 equal paths: SEND", block: reps, actions: all, load: room, network: paths(8), program: send, needed: 3200},
	{name: "REPS, 8 equal paths: WRITE", block: reps, actions: all, load: room, network: paths(8), program: write, needed: 3200},
	{name: "REPS, 8 equal paths: READ", block: reps, actions: all, load: room, network: paths(8), program: fetch, needed: 3200},
	{name: "REPS, 8 equal paths: atomics", block: reps, actions: all, load: room, network: paths(8), program: atomic, needed: 400},
}
