// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	loss "github.com/nicgen/nicgen/tb/laps_loss"
)

// bare is the unit alone, with access to its registers and memories.
type bare struct {
	t   *testing.T
	p   *params.Params
	l   *cosim.Layout
	i   *cosim.Instance
	now uint64
}

// cycle runs one, 3 ns long, and returns its outputs.
func (b *bare) cycle(in map[string]uint64) map[string]uint64 {
	b.t.Helper()
	v, got := make([]uint64, b.l.InWords), make([]uint64, b.l.OutWords)
	b.now += 3
	set := func(name string, x uint64) { b.l.MustSlot(name).Set(v, x) }
	set("now_ns", b.now)
	set("cfg_rto_min_ns", 300)
	set("m_lost_ready", 1)
	for name, x := range in {
		set(name, x)
	}
	if _, err := b.i.Run(v, got); err != nil {
		b.t.Fatal(err)
	}
	out := map[string]uint64{}
	for _, s := range b.l.Outputs {
		out[s.Name] = s.Get(got)
	}
	return out
}

// send sends a segment, and reports whether it is stored.
func (b *bare) send(path, seq uint64) bool {
	b.cycle(map[string]uint64{"s_send_valid": 1, "s_send_pid": path, "s_send_seq": seq})
	for range b.p.SendLatency() - 1 {
		b.cycle(nil)
	}
	out := b.cycle(nil)
	if out["m_send_valid"] != 1 {
		b.t.Fatal("a send has no answer")
	}
	return out["m_send_stored"] == 1
}

// ack brings an ACK of a segment, and returns its cause.
func (b *bare) ack(path, seq uint64) uint64 {
	in := map[string]uint64{"s_ack_valid": 1, "s_ack_pid": path, "s_ack_seq": seq}
	for b.cycle(in)["s_ack_ready"] == 0 {
	}
	for range 4000 {
		if out := b.cycle(nil); out["m_ack_valid"] == 1 {
			return out["m_ack_cause"]
		}
	}
	b.t.Fatal("an ACK has no answer")
	return 0
}

// After any bit of a path's pointers has flipped while nothing is outstanding on it, the
// path is tracked again: a send is stored, and its ACK is in order. In between, sends are
// further apart than a round of the timers.
func TestTrackedAgain(t *testing.T) {
	p := suite.Configure(t, "paths=4 pid_bits=2 depth=8 lanes=2 time_bits=20 lat_bits=8 flow_bits=2 seq_bits=16 ack_queues=2 ack_queue=4 lost_queue=4 ring_memory=lutram")
	unit, err := loss.Unit.New(p)
	if err != nil {
		t.Fatal(err)
	}
	src := unit.Source()
	src.Bind = nil // assertions would end what an upset begins
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	i, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	b := &bare{t: t, p: p, l: lib.Layout(), i: i}
	b.cycle(map[string]uint64{"rst": 1})
	for b.cycle(nil)["sts_ready"] == 0 {
	}
	const path = 2
	for seq := range uint64(5) {
		if !b.send(path, seq) || b.ack(path, seq) != 0 {
			t.Fatal("an ACK in order is not")
		}
	}
	start, err := i.State(nil)
	if err != nil {
		t.Fatal(err)
	}
	then := b.now
	// The deadlines are not among them: what a bit in them costs is time.
	pointers := []string{"send.tails", "scan.sent", "scan.acked", "barrel.heads", "send.head_to_send"}
	tried, mended := map[string]int{}, 0
	for _, e := range lib.Elements() {
		at := slices.IndexFunc(pointers, func(m string) bool { return strings.HasPrefix(e.Name, m+".") })
		if e.Depth == 0 || at < 0 {
			continue
		}
		memory := pointers[at]
		for bit := range e.Width {
			if strings.HasPrefix(memory, "scan.") && bit < int(p.TimeBits) {
				continue
			}
			state := append([]byte(nil), start...)
			e.Flip(state, path, bit)
			if err := i.SetState(state); err != nil {
				t.Fatal(err)
			}
			b.now = then
			// A path with nothing outstanding is not reported as lost again and again.
			quiet := func() {
				for range 4000 {
					b.cycle(nil)
				}
				for range 1000 {
					if b.cycle(nil)["m_lost_valid"] == 1 {
						t.Fatalf("%s, bit %d: segments are lost with nothing sent", e.Name, bit)
					}
				}
			}
			quiet()
			seq, order := uint64(100), 0
			for n := 0; n < 16 && order < 2; n++ {
				stored := b.send(path, seq)
				if !stored {
					mended++
				}
				for range 2 * p.ScanCycles() * int(p.Paths) {
					b.cycle(nil)
				}
				if stored && b.ack(path, seq) == 0 {
					order++
				}
				for range 400 { // whatever is outstanding is lost with its timer
					b.cycle(nil)
				}
				seq++
			}
			if order < 2 {
				t.Errorf("%s, bit %d: after 16 sends the path is not tracked", e.Name, bit)
			}
			quiet()
			tried[memory]++
		}
	}
	for _, memory := range pointers {
		if tried[memory] == 0 {
			t.Errorf("%s was not tried: %v", memory, tried)
		}
	}
	if mended == 0 {
		t.Error("no send found its ring full: what mends that was not tried")
	}
}
