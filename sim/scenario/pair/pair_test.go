// SPDX-License-Identifier: Apache-2.0

package pair_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/scenario/pair"
)

// small is a scenario of some flows of each kind over some paths.
func small(paths int) *pair.Scenario {
	sc := &pair.Scenario{Name: "small", Turn: 600, Access: pair.Link{Rate: pair.LineRate, Delay: 500}, Seed: 7,
		Stop: 100_000, End: 20_000_000, Sample: 10_000}
	for range paths {
		sc.Paths = append(sc.Paths, pair.Link{Rate: pair.LineRate, Delay: 1000, Buffer: 1 << 20})
	}
	for i := range 8 {
		f := pair.Flow{Op: pair.Write, IPv6: i%2 == 1, MTU: 1024, Message: 5000 + 777*i, Window: 32, Timeout: 50_000, Every: 1 + i%3, FirstPSN: uint32(0xFFFFF0 + i)}
		if i%4 < 2 {
			f.Op = pair.Send
		} else if i >= 4 {
			f.Place, f.Every = true, 1
		}
		sc.Flows = append(sc.Flows, f)
	}
	return sc
}

func run(t *testing.T, sc *pair.Scenario, nics [2]pair.NIC, o pair.Options) *pair.Result {
	t.Helper()
	res, err := pair.Run(context.Background(), sc, nics, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func plain() [2]pair.NIC { return [2]pair.NIC{&pair.Plain{}, &pair.Plain{}} }

// Over a network that loses, all messages come whole, and each frame is accounted for: Run tells.
func TestLoss(t *testing.T) {
	sc := small(4)
	for i := range sc.Paths {
		sc.Paths[i].Loss = 0.01
	}
	res := run(t, sc, plain(), pair.Options{})
	for i, f := range res.Flows {
		if f.Messages < 2 || f.Again == 0 || f.Timeouts+f.NAKs == 0 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
		if want := f.Messages * uint64(sc.Flows[i].Message); f.Bytes != want {
			t.Errorf("flow %d: %d bytes in %d messages, want %d", i, f.Bytes, f.Messages, want)
		}
	}
	for host, h := range res.Hosts {
		if h.Dropped[pair.Lost] == 0 || h.Given != h.Sent || res.Hosts[1-host].Landed != h.Taken {
			t.Errorf("host %d: %+v", host, h)
		}
	}
}

// Without loss nothing is sent twice, and the same scenario gives the same result.
func TestClean(t *testing.T) {
	a, b := run(t, small(3), plain(), pair.Options{}), run(t, small(3), plain(), pair.Options{})
	for i, f := range a.Flows {
		if f.Again+f.NAKs+f.Timeouts+f.Duplicate+f.Early != 0 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
	}
	if !reflect.DeepEqual(a.Flows, b.Flows) || !reflect.DeepEqual(a.Samples, b.Samples) {
		t.Error("two runs of one scenario differ")
	}
}

// A packet alone takes the time that the links take, and the hosts.
func TestLatency(t *testing.T) {
	sc := small(1)
	sc.Paths[0].Rate = 3.125
	sc.Flows = []pair.Flow{{Op: pair.Send, MTU: 1024, Message: 1000, Count: 1, Window: 1, Timeout: 50_000, Every: 1}}
	res := run(t, sc, plain(), pair.Options{})
	frame := 14 + 20 + 8 + 12 + 1000 + 4 + pair.Gap
	want := float64(frame)/12.5 + 500 + float64(frame)/3.125 + 1000 + float64(frame)/12.5 + 500 + 600
	if got := res.Flows[0].Median; got < want-0.01 || got > want+0.01 {
		t.Errorf("%v ns, want %v", got, want)
	}
}

// Background load takes its share of a path while it lasts, packets wait behind it, and it ends there: no host receives it. A frame that names a
// nonexistent path is dropped, and accounted for.
func TestOthers(t *testing.T) {
	sc := small(1)
	sc.Flows = []pair.Flow{{Op: pair.Send, MTU: 1024, Message: 1000, Count: 200, Window: 1, Timeout: 500_000, Every: 1}}
	sc.Paths[0].Load = pair.Load{Share: 0.8, Bytes: 1500, From: 100_000, To: 300_000}
	res := run(t, sc, plain(), pair.Options{})
	before, loaded, after := res.Latency(0, 0, 100_000), res.Latency(0, 100_000, 300_000), res.Latency(0, 320_000, res.Took)
	// A queue with Poisson arrivals and frames of one length waits 0.8 / (2 · 0.2) of a frame's time in the mean.
	want := before + 0.8/(2*0.2)*1524/12.5
	t.Logf("%.0f ns before, %.0f while others load the path, want about %.0f, %.0f after; %d frames of others", before, loaded, want, after, res.Forward[0].Others)
	if after < before-1 || after > before+1 || loaded < before+0.5*(want-before) || loaded > before+1.6*(want-before) {
		t.Errorf("%.0f ns before, %.0f while others load the path, want about %.0f, %.0f after", before, loaded, want, after)
	}
	if n, want := float64(res.Forward[0].Others), 0.8*200_000*12.5/1524; n < 0.9*want || n > 1.1*want {
		t.Errorf("%.0f frames of others, want about %.0f", n, want)
	}
	if h := res.Hosts[0]; h.Sent != 200 || h.Landed != 200 || res.Forward[0].Frames != 200 || res.Back[0].Others != 0 {
		t.Errorf("%+v, %+v", h, res.Forward[0])
	}
	for what, l := range map[string]pair.Load{"load": {Share: 1, Bytes: 60}, "load's frames": {Share: 0.5, Bytes: 59}, "from": {From: 2, To: 1}} {
		sc.Paths[0].Load = l
		if err := sc.Check(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// A slow path is filled, and its queue is what does not fit.
func TestBottleneck(t *testing.T) {
	sc := small(1)
	sc.Paths[0].Rate, sc.Paths[0].Mark, sc.Paths[0].Buffer = 3.125, pair.Mark{Low: 10_000, High: 10_000}, 40_000
	sc.Stop = 1_000_000
	res := run(t, sc, plain(), pair.Options{})
	sum := 0.0
	for _, f := range res.Flows {
		sum += float64(f.Bytes)
	}
	if q := res.Forward[0]; q.Longest > 40_000 || q.Longest < 35_000 || q.Marked == 0 || q.Drops == 0 || res.Hosts[0].Dropped[pair.Full] != q.Drops {
		t.Errorf("queue %+v", q)
	}
	var last uint64
	for _, s := range res.Samples {
		for _, b := range s.Sent {
			last += b
		}
		if limit := float64(s.At)*3.125 + 40_000 + float64(res.Forward[0].Drops)*1100; float64(last) > limit {
			t.Fatalf("%d bytes in %d ns, want at most %v", last, s.At, limit)
		}
	}
	if busy := float64(res.Forward[0].Bytes) / float64(res.Samples[len(res.Samples)-1].At) / 3.125; busy < 0.8 {
		t.Errorf("the slow path was busy for %.2f of the time", busy)
	}
	var ce, becn uint64
	for _, f := range res.Flows {
		ce, becn = ce+f.CE, becn+f.BECN
	}
	if ce == 0 || becn != 0 {
		t.Errorf("%d packets came marked, %d ACKs tell so; a plain NIC does not", ce, becn)
	}
}

// sprayer is a NIC that gives each packet another source port.
type sprayer struct {
	pair.Plain
	rng *rand.Rand
}

func (s *sprayer) Host(at agenda.Instant, frame []byte) {
	p, err := roce.Locate(frame)
	if err != nil {
		panic(err)
	}
	binary.BigEndian.PutUint16(frame[p.L4:], 0xC000|uint16(s.rng.IntN(0x4000)))
	if err := roce.Seal(frame); err != nil {
		panic(err)
	}
	s.Plain.Host(at, frame)
}

// ECMP keeps a flow on a path, whatever becomes of it; a NIC that sprays uses all paths.
func TestFailure(t *testing.T) {
	sc, err := pair.New("failure", 3)
	if err != nil {
		t.Fatal(err)
	}
	still := run(t, sc, plain(), pair.Options{})
	used, stuck := 0, 0
	for _, q := range still.Forward {
		if q.Frames > 0 {
			used++
		}
	}
	for _, f := range still.Flows {
		if f.Slowest > float64(sc.Repair-sc.Event) {
			stuck++
		}
	}
	if used == 8 || still.Hosts[0].Dropped[pair.Failed] > 0 && stuck == 0 || still.Hosts[0].Dropped[pair.Failed] == 0 && stuck > 0 {
		t.Errorf("%d paths are used by 8 flows, %d flows wait for the repair, %+v", used, stuck, still.Hosts[0])
	}
	nics := [2]pair.NIC{&sprayer{rng: rand.New(rand.NewPCG(1, 1))}, &sprayer{rng: rand.New(rand.NewPCG(1, 2))}}
	sprayed := run(t, sc, nics, pair.Options{})
	if sprayed.Hosts[0].Dropped[pair.Failed] == 0 || sprayed.Hosts[1].Dropped[pair.Failed] == 0 {
		t.Errorf("drops: %+v", sprayed.Hosts)
	}
	for i, q := range sprayed.Forward {
		if q.Frames < sprayed.Hosts[0].Sent/10 {
			t.Errorf("path %d has %d of %d frames", i, q.Frames, sprayed.Hosts[0].Sent)
		}
	}
	for i, f := range sprayed.Flows {
		if f.Early == 0 || f.NAKs != 0 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
	}
}

// Reordering is loss to a responder that does not place packets in any order.
func TestGoBackN(t *testing.T) {
	sc := small(4)
	sc.Paths[1].Delay = 6000
	nics := [2]pair.NIC{&sprayer{rng: rand.New(rand.NewPCG(1, 1))}, &pair.Plain{}}
	res := run(t, sc, nics, pair.Options{})
	for i, f := range res.Flows {
		if place := sc.Flows[i].Place; !sc.Flows[i].IPv6 && (f.NAKs == 0) != place || f.Early == 0 && !sc.Flows[i].IPv6 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
	}
}

// liar spoils the n-th frame from its host.
type liar struct {
	pair.Plain
	n     int
	spoil func(f []byte) []byte
}

func (l *liar) Host(at agenda.Instant, frame []byte) {
	if l.n--; l.n == 0 {
		frame = l.spoil(frame)
	}
	if frame != nil {
		l.Plain.Host(at, frame)
	}
}

// The hosts detect illegal actions of a NIC.
func TestSpoiled(t *testing.T) {
	at := func(f []byte, n int, x byte, seal bool) []byte {
		f = bytes.Clone(f)
		f[n] ^= x
		if seal {
			if err := roce.Seal(f); err != nil {
				panic(err)
			}
		}
		return f
	}
	for want, spoil := range map[string]func(f []byte) []byte{
		"ICRC":                   func(f []byte) []byte { return at(f, 70, 1, false) },
		"payload are not those":  func(f []byte) []byte { return at(f, 120, 1, true) },
		"want 0x10000":           func(f []byte) []byte { return at(f, 60, 1, true) },
		"beyond the window":      func(f []byte) []byte { return at(f, 14+20+8+10, 1, true) },
		"does not have":          func(f []byte) []byte { return at(f, 14+20+8+7, 0x80, true) },
		"for host 1":             func(f []byte) []byte { return at(f, 14+20+8, 0x1B, true) },
		"ends before the packet": func(f []byte) []byte { return f[:len(f)-4] },
	} {
		sc := small(2)
		sc.Flows = sc.Flows[6:7] // IPv4, WRITE, placed
		sc.Flows[0].FirstPSN = 0
		_, err := pair.Run(context.Background(), sc, [2]pair.NIC{&liar{n: 1, spoil: spoil}, &pair.Plain{}}, pair.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	// One that keeps all frames to itself.
	sc := small(2)
	sc.End = 300_000
	if _, err := pair.Run(context.Background(), sc, [2]pair.NIC{&hole{}, &pair.Plain{}}, pair.Options{}); !errors.Is(err, pair.ErrUnfinished) {
		t.Errorf("want %v, got %v", pair.ErrUnfinished, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pair.Run(ctx, small(2), plain(), pair.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %v", context.Canceled, err)
	}
}

type hole struct{ pair.Plain }

func (*hole) Host(agenda.Instant, []byte) {}

// Captures have all frames, with their ICRC, in order.
func TestCaptures(t *testing.T) {
	res := run(t, small(3), plain(), pair.Options{Capture: true})
	for host := range 2 {
		tx, rx := 0, 0
		for _, p := range capture.Merge(res.Captures[host]) {
			if err := roce.Verify(p.Data); err != nil {
				t.Fatal(err)
			}
			if p.Dir == capture.TX {
				tx++
			} else {
				rx++
			}
		}
		if tx != int(res.Hosts[host].Sent) || rx != int(res.Hosts[1-host].Landed) {
			t.Errorf("host %d: %d and %d frames, %+v", host, tx, rx, res.Hosts)
		}
	}
}

// A scenario's errors are told, all at once.
func TestCheck(t *testing.T) {
	sc := small(1)
	sc.Paths[0].Rate, sc.Turn, sc.Flows[0].MTU, sc.Flows[0].Place = -1, 10, 1001, true
	err := sc.Check()
	for _, want := range []string{"path 0: rate: found -1", "turn", "flow 0: MTU", "flow 0: operation"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in %v", want, err)
		}
	}
	for _, name := range pair.Names {
		sc, err := pair.New(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := sc.Check(); err != nil {
			t.Error(err)
		}
	}
	if _, err := pair.New("other", 1); err == nil {
		t.Error("want an error")
	}
}
