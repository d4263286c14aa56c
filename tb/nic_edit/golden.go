// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"bytes"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

// beat is one of a frame, on its way through the editor.
type beat struct {
	event.Beat
	patched bool                  // an ICRC that is patched begins in it
	data    [params.KeepBits]byte // edited
}

// golden is the editor behind its contract. The RTL must answer before a frame has ended: a
// truncated frame is edited like the beginning of the whole one. When the frame has ended,
// the model edits all of it, and all beats must equal the result.
type golden struct {
	p *params.Params
	f *bench.Frame

	commands params.Command // of this cycle
	frames   bench.Wires[event.Beat]
	out      bench.Out[event.Beat]

	inside  bool // a frame has begun
	command model.Command
	legal   bool
	frame   []byte // so far
	edited  []byte // bytes of it that left
	beat    beat
	cov     coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Ambient: bench.Into(params.CommandPorts, &g.commands),
		Bind:  []bench.Binder{bench.WireIn(params.Frames, &g.frames), bench.Emits(params.Edited, &g.out)},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	return g.f, err
}

func (g *golden) reset() {
	if !g.f.Bare && g.inside {
		g.f.Reached[ptReset]++
	}
	g.inside = false
}

// commandOf returns the command at the ports.
func commandOf(c *params.Command) model.Command {
	return model.Command{
		V6: c.V6, Tags: int(c.Tags), Lane: int(c.Lane), EVOn: c.EVOn, EV: uint32(c.EV), Flow: c.Flow,
		DSCPOn: c.DSCPOn, DSCP: byte(c.DSCP), ECNOn: c.ECNOn, ECN: byte(c.ECN),
		BECNOn: c.BECNOn, BECN: c.BECN, Ask: c.Ask, UDPZero: c.UDPZero, ICRC: c.ICRC, UDPLen: int(c.UDPLen),
	}
}

// begin takes a beat.
func (g *golden) begin(n *bench.Now) {
	b := &g.beat
	if n.Rst || !g.frames.Poll(n.In, &b.Beat) {
		return
	}
	g.f.Accepted++
	first := !g.inside
	if first {
		g.command = commandOf(&g.commands).Built(g.p)
		g.legal = g.command.Legal()
		g.frame, g.edited = g.frame[:0], g.edited[:0]
	}
	at := len(g.frame)
	g.frame = b.Append(g.frame)
	// Beats that nothing is written to need no model: the whole frame will tell.
	begin := g.command.ICRCAt()
	patch := g.legal && g.command.Patched()
	part := g.frame
	if at < 2*params.KeepBits || patch && begin < len(g.frame) && begin+4 > at {
		part, _ = model.Edit(g.frame, g.command)
	}
	copy(b.data[:], part[at:])
	b.patched = patch && begin >= at && begin < len(g.frame)
	g.edited = append(g.edited, b.data[:]...)
	if !g.f.Bare {
		g.cover(n, b, first, at)
	}
	g.inside = !b.Last
	if b.Last && at >= 2*params.KeepBits {
		if whole, _ := model.Edit(g.frame, g.command); !bytes.Equal(whole, g.edited) {
			panic(fmt.Sprintf("tb/nic_edit: %+v: the whole frame is edited to %x, its beats to %x", g.command, whole, g.edited))
		}
	}
	n.Count(params.CountFrame, b.Last)
	if first && !g.legal {
		n.CountIllegal()
	}
	if b.patched && g.p.ICRC {
		n.Count(params.CountICRC, true)
	}
	counts := b.Counts()
	b.Put(b.data[:])
	g.out.EmitSome(n, &b.Beat, &counts, params.Latency)
}

// text describes the frame that comes.
func (g *golden) text([]uint64) string {
	return fmt.Sprintf("\ninside of a frame %t, of which %d bytes came; command %+v, legal %t", g.inside, len(g.frame), g.command, g.legal)
}
