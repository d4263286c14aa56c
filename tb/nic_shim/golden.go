// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// cell is a byte of a beat, and whether tkeep says that it is there. Streams that keep AXI4-Stream's
// rules have all of them but behind the end of a frame; a shorter stimulus for a failure may not.
type cell uint16

const there cell = 0x100

// cells are the bytes as they are there.
func cells(b []byte) []cell {
	out := make([]cell, len(b))
	for i, v := range b {
		out[i] = there | cell(v)
	}
	return out
}

// beat is one that leaves.
type beat struct {
	valid, last, user bool
	cells             [params.DataBytes]cell
}

// emit shows the beat.
func (b *beat) emit(n *bench.Now, out *bench.Out[event.Beat], cycles int) {
	e := event.Beat{Last: b.last, User: b.user}
	for i, c := range b.cells {
		if c&there != 0 {
			e.Keep |= 1 << i
			e.Data[i/8] |= uint64(c&0xff) << (i % 8 * 8)
		}
	}
	counts := e.Counts()
	out.EmitSome(n, &e, &counts, cycles)
}

// fill makes a beat of the cells from at on.
func (b *beat) fill(frame []cell, at int) {
	*b = beat{valid: true}
	copy(b.cells[:], frame[at:])
}

// passage is a frame on its way, in one direction.
type passage struct {
	inside  bool
	regular bool   // by AXI4-Stream's rules, so far
	came    []byte // bytes received and available
	made    []cell // outgoing bytes, in whole beats
	left    int    // cells that have left
}

// take takes a beat that came.
func (f *passage) take(b *event.Beat) (beat [params.DataBytes]cell) {
	if !f.inside {
		*f = passage{regular: true, came: f.came[:0], made: f.made[:0]}
	}
	k := b.Keep
	f.regular = f.regular && k&1 != 0 && k&(k+1) == 0 && (b.Last || k+1 == 0)
	for i := range beat {
		beat[i] = cell(b.Data[i/8] >> (i % 8 * 8) & 0xff)
		if k>>i&1 != 0 {
			f.came = append(f.came, byte(beat[i]))
			beat[i] |= there
		}
	}
	f.inside = !b.Last
	return beat
}

// check compares what leaves with the model's frame.
func (f *passage) check(whole []byte, direction string) {
	n := len(whole)
	for n < len(f.made) && f.made[n]&there == 0 {
		n++
	}
	if want := cells(whole); n != len(f.made) || !slices.Equal(want, f.made[:len(want)]) {
		panic(fmt.Sprintf("tb/nic_shim: %s: the whole frame becomes %x, its beats %x", direction, whole, f.made))
	}
}

// golden is both shims behind their contract. A frame is known when it has ended, and beats leave
// before: what they are is carried on from the first one, and compared with the model's frame at the
// end.
type golden struct {
	p *params.Params
	f *bench.Frame

	set              params.Settings
	put              params.Shim // of this cycle
	beat             event.Beat  // that comes
	toShim, fromLine bench.Wires[event.Beat]
	taken            bench.Pin // s_axis_tx_tready
	outs, ins        bench.Out[event.Beat]
	records          bench.Wires[params.Record]
	recorded, inShim bench.Pin
	evtTx, evtRx     bench.Pin

	// To the network.
	tx        passage
	shim      model.Shim
	on        bool   // the frame should get it
	typ       uint16 // EtherType at its first beat
	size      int    // bytes that it gets
	out, rest beat

	// From the network.
	rx    passage
	typIn uint16 // EtherType at its first beat
	gap   int    // bytes that are taken out
	kind  model.Kind
	ring  [8]mark
	shown record
	known bool // there was a record since the reset

	cov coverage
}

// mark is the record of a first beat, if it has one.
type mark struct {
	on   bool
	what record
}

// record is the record of a shim.
type record struct {
	end, bad  bool
	shim      model.Shim
	addresses [params.Addresses]byte
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set), Ambient: bench.Into(params.ShimPorts, &g.put),
		Bind: []bench.Binder{
			bench.WireIn(params.ToShim, &g.toShim), bench.WirePin("s_axis_tx_tready", &g.taken),
			bench.WireIn(params.FromLine, &g.fromLine), bench.Emits(params.Out, &g.outs), bench.Emits(params.In, &g.ins),
			bench.WireOut(params.Records, &g.records), bench.WirePin("m_shim_valid", &g.recorded), bench.WirePin("m_axis_rx_shim", &g.inShim),
			bench.WirePin("evt_tx_illegal", &g.evtTx), bench.WirePin("evt_rx_illegal", &g.evtRx),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	if err != nil {
		return nil, err
	}
	g.f.Always(g.evtTx, g.evtRx)
	return g.f, nil
}

// begin is a cycle.
func (g *golden) begin(n *bench.Now) {
	n.Sample()
	g.show(n)
	if n.Rst {
		return
	}
	g.send(n)
	g.ring[(n.Cycle+params.RemoveLatency)%8].on = false
	if g.fromLine.Poll(n.In, &g.beat) {
		g.receive(n)
	}
}

func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.known = false
	g.tx.inside, g.rx.inside = false, false
	g.out.valid, g.rest.valid = false, false
	for i := range g.ring {
		g.ring[i].on = false
	}
}

// pulse shows an illegal shim.
func pulse(n *bench.Now, pin *bench.Pin, cycles uint64) {
	want, _ := n.Later(cycles)
	pin.Raise(want)
}

// ready reports whether a beat to the network is taken.
func (g *golden) ready(n *bench.Now) bool { return (g.outs.Ready(n) || !g.out.valid) && !g.rest.valid }

// send is a cycle to the network.
func (g *golden) send(n *bench.Now) {
	b := &g.beat
	valid := g.toShim.Read(n.In, b)
	taken := g.ready(n) && valid
	if !g.f.Bare {
		g.coverOut(n, valid, taken)
	}
	switch {
	case g.out.valid && !g.outs.Ready(n):
		return
	case g.rest.valid:
		g.out, g.rest.valid = g.rest, false
		return
	case !taken:
		g.out.valid = false
		return
	}
	g.f.Accepted++
	f, first := &g.tx, !g.tx.inside
	beat := f.take(b)
	if first {
		g.begins(n, &beat)
	} else {
		f.made = append(f.made, beat[:]...)
	}
	g.out.fill(f.made, f.left)
	for i := range g.size { // these are there: the beat goes on behind them
		g.out.cells[i] |= there
	}
	f.left += params.DataBytes
	if !b.Last {
		return
	}
	n.Count(params.CountTxFrame, true)
	if g.out.last = f.left >= len(f.made) || f.made[f.left]&there == 0; g.out.last {
		g.out.user = b.User
	} else {
		g.rest.fill(f.made, f.left)
		g.rest.last, g.rest.user = true, b.User
	}
	if f.regular {
		whole := f.came
		if g.on {
			whole, _ = model.Insert(g.p, whole, g.shim, g.typ)
		}
		f.check(whole, "out")
	}
}

// begins puts a shim into the first beat of a frame to the network.
func (g *golden) begins(n *bench.Now, beat *[params.DataBytes]cell) {
	f, s := &g.tx, &g.put
	g.on, g.typ = s.On, uint16(g.set.EtherType)
	g.shim = model.Shim{Subtype: int(s.Subtype), Type: int(s.Type), Count: int(s.Count), Next: int(s.Next)}
	for i := range g.shim.Body {
		g.shim.Body[i] = byte(s.Body[i/8] >> (i % 8 * 8))
	}
	f.made = append(f.made, beat[:params.Addresses]...)
	if g.on {
		// The bytes that the model inserts depend only on whether the frame has 14 bytes.
		made, ok := model.Insert(g.p, make([]byte, min(params.Addresses+1+int(beat[params.Addresses+1]>>8), params.Addresses+2)), g.shim, g.typ)
		n.Count(params.CountInsert, ok)
		n.Count(params.CountTxIllegal, !ok)
		if ok {
			f.made = append(f.made, cells(made[params.Addresses:len(made)-2])...)
		} else {
			pulse(n, &g.evtTx, params.InsertLatency)
		}
	}
	f.made = append(f.made, beat[params.Addresses:]...)
	g.size = len(f.made) - params.DataBytes
	for i := range beat { // tkeep is shifted as a whole
		f.made[g.size+i] = f.made[g.size+i]&^there | beat[i]&there
	}
}

// receive takes a beat from the network.
func (g *golden) receive(n *bench.Now) {
	f, b := &g.rx, &g.beat
	const latency = params.RemoveLatency
	g.f.Accepted++
	first, last, user := !f.inside, b.Last, b.User
	came := f.take(b)
	now := &g.ring[(n.Cycle+latency)%8]
	n.Count(params.CountRxFrame, last)
	if first {
		g.comes(n, &came, &now.what)
		now.on = g.kind == model.Removed || g.kind == model.Ended
	} else {
		f.made = append(f.made, came[:]...)
	}
	if !g.f.Bare {
		g.coverIn(n, first, last, user)
	}
	var out beat
	switch {
	case g.kind == model.Plain || g.kind == model.Illegal:
		out.fill(f.made, f.left)
		f.left += params.DataBytes
		out.last, out.user = last, last && user
		g.leave(n, &out, latency, false)
	case g.kind == model.Removed:
		rest := last && came[g.gap]&there != 0
		if !first {
			out.fill(f.made, f.left)
			for i := range params.DataBytes - g.gap { // these are not the last ones of their beat
				out.cells[i] |= there
			}
			f.left += params.DataBytes
			out.last, out.user = last && !rest, last && !rest && user
			g.leave(n, &out, latency-1, true)
		}
		if rest {
			out.fill(f.made, f.left)
			if first { // behind the addresses, the bytes' places in tkeep are those behind the shim
				for i := range params.Addresses {
					out.cells[i] = out.cells[i]&^there | came[i+g.gap]&there
				}
			}
			out.last, out.user = true, user
			g.leave(n, &out, latency, true)
		}
	}
	if last && f.regular {
		whole, _, kind := model.Remove(g.p, f.came, g.typIn)
		if kind != g.kind {
			panic(fmt.Sprintf("tb/nic_shim: in: %x is %v, its first beat %v", f.came, kind, g.kind))
		}
		if kind != model.Ended {
			f.check(whole, "in")
		}
	}
}

// comes takes the shim out of the first beat of a frame from the network.
func (g *golden) comes(n *bench.Now, beat *[params.DataBytes]cell, to *record) {
	f, b := &g.rx, &g.beat
	g.typIn = uint16(g.set.EtherType)
	to.shim, g.kind = g.judge(beat)
	g.gap = 0
	if g.kind == model.Removed {
		g.gap = g.p.Size(to.shim.Subtype)
	}
	to.end, to.bad = g.kind == model.Ended, b.Last && b.User
	for i := range to.addresses {
		to.addresses[i] = byte(beat[i])
	}
	n.Count(params.CountRemove, g.kind == model.Removed)
	n.Count(params.CountEnd, g.kind == model.Ended)
	n.Count(params.CountRxIllegal, g.kind == model.Illegal)
	if g.kind == model.Illegal {
		pulse(n, &g.evtRx, params.RemoveLatency)
	}
	f.made = append(append(f.made, beat[:params.Addresses]...), beat[params.Addresses+g.gap:]...)
}

// leave shows a beat from the network.
func (g *golden) leave(n *bench.Now, b *beat, cycles int, shim bool) {
	b.emit(n, &g.ins, cycles)
	want, care := n.Later(uint64(cycles))
	g.inShim.Put(care, 1)
	if shim {
		g.inShim.Raise(want)
	}
}

// judge returns the model's result for a first beat. It checks for three bytes whether they are
// present.
func (g *golden) judge(beat *[params.DataBytes]cell) (model.Shim, model.Kind) {
	const head = params.Addresses
	frame := make([]byte, params.DataBytes)
	for i, c := range beat {
		frame[i] = byte(c)
	}
	if size := g.p.Size(int(frame[head+3] & 15)); beat[head+1]&there == 0 {
		frame = frame[:head+1]
	} else if size > 0 && beat[head+size+1]&there == 0 {
		frame = frame[:head+size+1]
	}
	_, s, kind := model.Remove(g.p, frame, g.typIn)
	return s, kind
}

// show writes what the registers show, and what follows from this cycle's inputs.
func (g *golden) show(n *bench.Now) {
	if g.ready(n) {
		n.Raise(&g.taken)
	}
	if g.out.valid {
		g.out.emit(n, &g.outs, 0)
	}
	if now := &g.ring[n.Cycle%8]; now.on {
		n.Raise(&g.recorded)
		g.shown, g.known = now.what, true
	}
	if !g.known {
		return
	}
	// Of a body, only the bytes of its format count.
	s := &g.shown.shim
	all := ^uint64(0)
	e := params.Record{End: g.shown.end, Bad: g.shown.bad, Subtype: uint64(s.Subtype), Type: uint64(s.Type), Count: uint64(s.Count), Next: uint64(s.Next)}
	counts := params.Record{End: true, Bad: true, Subtype: all, Type: all, Count: all, Next: all, Addresses: [2]uint64{all, all}}
	for i := range g.p.Size(s.Subtype) - params.HeadBytes {
		e.Body[i/8] |= uint64(s.Body[i]) << (i % 8 * 8)
		counts.Body[i/8] |= 0xff << (i % 8 * 8)
	}
	for i, b := range g.shown.addresses {
		e.Addresses[i/8] |= uint64(b) << (i % 8 * 8)
	}
	want, care := n.Later(0)
	g.records.Fields(want, &e)
	g.records.Fields(care, &counts)
}

// text describes the frames that pass.
func (g *golden) text([]uint64) string {
	return fmt.Sprintf("\nout: inside of a frame %t, of which %d bytes came and %d left, shim %t of subtype %d, rest %t\nin: inside %t, kind %d, %d bytes came, %d left",
		g.tx.inside, len(g.tx.came), g.tx.left, g.on, g.shim.Subtype, g.rest.valid, g.rx.inside, g.kind, len(g.rx.came), g.rx.left)
}
