// SPDX-License-Identifier: Apache-2.0

package place

import (
	"errors"
	"fmt"
	"math"
	"slices"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
)

// Entry is one path in its place.
type Entry struct {
	Path
	Dst uint32 // the number that the hardware knows its destination by
	Pid uint32 // bank × rows + row
}

// Placement is a table in the banks of a configuration.
type Placement struct {
	Source       int64
	Destinations []int64       // by the hardware's number
	Scales       []model.Scale // by the hardware's number
	Entries      []Entry       // by destination, then by name

	params *params.Params
}

// Assign puts a table's paths into the banks of a configuration, no two of one destination into one
// bank, and as evenly as possible: the numbers of used rows differ by at most one between banks. A
// path belongs to one destination, so a destination may always take the emptiest banks, which fails
// only if a destination has more paths than banks, or if all paths together need more rows than
// exist. beta is β′ of the paper's weights, from 0 to 64: weights are exp(-β′·latency/T), where T
// is the longest baseline of the destination's paths. The error has all reasons.
func Assign(p *params.Params, t *Table, beta float64) (*Placement, error) {
	errs := t.twice()
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	out := &Placement{Source: t.Source, Destinations: t.Destinations(), params: p}
	if n := int64(len(out.Destinations)); n > p.Destinations {
		bad("the table has %d destinations, want at most %d: raise destinations", n, p.Destinations)
	}
	if n := int64(len(t.Paths)); n > p.Paths() {
		bad("the table has %d paths, want at most %d, which is %d banks of %d rows: raise rows or banks", n, p.Paths(), p.Banks, p.Rows)
	}
	if !(beta >= 0 && beta <= 64) {
		bad("β′ %g, want from 0 to 64", beta)
	}
	longest := int64(1)<<p.LatBits - 1
	used := make([]int64, p.Banks)
	for i, group := range t.byDestination() {
		dst := out.Destinations[i]
		if n := int64(len(group)); n > p.Banks {
			bad("destination %d has %d paths, want at most %d, one in each bank: raise banks", dst, n, p.Banks)
			continue
		}
		banks := emptiest(used, len(group))
		var base uint32
		for k, at := range group {
			x := t.Paths[at]
			if x.BaseNS == 0 {
				bad("path %d to destination %d: base_ns 0, want at least 1: its latency without congestion in ns", x.Name, dst)
			}
			if int64(x.BaseNS) > longest || int64(x.LatencyNS) > longest {
				bad("path %d to destination %d: base_ns %d, latency_ns %d, want at most %d and a baseline above 0: raise lat_bits", x.Name, dst, x.BaseNS, x.LatencyNS, longest)
			}
			if int64(len(x.Anchors)) > p.Anchors {
				bad("path %d to destination %d has %d anchors, want at most %d: raise anchors", x.Name, dst, len(x.Anchors), p.Anchors)
			}
			base = max(base, x.BaseNS)
			b := banks[k]
			out.Entries = append(out.Entries, Entry{Path: x, Dst: uint32(i), Pid: uint32(int64(b)*p.Rows + used[b])})
			used[b]++
		}
		if len(errs) > 0 {
			continue // and an illegal path needs no scale
		}
		s, err := Scale(beta, base)
		if err != nil {
			bad("destination %d: %w", dst, err)
		}
		out.Scales = append(out.Scales, s)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// emptiest returns n of the banks in which the fewest rows are used, in order.
func emptiest(used []int64, n int) []int {
	order := make([]int, len(used))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(used[a] - used[b]) })
	order = order[:n]
	slices.Sort(order)
	return order
}

// Scale returns the factor for latencies of a destination, from β′ and the longest baseline T in
// ns: β′·log2(e)/T octaves a ns, in units of 2^-9, as a mantissa of 16 bits with the first one set
// and an exponent. β′ 0 is mantissa 0.
func Scale(beta float64, T uint32) (model.Scale, error) {
	if beta == 0 {
		return model.Scale{}, nil
	}
	x := beta * math.Log2E * 512 / float64(T)
	e := 15 - math.Ilogb(x)
	m := math.Round(math.Ldexp(x, e))
	if m == 1<<16 {
		m, e = 1<<15, e-1
	}
	if T == 0 || e < 0 || e > 31 {
		return model.Scale{}, fmt.Errorf("β′ %g with a longest baseline of %d ns: a scale of about 2^%d octaves a ns, want 2^-25 to 2^6: choose another β′", beta, T, 6-e)
	}
	return model.Scale{Mantissa: uint16(m), Exponent: uint8(e)}, nil
}

// Sequence returns the writes of the control plane to empty tables, in order: for each destination
// its scale, its paths, and then, in one cycle, its set.
func (p *Placement) Sequence() []model.Change {
	var seq []model.Change
	for at := 0; at < len(p.Entries); {
		dst := p.Entries[at].Dst
		commit := model.Change{Op: model.Commit, Dst: dst, Scale: p.Scales[dst]}
		seq = append(seq, commit)
		end := at
		for ; end < len(p.Entries) && p.Entries[end].Dst == dst; end++ {
			e := &p.Entries[end]
			anchors := make([]uint32, p.params.Anchors)
			copy(anchors, e.Anchors)
			seq = append(seq, model.Change{Op: model.Path, Pid: e.Pid, Dst: dst, Delay: int64(e.LatencyNS), Base: e.BaseNS, Anchors: anchors})
		}
		for _, e := range p.Entries[at:end] {
			seq = append(seq, model.Change{Op: model.List, Pid: e.Pid})
		}
		seq = append(seq, commit)
		at = end
	}
	return seq
}
