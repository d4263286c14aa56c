// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	paths "github.com/nicgen/nicgen/tb/laps_paths"
)

// bare is the unit alone, with access to its registers and memories.
type bare struct {
	t *testing.T
	l *cosim.Layout
	i *cosim.Instance
}

// cycle runs one, and returns its outputs.
func (b *bare) cycle(in map[string]uint64) map[string]uint64 {
	b.t.Helper()
	v, got := make([]uint64, b.l.InWords), make([]uint64, b.l.OutWords)
	b.l.MustSlot("cfg_beta").Set(v, 1<<15)
	for name, x := range in {
		b.l.MustSlot(name).Set(v, x)
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

// found holds the results of a packet to destination 1, its pick in bank 1, an ACK of path
// 9 and a route request for it.
type found struct {
	usable, rateUsable            uint64
	rate, none, routeNone         bool
	anchors                       uint64
	set, path                     int // pulses
	setDst, pathPid, count, stray uint64
}

func (b *bare) use() (f found) {
	id := uint64(0)
	for i := range 32 {
		in := map[string]uint64{}
		switch i {
		case 0:
			in = map[string]uint64{"s_packet_valid": 1, "s_packet_dst": 1}
		case 1:
			in = map[string]uint64{"s_ack_valid": 1, "s_ack_pid": 9, "s_ack_delay_ns": 20}
		case 15:
			in = map[string]uint64{"s_pick_valid": 1, "s_pick_id": id, "s_pick_index": 1}
		case 20:
			in = map[string]uint64{"s_route_valid": 1, "s_route_pid": 9}
		}
		out := b.cycle(in)
		if out["m_cand_valid"] == 1 {
			f.usable, id = out["m_cand_usable"], out["m_cand_id"]
		}
		if out["m_rate_valid"] == 1 {
			f.rate, f.rateUsable = true, out["m_rate_usable"]
		}
		if out["m_path_valid"] == 1 {
			if f.none = out["m_path_none"] == 1; !f.none {
				f.anchors = out["m_path_anchors"]
			}
		}
		if out["m_route_valid"] == 1 {
			f.routeNone = out["m_path_none"] == 1
		}
		if out["evt_corrupt_set"] == 1 {
			f.set++
			f.setDst = out["evt_corrupt_dst"]
		}
		if out["evt_corrupt_path"] == 1 {
			f.path++
			f.pathPid = out["evt_corrupt_pid"]
		}
		f.count, f.stray = out["sts_corrupt_cnt"], out["sts_stray_cnt"]
	}
	return f
}

// write writes path 9 with a separate set for destination 1.
func (b *bare) write() {
	for _, c := range []struct{ op, pid, dst uint64 }{
		{params.OpCommit, 0, 1}, {params.OpPath, 9, 1}, {params.OpPath, 2, 1}, {params.OpList, 9, 0}, {params.OpList, 2, 0}, {params.OpCommit, 0, 1},
	} {
		b.cycle(map[string]uint64{"s_cfg_valid": 1, "s_cfg_op": c.op, "s_cfg_pid": c.pid, "s_cfg_dst": c.dst,
			"s_cfg_scale": 15<<params.MantissaBits | 1<<15, "s_cfg_latency": 17, "s_cfg_base": 30 + c.pid, "s_cfg_anchors": 0x5a00 + c.pid})
	}
	for range 16 {
		b.cycle(nil)
	}
}

// Every bit of every word that the control plane wrote, and its parity bit: when it flips
// the word is not used and is reported, and is right again when it is written again.
func TestParity(t *testing.T) {
	const set = "destinations=3 dst_bits=3 banks=2 rows=8 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 state_protection=parity "
	for _, extra := range []string{"", "ack_lookup=own baselines=paths path_memory=uram", "ack_lookup=own path_latency=true", "baselines=paths"} {
		t.Run(extra, func(t *testing.T) {
			p := suite.Configure(t, set+extra)
			unit, err := paths.Unit.New(p)
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
			b := &bare{t, lib.Layout(), i}
			b.cycle(map[string]uint64{"rst": 1})
			for b.cycle(nil)["sts_ready"] == 0 {
			}
			b.write()
			start, err := i.State(nil)
			if err != nil {
				t.Fatal(err)
			}
			right := b.use()
			if want := (found{usable: 3, rateUsable: 3, rate: true, anchors: 0x5a09}); right != want {
				t.Fatalf("without an upset: %+v, want %+v", right, want)
			}
			// By memory: the word, and what differs.
			pst := "sets.both.pst."
			if p.AckLookup == params.Own {
				pst = "sets.packets.pst."
			}
			each := p.Baselines == params.EachOf
			kinds := map[string]func(bit int, f *found) (word int){
				pst: func(bit int, f *found) int {
					bank := uint64(1) << (bit / (p.RowBits() + 2))
					f.usable &^= bank
					if f.set++; p.AckLookup == params.Shared {
						f.rateUsable &^= bank
						f.set++
					}
					if f.setDst = 1; bank == 2 {
						f.anchors, f.none = 0, false // of the row that is there now
					}
					return 1
				},
				"sets.acks.pst.": func(bit int, f *found) int {
					f.rateUsable &^= 1 << (bit / (p.RowBits() + 2))
					f.set, f.setDst = 1, 1
					return 1
				},
				"change.owner.": func(_ int, f *found) int {
					f.rate, f.rateUsable, f.path, f.pathPid, f.stray = false, 0, 1, 9, 1
					return 9
				},
				"change.scale.": func(_ int, f *found) int {
					f.rate, f.rateUsable, f.set, f.setDst = false, 0, 1, 1
					return 1
				},
				"banks.g_bank[1].bank_b.base.": func(_ int, f *found) int {
					f.rateUsable, f.set, f.setDst = 1, 1, 1
					return 1
				},
				"pick.anchors.": func(_ int, f *found) int {
					f.none, f.anchors, f.routeNone, f.path, f.pathPid = true, 0, true, 2, 9
					return 9
				},
			}
			tried := map[string]int{}
			for _, e := range lib.Elements() {
				for prefix, upset := range kinds {
					if e.Depth == 0 || !strings.HasPrefix(e.Name, prefix) {
						continue
					}
					for bit := range e.Width {
						want := right
						word := upset(bit, &want)
						want.count = uint64(want.set + want.path)
						state := append([]byte(nil), start...)
						e.Flip(state, word, bit)
						if err := i.SetState(state); err != nil {
							t.Fatal(err)
						}
						got := b.use()
						if prefix == pst {
							got.anchors, want.anchors = 0, 0
							got.none, want.none = false, false
						}
						if got != want {
							t.Fatalf("%s, bit %d of word %d: %+v\nwant %+v", e.Name, bit, word, got, want)
						}
						b.write()
						got = b.use()
						got.count, got.stray = 0, 0
						if got != right {
							t.Fatalf("%s, bit %d of word %d, written again: %+v\nwant %+v", e.Name, bit, word, got, right)
						}
						tried[prefix]++
					}
				}
			}
			for prefix := range maps.Keys(kinds) {
				need := !(prefix == "sets.acks.pst." && p.AckLookup == params.Shared) && (prefix != "banks.g_bank[1].bank_b.base." || each)
				if (tried[prefix] > 0) != need {
					t.Errorf("%s: %s was tried %d times, in %s", fmt.Sprint(set, extra), prefix, tried[prefix], fmt.Sprint(tried))
				}
			}
		})
	}
}
