// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/bench"
)

var cycles = flag.Uint64("cycles", 40_000, "cycles of a run")

// sets are the configurations of the runs, some of them with numbers that are neither the default nor a power of two; a
// short test has the first one, and another one each turn.
var sets = func() []string {
	odd := map[string]string{
		small + " path=none window=none": " tx_user_bits=21 rx_user_bits=3 addr_bits=19",
		small + " ipv6=false":            " connections=13 ways=3 counter_bits=13 random_seed=12345",
		small + " list=8":                " list=5 evs_bits=13",
		small + lapsSet:                  " destinations=5",
	}
	list := slices.Clone(Configurations)
	for i, set := range list {
		list[i] += odd[set]
		delete(odd, set)
	}
	if len(odd) > 0 {
		panic(fmt.Sprint("no configurations ", odd))
	}
	return list
}()

// bench of a configuration.
func benchOf(t *testing.T, set string) *bench.Bench[*params.Params] {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	b := Unit.Bench(p)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

// The block does what the golden model says, with all of it reached.
func TestRuns(t *testing.T) {
	for i, set := range sets {
		if i > 0 && sample.LeftOut(Unit.Name+"/"+set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			r, err := cosim.Run(t.Context(), benchOf(t, set), cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: *cycles})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cycles, %.0f a second, %v, %v", r.Cycles, r.CyclesPerSecond, r.Coverage, r.Notes)
			if !r.OK() {
				t.Errorf("%s in cycle %d: %s%s", r.Failure.Kind, r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
			}
		})
	}
}

// A lie is a wrong output that a block might give. It reports whether it changed a cycle.
type lie struct {
	name string
	tell func(l *cosim.Layout, in, got []uint64) bool
	want string // in the fault
}

// flip inverts a bit of a port whenever another one is on, for the n-th time.
func flip(port string, bit int, valid string, n int) func(l *cosim.Layout, in, got []uint64) bool {
	return func(l *cosim.Layout, in, got []uint64) bool {
		if on := l.MustSlot(valid); on.Get(got) == 0 {
			return false
		}
		if n--; n != 0 {
			return false
		}
		s := l.MustSlot(port)
		at := int(s.Shift) + bit
		got[s.Word+at/64] ^= 1 << (at % 64)
		return true
	}
}

// flipBeat is flip for a beat that is taken, the last one of a frame if that is asked for.
func flipBeat(stream, port string, bit int, last bool, n int) func(l *cosim.Layout, in, got []uint64) bool {
	f := flip(stream+port, bit, stream+"_tvalid", n)
	return func(l *cosim.Layout, in, got []uint64) bool {
		if l.MustSlot(stream+"_tready").Get(in) == 0 || last && l.MustSlot(stream+"_tlast").Get(got) == 0 {
			return false
		}
		return f(l, in, got)
	}
}

// lies are told by an otherwise right block: the checker has to see each of them.
func lies(p *params.Params) (list []lie) {
	add := func(name string, f func(l *cosim.Layout, in, got []uint64) bool, want string) {
		list = append(list, lie{name, f, want})
	}
	for _, e := range p.TraceEvents() {
		name := "m_trace_" + e.Name
		nowhere := e.Name
		if e.Name == "release" {
			nowhere = "" // it may be of a packet that waits: it shows when others leave
		}
		add(e.Name+" comes from nowhere", func() func(l *cosim.Layout, in, got []uint64) bool {
			n := 400 // cycles after traffic began
			return func(l *cosim.Layout, in, got []uint64) bool {
				if l.MustSlot("s_axis_tx_tvalid").Get(in) == 0 || l.MustSlot(name+"_valid").Get(got) == 1 {
					return false
				}
				if n--; n != 0 {
					return false
				}
				l.MustSlot(name+"_valid").Set(got, 1)
				return true
			}
		}(), nowhere)
		n := 2
		if e.Name == "fail" { // there are few
			n = 1
		}
		if e.Name == "recover" { // it never does
			continue
		}
		add(e.Name+" does not come", flip(name+"_valid", 0, name+"_valid", n), "")
		for _, f := range e.Fields {
			if f.Name == "inv" { // of 14 bits, so the lowest does not matter
				add(e.Name+"."+f.Name, flip(name+"_"+f.Name, 20, name+"_valid", 1), f.Name)
				continue
			}
			want := e.Name
			if f.Name == "dropped" {
				want = "" // it shows when the packet does not leave
			}
			add(e.Name+"."+f.Name, flip(name+"_"+f.Name, 0, name+"_valid", n), want)
		}
	}
	for _, s := range []string{"m_axis_tx", "m_axis_rx"} {
		add(s+": a bit of a byte", flipBeat(s, "_tdata", 8*20, false, 40), "")
		add(s+": shorter by a byte", func() func(l *cosim.Layout, in, got []uint64) bool {
			n := 10
			return func(l *cosim.Layout, in, got []uint64) bool {
				if l.MustSlot(s+"_tvalid").Get(got)&l.MustSlot(s+"_tready").Get(in)&l.MustSlot(s+"_tlast").Get(got) == 0 {
					return false
				}
				if n--; n != 0 {
					return false
				}
				k := l.MustSlot(s + "_tkeep")
				keep := k.Get(got)
				if keep == 1 {
					n = 1
					return false
				}
				k.Set(got, keep>>1)
				return true
			}
		}(), "")
		add(s+": a beat is missing", flipBeat(s, "_tvalid", 0, false, 30), "")
		add(s+": the last beat is not", flipBeat(s, "_tlast", 0, true, 9), "")
	}
	add("m_axis_tx: bad", flipBeat("m_axis_tx", "_tuser", 0, true, 8), "tuser")
	add("m_axis_tx: another tag", flipBeat("m_axis_tx", "_tuser", 3, true, 20), "")
	add("m_axis_rx: bad", flipBeat("m_axis_rx", "_tuser", 0, true, 8), "tuser")
	add("a completion is missing", flip("m_cpl_valid", 0, "m_cpl_valid", 1), "")
	add("another tag in a completion", flip("m_cpl_tag", 0, "m_cpl_valid", 3), "completion")
	return list
}

// The checker sees every lie, and the report has words for it.
func TestLies(t *testing.T) { told(t, small, lies) }

// So it does with LAPS, of what is only there with it.
func TestLiesLAPS(t *testing.T) {
	told(t, small+lapsSet, func(p *params.Params) []lie {
		return slices.DeleteFunc(lies(p), func(x lie) bool {
			if x.name == "lost does not come" || x.name == "lost.timeout" { // not predicted
				return true
			}
			return !slices.ContainsFunc([]string{"measure", "rate", "lost", "send", "m_axis_tx:"}, func(name string) bool { return strings.HasPrefix(x.name, name) })
		})
	})
}

// told tells lies of a configuration's block.
func told(t *testing.T, set string, lies func(*params.Params) []lie) {
	t.Helper()
	b := benchOf(t, set)
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	in, out := record(t.Context(), t, lib, b, 30_000, 1)
	usual := [2][]uint64{in, out}
	// Failures are rare.
	rare := usual
	fails, has := l.Slot("m_trace_fail_valid")
	failed := func(out []uint64) bool {
		for i := 100; has && i < len(out)/l.OutWords; i++ { // after the reset
			if fails.Get(out[i*l.OutWords:]) != 0 {
				return true
			}
		}
		return !has
	}
	for seed := uint64(2); !failed(rare[1]) && seed < 40; seed++ {
		rare[0], rare[1] = record(t.Context(), t, lib, b, 30_000, seed)
	}
	for _, x := range lies(b.P) {
		t.Run(x.name, func(t *testing.T) {
			in, out := usual[0], usual[1]
			if strings.HasPrefix(x.name, "fail") {
				in, out = rare[0], rare[1]
			}
			c, err := New(b.P, l)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]uint64, l.OutWords)
			told, at := false, 0
			for i := 0; i < len(in)/l.InWords; i++ {
				copy(got, out[i*l.OutWords:])
				v := in[i*l.InWords : (i+1)*l.InWords]
				if !told && l.MustSlot("rst").Get(v) == 0 {
					if told = x.tell(l, v, got); told {
						at = i
					}
				}
				err = c.Step(v, got)
				if err != nil {
					break
				}
			}
			if err == nil {
				err = c.End()
			}
			var f *Fault
			switch {
			case !told:
				t.Fatal("it was not told")
			case err == nil:
				t.Fatalf("told in cycle %d, and not seen", at)
			case !errors.As(err, &f) || f.Cycle < uint64(at):
				t.Errorf("told in cycle %d: %v", at, err)
			case !strings.Contains(err.Error(), x.want):
				t.Errorf("%v: want %q in it", err, x.want)
			default:
				t.Log(err)
			}
		})
	}
}

// record runs the block with the bench's stimulus, and returns its inputs and outputs; a conversation has ended at the end.
func record(ctx context.Context, t *testing.T, lib *cosim.Library, b cosim.Bench, n int, seed uint64) (in, out []uint64) {
	t.Helper()
	l := lib.Layout()
	s, err := b.NewStimulus(l, seed)
	if err != nil {
		t.Fatal(err)
	}
	x, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	c, err := New(b.(*bench.Bench[*params.Params]).P, l)
	if err != nil {
		t.Fatal(err)
	}
	rst := l.MustSlot("rst")
	for i := range n {
		v, got := make([]uint64, l.InWords), make([]uint64, l.OutWords)
		s.Next(v)
		if i > 8 && rst.Get(v) == 1 {
			break // the next conversation
		}
		if _, err := x.Run(v, got); err != nil {
			t.Fatal(err)
		}
		s.Hooks().React(got)
		if err := c.Step(v, got); err != nil {
			t.Fatalf("without a lie: %v", err)
		}
		in, out = append(in, v...), append(out, got...)
	}
	if err := c.End(); err != nil {
		t.Fatalf("without a lie: %v", err)
	}
	t.Log(fmt.Sprint(len(in)/l.InWords, " cycles: ", c))
	return in, out
}
