// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/follow"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/traffic"
)

// standIn is the simplest order of a block's events: immediately.
type standIn struct {
	t     *testing.T
	b     *Block
	trace *traffic.Trace
	seen  map[key]arrived // of packets received
	fresh map[uint32]shim.HPCCBody
	count map[string]int
}

// key is a place in the echo's ring, which has the low bits of a PSN.
type key struct{ conn, place uint32 }

type arrived struct {
	psn uint32 // modulo 32 rings, which distinguishes it from another one (D3 of nic_echo)
	ev  uint16
	ce  bool
}

// at returns the place of a PSN, and the value that identifies it there.
func (s *standIn) at(conn, psn uint32) (key, uint32) {
	ring := uint32(s.b.p.Ring)
	return key{conn, psn % ring}, psn % (32 * ring)
}

// table fills the table of connections: each has an entry for sent packets, and one for received
// ones.
func table(t *testing.T, b *Block, conns []traffic.Conn) {
	t.Helper()
	places := place.New(b.p.Lookup())
	insert := func(ip netip.Addr, d lookup.Direction, qp uint32, conn int) {
		k, err := lookup.KeyOf(b.p.IPv6, ip, d, qp, int(b.p.NumberBits()))
		if err != nil {
			t.Fatal(err)
		}
		list, err := places.Insert(k, uint32(conn))
		if err == place.ErrKnown {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range list {
			if err := b.Table.Write(w); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range conns {
		if c.Sides[1].IP.Is6() && !b.p.IPv6 {
			continue
		}
		insert(c.Sides[1].IP, lookup.Sent, c.Sides[1].QP, i)
		insert(c.Sides[1].IP, lookup.Received, c.Sides[0].QP, i)
	}
}

// host takes a frame from the host to the wire.
func (s *standIn) host(f *traffic.Frame, now uint64) []byte {
	t, b := s.t, s.b
	o := b.Host(f.Data)
	b.End(o, f.Data, false, 0)
	if f.Conn >= 0 && f.Kind == traffic.Conversation && (!o.Hit && (b.p.IPv6 || !o.Header.V6) && o.Header.Kind != 0 || o.Hit && int(o.Conn) != f.Conn) {
		t.Errorf("%s: connection %d (hit %t), want %d", f.What, o.Conn, o.Hit, f.Conn)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if o.Asks {
		_, err := b.AskEcho()
		do(err)
	}
	if o.Class == Queued {
		if b.MustDrop(o) {
			_, err := b.Enter(true)
			do(err)
			s.count["dropped"]++
			if o.Asks {
				delete(s.fresh, o.Conn)
			}
			return nil
		}
		_, err := b.Enter(false)
		do(err)
		if b.Stored(o, 1<<30) {
			s.count["timeout"]++
			if x := b.Timeout(o.Conn, now); x.Fail {
				b.Path.Fail(o.Conn, now)
			}
		}
		r, err := b.Release(o.Conn)
		do(err)
		b.Departed(r, now)
		if r != o {
			t.Fatalf("packet %d was released, want %d", r.Number, o.Number)
		}
	}
	if o.wants() {
		_, err := b.Send(o.Class == Edited, now)
		do(err)
		for range 16 { // PLB's labels come later
			b.Path.Tick(now)
		}
	}
	do(o.Complete())
	out, bad := b.Leaves(o)
	if list := b.Heads(); len(list) != 1 || list[0] != o {
		t.Fatalf("packets %v may leave, want one", list)
	}
	b.Leave(o)
	s.check(f, o, out, bad)
	return out
}

// check compares a departing frame with the facts known outside the model.
func (s *standIn) check(f *traffic.Frame, o *Packet, out []byte, bad bool) {
	t := s.t
	at, err := roce.Locate(f.Data)
	s.count[o.Class.String()]++
	if o.Class == Other {
		if !bytes.Equal(out, f.Data) {
			t.Errorf("%s: class other, and changed", f.What)
		}
		return
	}
	if o.Header.Kind == parse.Other || o.Header.Kind == parse.Malformed { // it keeps its place, and nothing else happens to it
		if !bytes.Equal(out, f.Data) {
			t.Errorf("%s: of no known kind, and changed", f.What)
		}
		s.count["kept"]++
		return
	}
	if err != nil {
		if !bad {
			t.Errorf("%s: class %v, though %v", f.What, o.Class, err)
		}
		if o.Asks {
			delete(s.fresh, o.Conn)
		}
		return
	}
	plain, x := s.unshim(out)
	p, err := roce.Parse(plain)
	if err != nil {
		t.Errorf("%s: %v", f.What, err)
		return
	}
	was, err := roce.Parse(f.Data)
	if err != nil {
		t.Fatal(err)
	}
	if right, now := roce.Verify(f.Data), roce.Verify(plain); (right == nil) != (now == nil) {
		t.Errorf("%s: ICRC before: %v, behind: %v", f.What, right, now)
	}
	op := was.BTH.Opcode.Operation()
	isACK := op == roce.Acknowledge || op == roce.AtomicAck
	takesEcho := isACK || op == roce.ResponseFirst || op == roce.ResponseOnly
	place, psn := s.at(o.Conn, was.BTH.PSN)
	e, hit := s.seen[place]
	hit = hit && e.psn == psn && takesEcho && o.Profile.EchoTX

	// The EV's field, and BECN.
	ev, old := uint16(p.UDP.SrcPort), uint16(was.UDP.SrcPort)
	flow := o.Profile.Flow && at.V6
	if flow {
		ev, old = uint16(p.IPv6.FlowLabel), uint16(was.IPv6.FlowLabel)
		if p.UDP.SrcPort != was.UDP.SrcPort {
			t.Errorf("%s: source port %d, want it as it was, %d", f.What, p.UDP.SrcPort, was.UDP.SrcPort)
		}
		if hit || o.Wants {
			if high := p.IPv6.FlowLabel >> 16; high != s.b.Settings.LabelHigh {
				t.Errorf("%s: bits 19 to 16 of the label are %x, want %x", f.What, high, s.b.Settings.LabelHigh)
			}
		}
	} else if at.V6 && p.IPv6.FlowLabel != was.IPv6.FlowLabel {
		t.Errorf("%s: flow label %x, want it as it was, %x", f.What, p.IPv6.FlowLabel, was.IPv6.FlowLabel)
	}
	becn := was.BTH.BECN
	switch {
	case hit:
		s.count["echo"]++
		if becn = e.ce; becn {
			s.count["mark"]++
		}
		if ev != e.ev {
			t.Errorf("%s, PSN %x of connection %d: EV %x, want %x, as in the packet that it acknowledges", f.What, was.BTH.PSN, f.Conn, ev, e.ev)
		}
	case o.Echo != nil && o.Profile.EchoTX && s.b.p.NoEcho():
		s.count["no echo"]++
		if ev != 0 {
			t.Errorf("%s: EV %x, want 0: there is no echo", f.What, ev)
		}
	case isACK || !o.Profile.Path || s.b.Path == nil:
		if ev != old {
			t.Errorf("%s: EV %x, want it as it was, %x", f.What, ev, old)
		}
	default:
		s.count["path"]++
		if base := uint16(s.b.p.EVBase); ev < base || uint32(ev) >= uint32(base)+1<<s.b.p.EVSBits {
			t.Errorf("%s: EV %x, want at least %x, %d bits", f.What, ev, base, s.b.p.EVSBits)
		}
	}
	if p.BTH.BECN != becn {
		t.Errorf("%s: BECN %t, want %t", f.What, p.BTH.BECN, becn)
	}
	if p.UDP.Checksum != 0 {
		t.Errorf("%s: UDP checksum %x", f.What, p.UDP.Checksum)
	}

	// DSCP and ECN.
	class := func(p *roce.Packet) uint8 {
		if p.IPv4 != nil {
			return p.IPv4.TOS
		}
		return p.IPv6.TrafficClass
	}
	want := class(was)
	if !isACK {
		if o.Profile.DSCPOn {
			want = want&3 | o.Profile.DSCP<<2
		}
		if o.Profile.ECNOn {
			want = want&^3 | o.Profile.ECN
		}
	}
	if got := class(p); got != want {
		t.Errorf("%s: traffic class %02x, want %02x", f.What, got, want)
	}
	if p.IPv4 != nil {
		sum := uint32(0)
		for i := at.L3; i < at.L4; i += 2 {
			sum += uint32(binary.BigEndian.Uint16(plain[i:]))
		}
		old := uint32(0)
		for i := at.L3; i < at.L4; i += 2 {
			old += uint32(binary.BigEndian.Uint16(f.Data[i:]))
		}
		if sum%0xffff != old%0xffff {
			t.Errorf("%s: the sum of the IPv4 header is %x, want %x", f.What, sum%0xffff, old%0xffff)
		}
	}

	// Nothing else has changed.
	masked := func(b []byte) []byte {
		b = bytes.Clone(b)
		clear(b[at.L3+1 : at.L3+2])
		if at.V6 {
			clear(b[at.L3+1 : at.L3+4])
			b[at.L3] &= 0xf0
		} else {
			clear(b[at.L3+10 : at.L3+12])
		}
		clear(b[at.L4 : at.L4+2])
		clear(b[at.L4+6 : at.L4+8])
		b[at.L4+12] &^= 0x40
		clear(b[at.ICRC : at.ICRC+4])
		return b
	}
	if a, b := masked(f.Data), masked(plain); !bytes.Equal(a, b) {
		t.Errorf("%s: other bytes have changed:\n%x\n%x", f.What, a, b)
	}
	s.checkShim(f, o, x, isACK, takesEcho)
}

// unshim takes a shim out, by the layers of packet/shim.
func (s *standIn) unshim(out []byte) ([]byte, *shim.Shim) {
	if binary.BigEndian.Uint16(out[12:]) != uint16(shim.EtherType) {
		return out, nil
	}
	all := gopacket.NewPacket(out, layers.LayerTypeEthernet, gopacket.NoCopy)
	x, ok := all.Layer(shim.LayerTypeShim).(*shim.Shim)
	if !ok {
		s.t.Fatalf("a shim that cannot be read: %x", out)
	}
	return append(bytes.Clone(out[:12]), out[12+x.Subtype.Size():]...), x
}

// restored returns a departed frame without the fields that may be edited, which are checked one by
// one: entropy, traffic class and their checksums.
func (s *standIn) restored(was, out []byte) []byte {
	out, _ = s.unshim(out)
	at, err := roce.Locate(was)
	if err != nil {
		return out
	}
	out = bytes.Clone(out)
	copy(out[at.L3:at.L3+4], was[at.L3:at.L3+4])
	copy(out[at.L4:at.L4+2], was[at.L4:at.L4+2])
	if !at.V6 {
		copy(out[at.L3+10:at.L3+12], was[at.L3+10:at.L3+12])
	}
	copy(out[at.ICRC:at.ICRC+4], was[at.ICRC:at.ICRC+4])
	return out
}

// checkShim holds a packet's shim against the newest telemetry of its connection.
func (s *standIn) checkShim(f *traffic.Frame, o *Packet, x *shim.Shim, isACK, takesEcho bool) {
	t := s.t
	body, fresh := s.fresh[o.Conn]
	fresh = fresh && takesEcho
	if fresh && o.Class == Queued { // D11: it is dropped
		delete(s.fresh, o.Conn)
		fresh = false
	}
	if on := o.Profile.Telemetry && s.b.p.HasShim() && (!isACK || fresh); on != (x != nil) {
		t.Errorf("%s: shim %v, want one: %t", f.What, x, on)
		return
	}
	if x == nil {
		return
	}
	want := shim.Shim{Subtype: shim.HPCC, Type: shim.Collect, Count: 5, HPCC: &shim.HPCCBody{}}
	if fresh {
		want.Type, want.HPCC = shim.Echo, &body
		delete(s.fresh, o.Conn)
		s.count["INT back"]++
	} else {
		s.count["INT"]++
	}
	if x.Type != want.Type || x.Subtype != want.Subtype || x.Count != want.Count || x.Next != 0 {
		t.Errorf("%s: shim %+v, want %+v", f.What, x, want)
	}
	if d := cmp.Diff(want.HPCC, x.HPCC); d != "" {
		t.Errorf("%s: body of the shim: %s", f.What, d)
	}
}

// wire takes a frame from the wire to the host.
func (s *standIn) wire(f *traffic.Frame, now uint64, rng *rand.Rand) {
	t, b := s.t, s.b
	data := f.Data
	p, err := roce.Parse(data)
	good := err == nil && (p.IPv4 != nil || b.p.IPv6)
	var telemetry *shim.HPCCBody
	if good && b.p.HasShim() && rng.IntN(2) == 0 {
		// A switch has written telemetry.
		telemetry = &shim.HPCCBody{Path: uint16(rng.IntN(1 << 12)), Hops: uint16(1 + rng.IntN(5))}
		for i := range telemetry.Hops {
			telemetry.Words[i] = shim.MakeWord(uint8(rng.IntN(8)), rng.Uint32(), rng.Uint32(), rng.Uint32N(1000))
		}
		kind := shim.Collect
		if op := p.BTH.Opcode.Operation(); op == roce.Acknowledge || op == roce.AtomicAck || op >= roce.ResponseFirst && op <= roce.ResponseOnly {
			kind = shim.Echo
		}
		x := shim.Shim{Subtype: shim.HPCC, Type: kind, Count: 5, HPCC: telemetry, EtherType: layers.EthernetType(binary.BigEndian.Uint16(data[12:]))}
		buf := gopacket.NewSerializeBuffer()
		if err := x.SerializeTo(buf, gopacket.SerializeOptions{}); err != nil {
			t.Fatal(err)
		}
		front := binary.BigEndian.AppendUint16(bytes.Clone(f.Data[:12]), uint16(shim.EtherType))
		data = append(append(front, buf.Bytes()...), f.Data[14:]...)
	}
	x := b.Wire(data)
	b.Arrive(x, data, false, 0)
	if h := b.ToHost(); h != x || !bytes.Equal(x.Out, f.Data) {
		t.Fatalf("%s: not as it came", f.What)
	}
	b.Received()
	for len(b.due.data) > 0 {
		if _, err := b.Data(now); err != nil {
			t.Fatal(err)
		}
		s.count["data"]++
	}
	for len(b.due.acks) > 0 {
		s.ack(now)
	}
	if !good || !x.Hit {
		return
	}
	// The independent record of received packets.
	op := p.BTH.Opcode.Operation()
	if op >= roce.ResponseFirst && op <= roce.AtomicAck || p.BTH.Opcode == roce.CNP || p.BTH.Opcode == roce.Feedback {
		return
	}
	ev, class := uint16(p.UDP.SrcPort), uint8(0)
	if p.IPv4 != nil {
		class = p.IPv4.TOS
	} else if class = p.IPv6.TrafficClass; x.Profile.Flow {
		ev = uint16(p.IPv6.FlowLabel)
	}
	place, psn := s.at(x.Conn, p.BTH.PSN)
	s.seen[place] = arrived{psn, ev, class&3 == 3}
	if telemetry != nil {
		s.fresh[x.Conn] = *telemetry
	}
}

// ack lets an ACK do all that follows from it.
func (s *standIn) ack(now uint64) {
	t, b := s.t, s.b
	a, err := b.Ack()
	if err != nil {
		t.Fatal(err)
	}
	b.Judge(a, now)
	s.count["ack"]++
	if a.NAK {
		s.count["nak"]++
	}
	x, err := b.Sample(now)
	if err != nil {
		t.Fatal(err)
	}
	if x.Hit {
		s.count["hit"]++
	}
	if r, _ := b.Returns(); r != nil {
		ev := b.BackOf(r)
		if ev == nil {
			ev = &EV{}
		}
		b.Back(false, ev.Value, now)
		s.count["back"]++
	}
	for len(b.PowerSamples()) > 0 {
		w, err := b.Win(now)
		if err != nil {
			t.Fatal(err)
		}
		if inv := Inverse(w.Result.Rate); !InverseOK(w.Result.Rate, inv) {
			t.Errorf("the inverse of %d is %d, and that is wrong", w.Result.Rate, inv)
		}
		b.SetWindow(w.Conn, w.Bytes)
		s.count["win"]++
	}
}

// Conversations through the block, with all edits: hosts and the network see the right packets, one
// by one by the layers of another package, and the conversations as a whole are unchanged.
func TestConversations(t *testing.T) {
	sum := map[string]int{}
	for _, set := range []string{"", "path=spray telemetry=int", "path=plb tags=1", "path=none window=none", "ipv6=false", "connections=300 telemetry=int ring=16"} {
		t.Run(set, func(t *testing.T) {
			for seed := range uint64(4) {
				conversation(t, set, seed, sum)
			}
		})
	}
	for _, what := range []string{"other", "edited", "queued", "echo", "mark", "path", "INT", "INT back", "data", "ack", "nak", "hit", "back", "win", "timeout"} {
		if sum[what] == 0 {
			t.Errorf("no %s", what)
		}
	}
	t.Log(sum)
}

func conversation(t *testing.T, set string, seed uint64, sum map[string]int) {
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	c := traffic.Default()
	c.Seed, c.Tags, c.Reorder = seed, int(p.Tags), 0.02
	trace, err := traffic.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	before, err := follow.Check(trace.Conns, trace.Frames, c.RateMbs)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	b := New(p)
	b.Settings.LabelHigh = rng.Uint32N(16)
	table(t, b, trace.Conns)
	for i := range trace.Conns {
		b.Profiles[i] = ParseProfile(rng.Uint32() & 0x3ffff)
	}
	s := &standIn{t: t, b: b, trace: trace, seen: map[key]arrived{}, fresh: map[uint32]shim.HPCCBody{}, count: map[string]int{}}
	var out []traffic.Frame
	for i := range trace.Frames {
		f := trace.Frames[i]
		now := uint64(f.Time.UnixNano())
		if f.Dir != capture.TX {
			s.wire(&f, now, rng)
			out = append(out, f)
			continue
		}
		if g := s.host(&f, now); g != nil {
			f.Data = s.restored(f.Data, g)
		}
		out = append(out, f)
	}
	if left := b.Left(); len(left) > 0 {
		t.Errorf("seed %d: %v", seed, left)
	}
	after, err := follow.Check(trace.Conns, out, c.RateMbs)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	if before != after {
		t.Errorf("seed %d: %+v, was %+v", seed, after, before)
	}
	for k, n := range s.count {
		sum[k] += n
	}
}
