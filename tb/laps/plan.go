// SPDX-License-Identifier: Apache-2.0

package laps

import (
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// scale draws the scale of a destination.
func (s *stimulus) scale() model.Scale {
	r := s.Rng
	if r.IntN(8) == 0 { // small exponents for a small β
		m := bench.Pick(r, uint16(r.Uint64()), 1<<r.IntN(lapspaths.MantissaBits))
		return model.Scale{Mantissa: m, Exponent: uint8(r.IntN(bench.Pick(r, 8, 32)))}
	}
	// A longest latency of between 1/4 and 64 octaves.
	e := 14 + int(s.p.Tables.LatBits) - lapspaths.WeightBits + r.IntN(9)
	return model.Scale{Mantissa: uint16(1<<15 + r.IntN(1<<15)), Exponent: uint8(max(0, min(e, 31)))}
}

// write is the change that writes a path.
func (s *stimulus) write(pid, dst uint32) model.Change {
	c := model.Change{Op: model.Path, Pid: pid, Dst: dst, Delay: int64(s.lat()), Base: uint32(s.Rng.Int64N(1 << s.p.Tables.LatBits))}
	s.base[pid] = uint64(c.Base)
	for range s.p.Tables.Anchors {
		c.Anchors = append(c.Anchors, s.Rng.Uint32())
	}
	return c
}

// pid is the path of a bank and a row.
func (s *stimulus) pid(bank int, row int32) uint32 {
	return uint32(int64(bank)*s.p.Tables.Rows + int64(row))
}

// free returns a row in a bank whose path belongs to no destination, or -1 if none of the
// few rows tried is free.
func (s *stimulus) free(bank int) int32 {
	for range 4 {
		row := int32(s.Rng.Int64N(min(s.p.Tables.Rows, 16)))
		if s.owner[s.pid(bank, row)] < 0 {
			return row
		}
	}
	return -1
}

// plan writes a job of the control plane: another set of paths for a destination, new
// values for some paths, or a mistake.
func (s *stimulus) plan() {
	r := s.Rng
	dst := uint32(s.dst())
	set := s.sets[dst]
	add := func(c model.Change) { s.jobs = append(s.jobs, c) }
	remove := func(pid uint32) {
		s.owner[pid] = -1
		add(model.Change{Op: model.Remove, Pid: pid})
		if s.gone = append(s.gone, pid); len(s.gone) > 16 {
			s.gone = s.gone[1:]
		}
	}
	if len(s.empty) > 0 && r.IntN(4) == 0 {
		for _, pid := range s.empty {
			remove(pid)
		}
		s.empty = s.empty[:0]
		return
	}
	switch r.IntN(8) {
	case 0:
		pid := uint32(r.Int64N(s.p.Tables.Paths()))
		if s.owner[pid] >= 0 {
			return
		}
		c := model.Change{Op: model.List, Pid: pid}
		if none := s.out(s.p.Tables.DstBits, s.p.Tables.Destinations, 0); none > 0 { // a destination that does not exist
			c.Op, c.Dst = bench.Pick(r, model.List, model.Commit, model.Path), uint32(none)
		}
		add(c)
		return
	case 1, 2:
		for b, row := range set {
			if row >= 0 && r.IntN(4) == 0 {
				add(s.write(s.pid(b, row), dst))
			}
		}
		return
	}
	keep := bench.Pick(r, 0, 128, 250)
	most := bench.Pick(r, 0, 1, 2, int(s.p.Tables.Banks), int(s.p.Tables.Banks), int(s.p.Tables.Banks))
	var gone []uint32
	n := 0
	for b := range set {
		if set[b] >= 0 && (r.IntN(256) >= keep || n >= most) {
			gone = append(gone, s.pid(b, set[b]))
			set[b] = -1
		}
		if set[b] < 0 && n < most {
			if row := s.free(b); row >= 0 {
				pid := s.pid(b, row)
				s.owner[pid] = int32(dst)
				set[b] = row
				add(s.write(pid, dst))
			}
		}
		if set[b] >= 0 {
			n++
		}
	}
	for b, row := range set {
		if row >= 0 {
			add(model.Change{Op: model.List, Pid: s.pid(b, row)})
		}
	}
	add(model.Change{Op: model.Commit, Dst: dst, Scale: s.scale()})
	if n == 0 && len(s.empty) == 0 && r.IntN(2) == 0 { // takes its time: ACKs find no path
		s.empty = append(s.empty, gone...)
		return
	}
	for _, pid := range gone {
		remove(pid)
	}
}

// path is a path of a destination that is favoured, or one that was removed lately.
func (s *stimulus) path() uint64 {
	if len(s.gone) > 0 && s.Rng.Bits()>>59 == 0 {
		return uint64(bench.Pick(s.Rng, s.gone...))
	}
	set := s.sets[s.dst()]
	first := int(s.Rng.Bits()>>58) % len(set)
	for i := range set {
		if b := (first + i) % len(set); set[b] >= 0 {
			return uint64(s.pid(b, set[b]))
		}
	}
	return uint64(s.Rng.Int64N(s.p.Tables.Paths()))
}
