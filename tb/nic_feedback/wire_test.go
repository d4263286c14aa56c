// SPDX-License-Identifier: Apache-2.0

package nicfeedback_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// port drives and reads the RTL. What it makes comes to it again in the same cycle.
type port struct {
	t     *testing.T
	sim   *cosim.Sim
	tell  func(frame []byte) (conn, lane, words uint64) // of a frame whose first beat leaves
	now   []byte
	made  [][]byte
	beats []uint64 // the cycle of each beat that left
	evs   []uint16
	marks []bool
	conns []uint64
	given []uint64 // the cycle of each entropy value
}

func open(t *testing.T) *port {
	p := &port{t: t, sim: suite.Open(t, params.Default())}
	p.sim.Set("m_axis_tready", 1)
	p.sim.Set("m_back_ready", 1)
	p.sim.Set("rst", 1)
	p.sim.Step(1)
	p.sim.Set("rst", 0)
	began := p.sim.Cycle()
	for p.sim.Get("sts_ready") == 0 {
		p.sim.Step(1)
	}
	if n, want := p.sim.Cycle()-began, uint64(params.Default().Connections)+1; n != want {
		t.Errorf("ready %d cycles after rst has fallen, want %d", n, want)
	}
	return p
}

// clock lets a cycle pass.
func (p *port) clock() {
	s := p.sim
	if s.Get("m_back_valid") != 0 {
		p.evs = append(p.evs, uint16(s.Get("m_back_ev")))
		p.marks = append(p.marks, s.Get("m_back_mark") != 0)
		p.conns = append(p.conns, s.Get("m_back_conn"))
		p.given = append(p.given, s.Cycle())
	}
	valid, last := s.Get("m_axis_tvalid"), s.Get("m_axis_tlast")
	first := len(p.now) == 0
	if valid != 0 {
		keep := s.Get("m_axis_tkeep")
		for i, w := range s.GetWide("m_axis_tdata") {
			for b := range 8 {
				if keep>>(8*i+b)&1 != 0 {
					p.now = append(p.now, byte(w>>(8*b)))
				}
			}
		}
		p.beats = append(p.beats, s.Cycle())
	}
	s.Set("s_axis_tvalid", valid)
	s.SetWide("s_axis_tdata", s.GetWide("m_axis_tdata")...)
	s.Set("s_axis_tlast", last)
	s.Set("s_list_good", last)
	s.Set("s_list_valid", benchtest.Bit(valid != 0 && first))
	if valid != 0 && first {
		conn, lane, words := p.tell(p.now)
		s.Set("s_list_conn", conn)
		s.Set("s_list_lane", lane)
		s.Set("s_list_words", words)
	}
	if valid != 0 && last != 0 {
		p.made = append(p.made, p.now)
		p.now = nil
	}
	s.Step(1)
}

// write writes a template.
func (p *port) write(conn uint64, frame []byte, lane uint64, label bool) {
	var b [4 * params.Words]byte
	binary.LittleEndian.PutUint16(b[:], uint16(lane|benchtest.Bit(label)<<params.LabelBit|1<<params.ValidBit))
	copy(b[2:], frame)
	p.sim.Set("s_template_valid", 1)
	p.sim.Set("s_template_conn", conn)
	for i := params.Words - 1; i >= 0; i-- {
		p.sim.Set("s_template_word", uint64(i))
		p.sim.Set("s_template_data", uint64(binary.LittleEndian.Uint32(b[4*i:])))
		p.clock()
	}
	p.sim.Set("s_template_valid", 0)
}

// send gives a list and waits until it is taken.
func (p *port) send(conn uint64, psn uint32, body *roce.FeedbackBody) {
	s, n := p.sim, len(body.EVs)
	var evs [4]uint64
	marks := uint64(0)
	for i, ev := range body.EVs { // the newest is the highest of all 16
		at := 16 - n + i
		evs[at/4] |= uint64(ev) << (at % 4 * 16)
		marks |= uint64(body.CE>>i&1) << at
	}
	s.Set("s_fb_valid", 1)
	s.Set("s_fb_conn", conn)
	s.Set("s_fb_psn", uint64(psn))
	s.Set("s_fb_count", uint64(n))
	s.SetWide("s_fb_evs", evs[:]...)
	s.Set("s_fb_marks", marks)
	s.Set("s_fb_again", uint64(body.Flags>>1))
	for range 100 {
		taken := s.Get("s_fb_ready") != 0
		p.clock()
		if taken {
			s.Set("s_fb_valid", 0)
			return
		}
	}
	p.t.Fatal("a list is not taken")
}

// connection is one of six, IPv4 and IPv6 with 0 to 2 tags.
func connection(conn int) *roce.Packet {
	p := &roce.Packet{
		Ethernet: layers.Ethernet{DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, SrcMAC: net.HardwareAddr{2, 0, 0, 0, 1, byte(conn)}},
		UDP:      layers.UDP{SrcPort: 0xC000, DstPort: roce.Port},
		BTH:      roce.BTH{Opcode: roce.Feedback, PKey: 0xFFFF, DestQP: uint32(0x1000 + conn)},
		Headers:  []roce.Header{&roce.FeedbackBody{EVs: []uint16{0}}},
	}
	next := layers.EthernetTypeIPv4
	if conn >= 3 {
		next = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, TrafficClass: 104, FlowLabel: 0xA1234, HopLimit: 64, NextHeader: layers.IPProtocolUDP,
			SrcIP: net.ParseIP("fd00::1"), DstIP: net.ParseIP("fd00::2")}
	} else {
		p.IPv4 = &layers.IPv4{Version: 4, TOS: 104, Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
			SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, byte(2 + conn)}}
	}
	p.Ethernet.EthernetType = next
	for i := range conn % 3 {
		p.Ethernet.EthernetType = layers.EthernetTypeDot1Q
		p.Tags = append(p.Tags, layers.Dot1Q{VLANIdentifier: uint16(100 + i), Type: layers.EthernetTypeDot1Q})
	}
	if n := len(p.Tags); n > 0 {
		p.Tags[n-1].Type = next
	}
	return p
}

// TestLoop writes templates, lets the RTL make packets from lists, and feeds the packets back. Each frame
// equals the layers' result, which computes lengths, checksums and the ICRC independently; and the lists
// returned equal the lists sent.
func TestLoop(t *testing.T) {
	p := open(t)
	rng := rand.New(rand.NewPCG(1, 1))
	lane := func(conn int) uint64 { return uint64(8 + conn%3 + conn/3*5) }
	p.tell = func(frame []byte) (conn, _, words uint64) {
		conn = uint64(frame[11])
		ip := frame[14+4*(conn%3):]
		words = uint64(binary.BigEndian.Uint16(ip[2:]))/4 - 5
		if conn >= 3 {
			words = uint64(binary.BigEndian.Uint16(ip[4:])) / 4
		}
		return 7 * conn, lane(int(conn)), words
	}
	type sent struct {
		conn int
		body *roce.FeedbackBody
	}
	var wants [][]byte
	var lists []sent
	for _, label := range []bool{false, true} {
		var all [6]*roce.Packet
		for conn := range all {
			all[conn] = connection(conn)
			frame, err := all[conn].Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			if ip := frame[14+4*(conn%3):]; conn < 3 { // the length goes out of the checksum
				sum := uint32(binary.BigEndian.Uint16(ip[10:])) + uint32(binary.BigEndian.Uint16(ip[2:]))
				binary.BigEndian.PutUint16(ip[10:], uint16(sum+sum>>16))
				ip[2], ip[3] = 0, 0
			}
			p.write(uint64(conn), frame[:4*lane(conn)+22], lane(conn), label)
		}
		for i := range 600 {
			conn, n := rng.IntN(6), 1+i%16
			body := &roce.FeedbackBody{CE: uint16(rng.Uint32()) & (1<<n - 1), Flags: uint8(rng.IntN(2) * roce.FeedbackDuplicate)}
			for range n {
				body.EVs = append(body.EVs, uint16(rng.Uint32()))
			}
			q := all[conn]
			q.BTH.PSN, q.Headers[0] = rng.Uint32()&roce.Mask24, body
			if newest := body.EVs[n-1]; label && conn >= 3 {
				q.IPv6.FlowLabel = 0xA0000 | uint32(newest)
			} else {
				q.UDP.SrcPort = layers.UDPPort(newest)
			}
			want, err := q.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			wants, lists = append(wants, want), append(lists, sent{conn, body})
			p.send(uint64(conn), q.BTH.PSN, body)
		}
		for range 100 {
			p.clock()
		}
	}
	if diff := cmp.Diff(wants, p.made); diff != "" {
		t.Fatalf("frames (-want +got)\n%s", diff)
	}
	for i, frame := range p.made {
		if err := roce.Verify(frame); err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if len(frame) < 66 || len(frame) > 122 {
			t.Errorf("frame %d has %d bytes", i, len(frame))
		}
	}
	at := 0
	for i, l := range lists {
		for k, ev := range l.body.EVs {
			if at == len(p.evs) {
				t.Fatalf("the entropy values of list %d and those behind it have not come back", i)
			}
			if mark := l.body.CE>>k&1 != 0; p.evs[at] != ev || p.marks[at] != mark || p.conns[at] != uint64(7*l.conn) {
				t.Fatalf("list %d: %04x, %t of connection %d; want %04x, %t of %d", i, p.evs[at], p.marks[at], p.conns[at], ev, mark, 7*l.conn)
			}
			at++
		}
	}
	if at != len(p.evs) {
		t.Errorf("%d entropy values too many", len(p.evs)-at)
	}
	if packets, given := p.sim.Get("sts_packet_cnt"), p.sim.Get("sts_list_cnt"); packets != 1200 || given != 1200 {
		t.Errorf("%d packets made, %d lists given out, want 1200", packets, given)
	}
}

// TestLatency measures the times of the page.
func TestLatency(t *testing.T) {
	p := open(t)
	p.tell = func([]byte) (conn, lane, words uint64) { return 0, 8, 15 }
	frame := make([]byte, 54)
	for _, c := range []struct {
		lane  uint64
		n     int
		again uint64
	}{{8, 16, 31}, {8, 1, 24}, {15, 16, 38}, {15, 1, 31}} {
		lane, n, want := c.lane, c.n, c.again
		p.write(0, frame, lane, false)
		p.beats, p.given = nil, nil
		body := &roce.FeedbackBody{EVs: make([]uint16, n)}
		began := p.sim.Cycle()
		p.send(0, 1, body)
		if taken := p.sim.Cycle() - began; taken != uint64(n)+1 {
			t.Errorf("lane %d, %d entropy values: taken after %d cycles, want %d", lane, n, taken, n+1)
		}
		p.send(0, 2, body)
		for range 80 {
			p.clock()
		}
		if first := p.beats[0] - began; first != params.BeatLatency {
			t.Errorf("first beat after %d cycles, want %d", first, params.BeatLatency)
		}
		if again := p.beats[2] - p.beats[0]; again != want {
			t.Errorf("lane %d, %d entropy values: the next packet %d cycles later, want %d", lane, n, again, want)
		}
		if ev := p.given[0] - p.beats[1]; lane == 8 && ev != params.EVLatency {
			t.Errorf("first entropy value after %d cycles, want %d", ev, params.EVLatency)
		}
	}
}
