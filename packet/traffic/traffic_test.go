// SPDX-License-Identifier: Apache-2.0

package traffic_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/traffic"
)

func generate(t *testing.T, c traffic.Config) *traffic.Trace {
	t.Helper()
	trace, err := traffic.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// The same configuration gives the same frames, another seed gives others.
func TestSeed(t *testing.T) {
	c := traffic.Default()
	same := func(a, b *traffic.Trace) bool {
		return slices.EqualFunc(a.Frames, b.Frames, func(a, b traffic.Frame) bool {
			return a.Time.Equal(b.Time) && a.Dir == b.Dir && a.What == b.What && a.Conn == b.Conn && a.Class == b.Class && bytes.Equal(a.Data, b.Data)
		})
	}
	a, b := generate(t, c), generate(t, c)
	if !same(a, b) {
		t.Error("the same configuration, and other frames")
	}
	c.Seed++
	if same(a, generate(t, c)) {
		t.Error("another seed, and the same frames")
	}
}

func TestConfig(t *testing.T) {
	_, err := traffic.Generate(traffic.Config{Conns: -1, Tags: 3, MTU: 300, Gap: -1, Loss: 0.3, RateMbs: 2e6, IP: 3, Crafted: 11})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"frames 0: want 1 to 16777216", "connections -1: want 1 to 65536", "peers 0: want 1 to 250", "tags 3: want 0 to 2",
		"rate in Mb/s 2000000: want 1 to 1600000", "IP versions 3: want 0 to 2", "MTU 300: want one of [256 512 1024 2048 4096], or 0 for any",
		"gap -1ns: want 0 to 1s", "loss 0.3: want 0 to 0.2", "crafted 11: want 0 to 10",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// The wire is the limit without gaps; with them, connections rest.
func TestTiming(t *testing.T) {
	c := traffic.Default()
	c.Conns, c.Other, c.Crafted = 40, 0, 0
	load := func(c traffic.Config) float64 {
		trace := generate(t, c)
		bits, end := 0, trace.Frames[0].Time
		for _, f := range trace.Frames[:c.Frames] {
			if f.Dir == capture.TX {
				bits += 8 * (max(len(f.Data), 60) + 24)
			}
			end = f.Time
		}
		return float64(bits) * 1e9 / float64(end.Sub(trace.Frames[0].Time)) / float64(c.RateMbs) / 1e6
	}
	if l := load(c); l < 0.8 || l > 1.001 {
		t.Errorf("load %.3f without gaps, want 0.8 to 1", l)
	}
	c.Gap = 100 * time.Microsecond
	if l := load(c); l > 0.2 {
		t.Errorf("load %.3f with gaps, want less than 0.2", l)
	}
}

// First PSNs can be set, and PSNs wrap.
func TestWrap(t *testing.T) {
	c := traffic.Default()
	c.Crafted, c.FirstPSN = 0, func(conn, side int) uint32 { return uint32(roce.Mask24 - conn - side) }
	trace := generate(t, c)
	high, low := map[int]bool{}, map[int]bool{}
	for _, f := range trace.Frames {
		if f.Kind != traffic.Conversation || f.What == "CNP" {
			continue
		}
		p, err := roce.Parse(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		high[f.Conn] = high[f.Conn] || p.BTH.PSN >= roce.Mask24-20
		low[f.Conn] = low[f.Conn] || p.BTH.PSN < 1000
		if p.BTH.PSN >= 1000 && p.BTH.PSN < roce.Mask24-20 {
			t.Fatalf("%s: PSN 0x%x", f.What, p.BTH.PSN)
		}
	}
	for i := range c.Conns {
		if !high[i] || !low[i] {
			t.Errorf("connection %d does not wrap", i)
		}
	}
}

// Packets that are declared wrong are wrong, and no others.
func TestCrafted(t *testing.T) {
	c := traffic.Default()
	c.Frames, c.Crafted = 4000, 1
	seen := map[string]bool{}
	for _, f := range generate(t, c).Frames {
		if f.Kind != traffic.Crafted {
			continue
		}
		seen[f.What] = true
		place, err := roce.Locate(f.Data)
		if err != nil {
			if f.Class == traffic.RoCE && f.What != "frame ends within the packet" {
				t.Errorf("%s: %v", f.What, err)
			}
			continue
		}
		if err := roce.Verify(f.Data); (err != nil) != (f.What == "wrong ICRC") && f.Class == traffic.RoCE {
			t.Errorf("%s: %v", f.What, err)
		}
		all := gopacket.NewPacket(f.Data, layers.LayerTypeEthernet, gopacket.Default)
		udp, _ := all.Layer(layers.LayerTypeUDP).(*layers.UDP)
		if udp == nil {
			t.Errorf("%s: no UDP", f.What)
			continue
		}
		// gopacket computes the checksum that it should have.
		b := gopacket.NewSerializeBuffer()
		u := *udp
		_ = u.SetNetworkLayerForChecksum(all.NetworkLayer())
		if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{ComputeChecksums: true}, &u, gopacket.Payload(udp.LayerPayload())); err != nil {
			t.Fatal(err)
		}
		right := binary.BigEndian.Uint16(b.Bytes()[6:])
		switch {
		case f.What == "UDP checksum" && udp.Checksum != right,
			f.What == "wrong UDP checksum" && (udp.Checksum == right || udp.Checksum == 0),
			!strings.Contains(f.What, "UDP checksum") && udp.Checksum != 0:
			t.Errorf("%s: UDP checksum 0x%04x, right is 0x%04x", f.What, udp.Checksum, right)
		}
		if !place.V6 {
			h := bytes.Clone(f.Data[place.L3:place.L4])
			sum := uint32(0)
			for i := 0; i < len(h); i += 2 {
				sum += uint32(binary.BigEndian.Uint16(h[i:]))
			}
			if sum = sum&0xFFFF + sum>>16; (sum == 0xFFFF) == (f.What == "wrong IPv4 checksum") {
				t.Errorf("%s: IPv4 checksum", f.What)
			}
		}
	}
	for name := range traffic.Cases() {
		if !seen[name] {
			t.Errorf("no %s", name)
		}
	}
}
