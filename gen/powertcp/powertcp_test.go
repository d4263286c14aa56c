// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	"github.com/nicgen/nicgen/gen/powertcp"
)

// value of a Float.
func value(f powertcp.Float) float64 { return math.Ldexp(float64(f.M), f.E-16) }

// The entry of 25 Gb/s, taken apart by hand: G = 16 bytes, b = 3.125 bytes/ns, so
// C0 = 5.12 ns = 1.28 × 2^2; a queue of 80 bytes is 80/90500 of a bandwidth-delay
// product; the floor is 0.5 × 3.125 / 16 = 0.09765625 = 1.5625 × 2^-4 a ns.
func TestRate(t *testing.T) {
	p := powertcp.Default()
	want := powertcp.Rate{
		Valid: true,
		C0:    powertcp.Float{M: 83886, E: 2},
		C1:    18983, // 83886 × 80/90500 × 2^(4+4·1) = 18983.26; with a shift of 2 it would not fit
		Shift: 1,
		Floor: powertcp.Float{M: 102400, E: -4},
	}
	if d := cmp.Diff(want, p.Rate(0)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got, want := p.Rate(0).Entry(), uint64(0x3c)<<58|0x9000<<42|1<<40|18983<<23|2<<17|uint64(83886-65536)<<1|1; got != want {
		t.Errorf("entry %#016x, want %#016x", got, want)
	}
	if got := p.Rate(5); got != (powertcp.Rate{}) || got.Entry() != 0 {
		t.Errorf("bandwidth 0: %+v, want the zero Rate and entry", got)
	}
}

// Where τ is observed, the entry is computed for a τ of 65,536 ns, regardless of tau_ns.
func TestRateObserved(t *testing.T) {
	p, q := powertcp.Default(), powertcp.Default()
	p.BaseRTT = powertcp.Observed
	q.TauNS = 65_536
	for code := range q.LinkRatesMbps {
		if d := cmp.Diff(q.Rate(code), p.Rate(code)); d != "" {
			t.Errorf("code %d (-want +got)\n%s", code, d)
		}
	}
}

// Every bandwidth, unit and setting that Check accepts has an entry close to its formula.
func TestRateRange(t *testing.T) {
	for _, mbps := range []int64{100, 999, 1_000, 10_000, 25_000, 40_000, 99_999, 400_000, 800_000, 3_200_000} {
		for _, set := range []string{"", "tau_ns=5000", "rtt_bits=26 tau_ns=8388607", "qlen_unit_bytes=1", "qlen_unit_bytes=4096 tx_unit_bytes=4096",
			"tx_unit_bytes=1", "lambda_floor_ppm=1000 target_utilisation_ppm=950000"} {
			p := powertcp.Default()
			if err := gen.SetAll(p, set); err != nil {
				t.Fatal(err)
			}
			p.LinkRatesMbps = [16]int64{mbps}
			refused := len(p.Check()) > 0
			r := p.Rate(0)
			b, g := float64(mbps)/8000, float64(p.ByteUnit())
			share := float64(p.QlenUnit) / (b * float64(p.TauNS))
			if tooSlow := share*math.Ldexp(1, p.ShiftBase()) >= 2; refused != !r.Valid || refused && share*math.Ldexp(1, p.ShiftBase()) <= 1 || !refused && tooSlow {
				t.Errorf("%d Mb/s, %s: refused %v, valid %v, %v of a product a unit", mbps, set, refused, r.Valid, share)
			}
			if refused {
				continue
			}
			near := func(what string, got, want, relative float64) {
				if math.Abs(got-want) > want*relative {
					t.Errorf("%d Mb/s, %s: %s %g, want %g", mbps, set, what, got, want)
				}
			}
			near("C0", value(r.C0), g/b*1e6/float64(p.TargetPPM), 0x1p-17)
			near("floor", value(r.Floor), float64(p.FloorPPM)/1e6*b/g, 0x1p-17)
			near("C1", float64(r.C1)/float64(r.C0.M)*math.Ldexp(1, -p.ShiftBase()-4*int(r.Shift)), share, 0.5/float64(max(r.C1, 1)))
			if r.C0.M>>16 != 1 || r.Floor.M>>16 != 1 || r.C1>>17 != 0 || r.Shift > 3 || r.Shift < 3 && r.C1>>12 == 0 {
				t.Errorf("%d Mb/s, %s: %+v is not normalised", mbps, set, r)
			}
		}
	}
}

// The settings as ports, against float64.
func TestPortValues(t *testing.T) {
	p := powertcp.Default()
	p.TargetPPM = 950_000
	v := p.PortValues()
	want := map[string]uint64{
		"cfg_gamma": 58982, "cfg_beta": 2172, "cfg_inv_tau_m": 74153, "cfg_inv_tau_e": 15, "cfg_tau_ns": 28960,
		"cfg_min_window": 4000, "cfg_max_window": 362000, "cfg_init_power": 275941, "cfg_theta_floor": 32768, "cfg_inv_target": 68985,
	}
	if d := cmp.Diff(want, v); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if tau := math.Ldexp(1, 16+15) / 74153; math.Abs(tau-28960) > 0.25 {
		t.Errorf("the inverse of 1/τ is %v", tau)
	}
}

// Violations of rules over several parameters name the one to change, the value found and the
// values allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, powertcp.Default, []gentest.Rule{
		{},
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "qlen_unit_bytes=96"},
		{Set: "qlen_unit_bytes=112", Key: "qlen_unit_bytes", Found: "112", Allowed: "a sum of at most two powers of two, such as 64, 80 or 96"},
		{Set: "min_window_bytes=90500"},
		{Set: "min_window_bytes=90501", Key: "min_window_bytes", Found: "90501", Allowed: "at most max_window_bytes (90500)"},
		{Set: "rtt_bits=14 tau_ns=28960", Key: "tau_ns", Found: "28960", Allowed: "below 2^14 with rtt_bits 14"},
		{Set: "rtt_bits=15 variant=theta"},
		{Set: "link_rate_9_mbps=1"},
		{Set: "link_rate_7_mbps=1", Key: "link_rate_7_mbps", Found: "1", Allowed: "0, or a bandwidth at which 1280 bytes and more are sent in tau_ns (28960)"},
		{Set: "link_rate_7_mbps=708"},
		{Set: "link_rate_7_mbps=1 variant=theta"},
		{Set: "link_rate_7_mbps=1 base_rtt=observed", Key: "link_rate_7_mbps", Found: "1", Allowed: "0, or a bandwidth at which 1280 bytes and more are sent in the table's τ (65536)"},
		{Set: "link_rate_7_mbps=313 base_rtt=observed"},
		{Set: "variant=both base_rtt=observed", Key: "base_rtt", Found: "observed", Allowed: "setting with variant both"},
	})
}

// configurations whose emitted text differs.
var shapes = []string{
	"", "throughput=ack", "hop_format=fields", "throughput=ack hop_format=fields hops=8", "hops=1", "hops=1 throughput=ack",
	"variant=theta", "variant=theta throughput=ack", "variant=both", "variant=both throughput=ack hops=3",
	"base_rtt=observed", "base_rtt=observed throughput=ack hops=2 state_protection=triple", "connections=1 conn_bits=1", "connections=65536", "qlen_unit_bytes=64", "qlen_unit_bytes=3 tx_unit_bytes=1",
}

func with(t *testing.T, sets string) *powertcp.Params {
	t.Helper()
	p := powertcp.Default()
	if err := gen.Configure(p, sets); err != nil {
		t.Fatal(err)
	}
	return p
}

// A section that a configuration leaves out leaves no more than one blank line.
func TestBlankLines(t *testing.T) {
	for _, sets := range shapes {
		p := with(t, sets)
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(f.Text, "\n\n\n") {
				t.Errorf("%s: %s: two blank lines in a row", sets, f.Name)
			}
		}
	}
}

// The exponent of 1/τ is in the range that the pacing rate takes, at both ends of τ.
func TestInvTau(t *testing.T) {
	for _, c := range []struct{ tau, m, e int64 }{{129, 130056, 8}, {256, 1 << 16, 8}, {28_960, 74153, 15}, {1<<23 - 1, 1 << 16, 23}} {
		p := powertcp.Default()
		p.TauNS = c.tau
		if m, e := p.InvTau(); int64(m) != c.m || int64(e) != c.e {
			t.Errorf("τ %d ns: 1/τ %d × 2^-(16+%d), want %d, %d", c.tau, m, e, c.m, c.e)
		}
	}
	for _, s := range []string{"tau_ns=128", "tau_ns=8388608"} {
		if err := gen.Set(powertcp.Default(), s); err == nil {
			t.Errorf("%s is taken", s)
		}
	}
}

// Every run-time field names a port of its variant, if there is one for it.
func TestSettingsFit(t *testing.T) {
	for _, sets := range shapes {
		p := with(t, sets)
		there := map[string]bool{}
		for _, port := range p.Ports() {
			there[port.Name] = true
		}
		for _, f := range p.Fields() {
			if f.Runtime && !there[f.Port] && f.Port != "" {
				t.Errorf("%s: field %s names port %q", sets, f.Key, f.Port)
			}
		}
	}
}

// The bits of a connection: hops of 23 and 24 bits, in a hop a cycle with room for a
// power of two of them, flags, mark, power and windows.
func TestStateBits(t *testing.T) {
	for _, c := range []struct {
		sets string
		want int
	}{
		{"", 8*(23+24) + 1 + 12 + 3 + 32 + 34 + 2*25},
		{"throughput=ack", 5*(23+24) + 1 + 12 + 3 + 32 + 34 + 2*25},
		{"base_rtt=observed", 20 + 8*(23+24) + 1 + 12 + 3 + 32 + 34 + 2*25},
		{"variant=theta", 20 + 32 + 20 + 1 + 12 + 32 + 34 + 2*25},
		{"hops=1 time_bits=32", 23 + 32 + 1 + 12 + 1 + 32 + 34 + 2*25},
	} {
		sum := 0
		for _, s := range with(t, c.sets).State() {
			sum += s.Bits
		}
		if sum != c.want {
			t.Errorf("%s: %d bits, want %d", c.sets, sum, c.want)
		}
	}
}

// Under auto the memories grow from LUTRAM to BRAM to URAM by their rows; a choice
// overrides.
func TestMemoryKinds(t *testing.T) {
	for _, c := range []struct{ sets, state, record string }{
		{"connections=8", gen.LUTRAM, gen.LUTRAM},
		{"connections=9", gen.LUTRAM, gen.BRAM},
		{"connections=64 throughput=ack", gen.LUTRAM, gen.LUTRAM},
		{"connections=65", gen.BRAM, gen.BRAM},
		{"connections=2048", gen.BRAM, gen.BRAM},
		{"connections=2049", gen.BRAM, gen.URAM},
		{"connections=2049 throughput=ack", gen.BRAM, gen.BRAM},
		{"connections=16385 throughput=ack", gen.URAM, gen.URAM},
		{"connections=65536 state_memory=bram", gen.BRAM, gen.BRAM},
		{"connections=1 state_memory=uram", gen.URAM, gen.URAM},
	} {
		p := with(t, c.sets)
		if p.StateKind() != c.state || p.RecordKind() != c.record {
			t.Errorf("%s: state in %s, records in %s; want %s, %s", c.sets, p.StateKind(), p.RecordKind(), c.state, c.record)
		}
	}
}

// Delays that follow from others.
func TestTiming(t *testing.T) {
	for _, c := range []struct {
		sets   string
		choice int
	}{{"", 1}, {"hops=8", 1}, {"throughput=ack", 3}, {"throughput=ack hops=8", 3}, {"throughput=ack hops=16", 4}, {"throughput=ack hops=4", 2}, {"throughput=ack hops=1", 1},
		{"variant=theta", 0}, {"variant=both", 1}, {"base_rtt=observed", 1}} {
		p := with(t, c.sets)
		want := p.BeatLatency() + powertcp.HopLatency + c.choice + powertcp.AckLatency
		if p.Observes() {
			want += 5
		}
		if p.ChoiceLatency() != c.choice || p.WindowLatency() != want {
			t.Errorf("%s: choice %d, window %d; want %d, %d", c.sets, p.ChoiceLatency(), p.WindowLatency(), c.choice, want)
		}
		for _, name := range p.CounterNames() {
			n := p.CounterLatency(name)
			if late := strings.HasPrefix(name, "clamp"); late != (n == want+1) || name == "not_ready" != (n == powertcp.OfferLatency) || !late && n > p.EventLatency() {
				t.Errorf("%s: counter %s after %d cycles", c.sets, name, n)
			}
		}
	}
}
