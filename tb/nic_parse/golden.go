// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// slot holds the record that a cycle's beat completes.
type slot struct {
	headers bool
	raw     [model.Headers]byte // of them n
	n       int
	record  model.Header

	end, bad, short bool
	bytes           uint64
}

// golden is the parser behind its contract.
type golden struct {
	p *params.Params
	f *bench.Frame

	set     params.Settings
	frames  bench.Wires[event.Beat]
	headers bench.Out[params.Header]
	ends    bench.Out[params.End]
	beat    event.Beat // of this cycle
	cov     coverage

	raw   [model.Headers]byte // the frame that comes
	beats uint64              // of it so far
	bytes uint64

	record model.Header // the last one
	ring   [8]slot      // by cycle, modulo 8
	void   bool         // an input was illegal: nothing is known until a reset
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Bind:  []bench.Binder{bench.WireIn(params.Frames, &g.frames), bench.Emits(params.Headers, &g.headers), bench.Emits(params.Ends, &g.ends)},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	return g.f, err
}

func (g *golden) begin(n *bench.Now) {
	n.Sample()
	if g.void {
		n.Forget()
	}
	now := &g.ring[n.Cycle&7]
	now.headers, now.end = false, false
	if n.Rst {
		return
	}
	valid := g.frames.Poll(n.In, &g.beat)
	g.void = g.void || g.set.MaxFrame < leastMost || valid && !g.legal()
	g.parse(n, &g.ring[(n.Cycle-params.Sampled)&7])
	if valid {
		g.take(now)
	} else if !g.f.Bare {
		g.coverGap()
	}
}

// reset forgets what is inside.
func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.beats, g.bytes, g.record, g.void = 0, 0, model.Header{}, false
	for i := range g.ring {
		g.ring[i].headers, g.ring[i].end = false, false
	}
}

// legal reports whether the bytes that are there are those from the first on, and all of them but in the
// last beat.
func (g *golden) legal() bool {
	keep := g.beat.Keep
	return keep != 0 && keep&(keep+1) == 0 && (keep == ^uint64(0) || g.beat.Last)
}

// leastMost is the least cfg_max_frame.
const leastMost = 64

// take takes a beat.
func (g *golden) take(now *slot) {
	b := &g.beat
	if at := int(g.beats) * params.DataBytes; at < len(g.raw) {
		for i, w := range b.Data {
			binary.LittleEndian.PutUint64(g.raw[at+8*i:], w)
		}
	}
	g.beats++
	g.f.Accepted++
	g.bytes += uint64(bits.OnesCount64(b.Keep))
	if !g.f.Bare {
		g.coverBeat(b.Last)
	}
	if g.beats == 2 || g.beats == 1 && b.Last {
		now.headers, now.raw, now.n = true, g.raw, int(min(g.bytes, model.Headers))
	}
	if b.Last {
		now.end, now.bad, now.bytes = true, b.User, g.bytes
		g.beats, g.bytes = 0, 0
	}
}

// parse makes the records of a slot, with the settings of this cycle.
func (g *golden) parse(n *bench.Now, s *slot) {
	if s.headers {
		s.record = model.Parse(g.p, s.raw[:s.n], g.set)
		g.record = s.record
		g.header(n, &s.record)
		if !g.f.Bare {
			g.cover(s, &g.set)
		}
	}
	if s.end {
		s.short = g.record.Short(s.bytes)
		g.end(n, s)
		if !g.f.Bare {
			g.coverEnd(s)
		}
	}
}

// header emits and counts a header record.
func (g *golden) header(n *bench.Now, h *model.Header) {
	count := func(counter int, is bool) {
		if is {
			n.CountN(counter, 1, params.Latency+1-params.Sampled)
		}
	}
	count(params.CountFrame, true)
	count(params.CountOther, h.Kind == model.Other)
	count(params.CountTruncated, h.Kind == model.Truncated)
	count(params.CountMalformed, h.Kind == model.Malformed)
	count(params.CountUnplaced, h.Unplaced)
	if h.Illegal() {
		n.CountIllegalOf(params.Sampled)
	}
	g.headers.EmitAfter(n, &params.Header{
		Kind: uint64(h.Kind), Reason: uint64(h.Reason), Placed: h.Placed, V6: h.V6, Tags: h.Tags, Lane: h.Lane, DSCP: h.DSCP, ECN: h.ECN, Flow: h.Flow,
		Src: address(&h.Src), Dst: address(&h.Dst), SrcPort: h.SrcPort, UDPLen: h.UDPLen, IPBytes: h.IPSize, Opcode: h.Opcode, QP: h.QP, PSN: h.PSN,
		FECN: h.FECN, BECN: h.BECN, AckReq: h.AckReq, Pad: h.Pad, Syndrome: h.Syndrome, MSN: h.MSN, ICRC: h.ICRC,
	}, params.Latency-params.Sampled)
}

// end emits and counts an end record.
func (g *golden) end(n *bench.Now, s *slot) {
	if s.short {
		n.CountN(params.CountShort, 1, params.EndLatency+1-params.Sampled)
	}
	e := params.End{Bytes: s.bytes, Bad: s.bad, Short: s.short}
	if s.bytes > model.LongestTold {
		e.Bytes = ^uint64(0)
	}
	g.ends.EmitAfter(n, &e, params.EndLatency-params.Sampled)
}

// address is an address as its port has it, the low half first.
func address(a *[16]byte) [2]uint64 {
	return [2]uint64{binary.BigEndian.Uint64(a[8:]), binary.BigEndian.Uint64(a[:])}
}

// text describes the frame that comes and the last ones.
func (g *golden) text([]uint64) string {
	text := fmt.Sprintf("\n%d beats of a frame with %d bytes", g.beats, g.bytes)
	for back := uint64(0); back < 8; back++ {
		if s := &g.ring[(g.f.Cycle-back)&7]; s.headers {
			text += fmt.Sprintf("\n%d cycles ago: % x\n%+v", back, s.raw[:s.n], s.record)
		}
	}
	return text
}
