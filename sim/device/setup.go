// SPDX-License-Identifier: Apache-2.0

package device

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	niclookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
)

// Profile selects the block's functions for a connection, described in
// docs/units/nic_transport.md.
type Profile struct {
	Queue, Path, Flow, EchoTX, EchoRX, Feedback, Window, Telemetry bool

	DSCP, ECN int // -1: as the host made them

	Destination uint32 // of LAPS, below 2^14
}

// Word is the profile as the register has it.
func (p Profile) Word() uint32 {
	w := uint32(0)
	for i, on := range []bool{p.Queue, p.Path, p.Flow, p.EchoTX, p.EchoRX, p.Feedback, p.Window, p.Telemetry} {
		if on {
			w |= 1 << i
		}
	}
	if p.DSCP >= 0 {
		w |= 1<<8 | uint32(p.DSCP&63)<<9
	}
	if p.ECN >= 0 {
		w |= 1<<15 | uint32(p.ECN&3)<<16
	}
	return w | p.Destination<<18
}

// Connection holds a connection's entries in the block.
type Connection struct {
	Remote  netip.Addr // of the peer
	Numbers []uint32   // destination queue pairs of its packets, at most two: the peer's, and the host's own
	Profile Profile
	Rate    float64 // bytes per ns; 0: not paced, or as LAPS opens it
	Window  uint32  // bytes; 0: the block's setting
}

// Program is software that sets the block up. It keeps a copy of the table of connections.
type Program struct {
	*Device
	p     *params.Params
	table *place.Table
	conns []*Connection // by number; nil: free
}

// NewProgram waits until the block is ready.
func NewProgram(ctx context.Context, d *Device, p *params.Params) (*Program, error) {
	s := &Program{Device: d, p: p, table: place.New(p.Lookup()), conns: make([]*Connection, p.Connections)}
	return s, d.Settle(ctx, "transport.sts_ready")
}

// Settings writes settings of a block by their names, and has all of them count at once.
func (s *Program) Settings(block string, values map[string]uint64) error {
	names := make([]string, 0, len(values))
	for n := range values {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		v := values[n]
		words := []uint32{uint32(v), uint32(v >> 32)}
		if words[1] == 0 {
			words = words[:1]
		}
		if err := s.Write(block+"."+n, words...); err != nil {
			return err
		}
	}
	return s.Write(block+".commit", 1<<csr.CommitBit)
}

// Seed sets the generators of the path unit.
func (s *Program) Seed(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x5EED))
	for _, b := range s.Map.Blocks {
		for _, w := range b.Windows {
			if w.Name != "s_seed" {
				continue
			}
			for range 8 {
				word := uint32(r.Uint64()) & (1<<w.Fields[0].Bits - 1)
				if err := s.Do(b.Name+".s_seed", Field{"word", []uint32{word}}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Errors of Open that change nothing.
var (
	ErrNumbers = errors.New("all connections of the block are in use")
	ErrTaken   = errors.New("the same address and number")
)

// Open makes a connection: the state of its number is made new in all parts, then profile, rate
// and window are written, and the entries by which packets find it last.
func (s *Program) Open(ctx context.Context, c Connection) (number int, err error) {
	number = slices.Index(s.conns, nil)
	if number < 0 {
		return 0, fmt.Errorf("connection to %v: %w: %d", c.Remote, ErrNumbers, len(s.conns))
	}
	keys, err := s.keys(&c)
	if err != nil {
		return 0, err
	}
	for _, k := range keys {
		if other, ok := s.table.Lookup(k); ok {
			return 0, fmt.Errorf("connection to %v, queue pairs %#x: connection %d has %w", c.Remote, c.Numbers, other, ErrTaken)
		}
	}
	if err := s.flush(ctx, number); err != nil {
		return 0, err
	}
	conn := Field{"conn", []uint32{uint32(number)}}
	if err := s.Do("transport.s_profile", conn, Field{"word", []uint32{c.Profile.Word()}}); err != nil {
		return 0, err
	}
	inv := uint64(0)
	if c.Rate > 0 {
		inv = min(max(1, uint64(math.Round(65536/c.Rate))), 1<<26-1)
	}
	if c.Rate > 0 || !s.p.HasLAPS() { // LAPS has opened the connection with a rate
		if err := s.Do("pace.s_rate", conn, Field{"inv", []uint32{uint32(inv)}}); err != nil {
			return 0, err
		}
	}
	if c.Window > 0 {
		if err := s.Do("gate.s_window", conn, Field{"bytes", []uint32{c.Window}}); err != nil {
			return 0, err
		}
	}
	s.conns[number] = &c
	for _, k := range keys {
		list, err := s.table.Insert(k, uint32(number))
		if err != nil {
			return 0, fmt.Errorf("connection to %v: %w", c.Remote, err)
		}
		if err := s.entries(list); err != nil {
			return 0, err
		}
	}
	return number, nil
}

// Close ends a connection: the entries go first, so that later packets pass unchanged.
func (s *Program) Close(number int) error {
	c := s.conns[number]
	keys, err := s.keys(c)
	if err != nil {
		return err
	}
	for _, k := range keys {
		list, err := s.table.Delete(k)
		if err != nil {
			return err
		}
		if err := s.entries(list); err != nil {
			return err
		}
	}
	s.conns[number] = nil
	return s.Do("transport.s_profile", Field{"conn", []uint32{uint32(number)}}, Field{"word", []uint32{0}})
}

// keys returns the keys by which packets of each direction find a connection.
func (s *Program) keys(c *Connection) ([]niclookup.Key, error) { return Keys(s.p, c.Remote, c.Numbers) }

// Keys returns the keys by which packets of each direction find a connection.
func Keys(p *params.Params, remote netip.Addr, numbers []uint32) ([]niclookup.Key, error) {
	var keys []niclookup.Key
	for i, qp := range numbers {
		k, err := niclookup.KeyOf(p.IPv6, remote, niclookup.Direction(i), qp, int(p.NumberBits()))
		if err != nil {
			return nil, fmt.Errorf("connection to %v: %w", remote, err)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// entries carries writes of the table out.
func (s *Program) entries(list []niclookup.Write) error {
	for _, w := range list {
		set := uint32(0)
		if w.Entry.Set {
			set = 1
		}
		var key []uint32
		for _, x := range w.Entry.Key {
			key = append(key, uint32(x), uint32(x>>32))
		}
		key = key[:(s.p.KeyBits()+31)/32]
		err := s.Do("lookup.s_write", Field{"read", []uint32{0}}, Field{"way", []uint32{uint32(w.Way)}}, Field{"row", []uint32{uint32(w.Row)}},
			Field{"set", []uint32{set}}, Field{"key", key}, Field{"conn", []uint32{w.Entry.Conn}})
		if err != nil {
			return err
		}
	}
	return nil
}

// flush makes the state of a number new in each part that has some.
func (s *Program) flush(ctx context.Context, number int) error {
	for _, b := range s.Map.Blocks {
		for _, w := range b.Windows {
			if !strings.HasSuffix(w.Name, "s_flush") && !strings.HasSuffix(w.Name, "s_open") {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			var fields []Field
			for _, f := range w.Fields {
				v := uint32(0)
				if strings.HasSuffix(f.Name, ".conn") || strings.HasSuffix(f.Name, ".flow") {
					v = uint32(number)
				}
				fields = append(fields, Field{strings.TrimPrefix(f.Name, w.Name+"."), []uint32{v}})
			}
			if err := s.Do(b.Name+"."+w.Name, fields...); err != nil {
				return fmt.Errorf("flush of connection %d: %w", number, err)
			}
		}
	}
	return nil
}
