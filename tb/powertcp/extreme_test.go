// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"math"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// mostWindow is the largest window, in quarters of a byte.
const mostWindow = 1<<25 - 1

// extreme is an ACK of a connection that was new: what the unit is set to, and what has come since its first ACK.
type extreme struct {
	tau, mbps     int64
	gamma         uint64 // UQ1.16
	beta, window  uint64 // quarters of a byte
	dt, tx, queue uint64 // ns, bytes, bytes
}

// extremes are a unit and the model, and how often the end of a format was reached.
type extremes struct {
	*device
	u       *model.Unit
	reached map[string]int
}

// within demands of RTL and model what the page's formula gives, to an error.
func (x *extremes) within(e extreme, what string, rtl, golden, want, tolerance float64) {
	x.t.Helper()
	if math.Abs(rtl-want) > tolerance || rtl != golden {
		x.t.Fatalf("%+v: %s %.7f, of the model %.7f, want %.7f within %.7f", e, what, rtl, golden, want, tolerance)
	}
}

// rate checks the rate of a window, UQ8.16: cut, and at most 256 bytes a ns.
func (x *extremes) rate(e extreme, rtl answer, golden model.Result) {
	x.t.Helper()
	ideal := rtl.window / float64(e.tau)
	switch {
	case ideal < 1.0/(1<<model.RateFrac):
		x.reached["slowest rate"]++
	case ideal >= 1<<model.RateInt:
		x.reached["fastest rate"]++
		ideal = 1<<model.RateInt - 1.0/(1<<model.RateFrac)
	}
	x.within(e, "rate", rtl.rate, math.Ldexp(float64(golden.Rate), -model.RateFrac), ideal, ideal/(1<<16)+1.0/(1<<model.RateFrac))
}

// check sends two ACKs and computes what the second one makes of power, window and rate.
func (x *extremes) check(e extreme) {
	x.t.Helper()
	const most, start = 1<<model.PowerInt - 1.0/(1<<model.NormFrac), 1<<24 - 1000
	set, s := x.m.Set, &x.u.Settings
	x.play("flush 0")
	x.u.Flush(0)
	both := func(hops []hop, seq uint32) (answer, model.Result) {
		a := x.ack(ack{seq: uint64(seq), hops: hops})
		h := hops[0]
		return a, x.u.Ack(&model.Ack{Seq: seq, HopCnt: 1, Hops: []model.Hop{{Qlen: uint32(h.qlen), Tx: uint32(h.tx), Time: uint32(h.time), Link: x.u.Links[0]}}})
	}
	set("cfg_gamma", e.gamma)
	set("cfg_beta", e.beta)
	set("cfg_max_window", e.window)
	s.Gamma, s.Beta, s.MaxWindow = uint32(e.gamma), uint32(e.beta), uint32(e.window)
	first, golden := both([]hop{{0, 1<<32 - 5, start, 0}}, 0)
	w, γ := float64(e.window)/4, float64(e.gamma)/(1<<16)
	x.within(e, "first window", first.window, float64(golden.Window)/4, w, 0)
	x.rate(e, first, golden)

	set("cfg_max_window", mostWindow)
	s.MaxWindow = mostWindow
	got, golden := both([]hop{{e.queue, (1<<32 - 5 + e.tx) & (1<<32 - 1), (start + e.dt) & (1<<24 - 1), 0}}, 1)
	if got.cause != model.Updated || golden.Cause != model.Updated {
		x.t.Fatalf("%+v: cause %d, of the model %d, want an update", e, got.cause, golden.Cause)
	}
	b := float64(e.mbps) / 8000
	mantissa, _ := math.Frexp(1 / b)
	v := 1 + float64(e.queue)/(b*float64(e.tau))
	if most := 1 << 9 / mantissa; v >= most {
		v = most
		x.reached["longest queue"]++
	}
	norm := max(float64(e.tx+e.queue)/float64(e.dt)/b, 0.001) * v
	if norm < 1.0/(1<<8) {
		norm = 1.0 / (1 << 8)
		x.reached["least power"]++
	}
	if norm > most {
		norm = most
		x.reached["largest power"]++
	}
	power := func(v uint32) float64 { return math.Ldexp(float64(v), -model.NormFrac) }
	x.within(e, "normalised power", got.norm, power(golden.Norm), norm, norm/(1<<13)+power(1))

	// dt saturates at rtt_bits bits. The power begins at 1.
	share := min(float64(min(e.dt, 1<<x.p.RTTBits-1))/float64(e.tau), 1)
	change := (got.norm - 1) * share
	x.within(e, "smoothed power", got.power, power(golden.Power), 1+change, math.Abs(change)/(1<<14)+2*power(1))

	low := max(got.power, 1.0/(1<<6))
	if low != got.power {
		x.reached["power without a reciprocal"]++
	}
	quotient := w / low
	if quotient >= 15<<20 {
		quotient = 15 << 20
		x.reached["largest quotient"]++
	}
	next := w + γ*(quotient+float64(e.beta)/4-w)
	switch {
	case next > mostWindow/4.0:
		next = mostWindow / 4.0
		x.reached["largest window"]++
	case next < 0.25:
		next = 0.25
		x.reached["least window"]++
	}
	x.within(e, "window", got.window, float64(golden.Window)/4, next, γ*quotient*(1.0/(1<<14)+power(1)/low)+0.5)
	x.rate(e, got, golden)
}

// TestExtremes computes powers, windows and rates at the minimum and maximum of base RTT, bandwidth, window, interval,
// queue and gain, and values beyond a format, by the page's formulas in float64.
func TestExtremes(t *testing.T) {
	p := suite.Corner(t, "telemetry in bytes")
	x := &extremes{device: open(t, p), u: model.New(p), reached: map[string]int{}}
	x.m.Set("cfg_min_window", 1)
	x.u.Settings.MinWindow = 1
	links, turn := 0, 0
	for _, tau := range []int64{129, 130, 257, 65535, 65537, 1 << 22, 1<<23 - 1} {
		for _, mbps := range []int64{1, 100, 100_000, 3_200_000} {
			q := *p
			q.TauNS, q.LinkRatesMbps[0], q.FloorPPM = tau, mbps, 1000
			if !q.Rate(0).Valid {
				continue // in less than τ the link sends too few bytes
			}
			links++
			x.configure(&q)
			for _, window := range []uint64{1, 40_001, mostWindow} {
				for _, dt := range []uint64{1, uint64(tau) - 1, 1<<24 - 1} {
					for _, y := range []struct{ tx, queue uint64 }{{0, 0}, {1, 0}, {1 << 29, 0}, {0, 1<<25 - 1}} {
						turn++
						gamma, beta := []uint64{1, 58982, 1 << 16}[turn%3], []uint64{0, 1<<22 - 1}[turn/3%2]
						x.check(extreme{tau, mbps, gamma, beta, window, dt, y.tx, y.queue})
					}
				}
			}
		}
	}
	t.Logf("%d links, %d ACKs, %v", links, turn, x.reached)
	if links < 12 || len(x.reached) != 9 {
		t.Errorf("%d links, and of the ends only %v", links, x.reached)
	}
}

// configure writes τ and the link's rate.
func (x *extremes) configure(q *params.Params) {
	v := q.PortValues()
	for _, port := range []string{"cfg_inv_tau_m", "cfg_inv_tau_e", "cfg_tau_ns"} {
		x.m.Set(port, v[port])
	}
	entry := q.Rate(0).Entry()
	x.m.Set("s_rate_valid", 1)
	x.m.Set("s_rate_entry", entry)
	x.m.Step(1)
	x.m.Set("s_rate_valid", 0)
	x.m.Step(q.Distance() + 1)
	x.u.Links[0] = model.LinkOf(entry)
	x.u.Settings.InvTauM, x.u.Settings.InvTauE = uint32(v["cfg_inv_tau_m"]), uint8(v["cfg_inv_tau_e"])
	x.u.Settings.Tau = uint32(q.TauNS)
}
