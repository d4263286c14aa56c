// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// Checker follows a block cycle by cycle with its golden model: tb/nic_transport has it.
type Checker interface {
	Step(in, out []uint64) error
	End() error
}

// Config holds the settings of a replay.
type Config struct {
	Library *cosim.Library
	Params  *params.Params
	Map     *csr.Map
	Checker Checker

	Period   agenda.Instant // of the clock
	Seed     uint64         // of the path unit, and of the patterns
	Stall    float64        // probability of each cycle that the host does not take a beat
	Idle     float64        // that the host, or the wire, has none although a frame is there
	LineRate bool           // frames follow one another at once, not as in the capture
	Drain    uint64         // ns after the last frame in which the block may become empty

	Profile device.Profile
	Rate    float64 // of each connection, in bytes per ns; 0: not paced
	Window  uint32  // of each connection, in bytes; 0: the setting's

	// Trace is a file for a waveform from cycle TraceFrom on; empty: none.
	Trace     string
	TraceFrom uint64

	Progress func(done, total uint64) // frames; may be nil
}

// Result is the result of a replay.
type Result struct {
	Conversations []Conversation
	Opened        int      // of them, those that the block was set up for
	LeftOut       []string // why not for others, one each
	Rows          []Row
	Drops         map[string]uint64 // counters of drops that are not 0
	Counters      map[string]uint64 // of the block as a whole
	Cycles        uint64
	Took          uint64 // ns
	Held          int    // packets that are still in queues
	Out           []capture.Packet
}

// Difference is a finding: what leaves is not what should.
type Difference struct {
	Cycle uint64 // the device's number of cycles then
	NS    uint64
	Frame string // the last frame that went in whole; empty: none, or it is of no file
	Err   error
}

// Error returns the time and the difference.
func (d *Difference) Error() string {
	s := fmt.Sprintf("at %d ns: %v", d.NS, d.Err)
	if d.Frame != "" {
		s += "; the last frame that went in is " + d.Frame
	}
	return s
}

// Unwrap returns the difference without its time.
func (d *Difference) Unwrap() error { return d.Err }

// longestRun is the longest duration of a recording for which its times and the drain after it, in ps, fit into 63 bits.
const longestRun = 100 * 24 * time.Hour

// Run replays packets, whose directions must be known, in the order of time. A *Difference is the error of
// a block that does not do what it should.
func Run(ctx context.Context, packets []capture.Packet, c Config) (res *Result, err error) {
	if len(packets) == 0 {
		return nil, errors.New("the capture has no packets")
	}
	for i := range packets {
		if len(packets[i].Data) == 0 {
			return nil, fmt.Errorf("%s has 0 bytes: leave it out", packets[i].Where())
		}
	}
	if lasts := packets[len(packets)-1].Time.Sub(packets[0].Time); lasts > longestRun && !c.LineRate {
		return nil, fmt.Errorf("the recording lasts %s: want at most %s; cut its gaps (--max-gap), or replay it without them (--line-rate)", long(lasts.Seconds()), long(longestRun.Seconds()))
	}
	res = &Result{Conversations: Find(packets), Drops: map[string]uint64{}}
	b := newBook()
	b.sight = sight{tags: int(c.Params.Tags), v6: c.Params.IPv6}
	var d *device.Device
	var fault error    // of the checker
	var entered string // the last frame that went in
	differ := func(err error) error {
		if err == nil || ctx.Err() != nil {
			return err
		}
		return &Difference{Cycle: d.Cycle(), NS: d.Now().NS(), Frame: entered, Err: cmp.Or(fault, err)}
	}
	follow := func(in, out []uint64) error {
		if fault == nil {
			fault = c.Checker.Step(in, out)
		}
		return fault
	}
	var pauses *device.Pauses
	if !c.LineRate {
		pauses = device.PausesOf(c.Params, cmp.Or(c.Period, device.Period250))
	}
	d, err = device.New(device.Config{Library: c.Library, Map: c.Map, Period: c.Period, Seed: c.Seed, Pauses: pauses,
		HostStall: c.Stall, HostIdle: c.Idle, WireIdle: c.Idle, Follow: follow, Trace: c.Trace, TraceFrom: c.TraceFrom})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	s, err := device.NewProgram(ctx, d, c.Params)
	if err == nil {
		err = s.Seed(c.Seed)
	}
	if err == nil {
		err = res.open(ctx, s, &c)
	}
	if err != nil {
		if fault != nil {
			return nil, differ(err)
		}
		return nil, err
	}
	d.Rebase()
	start := packets[0].Time
	ends := schedule(d, packets, c.LineRate, b)
	d.Entered = func(e device.Entered) {
		dir := capture.RX
		if e.FromHost {
			dir = capture.TX
		}
		b.entered(dir, e.Number, e.First)
		entered = b.in[dir][e.Number].where
	}
	var wrong error
	left := func(l device.Left) {
		dir, at := capture.TX, l.Gone
		if l.ToHost {
			dir, at = capture.RX, l.Last
		}
		if err := b.left(dir, l.Data, l.First, l.Bad); err != nil && wrong == nil {
			wrong = err
		}
		res.Took = max(res.Took, at.NS())
		if !l.Bad {
			res.Out = append(res.Out, capture.Packet{Time: start.Add(time.Duration(at.NS())), Data: l.Data, Dir: dir})
		}
	}
	last := ends + agenda.At(c.Drain)
	const step = 100 * 1000 * agenda.PS // 100 µs
	for total := uint64(len(packets)); d.Busy() && d.Now() < last; {
		until := d.Now() + step
		if at, ok := d.Next(); ok { // a pause in one go
			until = max(until, at)
		}
		if err := d.Run(ctx, min(last, until), left); err != nil {
			if fault != nil {
				return nil, differ(err)
			}
			return nil, err
		}
		if wrong != nil {
			return nil, differ(wrong)
		}
		if c.Progress != nil {
			host, wire := d.Waiting()
			c.Progress(total-uint64(host+wire), total)
		}
	}
	res.Cycles, res.Held = d.Cycle(), d.Held()
	if err := res.count(s); err != nil {
		return nil, err
	}
	if err := c.Checker.End(); err != nil {
		return nil, differ(err)
	}
	slices.SortStableFunc(res.Out, func(a, b capture.Packet) int { return cmp.Compare(a.Time.UnixNano(), b.Time.UnixNano()) })
	res.Rows = b.close()
	return res, differ(res.account())
}

// open sets connections up for the conversations of a capture.
func (res *Result) open(ctx context.Context, s *device.Program, c *Config) error {
	for _, v := range res.Conversations {
		var numbers []uint32
		if v.HasTX {
			numbers = append(numbers, v.RemoteQP)
		}
		if v.HasRX {
			numbers = append(numbers, v.LocalQP)
		}
		leave := func(why string) {
			res.LeftOut = append(res.LeftOut, fmt.Sprintf("%v, queue pairs %#x: %s", v.Remote, numbers, why))
		}
		if v.Remote.Is6() && !c.Params.IPv6 {
			leave("IPv6, which the block is built without")
			continue
		}
		p := c.Profile
		if v.Service == roce.UC {
			// Nothing answers its packets, and they never wait for a window.
			p.EchoTX, p.EchoRX, p.Feedback, p.Window = false, false, false, false
			p.Queue = p.Queue && c.Rate > 0
		}
		_, err := s.Open(ctx, device.Connection{Remote: v.Remote, Numbers: numbers, Profile: p, Rate: c.Rate, Window: c.Window})
		switch {
		case errors.Is(err, device.ErrNumbers), errors.Is(err, device.ErrTaken):
			leave(errors.Unwrap(err).Error())
		case err != nil:
			return err
		default:
			res.Opened++
		}
	}
	return nil
}

// schedule gives all frames to the device, and returns when the last one comes.
func schedule(d *device.Device, packets []capture.Packet, lineRate bool, b *book) agenda.Instant {
	var host, wire agenda.Instant
	for _, p := range packets {
		at := agenda.Instant(p.Time.Sub(packets[0].Time).Nanoseconds()) * agenda.PS // wraps only at line rate
		if p.Dir == capture.TX {
			if lineRate {
				at = 0
			}
			host = max(host, at)
			d.Host(host, p.Data)
		} else {
			if lineRate {
				at = 0
			}
			wire = max(wire+d.WireTime(len(p.Data)), at)
			d.Wire(wire, p.Data)
		}
		b.came(p.Dir, p.Data)
		if p.Record > 0 {
			b.in[p.Dir][len(b.in[p.Dir])-1].where = p.Where()
		}
	}
	return max(host, wire)
}

// drops are the counters of packets that do not leave, by block.
var drops = map[string][]string{
	"queue": {"sts_unknown_cnt", "sts_bad_cnt", "sts_long_cnt", "sts_full_cnt", "sts_quota_cnt", "sts_not_ready_cnt", "sts_discarded_cnt"},
	"shim":  {"sts_end_cnt"},
}

// count reads counters.
func (res *Result) count(s *device.Program) error {
	var err error
	if res.Counters, err = s.Counters("transport"); err != nil {
		return err
	}
	for _, b := range s.Map.Blocks {
		names := drops[b.Name]
		if names == nil {
			continue
		}
		all, err := s.Counters(b.Name)
		if err != nil {
			return err
		}
		for _, n := range names {
			if v := all[n]; v > 0 {
				res.Drops[b.Name+"."+n] = v
			}
		}
	}
	return nil
}

// account compares what is gone with what the block says that it dropped.
func (res *Result) account() error {
	gone := map[capture.Direction]uint64{}
	feedback := uint64(0)
	for _, r := range res.Rows {
		gone[r.Dir] += uint64(r.Gone)
		if r.Dir == capture.RX && r.Kind == Feedback {
			feedback = uint64(r.Gone)
		}
	}
	var queue uint64
	for n, v := range res.Drops {
		if n != "shim.sts_end_cnt" {
			queue += v
		}
	}
	if want := queue + uint64(res.Held); gone[capture.TX] != want {
		return fmt.Errorf("%d frames from the host did not leave, and the block's counters tell of %d", gone[capture.TX], want)
	}
	if want := res.Drops["shim.sts_end_cnt"] + feedback; gone[capture.RX] != want {
		return fmt.Errorf("%d frames from the wire did not leave, and %d are such as end in the block", gone[capture.RX], want)
	}
	return nil
}
