// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
)

// ports are the values of input ports in a cycle.
type ports map[string]uint64

// device is the RTL alone, out of reset and ready.
type device struct {
	*cosim.Sim
	t *testing.T
}

func open(t *testing.T, p *params.Params) *device {
	t.Helper()
	s := suite.Open(t, p)
	d := &device{s, t}
	d.Set("cfg_beta", 1<<15)
	d.cycle(ports{"rst": 1})
	d.Step(int(p.ReadyDelay()) - 1)
	return d
}

// cycle steps once with some inputs, which are low again after it.
func (d *device) cycle(in ports) {
	for name, x := range in {
		d.Set(name, x)
	}
	d.Step(1)
	for name := range in {
		if name != "now_ns" {
			d.Set(name, 0)
		}
	}
}

// list writes paths of destination 0, one in each bank from 0 on, with their
// latencies and baselines, and makes them its set. The scale is 1.
func (d *device) list(p *params.Params, latency, base []uint64) {
	const one = 15<<params.MantissaBits | 1<<15
	commit := ports{"s_cfg_valid": 1, "s_cfg_op": params.OpCommit, "s_cfg_scale": one}
	d.cycle(commit)
	for b := range latency {
		pid := uint64(b) * uint64(p.Rows)
		d.cycle(ports{"s_cfg_valid": 1, "s_cfg_op": params.OpPath, "s_cfg_pid": pid, "s_cfg_latency": latency[b], "s_cfg_base": base[b], "s_cfg_anchors": 100 + uint64(b)})
		d.cycle(ports{"s_cfg_valid": 1, "s_cfg_op": params.OpList, "s_cfg_pid": pid})
	}
	d.cycle(commit)
}

// Vector LV4: at 58 a path with realVal 8 and time 42 is not probed, at 59 it is, and
// from then on has realVal 16; so it is probed again at 92, not at 91.
func TestVectorLV4(t *testing.T) {
	p := suite.Configure(t, small)
	d := open(t, p)
	d.Set("now_ns", 42)
	d.list(p, []uint64{8}, []uint64{8})
	for _, x := range []struct{ now, probe, weight uint64 }{{58, 0, 8}, {59, 1, 16}, {59, 0, 16}, {91, 0, 16}, {92, 1, 32}, {93, 0, 32}} {
		d.cycle(ports{"s_packet_valid": 1, "now_ns": x.now})
		d.Step(params.CandLatency - 1)
		if got := d.Get("m_cand_latency") & (1<<params.WeightBits - 1); d.Get("m_cand_valid") != 1 || d.Get("m_probe_valid") != x.probe || got != x.weight {
			t.Errorf("at %d: candidates %d, probe %d, d %d, want 1, %d, %d", x.now, d.Get("m_cand_valid"), d.Get("m_probe_valid"), got, x.probe, x.weight)
		}
	}
}

// Vector LV6: realVal {15, 9} and baseVal {15, 10} come to rate control as T = 15 and
// t = 9, with T of the set and with the baselines of the paths.
func TestVectorLV6(t *testing.T) {
	for _, set := range []string{small, small + " baselines=paths"} {
		p := suite.Configure(t, set)
		d := open(t, p)
		d.list(p, []uint64{15, 100}, []uint64{15, 10})
		d.cycle(ports{"s_ack_valid": 1, "s_ack_pid": uint64(p.Rows), "s_ack_delay_ns": 9})
		d.Step(params.RateLatency - 1)
		if v, u := d.Get("m_rate_valid"), d.Get("m_rate_usable"); v != 1 || u != 3 {
			t.Fatalf("%s: valid %d, usable %#x, want 1 and 0x3", set, v, u)
		}
		var T uint64
		if p.Baselines == params.Longest {
			T = d.Get("m_rate_max_base")
		} else {
			T = max(d.Get("m_rate_base")&255, d.Get("m_rate_base")>>8&255)
		}
		real := d.Get("m_rate_latency")
		if low := min(real&255, real>>8&255); T != 15 || low != 9 {
			t.Errorf("%s: T %d, t %d, want 15 and 9", set, T, low)
		}
	}
}

// Answers come exactly as many cycles after what they answer as the tables say.
func TestLatency(t *testing.T) {
	p := suite.Configure(t, small)
	want := p.Latency()
	for _, c := range []struct {
		name, port string
		in         ports
	}{
		{"packet to candidates and probe", "m_cand_valid", ports{"s_packet_valid": 1, "now_ns": 1000}},
		{"packet to candidates and probe", "m_probe_valid", ports{"s_packet_valid": 1, "now_ns": 2000}},
		{"pick to path and anchors", "m_path_valid", ports{"s_pick_valid": 1}},
		{"route request to anchors", "m_route_valid", ports{"s_route_valid": 1}},
		{"ACK to rate control's operands", "m_rate_valid", ports{"s_ack_valid": 1, "s_ack_delay_ns": 5}},
	} {
		d := open(t, p)
		d.list(p, []uint64{8, 9}, []uint64{8, 9})
		d.Step(20)
		d.cycle(c.in)
		for cycle := 1; cycle < want[c.name]+10; cycle++ {
			if got, high := d.Get(c.port), cycle == want[c.name]; (got == 1) != high {
				t.Errorf("%s: %s is %d after %d cycles, want it high after %d", c.name, c.port, got, cycle, want[c.name])
			}
			if cycle == want[c.name] && (c.port == "m_route_valid" || c.port == "m_path_valid") {
				if got := d.Get("m_path_anchors"); c.port == "m_route_valid" && got != 100 {
					t.Errorf("anchors %d, want 100", got)
				}
			}
			d.Step(1)
		}
	}
}

// The unit is ready one cycle for each destination or path, whichever are more, and
// two more after reset, not earlier.
func TestReadyAfterReset(t *testing.T) {
	for _, set := range []string{small, small + " destinations=8 banks=2 rows=2", small + " rows=8 pid_bits=6"} {
		p := suite.Configure(t, set)
		n := p.ReadyDelay()
		d := open(t, p)
		d.cycle(ports{"rst": 1})
		for cycle := int64(1); cycle <= n+1; cycle++ {
			if got := d.Get("sts_ready") == 1; got != (cycle >= n) {
				t.Errorf("%s: sts_ready is %t %d cycles after rst, want it from %d on", set, got, cycle, n)
			}
			d.Step(1)
		}
	}
}

// A packet of any cycle sees a destination either with all of its old paths or with
// all of its new ones.
func TestCommitIsWhole(t *testing.T) {
	p := suite.Configure(t, small+" tag_bits=8")
	d := open(t, p)
	d.list(p, []uint64{8, 8}, []uint64{8, 8})
	d.Set("s_packet_valid", 1)
	seen := map[uint64]int{}
	var last uint64
	look := func() {
		if d.Get("m_cand_valid") == 1 {
			u := d.Get("m_cand_usable")
			if u != last {
				seen[u]++
			}
			last = u
		}
	}
	for i := range 60 {
		in := ports{"s_cfg_valid": 1}
		switch {
		case i < 20:
			in = ports{}
		case i < 24: // banks 0 to 3, row 1
			in["s_cfg_op"], in["s_cfg_pid"] = params.OpPath, uint64(i-20)*uint64(p.Rows)+1
		case i < 28:
			in["s_cfg_op"], in["s_cfg_pid"] = params.OpList, uint64(i-24)*uint64(p.Rows)+1
		case i == 28:
			in["s_cfg_op"] = params.OpCommit
		default:
			in = ports{}
		}
		d.cycle(in)
		look()
	}
	if len(seen) != 2 || seen[3] != 1 || seen[15] != 1 {
		t.Errorf("sets seen, and how often one followed another: %v, want 0x3 and then 0xf", seen)
	}
}
