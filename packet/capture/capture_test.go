// SPDX-License-Identifier: Apache-2.0

package capture_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/nicgen/nicgen/packet/capture"
)

var (
	host = net.HardwareAddr{2, 0, 0, 0, 0, 1}
	peer = net.HardwareAddr{2, 0, 0, 0, 0, 2}
)

// some frames, alternately in both directions.
func some() (all []capture.Packet) {
	for i := range 5 {
		p := capture.Packet{Time: time.Unix(1_700_000_000, int64(999_999_990+7*i)).UTC(), Dir: capture.TX}
		p.Data = append(append(append(p.Data, peer...), host...), bytes.Repeat([]byte{byte(i)}, 48+i)...)
		if i%2 == 1 {
			p.Dir = capture.RX
			copy(p.Data, host)
			copy(p.Data[6:], peer)
		}
		all = append(all, p)
	}
	return all
}

func pcap(t *testing.T, all []capture.Packet) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := capture.WritePcap(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pcapng(t *testing.T, all []capture.Packet) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := capture.WritePcapng(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func squeeze(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFormats(t *testing.T) {
	want := some()
	micros := func() []byte {
		var b bytes.Buffer
		w := pcapgo.NewWriter(&b)
		if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
			t.Fatal(err)
		}
		for _, p := range want {
			if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: p.Time, CaptureLength: len(p.Data), Length: len(p.Data)}, p.Data); err != nil {
				t.Fatal(err)
			}
		}
		return b.Bytes()
	}
	// The same with the most significant byte first.
	swapped := func(b []byte) []byte {
		b = bytes.Clone(b)
		swap := func(at, n int) {
			for i := range n / 2 {
				b[at+i], b[at+n-1-i] = b[at+n-1-i], b[at+i]
			}
		}
		swap(0, 4)
		swap(4, 2)
		swap(6, 2)
		swap(8, 4)
		swap(12, 4)
		swap(16, 4)
		swap(20, 4)
		for at := 24; at < len(b); {
			n := int(binary.LittleEndian.Uint32(b[at+8:]))
			for i := range 4 {
				swap(at+4*i, 4)
			}
			at += 16 + n
		}
		return b
	}
	byMAC := capture.Sides{MAC: host}
	for _, v := range []struct {
		name  string
		file  []byte
		sides capture.Sides
		unit  time.Duration
	}{
		{"pcap", pcap(t, want), byMAC, 1},
		{"pcap, big-endian", swapped(pcap(t, want)), byMAC, 1},
		{"pcap, microseconds", micros(), byMAC, time.Microsecond},
		{"pcap, microseconds, big-endian", swapped(micros()), byMAC, time.Microsecond},
		{"pcapng, its own directions", pcapng(t, want), capture.Sides{}, 1},
		{"pcapng, by names", pcapng(t, want), capture.Sides{Interfaces: map[string]capture.Direction{"tx": capture.TX, "rx": capture.RX}}, 1},
		{"pcapng, by numbers", pcapng(t, want), capture.Sides{Interfaces: map[string]capture.Direction{"0": capture.TX, "1": capture.RX}}, 1},
		{"pcap, gzip", squeeze(t, pcap(t, want)), byMAC, 1},
		{"pcapng, gzip", squeeze(t, pcapng(t, want)), capture.Sides{}, 1},
	} {
		got, err := capture.ReadAll(bytes.NewReader(v.file), v.sides)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
			continue
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d packets, want %d", v.name, len(got), len(want))
		}
		for i, w := range want {
			w.Time = w.Time.Truncate(v.unit)
			if !got[i].Time.Equal(w.Time) || got[i].Dir != w.Dir || !bytes.Equal(got[i].Data, w.Data) {
				t.Errorf("%s: packet %d: %+v, want %+v", v.name, i, got[i], w)
			}
		}
	}
}

func TestSides(t *testing.T) {
	all := some()
	swap := capture.Sides{Interfaces: map[string]capture.Direction{"tx": capture.RX, "rx": capture.TX}, MAC: host}
	for i, v := range []struct {
		file  []byte
		sides capture.Sides
		want  [2]capture.Direction // of the first two packets
	}{
		{pcap(t, all), capture.Sides{}, [2]capture.Direction{}},
		{pcap(t, all), capture.Sides{All: capture.RX, MAC: host}, [2]capture.Direction{capture.RX, capture.RX}},
		{pcap(t, all), capture.Sides{MAC: peer}, [2]capture.Direction{capture.RX, capture.TX}},
		{pcap(t, all), capture.Sides{MAC: net.HardwareAddr{2, 0, 0, 0, 0, 3}}, [2]capture.Direction{}},
		{pcap(t, all), capture.Sides{Interfaces: map[string]capture.Direction{"0": capture.TX}, MAC: host}, [2]capture.Direction{capture.TX, capture.TX}},
		{pcapng(t, all), swap, [2]capture.Direction{capture.RX, capture.TX}},
	} {
		got, err := capture.ReadAll(bytes.NewReader(v.file), v.sides)
		if err != nil {
			t.Fatal(err)
		}
		if d := [2]capture.Direction{got[0].Dir, got[1].Dir}; d != v.want {
			t.Errorf("%d: %v, want %v", i, d, v.want)
		}
	}
	unknown := all[:1:1]
	unknown[0].Dir = capture.Unknown
	got, err := capture.ReadAll(bytes.NewReader(pcapng(t, unknown)), capture.Sides{})
	if err != nil || got[0].Dir != capture.Unknown || got[0].Name != "unknown" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A file cut anywhere is an error, with the packets before it, but between packets:
// that cannot be seen.
func TestTruncated(t *testing.T) {
	all := some()[:3]
	for name, file := range map[string][]byte{"pcap": pcap(t, all), "pcapng": pcapng(t, all)} {
		whole := 0
		for n := range len(file) {
			got, err := capture.ReadAll(bytes.NewReader(file[:n]), capture.Sides{})
			switch {
			case err == nil:
				whole++
			case !errors.Is(err, capture.ErrTruncated):
				t.Errorf("%s, %d bytes of %d: %v", name, n, len(file), err)
			}
			for i := range got {
				if !bytes.Equal(got[i].Data, all[i].Data) {
					t.Errorf("%s, %d bytes: packet %d differs", name, n, i)
				}
			}
		}
		// After the header and each packet but the last; pcapng also after each
		// interface.
		if want := map[string]int{"pcap": 3, "pcapng": 5}[name]; whole != want {
			t.Errorf("%s: %d lengths are whole files, want %d", name, whole, want)
		}
		z := squeeze(t, file)
		for n := range len(z) {
			if _, err := capture.ReadAll(bytes.NewReader(z[:n]), capture.Sides{}); !errors.Is(err, capture.ErrTruncated) {
				t.Errorf("%s by gzip, %d bytes of %d: %v", name, n, len(z), err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	link := pcap(t, some())
	link[20] = 101
	for _, v := range []struct {
		file []byte
		want string
	}{
		{link, "link type 101 (Raw): want Ethernet, 1"},
		{[]byte("PK\x03\x05"), "this is no capture: want pcap or pcapng, not a file that begins with 50 4b 03 05"},
		{nil, "the file ends early: a capture has at least 24 bytes, and this one 0"},
	} {
		_, err := capture.ReadAll(bytes.NewReader(v.file), capture.Sides{})
		if err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%v, want %q", err, v.want)
		}
	}
}

func TestMerge(t *testing.T) {
	all := some()
	var tx, rx []capture.Packet
	for _, p := range all {
		if p.Dir == capture.TX {
			tx = append(tx, p)
		} else {
			rx = append(rx, p)
		}
	}
	if d := cmp.Diff(all, capture.Merge(rx, tx)); d != "" {
		t.Error(d)
	}
	// At equal times, packets of the first capture come first; a capture keeps its order.
	at := func(sec int64, name string) capture.Packet {
		return capture.Packet{Time: time.Unix(sec, 0), Name: name}
	}
	got := capture.Merge([]capture.Packet{at(2, "a"), at(5, "b"), at(1, "c")}, nil, []capture.Packet{at(2, "d"), at(3, "e"), at(5, "f"), at(6, "g")})
	want := []capture.Packet{at(2, "a"), at(2, "d"), at(3, "e"), at(5, "b"), at(1, "c"), at(5, "f"), at(6, "g")}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// No file makes the reader fail other than by an error, or read for ever.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := capture.WritePcap(&b, some()[:2]); err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(b.Bytes()))
	b.Reset()
	if err := capture.WritePcapng(&b, some()[:2]); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	for _, v := range sections(binary.BigEndian) {
		f.Add(bytes.Join(v.file, nil))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := capture.NewReader(bytes.NewReader(file), capture.Sides{MAC: host})
		for err == nil {
			_, err = r.Next()
		}
		if all, again := capture.ReadAll(bytes.NewReader(file), capture.Sides{MAC: host}); errors.Is(err, io.EOF) != (again == nil) {
			t.Errorf("%v one by one, %v and %d packets at once", err, again, len(all))
		}
	})
}
