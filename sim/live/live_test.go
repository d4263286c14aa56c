// SPDX-License-Identifier: Apache-2.0

package live

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket/layers"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/transit"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/device/devicetest"
)

// host is a fake host behind a UDP socket.
type host struct {
	t    *testing.T
	conn *net.UDPConn
	to   netip.AddrPort
}

func local(port uint16) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)
}

// newHost returns a host and the port of the middle to it.
func newHost(t *testing.T) (*host, Port) {
	t.Helper()
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(local(0)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	p, err := listenUDP(local(0), c.LocalAddr().(*net.UDPAddr).AddrPort())
	if err != nil {
		t.Fatal(err)
	}
	return &host{t, c, p.(*udpPort).conn.LocalAddr().(*net.UDPAddr).AddrPort()}, p
}

func (h *host) send(frame []byte) {
	h.t.Helper()
	if _, err := h.conn.WriteToUDPAddrPort(frame, h.to); err != nil {
		h.t.Fatal(err)
	}
}

// receive returns the next frame, or nil if none comes.
func (h *host) receive(wait time.Duration) []byte {
	h.t.Helper()
	buf := make([]byte, 1<<16)
	if err := h.conn.SetReadDeadline(time.Now().Add(wait)); err != nil {
		h.t.Fatal(err)
	}
	n, err := h.conn.Read(buf)
	if err != nil {
		return nil
	}
	return buf[:n]
}

// soon is a time within which each expected frame arrives, and never one within which an unexpected one would.
const (
	soon  = 10 * time.Second
	never = 50 * time.Millisecond
)

var macs = [2]net.HardwareAddr{{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}}

// packet returns a packet of a side's host to the other's queue pair.
func packet(side int, op roce.Opcode, qp, psn uint32) *roce.Packet {
	p := &roce.Packet{
		Ethernet: layers.Ethernet{SrcMAC: macs[side], DstMAC: macs[1-side], EthernetType: layers.EthernetTypeIPv4},
		IPv4:     &layers.IPv4{Version: 4, TOS: 2, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: net.IP{10, 0, 0, byte(1 + side)}, DstIP: net.IP{10, 0, 0, byte(2 - side)}},
		UDP:      layers.UDP{SrcPort: 0xC001, DstPort: roce.Port},
		BTH:      roce.BTH{Opcode: op, DestQP: qp, PSN: psn, PKey: 0xFFFF},
	}
	if op == roce.Acknowledge {
		p.Headers = []roce.Header{&roce.AETH{Syndrome: roce.Syndrome(roce.ACK, 31)}}
	} else {
		p.Payload = bytes.Repeat([]byte{byte(psn)}, 256)
	}
	return p
}

func frame(t *testing.T, p *roce.Packet) []byte {
	t.Helper()
	f, err := p.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// paths is a network without delays.
func straight() Network { return Network{Paths: 1, Choose: ByFlow, Dead: -1} }

// start runs a middle between two fake hosts. The function that it returns ends the run.
func start(t *testing.T, c Config) (hosts [2]*host, end func() *Result) {
	t.Helper()
	for s := range hosts {
		hosts[s], c.Ports[s] = newHost(t)
	}
	if c.NICs[0] == nil {
		c.NICs = [2]NIC{&Plain{}, &Plain{}}
	}
	if err := c.Network.Check(); err != nil {
		t.Fatal(err)
	}
	c.Drain = soon
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	var res *Result
	var err error
	go func() {
		defer close(done)
		res, err = Run(ctx, c)
	}()
	t.Cleanup(func() { stop(); <-done })
	return hosts, func() *Result {
		t.Helper()
		stop()
		<-done
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
}

// Without blocks, frames of all kinds come as they were sent, in both directions, and are counted.
func TestPlain(t *testing.T) {
	hosts, end := start(t, Config{Network: straight()})
	kinds := map[Kind][]byte{
		Request:  frame(t, packet(0, roce.SendOnly, 7, 1)),
		Response: frame(t, packet(0, roce.ResponseMiddle, 7, 2)),
		ACK:      frame(t, packet(0, roce.Acknowledge, 7, 3)),
		CNP:      frame(t, &roce.Packet{Ethernet: packet(0, 0, 0, 0).Ethernet, IPv4: packet(0, 0, 0, 0).IPv4, UDP: packet(0, 0, 0, 0).UDP, BTH: roce.BTH{Opcode: roce.CNP, DestQP: 7}, Headers: []roce.Header{&roce.CNPBody{}}}),
		Other:    append(append([]byte{}, frame(t, packet(0, roce.SendOnly, 7, 1))[:12]...), 8, 6, 0, 1),
	}
	for kind, syndrome := range map[Kind]uint8{NAK: roce.Syndrome(roce.NAK, 0), RNR: roce.Syndrome(roce.RNR, 3)} {
		p := packet(0, roce.Acknowledge, 7, 3)
		p.Headers = []roce.Header{&roce.AETH{Syndrome: syndrome}}
		kinds[kind] = frame(t, p)
	}
	for kind, f := range kinds {
		hosts[0].send(f)
		if got := hosts[1].receive(soon); !bytes.Equal(got, f) {
			t.Errorf("%s: % x, want % x", kind, got, f)
		}
	}
	back := frame(t, packet(1, roce.SendOnly, 9, 1))
	hosts[1].send(back)
	if got := hosts[0].receive(soon); !bytes.Equal(got, back) {
		t.Errorf("back: % x, want % x", got, back)
	}
	res := end()
	for kind := range kinds {
		a, b := &res.Sides[0], &res.Sides[1]
		for name, n := range map[string]uint64{"from its host": a.FromHost[kind], "to the wire": a.ToWire[kind], "from the wire": b.FromWire[kind], "to its host": b.ToHost[kind]} {
			if n != 1 {
				t.Errorf("%s %s: %d, want 1", kind, name, n)
			}
		}
	}
	if len(res.Faults) > 0 || res.Wire.Paths[0][0] != 7 || res.Wire.Paths[1][0] != 1 || res.Sides[0].InsideTX != 0 {
		t.Errorf("%+v", res)
	}
}

// Each kind of loss and mark: what the hosts get, and the counts.
func TestNetwork(t *testing.T) {
	data, ack := func(psn uint32) *roce.Packet { return packet(0, roce.SendOnly, 7, psn) }, packet(0, roce.Acknowledge, 7, 1)
	for _, c := range []struct {
		name  string
		n     func(n *Network)
		frame *roce.Packet
		comes bool
		check func(w *WireCounts) bool
	}{
		{"a loss", func(n *Network) { n.Drop = 1 }, data(1), false, func(w *WireCounts) bool { return w.Lost == 1 }},
		{"no loss of an ACK", func(n *Network) { n.Drop = 1 }, ack, true, func(w *WireCounts) bool { return w.Lost == 0 }},
		{"a lost ACK", func(n *Network) { n.DropACK = 1 }, ack, false, func(w *WireCounts) bool { return w.Lost == 1 }},
		{"a dead path", func(n *Network) { n.Dead = 0 }, data(1), false, func(w *WireCounts) bool { return w.Failed == 1 }},
		{"a mark", func(n *Network) { n.Mark = 1 }, data(1), true, func(w *WireCounts) bool { return w.Marked == 1 && w.NotECT == 0 }},
		{"no mark of an ACK", func(n *Network) { n.Mark = 1 }, ack, true, func(w *WireCounts) bool { return w.Marked == 0 }},
		{"a full buffer", func(n *Network) { n.Rate, n.Buffer = 12.5, 100 }, data(1), false, func(w *WireCounts) bool { return w.Full == 1 }},
		{"a slow path", func(n *Network) { n.Rate = 0.001 }, data(1), true, func(w *WireCounts) bool { return w.Full == 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := straight()
			c.n(&n)
			hosts, end := start(t, Config{Network: n})
			f := frame(t, c.frame)
			hosts[0].send(f)
			wait := never
			if c.comes {
				wait = soon
			}
			got := hosts[1].receive(wait)
			res := end()
			if (got != nil) != c.comes || !c.check(&res.Wire) {
				t.Fatalf("comes: %t, want %t; %+v", got != nil, c.comes, res.Wire)
			}
			if res.Wire.Marked > 0 {
				if !transit.Marked(got) || roce.Verify(got) != nil {
					t.Errorf("% x is not marked", got)
				}
			} else if got != nil && !bytes.Equal(got, f) {
				t.Errorf("% x, want % x", got, f)
			}
		})
	}
}

// A frame whose host does not know ECN is not marked.
func TestNotECT(t *testing.T) {
	n := straight()
	n.Mark = 1
	hosts, end := start(t, Config{Network: n})
	p := packet(0, roce.SendOnly, 7, 1)
	p.IPv4.TOS = 0
	f := frame(t, p)
	hosts[0].send(f)
	if got := hosts[1].receive(soon); !bytes.Equal(got, f) {
		t.Errorf("% x, want % x", got, f)
	}
	if w := end().Wire; w.Marked != 0 || w.NotECT != 1 {
		t.Errorf("%+v", w)
	}
}

// A mark is answered by a CNP to the queue pair that sent, once in an interval, and only if that is known.
func TestCNP(t *testing.T) {
	n := straight()
	n.Mark, n.CNP = 1, time.Minute
	t.Run("learned", func(t *testing.T) {
		hosts, _ := start(t, Config{Network: n, Learner: &Learner{Perftest: true}})
		client, server := conversation()
		hosts[1].send(client.segment(t, told(0x21, 0, gidB)))
		hosts[0].receive(soon)
		hosts[0].send(server.segment(t, told(0x11, 0, gidA)))
		hosts[1].receive(soon)
		hosts[1].send(frame(t, packet(1, roce.SendOnly, 0x11, 0)))
		hosts[0].receive(soon)
		if l := read(hosts[1].receive(soon)); l.kind != CNP || l.qp != 0x21 {
			t.Errorf("%s to queue pair %#x, want a CNP to 0x21", l.kind, l.qp)
		}
	})
	c := Config{Network: n, Senders: map[End]uint32{{netip.AddrFrom4([4]byte{10, 0, 0, 2}), 7}: 0x21}}
	hosts, end := start(t, c)
	for psn := range uint32(2) {
		hosts[0].send(frame(t, packet(0, roce.SendOnly, 7, psn)))
		hosts[1].receive(soon)
	}
	hosts[0].send(frame(t, packet(0, roce.SendOnly, 8, 0)))
	hosts[1].receive(soon)
	got := hosts[0].receive(soon)
	p, err := roce.Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	src, dst := addresses(p)
	if p.BTH.Opcode != roce.CNP || p.BTH.DestQP != 0x21 || src != netip.AddrFrom4([4]byte{10, 0, 0, 2}) || dst != netip.AddrFrom4([4]byte{10, 0, 0, 1}) ||
		!bytes.Equal(p.Ethernet.DstMAC, macs[0]) || roce.Verify(got) != nil {
		t.Errorf("%+v", p)
	}
	if got := hosts[0].receive(never); got != nil {
		t.Errorf("a second CNP: % x", got)
	}
	if w := end().Wire; w.CNPs != 1 || w.NoSender != 1 || w.Marked != 3 {
		t.Errorf("%+v", w)
	}
}

// wires returns two blocks whose streams are wires, so that what they must do is known whatever nic_transport is.
func wires(t *testing.T, check func(side int) Checker, files ...*load.File) [2]*Block {
	t.Helper()
	p := params.Default()
	lib, _ := devicetest.Wires(t, p)
	var out [2]*Block
	for side := range out {
		s := Setup{Library: lib, Params: p, Seed: 1, Profile: device.Profile{Queue: true, DSCP: -1, ECN: -1}, Window: 4096, Files: files}
		if check != nil {
			s.Checker = check(side)
		}
		b, err := NewBlock(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		out[side] = b
	}
	return out
}

// Frames pass blocks as RTL, in the wall clock's network and in the blocks'; captures have all of them.
func TestBlocks(t *testing.T) {
	for _, blockTime := range []bool{false, true} {
		b := wires(t, nil)
		if err := b[0].Run(t.Context(), b[0].Now()+100*Period, func(Left) {}); err != nil { // it is older
			t.Fatal(err)
		}
		Together(b[:]...)
		if x, y := b[0].d.Clock(), b[1].d.Clock(); x != y {
			t.Errorf("the blocks' clocks show %d and %d ns", x, y)
		}
		n := straight()
		n.Delay = time.Microsecond
		var seen [2][2]int
		hosts, end := start(t, Config{Network: n, BlockTime: blockTime, NICs: [2]NIC{b[0], b[1]}, Capture: func(side int, wire bool, p *capture.Packet) error {
			at := 0
			if wire {
				at = 1
			}
			seen[side][at]++
			return nil
		}})
		const frames = 20
		for psn := range uint32(frames) {
			f := frame(t, packet(0, roce.SendOnly, 7, psn))
			hosts[0].send(f)
			if got := hosts[1].receive(soon); !bytes.Equal(got, f) {
				t.Fatalf("% x, want % x", got, f)
			}
		}
		res := end()
		if len(res.Faults) > 0 || res.Sides[0].NIC.Cycles == 0 || res.Sides[0].NIC.TimeNS != res.Sides[1].NIC.TimeNS {
			t.Errorf("%+v, %+v", res.Faults, res.Sides[0].NIC)
		}
		if want := [2][2]int{{frames, frames}, {frames, frames}}; seen != want {
			t.Errorf("captured %v, want %v", seen, want)
		}
	}
}

// bad is a checker that finds a difference at a cycle.
type bad struct{ at, n int }

var errBad = errors.New("port x: 1, want 2")

func (b *bad) Step(_, _ []uint64) error {
	if b.n++; b.n == b.at {
		return errBad
	}
	return nil
}

func (b *bad) End() error { return nil }

// A difference from the golden model ends the run, with the counts so far.
func TestGoldenDiffers(t *testing.T) {
	b := wires(t, func(int) Checker { return &bad{} })
	x := b[1].Checker.(*bad)
	x.at = x.n + 500
	hosts, ports := [2]*host{}, [2]Port{}
	for s := range hosts {
		hosts[s], ports[s] = newHost(t)
	}
	hosts[0].send(frame(t, packet(0, roce.SendOnly, 7, 1)))
	res, err := Run(t.Context(), Config{Network: straight(), NICs: [2]NIC{b[0], b[1]}, Ports: ports})
	if !errors.Is(err, ErrGolden) || !errors.Is(err, errBad) {
		t.Fatalf("%v, want %v", err, ErrGolden)
	}
	if res.Sides[0].FromHost[Request] != 1 || len(res.Faults) != 1 || !strings.Contains(res.Faults[0].What, "NIC B: differences from the golden model") {
		t.Errorf("%+v", res.Sides[0])
	}
}

// loser is a NIC that loses, changes or invents frames.
type loser struct {
	Plain
	change func(frame []byte) [][]byte
}

func (l *loser) Host(frame []byte) {
	for _, f := range l.change(bytes.Clone(frame)) {
		l.Plain.Host(f)
	}
}

// Whatever a NIC does wrong with a frame is a fault; what it may edit is none.
func TestFaults(t *testing.T) {
	one := func(f []byte) [][]byte { return [][]byte{f} }
	sent := 0
	for _, c := range []struct {
		name   string
		change func(f []byte) [][]byte
		faulty bool
	}{
		{"nothing", one, false},
		{"loses it", func([]byte) [][]byte { return nil }, true},
		{"sends it twice", func(f []byte) [][]byte { return [][]byte{f, f} }, true},
		{"sends the second of two equal frames twice", func(f []byte) [][]byte {
			if sent++; sent == 2 {
				return [][]byte{f, f}
			}
			return one(f)
		}, true},
		{"changes the payload", func(f []byte) [][]byte { f[70] ^= 1; return one(f) }, true},
		{"changes the PSN, and patches the ICRC", func(f []byte) [][]byte { f[53] ^= 1; _ = roce.Seal(f); return one(f) }, true},
		{"changes the port", func(f []byte) [][]byte { f[35] ^= 1; return one(f) }, true},
		{"changes the port, and patches the ICRC", func(f []byte) [][]byte { f[35] ^= 1; _ = roce.Seal(f); return one(f) }, false},
		{"changes the DSCP, but not the checksum", func(f []byte) [][]byte { f[15] ^= 0x10; return one(f) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			hosts, end := start(t, Config{Network: straight(), NICs: [2]NIC{&loser{change: c.change}, &Plain{}}})
			for range 2 {
				hosts[0].send(frame(t, packet(0, roce.SendOnly, 7, 1)))
			}
			for hosts[1].receive(never) != nil {
			}
			if res := end(); (len(res.Faults) > 0) != c.faulty {
				t.Errorf("faults %+v, want some: %t", res.Faults, c.faulty)
			}
		})
	}
}

// At the end of a run, frames that are on their way still arrive; what hosts send later does not.
func TestDrain(t *testing.T) {
	n := straight()
	n.Delay = 100 * time.Millisecond
	hosts, end := start(t, Config{Network: n, HostGap: 5 * time.Millisecond})
	const frames = 10
	for psn := range uint32(frames) {
		hosts[0].send(frame(t, packet(0, roce.SendOnly, 7, psn)))
	}
	time.Sleep(20 * time.Millisecond) // they are in the middle, and none has arrived
	res := end()
	for psn := range uint32(frames) {
		if f := hosts[1].receive(soon); f == nil || read(f).psn != psn {
			t.Fatalf("packet %d: % x", psn, f)
		}
	}
	if res.Flying != 0 || res.Sides[1].ToHost[Request] != frames || res.Wall < n.Delay {
		t.Errorf("%d on their way, %d came, after %v", res.Flying, res.Sides[1].ToHost[Request], res.Wall)
	}
}
