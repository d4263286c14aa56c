// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
)

// paper is the source host as the paper's §2.4 has it: a table of outstanding SIMs by port with a
// timer for each, a queue of DATAs for each flow, and a list of DATAs sorted by their time. It
// shares nothing with the golden model.
type paper struct {
	span  uint64 // RTTmax
	flows []paperFlow
	out   map[uint64]paperSIM // by port
	due   []release           // sorted by time
}

type paperFlow struct {
	nSIM, nDATA int
	waiting     []uint64 // numbers of DATAs, the first one first
	fresh       uint64   // the next new number
}

type paperSIM struct {
	flow int
	at   uint64 // t_SIM
}

// release is the event RTTmax after a SIM: its DATA or its timeout.
type release struct {
	at, port uint64
	flow     int
	data     bool
	seq      uint64
}

func (h *paper) new(flow, count int) {
	f := &h.flows[flow]
	for range count {
		f.waiting = append(f.waiting, f.fresh)
		f.fresh++
	}
	f.nDATA += count
}

func (h *paper) send(flow int, port, now uint64) error {
	if _, used := h.out[port]; used || slices.ContainsFunc(h.due, func(r release) bool { return r.port == port }) {
		return fmt.Errorf("port %x is in use", port)
	}
	h.flows[flow].nSIM++
	h.out[port] = paperSIM{flow, now}
	return nil
}

func (h *paper) simAck(port uint64) {
	sim, ok := h.out[port]
	if !ok {
		return
	}
	delete(h.out, port)
	f := &h.flows[sim.flow]
	r := release{at: sim.at + h.span, port: port, flow: sim.flow, data: true, seq: f.waiting[0]}
	f.waiting = f.waiting[1:]
	f.nSIM--
	f.nDATA--
	i := sort.Search(len(h.due), func(i int) bool { return h.due[i].at > r.at })
	h.due = slices.Insert(h.due, i, r)
}

func (h *paper) dataTimeout(flow int, seq uint64) {
	f := &h.flows[flow]
	f.waiting = slices.Insert(f.waiting, 0, seq)
	f.nDATA++
}

// clock returns the releases due at a time, after its SIM-ACKs.
func (h *paper) clock(now uint64) (out []release) {
	for port, sim := range h.out {
		if sim.at+h.span == now {
			delete(h.out, port)
			h.flows[sim.flow].nSIM--
			out = append(out, release{at: now, port: port, flow: sim.flow})
		}
	}
	for len(h.due) > 0 && h.due[0].at <= now {
		out, h.due = append(out, h.due[0]), h.due[1:]
	}
	return out
}

// ring is the golden model with the unit's replacement of timers and a sorted list: SIMs in the
// order in which they were sent. mistake is one of mistakes.
type ring struct {
	*model.Source
	p       *params.Params
	span    uint64
	sent    []*model.SIM
	mistake string
}

var mistakes = []string{
	"a SIM-ACK at RTTmax comes too late", "a SIM-ACK after RTTmax counts", "packets leave a clock late", "the number is taken when the DATA is due",
	"the newest of two packets leaves first", "a mark is lost", "a DATA that timed out goes to the end", "a SIM that timed out is forgotten",
}

func (h *ring) simAck(port, now uint64) {
	sim := h.Ack(port)
	if sim == nil {
		return
	}
	switch h.mistake {
	case "a mark is lost":
		sim.Acked = sim.Sent%7 != 0
	case "the number is taken when the DATA is due":
		return
	}
	h.Match(sim, now)
}

func (h *ring) dataTimeout(flow uint32, seq uint64) {
	h.Reserve()
	h.Head(flow, seq)
	h.Again(flow)
	if f := h.Flow(flow); h.mistake == "a DATA that timed out goes to the end" {
		last := len(f.Again) - 1
		f.Again = append([]uint64{f.Again[last]}, f.Again[:last]...)
	}
}

func (h *ring) clock(now uint64) (out []release) {
	span := h.span
	if h.mistake == "packets leave a clock late" {
		span++
	}
	for len(h.sent) > 0 && h.sent[0].Sent+span <= now {
		i := 0
		if h.mistake == "the newest of two packets leaves first" && len(h.sent) > 1 {
			i = 1
		}
		sim := h.sent[i]
		h.sent = slices.Delete(h.sent, i, i+1)
		if h.mistake != "a SIM-ACK after RTTmax counts" {
			h.Due(sim)
		}
		if sim.Acked && h.mistake == "the number is taken when the DATA is due" {
			h.Match(sim, now)
		}
		if !sim.Acked && h.mistake != "a SIM that timed out is forgotten" {
			h.Late(sim.Flow)
		}
		r := release{at: now, port: h.Port(sim), flow: int(sim.Flow), data: sim.Acked}
		if sim.Acked {
			r.seq = sim.Seq
		}
		out = append(out, r)
	}
	return out
}

// play gives both the same traffic: SIM-ACKs in any order, soon, at the last moment, too late, never or twice, and
// DATAs that time out. It returns the first difference.
func play(seed uint64, mistake string) error {
	r := rand.New(rand.NewPCG(seed, 5))
	p := params.Default()
	p.Flows, p.Outstanding, p.PortBits, p.Repeats = 3, 64, 10, 1024
	span := 1 + r.Uint64N(50)
	a := &paper{span: span, flows: make([]paperFlow, p.Flows), out: map[uint64]paperSIM{}}
	b := &ring{Source: model.New(p), p: p, span: span, mistake: mistake}
	type answer struct{ at, port uint64 }
	var answers []answer
	var datas []release // sent and not acknowledged
	lost, busy := r.IntN(100), 1+r.IntN(100)
	for clock := uint64(1); clock < 400; clock++ {
		if r.IntN(100) < 20 {
			flow, n := r.IntN(int(p.Flows)), 1+r.IntN(4)
			a.new(flow, n)
			b.Data(uint64(flow), int64(n))
		}
		acks := func() {
			for i := 0; i < len(answers); i++ {
				if answers[i].at == clock {
					a.simAck(answers[i].port)
					b.simAck(answers[i].port, clock)
					answers = slices.Delete(answers, i, i+1)
					i--
				}
			}
		}
		var x, y []release
		if mistake == "a SIM-ACK at RTTmax comes too late" {
			y = b.clock(clock)
		}
		acks()
		x = a.clock(clock)
		y = append(y, b.clock(clock)...)
		if !slices.Equal(x, y) {
			return fmt.Errorf("seed %d, clock %d: want %+v, got %+v", seed, clock, x, y)
		}
		for _, d := range x {
			if d.data {
				datas = append(datas, d)
			}
		}
		if len(datas) > 0 && r.IntN(100) < 20 {
			i := r.IntN(len(datas))
			if d := datas[i]; r.IntN(2) == 0 {
				a.dataTimeout(d.flow, d.seq)
				b.dataTimeout(uint32(d.flow), d.seq)
			}
			datas = slices.Delete(datas, i, i+1)
		}
		flow := r.IntN(int(p.Flows))
		if f := a.flows[flow]; f.nSIM < f.nDATA && r.IntN(100) < busy {
			sim, _ := b.Queue(uint32(flow))
			b.Number(sim)
			b.Step()
			b.Send(sim, clock)
			b.sent = append(b.sent, sim)
			port := b.Port(sim)
			if err := a.send(flow, port, clock); err != nil {
				return fmt.Errorf("seed %d, clock %d: %w", seed, clock, err)
			}
			if r.IntN(100) >= lost {
				answers = append(answers, answer{clock + 1 + []uint64{0, span - 1, span, r.Uint64N(span), r.Uint64N(span + 3)}[r.IntN(5)], port})
				if r.IntN(8) == 0 {
					answers = append(answers, answer{clock + 1 + r.Uint64N(span+3), port})
				}
			}
		}
		for i, f := range a.flows {
			if g := b.Flow(uint32(i)); int(g.NSIM) != f.nSIM || int(g.NDATA) != f.nDATA || int(g.NDATA) != len(f.waiting) {
				return fmt.Errorf("seed %d, clock %d, flow %d: n_SIM %d, n_DATA %d, want %d, %d", seed, clock, i, g.NSIM, g.NDATA, f.nSIM, f.nDATA)
			}
		}
	}
	return nil
}

// A ring in the order of transmission, with a mark for acknowledged packets, does the same as the
// paper's table, timers and sorted list do (D6): the same DATAs and timeouts at the same times,
// from the same ports, for any SIM-ACKs. Each mistake in the ring shows.
func TestRingEqualsSortedList(t *testing.T) {
	for seed := range uint64(600) {
		if err := play(seed, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, mistake := range mistakes {
		found := false
		for seed := uint64(0); seed < 100 && !found; seed++ {
			found = play(seed, mistake) != nil
		}
		if !found {
			t.Errorf("%s: unnoticed", mistake)
		}
	}
}
