// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes searches and operations in episodes, with a few keys that are searched and written
// to their places again and again. Some keys differ in one bit.
type stimulus struct {
	bench.Traffic
	p    *params.Params
	x    wires
	hash *model.Hash

	keys   []model.Key
	conns  []uint32
	search [ports]uint64 // chances of a search in a cycle, in 1/256
	op     uint64        // of an operation
	read   uint64        // that it reads
	erase  uint64        // that it deletes
	near   uint64        // that a written key differs in one bit from the one whose place it gets
	wrong  uint64        // that a written number is not the key's
	bad    uint64        // that an operation is illegal
	stray  uint64        // that a search is for another key
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, hash: model.NewHash(p), Traffic: bench.NewTraffic(seed, 0x6c6f6f6b, 0)}
	s.Sweep = p.Rows
	return s, s.x.bind(p, l)
}

// key draws any key.
func (s *stimulus) key() model.Key {
	var k model.Key
	for i := range k {
		k[i] = s.Rng.Bits()
	}
	return k.Cut(s.p.KeyBits)
}

// conn draws a connection, one of the ends now and then.
func (s *stimulus) conn() uint32 {
	return uint32(bench.Pick(s.Rng, 0, s.p.Connections-1, s.Rng.Int64N(s.p.Connections), s.Rng.Int64N(s.p.Connections)))
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 64 + r.IntN(800)
	if len(s.keys) == 0 || r.IntN(4) == 0 {
		s.keys, s.conns = s.keys[:0], s.conns[:0]
		for range bench.Pick(r, 1, 2, 4, 8) {
			s.keys = append(s.keys, s.key())
			s.conns = append(s.conns, s.conn())
		}
		if r.IntN(2) == 0 {
			s.keys = append(s.keys, s.keys[0].Flip(r.IntN(int(s.p.KeyBits))))
			s.conns = append(s.conns, s.conn())
		}
	}
	for i := range s.search {
		s.search[i] = bench.Pick[uint64](r, 32, 128, 230, 256, 256)
	}
	if s.search[portB] == 256 && r.IntN(2) == 0 {
		s.search[portB] = 192
	}
	s.op = bench.Pick[uint64](r, 4, 64, 256)
	s.read = bench.Pick[uint64](r, 0, 32, 128)
	s.erase = bench.Pick[uint64](r, 8, 64, 128)
	s.near = bench.Pick[uint64](r, 0, 0, 64, 128)
	s.wrong = bench.Pick[uint64](r, 0, 0, 32)
	s.bad = bench.Pick[uint64](r, 0, 0, 8, 64)
	s.stray = bench.Pick[uint64](r, 0, 16, 64)
	s.MayReset(2000+8*s.p.Rows, 4)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	if s.Cycle(s.episode) {
		s.x.rst.Raise(in)
	}
	dice := bench.Dice(s.Rng.Bits())
	same := dice.Hit(64) // both ports look for one key
	at := int(s.Rng.Bits()>>32) % len(s.keys)
	for i := range s.search {
		if !dice.Hit(s.search[i]) {
			continue
		}
		if !same {
			at = int(s.Rng.Bits()>>32) % len(s.keys)
		}
		k := s.keys[at]
		if dice.Hit(s.stray) {
			k = s.key()
			if s.Rng.Bits()>>63 == 0 {
				k = s.keys[at].Flip(int(s.Rng.Bits()>>32) % int(s.p.KeyBits))
			}
		}
		s.x.searches[i].Drive(in, &params.Search{Key: k})
	}
	if dice.Hit(s.op) {
		s.operate(in)
	}
}

// operate offers an operation. Whether it is taken does not matter: the next one is another.
func (s *stimulus) operate(in []uint64) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	at := int(r.Bits()>>32) % len(s.keys)
	way := int(r.Bits()>>32) % int(s.p.Ways)
	k, conn := s.keys[at], s.conns[at]
	row := s.hash.Rows(k)[way]
	if dice.Hit(s.near) {
		k = k.Flip(int(r.Bits()>>32) % int(s.p.KeyBits))
	}
	if dice.Hit(s.wrong) {
		conn = s.conn()
	}
	e := params.Operation{Read: dice.Hit(s.read), Set: !dice.Hit(s.erase)}
	if dice.Hit(s.bad) {
		switch r.Bits() >> 62 {
		case 0:
			way = int(s.p.Ways) // of four ways this is way 0
		case 1, 2:
			row = int(bench.Beyond(r.Bits()>>32, s.p.Rows, 1<<params.RowBits))
		case 3:
			if none := int64(1)<<s.p.ConnBits - s.p.Connections; none > 0 {
				conn = uint32(bench.Beyond(r.Bits()>>32, s.p.Connections, s.p.Connections+none))
			}
		}
	}
	e.Way, e.Row, e.Key, e.Conn = uint8(way), uint32(row), k, conn
	s.x.operations.Drive(in, &e)
}
