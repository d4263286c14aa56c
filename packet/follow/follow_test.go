// SPDX-License-Identifier: Apache-2.0

package follow_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/follow"
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

func TestFaithful(t *testing.T) {
	for name, change := range map[string]func(*traffic.Config){
		"default":       func(*traffic.Config) {},
		"nothing lost":  func(c *traffic.Config) { c.Loss, c.Duplicate, c.Reorder, c.RNR = 0, 0, 0, 0 },
		"much lost":     func(c *traffic.Config) { c.Loss, c.Duplicate, c.RNR = 0.1, 0.1, 0.1 },
		"much reorder":  func(c *traffic.Config) { c.Reorder = 0.2 },
		"slow":          func(c *traffic.Config) { c.RateMbs = 1000 },
		"gaps":          func(c *traffic.Config) { c.Gap = 2 * time.Microsecond },
		"one":           func(c *traffic.Config) { c.Conns, c.Peers = 1, 1 },
		"IPv4, MTU 256": func(c *traffic.Config) { c.IP, c.MTU, c.Tags = traffic.OnlyIPv4, 256, 0 },
		"IPv6, 4096":    func(c *traffic.Config) { c.IP, c.MTU = traffic.OnlyIPv6, 4096 },
		"in order":      func(c *traffic.Config) { c.Loss, c.Duplicate, c.Reorder, c.RNR = 0.05, 0, 0, 0.1 },
		"all marked":    func(c *traffic.Config) { c.Mark = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				c := traffic.Default()
				c.Seed = seed
				change(&c)
				trace := generate(t, c)
				got, err := follow.Check(trace.Conns, trace.Frames, c.RateMbs)
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				if seed == 0 {
					t.Logf("%+v", got)
				}
				if c.Duplicate+c.Reorder == 0 && got.Ignored > 0 {
					t.Errorf("seed %d: %d NAKs ignored", seed, got.Ignored)
				}
				if c.Loss == 0 && got.Again+got.NAKs+got.RNRs+got.Lost > 0 {
					t.Errorf("seed %d: %+v", seed, got)
				}
			}
		})
	}
}

// Default traffic has something of everything.
func TestEverything(t *testing.T) {
	c := traffic.Default()
	c.Frames = 20_000
	trace := generate(t, c)
	got, err := follow.Check(trace.Conns, trace.Frames, c.RateMbs)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"reads": got.Reads, "atomics": got.Atomics, "ACKs": got.ACKs, "NAKs": got.NAKs, "RNRs": got.RNRs,
		"CNPs": got.CNPs, "again": got.Again, "marked": got.Marked, "wraps": got.Wraps, "lost": got.Lost, "shared": got.Shared} {
		if n == 0 {
			t.Errorf("no %s: %+v", name, got)
		}
	}
	seen := map[string]int{}
	for _, f := range trace.Frames {
		seen[f.What]++
	}
	var want []string
	for o := range 256 {
		if o := roce.Opcode(o); o.Known() && o.Service() != roce.XRC && o != roce.Feedback {
			want = append(want, o.String())
		}
	}
	for name := range traffic.Cases() {
		want = append(want, name)
	}
	want = append(want, "TCP", "UDP", "ICMP", "ARP", "fragment", "destination options", "IPv6 fragment")
	for _, name := range want {
		if seen[name] == 0 {
			t.Errorf("no %s", name)
		}
	}
}

// Changes to a conversation are detected.
func TestFaults(t *testing.T) {
	c := traffic.Default()
	c.Other, c.Crafted = 0, 0
	quiet := c
	quiet.Loss, quiet.Duplicate, quiet.Reorder, quiet.RNR = 0, 0, 0, 0
	find := func(t *testing.T, frames []traffic.Frame, ok func(i int, f *traffic.Frame, p *roce.Packet) bool) int {
		t.Helper()
		for i := range frames {
			if p, err := roce.Parse(frames[i].Data); err == nil && ok(i, &frames[i], p) {
				return i
			}
		}
		t.Fatal("no such frame")
		return 0
	}
	what := func(dir capture.Direction, name string) func(int, *traffic.Frame, *roce.Packet) bool {
		return func(_ int, f *traffic.Frame, _ *roce.Packet) bool { return f.Dir == dir && f.What == name }
	}
	change := func(name string, dir capture.Direction, edit func(p *roce.Packet)) func(*testing.T, []traffic.Frame) []traffic.Frame {
		return func(t *testing.T, all []traffic.Frame) []traffic.Frame {
			i := find(t, all, what(dir, name))
			p, err := roce.Parse(all[i].Data)
			if err != nil {
				t.Fatal(err)
			}
			edit(p)
			if all[i].Data, err = p.Append(nil); err != nil {
				t.Fatal(err)
			}
			return all
		}
	}
	remove := func(name string, dir capture.Direction) func(*testing.T, []traffic.Frame) []traffic.Frame {
		return func(t *testing.T, all []traffic.Frame) []traffic.Frame {
			i := find(t, all, what(dir, name))
			return slices.Delete(all, i, i+1)
		}
	}
	tx, rx := capture.TX, capture.RX
	for _, v := range []struct {
		name string
		do   func(*testing.T, []traffic.Frame) []traffic.Frame
		want string
	}{
		{"a request is missing", remove("RC SEND middle", tx), "too early"},
		{"a request of UC is missing", remove("UC WRITE middle", tx), "too early"},
		{"a response is missing", remove("RC READ response middle", rx), "a READ without this response"},
		{"an atomic's answer is missing", remove("RC atomic acknowledge", rx), "an atomic without answer"},
		{"the end is missing", func(_ *testing.T, all []traffic.Frame) []traffic.Frame { return all[:len(all)-40] }, "not acknowledged"},
		{"an ICRC", func(_ *testing.T, all []traffic.Frame) []traffic.Frame {
			all[5].Data[len(all[5].Data)-1] ^= 1
			return all
		}, "ICRC"},
		{"order of time", func(_ *testing.T, all []traffic.Frame) []traffic.Frame {
			all[100].Time = all[100].Time.Add(-time.Millisecond)
			return all
		}, "earlier"},
		{"above line rate", func(t *testing.T, all []traffic.Frame) []traffic.Frame {
			for i := range all {
				all[i].Time = all[0].Time.Add(all[i].Time.Sub(all[0].Time) / 2)
			}
			return all
		}, "before the wire is free"},
		{"MSN of an ACK", change("RC acknowledge", rx, func(p *roce.Packet) { roce.Find[roce.AETH](p).MSN++ }), "MSN"},
		{"PSN of an ACK", change("RC acknowledge", rx, func(p *roce.Packet) { p.BTH.PSN = (p.BTH.PSN + 300) & roce.Mask24 }), "not requested"},
		{"kind of an ACK", change("RC acknowledge", rx, func(p *roce.Packet) { roce.Find[roce.AETH](p).Syndrome = 0x62 }), "kind 3, value 2"},
		{"a NAK without reason", change("RC acknowledge", rx, func(p *roce.Packet) {
			a := roce.Find[roce.AETH](p)
			a.Syndrome = 0x60
		}), "NAK"},
		{"length of a WRITE", change("RC WRITE first", tx, func(p *roce.Packet) { roce.Find[roce.RETH](p).Length++ }), "a WRITE of"},
		{"a short middle", change("RC SEND middle", tx, func(p *roce.Packet) { p.Payload = p.Payload[:len(p.Payload)-4] }), "MTU"},
		{"a last that is a middle", change("RC SEND last", tx, func(p *roce.Packet) { p.BTH.Opcode = roce.SendMiddle }), "within a message"},
		{"a response's place", change("RC READ response last", rx, func(p *roce.Packet) { p.BTH.Opcode = roce.ResponseOnly }), "no READ request began"},
		{"a queue pair", change("UD SEND only", tx, func(p *roce.Packet) { p.BTH.DestQP = 1 }), "no connection has"},
		{"a source queue pair", change("UD SEND only", tx, func(p *roce.Packet) { roce.Find[roce.DETH](p).SrcQP = 1 }), "DETH"},
		{"entropy", change("UD SEND only", tx, func(p *roce.Packet) { p.UDP.SrcPort ^= 1 }), "entropy"},
		{"a CNP's BECN", change("CNP", rx, func(p *roce.Packet) { p.BTH.BECN = false }), "a CNP has BECN"},
		{"a direction", func(_ *testing.T, all []traffic.Frame) []traffic.Frame { all[3].Dir ^= 3; return all }, "direction"},
	} {
		t.Run(v.name, func(t *testing.T) {
			trace := generate(t, quiet)
			_, err := follow.Check(trace.Conns, v.do(t, trace.Frames), quiet.RateMbs)
			if err == nil || !strings.Contains(err.Error(), v.want) {
				t.Errorf("%v, want %q", err, v.want)
			}
		})
	}
	t.Run("a retransmission", func(t *testing.T) {
		trace := generate(t, c)
		type key struct {
			conn int
			psn  uint32
		}
		seen := map[key]bool{}
		i := find(t, trace.Frames, func(_ int, f *traffic.Frame, p *roce.Packet) bool {
			k := key{f.Conn, p.BTH.PSN}
			again := seen[k] && f.Dir == capture.TX && p.BTH.Opcode.Request() && p.BTH.Opcode.Service() == roce.RC && len(p.Payload) > 0
			seen[k] = seen[k] || f.Dir == capture.TX && p.BTH.Opcode.Request()
			return again
		})
		p, err := roce.Parse(trace.Frames[i].Data)
		if err != nil {
			t.Fatal(err)
		}
		p.Payload[0] ^= 1
		if trace.Frames[i].Data, err = p.Append(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := follow.Check(trace.Conns, trace.Frames, c.RateMbs); err == nil || !strings.Contains(err.Error(), "differs from its first transmission") {
			t.Error(err)
		}
	})
}
