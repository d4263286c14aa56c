// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/bench"
)

// One word holds all ports of these tests, four bits each.
const (
	valid = iota
	ready
	tag
	answer
	back
)

func pin(n int) bench.Pin {
	return bench.Pin{Shift: uint(4 * n), Mask: 15, Bit: 1 << (4 * n)}
}

// vector sets ports to values: port, value, port, value, …
func vector(set ...int) []uint64 {
	v := []uint64{0}
	for i := 0; i < len(set); i += 2 {
		p := pin(set[i])
		p.Put(v, uint64(set[i+1]))
	}
	return v
}

// A law is right about each cycle, and its clone continues independently.
func TestLaws(t *testing.T) {
	type cycle struct {
		in, got []uint64
		lawful  bool
	}
	none := vector()
	ask := func(n int) []uint64 { return vector(valid, 1, tag, n) }
	tell := func(n int) []uint64 { return vector(ready, 1, answer, 1, back, n) }
	open := vector(ready, 1)
	answered := func() bench.Law {
		return &bench.Answered{Valid: pin(valid), Ready: pin(ready), Answer: pin(answer), Min: 2, Max: 3, Tags: [][2]bench.Pin{{pin(tag), pin(back)}}}
	}
	for _, c := range []struct {
		name   string
		law    bench.Law
		cycles []cycle
	}{
		{"answered in time", answered(), []cycle{{ask(1), open, true}, {none, open, true}, {none, tell(1), true}, {none, open, true}, {none, open, true}}},
		{"answered too early", answered(), []cycle{{ask(1), open, true}, {none, tell(1), false}, {none, tell(1), true}}},
		{"never answered", answered(), []cycle{{ask(1), open, true}, {none, open, true}, {none, open, true}, {none, open, false}, {none, open, true}}},
		{"nobody asked", answered(), []cycle{{none, tell(0), false}, {none, open, true}}},
		{"not taken", answered(), []cycle{{ask(1), none, true}, {none, open, true}, {none, tell(1), false}}},
		{"another tag", answered(), []cycle{{ask(1), open, true}, {none, open, true}, {none, tell(2), false}, {none, open, false}}},
		{"two beats", &bench.Answered{Valid: pin(valid), Answer: pin(answer), Beats: pin(tag), Min: 1, Max: 2},
			[]cycle{{ask(2), none, true}, {none, none, true}, {ask(2), none, true}, {none, tell(0), true}, {none, none, true}, {none, none, true}}},
		{"ready", &bench.Ready{Pin: pin(ready), Max: 2}, []cycle{{none, none, true}, {none, open, true}, {none, none, true}, {none, none, false}, {none, open, true}}},
		{"ready unless asked", &bench.Ready{Pin: pin(ready), Max: 2, Unless: []bench.Pin{pin(valid)}},
			[]cycle{{none, none, true}, {ask(0), none, true}, {none, none, false}}},
		{"range", &bench.Range{When: pin(answer), Port: pin(back), Min: 2, Max: 3},
			[]cycle{{none, tell(1), false}, {none, tell(2), true}, {none, tell(3), true}, {none, tell(4), false}, {none, vector(back, 9), true}}},
		{"delayed", &bench.Delayed{Cycles: 2, Words: 1, Check: func(in, got []uint64) bool {
			p, q := pin(tag), pin(back)
			return p.Get(in) == q.Get(got)
		}}, []cycle{{ask(5), none, true}, {ask(6), none, true}, {none, tell(5), true}, {none, tell(5), false}}},
		{"check", bench.Check(func(in, _, _, got []uint64) bool { return in[0] == got[0] }), []cycle{{open, open, true}, {open, none, false}}},
		{"several", bench.Laws{&bench.Range{When: pin(answer), Port: pin(back), Max: 3}, &bench.Range{When: pin(answer), Port: pin(back), Min: 3, Max: 15}},
			[]cycle{{none, tell(3), true}, {none, tell(2), false}, {none, tell(4), false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, x := range c.cycles {
				clone := c.law.Clone()
				for _, law := range []bench.Law{clone, c.law} {
					if got := law.Lawful(x.in, none, none, x.got); got != x.lawful {
						t.Fatalf("cycle %d: lawful %t, want %t", i, got, x.lawful)
					}
				}
			}
		})
	}
}

// Same compares the bits that matter of the ports that it names, and no other.
func TestSame(t *testing.T) {
	l, err := cosim.NewLayout(nil, []cosim.Slot{{Name: "a", Width: 8}, {Name: "b", Width: 8}, {Name: "wide", Width: 100}})
	if err != nil {
		t.Fatal(err)
	}
	law := bench.NewSame(l, "a", "wide")
	for _, c := range []struct {
		port   string
		care   bool
		lawful bool
	}{{"a", true, false}, {"a", false, true}, {"b", true, true}, {"wide", true, false}} {
		want, care, got := make([]uint64, l.OutWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)
		s := l.MustSlot(c.port)
		bit := make([]uint64, s.Words())
		bit[len(bit)-1] = 1
		s.Write(got, bit)
		if c.care {
			s.Write(care, bit)
		}
		if ok := law.Lawful(nil, want, care, got); ok != c.lawful {
			t.Errorf("%s differs, matters %t: lawful %t, want %t", c.port, c.care, ok, c.lawful)
		}
	}
}

// Progress counts the words of the undisturbed unit that are taken since the unit gave one.
func TestProgress(t *testing.T) {
	none, word, taken := vector(), vector(answer, 1), vector(ready, 1)
	law := &bench.Progress{Valid: pin(answer), Ready: pin(ready), Most: 2}
	for i, c := range []struct {
		in, want, got []uint64
		lawful        bool
	}{
		{taken, word, none, true}, {none, word, none, true}, {taken, none, none, true}, {taken, word, none, false}, {taken, none, none, false},
		{none, word, word, false}, {taken, word, word, true}, {taken, word, none, true}, {taken, none, word, true}, {taken, word, none, true},
	} {
		if got := law.Clone().Lawful(c.in, c.want, nil, c.got); got != c.lawful {
			t.Fatalf("cycle %d: lawful %t for a clone, want %t", i, got, c.lawful)
		}
		if got := law.Lawful(c.in, c.want, nil, c.got); got != c.lawful {
			t.Fatalf("cycle %d: lawful %t, want %t", i, got, c.lawful)
		}
	}
}
