// SPDX-License-Identifier: Apache-2.0

package tshark_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/traffic"
	"github.com/nicgen/nicgen/packet/tshark"
)

var fields = []string{"frame.time_epoch", "frame.packet_flags_direction", "frame.len", "_ws.malformed",
	"udp.srcport", "udp.dstport", "udp.length", "ip.dsfield", "ip.id", "ipv6.tclass", "ipv6.flow", "vlan.id", "ieee8021ad.id",
	"infiniband.bth.opcode", "infiniband.bth.se", "infiniband.bth.m", "infiniband.bth.padcnt", "infiniband.bth.tver",
	"infiniband.bth.p_key", "infiniband.bth.destqp", "infiniband.bth.a", "infiniband.bth.psn",
	"infiniband.aeth.syndrome", "infiniband.aeth.msn", "infiniband.reth.va", "infiniband.reth.r_key", "infiniband.reth.dmalen",
	"infiniband.deth.q_key", "infiniband.deth.srcqp", "infiniband.atomiceth.swapdt", "infiniband.atomiceth.cmpdt",
	"infiniband.atomicacketh.origremdt", "infiniband.immdt", "infiniband.ieth", "infiniband.invariant.crc"}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// expected returns tshark's expected output for a frame, by the layers of roce.
func expected(f *traffic.Frame) (map[string]string, error) {
	p, err := roce.Parse(f.Data)
	if err != nil {
		return nil, err
	}
	d, h := strconv.Itoa, func(v uint64, digits int) string { return fmt.Sprintf("0x%0*x", digits, v) }
	w := map[string]string{
		"udp.srcport": d(int(p.UDP.SrcPort)), "udp.dstport": "4791", "udp.length": d(int(p.UDP.Length)),
		"infiniband.bth.opcode": d(int(p.BTH.Opcode)), "infiniband.bth.se": bit(p.BTH.Solicited), "infiniband.bth.m": bit(p.BTH.MigReq),
		"infiniband.bth.padcnt": d(int(p.BTH.PadCount)), "infiniband.bth.tver": d(int(p.BTH.Version)), "infiniband.bth.p_key": d(int(p.BTH.PKey)),
		"infiniband.bth.destqp": h(uint64(p.BTH.DestQP), 6), "infiniband.bth.a": bit(p.BTH.AckReq), "infiniband.bth.psn": d(int(p.BTH.PSN)),
	}
	if p.IPv4 != nil {
		w["ip.dsfield"], w["ip.id"] = h(uint64(p.IPv4.TOS), 2), h(uint64(p.IPv4.Id), 4)
	} else {
		w["ipv6.tclass"], w["ipv6.flow"] = h(uint64(p.IPv6.TrafficClass), 8), h(uint64(p.IPv6.FlowLabel), 6)
	}
	for i, name := range []string{"vlan.id", "ieee8021ad.id"}[:len(p.Tags)] {
		w[name] = d(int(p.Tags[len(p.Tags)-1-i].VLANIdentifier))
	}
	for _, x := range p.Headers {
		switch x := x.(type) {
		case *roce.AETH:
			w["infiniband.aeth.syndrome"], w["infiniband.aeth.msn"] = d(int(x.Syndrome)), d(int(x.MSN))
		case *roce.RETH:
			w["infiniband.reth.va"], w["infiniband.reth.r_key"], w["infiniband.reth.dmalen"] = h(x.VA, 16), h(uint64(x.RKey), 8), d(int(x.Length))
		case *roce.AtomicETH: // tshark gives its address and key the names of RETH's
			w["infiniband.reth.va"], w["infiniband.reth.r_key"] = h(x.VA, 16), h(uint64(x.RKey), 8)
			w["infiniband.atomiceth.swapdt"], w["infiniband.atomiceth.cmpdt"] = strconv.FormatUint(x.SwapAdd, 10), strconv.FormatUint(x.Compare, 10)
		case *roce.AtomicAckETH:
			w["infiniband.atomicacketh.origremdt"] = strconv.FormatUint(x.Original, 10)
		case *roce.DETH:
			w["infiniband.deth.q_key"], w["infiniband.deth.srcqp"] = h(uint64(x.QKey), 16), h(uint64(x.SrcQP), 8)
		case *roce.ImmDt:
			w["infiniband.immdt"] = hex.EncodeToString(x.LayerContents())
		case *roce.IETH:
			w["infiniband.ieth"] = hex.EncodeToString(x.LayerContents())
		}
	}
	if o := p.BTH.Opcode; o != roce.CNP && o != roce.Feedback { // tshark leaves those to themselves
		var crc [4]byte
		binary.LittleEndian.PutUint32(crc[:], p.BTH.ICRC)
		w["infiniband.invariant.crc"] = "0x" + hex.EncodeToString(crc[:])
	}
	return w, nil
}

// tshark decodes generated frames to the fields that were put in.
func TestFields(t *testing.T) {
	for name, v := range map[string]struct {
		change func(*traffic.Config)
		write  func(io.Writer, []capture.Packet) error
		file   string
	}{
		"pcapng":           {func(*traffic.Config) {}, capture.WritePcapng, "a.pcapng"},
		"pcap":             {func(c *traffic.Config) { c.Seed = 2 }, capture.WritePcap, "a.pcap"},
		"IPv4, loss":       {func(c *traffic.Config) { c.Seed, c.IP, c.Loss = 3, traffic.OnlyIPv4, 0.1 }, capture.WritePcapng, "a.pcapng"},
		"IPv6, MTU 256":    {func(c *traffic.Config) { c.Seed, c.IP, c.MTU = 4, traffic.OnlyIPv6, 256 }, capture.WritePcapng, "a.pcapng"},
		"no tags, RNR":     {func(c *traffic.Config) { c.Seed, c.Tags, c.RNR = 5, 0, 0.2 }, capture.WritePcapng, "a.pcapng"},
		"crafted, a third": {func(c *traffic.Config) { c.Seed, c.Crafted = 6, 0.5 }, capture.WritePcapng, "a.pcapng"},
	} {
		t.Run(name, func(t *testing.T) {
			c := traffic.Default()
			v.change(&c)
			trace, err := traffic.Generate(c)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), v.file)
			out, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := v.write(out, trace.Packets()); err != nil {
				t.Fatal(err)
			}
			if err := out.Close(); err != nil {
				t.Fatal(err)
			}
			rows, err := tshark.Fields(t.Context(), file, fields)
			if missing := (*tool.Missing)(nil); errors.As(err, &missing) {
				t.Skipf("left out: no decoder but this project's own has looked at the captures: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) != len(trace.Frames) {
				t.Fatalf("%d frames, want %d", len(rows), len(trace.Frames))
			}
			compared := 0
			for i := range rows {
				f, got := &trace.Frames[i], map[string]string{}
				for j, name := range fields {
					got[name] = rows[i][j]
				}
				if w := fmt.Sprintf("%d.%09d", f.Time.Unix(), f.Time.Nanosecond()); got["frame.time_epoch"] != w {
					t.Errorf("frame %d: time %s, want %s", i+1, got["frame.time_epoch"], w)
				}
				if w := map[capture.Direction]string{capture.RX: "0x00000001", capture.TX: "0x00000002"}[f.Dir]; v.file == "a.pcapng" && got["frame.packet_flags_direction"] != w {
					t.Errorf("frame %d: direction %s, want %s", i+1, got["frame.packet_flags_direction"], w)
				}
				if f.Kind == traffic.Crafted && f.Class != traffic.RoCE {
					continue
				}
				if f.Kind != traffic.Crafted && got["_ws.malformed"] != "" {
					t.Errorf("frame %d, %s: %s", i+1, f.What, got["_ws.malformed"])
				}
				if f.Kind == traffic.Other {
					if got["infiniband.bth.opcode"] != "" {
						t.Errorf("frame %d, %s: opcode %s", i+1, f.What, got["infiniband.bth.opcode"])
					}
					continue
				}
				want, err := expected(f)
				if err != nil {
					if f.Kind == traffic.Crafted { // cut
						continue
					}
					t.Fatalf("frame %d, %s: %v", i+1, f.What, err)
				}
				compared++
				for _, name := range fields[4:] {
					if got[name] != want[name] {
						t.Errorf("frame %d, %s: %s is %q, want %q", i+1, f.What, name, got[name], want[name])
					}
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			if compared < c.Frames/2 {
				t.Errorf("only %d packets of RoCEv2 compared", compared)
			}
			t.Logf("%d frames, %d packets of RoCEv2 compared in %d fields", len(rows), compared, len(fields)-4)
		})
	}
}

func TestErrors(t *testing.T) {
	if _, err := tshark.Fields(t.Context(), filepath.Join(t.TempDir(), "none.pcap"), fields); err == nil {
		t.Error("a file that does not exist is decoded")
	}
	t.Setenv("PATH", t.TempDir())
	const want = "tshark not found, needed for a second opinion on captures: install it with: make deps-tests in the source of nicgen"
	if _, err := tshark.Fields(t.Context(), "none.pcap", fields); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
