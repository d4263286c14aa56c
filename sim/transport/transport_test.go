// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

var settings = transport.Settings{Payload: 4096, Headers: 54, RTO: 70_000, Deadline: 100_000_000}

const mtu = 4150

// tree is two leaves of 4 hosts under 4 spines.
func tree(t interface{ Fatal(...any) }, q fabric.Queueing, seed uint64) *topo.Tree {
	link := fabric.Link{Gbps: 400, Delay: 1_000_000}
	x, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: 4, Spines: 4, Host: link, Fabric: link, Queue: q}, seed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func window() transport.Window {
	return &transport.MPRDMA{MTU: mtu, First: 120 * mtu, Most: 150 * mtu, Least: mtu}
}

func ops(host, conns int) (transport.Transport, error) {
	return transport.Join(window(), transport.OPS(&transport.Host{Connections: conns, Seed: uint64(host)}, 16)), nil
}

func ecmp(host, conns int) (transport.Transport, error) {
	return transport.Join(window(), transport.ECMP(&transport.Host{Connections: conns, Seed: uint64(host)})), nil
}

// A single flow takes the time of its bytes at the line rate and a round trip, and is received half a round
// trip earlier.
func TestOneFlow(t *testing.T) {
	x := tree(t, fabric.Queueing{}, 1)
	const packets = 1000
	// The last packet has one byte.
	r, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: (packets-1)*4096 + 1, Start: 5_000_000}}, &settings, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	port := x.Hosts[0]
	last := port.Time(55)
	// Behind full packets, the last one waits for the one before it on each link.
	want := fabric.Instant(5_000_000) + (packets-1+3)*port.Time(mtu) + last + 4*port.Delay()
	if got := r.Flows[0].Received; got != want {
		t.Errorf("received at %d ps, want %d", got, want)
	}
	// So does its acknowledgement, which leaves later by what a header takes longer than 55 bytes.
	if got := r.Flows[0].Acked; got != want+4*(port.Time(fabric.HeaderSize)+port.Delay())+port.Time(fabric.HeaderSize)-last {
		t.Errorf("acknowledged at %d ps, %d after it was received", got, got-want)
	}
	if r.Packets != packets || r.Again != 0 || r.Duplicates != 0 {
		t.Errorf("%+v", r)
	}
}

// paced is a transport of one rate and window that lets its packets out by it.
type paced struct {
	transport.Transport
	grant transport.Grant
}

func (p paced) Open(int, uint64) (transport.Grant, error)          { return p.grant, nil }
func (p paced) Ack(int, *transport.Ack) (transport.Grant, error)   { return p.grant, nil }
func (p paced) Send(int, uint64) (transport.Choice, error)         { return transport.Choice{}, nil }
func (p paced) Lost(int, *transport.Loss) (transport.Grant, error) { return p.grant, nil }

// The rate spaces packets, and a window lets as many bytes out as it says, or one packet.
func TestRateAndWindow(t *testing.T) {
	for _, c := range []struct {
		grant transport.Grant
		gap   fabric.Instant // between packets, from 100 packets
	}{
		{transport.Grant{Window: 1 << 30, Rate: 5}, mtu * 1000 / 5},
		{transport.Grant{Window: 1}, 0},       // a round trip each
		{transport.Grant{Window: 2 * mtu}, 0}, // two a round trip
	} {
		x := tree(t, fabric.Queueing{}, 1)
		rtt := x.RoundTrip(0, 7, mtu, fabric.HeaderSize)
		r, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: 100 * 4096}}, &settings,
			func(int, int) (transport.Transport, error) { return paced{grant: c.grant}, nil })
		if err != nil {
			t.Fatal(err)
		}
		want := 99*c.gap + rtt
		if c.gap == 0 {
			want = 100 * rtt / max(1, fabric.Instant(c.grant.Window/mtu))
		}
		if got := r.Flows[0].Acked; got < want || got > want+200_000 {
			t.Errorf("%+v: %d ps, want %d", c.grant, got, want)
		}
	}
}

// told is a transport of one window that counts its notifications.
type told struct {
	paced
	marked uint64
	ended  map[uint32]int // acknowledgements and losses, by EV
}

func (x *told) Ack(_ int, a *transport.Ack) (transport.Grant, error) {
	x.ended[a.EV]++
	if a.Marked {
		x.marked++
	}
	return x.grant, nil
}

func (x *told) Lost(_ int, l *transport.Loss) (transport.Grant, error) {
	x.ended[l.EV]++
	return x.grant, nil
}

// A sender is notified of each mark.
func TestMarksAreTold(t *testing.T) {
	x := tree(t, fabric.Queueing{Marking: fabric.Marking{Min: mtu, Max: 4 * mtu}}, 1)
	flows := []workload.Flow{{Src: 1, Dst: 0, Bytes: 100 * 4096}, {Src: 2, Dst: 0, Bytes: 100 * 4096}}
	hosts := &told{paced{grant: transport.Grant{Window: 10 * mtu}}, 0, map[uint32]int{}}
	r, err := transport.Run(t.Context(), x, flows, &settings, func(int, int) (transport.Transport, error) { return hosts, nil })
	if err != nil {
		t.Fatal(err)
	}
	// All go through one queue.
	if hosts.marked != r.Counts.Marked || hosts.marked < 10 || hosts.marked > 190 {
		t.Errorf("senders are told of %d marks of %d on 200 packets, want all of some", hosts.marked, r.Counts.Marked)
	}
}

// late is a Clocked whose choices, each another EV, come a while after the packet.
type late struct {
	told
	latency fabric.Instant
	conns   []int
	due     []fabric.Instant
	chosen  uint32
	answers []transport.Answer
}

func (x *late) Ask(conn int, _ uint32, at fabric.Instant) error {
	x.conns, x.due = append(x.conns, conn), append(x.due, at+x.latency)
	return nil
}

func (x *late) Answers(to fabric.Instant) ([]transport.Answer, error) {
	x.answers = x.answers[:0]
	for len(x.due) > 0 && x.due[0] <= to {
		x.chosen++
		x.answers = append(x.answers, transport.Answer{Conn: x.conns[0], Choice: transport.Choice{EV: x.chosen}})
		x.conns, x.due = x.conns[1:], x.due[1:]
	}
	return x.answers, nil
}

func (x *late) Due() (fabric.Instant, bool) { return 0, false }
func (x *late) Latency() fabric.Instant     { return x.latency }

// Each packet of a Clocked is acknowledged or lost, with the EV that was chosen for it after it had left.
func TestLateChoices(t *testing.T) {
	x := tree(t, fabric.Queueing{}, 1)
	x.Hosts[7].Peer().SetLoss(0.2)
	host := &late{told: told{paced{grant: transport.Grant{Window: 10 * mtu}}, 0, map[uint32]int{}}, latency: 50_000}
	r, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: 200 * 4096}, {Src: 0, Dst: 7, Bytes: 100 * 4096}}, &settings,
		func(int, int) (transport.Transport, error) { return host, nil })
	if err != nil {
		t.Fatal(err)
	}
	if r.Timeouts < 30 || uint64(host.chosen) != r.Packets {
		t.Errorf("%d choices for %d packets, %d lost, want one for each, and some lost", host.chosen, r.Packets, r.Timeouts)
	}
	for ev := range host.chosen + 1 {
		if n := host.ended[ev]; n != min(1, int(ev)) {
			t.Errorf("EV %d was acknowledged or lost %d times, want once, and none without a choice", ev, n)
		}
	}
}

// Flows of one host take turns.
func TestTurns(t *testing.T) {
	r, err := transport.Run(t.Context(), tree(t, fabric.Queueing{}, 1),
		[]workload.Flow{{Src: 0, Dst: 4, Bytes: 1 << 20}, {Src: 0, Dst: 5, Bytes: 1 << 20}, {Src: 0, Dst: 6, Bytes: 1 << 20}}, &settings, ops)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Flows[1:] {
		if d := f.Acked - r.Flows[0].Acked; d < -400_000 || d > 400_000 { // five packets
			t.Errorf("a flow ends %d ps after another one", d)
		}
	}
}

// Whatever is lost, every flow ends with all of its packets received, and nothing is lost from sight; the same seed
// gives the same run.
func TestEveryFlowEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := fabric.Queueing{Bytes: rapid.Int64Range(mtu, 50*mtu).Draw(t, "queue"), Trim: rapid.Bool().Draw(t, "trim")}
		q.Marking = fabric.Marking{Min: q.Bytes / 5, Max: q.Bytes * 4 / 5}
		loss, seed := rapid.Float64Range(0, 0.2).Draw(t, "loss"), rapid.Uint64().Draw(t, "seed")
		down := rapid.Int64Range(0, 100).Draw(t, "a cable fails at, µs")
		var flows []workload.Flow
		for range rapid.IntRange(1, 4).Draw(t, "flows") {
			src := rapid.IntRange(0, 7).Draw(t, "from")
			flows = append(flows, workload.Flow{Src: src, Dst: (src + rapid.IntRange(1, 7).Draw(t, "to")) % 8,
				Bytes: rapid.Uint64Range(1, 200_000).Draw(t, "bytes"), Start: rapid.Uint64Range(0, 50_000_000).Draw(t, "start")})
		}
		var first *transport.Result
		for range 2 {
			x := tree(t, q, seed)
			up := x.Leaves[0].Up[0]
			up.Peer().SetLoss(loss)
			x.Leaves[1].Up[1].SetLoss(loss)
			x.At(fabric.Instant(down)*1_000_000, func() { up.Fail(); up.Peer().Fail() })
			for i := range fabric.Instant(100) {
				x.At(i*10_000_000, func() {
					// A flow waits for its timer, what begins it for its time, and so do the deadline and these.
					if got, most := x.Pending(), int(x.Census())+2*len(flows)+102; got > most {
						t.Fatalf("%d events are waiting, want at most %d", got, most)
					}
				})
			}
			r, err := transport.Run(t.Context(), x, flows, &settings, ops)
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
			for i, f := range r.Flows {
				if !reflect.DeepEqual(f.Flow, flows[i]) || f.Received <= fabric.Instant(f.Flow.Start) || f.Acked <= f.Received {
					t.Fatalf("%+v", f)
				}
			}
			if first != nil && !reflect.DeepEqual(r, first) {
				t.Fatalf("the same run gives %+v and %+v", first, r)
			}
			first = r
		}
	})
}

// A full queue tells the sender at once if it trims, and by a time-out if it drops.
func TestTrimming(t *testing.T) {
	flows, err := workload.Incast(8, 0, 7, 100*4096)
	if err != nil {
		t.Fatal(err)
	}
	for _, trim := range []bool{false, true} {
		r, err := transport.Run(t.Context(), tree(t, fabric.Queueing{Bytes: 20 * mtu, Trim: trim}, 1), flows, &settings, ops)
		if err != nil {
			t.Fatal(err)
		}
		if trim && (r.Nacks == 0 || r.Timeouts > 0 || r.Nacks != r.Counts.Trimmed || r.Again != r.Nacks) ||
			!trim && (r.Timeouts == 0 || r.Nacks > 0 || r.Timeouts != r.Counts.Drops[fabric.Full] || r.Again != r.Timeouts) {
			t.Errorf("trimming %t: %+v", trim, r)
		}
	}
}

func TestRefuses(t *testing.T) {
	set, tiny := settings, settings
	set.Deadline = 20_000
	tiny.Payload = 1
	broken := errors.New("broken")
	for _, c := range []struct {
		flow workload.Flow
		set  transport.Settings
		by   func(int, int) (transport.Transport, error)
		want string
	}{
		{workload.Flow{Src: 0, Dst: 8, Bytes: 1}, settings, ops, "flow 0: found from host 0 to 8, allowed: two of the 8 hosts"},
		{workload.Flow{Src: 0, Dst: 0, Bytes: 1}, settings, ops, "flow 0: found from host 0 to 0, allowed: two of the 8 hosts"},
		{workload.Flow{Src: 0, Dst: 1}, settings, ops, "flow 0: found 0 bytes, allowed: 1 to 2^36"},
		{workload.Flow{Src: 0, Dst: 1, Bytes: 1 << 31}, tiny, ops,
			"workload: found more than 1073741824 packets of 1 bytes in the first 1 of 1 flows, allowed: at most 1073741824, which take some 8 GB: send less, or in larger packets"},
		{workload.Flow{Src: 0, Dst: 1, Bytes: 1 << 30}, set, ops, "1 of 1 flows are not complete after 20000 ns"},
		{workload.Flow{Src: 0, Dst: 1, Bytes: 1}, transport.Settings{}, ops, "hosts: payload: found 0, allowed: 1 to 65536; RTO: found 0, allowed: 1 to 1000000000000; deadline: found 0, allowed: 1 to 10000000000000"},
		{workload.Flow{Src: 0, Dst: 1, Bytes: 1}, settings, func(int, int) (transport.Transport, error) { return nil, broken }, "host 0: broken"},
		{workload.Flow{Src: 0, Dst: 1, Bytes: 1}, settings, func(int, int) (transport.Transport, error) { return paced{}, nil },
			"host 0, connection 0 at 0 ns: found window 0, rate 0, allowed: above 0, and 0 or more"},
	} {
		_, err := transport.Run(t.Context(), tree(t, fabric.Queueing{}, 1), []workload.Flow{c.flow}, &c.set, c.by)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// The window of MP-RDMA, acknowledgement by acknowledgement.
func TestMPRDMA(t *testing.T) {
	m := &transport.MPRDMA{MTU: 1000, First: 10_000, Most: 12_000, Least: 1000, Fast: 500}
	for i, c := range []struct {
		got, want float64
	}{
		{m.Open(3), 10_000},
		{m.Ack(3, &transport.Ack{}), 10_100},
		{m.Ack(3, &transport.Ack{Again: true, Marked: true}), 10_100},
		{m.Ack(3, &transport.Ack{Marked: true}), 9_600},
		{m.Lost(3, &transport.Loss{}), 8_600},
		{m.Ack(3, &transport.Ack{Now: 500}), 9_600},
		{m.Open(1), 10_000},
		{m.Ack(3, &transport.Ack{Now: 501}), 10_600},
		{m.Ack(3, &transport.Ack{Now: 501}), 11_600},
		{m.Ack(3, &transport.Ack{Now: 501}), 12_000},
	} {
		if c.got != c.want {
			t.Errorf("step %d: %v, want %v", i, c.got, c.want)
		}
	}
	for range 20 {
		m.Lost(3, &transport.Loss{})
	}
	if got := m.Lost(3, &transport.Loss{}); got != 1000 {
		t.Errorf("least window %v, want 1000", got)
	}
}

// wrong changes one decision of a transport.
type wrong struct {
	transport.Transport
	sends int
}

func (w *wrong) Send(conn int, now uint64) (transport.Choice, error) {
	c, err := w.Transport.Send(conn, now)
	if w.sends++; w.sends == 5 {
		c.Note = 7
	}
	return c, err
}

// Lockstep changes nothing where two transports agree, and ends the run at the first decision in which they do not.
func TestLockstep(t *testing.T) {
	flows := []workload.Flow{{Src: 0, Dst: 7, Bytes: 1 << 18}}
	run := func(by func(int, int) (transport.Transport, error)) (*transport.Result, error) {
		return transport.Run(t.Context(), tree(t, fabric.Queueing{}, 1), flows, &settings, by)
	}
	alone, err := run(ops)
	if err != nil {
		t.Fatal(err)
	}
	beside := func(change func(transport.Transport) transport.Transport) (*transport.Result, error) {
		return run(func(host, conns int) (transport.Transport, error) {
			a, _ := ops(host, conns)
			b, _ := ops(host, conns)
			return transport.Lockstep(a, "first", change(b), "second"), nil
		})
	}
	both, err := beside(func(x transport.Transport) transport.Transport { return x })
	if err != nil || !reflect.DeepEqual(both, alone) {
		t.Errorf("%+v, %v: want %+v", both, err, alone)
	}
	_, err = beside(func(x transport.Transport) transport.Transport { return &wrong{Transport: x} })
	var d *transport.Difference
	if !errors.As(err, &d) || d.Events != 5 || d.Event != "a packet" || d.Conn != 0 || !strings.Contains(err.Error(), "second {EV:") {
		t.Errorf("%v", err)
	}
}

// A flowlet keeps its EV; the packet after a longer pause has another one, at random, and other connections are not touched.
func TestFlowlets(t *testing.T) {
	p := transport.Flowlets(&transport.Host{Connections: 2, Seed: 3}, 50)
	send := func(conn int, now uint64) uint32 {
		c, err := p.Send(conn, now)
		if err != nil {
			t.Fatal(err)
		}
		return c.EV
	}
	other := send(1, 0)
	seen := map[uint32]bool{}
	now := uint64(0)
	for range 100 {
		first := send(0, now)
		for range 5 {
			if now += 50; send(0, now) != first {
				t.Fatal("another EV within a flowlet")
			}
		}
		seen[first] = true
		now += 51
	}
	if len(seen) < 95 {
		t.Errorf("%d EVs of 100 flowlets", len(seen))
	}
	if now = 50; send(1, now) != other {
		t.Error("another connection's flowlet has another EV")
	}
}

// A timeout shorter than the round trip sends packets whose first copy is still in flight. Copies arrive after the packet
// state of a complete flow is freed, and every flow still ends.
func TestCopiesOfCompleteFlows(t *testing.T) {
	set := settings
	set.RTO = 6_000 // ns; the round trip takes 8 µs and more
	x := tree(t, fabric.Queueing{}, 5)
	var flows []workload.Flow
	for src := range 4 {
		flows = append(flows, workload.Flow{Src: src, Dst: 4, Bytes: 40 << 10, Start: uint64(src) * 1_000_000})
	}
	r, err := transport.Run(t.Context(), x, flows, &set, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err != nil {
		t.Fatal(err)
	}
	if r.Again == 0 {
		t.Errorf("%+v: want packets that were sent again", r)
	}
	for i, f := range r.Flows {
		if uint64(f.Received) <= f.Flow.Start || f.Acked < f.Received {
			t.Errorf("flow %d: %+v", i, f)
		}
	}
}

// A flow that waits for others begins when its source has the last byte of those that end there and the last acknowledgement
// of those that begin there.
func TestAfter(t *testing.T) {
	x := tree(t, fabric.Queueing{}, 5)
	flows := []workload.Flow{
		{Src: 0, Dst: 4, Bytes: 4096},
		{Src: 1, Dst: 4, Bytes: 1 << 20},
		{Src: 4, Dst: 2, Bytes: 4096, After: []int{0, 1}, Start: 7_000_000},
		{Src: 1, Dst: 3, Bytes: 4096, After: []int{1}},
		{Src: 2, Dst: 0, Bytes: 4096, After: []int{2}},
	}
	r, err := transport.Run(t.Context(), x, flows, &settings, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	alone := r.Flows[0].Received // bytes received from time 0 on
	near := r.Flows[3].Received - r.Flows[1].Acked
	for _, c := range []struct {
		flow int
		from fabric.Instant
	}{
		{2, r.Flows[1].Received + 7_000_000},
		{4, r.Flows[2].Received},
	} {
		// The acknowledgement of what it waited for may leave before it.
		const ack = 10_000
		if got := r.Flows[c.flow].Received - c.from; !(got >= alone && got < alone+ack || got >= near && got < near+ack) {
			t.Errorf("flow %d takes %d ps from what it waits for on, want %d or, below one switch, %d", c.flow, got, alone, near)
		}
	}
	if near <= 0 || near >= alone {
		t.Errorf("below one switch a flow takes %d ps, through two tiers %d", near, alone)
	}
	for _, c := range []struct {
		flow workload.Flow
		want string
	}{
		{workload.Flow{Src: 5, Dst: 6, Bytes: 1, After: []int{0}}, "flow 1: found flow 0 before it, allowed: one of a lower number, without a loop, that begins or ends at host 5"},
		{workload.Flow{Src: 0, Dst: 6, Bytes: 1, After: []int{1}}, "flow 1: found flow 1 before it"},
	} {
		if _, err := transport.Run(t.Context(), tree(t, fabric.Queueing{}, 5), []workload.Flow{flows[0], c.flow}, &settings, ecmp); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A flow that stops sends no packet for the first time any more, and a run ends at its time whatever is left.
func TestStopAndUntil(t *testing.T) {
	s := settings
	s.Until = 200_000
	x := tree(t, fabric.Queueing{}, 1)
	bytes := uint64(1 << 30)
	flows := []workload.Flow{{Src: 0, Dst: 1, Bytes: bytes, Stop: 50_000_000}, {Src: 2, Dst: 3, Bytes: bytes}}
	r, err := transport.Run(t.Context(), x, flows, &s, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	if now := x.Now(); now != 200_000_000 {
		t.Errorf("the run ends at %d ps, want 200 µs", now)
	}
	if r.Flows[0].Acked != 0 || r.Flows[1].Acked != 0 {
		t.Errorf("flows are complete: %+v", r.Flows)
	}
	// A packet keeps a host's cable for 83 ns.
	for host, until := range map[int]fabric.Instant{0: 50_000_000, 2: 200_000_000} {
		p := x.Hosts[host]
		if got, want := p.Bytes/mtu, uint64(until/p.Time(mtu)); got < want || got > want+1 {
			t.Errorf("host %d sends %d packets, want %d or one more", host, got, want)
		}
	}
	if err := x.Check(); err != nil {
		t.Error(err)
	}
	s.Until = s.Deadline + 1
	if _, err := transport.Run(t.Context(), x, flows, &s, ecmp); err == nil || !strings.Contains(err.Error(), "until: found 100000001, allowed: 0 to 100000000") {
		t.Error(err)
	}
}

// finder is a Tracker that always decides the same, and reports given packets as lost.
type finder struct {
	transport.Transport
	lost   []transport.Segment
	choice transport.Choice
	err    error
}

func (f *finder) Open(int, uint64) (transport.Grant, error) {
	return transport.Grant{Window: 1}, f.err
}
func (f *finder) Ack(int, *transport.Ack) (transport.Grant, error) {
	return transport.Grant{Window: 2}, f.err
}
func (f *finder) Lost(int, *transport.Loss) (transport.Grant, error) {
	return transport.Grant{Window: 3}, f.err
}
func (f *finder) Segment(int, uint32, uint64) (transport.Choice, error) { return f.choice, f.err }
func (f *finder) Answer(int, *transport.Ack) error                      { return f.err }
func (f *finder) Tick(uint64) error                                     { return f.err }
func (f *finder) Every() uint64                                         { return 7 }
func (f *finder) Missing() []transport.Segment                          { return f.lost }

// Lockstep compares the choices and losses of two Trackers after each call.
func TestLockstepTracker(t *testing.T) {
	calls := []struct {
		name string
		call func(s transport.Tracker) error
	}{
		{"opening", func(s transport.Tracker) error { _, err := s.Open(4, 9); return err }},
		{"a packet", func(s transport.Tracker) error { _, err := s.Segment(4, 5, 9); return err }},
		{"an acknowledgement", func(s transport.Tracker) error { _, err := s.Ack(4, &transport.Ack{Now: 9}); return err }},
		{"a loss", func(s transport.Tracker) error { _, err := s.Lost(4, &transport.Loss{Now: 9}); return err }},
		{"a probe", func(s transport.Tracker) error { return s.Answer(4, &transport.Ack{Now: 9}) }},
		{"a look at the timers", func(s transport.Tracker) error { return s.Tick(9) }},
	}
	lost := []transport.Segment{{Conn: 4, Seq: 5}}
	for _, c := range calls {
		a, b := &finder{lost: lost}, &finder{lost: lost}
		s := transport.Lockstep(a, "a", b, "b").(transport.Tracker)
		if err := c.call(s); err != nil || !reflect.DeepEqual(s.Missing(), lost) || s.Every() != 7 {
			t.Errorf("%s: %v, lost %v, want %v", c.name, err, s.Missing(), lost)
		}
		b.lost = []transport.Segment{{Conn: 4, Seq: 5, Timer: true}}
		var d *transport.Difference
		if err := c.call(s); !errors.As(err, &d) || d.Event != "what is lost after "+c.name || d.Now != 9 {
			t.Errorf("%s: %v, want a difference in what is lost", c.name, err)
		}
		b.err = errors.New("broken")
		if err := c.call(s); !errors.Is(err, b.err) {
			t.Errorf("%s: %v, want that of the second", c.name, err)
		}
	}
	s := transport.Lockstep(&finder{}, "a", &finder{choice: transport.Choice{Probe: true}}, "b").(transport.Tracker)
	var d *transport.Difference
	if _, err := s.Segment(4, 5, 9); !errors.As(err, &d) || d.Event != "a packet" {
		t.Errorf("%v, want a difference in a packet", err)
	}
	if _, ok := transport.Lockstep(&finder{}, "a", plainTransport{}, "b").(transport.Tracker); ok {
		t.Error("one Tracker and another transport are a Tracker")
	}
}

type plainTransport struct{ transport.Transport }
