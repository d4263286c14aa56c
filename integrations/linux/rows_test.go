// SPDX-License-Identifier: Apache-2.0

//go:build peers

package linux

import (
	"time"

	"github.com/nicgen/nicgen/sim/live"
)

// row is a run: blocks, a network and a program of perftest, and the wanted counts.
type row struct {
	name    string
	block   string // settings of the block's configuration; plain: no block
	actions string // of connections that are opened
	ecn     int    // of their data; 0: as Linux has it, Not-ECT
	window  uint32 // of each connection, in bytes; 0: the block's setting
	mbps    float64
	load    string // a file for both blocks
	alone   bool   // the golden model in place of RTL
	fixed   bool   // connections are not learned
	pairs   int    // connections, of queue pairs 0x11 and so on, that are loaded instead; each program begins with 0x11
	network func(n *live.Network)
	// blockTime: the network's times are of the blocks' time, and a path's delay is a microsecond.
	blockTime bool
	program   string // of perftest, with its flags, for both machines
	second    string // another program that runs at the same time; empty: none
	again     int    // runs in a row, one after the other; 0: one
	needed    uint64 // frames of requests, or READ responses and atomic ACKs, that the messages take
	limit     time.Duration
	want      want
}

// want holds the counts that a run must have.
type want struct {
	// known is the reason for which the counts are not as wanted, until it is mended: then the test fails, and the reason
	// goes. Frames that are wrong or not accounted for, and differences from the golden model, are faults even so.
	known   string
	ratio   float64 // most frames sent for one needed; 0: 1
	naks    uint64  // at most
	rnrs    bool    // the receiver may be not ready
	marks   bool    // some frames have to be marked
	hears   bool    // the sender's path unit has to hear of marks
	entropy int     // least number of entropy values
	paths   bool    // each path has to be used
	told    bool    // switches have to write telemetry
}

// plain is a row without a block.
const plain = "plain"

// Reasons for counts that are not as wanted.
const (
	s6    = "S6: CNPs are no marks"
	order = "Linux goes back at a gap, and the block does not order packets at the receiver"
)

// Configurations of the block.
const (
	none   = "path=none window=none connections=16 rows=256"
	spray  = "path=spray window=none connections=16 rows=256"
	reps   = "path=reps window=none connections=16 rows=256"
	lists  = "path=reps window=none list=16 connections=16 rows=256"
	flows  = "path=spray window=none list=16 connections=16 rows=256"
	plb    = "path=plb window=none connections=16 rows=256"
	laps   = "path=laps window=none connections=16 rows=256"
	theta  = "path=reps window=powertcp connections=16 rows=256"
	power  = "path=none window=powertcp connections=16 rows=256"
	inband = "path=none window=powertcp telemetry=int connections=16 rows=256"
)

// Programs. -x 1 is IPv4, -x 0 a link-local address; -u 18 is a timeout of a second, as the blocks are slow.
const (
	flags  = " -d rxe0 -u 18"
	send   = "ib_send_bw -x 1 -t 16 -s 16384 -m 1024 -n 200" + flags
	write  = "ib_write_bw -x 1 -t 16 -s 16384 -m 1024 -n 200" + flags
	fetch  = "ib_read_bw -x 1 -t 16 -s 16384 -m 1024 -n 200" + flags
	large  = "ib_send_bw -x 1 -t 4 -s 1048576 -m 1024 -n 5" + flags
	atomic = "ib_atomic_bw -x 1 -t 16 -n 400" + flags
)

// all are the actions of a connection with paths.
const all = "queue,path,echo-tx,echo-rx"

// Files for both blocks. room lets a connection have what two messages of a burst take; the quota after reset is 256 cells.
const (
	room  = "settings: {queue.cfg_quota: 8000, queue.cfg_xoff: 8000}\n"
	ecmp  = "settings: {queue.cfg_quota: 8000, queue.cfg_xoff: 8000, spray.cfg_mode: 2}\n"
	ops   = "settings: {queue.cfg_quota: 8000, queue.cfg_xoff: 8000, spray.cfg_mode: 1}\n"
	rates = room + "link_rates: {0: 25000, 1: 50000, 2: 100000, 3: 200000, 4: 400000}\n"
	// Eight paths, by their numbers in the network; both machines' addresses, the lowest byte first, for probes.
	tables = room + `paths:
  - {destination: 1, path: 0, base_ns: 3000, anchors: [0]}
  - {destination: 1, path: 1, base_ns: 3000, anchors: [1]}
  - {destination: 1, path: 2, base_ns: 3000, anchors: [2]}
  - {destination: 1, path: 3, base_ns: 3000, anchors: [3]}
`
)

// stood is the time after which a connection stands.
const stood = 20 * time.Second

func paths(n int) func(*live.Network) { return func(x *live.Network) { x.Paths = n } }

// unequal are eight paths of 2 to 7 ms.
func unequal(n *live.Network) { n.Paths, n.Spread = 8, 5*time.Millisecond }

func drops(n *live.Network) { n.Drop = 0.005 }

func marks(n *live.Network) { n.Mark = 0.3 }

// rows are all runs. Connections of RDMA-CM have the MTU of the machines' Ethernet, 4,096, and exchange some messages more.
var rows = []row{
	{name: "no block", block: plain, program: send, needed: 3200},
	{name: "no block: READ", block: plain, program: fetch, needed: 3200},
	{name: "no block: drops of 0.5 %", block: plain, program: send, needed: 3200, network: drops, want: want{ratio: 4, naks: 1000}},
	{name: "no block: RNR", block: plain, program: "ib_send_bw -x 1 -t 16 -r 1 -s 4096 -m 1024 -n 100" + flags, needed: 400, want: want{ratio: 40, rnrs: true, naks: 100}},
	{name: "no block: a random path of 8 for each frame, 2 to 7 ms", block: plain, network: func(n *live.Network) { unequal(n); n.Choose = live.ByFrame }, program: send, needed: 3200, limit: stood, want: want{known: order}},
	{name: "nothing loaded", block: reps, fixed: true, program: send, needed: 3200},
	{name: "nothing loaded: READ", block: reps, fixed: true, program: fetch, needed: 3200},

	{name: "ECMP, one path", block: spray, actions: all, load: ecmp, program: send, needed: 3200},
	{name: "OPS, one path", block: spray, actions: all, load: ops, program: send, needed: 3200, want: want{entropy: 100}},
	{name: "OPS, 8 equal paths", block: spray, actions: all, load: ops, network: paths(8), program: send, needed: 3200, want: want{entropy: 100, paths: true}},
	{name: "OPS, 8 paths of 2 to 7 ms: SEND", block: spray, actions: all, load: ops, network: unequal, program: send, needed: 3200, limit: stood, want: want{known: order}},
	{name: "OPS, 8 paths of 2 to 7 ms: READ", block: spray, actions: all, load: ops, network: unequal, program: fetch, needed: 3200, limit: stood, want: want{known: order}},
	{name: "OPS, lists of feedback", block: flows, actions: "queue,path,feedback", load: ops, network: paths(8), program: send, needed: 3200, want: want{paths: true, entropy: 100}},

	{name: "REPS: SEND", block: reps, actions: all, load: room, network: paths(8), program: send, needed: 3200, want: want{entropy: 100, paths: true}},
	{name: "REPS: WRITE", block: reps, actions: all, load: room, network: paths(8), program: write, needed: 3200, want: want{entropy: 100}},
	{name: "REPS: READ", block: reps, actions: all, load: room, network: paths(8), program: fetch, needed: 3200, want: want{entropy: 100, paths: true}},
	{name: "REPS: atomics", block: reps, actions: all, load: room, network: paths(8), program: atomic, needed: 400, want: want{entropy: 100}},
	{name: "REPS: two queue pairs", block: reps, actions: all, load: room, network: paths(8), program: send + " -q 2", needed: 6400, want: want{entropy: 100}},
	{name: "REPS: UD", block: reps, actions: all, load: room, network: paths(8), program: "ib_send_bw -x 1 -c UD -t 16 -r 400 -s 1024 -m 1024 -n 400" + flags, needed: 400, want: want{entropy: 100}},
	{name: "REPS: connections by RDMA-CM", block: reps, actions: all, load: room, network: paths(8), program: send + " -R", needed: 800, want: want{ratio: 1.05, entropy: 100}},
	{name: "REPS: IPv6, flow label", block: reps, actions: all + ",flow", load: room, network: paths(8), program: "ib_send_bw -x 0 -t 16 -s 16384 -m 1024 -n 50" + flags, needed: 800, want: want{entropy: 100, paths: true}},
	{name: "REPS: MTU 256", block: reps, actions: all, load: room, network: paths(8), program: "ib_send_bw -x 1 -t 16 -s 16384 -m 256 -n 50" + flags, needed: 3200, want: want{entropy: 100}},
	{name: "REPS: MTU 512", block: reps, actions: all, load: room, network: paths(8), program: "ib_send_bw -x 1 -t 16 -s 16384 -m 512 -n 50" + flags, needed: 1600, want: want{entropy: 100}},
	{name: "REPS: MTU 2048", block: reps, actions: all, load: room, network: paths(8), program: "ib_send_bw -x 1 -t 16 -s 16384 -m 2048 -n 100" + flags, needed: 800, want: want{entropy: 100}},
	{name: "REPS: MTU 4096", block: reps, actions: all, load: room, network: paths(8), program: "ib_send_bw -x 1 -t 16 -s 65536 -m 4096 -n 50" + flags, needed: 800, want: want{entropy: 100}},
	{name: "REPS: messages of 1 MiB", block: reps, actions: all, load: room, network: paths(8), program: large, needed: 5120, want: want{entropy: 100}},
	{name: "REPS: READs of 1 MiB, longer than the ring", block: reps, actions: all, load: room, network: paths(8), program: "ib_read_bw -x 1 -t 4 -s 1048576 -m 1024 -n 5" + flags, needed: 5120, want: want{entropy: 100}},
	{name: "REPS: SEND and READ at once", block: reps, actions: all, load: room, network: paths(8), program: send, second: fetch, needed: 3400, want: want{entropy: 100}},
	{name: "REPS: lists of feedback", block: lists, actions: "queue,path,feedback", load: room, network: paths(8), program: send, needed: 3200, want: want{paths: true, entropy: 100}},
	{name: "REPS: drops of 0.5 %", block: reps, actions: all, load: room, network: drops, program: send, needed: 3200, limit: time.Minute, want: want{ratio: 4, naks: 1000}},
	{name: "REPS: RNR", block: reps, actions: all, load: room, program: "ib_send_bw -x 1 -t 16 -r 1 -s 4096 -m 1024 -n 100" + flags, needed: 400, want: want{ratio: 40, rnrs: true, naks: 100}},
	{name: "REPS: marks, Not-ECT", block: reps, actions: all, load: room, network: marks, program: send, needed: 3200},
	{name: "REPS: marks, ECT, no echo", block: reps, actions: "queue,path", ecn: 2, load: room, network: marks, program: send, needed: 3200, want: want{marks: true}},
	{name: "REPS: marks, ECT, echo", block: reps, actions: all, ecn: 2, load: room, network: marks, program: send, needed: 3200, want: want{marks: true, hears: true}},
	{name: "REPS: marks answered by CNPs", block: reps, actions: "queue,path", ecn: 2, load: room, network: func(n *live.Network) { n.Mark, n.CNP = 0.3, 100*time.Microsecond }, program: send, needed: 3200, want: want{marks: true, hears: true, known: s6}},

	{name: "golden model alone, REPS: SEND", block: reps, alone: true, actions: all, network: paths(8), program: send, needed: 3200, want: want{entropy: 100, paths: true}},
	{name: "golden model alone, REPS: READ", block: reps, alone: true, actions: all, network: paths(8), program: fetch, needed: 3200, want: want{entropy: 100, paths: true}},
	{name: "golden model alone, window of 8 KiB", block: none, alone: true, actions: "queue", window: 8 << 10, program: send, needed: 3200, limit: stood},

	{name: "PLB", block: plb, actions: all, load: room, network: paths(8), program: send, needed: 3200},
	{name: "PLB: IPv6, flow label, marks", block: plb, actions: all + ",flow", ecn: 2, load: room, network: func(n *live.Network) { n.Paths, n.Mark = 8, 1 }, program: "ib_send_bw -x 0 -t 16 -s 16384 -m 1024 -n 200" + flags, needed: 3200, want: want{marks: true, entropy: 2}},
	{name: "LAPS, 4 paths", block: laps, actions: "queue,path,telemetry", load: tables, network: paths(4), blockTime: true, program: send, needed: 3200, want: want{paths: true}},

	{name: "rate of 5 Gb/s", block: none, actions: "queue", mbps: 5000, load: room, program: send, needed: 3200},
	{name: "quota after reset", block: none, actions: "queue", program: send, needed: 3200, limit: 2 * time.Minute, want: want{ratio: 20, naks: 1000}},
	{name: "window of 32 KiB", block: none, actions: "queue", window: 32 << 10, load: room, program: send, needed: 3200},
	{name: "window of 16 KiB", block: none, actions: "queue", window: 16 << 10, load: room, program: send, needed: 3200},
	{name: "window of 8 KiB", block: none, actions: "queue", window: 8 << 10, load: room, program: send, needed: 3200, limit: stood},
	{name: "window of 4,000 bytes", block: none, actions: "queue", window: 4000, load: room, program: send, needed: 3200, limit: stood},
	{name: "window of 32 KiB, messages of 1 MiB", block: none, actions: "queue", window: 32 << 10, load: room, program: large, needed: 5120, limit: stood},
	{name: "theta-PowerTCP and REPS", block: theta, actions: all + ",window", load: room, network: paths(8), program: send, needed: 3200, limit: 2 * time.Minute},
	{name: "theta-PowerTCP and REPS, network in the blocks' time", block: theta, actions: all + ",window", load: room, network: paths(8), blockTime: true, program: send, needed: 3200, limit: stood},
	{name: "theta-PowerTCP, a path of 10 Gb/s", block: power, actions: "queue,echo-tx,echo-rx,window", load: room, network: func(n *live.Network) { n.Rate = 1.25 }, blockTime: true, program: send, needed: 3200, limit: 2 * time.Minute},
	{name: "PowerTCP by telemetry, a path of 25 Gb/s", block: inband, actions: "queue,echo-tx,echo-rx,window,telemetry", load: rates, network: func(n *live.Network) { n.Rate = 3.125 }, blockTime: true, program: send, needed: 3200, want: want{told: true}},
	{name: "queue pair number used again", block: none, actions: "queue", pairs: 4, load: room, program: send, again: 3, needed: 9600, limit: stood},
}
