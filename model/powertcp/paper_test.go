// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// paperSettings returns the settings of the vectors: 12.5 bytes per ns, 20 µs.
func paperSettings() PaperSettings {
	return PaperSettings{Gamma: 0.9, Beta: 1000, Tau: 20_000, TargetUtil: 1, LambdaFloor: 0.5, MinWindow: 1000, MaxWindow: 250_000}
}

// paperAfter returns a connection that has stored the given hops at sequence number 0.
func paperAfter(t *testing.T, s PaperSettings, hops ...PaperHop) *PaperINT {
	t.Helper()
	p, err := NewPaperINT(s)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Ack(PaperAck{Hops: hops}); r.Event != PaperStored || r.Window != s.MaxWindow || r.Hop != -1 {
		t.Fatalf("first acknowledgement: %+v, want it stored and the window as it was", r)
	}
	return p
}

func paperNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.6f, want %.6f ± %g", what, got, want, tolerance)
	}
}

// The vectors have three decimals.
const paperDigits = 0.0005

func TestPaperINT(t *testing.T) {
	const b = 12.5
	for _, c := range []struct {
		name           string
		change         func(*PaperSettings)
		before, after  []PaperHop
		hop            int
		norm, power    float64
		unbound, bound float64
		event          PaperEvent
	}{
		{name: "PV1 a full link without queue",
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{0, 12_500, 1000, b}},
			norm: 1, power: 1, unbound: 250_900, bound: 250_000, event: PaperUpdated},
		{name: "PV2 a queue that grows at the link's rate",
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{12_500, 12_500, 1000, b}},
			norm: 2.1, power: 1.055, unbound: 239_170.142, bound: 239_170.142, event: PaperUpdated},
		{name: "PV3 samples further apart than tau",
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{12_500, 1_237_500, 50_000, b}},
			norm: 2.1, power: 2.1, unbound: 133_042.857, bound: 133_042.857, event: PaperUpdated},
		{name: "PV4 a queue that drains: the floor",
			before: []PaperHop{{100_000, 0, 0, b}}, after: []PaperHop{{90_000, 12_500, 1000, b}},
			norm: 0.68, power: 0.984, unbound: 254_558.537, bound: 250_000, event: PaperUpdated},
		{name: "PV4 a queue that drains: no floor", change: func(s *PaperSettings) { s.LambdaFloor = 1e-9 },
			before: []PaperHop{{100_000, 0, 0, b}}, after: []PaperHop{{90_000, 12_500, 1000, b}},
			norm: 0.272, power: 0.9636, unbound: 259_399.377, bound: 250_000, event: PaperUpdated},
		{name: "PV5 the slower link has more normalised power",
			before: []PaperHop{{0, 0, 0, b}, {6875, 0, 0, 3.125}}, after: []PaperHop{{0, 12_500, 1000, b}, {10_000, 3125, 1000, 3.125}},
			hop: 1, norm: 2.32, power: 1.066, unbound: 236_969.418, bound: 236_969.418, event: PaperUpdated},
		{name: "PV5 by power that is not normalised", change: func(s *PaperSettings) { s.Literal = true },
			before: []PaperHop{{0, 0, 0, b}, {6875, 0, 0, 3.125}}, after: []PaperHop{{0, 12_500, 1000, b}, {10_000, 3125, 1000, 3.125}},
			hop: 0, norm: 1, power: (19_000 + 3.125e9) / 20_000, unbound: 0.9*(250_000/156_250.95+1000) + 25_000, bound: 0.9*(250_000/156_250.95+1000) + 25_000, event: PaperUpdated},
		{name: "PV6 line 21 at its word", change: func(s *PaperSettings) { s.Literal = true },
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{12_500, 12_500, 1000, b}},
			norm: 2.1, power: 328_125.95, unbound: 25_900.686, bound: 25_900.686, event: PaperUpdated},
		{name: "P6 no time has passed",
			before: []PaperHop{{0, 0, 7, b}}, after: []PaperHop{{5000, 5000, 7, b}},
			hop: -1, power: 1, unbound: 250_900, bound: 250_000, event: PaperKept},
		{name: "P6 no time has passed at one of two hops",
			before: []PaperHop{{0, 0, 7, b}, {0, 0, 0, b}}, after: []PaperHop{{900_000, 5000, 7, b}, {12_500, 12_500, 1000, b}},
			hop: 1, norm: 2.1, power: 1.055, unbound: 239_170.142, bound: 239_170.142, event: PaperUpdated},
		{name: "ties go to the lowest hop",
			before: []PaperHop{{0, 0, 0, b}, {0, 0, 0, b}}, after: []PaperHop{{0, 12_500, 1000, b}, {0, 25_000, 2000, b}},
			hop: 0, norm: 1, power: 1, unbound: 250_900, bound: 250_000, event: PaperUpdated},
		{name: "P14 a target below the link's rate", change: func(s *PaperSettings) { s.TargetUtil = 0.95 },
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{0, 12_500, 1000, b}},
			norm: 1, power: 1, unbound: 0.9*(237_500+1000) + 25_000, bound: 239_650, event: PaperUpdated},
		{name: "P16 the least window",
			change: func(s *PaperSettings) { s.Beta = 0; s.MinWindow = 200_000 },
			before: []PaperHop{{0, 0, 0, b}}, after: []PaperHop{{12_500, 1_250_000 - 12_500, 50_000, b}},
			norm: 2.1, power: 2.1, unbound: 0.9*250_000/2.1 + 25_000, bound: 200_000, event: PaperUpdated},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := paperSettings()
			if c.change != nil {
				c.change(&s)
			}
			p := paperAfter(t, s, c.before...)
			r := p.Ack(PaperAck{Seq: 1, Hops: c.after})
			if r.Event != c.event || r.Hop != c.hop {
				t.Errorf("%v by hop %d, want %v by hop %d", r.Event, r.Hop, c.event, c.hop)
			}
			paperNear(t, "normalised power", r.Norm, c.norm, 1e-9)
			paperNear(t, "smoothed power", r.Power, c.power, 1e-9*math.Max(1, c.power))
			paperNear(t, "window before the bounds", r.Unbound, c.unbound, paperDigits)
			paperNear(t, "window", r.Window, c.bound, paperDigits)
			paperNear(t, "rate", r.Rate, r.Window/s.Tau, 1e-12)
		})
	}
	t.Run("PV7 counters that wrap", func(t *testing.T) {
		s := paperSettings()
		s.TxBits, s.TimeBits = 32, 24
		p := paperAfter(t, s, PaperHop{0, 0xFFFFFF00, 0xFFFF00, b})
		r := p.Ack(PaperAck{Hops: []PaperHop{{0, 0x1000, 0x100, b}}})
		// 4352 bytes in 512 ns.
		paperNear(t, "normalised power", r.Norm, 4352/(b*512), 1e-12)
	})
	t.Run("PV8 the arithmetic of the module for Linux", func(t *testing.T) {
		s := PaperKernelSettings{TauUS: 29, Beta: 9280, Gamma: 921, BaseBDP: 92_800}
		power := PaperKernelPower(PaperKernelHop{BandwidthMBps: 3125, DTx: 3125, DT: 1000}, s)
		if power != 65_541 {
			t.Errorf("power %d, want 65541", power)
		}
		if unbound, bound := PaperKernelWindow(power, 92_800, 92_800, s); unbound != 101_139 || bound != 92_800 {
			t.Errorf("window %d, then %d, want 101139, then 92800", unbound, bound)
		}
	})
	t.Run("PV8 the module loses slow links", func(t *testing.T) {
		s := PaperKernelSettings{TauUS: 29, Beta: 9280, Gamma: 921, BaseBDP: 3625}
		// A full link at 1 Gb/s without queue: the power is 1, which is 65536.
		if power := PaperKernelPower(PaperKernelHop{BandwidthMBps: 125, DTx: 125, DT: 1000}, s); power != 125_000_000*125*29 {
			t.Errorf("power %d, want %d", power, 125_000_000*125*29)
		}
	})
}

// Choice of the old window, and the events that restart a connection.
func TestPaperINTMemory(t *testing.T) {
	const b = 12.5
	s := paperSettings()
	p, err := NewPaperINT(s)
	if err != nil {
		t.Fatal(err)
	}
	queue := func(ts uint64) []PaperHop { return []PaperHop{{12_500 * ts / 1000, 12_500 * ts / 1000, ts, b}} }
	for i, step := range []struct {
		ack    PaperAck
		event  PaperEvent
		marker uint32
		old    bool // the old window is the one of this acknowledgement
	}{
		{PaperAck{Seq: 0, SndNxt: 0xFFFFFFF0, Hops: queue(0)}, PaperStored, 0xFFFFFFF0, false},
		{PaperAck{Seq: 0xFFFFFFF0, SndNxt: 50, Hops: queue(1000)}, PaperUpdated, 0xFFFFFFF0, false}, // at the marker: not yet
		{PaperAck{Seq: 5, SndNxt: 60, Hops: queue(2000)}, PaperUpdated, 60, true},                   // past it, across 2^32
		{PaperAck{Seq: 60, SndNxt: 70, Hops: queue(3000)}, PaperUpdated, 60, false},
		{PaperAck{Seq: 61, SndNxt: 80, Path: 1, Hops: queue(4000)}, PaperPathChanged, 80, false},
		{PaperAck{Seq: 81, SndNxt: 90, Path: 1, Hops: queue(5000)}, PaperUpdated, 90, true},
		{PaperAck{Seq: 91, SndNxt: 99, Path: 1, Hops: append(queue(6000), queue(6000)...)}, PaperPathChanged, 99, false},
	} {
		before := p.State
		r := p.Ack(step.ack)
		if r.Event != step.event || p.State.Marker != step.marker {
			t.Errorf("step %d: %v, marker %#x, want %v, %#x", i, r.Event, p.State.Marker, step.event, step.marker)
		}
		want := before.OldWindow
		if step.old {
			want = r.Window
		}
		if p.State.OldWindow != want {
			t.Errorf("step %d: old window %g, want %g", i, p.State.OldWindow, want)
		}
		if r.Event != PaperUpdated && (r.Window != before.Window || r.Power != before.Power) {
			t.Errorf("step %d: window %g and power %g changed to %g and %g", i, before.Window, before.Power, r.Window, r.Power)
		}
	}
}

// Every hop with a new time is remembered, not only the one that was acted on.
func TestPaperINTRemembersEveryHop(t *testing.T) {
	const b = 12.5
	p := paperAfter(t, paperSettings(), PaperHop{0, 0, 0, b}, PaperHop{0, 0, 0, b})
	for i, step := range []struct {
		hops []PaperHop
		hop  int
		norm float64
	}{
		{[]PaperHop{{12_500, 12_500, 1000, b}, {0, 12_500, 1000, b}}, 0, 2.1},
		{[]PaperHop{{0, 12_500, 2000, b}, {12_500, 25_000, 2000, b}}, 1, 2.1},
		{[]PaperHop{{0, 25_000, 3000, b}, {12_500, 25_000, 2000, b}}, 0, 1}, // hop 1 has no new time
		{[]PaperHop{{0, 31_250, 4000, b}, {12_500, 50_000, 4000, b}}, 1, 1.05},
	} {
		r := p.Ack(PaperAck{Hops: step.hops})
		if r.Hop != step.hop {
			t.Errorf("step %d: hop %d, want %d", i, r.Hop, step.hop)
		}
		paperNear(t, "normalised power", r.Norm, step.norm, 1e-9)
	}
}

func TestPaperTheta(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second uint64
		dt            uint64
		change        func(*PaperSettings)
		norm, power   float64
		unbound       float64
	}{
		{name: "TV1 a constant base round-trip time", first: 20_000, second: 20_000, dt: 20_000, norm: 1, power: 1, unbound: 250_900},
		{name: "TV2 it grows", first: 20_000, second: 30_000, dt: 20_000, norm: 2.25, power: 2.25, unbound: 125_900},
		{name: "TV3 it falls: the floor", first: 40_000, second: 20_000, dt: 20_000, norm: 0.5, power: 0.5, unbound: 475_900},
		{name: "TV3 it falls: no floor, power 0", first: 40_000, second: 20_000, dt: 20_000,
			change: func(s *PaperSettings) { s.Literal = true }, norm: 0, power: 0, unbound: math.Inf(1)},
		{name: "TV4 a constant queue", first: 25_000, second: 25_000, dt: 20_000, norm: 1.25, power: 1.25, unbound: 0.9*(200_000+1000) + 25_000},
		{name: "T1 samples further apart than tau", first: 20_000, second: 30_000, dt: 40_000, norm: 1.875, power: 1.875, unbound: 0.9*(250_000/1.875+1000) + 25_000},
		{name: "T1 samples closer than tau", first: 20_000, second: 20_000, dt: 10_000, norm: 1, power: 1, unbound: 250_900},
		{name: "T7 the least round-trip time is tau", first: 10_000, second: 20_000, dt: 10_000, norm: 4, power: 4, unbound: 0.9*(62_500+1000) + 25_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := paperSettings()
			if c.change != nil {
				c.change(&s)
			}
			p, err := NewPaperTheta(s)
			if err != nil {
				t.Fatal(err)
			}
			if r := p.Ack(PaperAck{RTT: c.first, Now: 7}); r.Event != PaperStored {
				t.Fatalf("first acknowledgement: %v", r.Event)
			}
			r := p.Ack(PaperAck{RTT: c.second, Now: 7 + c.dt, SndNxt: 99})
			if r.Event != PaperUpdated || p.State.Marker != 99 || p.State.OldWindow != r.Window {
				t.Errorf("%v, marker %d, old window %g, want updated, 99, %g", r.Event, p.State.Marker, p.State.OldWindow, r.Window)
			}
			paperNear(t, "normalised power", r.Norm, c.norm, 1e-9)
			paperNear(t, "smoothed power", r.Power, c.power, 1e-9)
			if !math.IsInf(c.unbound, 1) || !math.IsInf(r.Unbound, 1) {
				paperNear(t, "window before the bounds", r.Unbound, c.unbound, paperDigits)
			}
			paperNear(t, "window", r.Window, min(c.unbound, s.MaxWindow), paperDigits)
			paperNear(t, "rate", r.Rate, r.Window/p.State.Tau, 1e-12)
		})
	}
	for _, c := range []struct {
		name string
		ack  PaperAck
		want PaperEvent
	}{
		{"TV5 within the round-trip", PaperAck{Seq: 99, SndNxt: 200, RTT: 30_000, Now: 20_007}, PaperSkipped},
		{"T3 at its end", PaperAck{Seq: 100, SndNxt: 200, RTT: 30_000, Now: 20_007}, PaperUpdated},
		{"T5 no time has passed", PaperAck{Seq: 100, SndNxt: 200, RTT: 30_000, Now: 7}, PaperSkipped},
		{"T8 no sample", PaperAck{Seq: 100, SndNxt: 200, Now: 20_007}, PaperSkipped},
		{"another path", PaperAck{Seq: 100, SndNxt: 200, RTT: 18_000, Now: 20_007, Path: 1}, PaperPathChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := NewPaperTheta(paperSettings())
			if err != nil {
				t.Fatal(err)
			}
			p.Ack(PaperAck{Seq: 100, SndNxt: 150, RTT: 15_000, Now: 7})
			before := p.State
			if r := p.Ack(c.ack); r.Event != c.want {
				t.Errorf("%v, want %v", r.Event, c.want)
			}
			if c.want == PaperSkipped && p.State != before {
				t.Errorf("state %+v, want %+v", p.State, before)
			}
			// The least round-trip time belongs to a path.
			if want := map[PaperEvent]float64{PaperPathChanged: 18_000}[c.want]; want != 0 && p.State.Tau != want {
				t.Errorf("τ %g, want %g", p.State.Tau, want)
			}
			// The marker moves with the window alone.
			if want := map[PaperEvent]uint32{PaperUpdated: 200}[c.want]; p.State.Marker != max(want, 100) {
				t.Errorf("marker %d, want %d", p.State.Marker, max(want, 100))
			}
		})
	}
}

// T4: the first acknowledgement stores the round-trip time and its moment; the second
// updates, though the packets of the first are still on their way.
func TestPaperThetaSecond(t *testing.T) {
	p, err := NewPaperTheta(paperSettings())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []struct {
		ack  PaperAck
		want PaperEvent
	}{
		{PaperAck{Seq: 1000, SndNxt: 90_000, RTT: 20_000, Now: 7}, PaperStored},
		{PaperAck{Seq: 2000, SndNxt: 90_000, RTT: 22_500, Now: 5007}, PaperUpdated},
		{PaperAck{Seq: 89_999, SndNxt: 99_000, RTT: 40_000, Now: 20_007}, PaperSkipped},
		{PaperAck{Seq: 90_000, SndNxt: 99_000, RTT: 40_000, Now: 20_007}, PaperUpdated},
	} {
		r := p.Ack(a.ack)
		if r.Event != a.want {
			t.Errorf("acknowledgement %d: %v, want %v", i, r.Event, a.want)
		}
		if i == 1 { // θ̇ = 0.5, Γnorm = 1.5 · 1.125, weight 1/4
			paperNear(t, "smoothed power", r.Power, 0.75+1.6875/4, 1e-9)
		}
	}
}

// With EveryAck power and window follow each acknowledgement, cwnd_old once a round-trip.
func TestPaperThetaEveryAck(t *testing.T) {
	s := paperSettings()
	s.EveryAck = true
	p, err := NewPaperTheta(s)
	if err != nil {
		t.Fatal(err)
	}
	p.Ack(PaperAck{Seq: 0, SndNxt: 100, RTT: 20_000, Now: 7})
	after := func(window, old, power float64) float64 { return 0.9*(old/power+1000) + 0.1*window }
	first := after(250_000, 250_000, 2.25) // θ̇ 0.5, RTT 1.5 τ
	second := after(first, first, 3)       // the same, RTT 2 τ
	third := after(second, first, 2)       // a constant RTT of 2 τ; cwnd_old belongs to the round trip before
	for i, a := range []struct {
		ack         PaperAck
		event       PaperEvent
		window, old float64
	}{
		{PaperAck{Seq: 0, SndNxt: 100, RTT: 30_000, Now: 20_007}, PaperUpdated, first, first},
		{PaperAck{Seq: 1, SndNxt: 200, RTT: 40_000, Now: 40_007}, PaperUpdated, second, first},
		{PaperAck{Seq: 99, SndNxt: 200, RTT: 40_000, Now: 40_007}, PaperSkipped, second, first},
		{PaperAck{Seq: 100, SndNxt: 200, RTT: 40_000, Now: 60_007}, PaperUpdated, third, third},
	} {
		if r := p.Ack(a.ack); r.Event != a.event {
			t.Errorf("acknowledgement %d: %v, want %v", i, r.Event, a.event)
		}
		paperNear(t, "window", p.State.Window, a.window, paperDigits)
		paperNear(t, "cwnd_old", p.State.OldWindow, a.old, paperDigits)
	}
}

func TestPaperSettingsCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*PaperSettings)
		want   string
	}{
		{func(*PaperSettings) {}, ""},
		{func(s *PaperSettings) { s.Gamma = 0 }, "gamma: found 0, allowed: above 0, at most 1"},
		{func(s *PaperSettings) { s.Gamma = math.NaN() }, "gamma: found NaN, allowed: above 0, at most 1"},
		{func(s *PaperSettings) { s.Beta = -1 }, "beta: found -1, allowed: a finite number of bytes from 0"},
		{func(s *PaperSettings) { s.Tau = 0 }, "tau: found 0, allowed: a finite number of ns above 0"},
		{func(s *PaperSettings) { s.TargetUtil = 1.5 }, "target utilisation: found 1.5, allowed: above 0, at most 1"},
		{func(s *PaperSettings) { s.LambdaFloor = 0 }, "lambda floor: found 0, allowed: a finite number above 0"},
		{func(s *PaperSettings) { s.LambdaFloor, s.Literal = 0, true }, ""},
		{func(s *PaperSettings) { s.MinWindow = 0 }, "minimum window: found 0, allowed: a finite number of bytes above 0"},
		{func(s *PaperSettings) { s.MaxWindow = 1 }, "maximum window: found 1, allowed: a finite number of bytes from the minimum window"},
		{func(s *PaperSettings) { s.TxBits, s.NowBits = 65, -1 }, "bits of bytes sent: found 65, allowed: 0 to 64\nbits of the time: found -1, allowed: 0 to 64"},
	} {
		s := paperSettings()
		c.change(&s)
		got := ""
		if err := s.Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if _, err := NewPaperINT(s); (err != nil) != (c.want != "") {
			t.Errorf("NewPaperINT: %v, want %q", err, c.want)
		}
		if _, err := NewPaperTheta(s); (err != nil) != (c.want != "") {
			t.Errorf("NewPaperTheta: %v, want %q", err, c.want)
		}
	}
}

func TestPaperTooManyHops(t *testing.T) {
	defer func() {
		if msg, _ := recover().(string); !strings.Contains(msg, "17 hops, allowed: 0 to 16") {
			t.Errorf("panic %q", msg)
		}
	}()
	PaperStep(PaperState{}, PaperAck{Hops: make([]PaperHop, 17)}, paperSettings())
}

func drawSettings(t *rapid.T) PaperSettings {
	s := PaperSettings{
		Gamma:       rapid.Float64Range(0.01, 1).Draw(t, "gamma"),
		Beta:        rapid.Float64Range(0, 1e6).Draw(t, "beta"),
		Tau:         rapid.Float64Range(5000, 50_000).Draw(t, "tau"),
		TargetUtil:  rapid.Float64Range(0.5, 1).Draw(t, "target"),
		LambdaFloor: rapid.Float64Range(0.01, 1).Draw(t, "floor"),
		MinWindow:   rapid.Float64Range(1, 1e4).Draw(t, "minimum"),
		TimeBits:    24, TxBits: 27, NowBits: 32,
	}
	s.MaxWindow = s.MinWindow + rapid.Float64Range(0, 1e7).Draw(t, "maximum")
	return s
}

func drawHops(t *rapid.T) []PaperHop {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) PaperHop {
		return PaperHop{
			QLen: rapid.Uint64Range(0, 32<<20).Draw(t, "queue"),
			Tx:   rapid.Uint64Range(0, 1<<27-1).Draw(t, "sent"),
			TS:   rapid.Uint64Range(0, 1<<24-1).Draw(t, "time"),
			Rate: rapid.SampledFrom([]float64{1.25, 3.125, 12.5, 100}).Draw(t, "rate"),
		}
	}), 0, PaperMaxHops).Draw(t, "hops")
}

// From any state the window is legal after one acknowledgement that updates it,
// and stays so.
func TestPaperWindowIsLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSettings(t)
		st := PaperState{
			Have:      rapid.Bool().Draw(t, "have"),
			Power:     rapid.Float64Range(1e-6, 1e6).Draw(t, "power"),
			Window:    rapid.Float64Range(0, 1e9).Draw(t, "window"),
			OldWindow: rapid.Float64Range(0, 1e9).Draw(t, "old window"),
			Marker:    rapid.Uint32().Draw(t, "marker"),
			Tau:       rapid.Float64Range(1, 50_000).Draw(t, "least round-trip time"),
			PrevRTT:   rapid.Uint64Range(1, 1e6).Draw(t, "round-trip time"),
			PrevNow:   rapid.Uint64().Draw(t, "now"),
		}
		hops := drawHops(t)
		st.N = copy(st.Prev[:], hops)
		step := rapid.SampledFrom([]func(PaperState, PaperAck, PaperSettings) (PaperState, PaperResult){PaperStep, PaperThetaStep}).Draw(t, "algorithm")
		legal := false
		for range rapid.IntRange(1, 20).Draw(t, "acknowledgements") {
			a := PaperAck{Seq: rapid.Uint32().Draw(t, "seq"), SndNxt: rapid.Uint32().Draw(t, "next"),
				RTT: rapid.Uint64Range(0, 1e6).Draw(t, "rtt"), Now: rapid.Uint64().Draw(t, "now")}
			a.Hops = drawHops(t)
			if rapid.Bool().Draw(t, "same number of hops") {
				a.Hops = append(a.Hops, make([]PaperHop, PaperMaxHops)...)[:st.N]
				for i := range a.Hops {
					a.Hops[i].Rate = max(a.Hops[i].Rate, 1)
				}
			}
			before := st
			var r PaperResult
			st, r = step(st, a, s)
			if r.Window != st.Window || r.Power != st.Power {
				t.Fatalf("result %+v, state %+v", r, st)
			}
			if r.Event != PaperUpdated && r.Event != PaperKept && (st.Window != before.Window || st.Power != before.Power || st.OldWindow != before.OldWindow) {
				t.Fatalf("%v changed %+v to %+v", r.Event, before, st)
			}
			legal = legal || r.Event == PaperUpdated || r.Event == PaperKept
			if legal && !(st.Window >= s.MinWindow && st.Window <= s.MaxWindow) {
				t.Fatalf("window %g, allowed: %g to %g", st.Window, s.MinWindow, s.MaxWindow)
			}
			if !(st.Power > 0) || math.IsInf(st.Power, 0) {
				t.Fatalf("power %g", st.Power)
			}
			if legal && !(r.Rate > 0) {
				t.Fatalf("rate %g", r.Rate)
			}
		}
	})
}

// More queue, more bytes sent or a longer round-trip never make the window larger;
// a larger old window, β or target never makes it smaller.
func TestPaperWindowIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSettings(t)
		s.TxBits, s.TimeBits, s.NowBits = 0, 0, 0
		rate := rapid.SampledFrom([]float64{1.25, 3.125, 12.5, 100}).Draw(t, "rate")
		window := rapid.Float64Range(s.MinWindow, s.MaxWindow).Draw(t, "window")
		st := PaperState{Have: true, Power: rapid.Float64Range(0.1, 30).Draw(t, "power"), Window: window, OldWindow: window, N: 1,
			Tau: s.Tau, PrevRTT: rapid.Uint64Range(1000, 1e5).Draw(t, "previous RTT")}
		st.Prev[0] = PaperHop{QLen: rapid.Uint64Range(0, 1e6).Draw(t, "previous queue"), Rate: rate}
		hop := PaperHop{QLen: rapid.Uint64Range(0, 1e6).Draw(t, "queue"), Tx: rapid.Uint64Range(0, 1e6).Draw(t, "sent"),
			TS: rapid.Uint64Range(1, 1e5).Draw(t, "time"), Rate: rate}
		rtt := rapid.Uint64Range(1000, 1e5).Draw(t, "rtt")
		now := rapid.Uint64Range(1, 1e5).Draw(t, "now")
		more := rapid.Uint64Range(1, 1e5).Draw(t, "more")
		// Equal except for the rounding of float64.
		check := func(what string, larger, smaller float64) {
			if larger < smaller*(1-1e-12) {
				t.Fatalf("%s: window %g, less than %g", what, larger, smaller)
			}
		}
		after := func(st PaperState, h PaperHop, s PaperSettings) float64 {
			_, r := PaperStep(st, PaperAck{Hops: []PaperHop{h}}, s)
			return r.Window
		}
		base := after(st, hop, s)
		queue, sent := hop, hop
		queue.QLen += more
		sent.Tx += more
		check("queue", base, after(st, queue, s))
		check("bytes sent", base, after(st, sent, s))
		old, beta, target := st, s, s
		old.OldWindow += float64(more)
		beta.Beta += float64(more)
		target.TargetUtil = 1
		check("old window", after(old, hop, s), base)
		check("beta", after(st, hop, beta), base)
		check("target", after(st, hop, target), base)

		theta := func(rtt uint64) float64 {
			// At or above τ, so that the sample does not change its own reference.
			_, r := PaperThetaStep(st, PaperAck{RTT: rtt + uint64(s.Tau) + 1, Now: now}, s)
			return r.Window
		}
		check("round-trip time", theta(rtt), theta(rtt+more))
	})
}

// A step that starts from another's state is the same as going on.
func TestPaperStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSettings(t)
		p, err := NewPaperINT(s)
		if err != nil {
			t.Fatal(err)
		}
		hops := drawHops(t)
		p.Ack(PaperAck{Hops: hops})
		st := p.State
		a := PaperAck{Seq: 1, SndNxt: 2, Hops: drawHops(t)}
		next, r1 := PaperStep(st, a, s)
		r2 := p.Ack(a)
		if r1 != r2 || next != p.State {
			t.Fatalf("%+v and %+v, then %+v and %+v", r1, r2, next, p.State)
		}
		if again, r := PaperStep(st, a, s); r != r1 || again != next {
			t.Fatalf("a second time %+v and %+v, want %+v and %+v", r, again, r1, next)
		}
	})
}
