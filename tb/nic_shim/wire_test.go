// SPDX-License-Identifier: Apache-2.0

package nicshim_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// TestLoop connects both directions of the RTL: outputs are inputs of the next cycle. Frames return
// unchanged, in a row, one beat per cycle except those that a shim adds; probes do not return.
func TestLoop(t *testing.T) {
	sim := suite.Open(t, params.Default())
	rng := rand.New(rand.NewPCG(1, 1))
	sim.Set("cfg_ether_type", 0x88b5)
	sim.Set("m_axis_tx_tready", 1)
	sim.Set("rst", 1)
	sim.Step(2)
	sim.Set("rst", 0)

	type sent struct {
		frame []byte
		shim  model.Shim
		on    bool
	}
	var queue, want []sent
	beats := 0 // that the frames have with their shims
	p := params.Default()
	for range 3000 {
		f := sent{frame: make([]byte, 60+rng.IntN(400)), on: rng.IntN(4) > 0}
		for i := range f.frame {
			f.frame[i] = byte(rng.Uint32())
		}
		f.frame[12] = 8 // not a shim
		size := 0
		if f.on {
			f.shim = model.Shim{Subtype: 1 + rng.IntN(3), Type: rng.IntN(2), Count: rng.IntN(16), Next: rng.IntN(16)}
			if f.shim.Subtype == params.LAPS {
				f.shim.Type = rng.IntN(4)
			}
			size = p.Size(f.shim.Subtype)
			for i := range size - params.HeadBytes {
				f.shim.Body[i] = byte(rng.Uint32())
			}
		}
		beats += (len(f.frame) + size + params.DataBytes - 1) / params.DataBytes
		queue = append(queue, f)
		if !f.on || f.shim.Type < model.Probe {
			want = append(want, f)
		}
	}

	wide := func(name string, b []byte) {
		b = append(bytes.Clone(b), make([]byte, (len(b)+7)/8*8-len(b))...)
		var words []uint64
		for i := 0; i < len(b); i += 8 {
			words = append(words, binary.LittleEndian.Uint64(b[i:]))
		}
		sim.SetWide(name, words...)
	}
	var left, next, got []byte
	var record []byte
	began, idle := sim.Cycle(), 0
	out := 0
	for len(want) > 0 {
		if sim.Get("m_axis_tx_tvalid") != 0 {
			out++
			idle = 0
		} else if idle++; idle > 20 {
			t.Fatalf("%d frames are missing", len(want))
		}
		// The wire.
		for _, name := range []string{"tdata", "tkeep", "tvalid", "tlast", "tuser"} {
			sim.SetWide("s_axis_rx_"+name, sim.GetWide("m_axis_tx_"+name)...)
		}
		if sim.Get("m_shim_valid") != 0 {
			record = nil
			for _, w := range sim.GetWide("m_shim_body") {
				record = binary.LittleEndian.AppendUint64(record, w)
			}
		}
		if sim.Get("m_axis_rx_tvalid") != 0 {
			keep := sim.Get("m_axis_rx_tkeep")
			for i, w := range sim.GetWide("m_axis_rx_tdata") {
				for b := range 8 {
					if keep>>(8*i+b)&1 != 0 {
						got = append(got, byte(w>>(8*b)))
					}
				}
			}
			if sim.Get("m_axis_rx_tlast") != 0 {
				f := &want[0]
				if !bytes.Equal(got, f.frame) || f.on != (sim.Get("m_axis_rx_shim") != 0) {
					t.Fatalf("%x came back as %x, shim %t", f.frame, got, f.on)
				}
				if n := p.Size(f.shim.Subtype) - params.HeadBytes; f.on && !bytes.Equal(record[:n], f.shim.Body[:n]) {
					t.Fatalf("body %x, want %x", record[:n], f.shim.Body[:n])
				}
				want, got = want[1:], got[:0]
			}
		}
		// The host. A beat that was not taken in the last cycle is still there.
		if next == nil && len(left) == 0 && len(queue) > 0 {
			f := queue[0]
			queue, left = queue[1:], f.frame
			sim.Set("s_shim_valid", benchtest.Bit(f.on))
			sim.Set("s_shim_subtype", uint64(f.shim.Subtype))
			sim.Set("s_shim_type", uint64(f.shim.Type))
			sim.Set("s_shim_count", uint64(f.shim.Count))
			sim.Set("s_shim_next", uint64(f.shim.Next))
			wide("s_shim_body", f.shim.Body[:])
		}
		if next == nil && len(left) > 0 {
			n := min(len(left), params.DataBytes)
			next, left = left[:n], left[n:]
			wide("s_axis_tx_tdata", append(bytes.Clone(next), make([]byte, params.DataBytes-n)...))
			sim.Set("s_axis_tx_tkeep", ^uint64(0)>>(64-n))
			sim.Set("s_axis_tx_tlast", benchtest.Bit(len(left) == 0))
			sim.Set("s_axis_tx_tvalid", 1)
		} else if next == nil {
			sim.Set("s_axis_tx_tvalid", 0)
		}
		if sim.Get("s_axis_tx_tready") != 0 {
			next = nil
		}
		sim.Step(1)
	}
	if cycles := int(sim.Cycle() - began); out != beats || cycles > beats+10 {
		t.Errorf("%d beats left in %d cycles, want %d, one a cycle", out, cycles, beats)
	}
	if n := sim.Get("evt_rx_illegal"); n != 0 || sim.Get("sts_rx_illegal_cnt") != 0 || sim.Get("sts_tx_illegal_cnt") != 0 {
		t.Errorf("%d shims were not understood", sim.Get("sts_rx_illegal_cnt"))
	}
}
