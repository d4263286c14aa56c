// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
)

var (
	nic      = net.HardwareAddr{2, 0, 0, 0, 0, 1} // of what packet makes
	neighbor = net.HardwareAddr{2, 0, 0, 0, 0, 2}
	stranger = net.HardwareAddr{2, 0, 0, 0, 0, 9}
)

// back is a frame the other way.
func back(f []byte) []byte {
	g := bytes.Clone(f)
	copy(g, f[6:12])
	copy(g[6:], f[:6])
	return g
}

// ethernet is a frame that is not IP.
func ethernet(dst, src net.HardwareAddr, kind uint16) []byte {
	f := binary.BigEndian.AppendUint16(append(bytes.Clone(dst), src...), kind)
	return append(f, make([]byte, 46)...)
}

// recorded is a file of frames 1 µs apart.
func recorded(name string, frames ...[]byte) *capture.File {
	f := &capture.File{Name: name, Intake: capture.Intake{Frames: len(frames)}}
	for i, d := range frames {
		f.Packets = append(f.Packets, capture.Packet{Time: time.Unix(100, int64(1000*i)), Data: d, File: name, Record: i + 1})
	}
	return f
}

// told writes an intake down, and the frames with directions by their files and numbers.
func told(packets []capture.Packet, in *capture.Intake) string {
	var words []string
	for _, p := range packets {
		words = append(words, fmt.Sprintf("%s%d %v", p.File, p.Record, p.Dir))
	}
	lines := []string{strings.Join(words, ", ")}
	for _, c := range in.LeftOut {
		lines = append(lines, fmt.Sprintf("left out of %s: %d %s %s", c.File, c.N, c.Unit, c.What))
	}
	for _, c := range in.Notes {
		lines = append(lines, fmt.Sprintf("note on %s: %d %s %s", c.File, c.N, c.Unit, c.What))
	}
	return strings.Join(lines, "\n")
}

// Frames that the NIC's host did not send came from the wire; other interfaces are left out and
// counted.
func TestSidesOfOthers(t *testing.T) {
	send := packet(t, false, roce.SendOnly, 5, 1)
	ack := back(packet(t, false, roce.Acknowledge, 6, 1))
	arp := ethernet(net.HardwareAddr{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, stranger, 0x0806)
	lldp := ethernet(net.HardwareAddr{1, 0x80, 0xC2, 0, 0, 0xE}, stranger, 0x88CC)
	pfc := ethernet(net.HardwareAddr{1, 0x80, 0xC2, 0, 0, 1}, stranger, 0x8808)
	multicast := ethernet(net.HardwareAddr{1, 0, 0x5E, 1, 2, 3}, stranger, 0x0800)
	own := ethernet(net.HardwareAddr{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, nic, 0x0806)
	lo := ethernet(make(net.HardwareAddr, 6), make(net.HardwareAddr, 6), 0x0800)
	between := ethernet(stranger, neighbor, 0x0800)
	others := recorded("a", send, ack, arp, lldp, pfc, multicast, own, lo, between)
	directed := func(f *capture.File, d ...capture.Direction) *capture.File {
		for i := range d {
			f.Packets[i].Dir = d[i]
		}
		return f
	}
	faces := func(f *capture.File, numbers ...int) *capture.File {
		for i, n := range numbers {
			f.Packets[i].Section, f.Packets[i].Interface, f.Packets[i].Name = 1, n, []string{"eth0", "eth1", "eth2"}[n]
		}
		return f
	}
	allOf := "a1 tx, a2 rx, a3 rx, a4 rx, a5 rx, a6 rx, a7 tx, a9 rx\nleft out of a: 1 frame of a loopback interface: both addresses are 00:00:00:00:00:00\nnote on a: 1 frame between other hosts: replayed from the wire, without a connection"
	three := func() *capture.File {
		return faces(recorded("a", send, back(ack), between, lldp, ack), 0, 0, 1, 2, 0)
	}
	for _, v := range []struct {
		what  string
		files []*capture.File
		sel   Selection
		want  string
		fail  string
	}{
		{"others with --mac", []*capture.File{others}, Selection{MAC: nic}, allOf, ""},
		{"the only address of RoCEv2 frames", []*capture.File{recorded("a", send, ack, lldp, ethernet(stranger, nic, 0x0800), packetTo(t, stranger))}, Selection{},
			"a1 tx, a2 rx, a3 rx, a4 tx, a5 tx", ""},
		{"two addresses", []*capture.File{others}, Selection{}, "", "the capture does not tell which frames the NIC's host sent: 8 of 8 frames have no direction, and RoCEv2 frames have the addresses 02:00:00:00:00:01 (1 from it, 1 to it), 02:00:00:00:00:02 (1 from it, 1 to it)"},
		{"no RoCEv2 frames", []*capture.File{recorded("a", arp, lldp, between)}, Selection{}, "", "3 of 3 frames have no direction, and the frames have the addresses 02:00:00:00:00:09 (2 from it, 1 to it), 02:00:00:00:00:02 (1 from it, 0 to it)"},
		{"an address that no frame has", []*capture.File{recorded("a", send, ack)}, Selection{MAC: stranger}, "", "no frame is from or to 02:00:00:00:00:09, and RoCEv2 frames have the addresses 02:00:00:00:00:01 (1"},
		{"other interfaces", []*capture.File{three()}, Selection{MAC: nic},
			"a1 tx, a2 tx, a5 rx\nleft out of a: 1 frame of interface 1 \"eth1\", where no frame is from or to 02:00:00:00:00:01\nleft out of a: 1 frame of interface 2 \"eth2\", where no frame is from or to 02:00:00:00:00:01", ""},
		{"other interfaces that are chosen", []*capture.File{three()}, Selection{MAC: nic, Named: func(p *capture.Packet) bool { return p.Name == "eth2" }},
			"a1 tx, a2 tx, a4 rx, a5 rx\nleft out of a: 1 frame of interface 1 \"eth1\", where no frame is from or to 02:00:00:00:00:01", ""},
		{"the same frames at two interfaces", []*capture.File{faces(recorded("a", send, send, ack), 0, 1, 0)}, Selection{MAC: nic},
			"a1 tx, a2 tx, a3 rx\nnote on a: 2 interface with frames from 02:00:00:00:00:01: if they recorded the same frames, choose one by --interface", ""},
		{"one interface for each direction", []*capture.File{faces(recorded("a", send, send, ack), 0, 0, 1)}, Selection{MAC: nic}, "a1 tx, a2 tx, a3 rx", ""},
		{"other files", []*capture.File{recorded("a", send, ack), recorded("b", between)}, Selection{MAC: nic}, "a1 tx, a2 rx\nleft out of b: 1 frame of interface 0, where no frame is from or to 02:00:00:00:00:01", ""},
		{"what the host sent is named", []*capture.File{directed(three(), capture.TX, capture.TX)}, Selection{Sent: true}, "a1 tx, a2 tx, a3 rx, a4 rx, a5 rx", ""},
		{"both are named", []*capture.File{directed(three(), capture.TX, capture.TX, 0, 0, capture.RX)}, Selection{Sent: true, Came: true, Named: func(p *capture.Packet) bool { return p.Name == "eth2" }},
			"a1 tx, a2 tx, a4 rx, a5 rx\nleft out of a: 1 frame of interface 1 \"eth1\", which is named for neither direction", ""},
		{"what came is named", []*capture.File{directed(recorded("a", ack, send), capture.RX)}, Selection{Came: true, MAC: nil}, "", "1 of 2 frames have no direction"},
		{"all have directions", []*capture.File{directed(recorded("a", send, between), capture.TX, capture.RX)}, Selection{MAC: stranger}, "a1 tx, a2 rx", ""},
	} {
		packets, in, err := Prepare(v.files, v.sel)
		if v.fail != "" {
			if !errors.Is(err, ErrSides) || !strings.Contains(err.Error(), v.fail) {
				t.Errorf("%s: %v, want %q", v.what, err, v.fail)
			}
			continue
		}
		if got := told(packets, &in); err != nil || got != v.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", v.what, err, got, v.want)
		}
	}
}

// Frames between two other hosts belong to none of the NIC's connections.
func TestOthers(t *testing.T) {
	passing := packetTo(t, stranger)
	copy(passing[6:], neighbor)
	packets, _, err := Prepare([]*capture.File{recorded("a", packet(t, false, roce.SendOnly, 5, 1), passing)}, Selection{MAC: nic})
	if err != nil || len(packets) != 2 || packets[1].Dir != capture.RX || !packets[1].Others {
		t.Fatalf("%+v, %v", packets, err)
	}
	if all := Find(packets); len(all) != 1 || all[0].HasRX {
		t.Errorf("connections %+v, want that of the first frame", all)
	}
}

// packetTo is a SEND from the NIC to another address.
func packetTo(t *testing.T, dst net.HardwareAddr) []byte {
	f := packet(t, false, roce.SendOnly, 5, 1)
	copy(f, dst)
	return f
}

// A frame of which too little is there is left out: zeros in place of a header would make another packet of it.
func TestUnusable(t *testing.T) {
	header := func(op roce.Opcode, h ...roce.Header) *roce.Packet {
		return &roce.Packet{
			Ethernet: layers.Ethernet{SrcMAC: nic, DstMAC: neighbor, EthernetType: layers.EthernetTypeIPv4},
			IPv4:     &layers.IPv4{Version: 4, TTL: 9, Protocol: layers.IPProtocolUDP, SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2}},
			UDP:      layers.UDP{SrcPort: 0xC001, DstPort: roce.Port}, BTH: roce.BTH{Opcode: op, DestQP: 5}, Headers: h, Payload: make([]byte, 200),
		}
	}
	bytesOf := func(p *roce.Packet) []byte {
		f, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	tagged := header(roce.SendMiddle)
	tagged.Ethernet.EthernetType = layers.EthernetTypeDot1Q
	tagged.Tags = []layers.Dot1Q{{VLANIdentifier: 3, Type: layers.EthernetTypeIPv4}}
	feedback := header(roce.Feedback, &roce.FeedbackBody{EVs: make([]uint16, 1)})
	feedback.Payload = nil
	whole := bytesOf(feedback)
	tcp := packet(t, false, roce.SendOnly, 5, 1)
	tcp[23] = 6
	dns := packet(t, false, roce.SendOnly, 5, 1)
	dns[37] = 53
	options := packet(t, false, roce.SendOnly, 5, 1)
	options[14] = 0x46
	for _, v := range []struct {
		what  string
		frame []byte
		need  int
	}{
		{"SEND middle", bytesOf(header(roce.SendMiddle)), 54},
		{"WRITE first", bytesOf(header(roce.WriteFirst, &roce.RETH{})), 70},
		{"WRITE only with immediate", bytesOf(header(roce.WriteOnlyImm, &roce.RETH{}, &roce.ImmDt{})), 74},
		{"atomic", bytesOf(header(roce.FetchAdd, &roce.AtomicETH{})), 82},
		{"XRC", bytesOf(header(roce.XRC|roce.SendOnly, &roce.XRCETH{})), 58},
		{"READ response", bytesOf(header(roce.ResponseFirst, &roce.AETH{})), 58},
		{"UD", bytesOf(header(roce.UDSendOnly, &roce.DETH{})), 62},
		{"tagged", bytesOf(tagged), 58},
		{"IPv6", packet(t, true, roce.SendOnly, 5, 1), 74},
		{"feedback", whole, len(whole)},
		{"an opcode that is not known", bytesOf(header(0x1C)), 54},
		{"TCP", tcp, 34},
		{"another UDP port", dns, 42},
		{"IPv4 options", options, 46},
		{"ARP", ethernet(neighbor, nic, 0x0806), 14},
		{"SEND middle behind a shim", shimmed(t, bytesOf(header(roce.SendMiddle))), 54 + 48},
		{"ARP behind a shim", shimmed(t, ethernet(neighbor, nic, 0x0806)), 14 + 48},
	} {
		least := len(v.frame)
		for n := range len(v.frame) {
			cut := append(bytes.Clone(v.frame[:n]), make([]byte, len(v.frame)-n)...)
			p := capture.Packet{Data: cut, Missing: len(v.frame) - n, Dir: capture.TX}
			why := unusable(&p)
			if why == "" {
				least = min(least, n)
			} else if want := "truncated inside their headers"; why != want || n > least {
				t.Errorf("%s, %d bytes: %q, want %q", v.what, n, why, want)
			}
		}
		if least != v.need {
			t.Errorf("%s: taken from %d bytes on, want %d", v.what, least, v.need)
		}
		if why := unusable(&capture.Packet{Data: v.frame, Dir: capture.TX}); why != "" {
			t.Errorf("%s, whole: %q", v.what, why)
		}
	}
	for n, want := range map[int]string{0: "of 0 bytes", 1: "shorter than an Ethernet header, 14 bytes", 13: "shorter than an Ethernet header, 14 bytes", 14: ""} {
		if why := unusable(&capture.Packet{Data: bytes.Repeat([]byte{2}, n)}); why != want {
			t.Errorf("%d bytes: %q, want %q", n, why, want)
		}
	}
}

// Frames keep their file's order, times never go back, and no gap is above the bound.
func TestPace(t *testing.T) {
	const s = time.Second
	for _, v := range []struct {
		what string
		at   []time.Duration
		most time.Duration
		want []time.Duration
		note string
	}{
		{"as recorded", []time.Duration{0, 1, 1, 7 * s, 17 * s}, 10 * s, []time.Duration{0, 1, 1, 7 * s, 17 * s}, ""},
		{"a clock set back", []time.Duration{5 * s, 6 * s, 2 * s, 3 * s, 3*s + 1}, 10 * s, []time.Duration{0, 1 * s, 1 * s, 2 * s, 2*s + 1},
			"1 step back of the clock: frames stay in file order, and time continues from there"},
		{"queues of one recorder", []time.Duration{10, 8, 12, 11, 9, 13}, 10 * s, []time.Duration{0, 0, 2, 2, 2, 3}, "3 frame up to 1ms earlier than a frame before them: replayed at its time"},
		{"a frame of 1970", []time.Duration{5 * s, 6 * s, -1_700_000_000 * s, 6*s + 1}, 10 * s, []time.Duration{0, 1 * s, 1 * s, 11 * s},
			"1 step back of the clock: frames stay in file order, and time continues from there\n1 gap longer than 10s, cut to it, by 53.9 years in total: --max-gap sets the limit, --line-rate ignores timestamps"},
		{"gaps", []time.Duration{0, 10*s + 1, 20 * s, 40 * s}, 10 * s, []time.Duration{0, 10 * s, 20*s - 1, 30*s - 1}, "2 gap longer than 10s, cut to it, by 10s in total: --max-gap sets the limit, --line-rate ignores timestamps"},
		{"a day", []time.Duration{0, 100 * 3600 * s}, time.Millisecond, []time.Duration{0, time.Millisecond}, "1 gap longer than 1ms, cut to it, by 4.2 days in total: --max-gap sets the limit, --line-rate ignores timestamps"},
		{"no bound", []time.Duration{0, 100 * 3600 * s}, 0, []time.Duration{0, 100 * 3600 * s}, ""},
	} {
		var packets []capture.Packet
		start := time.Unix(1_700_000_000, 0)
		for _, d := range v.at {
			packets = append(packets, capture.Packet{Time: start.Add(d)})
		}
		var in capture.Intake
		pace(packets, v.most, &in)
		var got []time.Duration
		for _, p := range packets {
			got = append(got, p.Time.Sub(start.Add(v.at[0])))
		}
		var notes []string
		for _, c := range in.Notes {
			notes = append(notes, fmt.Sprintf("%d %s %s", c.N, c.Unit, c.What))
		}
		if !slices.Equal(got, v.want) || strings.Join(notes, "\n") != v.note {
			t.Errorf("%s: %v, want %v; %q", v.what, got, v.want, notes)
		}
	}
	// Times that not every format holds.
	for _, year := range []int{1969, 2101, 2339} {
		var in capture.Intake
		packets := []capture.Packet{{Time: time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)}, {Time: time.Date(year, 6, 1, 0, 0, 0, 5, time.UTC)}}
		pace(packets, 10*s, &in)
		if !packets[0].Time.Equal(time.Unix(0, 0)) || packets[1].Time.Sub(packets[0].Time) != 5 || len(in.Notes) != 1 || in.Notes[0].What != fmt.Sprintf("beginning in the year %d: its times are moved to 1970", year) {
			t.Errorf("%d: %v, %v", year, packets, in.Notes)
		}
	}
	// Each of two files keeps its order, even if one's clock was set back.
	a, b := recorded("a", make([]byte, 60), make([]byte, 60), make([]byte, 60)), recorded("b", make([]byte, 60), make([]byte, 60))
	for i := range a.Packets {
		a.Packets[i].Dir, a.Packets[i].Time = capture.TX, a.Packets[0].Time.Add([]time.Duration{0, 5 * s, 1 * s}[i])
	}
	for i := range b.Packets {
		b.Packets[i].Dir, b.Packets[i].Time = capture.RX, a.Packets[0].Time.Add([]time.Duration{3 * s, 7 * s}[i])
	}
	packets, in, err := Prepare([]*capture.File{a, b}, Selection{MaxGap: 10 * s})
	if got := told(packets, &in); err != nil || got != "a1 tx, b1 rx, a2 tx, a3 tx, b2 rx\nnote on a: 1 step back of the clock: frames stay in file order, and time continues from there" {
		t.Errorf("%v, %s", err, got)
	}
}

// No frames make what prepares a recording fail other than by an error, and none is lost without being counted.
func FuzzPrepare(f *testing.F) {
	f.Add(ethernet(neighbor, nic, 0x0806), 3, int64(5), uint8(2))
	f.Add(ethernet(neighbor, nic, 0x0800), 50, int64(-5), uint8(0))
	f.Fuzz(func(t *testing.T, frame []byte, missing int, step int64, dir uint8) {
		file := recorded("a", frame, ethernet(neighbor, nic, 0x0806), frame)
		for i := range file.Packets {
			p := &file.Packets[i]
			p.Missing = min(max(0, missing), len(p.Data))
			p.Dir = capture.Direction(dir % 3)
			p.Time = p.Time.Add(time.Duration(step * int64(i)))
		}
		packets, in, err := Prepare([]*capture.File{file}, Selection{MAC: nic, MaxGap: time.Second})
		if err != nil {
			return
		}
		if n := in.LeftOut.Sum(capture.Frames); n+len(packets) != in.Frames {
			t.Errorf("%d frames and %d left out, of %d", len(packets), n, in.Frames)
		}
		for i := 1; i < len(packets); i++ {
			if d := packets[i].Time.Sub(packets[i-1].Time); d < 0 || d > time.Second {
				t.Errorf("frame %d comes %v after the one before", i+1, d)
			}
		}
		Find(packets)
	})
}
