// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
)

// In traffic, a bit of each of these is made wrong. The block has to begin a recovery, and after it to be as good as new:
// the streams keep their protocol all the time, a frame that is cut ends as a bad one, and what leaves else is what came.
func TestRecovery(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		set       string
		registers []string
	}{
		{small, []string{"tx.out.frames.infos.rd_q", "tx.out.frames.rd_q", "tx.out.frames.told_q", "tx.out.leave.in_p_q", "tx.out.leave.in_e_q", "tx.out.leave.in_q_q",
			"tx.classify.tx_intake.headers.rd_q", "tx.classify.tx_intake.founds.wr_q", "tx.out.released.infos.wr_q", "tx.out.released.wr_q", "tx.queues.store.tags.rd_q",
			"tx.out.ask.asked.wr_q", "tx.out.ask.direct.rd_q", "tx.out.ask.direct_evs.wr_q", "tx.out.ask.queue_evs.rd_q",
			"rx.classify.rx_headers.rd_q", "rx.classify.rx_founds.wr_q", "rx.events.ends.rd_q"}},
		{telling, []string{"rx.classify.rx_intake.headers.wr_q", "rx.classify.rx_intake.founds.rd_q", "rx.classify.events.rd_q", "rx.events.records.wr_q", "window.waiting_q", "tx.out.shims.bodies.body_rd_at_q"}},
		{listing, []string{"rx.classify.rx_intake.headers.rd_q", "rx.classify.events.wr_q"}},
	} {
		// A set of which no register is chosen needs no model.
		runs := sample.Chosen(x.registers, func(name string) string { return t.Name() + "/" + x.set + "/" + name })
		if !slices.Contains(runs, true) {
			continue
		}
		t.Run(x.set, func(t *testing.T) {
			b := benchOf(t, x.set)
			lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{State: true})
			if err != nil {
				t.Fatal(err)
			}
			defer lib.Close()
			elements := lib.Elements()
			for k, name := range x.registers {
				if !runs[k] {
					continue
				}
				t.Run(name, func(t *testing.T) {
					i := slices.IndexFunc(elements, func(e cosim.Element) bool { return e.Name == "core."+name })
					if i < 0 {
						t.Fatalf("no register %s", name)
					}
					e := elements[i]
					// In some traffic a wrong bit has no effect.
					began := 0
					for seed := uint64(1); began == 0 && seed < 40; seed += 10 {
						for bit := range min(e.Width, 2) {
							r, err := disturb(lib, b.P, e, seed+uint64(bit), bit, true)
							if err != nil {
								t.Errorf("bit %d: %v", bit, err)
							}
							began += r
						}
					}
					if began == 0 {
						t.Error("no recovery began")
					}
					// The setting turns it off.
					if k > 5 {
						return
					}
					if r, err := disturb(lib, b.P, e, 1, 0, false); r != 0 {
						t.Errorf("with cfg_recover 0: %d recoveries, %v", r, err)
					}
				})
			}
		})
	}
}

// disturb flips a bit in traffic, and tells how many recoveries began. After it both directions have to go on, if it
// may recover.
func disturb(lib *cosim.Library, p *params.Params, e cosim.Element, seed uint64, bit int, may bool) (recoveries int, err error) {
	const at, until = 6000, 24000
	l := lib.Layout()
	long, err := newLong(p, l, seed, 8000)
	if err != nil {
		return 0, err
	}
	s := long.(*stimulus)
	if !may {
		s.setting("transport", "cfg_recover", 0)
	}
	x, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		return 0, err
	}
	defer x.Close()
	pins, err := newPins(p, l)
	if err != nil {
		return 0, err
	}
	watch := []*offered{{stream: &pins.wireTX}, {stream: &pins.hostRX}}
	came := [2]map[string]bool{{}, {}} // beginnings of frames that came
	first := [2]bool{true, true}
	late := [2]int{} // beats that left in the last third
	in, got := make([]uint64, l.InWords), make([]uint64, l.OutWords)
	for i := range until {
		clear(in)
		s.Next(in)
		if i == at {
			state, err := x.State(nil)
			if err != nil {
				return 0, err
			}
			e.Flip(state, 0, bit)
			if err := x.SetState(state); err != nil {
				return 0, err
			}
		}
		if _, err := x.Run(in, got); err != nil {
			return 0, err
		}
		s.react(got)
		if s.phase == resetting || pins.rst.On(in) {
			continue
		}
		for k, q := range []*stream{&pins.hostTX, &pins.wireRX} {
			if q.valid.On(in) && q.ready.On(got) {
				if first[k] {
					came[k][beginning(q, in)] = true
				}
				first[k] = q.last.On(in)
			}
		}
		if i > at && pins.trace["recover"].valid.On(got) {
			recoveries++
		}
		for k, w := range watch {
			frame, err := w.step(in, got)
			if err != nil {
				return recoveries, fmt.Errorf("cycle %d: %w", i, err)
			}
			if !may || frame == nil {
				continue
			}
			if i > until*2/3 {
				late[k]++
				if !frame.bad && !came[k][frame.begins] && p.List == 0 {
					return recoveries, fmt.Errorf("cycle %d: %s: a frame begins with %s, as none that came", i, w.name, frame.begins)
				}
			}
		}
	}
	if may && (late[0] == 0 || late[1] == 0) {
		return recoveries, fmt.Errorf("%d frames to the wire and %d to the host in the end: a direction stands still", late[0], late[1])
	}
	return recoveries, nil
}

// beginning are the Ethernet addresses in a frame's first beat, which nothing changes.
func beginning(s *stream, v []uint64) string {
	return fmt.Sprintf("%016x%08x", s.data.Bits(v, 0, 64), s.data.Bits(v, 64, 32))
}

// offered watches an output stream of the block: an offered beat stays until it is taken.
type offered struct {
	*stream
	was    []uint64
	inside bool
	begins string
}

// left is a frame that has left.
type left struct {
	begins string
	bad    bool
}

func (w *offered) step(in, got []uint64) (*left, error) {
	now := []uint64{w.valid.Get(got), w.last.Get(got), w.keep.Get(got)}
	for lo := 0; lo < params.DataBits; lo += 64 {
		now = append(now, w.data.Bits(got, lo, 64))
	}
	if w.was != nil && !slices.Equal(w.was, now) {
		return nil, errors.New(w.name + ": a beat that was offered, and not taken, has changed")
	}
	w.was = nil
	if !w.valid.On(got) {
		return nil, nil
	}
	if !w.ready.On(in) {
		w.was = now
		return nil, nil
	}
	if !w.inside {
		w.begins = beginning(w.stream, got)
	}
	w.inside = !w.last.On(got)
	if w.inside {
		return nil, nil
	}
	return &left{w.begins, w.user.Get(got)&1 == 1}, nil
}
