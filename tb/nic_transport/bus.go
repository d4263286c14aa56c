// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"math/big"

	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	paths "github.com/nicgen/nicgen/model/laps_paths"
	csrmodel "github.com/nicgen/nicgen/model/nic_csr"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/model/powertcp"
)

// bus follows the writes to registers: what software sets counts from the cycle on in which the parts see it.
type bus struct {
	m    *csr.Map
	regs *csrmodel.Registers

	haveAddr, haveW, full bool
	address, data         uint32
	answer                bool
	write                 bool // the registers are written in this cycle
	changed               bool // settings, in the cycle before

	asked uint32 // address that is read

	offers  uint32 // address of the command that offers a word, as software reads again and again
	offered uint64 // since when
}

// step is a cycle of the bus, after all that its settings concern.
func (c *Checker) bus(in, got []uint64) error {
	x, s := c.pins, &c.bus_
	next := *s
	goes := s.haveAddr && s.haveW && !s.answer
	next.write = goes && s.full
	next.answer = s.answer || goes
	if s.answer && x.bReady.On(in) {
		next.answer, next.haveAddr, next.haveW = false, false, false
	}
	if x.awValid.On(in) && !s.haveAddr {
		next.haveAddr, next.address = true, uint32(x.awAddr.Get(in))
	}
	if x.wValid.On(in) && !s.haveW {
		next.haveW, next.data, next.full = true, uint32(x.wData.Get(in)), x.wStrb.Get(in) == 15
	}
	next.changed = false
	if s.write {
		next.changed = s.regs.Write(s.address, s.data)
	}
	if x.arValid.On(in) && x.arReady.On(got) {
		next.asked = uint32(x.arAddr.Get(in))
	}
	if x.rValid.On(got) && x.rReady.On(in) {
		switch {
		case !c.commands[next.asked] || next.asked == c.flushCommand || x.rData.Get(got)>>csr.WindowStart&1 == 0:
			next.offers = 0
		case next.offers != next.asked:
			next.offers, next.offered = next.asked, c.cycle
		case c.cycle-next.offered > flushWithin:
			b, r, _ := s.m.At(next.asked)
			return c.fault("s_axil_rdata", "hang: %s.%s is offered, and was not taken for %d cycles", b.Name, r.Name, c.cycle-next.offered)
		}
	}
	if x.rValid.On(got) && x.rReady.On(in) && next.asked == c.flushCommand && x.rData.Get(got)>>csr.WindowStart&1 == 0 {
		c.flushed()
		c.empty.on = false
	}
	*s = next
	return c.flushing()
}

// empty is a flush of the gate that is under way, and since when its connection has had no packets.
type empty struct {
	on    bool
	conn  uint32
	since uint64
}

// flushWithin is the number of cycles that a flush of a connection without packets may take while others continue, and that
// any other word of software may take.
const flushWithin = 1 << 13

// flushing looks whether a flush hangs: a connection without packets has no turn to wait for.
func (c *Checker) flushing() error {
	e := &c.empty
	switch {
	case !e.on:
	case c.b.Waiting(e.conn) > 0:
		e.since = c.cycle
	case c.cycle-e.since > flushWithin && c.bus_.asked == c.flushCommand:
		return c.fault("s_axil_rdata", "hang: the gate flushes connection %d, which has had no packets for %d cycles", e.conn, c.cycle-e.since)
	}
	return nil
}

// flush empties a connection in the gate. Waiting packets are discarded, except those whose turn it is: the packets that remain
// are known when software sees that the flush is over.
func (c *Checker) flush(conn uint32) {
	if !c.b.Gate.Legal(conn) {
		return
	}
	c.flushes, c.empty = append(c.flushes, conn), empty{true, conn, c.cycle}
	if c.b.Waiting(conn) == 0 {
		c.flushed()
	}
}

// flushed is the end of the flushes that were asked for.
func (c *Checker) flushed() {
	for _, conn := range c.flushes {
		for _, o := range c.b.Discard(conn) {
			c.Count.Discarded++
			c.gone(o)
		}
		c.b.Gate.Flush(conn)
		c.limits.conns[conn] = limited{}
		s, _ := c.b.Gate.State(conn)
		c.limits.conns[conn].window.set(c.cycle, s.Window)
	}
	c.flushes = nil
}

// software carries out software's writes: settings, and words for the parts.
func (c *Checker) software() error {
	s := &c.bus_
	if !s.changed {
		return nil
	}
	for i, b := range s.m.Blocks {
		for k, w := range s.regs.Windows(i) {
			if !w.Offered {
				continue
			}
			w.Take()
			word := func(field string) uint64 {
				d := w.Data[b.Windows[k].Name+"_"+field]
				if d == nil {
					return 0
				}
				return d.Uint64()
			}
			if err := c.command(b.Name, b.Windows[k].Name, word, w); err != nil {
				return err
			}
		}
		for _, r := range b.Registers {
			if r.Kind == csr.Setting {
				if err := c.setting(b.Name, r.Port, s.regs.Setting(i, r.Port)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// profileDelay is the number of cycles by which a profile takes effect on search results
// later than other words.
const profileDelay = 2

// profileWrite is a profile on its way into its memory.
type profileWrite struct {
	cycle uint64 // in which it is there
	conn  uint32
	is    model.Profile
}

// profiled carries out the profiles that have reached their memory.
func (c *Checker) profiled() {
	for len(c.profiles) > 0 && c.profiles[0].cycle <= c.cycle {
		w := c.profiles[0]
		c.profiles = c.profiles[1:]
		c.b.Profiles[w.conn] = w.is
	}
}

// command is a word that software gave to a part.
func (c *Checker) command(block, stream string, word func(string) uint64, w *csrmodel.Window) error {
	b := c.b
	conn := uint32(word("conn"))
	switch block + "." + stream {
	case "transport.s_profile":
		if int(conn) < len(b.Profiles) {
			c.profiles = append(c.profiles, profileWrite{c.cycle + profileDelay, conn, model.ParseProfile(uint32(word("word")))})
		}
	case "lookup.s_write":
		if word("read") != 0 {
			return nil
		}
		e := lookup.Entry{Set: word("set") != 0, Conn: conn}
		key := w.Data["s_write_key"].Bits()
		for i, x := range key {
			e.Key[i] = uint64(x)
		}
		// An illegal one changes nothing, and is counted.
		_ = b.Table.Write(lookup.Write{Way: int(word("way")), Row: int(word("row")), Entry: e})
	case "feedback.s_template":
		if k := word("word"); int(conn) < len(b.Templates) && k < uint64(len(b.Templates[conn])) {
			b.Templates[conn][k] = uint32(word("data"))
		}
	case "reps.s_seed", "spray.s_seed", "plb.s_seed":
		b.Path.Seed(uint32(word("word")))
	case "reps.s_flush", "spray.s_flush":
		if word("port") == 0 {
			b.Path.Flush(conn)
		}
	case "plb.s_open":
		b.Path.Flush(conn)
	case "reps_detector.s_flush":
		b.Detector.Flush(conn)
	case "echo.s_flush":
		if b.Echo.Legal(conn) {
			for slot := range uint64(c.p.Ring) {
				b.Echo.Clear(conn, slot)
			}
			b.Echo.Flush(conn)
			b.Forget(conn)
		}
	case "powertcp.s_flush":
		b.Power.Flush(conn)
	case "powertcp.s_rate":
		b.Power.Links[word("code")] = powertcp.LinkOf(word("entry"))
	case "gate.s_window":
		c.softly = &softWindow{c.cycle, conn, word("bytes")}
	case "gate.s_flush":
		c.flush(conn)
	case "laps.s_cfg":
		x := paths.Change{Op: paths.Op(word("op")), Pid: uint32(word("pid")), Dst: uint32(word("dst")), Delay: int64(word("latency")), Base: uint32(word("base")),
			Scale: paths.UnpackScale(word("scale"))}
		for i := range uint(params.Anchors) {
			a := new(big.Int)
			if d := w.Data["s_cfg_anchors"]; d != nil {
				a.Rsh(d, 32*i)
			}
			x.Anchors = append(x.Anchors, uint32(a.Uint64()))
		}
		b.LAPS.Change(x, c.time(1))
	case "laps.s_open":
		b.LAPS.Open(uint32(word("flow")), c.p.Connections)
	case "laps.s_seed": // the path of a packet is not predicted
	case "probe.s_address":
		if dst := word("dst"); dst < uint64(len(b.LAPS.Addresses)) {
			a := model.Address{Set: word("set") != 0}
			for i := range a.Bytes {
				a.Bytes[i] = byte(new(big.Int).Rsh(w.Data["s_address_bytes"], uint(8*i)).Uint64())
			}
			b.LAPS.Addresses[dst] = a
		}
	case "pace.s_rate", "pace.s_flush": // when packets leave is not predicted
	default:
		return c.fault("s_axil_wdata", "the checker does not know the stream %s of block %s", stream, block)
	}
	return nil
}

// String returns the state of the bus as text.
func (s *bus) String() string {
	if b, r, n := s.m.At(s.address); r != nil {
		return fmt.Sprintf("last write to %s.%s, word %d", b.Name, r.Name, n)
	}
	return "no write to a register"
}
