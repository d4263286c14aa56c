// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// slot is what the beat of a cycle completes.
type slot struct {
	headers bool
	raw     [model.Headers]byte // of them n
	n       int
	record  model.Header

	end, bad, short bool
	bytes           uint64
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	cov  coverage

	raw   [model.Headers]byte // the frame that comes
	beats uint64              // of it so far
	bytes uint64

	record model.Header // the last one
	ring   [8]slot      // by cycle, modulo 8
	void   bool         // an input was illegal: nothing is known until a reset
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x}
	r.Always(x.mValid, x.end, x.illegal, x.frames, x.others, x.truncated, x.malformed, x.shortCnt, x.unplaced)
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known && !r.void {
		r.show(want, care)
	}
	now := &r.ring[r.Cycle&7]
	now.headers, now.end = false, false
	if r.pins.rst.On(in) {
		r.reset()
	} else if r.Known {
		r.void = r.void || r.illegal(in)
		r.parse(in, &r.ring[(r.Cycle-params.Sampled)&7])
		if r.pins.valid.On(in) {
			r.beat(in, now)
		} else if !r.Bare {
			r.coverGap()
		}
	}
	r.Cycle++
}

// reset forgets what is inside.
func (r *predictor) reset() {
	if !r.Bare {
		r.coverReset()
	}
	r.Known = true
	r.beats, r.bytes, r.record, r.void = 0, 0, model.Header{}, false
	for i := range r.ring {
		r.ring[i].headers, r.ring[i].end = false, false
	}
	clear(r.Want)
}

// illegal tells whether inputs break a rule: bytes that are there are those from the first on,
// and all of them but in the last beat.
func (r *predictor) illegal(in []uint64) bool {
	x := r.pins
	keep := x.keep.Get(in)
	return x.maxFrame.Get(in) < leastMost || x.valid.On(in) && (keep == 0 || keep&(keep+1) != 0 || keep != ^uint64(0) && !x.last.On(in))
}

// leastMost is the least cfg_max_frame.
const leastMost = 64

// beat takes a beat.
func (r *predictor) beat(in []uint64, now *slot) {
	x := r.pins
	if at := int(r.beats) * params.DataBytes; at < len(r.raw) {
		for i := range params.DataBytes / 8 {
			binary.LittleEndian.PutUint64(r.raw[at+8*i:], in[x.data.Word+i])
		}
	}
	r.beats++
	r.Accepted++
	r.bytes += uint64(bits.OnesCount64(x.keep.Get(in)))
	last := x.last.On(in)
	if !r.Bare {
		r.coverBeat(last)
	}
	if r.beats == 2 || r.beats == 1 && last {
		now.headers, now.raw, now.n = true, r.raw, int(min(r.bytes, model.Headers))
	}
	if last {
		now.end, now.bad, now.bytes = true, x.user.On(in), r.bytes
		r.beats, r.bytes = 0, 0
	}
}

// parse makes the records of a slot, with the settings of this cycle.
func (r *predictor) parse(in []uint64, s *slot) {
	x := r.pins
	if s.headers {
		settings := model.Settings{RoCEPort: uint16(x.rocePort.Get(in)), UETPort: uint16(x.uetPort.Get(in)), MaxFrame: x.maxFrame.Get(in)}
		s.record = model.Parse(r.p, s.raw[:s.n], settings)
		r.record = s.record
		if !r.Bare {
			r.cover(s, &settings)
		}
	}
	if s.end {
		s.short = r.record.Short(s.bytes)
		if !r.Bare {
			r.coverEnd(s)
		}
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if s := &r.ring[(r.Cycle-params.Latency-1)&7]; s.headers {
		x.frames.Add(r.Want, 1)
		x.unplaced.Add(r.Want, bit(s.record.Unplaced))
		switch s.record.Kind {
		case model.Other:
			x.others.Add(r.Want, 1)
		case model.Truncated:
			x.truncated.Add(r.Want, 1)
		case model.Malformed:
			x.malformed.Add(r.Want, 1)
		}
	}
	if s := &r.ring[(r.Cycle-params.EndLatency-1)&7]; s.end && s.short {
		x.shortCnt.Add(r.Want, 1)
	}
	copy(want, r.Want)
	copy(care, r.Care)
	put := func(pin *bench.Pin, v uint64) {
		pin.Put(want, v)
		pin.Put(care, ^uint64(0))
	}
	flag := func(pin *bench.Pin, on bool) {
		put(pin, bit(on))
	}
	if s := &r.ring[(r.Cycle-params.EndLatency)&7]; s.end {
		x.end.Raise(want)
		bytes := s.bytes
		if bytes > model.LongestTold {
			bytes = ^uint64(0)
		}
		put(&x.endBytes, bytes)
		flag(&x.bad, s.bad)
		flag(&x.short, s.short)
	}
	s := &r.ring[(r.Cycle-params.Latency)&7]
	if !s.headers {
		return
	}
	h := &s.record
	x.mValid.Raise(want)
	if h.Illegal() {
		x.illegal.Raise(want)
	}
	put(&x.kind, uint64(h.Kind))
	put(&x.reason, uint64(h.Reason))
	flag(&x.placed, h.Placed)
	put(&x.tags, h.Tags)
	put(&x.lane, h.Lane)
	put(&x.dscp, h.DSCP)
	put(&x.ecn, h.ECN)
	put(&x.flow, h.Flow)
	put(&x.sport, h.SrcPort)
	put(&x.udpLen, h.UDPLen)
	put(&x.ipBytes, h.IPSize)
	put(&x.opcode, h.Opcode)
	put(&x.qp, h.QP)
	put(&x.psn, h.PSN)
	put(&x.pad, h.Pad)
	put(&x.syndrome, h.Syndrome)
	put(&x.msn, h.MSN)
	flag(&x.v6, h.V6)
	flag(&x.fecn, h.FECN)
	flag(&x.becn, h.BECN)
	flag(&x.ack, h.AckReq)
	flag(&x.icrc, h.ICRC)
	if r.p.Addresses {
		r.address(&x.src, &h.Src, want, care)
		r.address(&x.dst, &h.Dst, want, care)
	}
}

// address writes an address.
func (r *predictor) address(pin *bench.Pin, a *[16]byte, want, care []uint64) {
	low, high := binary.BigEndian.Uint64(a[8:]), binary.BigEndian.Uint64(a[:])
	if !r.p.IPv6 {
		pin.Put(want, low)
		pin.Put(care, ^uint64(0))
		return
	}
	pin.PutBits(want, 0, 64, low)
	pin.PutBits(want, 64, 64, high)
	pin.PutBits(care, 0, 64, ^uint64(0))
	pin.PutBits(care, 64, 64, ^uint64(0))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	text := fmt.Sprintf("cycle %d, always ready, %d beats of a frame with %d bytes", r.Cycle, r.beats, r.bytes)
	for back := uint64(0); back < 8; back++ {
		if s := &r.ring[(r.Cycle-back)&7]; s.headers {
			text += fmt.Sprintf("\n%d cycles ago: % x\n%+v", back, s.raw[:s.n], s.record)
		}
	}
	return text
}
