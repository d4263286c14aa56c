// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/powertcp"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// controller makes a controller that is closed after the test.
func controller(t testing.TB, m transport.Model, s powertcp.Settings) powertcp.Controller {
	t.Helper()
	c, err := powertcp.NewController(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := c.(io.Closer); ok {
		t.Cleanup(func() {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return c
}

// lockstep asks two controllers, which must say the same.
type lockstep [2]powertcp.Controller

// Ack implements powertcp.Controller.
func (l lockstep) Ack(a *tbpowertcp.Ack) (powertcp.Window, error) {
	w, err := l[0].Ack(a)
	if err != nil {
		return w, err
	}
	x, err := l[1].Ack(a)
	if err == nil && x != w {
		err = fmt.Errorf("windows %v and %v after %+v", w, x, *a)
	}
	return w, err
}

// both is the RTL in lockstep with the golden model.
func both(t testing.TB, s powertcp.Settings) powertcp.Controller {
	t.Helper()
	return lockstep{controller(t, transport.RTL, s), controller(t, transport.Golden, s)}
}

// unit are the settings of a controller for the hosts of an incast.
func unit(v bottleneck.Variant, p bottleneck.ParameterSet) powertcp.Settings {
	return powertcp.Settings{Settings: bottleneck.NewSettings(v, p), Connections: 11, Hops: 5}
}

type maker = func(h *transport.Host) (transport.Transport, error)

// of are the unit's transports by a model.
func of(t testing.TB, m transport.Model) maker {
	return func(h *transport.Host) (transport.Transport, error) { return powertcp.Transport(t.Context(), m, h) }
}

// around are golden models in hosts, each inside another controller.
func around(t testing.TB, s bottleneck.Settings, wrap func(host int, c powertcp.Controller) powertcp.Controller) maker {
	return func(h *transport.Host) (transport.Transport, error) {
		s := powertcp.Settings{Settings: s, Connections: h.Connections, Hops: 1}
		return powertcp.NewTransport(h, wrap(h.Number, controller(t, transport.Golden, s)), s), nil
	}
}

// play closes a loop.
func play(t testing.TB, sc *bottleneck.Scenario, s bottleneck.Settings, make maker) *bottleneck.Result {
	t.Helper()
	r, err := bottleneck.Run(t.Context(), sc, s.Words(), make, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// figures are the results of an independent simulation of the incast: bytes, ns after
// the burst (0: never), bytes, Gb/s.
type figures struct{ peak, low, mean, throughput float64 }

// drift is a golden model that controls a loop, together with the float64 model. Both read
// the same truncated telemetry; the float64 model keeps its own window and power from the
// first ACK to the last.
type drift struct {
	powertcp.Controller
	*deviations
	p      *params.Params
	set    model.PaperSettings
	theta  bool
	step   func(model.PaperState, model.PaperAck, model.PaperSettings) (model.PaperState, model.PaperResult)
	state  model.PaperState
	window float64 // the golden model's
	old    float64
}

// deviations holds the deviations of all hosts.
type deviations struct {
	acks int
	off  []float64 // of each update: relative error of the window
	one  []float64 // the same if the float64 model had the golden model's windows before the update
}

func newDrift(c powertcp.Controller, s bottleneck.Settings, e *deviations) *drift {
	p := params.Default()
	d := &drift{Controller: c, deviations: e, p: p, step: model.PaperStep, window: s.MaxWindow, old: s.MaxWindow}
	if s.Variant == bottleneck.Theta {
		d.theta, d.step = true, model.PaperThetaStep
	}
	// γ is what the port holds: 0.9 is 58,982/65,536.
	gamma := math.Round(s.Gamma*(1<<model.GammaFrac)) / (1 << model.GammaFrac)
	d.set = model.PaperSettings{Gamma: gamma, Beta: s.Beta, Tau: s.Tau, TargetUtil: s.TargetUtil, LambdaFloor: s.LambdaFloor,
		MinWindow: s.MinWindow, MaxWindow: s.MaxWindow, TxBits: 27, TimeBits: int(p.TimeBits), NowBits: int(p.NowBits)}
	d.state = model.PaperStart(d.set)
	return d
}

// Ack implements powertcp.Controller.
func (d *drift) Ack(a *tbpowertcp.Ack) (powertcp.Window, error) {
	w, err := d.Controller.Ack(a)
	d.acks++
	x := model.PaperAck{Seq: a.Seq, SndNxt: a.SndNxt, Path: uint32(a.Path), RTT: a.RTT, Now: a.Now & (1<<d.p.NowBits - 1)}
	for _, h := range a.Hops {
		q, tx := uint64(d.p.QlenUnit), uint64(d.p.TxUnit)
		x.Hops = append(x.Hops, model.PaperHop{QLen: h.QLen / q * q, Tx: h.Tx / tx * tx & (1<<d.set.TxBits - 1),
			TS: h.TS & (1<<d.set.TimeBits - 1), Rate: fabric.LinkRates[h.Rate]})
	}
	was := d.state
	next, r := d.step(was, x, d.set)
	d.state = next
	if r.Event == model.PaperUpdated || r.Event == model.PaperKept {
		was.Window, was.OldWindow = d.window, d.old
		_, one := d.step(was, x, d.set)
		d.off = append(d.off, math.Abs(w.Bytes-r.Window)/r.Window)
		d.one = append(d.one, math.Abs(w.Bytes-one.Window)/one.Window)
		// INT: a mark that is passed moves.
		if d.theta || next.Marker != was.Marker {
			d.old = w.Bytes
		}
	}
	d.window = w.Bytes
	return w, err
}

// size is the worst and the mean of errors.
func size(errs []float64) (worst, mean float64) {
	for _, e := range errs {
		worst = max(worst, e)
		mean += e / float64(len(errs))
	}
	return worst, mean
}

var names = map[bottleneck.Variant]string{bottleneck.INT: "PowerTCP", bottleneck.Theta: "θ-PowerTCP"}

// label names a run as nicgen sim does.
func label(s bottleneck.Settings) string {
	return fmt.Sprintf("%s, β %g B, target %g", names[s.Variant], s.Beta, s.TargetUtil)
}

// loop is a run of the RTL, and one of the float64 model in a separate loop.
type loop struct {
	name     string
	settings bottleneck.Settings
	rtl      *bottleneck.Result
	float    *bottleneck.Result
}

const (
	loopPage = "powertcp_loop.md"
	docsDir  = "../../../docs/units/"
)

// within reports whether got is within a fraction of want, or an absolute distance.
func within(got, want, fraction, distance float64) bool {
	return math.Abs(got-want) <= max(want*fraction, distance)
}

// TestClosedLoop puts the RTL into the incast and the fairness run, in lockstep with the
// golden model. Every window and rate is equal; the figures match an independent simulation
// as far as the two agree on unspecified details (5 µs of round-trip, pacing), and the
// float64 model's in its own loop; the golden model does not drift from the float64 model
// on the same telemetry. The results make the page.
func TestClosedLoop(t *testing.T) {
	var loops []*loop
	for _, c := range []struct {
		name string
		sets []bottleneck.ParameterSet
	}{{"incast", bottleneck.Sets}, {"fairness", bottleneck.Sets[:2]}} {
		for _, set := range c.sets {
			for _, v := range []bottleneck.Variant{bottleneck.INT, bottleneck.Theta} {
				loops = append(loops, &loop{name: c.name, settings: bottleneck.Settings{Variant: v, Beta: set.Beta, TargetUtil: set.TargetUtil}})
			}
		}
	}
	ok := t.Run("loops", func(t *testing.T) {
		for _, l := range loops {
			t.Run(l.name+"/"+label(l.settings), func(t *testing.T) {
				t.Parallel()
				l.play(t)
			})
		}
	})
	var text strings.Builder
	ok = ok && t.Run("incast", func(t *testing.T) { incast(t, &text, loops[:6]) })
	ok = ok && t.Run("fairness", func(t *testing.T) { fairness(t, &text, loops[6:]) })
	ok = ok && t.Run("own loops", func(t *testing.T) { ownLoops(t, &text, loops) })
	ok = ok && t.Run("drift", func(t *testing.T) { noDrift(t, &text) })
	ok = ok && t.Run("reaction", func(t *testing.T) { reaction(t, &text) })
	ok = ok && t.Run("throughput", func(t *testing.T) { lostThroughput(t, &text) })
	ok = ok && t.Run("steady queue", func(t *testing.T) { steadyQueue(t, &text) })
	ok = ok && t.Run("floor", func(t *testing.T) { floors(t, &text) })
	ok = ok && t.Run("base RTT", func(t *testing.T) { bases(t, &text) })
	if !ok {
		return
	}
	runs := func(l []*loop) (runs []plot.Run) {
		for _, l := range l {
			runs = append(runs, plot.Run{Label: label(l.settings), Result: l.rtl})
		}
		return runs
	}
	reaction, err := plot.Reaction(runs(loops[:2]))
	shares, err2 := plot.Shares(runs(loops[6:8]))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{loopPage, []byte(text.String())}, {"powertcp_incast.svg", reaction}, {"powertcp_fairness.svg", shares}} {
		if benchtest.Updating() {
			if err := os.WriteFile(docsDir+f.name, f.text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(docsDir + f.name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.text) {
			t.Errorf("docs/units/%s is stale, run: go test ./sim/host/powertcp -run ClosedLoop -update", f.name)
			if f.name == loopPage {
				t.Errorf("(-have +want)\n%s", cmp.Diff(string(have), string(f.text)))
			}
		}
	}
}

func (l *loop) play(t *testing.T) {
	sc, err := bottleneck.New(l.name, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.settings = bottleneck.NewSettings(l.settings.Variant, bottleneck.ParameterSet{Beta: l.settings.Beta, TargetUtil: l.settings.TargetUtil})
	l.rtl = play(t, sc, l.settings, of(t, transport.RTL))
	l.float = play(t, sc, l.settings, of(t, transport.Float))
}

func kilo(bytes float64) string { return fmt.Sprintf("%.1f", bytes/1000) }

func micro(ns *uint64) string {
	if ns == nil {
		return "never"
	}
	return fmt.Sprintf("%.1f", float64(*ns)/1000)
}

// incast judges and writes the reaction to the burst. The tolerances are the ones of the
// float64 model's own tests in package sim, which give the reasons.
func incast(t *testing.T, b *strings.Builder, loops []*loop) {
	b.WriteString(loopHead)
	for i, l := range loops {
		r, set := l.rtl, l.settings
		fmt.Fprintf(b, "| %s | %g | %g | RTL | %s | %s | %s | %s | %.2f |\n", names[set.Variant], set.Beta, set.TargetUtil,
			kilo(float64(r.Peak)), micro(&r.PeakAfter), micro(r.DrainedAfter), kilo(r.MeanQueue), r.Throughput)
		want := []figures{{315_000, 239_000, 2_800, 24.8}, {}, {317_000, 256_000, 7_100, 25}, {}, {337_000, 0, 150_000, 25}, {}}[i]
		if want.peak == 0 {
			continue
		}
		low := "never"
		if want.low > 0 {
			low = fmt.Sprintf("%.0f", want.low/1000)
		}
		fmt.Fprintf(b, "| | | | independent | %.0f | | %s | %s | %.1f |\n", want.peak/1000, low, kilo(want.mean), want.throughput)
		const drain, rate = 0.1, 0.01
		if !within(r.MeanQueue, want.mean, 0.1, 1000) {
			t.Errorf("%s: steady mean queue %.0f bytes, want %g ± 10 %% or a packet", label(set), r.MeanQueue, want.mean)
		}
		if !within(float64(r.Peak), want.peak, 0.1, 0) {
			t.Errorf("%s: peak %d bytes, want %g ± 10 %%", label(set), r.Peak, want.peak)
		}
		if (r.DrainedAfter == nil) != (want.low == 0) || r.DrainedAfter != nil && !within(float64(*r.DrainedAfter), want.low, drain, 0) {
			t.Errorf("%s: queue low after %s µs, want %s ± %g %%", label(set), micro(r.DrainedAfter), low, 100*drain)
		}
		if !within(r.Throughput, want.throughput, rate, 0) {
			t.Errorf("%s: throughput %.2f Gb/s, want %g ± %g %%", label(set), r.Throughput, want.throughput, 100*rate)
		}
	}
	for i := 0; i < len(loops); i += 2 {
		if int, theta := loops[i].rtl, loops[i+1].rtl; 10*theta.Peak < 14*int.Peak || theta.Peak > 2*int.Peak {
			t.Errorf("%s: peak %d bytes, want 1.4 to 2 times PowerTCP's %d", label(loops[i+1].settings), theta.Peak, int.Peak)
		}
	}
	b.WriteString(incastNote)
}

// fairness judges and writes how flows that come and go share the link.
func fairness(t *testing.T, b *strings.Builder, loops []*loop) {
	for _, l := range loops {
		for _, p := range l.rtl.Phases {
			fmt.Fprintf(b, "| %s | %g | %g | %g | %d | %.4f | %.2f | %.2f | %.2f | %s |\n", names[l.settings.Variant], l.settings.Beta, l.settings.TargetUtil,
				float64(p.From)/1e6, p.Flows, p.Jain, p.Throughput, p.Slowest, p.Fastest, kilo(p.MeanQueue))
			least := map[bottleneck.Variant]float64{bottleneck.INT: 0.999, bottleneck.Theta: 0.99}[l.settings.Variant]
			if p.Jain < least {
				t.Errorf("%s: Jain index %.4f of the %d flows from %d ns on, want %g at least", label(l.settings), p.Jain, p.Flows, p.From, least)
			}
		}
	}
	b.WriteString(fairnessNote)
}

// ownLoops compares each run with the float64 model's run from the same start with full
// telemetry.
func ownLoops(t *testing.T, b *strings.Builder, loops []*loop) {
	for _, l := range loops {
		r, f := l.rtl, l.float
		// With fairness the peak belongs to a flow that joins after the loops have run separately for at least
		// 4 ms.
		peak := map[string]float64{"incast": 0.02, "fairness": 0.1}[l.name]
		for _, x := range []struct {
			what      string
			got, want float64
			fraction  float64
			distance  float64
		}{
			{"peak queue, bytes", float64(r.Peak), float64(f.Peak), peak, 1000},
			{"steady mean queue, bytes", r.MeanQueue, f.MeanQueue, 0.05, 500},
			{"steady throughput, Gb/s", r.Throughput, f.Throughput, 0.01, 0},
		} {
			if !within(x.got, x.want, x.fraction, x.distance) {
				t.Errorf("%s, %s: %s %g, the float64 model has %g", l.name, label(l.settings), x.what, x.got, x.want)
			}
		}
		for i, p := range r.Phases {
			if q := f.Phases[i]; l.name == "fairness" && (!within(p.Throughput, q.Throughput, 0.05, 0) || !within(p.Jain, q.Jain, 0, 0.01)) {
				t.Errorf("fairness, %s: from %d ns on %.2f Gb/s with index %.4f, the float64 model has %.2f with %.4f", label(l.settings), p.From, p.Throughput, p.Jain, q.Throughput, q.Jain)
			}
		}
		if l.name != "incast" {
			continue
		}
		if (r.DrainedAfter == nil) != (f.DrainedAfter == nil) || r.DrainedAfter != nil && !within(float64(*r.DrainedAfter), float64(*f.DrainedAfter), 0.05, 0) {
			t.Errorf("%s: queue low after %s µs, the float64 model has %s", label(l.settings), micro(r.DrainedAfter), micro(f.DrainedAfter))
		}
		fmt.Fprintf(b, "| %s | %g | %g | %s / %s | %s / %s | %s / %s | %.2f / %.2f |\n", names[l.settings.Variant], l.settings.Beta, l.settings.TargetUtil,
			kilo(float64(r.Peak)), kilo(float64(f.Peak)), micro(r.DrainedAfter), micro(f.DrainedAfter), kilo(r.MeanQueue), kilo(f.MeanQueue), r.Throughput, f.Throughput)
	}
	b.WriteString(ownNote)
}

// noDrift compares the float64 model with the golden model over long runs: an incast of
// which the flows stay, and one in which six flows join and leave.
func noDrift(t *testing.T, b *strings.Builder) {
	long := bottleneck.Incast(10, 1)
	long.End = 40_000_000
	for i := range long.Flows {
		long.Flows[i].Stop = long.End
	}
	exponent := func(x float64) string { return fmt.Sprintf("2^%.1f", math.Log2(x)) }
	for _, sc := range []*bottleneck.Scenario{long, bottleneck.Fairness(6, 1)} {
		for _, set := range bottleneck.Sets {
			for _, v := range []bottleneck.Variant{bottleneck.INT, bottleneck.Theta} {
				s, d := bottleneck.NewSettings(v, set), &deviations{}
				play(t, sc, s, around(t, s, func(_ int, c powertcp.Controller) powertcp.Controller { return newDrift(c, s, d) }))
				n := len(d.off)
				if d.acks < 100_000 || n < 100 {
					t.Fatalf("%s, %s: %d ACKs and %d updates, want 100000 ACKs", sc.Name, label(s), d.acks, n)
				}
				one, _ := size(d.one)
				worst, mean := size(d.off)
				if one > 1.0/(1<<10) {
					t.Errorf("%s, %s: an update is off by %s, allowed: 2^-10", sc.Name, label(s), exponent(one))
				}
				if worst > 1.0/(1<<7) {
					t.Errorf("%s, %s: a window is off by %s, allowed: 2^-7", sc.Name, label(s), exponent(worst))
				}
				growth := "|"
				if sc == long { // the same flows from the first tenth to the last
					w0, m0 := size(d.off[:n/10])
					w9, m9 := size(d.off[n-n/10:])
					if w9 > 1.5*w0 || m9 > 1.5*m0 {
						t.Errorf("%s: worst %s and mean %s of the last tenth after %s and %s of the first: errors grow", label(s), exponent(w9), exponent(m9), exponent(w0), exponent(m0))
					}
					growth = fmt.Sprintf("%s, %s | %s, %s", exponent(w0), exponent(m0), exponent(w9), exponent(m9))
				}
				fmt.Fprintf(b, "| %s | %s | %g | %g | %d | %d | %s | %s, %s | %s |\n", sc.Name, names[v], set.Beta, set.TargetUtil, d.acks, n,
					exponent(one), exponent(worst), exponent(mean), growth)
			}
		}
	}
	b.WriteString(driftNote)
}

// An RTL that computes with another setting than the golden model is found out at
// the first window that shows it.
func TestClosedLoopDiffers(t *testing.T) {
	for _, v := range []bottleneck.Variant{bottleneck.INT, bottleneck.Theta} {
		s := bottleneck.NewSettings(v, bottleneck.Sets[0])
		other := s
		other.Beta++
		_, err := bottleneck.Run(t.Context(), bottleneck.Incast(10, 1), s.Words(), func(h *transport.Host) (transport.Transport, error) {
			if h.Number != 3 {
				return powertcp.Transport(t.Context(), transport.Golden, h)
			}
			p, q := unit(v, bottleneck.Sets[0]), unit(v, bottleneck.Sets[0])
			q.Settings = other
			return transport.Lockstep(powertcp.NewTransport(h, controller(t, transport.RTL, p), p), "rtl",
				powertcp.NewTransport(h, controller(t, transport.Golden, q), q), "golden"), nil
		}, nil)
		var d *transport.Difference
		if !errors.As(err, &d) || d.Said[0].(transport.Grant).Window == d.Said[1].(transport.Grant).Window || d.Events == 0 || !strings.Contains(err.Error(), "host 3") {
			t.Errorf("%s: %v, want two windows of host 3 that differ", v, err)
		}
	}
}

// ACKs as no loop has them: of every connection and path, with any number of hops,
// unknown link rates, samples that come twice, and none.
func TestControllerAnyAck(t *testing.T) {
	for _, v := range []bottleneck.Variant{bottleneck.INT, bottleneck.Theta} {
		t.Run(string(v), func(t *testing.T) {
			t.Parallel()
			s := unit(v, bottleneck.Sets[0])
			s.Connections, s.Hops = 256, 5
			c := both(t, s)
			r := rand.New(rand.NewPCG(1, 0))
			var now, tx uint64
			var seq uint32
			seen := map[float64]bool{}
			for range 5000 {
				now, tx, seq = now+r.Uint64N(20_000), tx+r.Uint64N(60_000), seq+uint32(r.IntN(3000))
				a := tbpowertcp.Ack{Conn: uint32(r.IntN(3) * r.IntN(128)), Seq: seq, SndNxt: seq + 10_000, Path: uint16(r.IntN(2)) << r.IntN(16),
					RTT: r.Uint64N(40_000) >> r.IntN(16), Now: now}
				for range r.IntN(6) {
					a.Hops = append(a.Hops, tbpowertcp.Hop{QLen: r.Uint64N(200_000), Tx: tx, TS: now / 16384 * 16384, Rate: r.IntN(8)})
				}
				w, err := c.Ack(&a)
				if err != nil {
					t.Fatal(err)
				}
				seen[w.Bytes] = true
			}
			if len(seen) < 100 {
				t.Errorf("%d different windows, want 100 at least", len(seen))
			}
		})
	}
}

// Values beyond the width of a port: times and counts wrap, a queue length or round-trip
// time saturates.
func TestControllerCuts(t *testing.T) {
	hop := func(q, tx, ts uint64) tbpowertcp.Ack {
		return tbpowertcp.Ack{Hops: []tbpowertcp.Hop{{QLen: q, Tx: tx, TS: ts}}}
	}
	rtt := func(rtt, now uint64) tbpowertcp.Ack { return tbpowertcp.Ack{RTT: rtt, Now: now} }
	const time, tx, queue, round, now = 1 << 24, 128 << 20, 80 * (1<<17 - 1), 1<<20 - 1, 1 << 32
	for _, c := range []struct {
		name    string
		variant bottleneck.Variant
		a, b    [2]tbpowertcp.Ack
		equal   bool
	}{
		{"time and bytes wrap", bottleneck.INT, [2]tbpowertcp.Ack{hop(0, 0, 0), hop(800, 6400, 1000)},
			[2]tbpowertcp.Ack{hop(0, tx-6400, time-500), hop(800, 3*tx, 5*time+500)}, true},
		{"bytes do not", bottleneck.INT, [2]tbpowertcp.Ack{hop(0, 0, 0), hop(800, 6400, 1000)}, [2]tbpowertcp.Ack{hop(0, tx-6400, 0), hop(800, tx+6400, 1000)}, false},
		{"queue at its end", bottleneck.INT, [2]tbpowertcp.Ack{hop(queue, 0, 0), hop(queue, 128, 1000)}, [2]tbpowertcp.Ack{hop(queue+1e6, 0, 0), hop(queue<<20, 128, 1000)}, true},
		{"round-trip time at its end, time wraps", bottleneck.Theta, [2]tbpowertcp.Ack{rtt(5000, 0), rtt(round, 100_000)},
			[2]tbpowertcp.Ack{rtt(5000, now-50_000), rtt(round+5001, 3*now+50_000)}, true},
		{"no round-trip time", bottleneck.Theta, [2]tbpowertcp.Ack{rtt(5000, 0), rtt(6000, 100_000)}, [2]tbpowertcp.Ack{rtt(5000, 0), rtt(0, 100_000)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := unit(c.variant, bottleneck.Sets[0])
			var got [2]powertcp.Window
			for i, acks := range [][2]tbpowertcp.Ack{c.a, c.b} {
				x := both(t, s)
				for _, a := range acks {
					var err error
					if got[i], err = x.Ack(&a); err != nil {
						t.Fatal(err)
					}
				}
			}
			if (got[0] == got[1]) != c.equal {
				t.Errorf("windows %v and %v, want equal: %t", got[0], got[1], c.equal)
			}
		})
	}
}

// Settings and ACKs that the unit does not have a place for are refused in words.
func TestControllerRefuses(t *testing.T) {
	first := unit(bottleneck.INT, bottleneck.Sets[0])
	for _, c := range []struct {
		name  string
		model transport.Model
		set   func(s *powertcp.Settings)
		want  string // ends the error
	}{
		{"model", "fluid", func(*powertcp.Settings) {}, `sim/host/powertcp: model: found "fluid", allowed: float, golden or rtl`},
		{"variant", transport.Golden, func(s *powertcp.Settings) { s.Variant = "both" }, `variant: found "both", allowed: int or theta`},
		{"part of a byte", transport.RTL, func(s *powertcp.Settings) { s.Beta = 543.5 }, "beta: found 543.5, allowed: a whole number of bytes"},
		{"not a number", transport.Golden, func(s *powertcp.Settings) { s.Gamma = math.NaN() }, "gamma: found NaN, allowed: a whole number of millionths"},
		{"two", transport.Golden, func(s *powertcp.Settings) { s.Tau, s.MaxWindow = 0.5, math.Inf(1) },
			"tau: found 0.5, allowed: a whole number of ns\nmaximum window: found +Inf, allowed: a whole number of bytes"},
		{"range", transport.RTL, func(s *powertcp.Settings) { s.TargetUtil = 0.5 }, "powertcp.target_utilisation_ppm: found 500000, allowed: a whole number from 510000 to 1000000"},
		{"hops", transport.Golden, func(s *powertcp.Settings) { s.Hops = 17 }, "powertcp.hops: found 17, allowed: a whole number from 1 to 16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := first
			c.set(&s)
			if x, err := powertcp.NewController(t.Context(), c.model, s); x != nil || err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("controller %v, error %v, want one that ends in %q", x, err, c.want)
			}
		})
	}
	for _, m := range []transport.Model{transport.Golden, transport.RTL} {
		x := controller(t, m, first)
		for _, c := range []struct {
			ack  tbpowertcp.Ack
			want string
		}{
			{tbpowertcp.Ack{Conn: 11}, "connection: found 11, allowed: 0 to 10"},
			{tbpowertcp.Ack{Hops: make([]tbpowertcp.Hop, 6)}, "hops: found 6, allowed: 0 to 5"},
			{tbpowertcp.Ack{Hops: []tbpowertcp.Hop{{}, {Rate: 8}}}, "hop 1: link-rate code: found 8, allowed: 0 to 7"},
		} {
			if _, err := x.Ack(&c.ack); err == nil || err.Error() != c.want {
				t.Errorf("%s: error %v, want %s", m, err, c.want)
			}
		}
	}
}

// The text of the page between the tables.
const (
	loopHead = `<!-- written by: go test ./sim/host/powertcp -run ClosedLoop -update -->

# powertcp in a closed loop

One link of 25 Gb/s, packets of 1,000 bytes, a round-trip time of 5 µs, τ 28.96 µs, γ 0.9, windows of 1,000 to 90,500
bytes. A sender sends when its window and its pacing rate allow it. The windows come from the **RTL** in its default
configuration, with assertions attached: an ACK enters at the ports, and the clock runs until its answer comes out. The
golden model computes each window again; the run fails unless every window and every rate is equal. The network is that of the
[simulator](../network.md): a switch, a host with a device of its own for each sender, cables of 1.08 µs, acknowledgements of 64
bytes, and a queue that takes all that comes. The same runs from the command line:

` + "```" + `
nicgen sim incast   --svg incast.svg   --csv incast.csv
nicgen sim fairness --svg fairness.svg --csv fairness.csv
` + "```" + `

## Incast

A long flow, and ten that start together 0.5 ms later (PowerTCP, Fig. 2.4). The authors made their figures with target 0.95
and β 543 bytes, which is their simulator's 150 Mb/s × τ. 9,050 bytes is the host bandwidth × τ / 10 of their text. Times
count from the burst; *steady* is 1 to 3 ms after it. The *independent* rows come from another, simpler floating-point
simulation of the same algorithms. A queue is what waits: the packet that is being sent is not counted.

![Queue, throughput and windows of PowerTCP and θ-PowerTCP after a burst of ten flows](powertcp_incast.svg)

| | β, B | target | | peak queue, KB | peak after, µs | below 20 KB after, µs | steady mean queue, KB | steady throughput, Gb/s |
|---|---|---|---|---|---|---|---|---|
`
	incastNote = `
θ-PowerTCP detects the burst only when delayed packets are acknowledged, and then reacts once a round trip (decision T2): its
peak is 1.5 to 2 times PowerTCP's. [Below](#reaction-interval-of-θ-powertcp) are the same with a window for every ACK, and what
the first ACK does.

A host's pacer keeps the gap behind a packet that it had when the packet left. With a pacer that lets a higher rate shorten a gap
that has begun, the first row has 24.97 Gb/s and 2.2 KB; no other one changes by as much.

## Fairness

Four flows that join one by one and leave in the same order, 4 ms apart (PowerTCP, Fig. 2.5), measured over the second
half of each 4 ms.

![Throughput of four flows that join and leave, PowerTCP and θ-PowerTCP](powertcp_fairness.svg)

| | β, B | target | from, ms | flows | Jain index | throughput, Gb/s | slowest flow | fastest flow | mean queue, KB |
|---|---|---|---|---|---|---|---|---|---|
`
	fairnessNote = `
With target 0.95, a lone θ-PowerTCP flow settles at a window of β/(1 - 0.95), which does not fill the link: only β makes a
window grow, and without a queue round-trip times do not show how full a link is.

## RTL and floating point in separate loops

Each cell is RTL / float64 model. After the first windows that differ, the two runs see different packets. The float64 model
reads telemetry that is not truncated to units of 80 and 128 bytes.

| | β, B | target | peak queue, KB | below 20 KB after, µs | steady mean queue, KB | steady throughput, Gb/s |
|---|---|---|---|---|---|---|
`
	ownNote = `
## Drift

The golden model controls the loop for 40 ms and more. The float64 model runs beside it on the same telemetry, with windows
and powers of its own that are never corrected. *One update* is the worst relative error of a window if the float64 model
starts each update from the golden model's windows. The other columns are the worst and the mean error of its own windows,
over the whole run and over its first and last tenth.

| | | β, B | target | ACKs | updates | one update | all | first tenth | last tenth |
|---|---|---|---|---|---|---|---|---|---|
`
	driftNote = `
In these loops errors do not grow with time. They exceed those of one update where β is small against the window: the equilibrium is at
window·(1 - target/Γ) = β, so a relative error of one update moves it by window/β times as much. PowerTCP paces at
window/28.96 µs, so each of two flows that share the link has a window of 45 KB, 83 times 543 bytes. In a loop the same error
shifts the queue instead, by 2⁻¹³ · b·τ or 11 bytes for an error of 2⁻¹³. The float64 model beside the loop does not
influence the queue, so its windows show the error in full.

## Reaction interval of θ-PowerTCP

Means over five seeds of the incast by the golden model, β 543 bytes. The Jain index is that of all flows after the burst.

| what θ-PowerTCP does | target | peak queue, KB | below 20 KB after, µs | steady mean queue, KB | steady throughput, Gb/s | Jain index |
|---|---|---|---|---|---|---|
`
)
