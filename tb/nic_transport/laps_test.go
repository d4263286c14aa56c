// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// small is a block with LAPS that is built soon.
const small = "path=laps window=none connections=16 rows=256 kib=64 ring=32 destinations=4 path_banks=4 path_rows=4 path_depth=16"

// tables is the setup of a block: destinations 0 to 2, the last of which is not probed because it has no
// addresses, and paths by name.
const tables = `
settings:
  laps.cfg_rto_min_ns: 1000000
profiles:
  queued: {queue: true, path: true, telemetry: true, dst: 0}
  at_once: {path: true, telemetry: true, dst: 1}
  alone: {queue: true, path: true, telemetry: true, dst: 2}
  none: {path: true, telemetry: true, dst: 3}
paths:
  - {destination: 10, path: 100, base_ns: 5000, latency_ns: 5000, anchors: [1, 2, 3, 4]}
  - {destination: 10, path: 101, base_ns: 5000, latency_ns: 5000, anchors: [11, 12, 13, 14]}
  - {destination: 20, path: 102, base_ns: 6000, latency_ns: 6000, anchors: [0x0A0B0C0D, 0xFFFFFFFF, 0, 5]}
  - {destination: 30, path: 103, base_ns: 7000, latency_ns: 7000, anchors: [7]}
writes:
  - probe.s_address: {dst: 0, set: 1, bytes: 0x010000000002020000000002}
  - probe.s_address: {dst: 1, set: 1, bytes: 0x010000000002030000000002}
connections:
  - {conn: 0, address: 10.0.0.2, remote_qp: 0x100, local_qp: 0x100, profile: queued}
  - {conn: 1, address: 10.0.0.2, remote_qp: 0x101, local_qp: 0x101, profile: at_once}
  - {conn: 2, address: 10.0.0.2, remote_qp: 0x102, local_qp: 0x102, profile: alone}
  - {conn: 3, address: 10.0.0.2, remote_qp: 0x103, local_qp: 0x103, profile: none}
`

// anchorsOf are the anchors in tables, by destination.
var anchorsOf = [][][4]uint32{
	{{1, 2, 3, 4}, {11, 12, 13, 14}}, {{0x0A0B0C0D, 0xFFFFFFFF, 0, 5}}, {{7}},
}

// bus are the registers of a simulated block, for software that knows no simulation.
type bus struct{ d *device.Device }

func (b bus) Read32(at uint32) (uint32, error) { return b.d.ReadWord(at) }
func (b bus) Write32(at, v uint32) error       { return b.d.WriteWord(at, v) }
func (bus) Size() uint64                       { return 1 << 16 }
func (bus) Close() error                       { return nil }

// node is a block that is set up by a file of tables.
type node struct {
	*device.Device
	seen []event
}

// event is one of the trace.
type event struct {
	name   string
	fields map[string]uint64
}

// node powers a block up and sets it up.
func newNode(t *testing.T, lib *cosim.Library, p *params.Params, text string) *node {
	t.Helper()
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	n := &node{}
	type port struct {
		event, field string
		slot         cosim.Slot
	}
	var ports []port
	for _, e := range p.TraceEvents() {
		if !slices.Contains([]string{"measure", "rate", "lost"}, e.Name) {
			continue
		}
		for _, f := range append([]params.TraceField{{Name: "valid"}}, e.Fields...) {
			s, ok := lib.Layout().Slot("m_trace_" + e.Name + "_" + f.Name)
			if !ok {
				t.Fatalf("no port m_trace_%s_%s", e.Name, f.Name)
			}
			ports = append(ports, port{e.Name, f.Name, s})
		}
	}
	follow := func(_, out []uint64) error {
		on := false
		for _, x := range ports {
			v := x.slot.Get(out)
			if x.field == "valid" {
				if on = v != 0; on {
					n.seen = append(n.seen, event{x.event, map[string]uint64{}})
				}
			} else if on {
				n.seen[len(n.seen)-1].fields[x.field] = v
			}
		}
		return nil
	}
	if n.Device, err = device.New(device.Config{Library: lib, Map: m, Seed: 1, Follow: follow}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	if err := n.Settle(t.Context(), "transport.sts_ready"); err != nil {
		t.Fatal(err)
	}
	n.seen = nil // contents of registers at power-up
	nic, err := registers.Attach(bus{n.Device}, m, false)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "nic.yaml")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := load.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := load.Plan(m, f, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Do(t.Context(), nic, steps, time.Minute); err != nil {
		t.Fatal(err)
	}
	n.Rebase()
	return n
}

// run lets time go on for a while; the frames that left are to the wire and to the host.
func (n *node) run(t *testing.T, ns int) (wire, host [][]byte) {
	t.Helper()
	if err := n.Run(t.Context(), n.Now()+agenda.Instant(ns)*1000, func(l device.Left) {
		if l.ToHost {
			host = append(host, l.Data)
		} else {
			wire = append(wire, l.Data)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return wire, host
}

// count is a counter.
func (n *node) count(t *testing.T, name string) uint64 {
	t.Helper()
	v, err := n.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// took are the events of a name since the last call.
func (n *node) took(name string) (out []map[string]uint64) {
	for _, e := range n.seen {
		if e.name == name {
			out = append(out, e.fields)
		}
	}
	n.seen = slices.DeleteFunc(n.seen, func(e event) bool { return e.name == name })
	return out
}

// shimOf is the shim of a frame, nil without one, and the frame without it.
func shimOf(f []byte) (*shim.Shim, []byte) {
	s, ok := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default).Layer(shim.LayerTypeShim).(*shim.Shim)
	if !ok {
		return nil, f
	}
	return s, append(bytes.Clone(f[:12]), f[12+s.Subtype.Size():]...)
}

// withShim puts one into a frame.
func withShim(t *testing.T, f []byte, typ shim.Type, path uint16, time uint64) []byte {
	t.Helper()
	s := &shim.Shim{Type: typ, Subtype: shim.LAPS, LAPS: &shim.LAPSBody{Path: path, Time: time}, EtherType: layers.EthernetType(uint16(f[12])<<8 | uint16(f[13]))}
	b := gopacket.NewSerializeBuffer()
	if err := s.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
		t.Fatal(err)
	}
	out := append(bytes.Clone(f[:12]), byte(shim.EtherType>>8), byte(shim.EtherType&0xFF))
	return append(append(out, b.Bytes()...), f[14:]...)
}

// other are the tables of the block at the other end.
var other = string(bytes.ReplaceAll([]byte(tables), []byte("10.0.0.2"), []byte("10.0.0.1")))

// Data gets a shim with a path of its destination, with the path's anchors and the time; without a path
// it has none. The receiver's host sees neither, and its ACK tells path and delay once.
func TestLAPSPath(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, small)
	a, b := newNode(t, lib, p, tables), newNode(t, lib, p, other)
	for i, anchors := range append(slices.Clone(anchorsOf), nil) {
		used := map[uint16][4]uint32{}
		n := uint32(40)
		if anchors == nil {
			n = 20
		}
		for psn := range n {
			data := rc(t, opSend, here, there, 0x100+uint32(i), psn, 64)
			from := a.Clock()
			a.Host(a.Now(), data)
			wire, _ := a.run(t, 1000)
			var sent []byte
			for _, f := range wire {
				if s, _ := shimOf(f); s == nil || s.Type == shim.Data {
					sent = f
				}
			}
			if sent == nil {
				t.Fatalf("destination %d: data %d did not leave: %x", i, psn, wire)
			}
			s, rest := shimOf(sent)
			if !bytes.Equal(plain(rest), plain(data)) {
				t.Fatalf("destination %d:\n%x, want\n%x", i, rest, data)
			}
			if err := roce.Verify(rest); err != nil {
				t.Fatal(err)
			}
			if anchors == nil {
				if s != nil {
					t.Fatalf("a destination without paths: shim %+v", s)
				}
				continue
			}
			if s == nil || s.Version != 0 || s.Subtype != shim.LAPS || s.Count != 4 || s.Next != 0 || s.LAPS.Zero != [4]byte{} {
				t.Fatalf("destination %d: shim %+v", i, s)
			}
			if !slices.Contains(anchors, s.LAPS.Anchors) {
				t.Fatalf("destination %d: anchors %x, want one of %x", i, s.LAPS.Anchors, anchors)
			}
			if was, ok := used[s.LAPS.Path]; ok && was != s.LAPS.Anchors {
				t.Fatalf("path %d has anchors %x and %x", s.LAPS.Path, was, s.LAPS.Anchors)
			}
			used[s.LAPS.Path] = s.LAPS.Anchors
			if now := a.Clock(); s.LAPS.Time < from || s.LAPS.Time > now {
				t.Fatalf("sent at %d, want %d to %d", s.LAPS.Time, from, now)
			}
			a.Wire(a.Now(), b.echo(t, sent, rest, s, psn, 0x100+uint32(i)))
			a.run(t, 1000)
			if m := a.took("measure"); len(m) != 1 || m[0]["conn"] != uint64(i) || m[0]["psn"] != uint64(psn) || m[0]["pid"] != uint64(s.LAPS.Path) || m[0]["delay"] < took || m[0]["delay"] > took+200 {
				t.Fatalf("destination %d: measured %v", i, m)
			}
		}
		if len(used) != len(anchors) {
			t.Errorf("destination %d: %d paths in use, want %d", i, len(used), len(anchors))
		}
	}
}

// plain is a frame without what the editor changes: the UDP checksum, the A bit and the ICRC.
func plain(f []byte) []byte {
	f = bytes.Clone(f)
	if len(f) > 42 {
		f[40], f[41] = 0, 0
	}
	if len(f) > 58 {
		f[50] &^= 0x80
		clear(f[len(f)-roce.ICRCBytes:])
	}
	return f
}

// took is the assumed latency of data to the receiver, in ns.
const took = 3000

// echo receives data, and sends two ACKs: the first one, which is returned, tells its path and delay.
func (n *node) echo(t *testing.T, sent, rest []byte, s *shim.Shim, psn, qp uint32) (acked []byte) {
	t.Helper()
	came := slices.Clone(sent)
	at := n.Clock()
	put(came, at-took)
	n.Wire(n.Now(), came)
	_, host := n.run(t, 1000)
	if len(host) != 1 || !bytes.Equal(host[0], rest) {
		t.Fatalf("the host sees\n%x, want\n%x", host, rest)
	}
	for first := range 2 {
		ack := rc(t, opAck, there, here, qp, psn, 0)
		n.Host(n.Now(), ack)
		wire, _ := n.run(t, 1000)
		if len(wire) != 1 {
			t.Fatalf("%d frames for an ACK", len(wire))
		}
		x, bare := shimOf(wire[0])
		if first == 0 {
			acked = wire[0]
		}
		if first > 0 {
			if x != nil {
				t.Fatalf("a second ACK tells %+v", x)
			}
			continue
		}
		if !bytes.Equal(plain(bare), plain(ack)) {
			t.Fatalf("ACK\n%x, want\n%x", bare, ack)
		}
		if x == nil || x.Type != shim.ACK || x.Subtype != shim.LAPS || x.LAPS.Path != s.LAPS.Path || x.Count != 0 || x.LAPS.Anchors != [4]uint32{} {
			t.Fatalf("ACK with %+v", x)
		}
		if d := x.LAPS.Time; d < took || d > took+200 {
			t.Fatalf("a delay of %d ns, want %d and the way into the block", d, took)
		}
	}
	return acked
}

// put writes the time of a frame's shim.
func put(f []byte, time uint64) {
	for i := range 6 {
		f[18+i] = byte(time >> (8 * (5 - i)))
	}
}

// ack sends A an ACK that tells a path and its delay.
func (n *node) ack(t *testing.T, qp, psn uint32, path uint16, delay uint64) {
	t.Helper()
	n.Wire(n.Now(), withShim(t, rc(t, opAck, there, here, qp, psn, 0), shim.ACK, path, delay))
	if _, host := n.run(t, 1000); len(host) != 1 {
		t.Fatalf("the host sees %d frames of an ACK", len(host))
	}
}

// send sends data and returns its path; probes are left out.
func (n *node) send(t *testing.T, qp, psn uint32) uint16 {
	t.Helper()
	n.Host(n.Now(), rc(t, opSend, here, there, qp, psn, 64))
	wire, _ := n.run(t, 1000)
	for _, f := range wire {
		if s, _ := shimOf(f); s != nil && s.Type == shim.Data {
			return s.LAPS.Path
		}
	}
	t.Fatalf("data %d of %x left without a shim: %x", psn, qp, wire)
	return 0
}

// An ACK tells LAPS a path's delay: later packets avoid a slow one, and the rate falls when all are slow.
func TestLAPSMeasure(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, small)
	n := newNode(t, lib, p, tables)
	// Opened with 100 Gb/s.
	rates := n.took("rate")
	for _, r := range rates {
		if want := 65536 / 12.5; math.Abs(float64(r["inv"])-want) > 2 {
			t.Errorf("opened with %d, want %.0f", r["inv"], want)
		}
	}
	if len(rates) != 4 {
		t.Errorf("%d rates, want 4", len(rates))
	}
	paths := map[uint16]bool{}
	psn := uint32(0)
	for ; len(paths) < 2 && psn < 100; psn++ {
		path := n.send(t, 0x100, psn)
		paths[path] = true
		n.ack(t, 0x100, psn, path, 4000)
		if m := n.took("measure"); len(m) != 1 || m[0]["conn"] != 0 || m[0]["psn"] != uint64(psn) || m[0]["pid"] != uint64(path) || m[0]["delay"] != 4000 {
			t.Fatalf("measured %v of PSN %d on path %d", m, psn, path)
		}
	}
	if len(paths) != 2 {
		t.Fatalf("paths %v", paths)
	}
	if c := n.count(t, "laps.sts_loss_ack_cnt"); c != uint64(psn) {
		t.Errorf("%d ACKs of outstanding packets, want %d", c, psn)
	}
	if n.count(t, "laps.sts_paths_ack_cnt") != uint64(psn) || n.count(t, "laps.sts_ignored_cnt") != 0 || n.count(t, "laps.sts_increase_cnt") == 0 {
		t.Errorf("%d ACKs, %d ignored, %d increases", n.count(t, "laps.sts_paths_ack_cnt"), n.count(t, "laps.sts_ignored_cnt"), n.count(t, "laps.sts_increase_cnt"))
	}
	// One path gets slow.
	var slow uint16
	for slow = range paths {
		break
	}
	for ; n.send(t, 0x100, psn) != slow; psn++ {
	}
	n.ack(t, 0x100, psn, slow, 60_000)
	psn++
	n.took("rate")
	for range 20 {
		path := n.send(t, 0x100, psn)
		if path == slow {
			t.Errorf("PSN %d on the slow path", psn)
		}
		n.ack(t, 0x100, psn, path, 4000)
		psn++
	}
	// Now both are.
	n.took("rate")
	path := n.send(t, 0x100, psn)
	n.ack(t, 0x100, psn, path, 50_000)
	r := n.took("rate")
	if len(r) != 1 || math.Abs(float64(r[0]["inv"])-2*65536/12.5) > 4 || r[0]["conn"] != 0 {
		t.Errorf("rate %v, want half of 100 Gb/s: %.0f", r, 2*65536/12.5)
	}
	// A path's number that does not exist, and an ACK of a connection without path, change nothing.
	n.took("measure")
	n.ack(t, 0x100, psn, 0xFFF0, 5)
	if m := n.took("measure"); len(m) != 1 || n.count(t, "laps.sts_illegal_cnt") == 0 {
		t.Errorf("measured %v, %d illegal", m, n.count(t, "laps.sts_illegal_cnt"))
	}
	// Bad frames leave no trace.
	n.WireBad(n.Now(), withShim(t, rc(t, opAck, there, here, 0x100, psn, 0), shim.ACK, path, 5))
	n.run(t, 1000)
	if m := n.took("measure"); len(m) != 0 {
		t.Errorf("measured %v of a bad frame", m)
	}
}

// A packet that an ACK of its path skips is taken for lost.
func TestLAPSLost(t *testing.T) {
	p, lib := blockOf(t, small)
	n := newNode(t, lib, p, tables)
	var path uint16
	for psn := range uint32(3) {
		path = n.send(t, 0x101, 100+psn)
	}
	n.ack(t, 0x101, 102, path, 6000)
	got := fmt.Sprint(n.took("lost"))
	want := fmt.Sprint([]map[string]uint64{{"conn": 1, "psn": 100, "timeout": 0}, {"conn": 1, "psn": 101, "timeout": 0}})
	if got != want || n.count(t, "laps.sts_lost_cnt") != 2 {
		t.Errorf("lost %s, want %s", got, want)
	}
	// Without an ACK the path's timer tells.
	n.send(t, 0x101, 103)
	n.run(t, 1_100_000)
	got = fmt.Sprint(n.took("lost"))
	if want := fmt.Sprint([]map[string]uint64{{"conn": 1, "psn": 103, "timeout": 1}}); got != want {
		t.Errorf("lost %s, want %s", got, want)
	}
}

// A path that no packet used for long is probed; another block answers, and the answer counts.
func TestLAPSProbe(t *testing.T) {
	p, lib := blockOf(t, small)
	a, b := newNode(t, lib, p, tables), newNode(t, lib, p, other)
	a.run(t, 20_000)
	b.run(t, int(a.Clock()-b.Clock()))
	for i, anchors := range anchorsOf {
		a.Host(a.Now(), rc(t, opSend, here, there, 0x100+uint32(i), 1, 64))
		wire, _ := a.run(t, 1000)
		var probe []byte
		for _, f := range wire {
			if s, _ := shimOf(f); s.Type == shim.Probe {
				probe = f
			}
		}
		if i == 2 { // it has no addresses
			if probe != nil || a.count(t, "probe.sts_no_address_cnt") != 1 {
				t.Errorf("a probe without addresses: %x", probe)
			}
			continue
		}
		if probe == nil {
			t.Fatalf("destination %d: no probe in %x", i, wire)
		}
		s, _ := shimOf(probe)
		addresses := []byte{2, 0, 0, 0, 0, byte(2 + i), 2, 0, 0, 0, 0, 1}
		if len(probe) != 60 || s.Subtype != shim.LAPS || s.EtherType != 0 || s.Count != 4 || !slices.Contains(anchors, s.LAPS.Anchors) || !bytes.Equal(probe[:12], addresses) {
			t.Errorf("destination %d: probe %x, shim %+v", i, probe, s)
		}
		b.run(t, int(max(0, int64(s.LAPS.Time)+took-int64(b.Clock()))))
		put(probe, b.Clock()-took)
		b.Wire(b.Now(), probe)
		wire, host := b.run(t, 1000)
		if len(host) != 0 || len(wire) != 1 {
			t.Fatalf("a probe: %d frames to the host, %d to the wire", len(host), len(wire))
		}
		answer := wire[0]
		x, _ := shimOf(answer)
		if len(answer) != 60 || x.Type != shim.Answer || x.LAPS.Path != s.LAPS.Path || x.LAPS.Anchors != [4]uint32{} || x.Count != 0 ||
			!bytes.Equal(answer[:6], probe[6:12]) || !bytes.Equal(answer[6:12], probe[:6]) {
			t.Errorf("answer %x to %x", answer, probe)
		}
		if x.LAPS.Time < took || x.LAPS.Time > took+100 {
			t.Errorf("a delay of %d ns, want %d and the way into the block", x.LAPS.Time, took)
		}
		was := a.count(t, "laps.sts_answer_cnt")
		a.Wire(a.Now(), answer)
		if _, host := a.run(t, 1000); len(host) != 0 {
			t.Errorf("the host sees an answer: %x", host)
		}
		if is := a.count(t, "laps.sts_answer_cnt"); is != was+1 {
			t.Errorf("%d answers, want %d", is, was+1)
		}
		a.WireBad(a.Now(), answer)
		a.run(t, 1000)
		if is, bad := a.count(t, "laps.sts_answer_cnt"), a.count(t, "probe.sts_bad_cnt"); is != was+1 || bad != uint64(i)+1 {
			t.Errorf("a bad answer: %d answers, %d bad", is, bad)
		}
	}
	if sent, answered := a.count(t, "probe.sts_probe_cnt"), b.count(t, "probe.sts_answer_cnt"); sent < 2 || answered != 2 {
		t.Errorf("%d probes, %d answers", sent, answered)
	}
}

// The wire stays full with a shim in each packet, whose path LAPS chooses, except for the cycle that a
// shim's rest may take.
func TestLAPSLineRate(t *testing.T) {
	p, lib := blockOf(t, small)
	text := tables[:bytes.Index([]byte(tables), []byte("connections:"))] + "connections:\n"
	for i := range 16 {
		text += fmt.Sprintf("  - {conn: %d, address: 10.0.0.2, remote_qp: 0x%x, profile: PROFILE}\n", i, 0x100+i)
	}
	sizes := []int{60, 66, 98, 130, 1500, 9214}
	if testing.Short() {
		sizes = []int{60, 1500}
	}
	for _, profile := range []string{"queued", "at_once"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%d", profile, size), func(t *testing.T) {
				n := newNode(t, lib, p, string(bytes.ReplaceAll([]byte(text), []byte("PROFILE"), []byte(profile))))
				if err := n.Write("gate.cfg_quantum", 1); err != nil {
					t.Fatal(err)
				}
				if err := n.Write("gate.commit", 1); err != nil {
					t.Fatal(err)
				}
				n.Rebase()
				sent, total := 0, 0
				for ; total < 150_000; sent++ {
					f := rc(t, opUCSend, here, there, 0x100+uint32(sent%16), uint32(sent/16), max(0, (size-58)/4*4))
					// A little faster than they leave: none of the queues is full.
					n.Host(agenda.Instant(float64(total)/12.5*980), f)
					total += len(f) + 32 + device.Gap
				}
				var gone []agenda.Instant
				length := 0
				if err := n.Run(t.Context(), agenda.Instant(float64(total)/12.5*1000*2)+20_000_000, func(l device.Left) {
					if s, _ := shimOf(l.Data); s == nil {
						t.Errorf("frame %d has no shim", len(gone))
					} else if s.Type == shim.Data {
						gone, length = append(gone, l.Gone), len(l.Data)
					}
				}); err != nil {
					t.Fatal(err)
				}
				if len(gone) != sent {
					t.Fatalf("%d frames left, want %d", len(gone), sent)
				}
				if n.Gaps > 0 {
					t.Errorf("%d gaps within frames", n.Gaps)
				}
				a, b := len(gone)/4, 3*len(gone)/4
				share := float64((b-a)*(length+device.Gap)) / 12.5 * 1000 / float64(gone[b]-gone[a])
				// The frame as it came, and a cycle.
				beats := float64((length-32+63)/64 + 1)
				want := min(1, float64(length+device.Gap)/12.5*1000/(beats*float64(n.Period)))
				if t.Logf("%.2f %% of the line, %d bytes", 100*share, length); share < want-0.01 {
					t.Errorf("%.4f of the line, want %.4f", share, want)
				}
			})
		}
	}
}
