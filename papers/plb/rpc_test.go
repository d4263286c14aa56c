// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	plbunit "github.com/nicgen/nicgen/sim/host/plb"
	"github.com/nicgen/nicgen/sim/transport"
)

// short is the test bed for a time of which the second half is measured.
func short() bed {
	b := testBed()
	b.spans = []span{{20 * ms, 40 * ms}}
	return b
}

// A short run of Table 2: with weights of 1:100, PLB moves load to the idle uplinks, shortens RPCs of both sizes, and moves
// connections mostly after idle. The RTL in all clients gives the same to the bit.
func TestBed(t *testing.T) {
	maker := func(name string) (transport.Maker, error) {
		if name != unit {
			return nil, fmt.Errorf("no unit %s", name)
		}
		return plbunit.Transport, nil
	}
	golden, rtl := lab{&papers.Lab{Model: transport.Golden, Unit: maker}}, lab{&papers.Lab{Model: transport.RTL, Unit: maker}}
	weights := []int{100, 100, 1, 1}
	var list []spent
	for _, x := range []struct {
		lab lab
		b   *bed
	}{{golden, short().off(weights...)}, {golden, short().on(weights...)}, {rtl, short().on(weights...)}} {
		_, out, err := x.lab.bed(t.Context(), x.b, 1)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, out[0])
	}
	if !reflect.DeepEqual(list[1], list[2]) {
		t.Error("RTL and golden model give different runs")
	}
	off, on := list[0].numbers(short().spans[0]), list[1].numbers(short().spans[0])
	if off.repaths != 0 || on.repaths == 0 || on.idle < 80 {
		t.Errorf("%+v without PLB, %+v with it: want new paths with it only, after idle", off, on)
	}
	if on.ratio > off.ratio/3 || on.small[0] > off.small[0] || on.large[0] > off.large[0] {
		t.Errorf("%+v without PLB, %+v with it: want better ones", off, on)
	}
	if off.ratio < 50 {
		t.Errorf("load %.3f without PLB, want two uplinks nearly idle", list[0].up)
	}
}

// A run counts a packet with another EV as a move.
func TestObserved(t *testing.T) {
	evs := []uint32{1, 1, 2, 3, 3, 4, 5}
	o := &observed{Transport: scripted(&evs), spans: []span{{0, 500_000}, {500_000, 1_000_000}}, spent: make([]spent, 2), conns: make([]seen, 1)}
	send := func(ns uint64) {
		if _, err := o.Send(0, ns); err != nil {
			t.Fatal(err)
		}
	}
	send(0)
	send(10) // the same
	send(20) // 2: something is under way
	if _, err := o.Ack(0, &transport.Ack{First: 3, Next: 3}); err != nil {
		t.Fatal(err)
	}
	send(30) // 3: nothing is
	send(40)
	if _, err := o.Lost(0, &transport.Loss{}); err != nil {
		t.Fatal(err)
	}
	send(499) // 4
	send(500) // 5: in the second span
	if got := []repaths{o.spent[0].repaths, o.spent[1].repaths}; !slices.Equal(got, []repaths{{idle: 1, flying: 1, loss: 1}, {flying: 1}}) {
		t.Errorf("%+v", got)
	}
}

type script struct{ evs *[]uint32 }

func scripted(evs *[]uint32) transport.Transport { return script{evs} }

func (s script) Open(int, uint64) (transport.Grant, error) { return transport.Grant{}, nil }
func (s script) Send(int, uint64) (transport.Choice, error) {
	ev := (*s.evs)[0]
	*s.evs = (*s.evs)[1:]
	return transport.Choice{EV: ev}, nil
}
func (s script) Ack(int, *transport.Ack) (transport.Grant, error)   { return transport.Grant{}, nil }
func (s script) Lost(int, *transport.Loss) (transport.Grant, error) { return transport.Grant{}, nil }

// A transport with a clock gives its choices later: the state when a packet asked counts.
func TestObservedClocked(t *testing.T) {
	evs := []uint32{1, 2, 3, 4}
	c := &scriptClocked{script: script{&evs}}
	o := &observedClocked{observed: observed{Transport: c, spans: []span{{0, 1_000_000}}, spent: make([]spent, 1), conns: make([]seen, 1)}, by: c}
	for _, step := range []func() error{
		func() error { return o.Ask(0, 0, 0) },
		func() error { _, err := o.Answers(1); return err },
		func() error { return o.Ask(0, 1, 10_000) }, // 2: something is under way
		func() error { return o.Ask(0, 2, 11_000) }, // 3, too: asked before anything was lost
		func() error { _, err := o.Lost(0, &transport.Loss{}); return err },
		func() error { _, err := o.Answers(20_000); return err },
		func() error { return o.Ask(0, 3, 30_000) }, // 4: after the loss
		func() error { _, err := o.Answers(40_000); return err },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := o.spent[0].repaths, (repaths{flying: 2, loss: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// scriptClocked answers all that was asked.
type scriptClocked struct {
	script
	asked int
}

func (s *scriptClocked) Ask(int, uint32, fabric.Instant) error { s.asked++; return nil }
func (s *scriptClocked) Answers(fabric.Instant) (list []transport.Answer, err error) {
	for range s.asked {
		c, _ := s.Send(0, 0)
		list = append(list, transport.Answer{Choice: c})
	}
	s.asked = 0
	return list, nil
}
func (*scriptClocked) Due() (fabric.Instant, bool) { return 0, false }
func (*scriptClocked) Latency() fabric.Instant     { return 0 }
