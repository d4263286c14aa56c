// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/model/dcsim"
	model "github.com/nicgen/nicgen/model/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// arrival is a descriptor, and what became of it.
type arrival struct {
	valid   bool
	frame   params.Frame
	outcome model.Outcome
}

// is reports whether a descriptor came to this.
func (a *arrival) is(o model.Outcome) bool { return a.valid && a.outcome == o }

// state holds the registers that a reset clears.
type state struct {
	m      *model.Port
	line   model.Line
	bucket *dcsim.Bucket

	came    arrival    // in the cycle before
	judged  [2]arrival // one, two cycles ago
	packets uint64     // of DATAs, as of the beginning of the cycle before
	bytes   uint64
	offered bool
	class   int  // of the frame that is offered
	void    bool // a setting was beyond its limits: nothing is known until the next reset
}

// golden is the port behind its contract: a machine of registers.
type golden struct {
	p *params.Params
	f *bench.Frame
	s state

	set, was       params.Settings // of this cycle, of the cycle before
	rate           int64           // of the cycle before
	arrivals       bench.Wires[params.Frame]
	begins, drops  bench.Out[params.Frame]
	packets, bytes bench.Pin
	cov            coverage
}

// judged is the number of cycles from a descriptor until it meets its queue.
const judged = 1

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	g.clear()
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Bind: []bench.Binder{
			bench.WireIn(params.Arrivals, &g.arrivals), bench.Emits(params.Begins, &g.begins), bench.Emits(params.Drops, &g.drops),
			bench.WirePin("sts_data_packets", &g.packets), bench.WirePin("sts_data_bytes", &g.bytes),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, Early: true, State: g.text,
	})
	if err != nil {
		return nil, err
	}
	g.f.Always(g.packets, g.bytes)
	return g.f, nil
}

func (g *golden) clear() {
	g.s = state{m: model.New(g.p), line: model.NewLine(g.p), bucket: dcsim.NewBucket(g.p.Bucket)}
}

func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.clear()
}

func (g *golden) begin(n *bench.Now) {
	n.Sample()
	s, was := &g.s, &g.was
	s.void = s.void || was.TokenCost == 0 || was.TokenGain > was.TokenCost
	switch {
	case !n.Known:
	case s.void:
		n.Forget()
	default:
		g.show(n)
		g.run(n)
	}
	g.was, g.rate = g.set, int64(g.set.LineRate)
}

// show writes what the registers show in this cycle.
func (g *golden) show(n *bench.Now) {
	s := &g.s
	want, _ := n.Later(0)
	g.packets.Put(want, s.packets)
	g.bytes.Put(want, s.bytes)
	if s.offered {
		f := s.m.Head(s.class)
		g.begins.EmitAfter(n, &f, 0)
	}
}

// some are the queues with a frame that may be picked: one that came three cycles ago or earlier.
func (g *golden) some() (some [model.Classes]bool) {
	s := &g.s
	for c := range some {
		n := s.m.Len(c)
		if a := &s.judged[0]; a.is(model.Queued) && a.frame.Class == uint64(c) {
			n--
		}
		some[c] = n > 0
	}
	return some
}

// run takes a cycle's inputs and makes the registers of the next cycle.
func (g *golden) run(n *bench.Now) {
	s := &g.s
	some := g.some()
	class, pick := model.Pick(some, s.bucket.Have() > 0)
	pick = pick && !s.offered && s.line.Free()
	take := s.offered && g.begins.Ready(n)
	limits := model.Limits{Queue: g.set.Queue, DataPackets: g.set.DataPackets, DataBytes: g.set.DataBytes}
	if !g.f.Bare {
		g.cover(n.Cycle, some, class, pick, take, limits)
	}
	packets, bytes := s.m.Len(model.Data), s.m.Bytes()

	// The descriptor of the cycle before, and the frames that had begun by then.
	if s.came.valid {
		g.judge(n, &s.came, limits)
	}
	s.judged = [2]arrival{s.came, s.judged[0]}
	s.came.valid = g.arrivals.Poll(n.In, &s.came.frame)

	s.bucket.Clock(take && s.class == model.SIM, int64(g.was.TokenGain), int64(g.was.TokenCost))
	switch {
	case take:
		f := s.m.Leave(s.class)
		s.line.Begin(int64(f.Len))
		s.offered = false
		g.f.Accepted++
	case s.offered:
		s.line.Pause()
	case pick:
		s.line.Pick(g.rate, int64(g.was.Gap))
		s.offered, s.class = true, class
	default:
		s.line.Idle(g.rate)
	}
	s.packets, s.bytes = uint64(packets), bytes
}

// judge puts the descriptor of the cycle before into its queue, if there is room.
func (g *golden) judge(n *bench.Now, a *arrival, limits model.Limits) {
	g.f.Accepted++
	switch a.outcome = g.s.m.Arrive(a.frame, limits); a.outcome {
	case model.Dropped:
		n.CountN(int(a.frame.Class), 1, params.CountLatency-judged)
		g.drops.EmitAfter(n, &a.frame, params.DropLatency-judged)
	case model.Illegal:
		n.CountIllegalOf(judged)
	}
}

// text describes what the port keeps.
func (g *golden) text([]uint64) string {
	s := &g.s
	text := fmt.Sprintf("\n%d SIMs, %d SIM-ACKs, %d DATA-ACKs, %d DATAs of %d bytes, %d tokens, line %+v",
		s.m.Len(model.SIM), s.m.Len(model.SIMAck), s.m.Len(model.DataAck), s.m.Len(model.Data), s.m.Bytes(), s.bucket.Have(), s.line)
	if s.offered {
		text += fmt.Sprintf("\noffered: %+v", s.m.Head(s.class))
	}
	return text
}
