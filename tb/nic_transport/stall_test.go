// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/packet/roce"
)

// staller returns whether a stream stalls; inside: within a frame.
type staller struct {
	name string
	stop func(cycle int, inside bool, rng *rand.Rand) bool
}

// stallers are the patterns of the matrix.
func stallers() []staller {
	run := 0 // of the long one
	return []staller{
		{"never", func(int, bool, *rand.Rand) bool { return false }},
		{"random", func(_ int, _ bool, rng *rand.Rand) bool { return rng.IntN(2) == 0 }},
		{"long", func(cycle int, _ bool, rng *rand.Rand) bool {
			if run == 0 && rng.IntN(100) == 0 {
				run = 100 + rng.IntN(300)
			}
			run = max(run-1, 0)
			return run > 0
		}},
		{"every other cycle", func(cycle int, _ bool, _ *rand.Rand) bool { return cycle%2 == 0 }},
		{"between frames", func(_ int, inside bool, rng *rand.Rand) bool { return !inside && rng.IntN(4) > 0 }},
	}
}

// stalled are the streams that stall: two sources, three sinks.
var stalled = []string{"s_axis_tx", "s_axis_rx", "m_axis_tx", "m_axis_rx", "m_flow"}

// sizes of frames, at the ends of beats and of what Ethernet has; 0: random.
var stalledSizes = []int{60, 61, 63, 64, 65, 66, 124, 125, 126, 127, 128, 129, 130, 1500, 4096, 9214, 0}

// Each stream alone, and all together, stall in each of five ways, with frames of each size: no frame is lost, each leaves once and in its order
// with all its bytes, a beat that was offered stays, and m_axis_tx_tvalid never falls within a frame. The checker sees to that in every cycle.
func TestStalls(t *testing.T) {
	t.Parallel()
	p := params.Default()
	if err := gen.Configure(p, small); err != nil {
		t.Fatal(err)
	}
	b := Unit.Bench(p)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, stream := range append(stalled, "all") {
		for k := range stallers() {
			if stream != "all" && k == 0 {
				continue // all, never
			}
			if sample.LeftOut(t.Name() + "/" + stream + " " + stallers()[k].name) {
				continue
			}
			r := newRig(t, p, lib)
			defer r.inst.Close()
			for i, s := range stalled {
				if r.stop[i] = stallers()[0]; s == stream || stream == "all" {
					r.stop[i] = stallers()[k]
				}
			}
			for _, size := range stalledSizes {
				name := fmt.Sprintf("%s %s %d", stream, stallers()[k].name, size)
				if err := r.send(size); err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
			t.Logf("%s %s: %v; %d cycles, stalled %d, m_flow taken %d times", stream, stallers()[k].name, r.c, r.cycle, r.stalls, r.told)
			if r.told == 0 {
				t.Errorf("%s %s: m_flow told nothing", stream, stallers()[k].name)
			}
		}
	}
}

// rig is a block with its checker and streams that stall.
type rig struct {
	*stimulus
	stop    [5]staller
	inst    *cosim.Instance
	c       *Checker
	in, got []uint64
	cycle   int
	stalls  [5]int
	inside  [5]bool
	psn     uint32
	flow    uint64 // the untaken offer of m_flow
	waits   bool
	told    int // times that m_flow was taken
}

// newRig powers a block up and makes three connections: edited, queued, queued.
func newRig(t *testing.T, p *params.Params, lib *cosim.Library) *rig {
	t.Helper()
	l := lib.Layout()
	s, err := newStimulus(p, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{stimulus: s.(*stimulus), in: make([]uint64, l.InWords), got: make([]uint64, l.OutWords)}
	if r.inst, err = lib.New(cosim.InstanceOptions{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	if r.c, err = New(p, l); err != nil {
		t.Fatal(err)
	}
	for i := range r.stop {
		r.stop[i] = stallers()[0]
	}
	r.program = nil
	for i := range r.side {
		r.side[i] = source{s: r.side[i].s}
	}
	r.setting("queue", "cfg_quota", uint64(p.Queue().Cells()))
	r.setting("queue", "cfg_xoff", 2)
	r.setting("queue", "cfg_xon", 1)
	places := place.New(p.Lookup())
	for i := range 3 {
		profile := model.Profile{Queue: i > 0, Path: true, EchoTX: true, EchoRX: true, DSCPOn: true, DSCP: 10}
		r.give("transport.s_profile", "conn", uint64(i), "word", uint64(profile.Word()))
		for d, qp := range []uint32{0x100, 0x200} {
			k, _ := r.key(peer, lookup.Direction(d), qp+uint32(i))
			list, err := places.Insert(k, uint32(i))
			if err != nil {
				t.Fatal(err)
			}
			r.entries(list)
		}
	}
	for r.phase = resetting; r.phase != talking; {
		if err := r.step(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

var (
	own  = netip.MustParseAddr("10.0.0.1")
	peer = netip.MustParseAddr("10.0.0.2")
)

// packet returns a frame with a given number of RoCEv2 bytes, padded if necessary. With opcode 0 it is a frame of
// other traffic.
func packet(op roce.Opcode, from, to netip.Addr, qp, psn uint32, size int) []byte {
	if op == 0 {
		f := make([]byte, size)
		f[12], f[14], f[15], f[16] = 0x12, byte(psn>>16), byte(psn>>8), byte(psn)
		return f
	}
	p := &roce.Packet{
		Ethernet: layers.Ethernet{SrcMAC: []byte{2, 0, 0, 0, 0, 1}, DstMAC: []byte{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4},
		IPv4:     &layers.IPv4{Version: 4, IHL: 5, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: from.AsSlice(), DstIP: to.AsSlice()},
		UDP:      layers.UDP{SrcPort: 0xC001, DstPort: 4791},
		BTH:      roce.BTH{Opcode: op, PKey: 0xFFFF, DestQP: qp, PSN: psn & roce.Mask24},
		Payload:  make([]byte, max(0, (size-58)/4*4)),
	}
	if op == roce.Acknowledge {
		p.Headers, p.Payload = []roce.Header{&roce.AETH{}}, nil
	}
	f, err := p.Append(nil)
	if err != nil {
		panic(err)
	}
	return append(f, make([]byte, max(0, size-len(f)))...)
}

// send sends some frames of a size both ways, and waits until all have left.
func (r *rig) send(size int) error {
	const room = 24 << 10 // less than the queues have: nothing may be dropped
	want := [2]uint64{r.c.Count.Frames, r.c.Count.ToHost}
	for side := range r.side {
		total := 0
		for i := 0; i < 60 && (total < room || i < 6); i++ {
			n := size
			if n == 0 {
				if n = 60 + r.rng.IntN(200); r.rng.IntN(10) == 0 {
					n = 60 + r.rng.IntN(9155)
				}
			}
			conn, op := r.rng.Uint32N(4), roce.Opcode(0x24) // SEND only of UC
			if conn == 3 {
				conn, op = 0, 0
			}
			if side == rx && r.rng.IntN(4) == 0 {
				op = roce.Acknowledge
			}
			from, to, qp := own, peer, 0x100+conn
			if side == rx {
				from, to, qp = peer, own, 0x200+conn
			}
			f := packet(op, from, to, qp, r.psn, n)
			r.psn++
			total += len(f)
			r.side[side].frames = append(r.side[side].frames, frame{bytes: f, order: i})
			want[side]++
		}
	}
	for n := 0; ; n++ {
		if err := r.step(); err != nil {
			return err
		}
		if len(r.side[tx].frames)+len(r.side[rx].frames) == 0 && r.c.quiet > 300 && r.c.Count.Frames == want[tx] && r.c.Count.ToHost == want[rx] {
			break
		}
		if n > 60_000 {
			return fmt.Errorf("%d and %d frames have left after %d cycles, want %d and %d: %v, %d in queues", r.c.Count.Frames, r.c.Count.ToHost, n, want[tx], want[rx], r.c.b.Left(), len(r.c.b.InQueues()))
		}
	}
	if d := r.c.Count.Dropped + r.c.Count.MustDrop; d > 0 {
		return fmt.Errorf("%d packets were dropped", d)
	}
	return nil
}

// step is a cycle.
func (r *rig) step() error {
	x := r.pins
	clear(r.in)
	r.clock(r.in)
	stop := [5]bool{}
	for i, s := range r.stop {
		if r.phase == talking && s.stop(r.cycle, r.inside[i], r.rng) {
			stop[i] = true
			r.stalls[i]++
		}
	}
	switch r.phase {
	case resetting:
		x.rst.Raise(r.in)
	case programming:
		r.access(r.in)
	case talking:
		for i := range r.side {
			p := 0.0
			if stop[i] {
				p = 1
			}
			r.side[i].gaps = pattern{p: p}
		}
		r.offer(r.in)
	}
	for i, s := range []*stream{&x.wireTX, &x.hostRX} {
		if !stop[2+i] {
			s.ready.Raise(r.in)
		}
	}
	flow := r.c.pins.flow
	if !stop[4] {
		flow.ready.Raise(r.in)
	}
	if _, err := r.inst.Run(r.in, r.got); err != nil {
		return err
	}
	if err := r.c.Step(r.in, r.got); err != nil {
		return err
	}
	r.cycle++
	shown := flow.conn.Get(r.got)<<1 | flow.off.Get(r.got)
	if on := flow.valid.On(r.got); r.phase == talking && r.waits && (!on || shown != r.flow) {
		return fmt.Errorf("cycle %d: m_flow changes before it was taken", r.cycle)
	}
	r.flow, r.waits = shown, flow.valid.On(r.got) && stop[4]
	if flow.valid.On(r.got) && !stop[4] {
		r.told++
	}
	for i, s := range []*stream{&x.hostTX, &x.wireRX, &x.wireTX, &x.hostRX} {
		v := [4][]uint64{r.in, r.in, r.got, r.got}[i]
		ready := [4][]uint64{r.got, r.got, r.in, r.in}[i]
		if s.valid.On(v) && s.ready.On(ready) {
			r.inside[i] = !s.last.On(v)
		}
	}
	switch r.phase {
	case resetting, clearing:
		if r.left--; r.left <= 0 {
			r.begin(r.phase + 1)
		}
	case programming:
		if r.accessed(r.got) {
			r.begin(talking)
		}
	case talking:
		r.taken(r.got)
	}
	return nil
}
