// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The statements of docs/units/reps_detector.md on single cycles, restated by hand: these
// tests know neither the model nor the RTL.

// kinds of memory, with few connections.
var few = []string{
	"connections=5 conn_bits=3 rtt_bits=8 timer_bits=16 counter_bits=8 rtt_threshold_ns=20 window_ns=100 state_memory=lutram",
	"connections=5 conn_bits=3 rtt_bits=8 timer_bits=16 counter_bits=8 rtt_threshold_ns=20 window_ns=100 state_memory=bram",
}

// dut is the unit, driven cycle by cycle. What is not set in a cycle is 0.
type dut struct {
	*cosim.Sim
	t *testing.T
	p *params.Params
}

// onEach runs a test in each of the kinds of memory, with the unit ready.
func onEach(t *testing.T, test func(d *dut)) {
	for _, set := range few {
		p := suite.Configure(t, set)
		t.Run(p.StateMemory, func(t *testing.T) {
			d := &dut{open(t, p).s, t, p}
			test(d)
			if err := d.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// drive sets the inputs of a cycle: names and values alternate.
func (d *dut) drive(in ...any) {
	for _, name := range []string{"rst", "now_ns", "s_rtt_valid", "s_rtt_conn", "s_rtt_ns", "s_timeout_valid", "s_timeout_conn", "s_flush_valid", "s_flush_conn", "cfg_trimming"} {
		d.Set(name, 0)
	}
	d.Set("cfg_rtt_threshold_ns", 20)
	d.Set("cfg_window_ns", 100)
	for i := 0; i < len(in); i += 2 {
		d.Set(in[i].(string), uint64(in[i+1].(int)))
	}
}

// cycle is one cycle with these inputs.
func (d *dut) cycle(in ...any) {
	d.drive(in...)
	d.Step(1)
}

// want compares an output.
func (d *dut) want(when, name string, value uint64) {
	d.t.Helper()
	if got := d.Get(name); got != value {
		d.t.Errorf("%s: %s is %d, want %d", when, name, got, value)
	}
}

// verdict waits for the answer to a timeout of the last cycle and returns its cause.
func (d *dut) verdict() uint64 {
	d.t.Helper()
	for range 5 {
		d.want("before the verdict", "m_timeout_valid", 0)
		d.cycle()
	}
	d.want("6 cycles after the timeout", "m_timeout_valid", 1)
	return d.Get("m_timeout_cause")
}

// Events with rst are forgotten; the first cycle after it is not ready and counts; so do
// all until CONNECTIONS + 2 cycles after rst.
func TestDroppedAfterReset(t *testing.T) {
	onEach(t, func(d *dut) {
		d.cycle("rst", 1, "s_rtt_valid", 1, "s_rtt_ns", 30, "s_timeout_valid", 1, "s_timeout_conn", 1)
		n := int(d.p.Connections)
		for i := 1; i <= n+1; i++ {
			d.drive("s_rtt_valid", 1, "s_rtt_conn", 2, "s_rtt_ns", 30, "s_timeout_valid", i&1, "s_timeout_conn", 2)
			d.want(fmt.Sprintf("%d cycles after rst", i), "sts_ready", 0)
			d.Step(1)
		}
		d.drive()
		d.want("CONNECTIONS + 2 cycles after rst", "sts_ready", 1)
		for range 10 {
			d.want("of dropped timeouts", "m_timeout_valid", 0)
			d.cycle()
		}
		d.want("after the sweep", "sts_not_ready_cnt", uint64(n+1+(n+2)/2))
		for _, counter := range []string{"rtt", "rtt_high", "timeout", "fail", "congestion", "flush", "illegal_conn"} {
			d.want("nothing was taken", "sts_"+counter+"_cnt", 0)
		}
		for _, conn := range []int{0, 1, 2} {
			d.cycle("s_timeout_valid", 1, "s_timeout_conn", conn)
			if got := d.verdict(); got != 0 {
				t.Errorf("connection %d: an RTT that came with rst, or before the unit was ready, counts: cause %d", conn, got)
			}
		}
	})
}

// A verdict that is due up to the cycle after rst comes; those due later do not.
func TestVerdictsAtReset(t *testing.T) {
	onEach(t, func(d *dut) {
		for before := 0; before <= 6; before++ {
			d.cycle("s_timeout_valid", 1, "s_timeout_conn", 3, "rst", int(benchtest.Bit(before == 0)))
			for i := 1; i <= before; i++ {
				d.cycle("rst", int(benchtest.Bit(i == before)))
			}
			// Now it is the cycle after rst.
			for i := range 10 {
				due := before+1+i == 6 && i == 0
				d.want(fmt.Sprintf("timeout %d cycles before rst, %d after it", before, i+1), "m_timeout_valid", benchtest.Bit(due))
				d.cycle()
			}
		}
	})
}

// A reset during the sweep begins it again, and the count of dropped events too.
func TestResetDuringSweep(t *testing.T) {
	onEach(t, func(d *dut) {
		n := int(d.p.Connections)
		for at := 1; at <= n+2; at++ {
			d.cycle("rst", 1)
			for range at - 1 {
				d.cycle("s_timeout_valid", 1)
			}
			d.cycle("rst", 1)
			for i := 1; i <= n+1; i++ {
				d.drive()
				d.want(fmt.Sprintf("second rst %d cycles after the first, %d later", at, i), "sts_ready", 0)
				d.Step(1)
			}
			d.drive()
			d.want(fmt.Sprintf("second rst %d cycles after the first, sweep over", at), "sts_ready", 1)
			d.want("a second reset", "sts_not_ready_cnt", 0)
		}
	})
}

// A flush waits for readiness and for a cycle without an RTT sample; s_flush_ready follows
// s_rtt_valid in its own cycle, whatever asks.
func TestFlushWaits(t *testing.T) {
	onEach(t, func(d *dut) {
		d.cycle("s_rtt_valid", 1, "s_rtt_conn", 4, "s_rtt_ns", 20)
		for range 7 {
			d.drive("s_flush_valid", 1, "s_flush_conn", 4, "s_rtt_valid", 1, "s_rtt_ns", 1)
			d.want("beside an RTT sample", "s_flush_ready", 0)
			d.Step(1)
		}
		d.cycle("s_timeout_valid", 1, "s_timeout_conn", 4)
		if got := d.verdict(); got != 1 {
			t.Errorf("a flush that waits has acted: cause %d", got)
		}
		d.drive("s_flush_valid", 1, "s_flush_conn", 4, "s_timeout_valid", 1, "s_timeout_conn", 4)
		d.want("without an RTT sample", "s_flush_ready", 1)
		d.Step(1)
		if got := d.verdict(); got != 0 {
			t.Errorf("the flush acts before the timeout of its cycle: cause %d", got)
		}
		d.drive()
		d.want("nobody asks", "s_flush_ready", 1)
		d.want("one flush", "sts_flush_cnt", 1)
		d.cycle("rst", 1, "s_flush_valid", 1)
		for range d.p.Connections + 1 {
			d.drive("s_flush_valid", 1)
			d.want("not ready", "s_flush_ready", 0)
			d.Step(1)
		}
		d.cycle("s_flush_valid", 1)
		for range 3 {
			d.cycle()
		}
		d.want("the flush that waited", "sts_flush_cnt", 1)
		d.want("a flush is not dropped", "sts_not_ready_cnt", 0)
	})
}

// Each event counts three cycles later, its verdict seven; two illegal ones in a cycle count
// twice, with one pulse.
func TestCounters(t *testing.T) {
	onEach(t, func(d *dut) {
		after := func(name string, cycles int, by uint64, in ...any) {
			t.Helper()
			before := d.Get(name)
			d.cycle(in...)
			for i := 1; i < 12; i++ {
				want := before
				if i >= cycles {
					want += by
				}
				d.want(fmt.Sprintf("%v, %d cycles later", in, i), name, want)
				d.cycle()
			}
		}
		after("sts_rtt_cnt", 3, 1, "s_rtt_valid", 1, "s_rtt_ns", 19)
		after("sts_rtt_high_cnt", 3, 0, "s_rtt_valid", 1, "s_rtt_ns", 19)
		after("sts_rtt_high_cnt", 3, 1, "s_rtt_valid", 1, "s_rtt_ns", 20)
		after("sts_timeout_cnt", 3, 1, "s_timeout_valid", 1)
		after("sts_congestion_cnt", 7, 1, "s_timeout_valid", 1)
		after("sts_fail_cnt", 7, 0, "s_timeout_valid", 1)
		after("sts_fail_cnt", 7, 1, "s_timeout_valid", 1, "cfg_trimming", 1)
		after("sts_congestion_cnt", 7, 0, "s_timeout_valid", 1, "cfg_trimming", 1)
		after("sts_flush_cnt", 3, 1, "s_flush_valid", 1)
		after("sts_illegal_conn_cnt", 3, 1, "s_rtt_valid", 1, "s_rtt_conn", 5)
		after("sts_illegal_conn_cnt", 3, 1, "s_flush_valid", 1, "s_flush_conn", 7)
		after("sts_illegal_conn_cnt", 3, 2, "s_rtt_valid", 1, "s_rtt_conn", 6, "s_timeout_valid", 1, "s_timeout_conn", 5)
		after("sts_timeout_cnt", 3, 0, "s_timeout_valid", 1, "s_timeout_conn", 5)
		after("sts_not_ready_cnt", 3, 0, "s_timeout_valid", 1)
		d.cycle("s_timeout_valid", 1, "s_timeout_conn", 7, "s_rtt_valid", 1, "s_rtt_conn", 7)
		for i := 1; i < 6; i++ {
			d.want(fmt.Sprintf("%d cycles after two illegal events", i), "evt_illegal", benchtest.Bit(i == 3))
			d.cycle()
		}
	})
}

// Counters of 8 bits wrap after 256 events.
func TestCountersWrap(t *testing.T) {
	onEach(t, func(d *dut) {
		for range 300 {
			d.cycle("s_rtt_valid", 1, "s_rtt_ns", 255, "s_timeout_valid", 1)
		}
		for range 10 {
			d.cycle()
		}
		for _, name := range []string{"rtt", "rtt_high", "timeout", "congestion"} {
			d.want("300 events", "sts_"+name+"_cnt", 300-256)
		}
	})
}

// An event uses its cycle's settings, not an earlier or later cycle's.
func TestSettingsOfTheCycle(t *testing.T) {
	onEach(t, func(d *dut) {
		for _, c := range []struct {
			name   string
			rtt    []any // the cycle of an RTT sample at time 1000
			before []any // the cycle before the timeout
			at     []any // its own, at time 1100
			after  []any
			want   uint64
		}{
			{"the window ends where it ends", nil, nil, nil, nil, 1},
			{"window at the timeout", nil, nil, []any{"cfg_window_ns", 99}, nil, 0},
			{"window before it", nil, []any{"cfg_window_ns", 99}, nil, nil, 1},
			{"window after it", nil, nil, nil, []any{"cfg_window_ns", 99}, 1},
			{"trimming at the timeout", nil, nil, []any{"cfg_trimming", 1}, nil, 0},
			{"trimming before it", nil, []any{"cfg_trimming", 1}, nil, nil, 1},
			{"trimming after it", nil, nil, nil, []any{"cfg_trimming", 1}, 1},
			{"threshold at the RTT", []any{"cfg_rtt_threshold_ns", 51}, nil, nil, nil, 0},
			{"threshold at the timeout", nil, nil, []any{"cfg_rtt_threshold_ns", 255}, nil, 1},
		} {
			d.cycle("s_flush_valid", 1, "s_flush_conn", 2)
			d.cycle("cfg_rtt_threshold_ns", 255)
			d.cycle(append([]any{"now_ns", 1000, "s_rtt_valid", 1, "s_rtt_conn", 2, "s_rtt_ns", 50}, c.rtt...)...)
			d.cycle(append([]any{"cfg_rtt_threshold_ns", 255}, c.before...)...)
			d.cycle(append([]any{"now_ns", 1100, "s_timeout_valid", 1, "s_timeout_conn", 2}, c.at...)...)
			d.drive(c.after...)
			for range 5 {
				d.Step(1)
			}
			d.want(c.name, "m_timeout_valid", 1)
			d.want(c.name, "m_timeout_cause", c.want)
			d.want(c.name, "m_fail_valid", benchtest.Bit(c.want == 0))
			d.want(c.name, "m_fail_conn", 2)
		}
	})
}

// Events of one connection back to back: each timeout sees exactly the events before it and
// in its own cycle.
func TestBackToBack(t *testing.T) {
	onEach(t, func(d *dut) {
		// R a high RTT, F a flush, - neither; a timeout in every cycle.
		script, want := "-R-FRF-RR-F--", "0110100111000"
		var got string
		for i := range len(script) + 6 {
			in := []any{"now_ns", 7}
			if i < len(script) {
				in = append(in, "s_timeout_valid", 1, "s_timeout_conn", 1)
				switch script[i] {
				case 'R':
					in = append(in, "s_rtt_valid", 1, "s_rtt_conn", 1, "s_rtt_ns", 200)
				case 'F':
					in = append(in, "s_flush_valid", 1, "s_flush_conn", 1)
				}
			}
			d.drive(in...)
			if d.Get("m_timeout_valid") == 1 {
				got += fmt.Sprint(d.Get("m_timeout_cause"))
			}
			d.Step(1)
		}
		if got != want {
			t.Errorf("%s: causes %s, want %s", script, got, want)
		}
	})
}
