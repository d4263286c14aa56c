// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// Checker follows a block cycle by cycle with its golden model: tb/nic_transport has it.
type Checker interface {
	Step(in, out []uint64) error
	End() error
}

// Setup is the setup of a block.
type Setup struct {
	Library *cosim.Library
	Params  *params.Params
	Checker Checker        // nil: the RTL runs alone
	Period  agenda.Instant // of the clock; 0: Period
	Seed    uint64

	Profile device.Profile // of connections that are opened in the course of the run
	Rate    float64        // of each, in bytes per ns; 0: not paced
	Window  uint32         // of each, in bytes; 0: the setting's
	Files   []*load.File   // loaded in this order before the first frame
}

// Block is a NIC whose block runs as RTL, with its golden model if there is a checker.
type Block struct {
	Setup
	d       *device.Device
	program *device.Program
	fault   error
	open    []opened // connections, the oldest first
	opened  int
}

// opened is a connection of the program.
type opened struct {
	Connection
	number int
}

// ErrGolden is a difference between RTL and golden model.
var ErrGolden = errors.New("RTL and golden model differ")

// NewBlock powers a block up and loads its files.
func NewBlock(ctx context.Context, s Setup) (b *Block, err error) {
	b = &Block{Setup: s}
	m, err := s.Params.Map()
	if err != nil {
		return nil, err
	}
	period := cmp.Or(s.Period, Period)
	c := device.Config{Library: s.Library, Map: m, Period: period, Seed: s.Seed, Pauses: device.PausesOf(s.Params, period)}
	if s.Checker != nil {
		c.Follow = b.follow
	}
	if b.d, err = device.New(c); err != nil {
		return nil, err
	}
	d := b.d
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if b.program, err = device.NewProgram(ctx, b.d, s.Params); err != nil {
		return nil, err
	}
	if err = b.program.Seed(s.Seed); err != nil {
		return nil, err
	}
	for _, f := range s.Files {
		if err = b.load(ctx, m, f); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// follow gives a cycle to the checker.
func (b *Block) follow(in, out []uint64) error {
	if b.fault == nil {
		if err := b.Checker.Step(in, out); err != nil {
			b.fault = fmt.Errorf("%w: %w", ErrGolden, err)
		}
	}
	return b.fault
}

// bus has the registers of a block, for software that knows no simulation.
type bus struct{ d *device.Device }

func (x bus) Read32(at uint32) (uint32, error) { return x.d.ReadWord(at) }
func (x bus) Write32(at, v uint32) error       { return x.d.WriteWord(at, v) }
func (bus) Size() uint64                       { return 1 << 16 }
func (bus) Close() error                       { return nil }

// load carries a file out as `nicgen csr load` does.
func (b *Block) load(ctx context.Context, m *csr.Map, f *load.File) error {
	steps, err := load.Plan(m, f, load.Options{})
	if err != nil {
		return err
	}
	nic, err := registers.Attach(bus{b.d}, m, false)
	if err != nil {
		return err
	}
	if err := load.Do(ctx, nic, steps, time.Minute); err != nil {
		return cmp.Or(b.fault, err)
	}
	b.opened += len(f.Connections)
	return nil
}

// Close frees the block.
func (b *Block) Close() error { return b.d.Close() }

// Host implements NIC.
func (b *Block) Host(frame []byte) { b.d.Host(b.d.Now(), frame) }

// Wire implements NIC.
func (b *Block) Wire(frame []byte) { b.d.Wire(b.d.Now(), frame) }

// Busy implements NIC.
func (b *Block) Busy() bool { return b.d.Busy() }

// Now implements NIC.
func (b *Block) Now() agenda.Instant { return b.d.Now() }

// Together makes the present time of blocks 0, and sets their clocks to the same time, as PTP does.
func Together(blocks ...*Block) {
	last := uint64(0)
	for _, b := range blocks {
		b.d.Rebase()
		last = max(last, b.d.Clock())
	}
	for _, b := range blocks {
		b.d.Advance(agenda.At(last - b.d.Clock()))
	}
}

// Run implements NIC.
func (b *Block) Run(ctx context.Context, until agenda.Instant, left func(Left)) error {
	err := b.d.Run(ctx, until, func(l device.Left) { left(Left{ToHost: l.ToHost, At: l.Gone, Bad: l.Bad, Data: l.Data}) })
	return cmp.Or(b.fault, err)
}

// Open implements NIC. A connection with the same peer and one of the same queue pairs ends; if all numbers are in use,
// the oldest connection ends.
func (b *Block) Open(ctx context.Context, c Connection) error {
	start := func(c *Connection, _ int) error {
		x := device.Connection{Remote: c.Remote, Numbers: []uint32{c.RemoteQP, c.LocalQP}, Profile: b.Profile, Rate: b.Rate, Window: b.Window}
		n, err := b.program.Open(ctx, x) // the lowest free number, as reopen has it
		if err != nil {
			return err
		}
		b.opened++
		if b.Profile.Feedback && b.Params.List > 0 {
			return b.feedback(n, c)
		}
		return nil
	}
	end := func(o opened) error { return b.program.Close(o.number) }
	err := reopen(&b.open, int(b.Params.Connections), c, start, end)
	return cmp.Or(b.fault, err)
}

// feedback writes the template of a connection's lists of feedback.
func (b *Block) feedback(number int, c *Connection) error {
	x := load.Connection{Conn: int64(number), Address: c.Remote, RemoteQP: &c.RemoteQP,
		Feedback: &load.Feedback{MAC: c.LocalMAC, PeerMAC: c.RemoteMAC, Source: c.Local, DSCP: 48, TTL: 64, PKey: 0xFFFF}}
	t := load.Template(&x, b.Profile.Flow)
	place, _ := t.Place()
	for k := place.Needed() - 1; k >= 0; k-- {
		one := func(name string, v uint32) device.Field { return device.Field{Name: name, Words: []uint32{v}} }
		if err := b.program.Do("feedback.s_template", one("conn", uint32(number)), one("word", uint32(k)), one("data", t[k])); err != nil {
			return err
		}
	}
	return nil
}

// drops are the queues' counters of packets that do not leave.
var drops = []string{"sts_unknown_cnt", "sts_bad_cnt", "sts_long_cnt", "sts_full_cnt", "sts_quota_cnt", "sts_not_ready_cnt", "sts_discarded_cnt"}

// End implements NIC.
func (b *Block) End() (*Counters, error) {
	c := &Counters{Registers: map[string]uint64{}, Opened: b.opened}
	for _, m := range b.d.Map.Blocks {
		all, err := b.program.Counters(m.Name)
		if err != nil {
			return nil, cmp.Or(b.fault, err)
		}
		for name, v := range all {
			if v > 0 {
				c.Registers[m.Name+"."+name] = v
			}
		}
	}
	for _, name := range drops {
		c.Dropped += c.Registers["queue."+name]
	}
	c.Ended = c.Registers["shim.sts_end_cnt"]
	c.Cycles, c.TimeNS, c.Held = b.d.Cycle(), b.d.Now().NS(), b.d.Held()
	c.Waiting[0], c.Waiting[1] = b.d.Waiting()
	if b.Checker != nil && !b.d.Busy() {
		if err := b.Checker.End(); err != nil {
			return c, fmt.Errorf("%w: %w", ErrGolden, err)
		}
	}
	return c, nil
}
