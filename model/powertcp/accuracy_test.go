// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	params "github.com/nicgen/nicgen/gen/powertcp"
)

var updateTable = flag.Bool("update", false, "write docs/units/powertcp_accuracy.md anew")

const accuracyPage = "../../docs/units/powertcp_accuracy.md"

// accuracyAcks is the number of random ACKs of each algorithm.
const accuracyAcks = 10_000_000

// bound is the largest error of a window, relative to the window.
const bound = 1.0 / (1 << 10)

// links are the rates of the accuracy runs, in Mb/s.
var links = []int64{10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000}

// wide returns a configuration that can express every case: bytes for units.
func wide(variant string, tau, gamma, target int64) *params.Params {
	p := params.Default()
	p.Variant, p.Hops, p.Connections = variant, 8, 1
	p.QlenBits, p.QlenUnit, p.TxBits, p.TxUnit, p.TimeBits = 25, 1, 32, 1, 24
	p.TauNS, p.GammaPPM, p.TargetPPM = tau, gamma, target
	clear(p.LinkRatesMbps[:])
	copy(p.LinkRatesMbps[:], links)
	return p
}

// logUniform draws between lo and hi, each octave as often as another.
func logUniform(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Exp(r.Float64()*math.Log(hi/lo))
}

// errorSet collects relative errors by size: powers of two from 2^0 down.
type errorSet struct {
	n      int
	octave [40]int // octave[i]: errors from 2^-i on, below 2^-(i-1)
	worst  float64
	where  string
}

func (e *errorSet) add(err float64, where func() string) {
	e.n++
	if err > e.worst {
		e.worst, e.where = err, where()
	}
	i := len(e.octave) - 1
	if err > 0 {
		i = min(i, max(0, int(math.Ceil(-math.Log2(err)))))
	}
	e.octave[i]++
}

func (e *errorSet) merge(o *errorSet) {
	e.n += o.n
	for i, n := range o.octave {
		e.octave[i] += n
	}
	if o.worst > e.worst {
		e.worst, e.where = o.worst, o.where
	}
}

// above returns the smallest i such that no more than share of the errors are at or
// above 2^-i.
func (e *errorSet) above(share float64) int {
	sum := 0
	for i, n := range e.octave {
		if sum += n; float64(sum) > share*float64(e.n) {
			return i - 1
		}
	}
	return len(e.octave)
}

// settingsOf returns the float64 model's settings for a configuration. γ has the value of the port:
// 0.9 is 58,982/65,536.
func settingsOf(p *params.Params) PaperSettings {
	return PaperSettings{
		Gamma: float64(p.PortValues()["cfg_gamma"]) / (1 << GammaFrac), Beta: float64(p.BetaBytes), Tau: float64(p.TauNS),
		TargetUtil: float64(p.TargetPPM) / 1e6, LambdaFloor: float64(p.FloorPPM) / 1e6,
		MinWindow: float64(p.MinWindowBytes), MaxWindow: float64(p.MaxWindowBytes),
		Observed: p.Observes(), TxBits: int(p.TxBits), TimeBits: int(p.TimeBits), NowBits: int(p.NowBits),
	}
}

// scramble gives connection 0 a random state as it may occur.
func (u *Unit) scramble(r *rand.Rand, s PaperSettings) *conn {
	c := &u.conns[0]
	c.power = uint64(logUniform(r, 0.5, 255*s.TargetUtil) / s.TargetUtil * (1 << PowerFrac))
	draw := func() uint32 { return uint32(logUniform(r, s.MinWindow, s.MaxWindow) * (1 << WindowFrac)) }
	c.window, c.old = draw(), draw()
	return c
}

// stateOf returns a connection's state as the float64 model writes it. Its powers are
// relative to the link, the hardware's to the target.
func stateOf(c *conn, s PaperSettings) PaperState {
	st := PaperState{
		Have: c.have, Power: float64(c.power) / (1 << PowerFrac) * s.TargetUtil,
		Window: float64(c.window) / (1 << WindowFrac), OldWindow: float64(c.old) / (1 << WindowFrac),
		Marker: c.mark, Path: c.path, N: c.count,
		Tau: float64(c.tau), PrevRTT: uint64(c.rtt), PrevNow: c.sent,
	}
	return st
}

// expect returns the window of the float64 model with power saturated as in hardware.
func expect(st PaperState, norm, span, tau float64, s PaperSettings) float64 {
	limit := float64(normMax) / (1 << NormFrac) * s.TargetUtil
	st.Power = smooth(st.Power, min(norm, limit), min(span, tau), tau)
	return min(max(update(st, s), s.MinWindow), s.MaxWindow)
}

// TestAccuracyINT compares each update of the window with the float64 model of
// the resolved algorithm, from the same state.
func TestAccuracyINT(t *testing.T) { accuracyINT(t, "INT", accuracyAcks, params.Setting) }

// TestAccuracyObserved does the same where the base RTT is observed (P20): the table's base RTT
// differs, and the smaller of the ACK's RTT and the connection's base RTT counts.
func TestAccuracyObserved(t *testing.T) {
	accuracyINT(t, "INT, observed", accuracyAcks/10, params.Observed)
}

func accuracyINT(t *testing.T, name string, acks int, base string) {
	var all, other errorSet
	parallel(t, acks, func(r *rand.Rand, n int, report func(*errorSet, *errorSet)) {
		var e, o errorSet
		for n > 0 {
			p := wide(params.INT, 5000+r.Int64N(45001), 100_000+r.Int64N(900_001), 900_000+r.Int64N(100_001))
			host := float64(links[r.IntN(len(links))]) / 8000
			p.MaxWindowBytes, p.BetaBytes = int64(host*float64(p.TauNS)), r.Int64N(20_000)
			p.BaseRTT = base
			s := settingsOf(p)
			u := New(p)
			for range min(n, 500) {
				n--
				c := u.scramble(r, s)
				count := 1 + r.IntN(8)
				c.have, c.theta, c.count, c.path = true, false, count, 0
				a := Ack{HopCnt: count, Hops: make([]Hop, count)}
				pa := PaperAck{Hops: make([]PaperHop, count)}
				tau := s.Tau
				if s.Observed {
					c.tau = uint32(5000 + r.Int64N(45_001))
					a.RTTValid, a.RTT = true, uint32(5000+r.Int64N(95_001))
					pa.RTT, tau = uint64(a.RTT), float64(min(c.tau, a.RTT))
				}
				st := stateOf(c, s)
				for i := range count {
					code := r.IntN(len(links))
					b := float64(links[code]) / 8000
					dt := uint64(logUniform(r, 10, 100_000))
					q := uint32(logUniform(r, 1, 1<<25)) - 1
					arrived := int64(b * float64(dt) * logUniform(r, 0.01, 64))
					was := uint32(max(0, int64(q)-r.Int64N(max(1, min(arrived, int64(q))+1))))
					if r.IntN(4) == 0 { // it drains
						was = min(q+uint32(b*float64(dt)*r.Float64()), 1<<25-1)
					}
					sent := max(0, min(arrived-(int64(q)-int64(was)), 1<<31))
					tx, ts := r.Uint32(), r.Uint32()&(1<<24-1)
					prev := Hop{Qlen: was, Tx: tx, Time: ts}
					c.hops[i] = u.record(&prev)
					st.Prev[i] = PaperHop{QLen: uint64(was), Tx: uint64(tx), TS: uint64(ts), Rate: b}
					now := Hop{Qlen: q, Tx: tx + uint32(sent), Time: (ts + uint32(dt)) & (1<<24 - 1), Link: u.Links[code]}
					a.Hops[i] = now
					pa.Hops[i] = PaperHop{QLen: uint64(q), Tx: uint64(now.Tx), TS: uint64(now.Time), Rate: b}
				}
				got := u.Ack(&a)
				_, want := PaperStep(st, pa, s)
				into := &e
				if got.Hop != want.Hop { // two hops with the same power except for rounding
					into = &o
					pick := st
					pick.N, pick.Prev[0] = 1, st.Prev[got.Hop]
					norm := want.Norm
					if _, want = PaperStep(pick, PaperAck{Hops: pa.Hops[got.Hop : got.Hop+1], RTT: pa.RTT}, s); want.Norm < min(norm, 256*s.TargetUtil)*(1-bound) {
						t.Errorf("hop %d was taken with power %v, hop %d has %v", got.Hop, want.Norm, want.Hop, norm)
					}
				}
				dt := float64(modulo(pa.Hops[got.Hop].TS-st.Prev[got.Hop].TS, 24))
				w := expect(st, want.Norm, dt, tau, s)
				g := float64(got.Window) / (1 << WindowFrac)
				into.add(math.Abs(g-w)/w, func() string {
					return fmt.Sprintf("window %.2f, want %.2f: tau %v, power %v → %v, norm %v (%v), hop %+v after %+v", g, w, tau, st.Power,
						float64(got.Power)/(1<<NormFrac)*s.TargetUtil, float64(got.Norm)/(1<<NormFrac)*s.TargetUtil, want.Norm, pa.Hops[got.Hop], st.Prev[got.Hop])
				})
			}
		}
		report(&e, &o)
	}, &all, &other)
	check(t, name, &all, &other)
}

// TestAccuracyTheta does the same for θ-PowerTCP.
func TestAccuracyTheta(t *testing.T) {
	var all, other errorSet
	parallel(t, accuracyAcks, func(r *rand.Rand, n int, report func(*errorSet, *errorSet)) {
		var e, o errorSet
		for n > 0 {
			p := wide(params.Theta, 50_000, 100_000+r.Int64N(900_001), 900_000+r.Int64N(100_001))
			host := float64(links[r.IntN(len(links))]) / 8000
			p.MaxWindowBytes, p.BetaBytes = int64(host*50_000), r.Int64N(20_000)
			s := settingsOf(p)
			u := New(p)
			for range min(n, 500) {
				n--
				c := u.scramble(r, s)
				c.have, c.theta, c.path = true, true, 0
				c.old = c.window // every update closes a round-trip
				c.tau = uint32(5000 + r.Int64N(45_001))
				c.rtt = uint32(logUniform(r, float64(c.tau), 1<<20-1))
				c.sent = uint64(r.Uint32())
				st := stateOf(c, s)
				dt := uint64(logUniform(r, 10, 100_000))
				change := logUniform(r, 1e-3, 4) * float64(dt)
				if r.IntN(2) == 0 {
					change = -min(change, float64(c.rtt-c.tau))
				}
				rtt := uint32(min(float64(c.rtt)+change, 1<<20-1))
				a := Ack{Theta: true, RTTValid: true, RTT: rtt, Now: c.sent + dt, Seq: c.mark}
				got := u.Ack(&a)
				_, want := PaperThetaStep(st, PaperAck{RTT: uint64(rtt), Now: modulo(a.Now, int(p.NowBits)), Seq: a.Seq}, s)
				tau := min(st.Tau, float64(rtt))
				w := expect(st, want.Norm, float64(dt), tau, s)
				g := float64(got.Window) / (1 << WindowFrac)
				e.add(math.Abs(g-w)/w, func() string {
					return fmt.Sprintf("window %.2f, want %.2f: RTT %d → %d in %d ns, τ %v, norm %v want %v", g, w, st.PrevRTT, rtt, dt, tau,
						float64(got.Norm)/(1<<NormFrac)*s.TargetUtil, want.Norm)
				})
			}
		}
		report(&e, &o)
	}, &all, &other)
	check(t, "θ", &all, &other)
}

// parallel shares n ACKs among a fixed number of seeded generators.
func parallel(t *testing.T, n int, run func(r *rand.Rand, n int, report func(all, other *errorSet)), all, other *errorSet) {
	const parts = 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range parts {
		wg.Go(func() {
			run(rand.New(rand.NewPCG(1, uint64(i))), n/parts, func(a, o *errorSet) {
				mu.Lock()
				defer mu.Unlock()
				all.merge(a)
				other.merge(o)
			})
		})
	}
	wg.Wait()
}

// table collects the rows of the page in the order of the tests.
var table = map[string]string{}

func check(t *testing.T, name string, all, other *errorSet) {
	t.Helper()
	t.Logf("%s: %d ACKs, worst 2^%.2f; 99.9 %% below 2^-%d, median below 2^-%d; %d with another hop of equal power, worst 2^%.2f\n%s",
		name, all.n+other.n, math.Log2(all.worst), all.above(0.001), all.above(0.5), other.n, math.Log2(other.worst), all.where)
	if worst := max(all.worst, other.worst); worst > bound {
		t.Errorf("%s: a window is off by 2^%.2f, allowed: 2^-10", name, math.Log2(worst))
	}
	table[name] = fmt.Sprintf("| %s | %d | 2^%.1f | 2^-%d | 2^-%d | %d |", name, all.n+other.n, math.Log2(max(all.worst, other.worst)), all.above(0.001), all.above(0.5), other.n)
}

// TestAccuracyPage compares the page with the measurements of the tests before it.
func TestAccuracyPage(t *testing.T) {
	for _, name := range []string{"INT", "INT, observed", "θ"} {
		if table[name] == "" {
			t.Fatalf("no figures for %s: this test needs TestAccuracyINT and TestAccuracyTheta, run: go test ./model/powertcp -run Accuracy", name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- written by: go test ./model/powertcp -run Accuracy -update -->\n\n"+
		"# Accuracy of powertcp\n\nRelative error of the window of one update against float64 arithmetic from the same state, over random ACKs:\n"+
		"links of 10 to 800 Gb/s, dt from 10 ns to 100 µs, queues up to 32 MB, arrivals of 0.01 to 64 times the link's rate\n"+
		"and draining queues, τ from 5 to 50 µs, γ from 0.1 to 1, target utilisation from 0.9 to 1, β up to 20 kB, 1 to 8\n"+
		"hops. If the powers of two hops differ only by rounding, both computations use the hardware's bottleneck.\n\n"+
		"| | ACKs | worst | 99.9 %% below | half below | another hop |\n|---|---|---|---|---|---|\n%s\n%s\n%s\n", table["INT"], table["INT, observed"], table["θ"])
	if *updateTable {
		if err := os.WriteFile(accuracyPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(accuracyPage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), b.String()); diff != "" {
		t.Errorf("%s is stale (-have +want), run: go test ./model/powertcp -run Accuracy -update\n%s", accuracyPage, diff)
	}
}
