// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// stateful builds the FIFO with access to its state.
func stateful(t *testing.T) (*Library, *Instance) {
	t.Helper()
	l, err := Build(t.Context(), source(t, "../cosimtest/fifo"), BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, power(t, l)
}

// power makes an instance that has run the two cycles of a reset.
func power(t *testing.T, l *Library) *Instance {
	t.Helper()
	i, err := l.New(InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.Close() })
	clocked(t, l, i, map[string]uint64{"rst": 1}, 2)
	return i
}

// clocked runs cycles with the same inputs and returns the outputs of the last one.
func clocked(t *testing.T, l *Library, i *Instance, set map[string]uint64, cycles int) map[string]uint64 {
	t.Helper()
	in, out := make([]uint64, l.layout.InWords), make([]uint64, l.layout.OutWords)
	for k, v := range set {
		l.layout.MustSlot(k).Set(in, v)
	}
	for range cycles {
		if _, err := i.Run(in, out); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]uint64{}
	for _, s := range l.layout.Outputs {
		got[s.Name] = s.Get(out)
	}
	return got
}

// The registers and memories are known by name, and nothing else is state. One bit
// changed in each has its effect at once, in combinational outputs too.
func TestState(t *testing.T) {
	l, i := stateful(t)
	elements := l.Elements()
	var names []string
	find := map[string]Element{}
	for _, e := range elements {
		names = append(names, e.Name)
		find[e.Name] = e
	}
	slices.Sort(names)
	if want := []string{"level", "mem", "rd_q", "wr_q"}; !slices.Equal(names, want) {
		t.Fatalf("elements %q, want %q", names, want)
	}
	if e := find["mem"]; e.Width != 16 || e.Depth != 8 || e.Words() != 8 || find["rd_q"].Words() != 1 {
		t.Errorf("mem has %d words of %d bits, want 8 of 16; rd_q has %d, want 1", e.Depth, e.Width, find["rd_q"].Words())
	}
	clocked(t, l, i, map[string]uint64{"push": 1, "data": 0x1234}, 1)
	state, err := i.State(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := clocked(t, l, i, nil, 1); got["head"] != 0x1234 || got["level"] != 1 {
		t.Fatalf("outputs %v, want one word", got)
	}
	for _, c := range []struct {
		element   string
		word, bit int
		port      string
		want      uint64
	}{{"mem", 0, 15, "head", 0x9234}, {"mem", 0, 2, "head", 0x1230}, {"mem", 1, 2, "head", 0x1234}, {"level", 0, 0, "empty", 1}, {"level", 0, 2, "level", 5}, {"wr_q", 0, 0, "head", 0x1234}} {
		changed := bytes.Clone(state)
		find[c.element].Flip(changed, c.word, c.bit)
		if err := i.SetState(changed); err != nil {
			t.Fatal(err)
		}
		if got := clocked(t, l, i, nil, 1)[c.port]; got != c.want {
			t.Errorf("bit %d of word %d of %s changed: %s is %#x, want %#x", c.bit, c.word, c.element, c.port, got, c.want)
		}
	}
}

// An instance goes on as the one did whose state it was given.
func TestStateMoves(t *testing.T) {
	l, a := stateful(t)
	b := power(t, l)
	for n := range uint64(5) {
		clocked(t, l, a, map[string]uint64{"push": 1, "data": 100 + n}, 1)
	}
	state, err := a.State(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SetState(state); err != nil {
		t.Fatal(err)
	}
	for n := range uint64(5) {
		x, y := clocked(t, l, a, map[string]uint64{"pop": 1}, 1), clocked(t, l, b, map[string]uint64{"pop": 1}, 1)
		if x["head"] != 100+n || y["head"] != 100+n {
			t.Errorf("word %d: %d and %d, want %d", n, x["head"], y["head"], 100+n)
		}
	}
	want := fmt.Sprintf("module fifo: %d bytes of state, want %d of a model built with access to it", len(state)-1, len(state))
	if err := b.SetState(state[1:]); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A model that was not built for it gives no state and takes none.
func TestNoState(t *testing.T) {
	l, err := Build(t.Context(), source(t, "../cosimtest/fifo"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	i := power(t, l)
	if _, err := i.State(nil); err == nil || err.Error() != "module fifo: the model was built without access to its state" {
		t.Errorf("error %v", err)
	}
	if err := i.SetState(nil); err == nil || err.Error() != "module fifo: 0 bytes of state, want 0 of a model built with access to it" {
		t.Errorf("error %v", err)
	}
	if n := len(l.Elements()); n != 0 {
		t.Errorf("%d elements, want none", n)
	}
}
