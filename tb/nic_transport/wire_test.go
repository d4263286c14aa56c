// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// blockOf compiles the block of a configuration.
func blockOf(t *testing.T, set string) (*params.Params, *cosim.Library) {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	return p, build(t, p)
}

// build compiles the block.
func build(t *testing.T, p *params.Params) *cosim.Library {
	t.Helper()
	b, err := nictransport.Unit.New(p)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

// start powers a block up, with a program that sets it up.
func start(t *testing.T, lib *cosim.Library, p *params.Params, c device.Config) *device.Program {
	t.Helper()
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	c.Library, c.Map = lib, m
	d, err := device.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	s, err := device.NewProgram(t.Context(), d, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Seed(1); err != nil {
		t.Fatal(err)
	}
	return s
}

// wholeQueue lets one connection have the whole packet buffer.
func wholeQueue(t *testing.T, s *device.Program, p *params.Params) {
	t.Helper()
	if err := s.Settings("queue", map[string]uint64{"cfg_quota": uint64(p.Queue().Cells())}); err != nil {
		t.Fatal(err)
	}
}

var (
	here  = netip.MustParseAddr("10.0.0.1")
	there = netip.MustParseAddr("10.0.0.2")
)

// rc is a RoCEv2 packet over IPv4, without tags.
func rc(t *testing.T, op roce.Opcode, from, to netip.Addr, qp, psn uint32, payload int) []byte {
	t.Helper()
	p := packet(op, from, to, qp, psn, payload)
	if op == opAck {
		p.Headers = []roce.Header{&roce.AETH{}}
	}
	return framed(t, p)
}

// packet returns an unfinished packet: its flags are clear, and it has no header after the BTH.
func packet(op roce.Opcode, from, to netip.Addr, qp, psn uint32, payload int) *roce.Packet {
	return &roce.Packet{
		Ethernet: layers.Ethernet{SrcMAC: []byte{2, 0, 0, 0, 0, 1}, DstMAC: []byte{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4},
		IPv4:     &layers.IPv4{Version: 4, IHL: 5, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: from.AsSlice(), DstIP: to.AsSlice()},
		UDP:      layers.UDP{SrcPort: 0xC001, DstPort: roce.Port},
		BTH:      roce.BTH{Opcode: op, PKey: 0xFFFF, DestQP: qp, PSN: psn & roce.Mask24},
		Payload:  make([]byte, payload),
	}
}

// framed returns the frame of a packet.
func framed(t *testing.T, p *roce.Packet) []byte {
	t.Helper()
	f, err := p.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Opcodes of the tests: SEND only, ACK, SEND only of an unreliable connection.
const (
	opSend   roce.Opcode = 0x04
	opAck    roce.Opcode = 0x11
	opUCSend roce.Opcode = 0x24
)

// The latency that the idle block adds to a frame of one beat.
func TestLatency(t *testing.T) {
	p := params.Default()
	s := start(t, build(t, p), p, device.Config{Seed: 1})
	for i, profile := range []device.Profile{
		{Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1},
		{Queue: true, Path: true, EchoTX: true, EchoRX: true, Window: true, DSCP: -1, ECN: -1},
	} {
		if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i), 0x200 + uint32(i)}, Profile: profile}); err != nil {
			t.Fatal(err)
		}
	}
	s.Rebase()
	var in agenda.Instant
	s.Entered = func(e device.Entered) { in = e.First }
	for _, c := range []struct {
		name        string
		fromWire    bool
		frame       []byte
		least, most int // cycles from the first beat in to the first beat out, by when it comes
	}{
		{"other, out", false, make([]byte, 60), 12, 12},
		{"data, edited", false, rc(t, opSend, here, there, 0x100, 1, 0), 37, 37},
		{"data, queued", false, rc(t, opSend, here, there, 0x101, 1, 0), 78, 79},
		{"other, in", true, make([]byte, 60), 1, 1},
		{"data, in", true, rc(t, opSend, there, here, 0x200, 7, 0), 1, 1},
		{"ACK of it", false, rc(t, opAck, here, there, 0x100, 7, 0), 37, 37},
	} {
		s.Entered = func(e device.Entered) { in = e.First }
		least, most := math.MaxInt, -1
		for cycle := range 8 {
			at := s.Now() + agenda.Instant(cycle)*s.Period
			if c.fromWire {
				s.Wire(at, c.frame)
			} else {
				s.Host(at, c.frame)
			}
			left := 0
			if err := s.Run(t.Context(), s.Now()+1_000_000, func(l device.Left) {
				if l.ToHost != c.fromWire {
					t.Errorf("%s: left on the wrong side", c.name)
				}
				got := int((l.First - in) / s.Period)
				least, most, left = min(least, got), max(most, got), left+1
			}); err != nil {
				t.Fatal(err)
			}
			if left != 1 {
				t.Errorf("%s: %d frames left, want 1", c.name, left)
			}
		}
		if least != c.least || most != c.most {
			t.Errorf("%s: %d to %d cycles, want %d to %d", c.name, least, most, c.least, c.most)
		}
	}
}

// The wire stays full at both clocks, whatever becomes of the packets; and each packet leaves once,
// in the order of its connection, with a right ICRC.
func TestLineRate(t *testing.T) {
	p := params.Default()
	lib := build(t, p)
	const conns = 64
	kinds := []string{"other", "edited", "queued"}
	sizes := []int{60, 61, 63, 64, 65, 66, 77, 124, 125, 126, 127, 128, 129, 130, 1500, 4096, 9214, 0} // 0: random
	total := 400_000
	if testing.Short() {
		sizes, total = []int{60, 66, 129, 9214, 0}, 200_000
	}
	for _, period := range []agenda.Instant{device.Period250, device.Period322} {
		for _, kind := range kinds {
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%d ps/%s/%d", period, kind, size), func(t *testing.T) {
					s := start(t, lib, p, device.Config{Seed: 1, Period: period})
					// A visit for each packet: connections take turns.
					if err := s.Settings("gate", map[string]uint64{"cfg_quantum": 1}); err != nil {
						t.Fatal(err)
					}
					for i := range conns {
						profile := device.Profile{Path: true, Queue: kind == "queued", DSCP: 10, ECN: 2}
						if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i)}, Profile: profile}); err != nil {
							t.Fatal(err)
						}
					}
					s.Rebase()
					r := rand.New(rand.NewPCG(uint64(size), 1))
					bytes, sent := 0, 0
					for ; bytes < total; sent++ {
						n := size
						if n == 0 {
							n = 60 + r.IntN(1455)
							if r.IntN(20) == 0 {
								n = 60 + r.IntN(9155)
							}
						}
						var f []byte
						if kind == "other" {
							f = make([]byte, n)
							f[12], f[14], f[15] = 0x12, byte(sent>>8), byte(sent)
						} else {
							f = rc(t, opUCSend, here, there, 0x100+uint32(sent%conns), uint32(sent/conns), max(0, (n-58)/4*4))
						}
						bytes += device.Gap + max(60, len(f))
						s.Host(0, f)
					}
					type gone struct {
						at    agenda.Instant
						bytes int
					}
					var left []gone
					next := map[uint32]uint32{}
					until := agenda.Instant(float64(bytes)/12.5*1000*1.2) + 20_000_000
					if err := s.Run(t.Context(), until, func(l device.Left) {
						left = append(left, gone{l.Gone, device.Gap + max(60, len(l.Data))})
						if kind == "other" {
							if n := len(left) - 1; l.Data[14] != byte(n>>8) || l.Data[15] != byte(n) {
								t.Errorf("frame %d is another one", n)
							}
							return
						}
						if err := roce.Verify(l.Data); err != nil {
							t.Fatal(err)
						}
						q, err := roce.Parse(l.Data)
						if err != nil {
							t.Fatal(err)
						}
						if next[q.BTH.DestQP] != q.BTH.PSN {
							t.Errorf("queue pair %x: PSN %d, want %d", q.BTH.DestQP, q.BTH.PSN, next[q.BTH.DestQP])
						}
						next[q.BTH.DestQP]++
						if q.UDP.SrcPort < 0xC000 || q.IPv4.TOS != 10<<2|2 {
							t.Errorf("source port %x, type of service %x", uint16(q.UDP.SrcPort), q.IPv4.TOS)
						}
					}); err != nil {
						t.Fatal(err)
					}
					if len(left) != sent {
						t.Fatalf("%d frames left, want %d", len(left), sent)
					}
					if s.Gaps > 0 {
						t.Errorf("%d gaps within frames", s.Gaps)
					}
					// Frames that leave between a quarter and three quarters of the run: at its beginning
					// and end the wire is not full.
					a, b := len(left)/4, 3*len(left)/4
					sum := 0
					for _, g := range left[a+1 : b+1] {
						sum += g.bytes
					}
					share := float64(sum) / 12.5 * 1000 / float64(left[b].at-left[a].at)
					// Two beats take two cycles, which at 250 MHz are longer than the shortest such frames.
					want := 1.0
					if size != 0 {
						length := left[0].bytes - device.Gap
						beats := float64((length + 63) / 64)
						want = min(1, float64(left[0].bytes)/12.5*1000/(beats*float64(period)))
					}
					if t.Logf("%.2f %% of the line", 100*share); share < want-0.004 {
						t.Errorf("%.4f of the line, want %.4f", share, want)
					}
				})
			}
		}
	}
}
