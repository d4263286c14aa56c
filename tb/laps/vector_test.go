// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"math"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
)

// ports are the values of input ports in a cycle.
type ports map[string]uint64

// device is the RTL alone, out of reset and ready.
type device struct {
	*cosim.Sim
	t *testing.T
	p *params.Params
}

func open(t *testing.T, set string) *device {
	t.Helper()
	p := suite.Configure(t, set)
	s := suite.Open(t, p)
	d := &device{s, t, p}
	for _, x := range p.Ports() {
		if v, ok := p.PortValues()[x.Name]; ok {
			d.Set(x.Name, v)
		}
	}
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

// list writes paths of destination 0, one in each bank from 0 on, with their latencies
// and baselines, and makes them its set.
func (d *device) list(scale uint64, latency, base []uint64) {
	commit := ports{"s_cfg_valid": 1, "s_cfg_op": lapspaths.OpCommit, "s_cfg_scale": scale}
	d.cycle(commit)
	for b := range latency {
		pid := d.pid(b)
		d.cycle(ports{"s_cfg_valid": 1, "s_cfg_op": lapspaths.OpPath, "s_cfg_pid": pid, "s_cfg_latency": latency[b], "s_cfg_base": base[b], "s_cfg_anchors": 100 + uint64(b)})
		d.cycle(ports{"s_cfg_valid": 1, "s_cfg_op": lapspaths.OpList, "s_cfg_pid": pid})
	}
	d.cycle(commit)
	d.Step(d.p.Delays().Operands)
}

// pid is the first path of a bank.
func (d *device) pid(bank int) uint64 { return uint64(bank) * uint64(d.p.Tables.Rows) }

// one is the scale of 1/512 octave a ns.
const one = 15<<lapspaths.MantissaBits | 1<<15

// ack sends an ACK at a time that is constant until its rate is known. It returns the rate
// in units of 1/256, with the cause.
func (d *device) ack(now, pid, delay uint64) (current, expected float64, cause uint64) {
	d.t.Helper()
	d.cycle(ports{"now_ns": now, "s_ack_valid": 1, "s_ack_pid": pid, "s_ack_delay_ns": delay})
	d.Step(d.p.RateLatency() - 1)
	if d.Get("m_rate_valid") != 1 {
		d.t.Fatalf("ACK at %d: no rate", now)
	}
	return float64(d.Get("m_rate_current")) / 256, float64(d.Get("m_rate_expected")) / 256, d.Get("m_rate_cause")
}

// Vector LV1: the shares of three paths with latencies of 10, 12 and 20 µs, T = 20 µs,
// for three values of β′. 40,000 packets, within 4 standard deviations.
func TestVectorLV1(t *testing.T) {
	const n = 40_000
	for _, c := range []struct {
		beta float64
		want []float64
	}{
		{1, []float64{.3982, .3603, .2415}},
		{4, []float64{.5538, .3712, .0750}},
		{8, []float64{.6814, .3062, .0125}},
	} {
		for _, picker := range []string{"race", "lookup"} {
			d := open(t, "destinations=2 dst_bits=1 banks=4 rows=4 picker="+picker)
			s, err := place.Scale(c.beta, 20_000)
			if err != nil {
				t.Fatal(err)
			}
			d.list(s.Word(), []uint64{10_000, 12_000, 20_000}, []uint64{10_000, 12_000, 20_000})
			d.Set("s_packet_valid", 1)
			d.Step(d.p.PacketLatency())
			count := map[uint64]float64{}
			for range n {
				if d.Get("m_path_valid") != 1 {
					t.Fatal("a packet has no path")
				}
				count[d.Get("m_path_pid")]++
				d.Step(1)
			}
			for b, want := range c.want {
				if got := count[d.pid(b)] / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
					t.Errorf("β′ = %g, %s, path %d: share %.4f, want %.4f", c.beta, picker, b, got, want)
				}
			}
		}
	}
}

// Vector LV2: rates after two decreases from 100; the sixth increase doubles.
func TestVectorLV2(t *testing.T) {
	d := open(t, small)
	d.list(one, []uint64{20}, []uint64{20})
	now := uint64(10)
	for range 2 {
		d.ack(now, 0, 21)
		now += 43
	}
	for _, want := range []float64{37.5, 43.75, 46.875, 48.4375, 49.21875, 74.609375, 87.3046875, 93.65234375} {
		now += 21
		if got, _, _ := d.ack(now, 0, 10); got != want {
			t.Errorf("at %d: rate %g, want %g", now, got, want)
		}
	}
}

// Vector LV3: t = 21 above T = 20 at 100: 100 becomes 50; at 142 nothing happens, at
// 143 it is halved again.
func TestVectorLV3(t *testing.T) {
	d := open(t, small)
	d.list(one, []uint64{20}, []uint64{20})
	for _, x := range []struct {
		now               uint64
		current, expected float64
	}{{100, 50, 100}, {142, 50, 100}, {143, 25, 50}, {185, 25, 50}, {186, 12.5, 25}} {
		if current, expected, _ := d.ack(x.now, 0, 21); current != x.current || expected != x.expected {
			t.Errorf("at %d: rates %g and %g, want %g and %g", x.now, current, expected, x.current, x.expected)
		}
	}
}

// Vector LV4: at 58 a path with realVal 8 and time 42 is not probed, at 59 it is, and
// from then on has realVal 16; so it is probed again at 92, not at 91.
func TestVectorLV4(t *testing.T) {
	d := open(t, small)
	d.Set("now_ns", 42)
	d.list(one, []uint64{8}, []uint64{8})
	for _, x := range []struct{ now, probe uint64 }{{58, 0}, {59, 1}, {59, 0}, {91, 0}, {92, 1}, {93, 0}} {
		d.cycle(ports{"s_packet_valid": 1, "now_ns": x.now})
		d.Step(d.p.Delays().Cand - 1)
		if d.Get("m_probe_valid") != x.probe || x.probe == 1 && d.Get("m_probe_pid") != 0 {
			t.Errorf("at %d: probe %d, want %d", x.now, d.Get("m_probe_valid"), x.probe)
		}
		d.Step(20)
	}
}

// Vector LV5: 3, 5 and 9 are outstanding; the ACK of 9 shows that 3 and 5 are lost, and
// the late one of 5 is ignored.
func TestVectorLV5(t *testing.T) {
	d := open(t, small)
	d.list(one, []uint64{8}, []uint64{8})
	for _, seq := range []uint64{3, 5, 9} {
		d.cycle(ports{"s_packet_valid": 1, "s_packet_track": 1, "s_packet_flow": 1, "s_packet_seq": seq})
	}
	d.Step(d.p.PacketLatency() + 10)
	for _, x := range []struct {
		seq, cause uint64
		lost       []uint64
	}{{9, 1, []uint64{3, 5}}, {5, 2, nil}} {
		d.Set("m_lost_ready", 1)
		d.cycle(ports{"s_ack_valid": 1, "s_ack_flow": 1, "s_ack_seq": x.seq, "s_ack_delay_ns": 8})
		var lost []uint64
		answered := false
		for range 80 {
			d.Set("m_lost_ready", 1)
			if d.Get("m_lost_valid") == 1 {
				lost = append(lost, d.Get("m_lost_seq"))
				if d.Get("m_lost_flow") != 1 || d.Get("m_lost_pid") != 0 || d.Get("m_lost_timeout") != 0 {
					t.Error("a lost segment of another flow or path, or by a timer")
				}
			}
			if d.Get("m_ack_valid") == 1 {
				answered = true
				if got := d.Get("m_ack_cause"); got != x.cause || d.Get("m_ack_seq") != x.seq {
					t.Errorf("ACK of %d: cause %d, want %d", x.seq, got, x.cause)
				}
			}
			d.Step(1)
		}
		if !answered || !slices.Equal(lost, x.lost) {
			t.Errorf("ACK of %d: answered %t, lost %v, want %v", x.seq, answered, lost, x.lost)
		}
	}
}

// The timer that an ACK sets is twice its delay ahead: what is below 0 counts as 0, and
// what does not fit 8 bits as 255. The segment behind it is lost after that, not before.
func TestTimerOfACK(t *testing.T) {
	const now = 1000
	for _, c := range []struct{ delay, after uint64 }{{10, 20}, {0, 0}, {1<<32 - 5, 0}, {255, 510}, {256, 510}, {300, 510}, {1<<31 - 1, 510}} {
		d := open(t, small)
		d.Set("cfg_rto_min_ns", 0)
		d.Set("now_ns", now)
		d.list(one, []uint64{8}, []uint64{8})
		for seq := range uint64(2) {
			d.cycle(ports{"s_packet_valid": 1, "s_packet_track": 1, "s_packet_seq": seq})
		}
		d.Step(d.p.PacketLatency() + 10)
		d.cycle(ports{"s_ack_valid": 1, "s_ack_delay_ns": c.delay})
		d.Set("m_lost_ready", 1)
		looks := 40 * int(d.p.Tables.Paths()) // every timer is looked at some times
		lost := func() bool {
			for range looks {
				if d.Get("m_lost_valid") == 1 {
					return d.Get("m_lost_seq") == 1 && d.Get("m_lost_timeout") == 1
				}
				d.Step(1)
			}
			return false
		}
		d.Set("now_ns", now+c.after)
		if lost() {
			t.Errorf("delay %#x: lost %d ns after the ACK", c.delay, c.after)
		}
		d.Set("now_ns", now+c.after+1)
		if !lost() {
			t.Errorf("delay %#x: not lost %d ns after the ACK", c.delay, c.after+1)
		}
	}
}

// Vector LV6: realVal {15, 9} and baseVal {15, 10} are T = 15 and t = 9: an increase,
// and the next one after 2t.
func TestVectorLV6(t *testing.T) {
	for _, baselines := range []string{"longest", "paths"} {
		d := open(t, small+" baselines="+baselines)
		d.list(one, []uint64{15, 100}, []uint64{15, 10})
		for _, x := range []struct{ now, cause uint64 }{{100, 2}, {118, 0}, {119, 2}} {
			if _, _, cause := d.ack(x.now, d.pid(1), 9); cause != x.cause {
				t.Errorf("%s, at %d: cause %d, want %d", baselines, x.now, cause, x.cause)
			}
		}
	}
}

// Answers come exactly as many cycles after what they answer as the tables say.
func TestLatency(t *testing.T) {
	for _, set := range []string{small, small + " picker=lookup banks=8 pid_bits=5"} {
		p := suite.Configure(t, set)
		want := p.Latency()
		for _, c := range []struct {
			name, port string
			in         ports
		}{
			{"packet to path and anchors", "m_path_valid", ports{"s_packet_valid": 1}},
			{"packet to probe", "m_probe_valid", ports{"s_packet_valid": 1, "now_ns": 2000}},
			{"packet to stored", "m_send_valid", ports{"s_packet_valid": 1, "s_packet_track": 1}},
			{"route request to anchors", "m_route_valid", ports{"s_route_valid": 1}},
			{"ACK to rate", "m_rate_valid", ports{"s_ack_valid": 1, "s_ack_delay_ns": 5}},
			{"opening to rate", "m_rate_valid", ports{"s_open_valid": 1}},
		} {
			d := open(t, set)
			d.list(one, []uint64{8, 9}, []uint64{8, 9})
			d.cycle(c.in)
			for cycle := 1; cycle < want[c.name]+10; cycle++ {
				if got, high := d.Get(c.port), cycle == want[c.name]; (got == 1) != high {
					t.Errorf("%s: %s is %d after %d cycles, want it high after %d", c.name, c.port, got, cycle, want[c.name])
				}
				d.Step(1)
			}
		}
	}
}

// The unit is ready when its slowest part is, not earlier.
func TestReadyAfterReset(t *testing.T) {
	for _, set := range []string{small, small + " rows=2 flows=8", small + " loss=false destinations=8 rows=2 flows=2", small + " loss=false"} {
		d := open(t, set)
		n := d.p.ReadyDelay()
		d.cycle(ports{"rst": 1})
		for cycle := int64(1); cycle <= n+2; cycle++ {
			if got := d.Get("sts_ready") == 1; got != (cycle >= n) {
				t.Errorf("%s: sts_ready is %t %d cycles after rst, want it from %d on", set, got, cycle, n)
			}
			d.Step(1)
		}
	}
}
