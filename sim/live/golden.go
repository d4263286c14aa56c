// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// GoldenSetup is the setup of a NIC without RTL.
type GoldenSetup struct {
	Params  *params.Params
	Seed    uint64
	Profile device.Profile // of connections
	Window  uint32         // of each, in bytes; 0: the setting's
}

// Golden is a NIC whose block is the golden model alone, and needs neither Verilator nor a compiler. Each event happens at
// once: packets leave as soon as window and ring let them, queues have room for all, and nothing is paced.
type Golden struct {
	GoldenSetup
	b     *model.Block
	table *place.Table
	open  []opened
	count Counters
	left  []Left
	now   agenda.Instant
	shut  []agenda.Instant // by connection: since when packets wait; 0: none do
}

// NewGolden returns such a NIC. LAPS, which chooses by delays, and lists of feedback, which leave by time, need RTL.
func NewGolden(s GoldenSetup) (*Golden, error) {
	switch {
	case s.Params.Path == params.LAPS:
		return nil, fmt.Errorf("the golden model alone: found path laps, allowed: reps, plb, spray, none: LAPS needs the RTL's times")
	case s.Params.List > 0:
		return nil, fmt.Errorf("the golden model alone: found list %d, allowed: 0: lists of feedback leave by the RTL's times", s.Params.List)
	}
	g := &Golden{GoldenSetup: s, b: model.New(s.Params), table: place.New(s.Params.Lookup()), shut: make([]agenda.Instant, s.Params.Connections)}
	g.count.Registers = map[string]uint64{}
	if g.b.Path != nil {
		r := rand.New(rand.NewPCG(s.Seed, 0x5EED))
		for range 8 {
			g.b.Path.Seed(r.Uint32() & 0xFFFF)
		}
	}
	return g, nil
}

// ns is the block's time.
func (g *Golden) ns() uint64 { return g.now.NS() }

// tick lets cycles pass in the path unit, which draws random words in them.
func (g *Golden) tick(cycles int) {
	if g.b.Path == nil {
		return
	}
	for range cycles {
		g.b.Path.Tick(g.ns())
	}
}

// Host implements NIC.
func (g *Golden) Host(frame []byte) {
	b := g.b
	o := b.Host(frame)
	b.End(o, frame, false, 0)
	if o.Asks {
		_, _ = b.AskEcho() // o is the only one that asks
	}
	if o.Class != model.Queued {
		g.depart(o)
		return
	}
	if b.MustDrop(o) {
		_, _ = b.Enter(true)
		g.count.Dropped++
		return
	}
	_, _ = b.Enter(false)
	if b.Stored(o, g.ns()) {
		if b.Timeout(o.Conn, g.ns()).Fail {
			b.Path.Fail(o.Conn, g.ns())
		}
	}
	g.serve(o.Conn)
}

// serve lets the packets of a connection leave while window and ring are open.
func (g *Golden) serve(conn uint32) {
	for g.b.Waiting(conn) > 0 && g.b.Gate.Open(g.b.Gate.Flight(conn)) {
		g.release(conn)
	}
	switch {
	case g.b.Waiting(conn) == 0:
		g.shut[conn] = 0
	case g.shut[conn] == 0:
		g.shut[conn] = max(g.now, 1)
	}
}

// release lets a connection's next packet leave.
func (g *Golden) release(conn uint32) {
	o, err := g.b.Release(conn)
	if err != nil {
		return
	}
	g.b.Departed(o, g.ns())
	// A visit ends where the queue does, or window or ring.
	last := g.b.Waiting(conn) == 0 || !g.b.Gate.Open(g.b.Gate.Flight(conn))
	o.Asked = g.b.Settings.Ask && o.MayAsk() && last
	g.depart(o)
}

// depart lets a packet leave the block.
func (g *Golden) depart(o *model.Packet) {
	const latency = 16 // cycles in which each path unit answers
	if o.Complete() != nil {
		_, _ = g.b.Send(o.Class == model.Edited, g.ns())
	}
	g.tick(latency)
	frame, bad := g.b.Leaves(o)
	g.b.Leave(o)
	g.left = append(g.left, Left{At: g.now, Bad: bad, Data: frame})
}

// Wire implements NIC.
func (g *Golden) Wire(frame []byte) {
	b, now := g.b, g.ns()
	f := b.Wire(frame)
	b.Arrive(f, frame, false, 0)
	if !f.Hidden {
		b.Received()
		g.left = append(g.left, Left{ToHost: true, At: g.now, Data: f.Out})
	}
	for {
		if _, err := b.Data(now); err != nil {
			break
		}
	}
	for {
		a, err := b.Ack()
		if err != nil {
			break
		}
		b.Judge(a, now)
		_, _ = b.Sample(now)
		g.tick(1)
		if s, _ := b.Returns(); s != nil {
			ev := uint32(0) // of a packet without one
			if x := b.BackOf(s); x != nil {
				ev = x.Value
			}
			b.Back(false, ev, now)
		}
		for len(b.PowerSamples()) > 0 {
			w, err := b.Win(now)
			if err != nil {
				break
			}
			b.SetWindow(w.Conn, w.Bytes)
		}
		g.serve(a.Conn)
	}
}

// Run implements NIC. The stall rule lets a packet of a connection leave that was shut for its time.
func (g *Golden) Run(_ context.Context, until agenda.Instant, left func(Left)) error {
	g.now = max(g.now, until)
	g.tick(1)
	stall := agenda.At(uint64(g.Params.Gate().StallNS))
	for _, o := range g.open {
		conn := uint32(o.number)
		if at := g.shut[conn]; at > 0 && g.now-at >= stall {
			g.count.Registers["gate.sts_stall_cnt"]++
			g.shut[conn] = 0
			g.release(conn)
			g.serve(conn)
		}
	}
	for _, l := range g.left {
		left(l)
	}
	g.left = g.left[:0]
	return nil
}

// Busy implements NIC. No cycles have to be simulated while packets wait: time goes on slowly, so that the stall rule does
// not act while hosts answer.
func (g *Golden) Busy() bool { return len(g.left) > 0 }

// held is the number of packets in queues.
func (g *Golden) held() (n int) {
	for _, o := range g.open {
		n += g.b.Waiting(uint32(o.number))
	}
	return n
}

// Now implements NIC.
func (g *Golden) Now() agenda.Instant { return g.now }

// Open implements NIC, as a Block does.
func (g *Golden) Open(_ context.Context, c Connection) error {
	return reopen(&g.open, int(g.Params.Connections), c, g.start, g.end)
}

// start makes the state of a connection new and enters its keys.
func (g *Golden) start(c *Connection, n int) error {
	keys, err := device.Keys(g.Params, c.Remote, []uint32{c.RemoteQP, c.LocalQP})
	if err != nil {
		return err
	}
	b, conn := g.b, uint32(n)
	g.count.Dropped += uint64(len(b.Discard(conn)))
	g.shut[conn] = 0
	b.Gate.Flush(conn)
	for slot := range uint64(g.Params.Ring) {
		b.Echo.Clear(conn, slot)
	}
	b.Echo.Flush(conn)
	b.Forget(conn)
	if b.Path != nil {
		b.Path.Flush(conn)
	}
	if b.Detector != nil {
		b.Detector.Flush(conn)
	}
	if b.Power != nil {
		b.Power.Flush(conn)
	}
	b.Profiles[conn] = model.ParseProfile(g.Profile.Word())
	if g.Window > 0 {
		b.SetWindow(conn, uint64(g.Window))
	}
	for _, k := range keys {
		if other, ok := g.table.Lookup(k); ok {
			return fmt.Errorf("connection to %v: connection %d has %w", c.Remote, other, device.ErrTaken)
		}
		list, err := g.table.Insert(k, conn)
		if err != nil {
			return err
		}
		for _, w := range list {
			if err := b.Table.Write(w); err != nil {
				return err
			}
		}
	}
	g.count.Opened++
	return nil
}

// end takes a connection's keys out.
func (g *Golden) end(o opened) error {
	keys, err := device.Keys(g.Params, o.Remote, []uint32{o.RemoteQP, o.LocalQP})
	if err != nil {
		return err
	}
	for _, k := range keys {
		list, err := g.table.Delete(k)
		if err != nil {
			return err
		}
		for _, w := range list {
			if err := g.b.Table.Write(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// End implements NIC.
func (g *Golden) End() (*Counters, error) {
	c := g.count
	c.TimeNS, c.Held = g.ns(), g.held()
	n := &g.b.Gate.Count
	for name, v := range map[string]uint64{"gate.sts_timeout_cnt": n.Timeout, "gate.sts_ack_cnt": n.Ack, "gate.sts_stray_cnt": n.Stray} {
		if v > 0 {
			c.Registers[name] = v
		}
	}
	return &c, nil
}

// reopen opens a connection: one with the same peer and one of the same queue pairs ends, and if all numbers are in use, the
// oldest one.
func reopen(list *[]opened, most int, c Connection, start func(c *Connection, number int) error, end func(opened) error) error {
	drop := func(i int) error {
		o := (*list)[i]
		*list = slices.Delete(*list, i, i+1)
		return end(o)
	}
	for i := 0; i < len(*list); i++ {
		if o := (*list)[i]; o.Remote == c.Remote && (o.RemoteQP == c.RemoteQP || o.LocalQP == c.LocalQP) {
			if err := drop(i); err != nil {
				return err
			}
			i--
		}
	}
	if len(*list) == most {
		if err := drop(0); err != nil {
			return err
		}
	}
	number := 0
	for slices.ContainsFunc(*list, func(o opened) bool { return o.number == number }) {
		number++
	}
	if err := start(&c, number); err != nil {
		return err
	}
	*list = append(*list, opened{c, number})
	return nil
}
