// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"sync"
	"testing"
)

// The first mistake is kept, and nothing happens after it.
func TestSimErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(m *Sim)
		want string
	}{
		{"unknown input", func(m *Sim) { m.Set("upp", 1) }, `module counter has no input "upp", its inputs are rst, up`},
		{"output set", func(m *Sim) { m.Set("count", 1) }, `module counter has no input "count", its inputs are rst, up`},
		{"too large", func(m *Sim) { m.Set("up", 2) }, "input up of module counter has 1 bits: value [0x2] does not fit"},
		{"too wide", func(m *Sim) { m.SetWide("up", 1, 1) }, "input up of module counter has 1 bits: value [0x1 0x1] does not fit"},
		{"unknown output", func(m *Sim) { m.Get("cont") }, `module counter has no port "cont", its outputs are count, full`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Open(t.Context(), source(t, "counter"))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			c.do(m)
			m.Set("up", 1)
			m.Step(3)
			if m.Err() == nil || m.Err().Error() != c.want || m.Cycle() != 0 || m.Get("full") != 0 {
				t.Errorf("got %v after %d cycles, want %s", m.Err(), m.Cycle(), c.want)
			}
		})
	}
}

// Models of the same class names run in one process side by side, in any order
// of loading, calling and closing.
func TestModelsSideBySide(t *testing.T) {
	narrow, wide := source(t, "counter"), source(t, "counter")
	wide.Params = map[string]string{"W": "6"}
	var wg sync.WaitGroup
	for range 4 {
		for _, c := range []struct {
			src  Source
			want uint64
		}{{narrow, 15}, {wide, 40}} {
			wg.Go(func() {
				l, err := Build(t.Context(), c.src, BuildOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				defer l.Close()
				var inner sync.WaitGroup
				for range 3 {
					inner.Go(func() {
						for range 20 {
							counts(t, l, 40, c.want)
						}
					})
				}
				inner.Wait()
			})
		}
	}
	wg.Wait()
}

// One model's end does not affect the other, even when calls alternate.
func TestFinishOfOneModel(t *testing.T) {
	l, err := Build(t.Context(), trap("", "if (!rst && count == 8'd3) $finish;"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	i, done, err := drive(l, 10)
	if done != 4 || err == nil {
		t.Fatalf("%d cycles, %v", done, err)
	}
	counts(t, other, 5, 5)
	if err := l.Close(); err != nil { // the instance keeps the library
		t.Error(err)
	}
	if i.Log() != "" {
		t.Errorf("log %q", i.Log())
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if _, err := i.Run(nil, nil); err == nil || err.Error() != "module trap: the instance is closed" {
		t.Errorf("a closed instance gives %v", err)
	}
	if _, err := l.New(InstanceOptions{}); err == nil || err.Error() != "module trap: the library is closed" {
		t.Errorf("a closed library gives %v", err)
	}
	counts(t, other, 5, 5)
}

// State at power-up is random, and the same for the same seed.
func TestPowerUp(t *testing.T) {
	l, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	seen := map[uint64]int{}
	for seed := range uint64(64) {
		var first uint64
		for try := range 2 {
			i, err := l.New(InstanceOptions{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			out := make([]uint64, 1)
			if _, err := i.Run(make([]uint64, 1), out); err != nil {
				t.Fatal(err)
			}
			i.Close()
			if try == 0 {
				first = out[0]
			} else if first != out[0] {
				t.Errorf("seed %d gives %x and %x", seed, first, out[0])
			}
		}
		seen[first]++
	}
	if len(seen) < 8 {
		t.Errorf("64 seeds give the states %v", seen)
	}
}

func TestRunLengths(t *testing.T) {
	l, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	i, err := l.New(InstanceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if _, err := i.Run(make([]uint64, 3), make([]uint64, 2)); err == nil || err.Error() != "module counter: 3 input and 2 output words, want 1 and 1 for each cycle" {
		t.Errorf("got %v", err)
	}
	if n, err := i.Run(nil, nil); n != 0 || err != nil {
		t.Errorf("no cycles: %d, %v", n, err)
	}
}
