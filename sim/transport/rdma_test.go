// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"math"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// literal is DCQCN as the paper has it, Equations 1 to 4, in steps of 1 µs that all timers are multiples of.
type literal struct {
	rate, target, alpha      float64
	alphaLeft, cutLeft, left int // µs
	seen, cut, started       bool
	stage                    int
}

// step is the end of a microsecond: alpha first, then the cut, then the increase.
func (x *literal) step(d *transport.DCQCN) {
	if !x.started {
		return
	}
	x.alphaLeft, x.cutLeft, x.left = x.alphaLeft-1, x.cutLeft-1, x.left-1
	if x.alphaLeft == 0 {
		if x.seen {
			x.alpha = (1-d.Gain)*x.alpha + d.Gain
		} else {
			x.alpha = (1 - d.Gain) * x.alpha
		}
		x.seen, x.alphaLeft = false, int(d.Alpha/1000)
	}
	if x.cutLeft == 0 {
		if x.cut {
			if x.stage > 0 || d.Clamp {
				x.target = x.rate
			}
			x.rate = math.Max(d.Least, x.rate*(1-x.alpha/2))
			x.cut, x.stage, x.left = false, 0, int(d.Timer/1000)
		}
		x.cutLeft = int(d.Decrease / 1000)
	}
	if x.left == 0 {
		if x.stage == d.Fast {
			x.target += d.Additive
		} else if x.stage > d.Fast {
			x.target += d.Hyper
		}
		x.target = math.Min(x.target, d.Line)
		x.rate = (x.rate + x.target) / 2
		x.stage++
		x.left = int(d.Timer / 1000)
	}
}

func (x *literal) mark(d *transport.DCQCN) {
	if !x.started {
		*x = literal{rate: x.rate, target: x.rate, alpha: 1, alphaLeft: int(d.Alpha / 1000), cutLeft: int(d.Decrease / 1000), left: int(d.Timer / 1000), cut: true, started: true}
		return
	}
	x.seen, x.cut = true, true
}

// Looking at timers when an acknowledgement comes gives the rates of one step after the other.
func TestDCQCN(t *testing.T) {
	for _, clamp := range []bool{false, true} {
		d := &transport.DCQCN{Line: 25, Least: 0.0125, Alpha: 1000, Decrease: 4000, Timer: 50_000, Gain: 1. / 16, Fast: 2, Additive: 0.1, Hyper: 1, Clamp: clamp, Window: 5}
		if g := d.Open(1, 0); g.Rate != 25 || g.Window != 5 {
			t.Errorf("%+v", g)
		}
		x := &literal{rate: 25, target: 25}
		var least, most float64 = 25, 0
		for us := range uint64(5000) {
			if us > 0 {
				x.step(d)
			}
			// Acknowledgements at odd times, marked in bursts.
			if us%7 != 3 && us%11 != 5 {
				continue
			}
			marked := us > 100 && us < 200 || us == 1500 || us > 1700 && us%130 == 3
			g := d.Ack(1, &transport.Ack{Now: us * 1000, Marked: marked})
			if math.Abs(g.Rate-x.rate) > 1e-9 {
				t.Fatalf("clamp %t, %d µs: rate %v, want %v", clamp, us, g.Rate, x.rate)
			}
			if marked {
				x.mark(d)
			}
			least = min(least, g.Rate)
			if us > 200 {
				most = max(most, g.Rate)
			}
		}
		if least > 1 || most < 5 || d.Lost(1, nil).Rate != x.rate {
			t.Errorf("clamp %t: rates from %v to %v, want cuts and increases", clamp, least, most)
		}
	}
}

// A round trip with marks cuts the rate once by alpha/2, one without lets it grow.
func TestDCTCP(t *testing.T) {
	d := &transport.DCTCP{Line: 10, Least: 1, Additive: 2, Gain: 0.5}
	d.Open(2, 0)
	for i, c := range []struct {
		now    uint64
		marked bool
		want   float64
	}{
		{0, false, 10}, // alpha ½
		{40, false, 10},
		{50, true, 10 * (1 - 0.25)}, // the first of this round
		{60, true, 7.5},
		{100, false, 7.5},                // 2 of 4: alpha ½
		{150, true, 7.5 * (1 - 0.25)},    //
		{200, true, 5.625 * (1 - 0.375)}, // all of 2 are: alpha ¾; the next round, too
		{210, false, 3.515625},
		{300, false, 3.515625 + 2}, // none of 2
		{400, false, 7.515625},
		{500, false, 9.515625},
		{600, false, 10},
	} {
		if got := d.Ack(2, &transport.Ack{Now: c.now, RTT: 100, Marked: c.marked}).Rate; got != c.want {
			t.Errorf("step %d: %v, want %v", i, got, c.want)
		}
	}
	for now := uint64(1000); now < 9000; now += 100 {
		d.Ack(2, &transport.Ack{Now: now, RTT: 100, Marked: true})
	}
	if got := d.Lost(2, nil).Rate; got != 1 {
		t.Errorf("least rate %v, want 1", got)
	}
}

// PLB keeps its path while less than half of a round is marked, leaves it after three rounds when nothing is under way, and
// after twelve at any rate.
func TestPLB(t *testing.T) {
	// rounds sends some rounds of two packets, of which a given number are marked; with idle, nothing is in flight
	// between rounds.
	rounds := func(p transport.Paths, n, marks int, idle bool) (evs []uint32) {
		if !idle {
			p.Send(0, 0)
		}
		for range n {
			for range 2 {
				c, _ := p.Send(0, 0)
				evs = append(evs, c.EV)
			}
			for k := range 2 {
				p.Ack(0, &transport.Ack{Marked: k < marks})
			}
		}
		return evs
	}
	changes := func(evs []uint32) (n int) {
		for i := range evs[1:] {
			if evs[i] != evs[i+1] {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		n, marks int
		idle     bool
		least    int
		most     int
	}{
		{40, 0, true, 0, 0},
		{3, 2, true, 0, 0},
		{5, 2, true, 1, 1},
		{40, 2, true, 12, 20}, // a round may be one packet
		{11, 2, false, 0, 0},
		{40, 2, false, 1, 3},
	} {
		p := transport.PLB(&transport.Host{Connections: 1, Seed: 3})
		if got := changes(rounds(p, c.n, c.marks, c.idle)); got < c.least || got > c.most {
			t.Errorf("%+v: %d changes", c, got)
		}
	}
}

// A receiver that takes packets in order only loses all behind a gap, and every flow still ends, with each packet received
// once; the reordering that it sees is none.
func TestGoBackN(t *testing.T) {
	set := settings
	set.GoBackN = true
	var again [2]uint64
	for i, loss := range []float64{0.03, 0.003} {
		x := tree(t, fabric.Queueing{}, 5)
		for _, up := range x.Leaves[0].Up {
			up.SetLoss(loss)
		}
		flows := []workload.Flow{{Src: 0, Dst: 4, Bytes: 8 << 20}, {Src: 1, Dst: 4, Bytes: 1 << 20}}
		r, err := transport.Run(t.Context(), x, flows, &set, ecmp)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Check(); err != nil {
			t.Fatal(err)
		}
		if r.Order.Early > 0 || r.Order.Late > 0 || r.Nacks == 0 || r.Nacks > r.Counts.Drops[fabric.Lossy] || r.Again < 10*r.Counts.Drops[fabric.Lossy] {
			t.Errorf("loss %v: %+v", loss, r)
		}
		again[i] = r.Again
	}
	if again[0] < 2*again[1] {
		t.Errorf("%v packets again: want more with more losses", again)
	}
}

// scripted sends the packets of a flow over routes in rotation.
type scripted struct {
	paced
	turn   uint32
	delays map[uint32]uint64 // the least one by route, ns
}

func (s *scripted) Ack(_ int, a *transport.Ack) (transport.Grant, error) {
	if d, ok := s.delays[a.EV%2]; !ok || a.Delay < d {
		s.delays[a.EV%2] = a.Delay
	}
	return s.grant, nil
}

func (s *scripted) Send(int, uint64) (transport.Choice, error) {
	s.turn++
	return transport.Choice{EV: s.turn}, nil
}

// Two routes that differ by 2 µs let every other packet overtake those before it: what a receiver holds back is counted.
func TestOrder(t *testing.T) {
	link := fabric.Link{Gbps: 100, Delay: 1_000_000}
	m, err := topo.Rail(2, 2, &topo.Cables{Host: link, Fabric: link}, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Host 0 to 2 is over 4 or 8 cables: the second one takes 4 µs more, and 4 times as long as a packet.
	set := transport.Settings{Payload: 1000, Headers: 48, RTO: 1_000_000, Deadline: 100_000_000}
	const gap, packets = 1000, 100
	script := &scripted{paced: paced{grant: transport.Grant{Window: 1 << 30, Rate: 1048. / gap}}, delays: map[uint32]uint64{}}
	r, err := transport.Run(t.Context(), m, []workload.Flow{{Src: 0, Dst: 2, Bytes: 1000 * packets}}, &set, func(int, int) (transport.Transport, error) {
		return script, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range m.Routes(0, 2) {
		if got, want := script.delays[uint32(i)], (topo.Empty(&x, 1048, 0) + 500).NS(); got != want {
			t.Errorf("route %d: a delay of %d ns, want %d", i, got, want)
		}
	}
	// The first packet is on the long route. Each on the short one waits for that before it: 4.34 µs later come, with it,
	// two more of its kind.
	o := r.Order
	if o.Early != packets/2 || o.Late != packets/2 || o.Over[0] == 0 || o.Over[len(o.Over)-1] != 0 {
		t.Errorf("%+v", o)
	}
	if mean := o.Bytes / packets; mean < 1000 || mean > 3000 {
		t.Errorf("%v bytes are held on average, want two packets, more or less", mean)
	}
	if r.Routes[4].Packets != packets/2 || r.Routes[8].Packets != packets/2 || r.Routes[4].Even != packets/2 {
		t.Errorf("%+v", r.Routes)
	}
}

// A flow with a single route has no choice, and shares of routes leave it out.
func TestRoutesOfAChoice(t *testing.T) {
	link := fabric.Link{Gbps: 100, Delay: 1_000_000}
	m, err := topo.Rail(2, 2, &topo.Cables{Host: link, Fabric: link}, 1)
	if err != nil {
		t.Fatal(err)
	}
	set := transport.Settings{Payload: 1000, Headers: 48, RTO: 1_000_000, Deadline: 100_000_000}
	flows := []workload.Flow{{Src: 0, Dst: 1, Bytes: 20_000}, {Src: 0, Dst: 2, Bytes: 10_000}}
	r, err := transport.Run(t.Context(), m, flows, &set, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Seed: 1}
		return transport.Join(&transport.MPRDMA{MTU: 1048, First: 50_000, Most: 50_000, Least: 1048}, transport.ECMP(h)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Routes[4].Packets + r.Routes[8].Packets; n != 10 || r.Routes[4].Even != 5 || r.Routes[8].Even != 5 {
		t.Errorf("%+v: want the 10 packets between clusters, with two routes each", r.Routes)
	}
}
