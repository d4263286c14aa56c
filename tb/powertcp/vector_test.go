// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// device is the RTL, driven one ACK at a time.
type device struct {
	t testing.TB
	p *params.Params
	m *cosim.Sim
}

// open powers the RTL of a configuration up, resets it, and waits until it is ready.
func open(t testing.TB, p *params.Params) *device {
	t.Helper()
	m := suite.Open(t, p)
	d := &device{t: t, p: p, m: m}
	for port, v := range p.PortValues() {
		if _, ok := m.Layout().Slot(port); ok {
			m.Set(port, v)
		}
	}
	m.Set("rst", 1)
	m.Step(2)
	m.Set("rst", 0)
	for n := int64(0); m.Get("sts_ready") == 0; n++ {
		if n > int64(p.ReadyLatency()) || m.Err() != nil {
			t.Fatalf("not ready %d cycles after the reset: %v", n, m.Err())
		}
		m.Step(1)
	}
	return d
}

// hop is the telemetry of a hop, in bytes and ns; rate is its link-rate code.
type hop struct{ qlen, tx, time, rate uint64 }

// ack is an ACK: of telemetry if it has hops, else with a round-trip time.
type ack struct {
	conn, seq, sndNxt uint64
	path              uint64
	hops              []hop
	rtt, now          uint64
}

// answer is the unit's answer to an ACK.
type answer struct {
	window, rate, norm, power float64
	hop                       uint64
	cause                     model.Cause
}

// drive hands an ACK to the device, which must take it at once.
func (d *device) drive(a ack) {
	d.t.Helper()
	m, p := d.m, d.p
	set := func(port string, v uint64) { m.Set(port, v) }
	set("s_ack_conn", a.conn)
	set("s_ack_seq", a.seq)
	set("s_ack_snd_nxt", a.sndNxt)
	set("s_ack_path", a.path)
	set("s_ack_valid", 1)
	beats := 1
	if p.HasINT() {
		set("s_ack_hop_cnt", uint64(len(a.hops)))
	}
	if p.HasTheta() {
		set("now_ns", a.now)
	}
	if p.HasRTT() {
		set("s_ack_rtt_valid", 1)
		set("s_ack_rtt_ns", a.rtt)
	}
	if p.Variant == params.Both {
		set("s_ack_theta", map[bool]uint64{true: 1}[len(a.hops) == 0])
	}
	lanes := int(p.Lanes())
	if lanes == 1 && len(a.hops) > 1 && p.Throughput == params.PerHop {
		beats = len(a.hops)
	}
	for beat := range beats {
		if p.HasINT() {
			d.telemetry(a.hops[beat*lanes:])
		}
		if m.Get("s_ack_ready") != 1 {
			d.t.Fatalf("beat %d of an ACK must wait", beat)
		}
		m.Step(1)
	}
	set("s_ack_valid", 0)
}

// ack hands an ACK to the device and waits for the answer, which must come on time.
func (d *device) ack(a ack) answer {
	d.t.Helper()
	m, p := d.m, d.p
	d.drive(a)
	m.Step(p.WindowLatency() - 1)
	if m.Get("m_win_valid") != 1 || m.Err() != nil {
		d.t.Fatalf("no answer %d cycles after an ACK: %v", p.WindowLatency(), m.Err())
	}
	fixed := func(port string, frac int) float64 { return math.Ldexp(float64(m.Get(port)), -frac) }
	r := answer{
		window: fixed("m_win_bytes", model.WindowFrac), rate: fixed("m_win_rate", model.RateFrac),
		norm: fixed("m_win_norm", model.NormFrac), power: fixed("m_win_power", model.NormFrac),
		cause: model.Cause(m.Get("m_win_cause")),
	}
	if p.HasINT() {
		r.hop = m.Get("m_win_hop")
	}
	m.Step(1)
	return r
}

// telemetry drives the hops of a beat, the first in the first lane.
func (d *device) telemetry(hops []hop) {
	p := d.p
	widths := [4]int64{p.RateBits, p.TimeBits, p.TxBits, p.QlenBits}
	var word [16]uint64
	var field [4][8]uint64
	for lane, h := range hops[:min(len(hops), int(p.Lanes()))] {
		at := int64(lane) * p.WordBits()
		for i, x := range []uint64{h.rate, h.time, h.tx / uint64(p.TxUnit), h.qlen / uint64(p.QlenUnit)} {
			place(word[:], at, widths[i], x)
			place(field[i][:], int64(lane)*widths[i], widths[i], x)
			at += widths[i]
		}
	}
	if p.HopFormat == params.Word {
		d.m.SetWide("s_ack_hop", word[:]...)
		return
	}
	for i, name := range []string{"rate", "time", "bytes", "qlen"} {
		d.m.SetWide("s_ack_hop_"+name, field[i][:]...)
	}
}

// place puts x, cut to some bits, at bit at, where zeros are.
func place(words []uint64, at, bits int64, x uint64) {
	x &= 1<<bits - 1
	words[at/64] |= x << (at % 64)
	if at%64+bits > 64 {
		words[at/64+1] |= x >> (64 - at%64)
	}
}

// vectors is the configuration of the vectors: links of 12.5 and 3.125 bytes per ns,
// τ 20 µs, β 1000 bytes, a bandwidth-delay product of 250,000 bytes; bytes for units.
const vectors = "connections=4 conn_bits=4 tau_ns=20000 beta_bytes=1000 max_window_bytes=250000 link_rate_0_mbps=100000 link_rate_1_mbps=25000 " +
	"qlen_unit_bytes=1 qlen_bits=18 tx_unit_bytes=1 tx_bits=32 "

// wide is a largest window that cuts none of the vectors.
const wide = 1_000_000

// near demands a number with the relative accuracy that the unit's page states.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= want/(1<<11)) {
		t.Errorf("%s %.6f, want %.6f within 2^-11", what, got, want)
	}
}

// An intVector is two ACKs of a connection, and what the INT version makes of the second.
type intVector struct {
	name          string
	before, after []hop
	hop           uint64 // the bottleneck
	norm, power   float64
	window        float64
}

var intVectors = []intVector{
	{"PV1 a full link without queue", []hop{{0, 0, 0, 0}}, []hop{{0, 12_500, 1000, 0}}, 0, 1, 1, 250_900},
	{"PV2 a queue that grows at the link's rate", []hop{{0, 0, 0, 0}}, []hop{{12_500, 12_500, 1000, 0}}, 0, 2.1, 1.055, 239_170.142},
	{"PV3 samples further apart than τ", []hop{{0, 0, 0, 0}}, []hop{{12_500, 1_237_500, 50_000, 0}}, 0, 2.1, 2.1, 133_042.857},
	{"PV4 a queue that drains: λ at its floor", []hop{{100_000, 0, 0, 0}}, []hop{{90_000, 12_500, 1000, 0}}, 0, 0.68, 0.984, 254_558.537},
	{"PV5 the slow link is the bottleneck", []hop{{0, 0, 0, 0}, {6875, 0, 0, 1}}, []hop{{0, 12_500, 1000, 0}, {10_000, 3125, 1000, 1}}, 1, 2.32, 1.066, 236_969.418},
	{"PV7 counters wrap", []hop{{0, 0xffffff00, 0xffff00, 0}}, []hop{{0, 0x1000, 0x000100, 0}}, 0, 0.68, 0.991808, 0.9*(250_000/0.991808+1000) + 25_000},
}

// check sends both ACKs, with these RTTs, to a unit whose base RTT is 20 µs then.
func (v intVector) check(t *testing.T, d *device, first, second uint64) {
	t.Helper()
	a := d.ack(ack{conn: 1, hops: v.before, rtt: first})
	if a.cause != model.First || a.window != 250_000 || a.power != 1 {
		t.Fatalf("first ACK: %+v, want it stored and the largest window", a)
	}
	near(t, "first rate", a.rate, a.window/20_000)
	d.m.Set("cfg_max_window", wide<<model.WindowFrac)
	a = d.ack(ack{conn: 1, seq: 1, hops: v.after, rtt: second})
	if a.cause != model.Updated || a.hop != v.hop {
		t.Errorf("cause %d, hop %d: want an update from hop %d", a.cause, a.hop, v.hop)
	}
	near(t, "normalised power", a.norm, v.norm)
	near(t, "smoothed power", a.power, v.power)
	near(t, "window", a.window, v.window)
	near(t, "rate", a.rate, a.window/20_000)
}

// The vectors of the INT version give the paper's numbers at the unit's ports.
func TestVectorsINT(t *testing.T) {
	for _, v := range intVectors {
		for _, set := range []string{"throughput=hop hop_format=word", "throughput=ack hop_format=fields"} {
			t.Run(v.name+"/"+set, func(t *testing.T) {
				t.Parallel()
				v.check(t, open(t, suite.Configure(t, vectors+set)), 0, 0)
			})
		}
	}
}

// A base RTT that is observed gives what a setting of the same time gives: 20 µs, whatever
// the setting is, and whatever RTT comes later, or none.
func TestVectorsObserved(t *testing.T) {
	for _, v := range intVectors {
		for set, later := range map[string]uint64{"": 25_000, " throughput=ack hop_format=fields": 1 << 19, " throughput=hop": 0} {
			t.Run(v.name+set, func(t *testing.T) {
				t.Parallel()
				d := open(t, suite.Configure(t, strings.Replace(vectors, "tau_ns=20000", "tau_ns=300000", 1)+"base_rtt=observed"+set))
				v.check(t, d, 20_000, later)
			})
		}
	}
}

// The vectors of the θ version give the paper's numbers at the unit's ports.
func TestVectorsTheta(t *testing.T) {
	for _, c := range []struct {
		name    string
		rtt, to uint64
		seq     uint64
		cause   model.Cause
		norm    float64
		window  float64
	}{
		{"TV1 a constant round-trip time", 20_000, 20_000, 0, model.Updated, 1, 250_900},
		{"TV2 a rising one", 20_000, 30_000, 0, model.Updated, 2.25, 125_900},
		{"TV3 a falling one: θ̇+1 at its floor", 40_000, 20_000, 0, model.Updated, 0.5, 475_900},
		{"TV4 a constant queue", 25_000, 25_000, 0, model.Updated, 1.25, 205_900},
		{"TV5 within the round trip", 20_000, 30_000, 0xffffffff, model.WithinRTT, 0, 250_000},
	} {
		for _, set := range []string{"variant=theta", "variant=both throughput=ack"} {
			t.Run(c.name+"/"+set, func(t *testing.T) {
				t.Parallel()
				d := open(t, suite.Configure(t, vectors+set))
				if a := d.ack(ack{conn: 2, rtt: c.rtt, now: 7}); a.cause != model.First || a.window != 250_000 || a.power != 1 {
					t.Fatalf("first ACK: %+v, want it stored and the largest window", a)
				}
				d.m.Set("cfg_max_window", wide<<model.WindowFrac)
				a := d.ack(ack{conn: 2, seq: c.seq, sndNxt: 10, rtt: c.to, now: 20_007})
				if a.cause != c.cause {
					t.Errorf("cause %d, want %d", a.cause, c.cause)
				}
				near(t, "normalised power", a.norm, c.norm)
				near(t, "window", a.window, c.window)
				near(t, "rate", a.rate, a.window/20_000)
			})
		}
	}
}
