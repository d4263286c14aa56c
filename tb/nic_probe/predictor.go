// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"encoding/binary"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	model "github.com/nicgen/nicgen/model/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// wish is a probe that is wanted.
type wish struct{ pid, dst uint64 }

// entry is what is known of a destination.
type entry struct {
	set   bool
	bytes model.Addresses
}

// state is where the probe that is made is.
type state int

const (
	idle  state = iota
	look        // its addresses are there
	route       // its anchors are asked for
	wait        // they are waited for
	made        // it is ready to leave
)

// reply is an answer that waits to leave.
type reply struct {
	record model.Record
	delay  uint64
}

// result is an answer received.
type result struct {
	pid   uint64
	delay int32
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins

	resetAt uint64 // the cycle of the last reset
	rst     bool   // in the cycle before

	table   []entry
	wanted  []wish
	at      state
	now     wish // the probe that is made
	found   entry
	anchors []uint32

	came    bool // a record came in the cycle before
	record  model.Record
	delay   uint64
	answers []reply
	results []result
	frame   model.Frame
	leaves  bool // the frame is offered
	turn    bool // the next one is an answer, if there are both
	illegal int  // what evt_illegal says now

	cov coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x, table: make([]entry, p.Destinations), anchors: make([]uint32, p.Anchors)}
	r.Always(x.ready, x.aReady, x.route, x.answer, x.frame, x.evtIllegal, x.probes, x.answers, x.results,
		x.probesDropped, x.answersDropped, x.resultsDropped, x.noAddress, x.bads, x.illegals)
	return r, nil
}

// ready reports whether the addresses are cleared.
func (r *predictor) ready() bool {
	return !r.rst && r.Cycle >= r.resetAt+2+uint64(r.p.Destinations)
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	switch {
	case r.rst:
		r.clear()
	case r.Known:
		if !r.Bare {
			r.coverCycle(in)
		}
		r.step(in)
	}
	if r.rst = r.pins.rst.On(in); r.rst {
		r.resetAt = r.Cycle
	}
	r.Cycle++
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *predictor) clear() {
	if !r.Bare {
		r.coverReset()
	}
	r.Known = true
	clear(r.Want)
	clear(r.table)
	r.wanted, r.at, r.came = r.wanted[:0], idle, false
	r.answers, r.results, r.leaves, r.turn, r.illegal = r.answers[:0], r.results[:0], false, false, 0
}

// legal reports whether a destination exists.
func (r *predictor) legal(dst uint64) bool { return dst < uint64(r.p.Destinations) }

// goes tells what of the two kinds is taken to leave.
func (r *predictor) goes(in []uint64) (answer, probe bool) {
	if r.leaves && !r.pins.frameReady.On(in) {
		return false, false
	}
	waits := len(r.answers) > 0
	return waits && (r.turn || r.at != made), r.at == made && !(waits && r.turn)
}

// step is a cycle. Each part of the unit sees the others as they were when it began.
func (r *predictor) step(in []uint64) {
	x := r.pins
	ready := r.ready()
	answer, probe := r.goes(in)
	x.illegals.Add(r.Want, uint64(r.illegal))
	r.illegal = 0
	roomWanted, roomAnswers, roomResults := len(r.wanted) < params.FIFO, len(r.answers) < params.FIFO, len(r.results) < params.FIFO
	if len(r.results) > 0 && x.answerReady.On(in) {
		r.results = append(r.results[:0], r.results[1:]...)
	}

	// What leaves.
	if r.leaves && x.frameReady.On(in) {
		r.leaves = false
	}
	etherType := uint16(x.etherType.Get(in))
	switch {
	case answer:
		a := &r.answers[0]
		r.frame, r.leaves, r.turn = model.MakeAnswer(&a.record, etherType, a.delay), true, false
		r.answers = append(r.answers[:0], r.answers[1:]...)
		x.answers.Add(r.Want, 1)
	case probe:
		r.frame, r.leaves, r.turn = model.MakeProbe(r.found.bytes, etherType, uint16(r.now.pid), r.anchors, x.now.Get(in)), true, true
		x.probes.Add(r.Want, 1)
	}

	// The probe that is made.
	switch r.at {
	case idle:
		if len(r.wanted) > 0 && ready {
			r.at, r.now = look, r.wanted[0]
			r.found = entry{}
			if r.legal(r.now.dst) {
				r.found = r.table[r.now.dst]
			}
		}
	case look:
		r.wanted = append(r.wanted[:0], r.wanted[1:]...)
		switch {
		case !r.legal(r.now.dst):
			r.illegal++
			r.at = idle
		case !r.found.set:
			x.noAddress.Add(r.Want, 1)
			r.at = idle
		default:
			r.at = route
		}
	case route:
		if x.routeReady.On(in) {
			r.at = wait
		}
	case wait:
		if x.back.On(in) {
			for i := range r.anchors {
				r.anchors[i] = uint32(x.anchors.Bits(in, 32*i, 32))
			}
			r.at = made
		}
	case made:
		if probe {
			r.at = idle
		}
	}

	// What comes.
	if x.probe.On(in) {
		r.Accepted++
		if roomWanted {
			r.wanted = append(r.wanted, wish{x.probePid.Get(in), x.probeDst.Get(in)})
		} else {
			x.probesDropped.Add(r.Want, 1)
		}
	}
	if r.came {
		r.receive(roomAnswers, roomResults)
	}
	if r.came = x.shim.On(in); r.came {
		r.Accepted++
		r.record = model.Record{Bad: x.bad.On(in), Subtype: int(x.subtype.Get(in)), Type: int(x.kind.Get(in))}
		binary.LittleEndian.PutUint64(r.record.Body[:], x.body.Get(in))
		r.record.Addresses = addresses(&x.from, in)
		r.delay = r.record.Delay(x.now.Get(in))
	}
	r.write(in, ready)
}

// addresses are those of a port.
func addresses(pin *bench.Pin, in []uint64) (a model.Addresses) {
	for i := range a {
		a[i] = byte(pin.Bits(in, 8*i, 8))
	}
	return a
}

// receive takes the record of the cycle before.
func (r *predictor) receive(roomAnswers, roomResults bool) {
	x := r.pins
	switch r.record.Kind() {
	case model.Bad:
		x.bads.Add(r.Want, 1)
	case model.Probe:
		if !roomAnswers {
			x.answersDropped.Add(r.Want, 1)
			return
		}
		r.answers = append(r.answers, reply{r.record, r.delay})
	case model.Answer:
		switch pid := uint64(r.record.Path()); {
		case pid>>r.p.PidBits != 0:
			r.illegal++
		case !roomResults:
			x.resultsDropped.Add(r.Want, 1)
		default:
			r.results = append(r.results, result{pid, model.Cut(r.record.Time())})
			x.results.Add(r.Want, 1)
		}
	}
}

// write is a destination's addresses.
func (r *predictor) write(in []uint64, ready bool) {
	x := r.pins
	if !x.address.On(in) || !ready {
		return
	}
	r.Accepted++
	dst := x.aDst.Get(in)
	if !r.legal(dst) {
		r.illegal++
		return
	}
	r.table[dst] = entry{x.aSet.On(in), addresses(&x.aBytes, in)}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	copy(want, r.Want)
	copy(care, r.Care)
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
	}
	const all = ^uint64(0)
	raise(&x.ready, r.ready())
	raise(&x.aReady, r.ready())
	raise(&x.evtIllegal, r.illegal > 0)
	if r.at == route {
		x.route.Raise(want)
		x.routePid.Put(want, r.now.pid)
		x.routePid.Put(care, all)
	}
	if len(r.results) > 0 {
		x.answer.Raise(want)
		x.answerPid.Put(want, r.results[0].pid)
		x.answerPid.Put(care, all)
		x.delay.Put(want, uint64(uint32(r.results[0].delay)))
		x.delay.Put(care, all)
	}
	if r.leaves {
		x.frame.Raise(want)
		for i := range params.HeadBytes {
			x.frameData.PutBits(want, 8*i, 8, uint64(r.frame[i]))
			x.frameData.PutBits(care, 8*i, 8, 0xff)
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	return fmt.Sprintf("cycle %d, ready %t; %d probes wait, of path %d to destination %d: step %d, address %+v, anchors %x; "+
		"record before %t %+v; %d answers wait, %d delays; a frame leaves %t, the turn is an answer's %t: %x",
		r.Cycle, r.ready(), len(r.wanted), r.now.pid, r.now.dst, r.at, r.found, r.anchors, r.came, r.record, len(r.answers), len(r.results), r.leaves, r.turn, r.frame)
}
