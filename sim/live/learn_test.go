// SPDX-License-Identifier: Apache-2.0

package live

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
)

// wire is one direction of a TCP connection of perftest.
type wire struct {
	side       int
	port, peer uint16
	seq        uint32
}

// segment returns a frame with some text, and goes on behind it.
func (w *wire) segment(t *testing.T, text string, flags ...string) []byte {
	t.Helper()
	src, dst := net.IP{10, 0, 0, byte(1 + w.side)}, net.IP{10, 0, 0, byte(2 - w.side)}
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: src, DstIP: dst}
	tcp := &layers.TCP{SrcPort: layers.TCPPort(w.port), DstPort: layers.TCPPort(w.peer), Seq: w.seq, ACK: true, DataOffset: 5}
	for _, f := range flags {
		switch f {
		case "SYN":
			tcp.SYN = true
			w.seq++
		case "first":
			tcp.ACK = false
		case "FIN":
			tcp.FIN = true
		}
	}
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	w.seq += uint32(len(text))
	f, err := roce.Serialize(&layers.Ethernet{SrcMAC: macs[w.side], DstMAC: macs[1-w.side], EthernetType: layers.EthernetTypeIPv4}, ip, tcp, gopacket.Payload(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// told is perftest's text about a queue pair.
func told(qp, psn uint32, gid string) string {
	if gid != "" {
		gid = ":" + gid
	}
	return fmt.Sprintf("0000:0080:%06x:%06x:%08x:%016x%s:00000000:\x00", qp, psn, 0x1234, uint64(0x5555_0000), gid)
}

const (
	gidA = "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:00:00:01"
	gidB = "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:00:00:02"
	v6B  = "fe:80:00:00:00:00:00:00:50:54:00:ff:fe:00:00:02"
)

// conversation is a client on side 1 and a server on side 0.
func conversation() (client, server *wire) {
	return &wire{side: 1, port: 40000, peer: 18515, seq: 0xFFFFFF00}, &wire{side: 0, port: 18515, peer: 40000, seq: 77}
}

// give gives frames to a learner.
func give(l *Learner, side int, frames ...[]byte) (list []Learned) {
	for _, f := range frames {
		list = append(list, l.frame(side, f, read(f))...)
	}
	return list
}

// ends returns the queue pairs of connections by their sides.
func ends(list []Learned) (out [][2]uint32) {
	for _, x := range list {
		var qps [2]uint32
		for _, e := range x.Ends {
			qps[e.Side] = e.QP
		}
		out = append(out, qps)
	}
	return out
}

// The queue pairs of client and server are paired by their order, whatever segments they come in, and once each.
func TestLearnText(t *testing.T) {
	hello := func(c, s *wire, l *Learner) {
		give(l, 1, c.segment(t, "", "SYN", "first"))
		give(l, 0, s.segment(t, "", "SYN"))
	}
	for _, c := range []struct {
		name string
		talk func(l *Learner, c, s *wire) []Learned
		want [][2]uint32
	}{
		{"two queue pairs in turns", func(l *Learner, c, s *wire) (list []Learned) {
			for i := range uint32(2) {
				list = append(list, give(l, 1, c.segment(t, told(0x21+i, 100+i, gidB)))...)
				list = append(list, give(l, 0, s.segment(t, told(0x11+i, 200+i, gidA)))...)
			}
			return list
		}, [][2]uint32{{0x11, 0x21}, {0x12, 0x22}}},
		{"in one segment", func(l *Learner, c, s *wire) []Learned {
			give(l, 1, c.segment(t, told(0x21, 1, gidB)+told(0x22, 2, gidB)))
			return give(l, 0, s.segment(t, told(0x11, 3, gidA)+told(0x12, 4, gidA)))
		}, [][2]uint32{{0x11, 0x21}, {0x12, 0x22}}},
		{"cut into segments", func(l *Learner, c, s *wire) []Learned {
			text := "4.05\x00" + told(0x21, 1, gidB)
			for i := range len(text) {
				give(l, 1, c.segment(t, text[i:i+1]))
			}
			return give(l, 0, s.segment(t, told(0x11, 3, gidA)))
		}, [][2]uint32{{0x11, 0x21}}},
		{"a segment that is sent again", func(l *Learner, c, s *wire) []Learned {
			text := told(0x21, 1, gidB)
			give(l, 1, c.segment(t, text[:60]))
			c.seq -= 20
			give(l, 1, c.segment(t, text[40:]))
			return give(l, 0, s.segment(t, told(0x11, 3, gidA)))
		}, [][2]uint32{{0x11, 0x21}}},
		{"a repeated text", func(l *Learner, c, s *wire) []Learned {
			give(l, 1, c.segment(t, told(0x21, 1, gidB)), c.segment(t, told(0x21, 1, gidB)))
			return give(l, 0, s.segment(t, told(0x11, 3, gidA)), s.segment(t, told(0x11, 3, gidA)))
		}, [][2]uint32{{0x11, 0x21}}},
		{"without a GID", func(l *Learner, c, s *wire) []Learned {
			give(l, 1, c.segment(t, told(0x21, 1, "")))
			return give(l, 0, s.segment(t, told(0x11, 3, "")))
		}, [][2]uint32{{0x11, 0x21}}},
		{"one end only", func(l *Learner, c, s *wire) []Learned {
			return append(give(l, 1, c.segment(t, told(0x21, 1, gidB)), c.segment(t, told(0x22, 1, gidB))), give(l, 0, s.segment(t, "no queue pair"))...)
		}, nil},
		{"the same numbers in a new connection", func(l *Learner, c, s *wire) (list []Learned) {
			for range 2 {
				list = append(list, give(l, 1, c.segment(t, told(0x21, 1, gidB)))...)
				list = append(list, give(l, 0, s.segment(t, told(0x11, 3, gidA)))...)
				c.seq, s.seq = 5, 6
				hello(c, s, l)
			}
			return list
		}, [][2]uint32{{0x11, 0x21}, {0x11, 0x21}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &Learner{Perftest: true}
			client, server := conversation()
			hello(client, server, l)
			if got := ends(c.talk(l, client, server)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%#x, want %#x", got, c.want)
			}
		})
	}
}

// A party has what the text says; the address is the GID's, or else TCP's.
func TestLearnParty(t *testing.T) {
	for gid, want := range map[string]string{gidB: "10.0.0.2", v6B: "fe80::5054:ff:fe00:2", "": "10.0.0.2"} {
		l := &Learner{Perftest: true}
		client, server := conversation()
		give(l, 0, server.segment(t, told(0x11, 3, gidA)))
		list := give(l, 1, client.segment(t, told(0xabcdef, 0x123456, gid)))
		if len(list) != 1 {
			t.Fatalf("GID %q: %d connections, want 1", gid, len(list))
		}
		i := 0
		if list[0].Ends[0].Side == 0 {
			i = 1
		}
		p := list[0].Ends[i]
		if w := (Party{Side: 1, Addr: netip.MustParseAddr(want), MAC: macs[1], QP: 0xabcdef, PSN: 0x123456}); !reflect.DeepEqual(p, w) {
			t.Errorf("GID %q: %+v, want %+v", gid, p, w)
		}
	}
	l := &Learner{CM: true}
	client, server := conversation()
	give(l, 0, server.segment(t, told(0x11, 3, gidA)))
	if list := give(l, 1, client.segment(t, told(0x21, 3, gidB))); list != nil {
		t.Errorf("%+v of text that is not to be read", list)
	}
}

// management returns a datagram of the communication manager.
func management(t *testing.T, side int, attribute uint16, fields map[int]uint32) []byte {
	t.Helper()
	p := packet(side, roce.UDSendOnly, 1, 0)
	p.Headers = []roce.Header{&roce.DETH{QKey: 0x80010000, SrcQP: 1}}
	p.Payload = make([]byte, 256)
	p.Payload[0], p.Payload[1] = 1, 7
	binary.BigEndian.PutUint16(p.Payload[16:], attribute)
	for at, v := range fields {
		binary.BigEndian.PutUint32(p.Payload[24+at:], v)
	}
	return frame(t, p)
}

// A REQ and the REP that answers it open a connection, once.
func TestLearnCM(t *testing.T) {
	req := func(side int, id, qp uint32) []byte {
		return management(t, side, 0x10, map[int]uint32{0: id, 32: qp<<8 | 5, 44: 0x111111_00})
	}
	rep := func(side int, of, qp uint32) []byte {
		return management(t, side, 0x13, map[int]uint32{0: 99, 4: of, 12: qp << 8, 20: 0x222222_00})
	}
	l := &Learner{CM: true}
	if list := give(l, 1, req(1, 5, 0x21), req(1, 6, 0x22), req(1, 5, 0x21)); list != nil {
		t.Errorf("%+v without a REP", list)
	}
	if list := give(l, 0, rep(0, 7, 0x13)); list != nil {
		t.Errorf("%+v by a REP to no REQ", list)
	}
	if list := give(l, 1, rep(1, 5, 0x13)); list != nil {
		t.Errorf("%+v by a REP of the same side", list)
	}
	want := []Learned{{LearnCM, [2]Party{
		{Side: 1, Addr: netip.MustParseAddr("10.0.0.2"), MAC: macs[1], QP: 0x22, PSN: 0x111111},
		{Side: 0, Addr: netip.MustParseAddr("10.0.0.1"), MAC: macs[0], QP: 0x12, PSN: 0x222222},
	}}}
	if list := give(l, 0, rep(0, 6, 0x12), rep(0, 6, 0x12)); !reflect.DeepEqual(list, want) {
		t.Errorf("%+v, want %+v", list, want)
	}
	l = &Learner{Perftest: true}
	give(l, 1, req(1, 5, 0x21))
	if list := give(l, 0, rep(0, 5, 0x12)); list != nil {
		t.Errorf("%+v of datagrams that are not to be read", list)
	}
}

// Text of any kind is no reason to fail.
func FuzzLearn(f *testing.F) {
	f.Add([]byte(strings.Repeat("\x06", 80)))
	f.Fuzz(func(t *testing.T, frame []byte) {
		l := &Learner{Perftest: true, CM: true}
		give(l, 0, frame)
		give(l, 1, frame)
	})
}

// Frames of Linux and perftest, recorded at host A's port between two virtual machines: the connections are those that tshark reads in them.
func TestLearnLinux(t *testing.T) {
	type end struct {
		addr    string
		qp, psn uint32
	}
	for name, want := range map[string][][2]end{
		"perftest.pcapng": {
			{{"10.0.0.1", 0x12, 0xe9beaf}, {"10.0.0.2", 0x12, 0x833f9a}},
			{{"10.0.0.1", 0x13, 0xf2d46d}, {"10.0.0.2", 0x13, 0xc5da7c}},
		},
		"perftest6.pcapng": {{{"fe80::5054:ff:fe00:1", 0x16, 0xa0197a}, {"fe80::5054:ff:fe00:2", 0x16, 0xac33d7}}},
		"cm.pcapng": {
			{{"10.0.0.1", 0x14, 0x15d67e}, {"10.0.0.2", 0x14, 0x74b611}},
			{{"10.0.0.1", 0x15, 0x01da6d}, {"10.0.0.2", 0x15, 0x4c62bc}},
		},
	} {
		f, err := capture.ReadFile(filepath.Join("testdata", name), capture.Sides{})
		if err != nil {
			t.Fatal(err)
		}
		l := &Learner{Perftest: true, CM: true}
		var got [][2]end
		for _, p := range f.Packets {
			side := 0
			if p.Data[11] == 2 { // of machine 2
				side = 1
			}
			for _, x := range give(l, side, p.Data) {
				var pair [2]end
				for _, e := range x.Ends {
					pair[e.Side] = end{e.Addr.String(), e.QP, e.PSN}
				}
				got = append(got, pair)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
