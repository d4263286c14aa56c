// SPDX-License-Identifier: Apache-2.0

package lapspaths

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful: what is kept for each path. A destination has a
// scale, and for each bank a row and whether that is used.
func (p *Params) State() []gen.State {
	bank := []string{"state"}
	real := bank
	if p.AckLookup == Own {
		real = []string{"state", "real_copy"}
	}
	return []gen.State{
		{Name: "deadline", Bits: int(p.TimeBits), Memories: bank, Meaning: "time + 2·realVal: after it the path has expired, ns"},
		{Name: "realVal", Bits: int(p.LatBits), Memories: real, Meaning: "latest latency, doubled by probes, ns"},
		{Name: "d", Bits: WeightBits, Memories: bank, Meaning: "the same scaled for the picker, UQ5.9 octaves"},
		{Name: "baseVal", Bits: int(p.LatBits), Memories: []string{"base"}, Meaning: "latency of the empty path, ns; only rate control needs it"},
		{Name: "owner", Bits: 1 + ceilLog2(p.Destinations), Memories: []string{"owner"}, Meaning: "whether the path belongs to a destination, and to which"},
		{Name: "anchors", Bits: int(p.Anchors) * AnchorBits, Memories: []string{"anchors"}, Meaning: "nodes that the path goes through"},
	}
}
