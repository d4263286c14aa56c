// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/model/dcsim"
	model "github.com/nicgen/nicgen/model/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// sent is a DATA that was sent.
type sent struct {
	flow  uint32
	seq   uint64
	tag   uint64
	stamp uint64
	acked uint64 // the cycle in which its mark is written; 0: not acknowledged
}

// flying is a SIM that was sent, with the time that its place in the ring has.
type flying struct {
	sim   *model.SIM
	stamp uint64
}

// offer is DATAs that wait to be taken to their flow.
type offer struct {
	valid, legal bool
	what         params.NewData
}

// state holds the registers that a reset clears.
type state struct {
	m      *model.Source
	bucket *dcsim.Bucket
	void   bool // a setting was beyond its limits: nothing is known until the next reset

	fresh    offer
	list     timed[uint32] // flows that want a SIM
	queued   uint64        // SIMs in the queue
	slot     uint64        // of the next SIM
	oldest   uint64        // slot in use
	slotRoom bool
	served   *model.SIM // in the cycle before
	sims     timed[*model.SIM]
	offered  *model.SIM
	took     *model.SIM // a SIM was sent in the cycle before

	ack      bool // a SIM-ACK came in the cycle before
	ackPort  uint64
	flight   timed[flying]
	due      bool          // the oldest SIM in flight
	leaving  [3]*model.SIM // it fell due one, two, three cycles ago
	after    uint64        // the slot behind the last that left
	coming   uint64        // DATAs that left and were not sent
	acks     timed[*model.SIM]
	step     [3]bool    // the match has been under way for one, two, three cycles
	matching *model.SIM // nil: a DATA that timed out goes to the head

	datas     timed[*model.SIM]
	look      bool
	found     bool
	data      *model.SIM
	dataTook  *model.SIM // a DATA was sent in the cycle before
	dataAck   bool
	dataTag   uint64
	copies    timed[*sent]
	live      map[uint64]*sent
	tail      uint64 // the next tag
	copyRoom  bool
	copyLook  bool
	copySeen  bool
	copyDue   bool
	left      [2]*sent // it left one, two cycles ago
	again     *sent    // a DATA that timed out
	againHead bool     // it is to go to the head of its flow,
	againWant bool     // and to be counted
	lost      bool     // there was no place for it
	space     bool     // for one that times out
}

// golden is the source host behind its contract: a machine of registers.
type golden struct {
	p *params.Params
	f *bench.Frame
	s state

	set, was params.Settings // of this cycle, of the cycle before
	news     bench.Wires[params.NewData]
	newReady bench.Pin
	simAcks  bench.Wires[params.SIMAck]
	dataAcks bench.Wires[params.DataAck]
	seeds    bench.Wires[params.Seed]
	sims     bench.Out[params.SIM]
	datas    bench.Out[params.Data]
	losses   bench.Out[params.Lost]
	cov      coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

func newGolden(p *params.Params, l *cosim.Layout, bare bool) (g *golden, err error) {
	g = &golden{p: p}
	g.clear()
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Bind: []bench.Binder{
			bench.WireIn(params.News, &g.news), bench.WirePin("s_data_ready", &g.newReady), bench.WireIn(params.SIMAcks, &g.simAcks),
			bench.WireIn(params.DataAcks, &g.dataAcks), bench.WireIn(params.Seeds, &g.seeds),
			bench.Emits(params.SIMs, &g.sims), bench.Emits(params.Datas, &g.datas), bench.Emits(params.Losses, &g.losses),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, Early: true, State: g.text,
	})
	return g, err
}

// clear performs a reset.
func (g *golden) clear() {
	g.s = state{m: model.New(g.p), bucket: dcsim.NewBucket(g.p.Bucket), live: map[uint64]*sent{}}
	s := &g.s
	s.list.delay, s.flight.delay, s.acks.delay, s.datas.delay, s.copies.delay = params.QueueDelay, params.QueueDelay, params.QueueDelay, params.QueueDelay, params.QueueDelay
	s.sims.delay = 1
	s.copyRoom, s.space = true, true
}

func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.clear()
}

// wrong shows what was refused or missed, and came some cycles ago.
func (g *golden) wrong(n *bench.Now, ago, counter int) {
	n.CountIllegalOf(uint64(ago))
	n.CountN(counter, 1, params.CountLatency-ago)
}

func (g *golden) begin(n *bench.Now) {
	n.Sample()
	s := &g.s
	s.void = s.void || !g.legal(&g.was)
	switch {
	case !n.Known:
	case s.void:
		n.Forget()
	default:
		g.show(n)
		g.run(n)
	}
	g.was = g.set
}

// legal reports whether settings are within the limits that the ports have.
func (g *golden) legal(x *params.Settings) bool {
	most := uint64(1)<<(g.p.TimeBits-1) - 1
	time := func(v uint64) bool { return v >= 8 && v <= most }
	return x.TokenCost > 0 && x.TokenGain <= x.TokenCost && time(x.RTTMax) && time(x.DataTimeout)
}

// show writes what the registers show in this cycle.
func (g *golden) show(n *bench.Now) {
	s := &g.s
	if n.Ready && !s.fresh.valid {
		n.Raise(&g.newReady)
	}
	if s.offered != nil {
		g.sims.EmitAfter(n, &params.SIM{Flow: uint64(s.offered.Flow), Port: s.m.Port(s.offered)}, 0)
	}
	if s.data != nil {
		g.datas.EmitAfter(n, &params.Data{Flow: uint64(s.data.Flow), Port: s.m.Port(s.data), Seq: s.data.Seq, Tag: s.tail}, 0)
	}
	if s.lost {
		g.losses.EmitAfter(n, &params.Lost{Flow: uint64(s.again.flow), Seq: s.again.seq}, 0)
	}
}

// due reports whether a packet will have been in flight for a span in the next cycle,
// modulo the time's range.
func (g *golden) due(now, stamp, span uint64) bool {
	return (now+1-span-stamp)>>(g.p.TimeBits-1)&1 == 0
}

// decisions holds the decisions of a cycle, all made from the same registers.
type decisions struct {
	simTake, simLoad, dataTake, dataLoad bool
	late, again, serve, fresh            bool
	due, copyLeaves                      bool
	matchAgain, matchAck                 bool
}

// decide is stage by stage what the unit decides from its registers.
func (g *golden) decide(n *bench.Now) (d decisions) {
	s, c := &g.s, n.Cycle
	d.simTake = s.offered != nil && g.sims.Ready(n)
	d.dataTake = s.data != nil && g.datas.Ready(n)
	if _, any := s.sims.head(c); any {
		d.simLoad = s.bucket.Have() > 0 && s.offered == nil
	}
	d.dataLoad = s.found && s.copyRoom && s.data == nil

	left := s.leaving[2]
	d.late = left != nil && !left.Acked
	_, listed := s.list.head(c)
	listed = listed && s.queued < g.set.SIMQueue && s.queued < 32 && s.slotRoom
	d.again = !d.late && s.againWant
	d.serve = !d.late && !d.again && listed
	d.fresh = s.fresh.valid && s.fresh.legal && !d.late && !d.again && !d.serve

	d.due = s.due
	d.copyLeaves = (s.copySeen || s.copyDue) && !s.againHead && !s.againWant && s.left == [2]*sent{}
	if free := !s.step[0] && !s.step[1]; free {
		d.matchAgain = s.againHead
		_, any := s.acks.head(c)
		d.matchAck = any && !s.againHead
	}
	return d
}

// run takes a cycle's inputs and makes the registers of the next cycle.
func (g *golden) run(n *bench.Now) {
	d := g.decide(n)
	if !g.f.Bare {
		g.cover(n, &d)
	}
	g.simAck(n)
	g.dataAck(n)
	g.flows(n, &d)
	g.match(n, &d)
	g.sendSIM(n, &d)
	g.sendData(n, &d)
	g.leave(n, &d)
	g.copy(n, &d)

	s := &g.s
	s.bucket.Clock(d.simTake, int64(g.was.TokenGain), int64(g.was.TokenCost))
}

// text describes what the source host keeps.
func (g *golden) text([]uint64) string {
	s := &g.s
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d flows in turn, %d SIMs queued, slots %d to %d, %d SIMs in flight, %d SIM-ACKs to match, %d DATAs to send, %d not acknowledged",
		s.list.len(), s.queued, s.oldest, s.slot, s.flight.len(), s.acks.len(), s.coming, s.copies.len())
	if s.offered != nil {
		fmt.Fprintf(&b, "\nSIM offered: %+v", *s.offered)
	}
	if s.data != nil {
		fmt.Fprintf(&b, "\nDATA offered: %+v", *s.data)
	}
	return b.String()
}
