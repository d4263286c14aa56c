// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	shimmodel "github.com/nicgen/nicgen/model/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// Fuzz makes benches of the block whose frames are crafted: one of three is spoiled, in both directions, among good ones. All
// streams stall at random, and connections change. In addition to the checker's comparisons, nothing may hang, and after each
// conversation the frames are accounted for: each has left or was dropped, in agreement with the block's registers.
var Fuzz = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: "",
	Stimulus: func(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		return newSteadyTraffic(p, l, seed, manner{hostile: true}, fuzzedFrames)
	},
	Predictor: newWatcher,
	Points:    func(p *params.Params) []cosim.Point { return fuzzPoints(p) },
}

// fuzzedFrames is the number of frames of a conversation.
const fuzzedFrames = 3000

// spoil makes a frame wrong, or only strange, or leaves it as it is.
func (s *steadyTraffic) spoil(f []byte) []byte {
	rng := s.rng
	if rng.IntN(3) > 0 || len(f) < 14 {
		return f
	}
	f = bytes.Clone(f)
	heads := min(len(f), 14+8+40+8+12+4+48)
	at, err := s.place(f)
	put := func(at int, v uint16) {
		if at >= 0 && at+2 <= len(f) {
			binary.BigEndian.PutUint16(f[at:], v)
		}
	}
	near := func(at int) { // a length that is nearly right, or anything
		if at+2 > len(f) {
			return
		}
		v := binary.BigEndian.Uint16(f[at:])
		switch rng.IntN(3) {
		case 0:
			v += uint16(rng.IntN(17)) - 8
		case 1:
			v = uint16(rng.Uint32())
		default:
			v ^= 1 << rng.IntN(16)
		}
		put(at, v)
	}
	switch n := rng.IntN(20); {
	case n == 0: // cut anywhere
		f = f[:1+rng.IntN(len(f))]
	case n == 1: // cut in the headers
		f = f[:1+rng.IntN(heads)]
	case n == 2: // cut at or next to the end of a beat
		f = f[:min(len(f), max(1, 64*(1+rng.IntN(4))+rng.IntN(3)-1))]
	case n == 3: // more behind it
		f = append(f, make([]byte, 1+rng.IntN(200))...)
	case n == 4: // bits of the headers
		for range 1 + rng.IntN(4) {
			f[rng.IntN(heads)] ^= 1 << rng.IntN(8)
		}
	case n == 5: // a byte of them
		f[rng.IntN(heads)] = byte(rng.Uint32())
	case n == 6: // all bytes from one on
		for i := rng.IntN(heads); i < len(f); i++ {
			f[i] = byte(rng.Uint32())
		}
	case n == 7: // random bytes only
		f = make([]byte, 1+rng.IntN(300))
		for i := range f {
			f[i] = byte(rng.Uint32())
		}
	case n == 8: // a tag or three
		for range 1 + rng.IntN(3) {
			f = append(f[:12:12], append([]byte{0x81, 0, byte(rng.Uint32()), byte(rng.Uint32())}, f[12:]...)...)
			if rng.IntN(2) == 0 {
				f[12], f[13] = 0x88, 0xa8
			}
		}
	case n == 9: // an EtherType
		put(12, []uint16{0x0800, 0x86dd, 0x8100, 0x88a8, 0x9100, uint16(shim.EtherType), uint16(rng.Uint32())}[rng.IntN(7)])
	case n == 10: // a shim of any kind, perhaps cut
		head := []byte{byte(shim.EtherType >> 8), byte(shim.EtherType & 0xff), byte(rng.Uint32()), byte(rng.Uint32())}
		if rng.IntN(2) == 0 {
			head[3] = head[3]&0xf0 | byte(1+rng.IntN(3))
		}
		body := make([]byte, []int{28, 44, rng.IntN(64)}[rng.IntN(3)])
		for i := range body {
			body[i] = byte(rng.Uint32())
		}
		f = append(f[:12:12], append(append(head, body...), f[12:]...)...)
		if rng.IntN(2) == 0 {
			f = f[:1+rng.IntN(min(len(f), 128))]
		}
	case n == 11: // two in one
		f = append(f, f...)
	case n == 12 && rng.IntN(20) == 0: // longer than any buffer for frames
		f = append(f, make([]byte, 30_000+rng.IntN(12_000))...)
	case err != nil:
	case n == 13: // IP length
		near(at.L3 + map[bool]int{false: 2, true: 4}[at.V6])
	case n == 14: // UDP length
		near(at.L4 + 4)
	case n == 15: // protocol, version and header length, fragments
		if at.V6 {
			f[at.L3+rng.IntN(2)*6] = byte(rng.Uint32())
		} else {
			f[at.L3+[]int{0, 6, 7, 9}[rng.IntN(4)]] = byte(rng.Uint32())
		}
	case n == 16: // UDP ports, including UET's
		put(at.L4+2, []uint16{uint16(s.p.Parse().UETPort), 4790, uint16(rng.Uint32())}[rng.IntN(3)])
		if rng.IntN(2) == 0 {
			f[at.L4+8] = byte(rng.Uint32())
		}
	case n == 17: // opcode, sealed
		f[at.L4+8] = byte(rng.Uint32())
		_ = roce.Seal(f) // a packet that ends within its headers has no ICRC
	case n == 18: // syndrome, PSN, queue pair, sealed
		if i := at.L4 + 8 + 5 + rng.IntN(12); i < len(f) {
			f[i] = byte(rng.Uint32())
			_ = roce.Seal(f)
		}
	default: // ECN and flow label, BECN, ICRC
		f[at.L3+1] ^= byte(rng.Uint32()) & 0x33
		f[at.L4+12] ^= byte(rng.IntN(4)) << 6
		f[at.ICRC] ^= byte(rng.IntN(2))
	}
	return f
}

// Limits of progress, in cycles.
const (
	hangs   = 3 * Settled // without anything that moves, though something is due, or a frame waits to come in
	starves = 1 << 18     // that a packet may be inside; also without anything that moves, though packets wait in queues
)

// watcher is a predictor that sees to progress, and accounts.
type watcher struct {
	*predictor
	hits  map[string]uint64
	list  []cosim.Point
	count []uint64

	first  *model.Packet     // that leaves next, of those that are not in a queue
	since  uint64            // cycles that it has been so
	at     map[uint32]string // names of the registers read, by their addresses
	asked  string            // register that is read
	values map[string]uint64
	psns   map[uint32]uint64 // of each connection's last packet from the host
	wire   uint64            // frames from the wire so far
	ended  uint64            // of them, those that ended here
	done   uint64            // conversations that were accounted for
}

func newWatcher(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPredictor(p, l, bare)
	if err != nil {
		return nil, err
	}
	w := &watcher{predictor: x.(*predictor), hits: map[string]uint64{}, list: fuzzPoints(p), at: map[uint32]string{}, values: map[string]uint64{}, psns: map[uint32]uint64{}}
	w.count = make([]uint64, len(w.list))
	m := w.c.bus_.m
	for _, name := range counted(p) {
		at, err := m.Find(name)
		if err != nil {
			return nil, err
		}
		w.at[at.Address()] = name
	}
	w.c.seenPacket = w.packet
	w.c.seenFrame = w.frame
	return w, nil
}

// counted are the counters that are compared: all of the ways that a frame can go.
func counted(p *params.Params) []string {
	list := []string{"transport.sts_tx_queued_cnt", "transport.sts_tx_edited_cnt", "transport.sts_tx_other_cnt", "transport.sts_rx_frame_cnt",
		"queue.sts_stored_cnt", "queue.sts_sent_cnt", "queue.sts_discarded_cnt", "queue.sts_unknown_cnt", "queue.sts_bad_cnt", "queue.sts_long_cnt",
		"queue.sts_full_cnt", "queue.sts_quota_cnt", "queue.sts_not_ready_cnt"}
	if p.HasShim() {
		list = append(list, "shim.sts_end_cnt")
	}
	return list
}

// Step implements cosim.Predictor.
func (w *watcher) Step(in, want, care []uint64) {
	w.predictor.Step(in, want, care)
	if w.err != nil || !w.c.known {
		return
	}
	if err := w.watch(in); err != nil {
		w.err = err
		s := w.l.MustSlot(err.Port)
		s.Set(care, 1)
		s.Set(want, ^s.Get(w.got)&1)
	}
}

// watch looks for what hangs, and at what software reads.
func (w *watcher) watch(in []uint64) *Fault {
	c, x := w.c, w.c.pins
	if x.rst.On(in) {
		w.first, w.since, w.wire, w.ended, w.asked = nil, 0, 0, 0, ""
		return nil
	}
	fault := func(port, format string, args ...any) *Fault { return c.fault(port, format, args...).(*Fault) }
	if c.quiet > hangs {
		for _, s := range []*stream{&x.hostTX, &x.wireRX} {
			if s.valid.On(in) && !s.ready.On(w.got) {
				return fault(s.name+"_tready", "hang: a beat is offered, and nothing has moved for %d cycles", c.quiet)
			}
		}
		if left := c.b.Left(); len(left) > 0 {
			return fault("m_axis_tx_tvalid", "hang: nothing has moved for %d cycles, and left over are: %s", c.quiet, strings.Join(left, "; "))
		}
		if n := len(c.b.InQueues()); n > 0 && c.quiet > starves {
			return fault("m_axis_tx_tvalid", "hang: nothing has moved for %d cycles, and %d packets wait in queues", c.quiet, n)
		}
	}
	queued, direct := c.b.Leaving()
	var first *model.Packet
	if len(direct) > 0 {
		first = direct[0]
	} else if len(queued) > 0 {
		first = queued[0]
	}
	if first != w.first {
		w.first, w.since = first, 0
	} else if w.since++; first != nil && first.Ended && w.since > starves {
		return fault("m_axis_tx_tvalid", "hang: %s was the next to leave for %d cycles", describe(first), w.since)
	}
	if x.arValid.On(in) && x.arReady.On(w.got) {
		w.asked = w.at[uint32(x.arAddr.Get(in))]
	}
	if w.asked != "" && x.rValid.On(w.got) && x.rReady.On(in) {
		w.values[w.asked] = x.rData.Get(w.got)
		w.asked = ""
		if len(w.values) == len(w.at) {
			defer clear(w.values)
			if text := w.account(); text != "" {
				return fault("s_axil_rvalid", "after conversation %d: %s", w.done+1, text)
			}
			w.done++
		}
	}
	return nil
}

// account compares counters with one another, and with the frames seen. Nothing is in
// flight.
func (w *watcher) account() string {
	v, n := w.values, &w.c.Count
	dropped := v["queue.sts_bad_cnt"] + v["queue.sts_long_cnt"] + v["queue.sts_full_cnt"] + v["queue.sts_quota_cnt"] + v["queue.sts_unknown_cnt"] +
		v["queue.sts_not_ready_cnt"] + v["queue.sts_discarded_cnt"]
	made := n.Feedback + n.Events["probe"] + n.Events["answer"] // by the block
	in := v["transport.sts_tx_queued_cnt"] + v["transport.sts_tx_edited_cnt"] + v["transport.sts_tx_other_cnt"]
	for _, x := range []struct {
		what      string
		have, sum uint64
	}{
		{"frames from the host, by class, and those that came", in, n.Packets},
		{"queued packets, and those that were stored or dropped", v["transport.sts_tx_queued_cnt"], v["queue.sts_stored_cnt"] + dropped},
		{"packets stored, and those that left their queues", v["queue.sts_stored_cnt"], v["queue.sts_sent_cnt"]},
		{"packets dropped by the queues, and those that were seen to be", dropped, n.Dropped + n.MustDrop},
		{"bad, short and too long packets dropped, and those that had to be", v["queue.sts_bad_cnt"] + v["queue.sts_long_cnt"], n.MustDrop},
		{"frames from the host, and those that left or were dropped", n.Packets, n.Frames - made + n.Dropped + n.MustDrop},
		{"frames from the wire, and those that came", v["transport.sts_rx_frame_cnt"] + v["shim.sts_end_cnt"], w.wire},
		{"frames from the wire, and those that went to the host or ended here", w.wire, n.ToHost + w.ended},
	} {
		if x.have != x.sum {
			return fmt.Sprintf("%s: %d and %d", x.what, x.have, x.sum)
		}
	}
	return ""
}

// packet notes a packet from the host.
func (w *watcher) packet(o *model.Packet) {
	w.hits["class/"+o.Class.String()]++
	w.header("host/", &o.Header)
	if o.Bad {
		w.hits["host/tuser"]++
	}
	if o.Short() {
		w.hits["host/short"]++
	}
	if len(o.Frame) > longest {
		w.hits["host/longest"]++
	}
	if o.Class == model.Other || w.c.p.Profile == params.UET {
		return
	}
	if _, err := roce.Locate(o.Frame); err == nil && roce.Verify(o.Frame) != nil {
		w.hits["host/icrc"]++
	}
	if w.psns[o.Conn] > roce.Mask24*3/4 && o.Header.PSN < roce.Mask24/4 {
		w.hits["host/wrap"]++
	}
	w.psns[o.Conn] = o.Header.PSN
}

// frame notes a frame from the wire.
func (w *watcher) frame(f *model.Frame) {
	w.wire++
	w.header("wire/", &f.Header)
	if f.Hidden {
		w.ended++
		w.hits["wire/hidden"]++
	}
	if f.Bad {
		w.hits["wire/tuser"]++
	}
	if w.c.p.HasShim() {
		w.hits["wire/shim/"+shims[f.Had]]++
	}
}

// header notes what a parser made of a frame.
func (w *watcher) header(side string, h *parse.Header) {
	w.hits[side+kindNames[h.Kind]]++
	if h.Lane > 0 {
		w.hits[fmt.Sprintf("%stags/%d", side, h.Tags)]++
		w.hits[side+map[bool]string{false: "ipv4", true: "ipv6"}[h.V6]]++
	}
}

// kindNames are the kinds of packets.
var kindNames = map[parse.Kind]string{parse.Other: "other", parse.Request: "request", parse.Read: "read", parse.Response: "response", parse.ACK: "ack", parse.CNP: "cnp",
	parse.Feedback: "feedback", parse.UETRequest: "uet_request", parse.UETACK: "uet_ack", parse.Truncated: "truncated", parse.Malformed: "malformed"}

// shims names the shims of a frame from the wire.
var shims = map[shimmodel.Kind]string{shimmodel.Plain: "none", shimmodel.Removed: "removed", shimmodel.Ended: "ended", shimmodel.Illegal: "illegal"}

// fuzzPoints are the kinds of frames that a long run has to reach.
func fuzzPoints(p *params.Params) (list []cosim.Point) {
	add := func(required bool, doc, name string) {
		list = append(list, cosim.Point{Name: name, Doc: doc, Required: required})
	}
	for _, side := range []string{"host/", "wire/"} {
		from := "A frame from the " + strings.TrimSuffix(side, "/")
		kinds := []parse.Kind{parse.Request, parse.Read, parse.Response, parse.ACK, parse.CNP, parse.Feedback}
		if p.Profile == params.UET {
			kinds = []parse.Kind{parse.UETRequest, parse.UETACK}
		}
		for _, k := range append(kinds, parse.Other, parse.Truncated, parse.Malformed) {
			add(true, from+" is of this kind.", side+kindNames[k])
		}
		for t := range p.Tags + 1 {
			add(true, from+" has so many tags.", fmt.Sprintf("%stags/%d", side, t))
		}
		add(true, from+" is of this version of IP.", side+"ipv4")
		if p.IPv6 {
			add(true, from+" is of this version of IP.", side+"ipv6")
		}
		add(true, from+" comes with tuser.", side+"tuser")
	}
	add(true, "A frame from the host ends before its IP packet.", "host/short")
	add(false, "A frame from the host is longer than the FIFO of frames.", "host/longest")
	if p.Profile == params.RoCE {
		add(true, "A packet from the host is edited, or queued, that came with a wrong ICRC.", "host/icrc")
		add(true, "A packet from the host is edited, or queued, whose PSN wrapped: it is small, and that of the one before was large.", "host/wrap")
	}
	for _, c := range []model.Class{model.Other, model.Edited, model.Queued} {
		add(true, "A packet from the host is of this class.", "class/"+c.String())
	}
	if p.HasShim() {
		for _, k := range []shimmodel.Kind{shimmodel.Plain, shimmodel.Removed, shimmodel.Ended, shimmodel.Illegal} {
			add(k != shimmodel.Ended || p.HasLAPS(), "A frame from the wire had such a shim.", "wire/shim/"+shims[k])
		}
	}
	add(true, "A queued packet was dropped, for lack of room.", "dropped/room")
	add(true, "A queued packet was dropped, as it was bad, short or too long.", "dropped/bad")
	add(true, "The frames of a conversation were accounted for.", "accounted")
	return list
}

// Hits implements cosim.Predictor.
func (w *watcher) Hits() []uint64 {
	w.hits["dropped/room"], w.hits["dropped/bad"], w.hits["accounted"] = w.c.Count.Dropped, w.c.Count.MustDrop, w.done
	for i, x := range w.list {
		w.count[i] = w.hits[x.Name]
	}
	return w.count
}

// Events implements cosim.Predictor: frames that came in.
func (w *watcher) Events() uint64 { return w.c.Count.Packets + w.wire }

// Configurations lists a long run's configurations other than the requested one, as words on top of the default one:
// each path unit, the other settings that shape the block, and few connections and cells, so that queues and tables are
// full at times.
var Configurations = []string{small, small + " path=spray telemetry=int", small + " path=plb", small + " path=none window=none", small + " ipv6=false",
	small + " list=8", small + lapsSet, small + " profile=uet tags=1"}

const small = "connections=16 rows=256 kib=64 ring=32"

// lapsSet makes LAPS the path unit.
const lapsSet = " path=laps window=none destinations=4 path_banks=4 path_rows=8 path_depth=16"
