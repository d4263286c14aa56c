// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	params "github.com/nicgen/nicgen/gen/nic_transport"
	plbparams "github.com/nicgen/nicgen/gen/plb"
	repsparams "github.com/nicgen/nicgen/gen/reps"
	sprayparams "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/model/spray"
)

// Path is the golden model of a path unit. The events of a cycle are Tick, Back or Acked, Fail, Send, in this order.
type Path interface {
	// Tick begins a cycle.
	Tick(now uint64)
	// Back is an EV that comes back.
	Back(x Back, s *Sample, now uint64)
	// Fail is a failure of a connection.
	Fail(conn uint32, now uint64)
	// Send assigns the EV ev to the next packet of a connection, now or in a later cycle. idle is
	// set if nothing of the connection is in flight.
	Send(ev *EV, conn uint32, idle bool, now uint64)
	// Seed shifts a word into the generator.
	Seed(word uint32)
	// Flush empties a connection.
	Flush(conn uint32)
	// Settings returns its settings; the type depends on the unit: *reps.Settings, *plb.Settings or
	// *SpraySettings.
	Settings() any
	Reset()
}

// SpraySettings are the settings of the baselines.
type SpraySettings struct {
	spray.Settings
	Base uint64
}

func newPath(p *params.Params) Path {
	switch p.Path {
	case params.REPS:
		c := p.REPS()
		return &repsPath{Buffer: reps.New(c), seed: uint64(c.RandomSeed), params: c}
	case params.PLB:
		c := p.PLB()
		return &plbPath{PLB: plb.New(c), params: c, words: reps.NewRandom(plbparams.WordBits, uint64(c.RandomSeed))}
	case params.Spray:
		c := p.Spray()
		u := &sprayPath{Spray: spray.NewSpray(c), params: c}
		u.set.Settings = spray.Settings{Mode: map[string]uint64{sprayparams.OPS: 1, sprayparams.ECMP: 2, sprayparams.RoundRobin: 3}[c.Mode],
			EVs: uint64(c.EVs), Timeout: uint64(c.FlowletTimeoutNS), HashSeed: uint64(c.HashSeed)}
		u.set.Base = uint64(c.EVBase)
		u.Reset()
		return u
	}
	return nil
}

// give gives an EV.
func (e *EV) give(v uint32) { e.Known, e.Value = true, v }

// refuse returns the error for an event that is not due.
func (e *EV) refuse() { e.Known, e.None = true, true }

// repsPath is REPS.
type repsPath struct {
	*reps.Buffer
	params *repsparams.Params
	seed   uint64
	loaded bool // a word was shifted in in this cycle: a packet takes it
}

func (u *repsPath) time(now uint64) uint64 { return now & (^uint64(0) >> (64 - u.params.TimerBits)) }

func (u *repsPath) Tick(uint64) { u.loaded = false }

func (u *repsPath) Back(x Back, _ *Sample, now uint64) {
	u.Ack(x.Conn, 0, x.EV, x.Mark, u.time(now))
}

func (u *repsPath) Fail(conn uint32, now uint64) { u.Buffer.Fail(conn, 0, u.time(now)) }

func (u *repsPath) Send(e *EV, conn uint32, _ bool, _ uint64) {
	if !u.Legal(conn, 0) {
		e.refuse()
		return
	}
	word := u.Random.Last()
	if !u.loaded {
		word = u.Random.Next()
	}
	ev, _ := u.Buffer.Send(conn, 0, word)
	e.give(ev)
}

func (u *repsPath) Seed(word uint32) {
	u.Random.Load(word)
	u.loaded = true
}

func (u *repsPath) Settings() any     { return &u.Buffer.Settings }
func (u *repsPath) Flush(conn uint32) { u.Buffer.Flush(conn, 0) }
func (u *repsPath) Reset()            { u.Buffer.Reset(u.seed) }

// sprayPath are the baselines.
type sprayPath struct {
	*spray.Spray
	set    SpraySettings
	params *sprayparams.Params
	draw   bool // a word was taken in the cycle before
}

func (u *sprayPath) time(now uint64) uint64 { return now & (^uint64(0) >> (64 - u.params.TimerBits)) }

func (u *sprayPath) Tick(now uint64) {
	if u.draw {
		u.Words.Next()
	}
	u.draw = false
	u.Spray.Tick(u.time(now))
}

func (u *sprayPath) Back(Back, *Sample, uint64) {}
func (u *sprayPath) Fail(uint32, uint64)        {}

func (u *sprayPath) Send(e *EV, conn uint32, _ bool, now uint64) {
	if u.draw { // the caller knows no cycles
		u.Words.Next()
	}
	ev, from := u.Spray.Send(spray.Packet{Conn: uint64(conn)}, u.set.Settings, u.time(now))
	if from == spray.None {
		e.refuse()
		return
	}
	u.draw = true
	e.give(uint32(ev + u.set.Base))
}

func (u *sprayPath) Settings() any { return &u.set }

func (u *sprayPath) Seed(word uint32) {
	u.Words.Load(word)
	u.draw = false
}

func (u *sprayPath) Flush(conn uint32) {
	u.draw = u.Spray.Flush(uint64(conn), 0, u.set.EVs) || u.draw
}

// Reset clears all entries, as the unit does one after another.
func (u *sprayPath) Reset() {
	u.Spray.Reset()
	u.draw = false
	for i := range u.params.Entries() {
		if i > 0 {
			u.Words.Next()
		}
		u.Clear(i, u.set.EVs)
	}
	u.draw = true
}

// plbPath is PLB. It draws a random word in each cycle, and a new label is the word some cycles
// after the packet's request.
type plbPath struct {
	*plb.PLB
	params *plbparams.Params
	words  reps.Random
	still  int  // cycles after a reset in which no word is drawn
	loaded bool // one was shifted in in this cycle, and none is drawn
	wait   [plbparams.WordLatency]plbWait
	turn   int
	now    uint64
}

type plbWait struct {
	ev    *EV
	conn  uint32
	cause plb.Cause
}

// afterReset is the number of cycles after a reset at which the unit's generator begins to draw.
const afterReset = 4

func (u *plbPath) time(now uint64) uint64 { return now & (^uint64(0) >> (64 - u.params.TimerBits)) }

// Tick draws the word of the cycle before. Packets that asked WordLatency cycles ago get it.
func (u *plbPath) Tick(now uint64) {
	switch {
	case u.still > 0:
		u.still--
	case !u.loaded:
		u.words.Next()
	}
	u.loaded = false
	at := &u.wait[u.turn]
	if at.ev != nil {
		if at.cause != plb.None {
			u.Relabel(at.conn, u.words.Last())
		}
		at.ev.give(uint32(plb.Port(u.params, u.Label(at.conn))))
		*at = plbWait{}
	}
	u.turn = (u.turn + 1) % len(u.wait)
	u.now = u.time(now)
	u.PLB.Tick(u.now)
}

// word returns the word of this cycle.
func (u *plbPath) word() uint32 {
	w := u.words
	if u.loaded || u.still > 0 {
		return w.Last()
	}
	return w.Next()
}

func (u *plbPath) Back(x Back, s *Sample, now uint64) {
	if s == nil {
		return
	}
	rtt := s.RTT
	if most := uint64(1)<<u.params.RTTBits - 1; rtt > most {
		rtt = most
	}
	pkts := min(s.PSNs, 1<<u.params.PktsBits-1)
	u.ACK(x.Conn, plb.ACK{Pkts: pkts, ECE: x.Mark, RTT: rtt, UNA: uint32(s.Una), NXT: uint32(s.Nxt)}, u.time(now))
}

func (u *plbPath) Fail(conn uint32, now uint64) { u.RTO(conn, false, u.word(), u.time(now)) }

func (u *plbPath) Send(e *EV, conn uint32, idle bool, _ uint64) {
	why, ok := u.PLB.Send(conn, idle)
	if !ok {
		e.refuse()
		return
	}
	u.wait[(u.turn+len(u.wait)-1)%len(u.wait)] = plbWait{e, conn, why}
}

func (u *plbPath) Settings() any { return &u.PLB.Settings }

func (u *plbPath) Seed(word uint32) {
	u.words.Load(word)
	u.loaded = true
}

func (u *plbPath) Flush(conn uint32) { u.RTO(conn, true, u.word(), u.now) }

func (u *plbPath) Reset() {
	u.PLB.Reset()
	u.words.Reset(uint64(u.params.RandomSeed))
	u.wait = [plbparams.WordLatency]plbWait{}
	u.still, u.loaded = afterReset, false
}
