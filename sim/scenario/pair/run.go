// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/transit"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Options of a run.
type Options struct {
	Capture  bool                     // keep all frames of both NICs
	Progress func(done, total uint64) // in ns; may be nil
	// Window tells the window of a flow that a NIC has, in bytes; nil: none does.
	Window func(flow int) (bytes float64, ok bool)
}

// Sample is the state of the network at an instant.
type Sample struct {
	At     uint64    // ns
	Sent   []uint64  // bytes that host 0 sent onto each path since the last sample, also those that were dropped
	Frames []uint64  // that host 0 sent onto each path since the last sample
	Probes []uint64  // of them, probes
	Queue  []uint64  // bytes that wait before each path
	Landed []uint64  // frames of host 0 that came by each path since the last sample
	Late   []float64 // ns that they took together, from NIC to NIC
	Bytes  []uint64  // of payload of each flow that came since the last sample
	Window []float64 // of each flow, in bytes; 0 if its NIC has none
}

// Totals are the frames of one host's NIC on the wire. Each is accounted for.
type Totals struct {
	Sent    uint64            `json:"sent"`    // that left the NIC
	Made    uint64            `json:"made"`    // of them, the NIC's own: probes, answers, lists of feedback
	Landed  uint64            `json:"landed"`  // at the other NIC
	Ended   uint64            `json:"ended"`   // of them, those that ended in it
	Dropped map[Reason]uint64 `json:"dropped"` // by a switch
	Refused uint64            `json:"refused"` // of those given, by the NIC, whose queue had no room
	Given   uint64            `json:"given"`   // by the host to its NIC
	Taken   uint64            `json:"taken"`   // by the host from its NIC
}

// FlowResult is the outcome of a flow.
type FlowResult struct {
	Counts
	Goodput float64 `json:"goodput_gbps"` // from its start to the last byte
	Median  float64 `json:"median_message_ns"`
	Slowest float64 `json:"slowest_message_ns"`
}

// Result is the outcome of a run.
type Result struct {
	Scenario *Scenario    `json:"-"`
	Samples  []Sample     `json:"-"`
	Took     uint64       `json:"took_ns"` // until the last frame was gone
	Hosts    [2]Totals    `json:"hosts"`
	Forward  []Queue      `json:"forward"` // paths from host 0
	Back     []Queue      `json:"back"`
	Flows    []FlowResult `json:"flows"`

	Captures [2][]capture.Packet `json:"-"`
}

// ErrUnfinished is a run that is not over at its scenario's end.
var ErrUnfinished = errors.New("not all is sent and acknowledged at the end")

// run is a run.
type run struct {
	sc    *Scenario
	o     Options
	nics  [2]NIC
	net   *network
	flows []*flow
	byQP  [2]map[uint32]*flow
	given [2]uint64
	taken [2]uint64
	start []bool
	res   *Result
	seen  []uint64 // bytes at the last sample
	sent  []uint64
	was   []before
}

// before holds a path's counters at the last sample.
type before struct {
	frames, probes, landed uint64
	late                   agenda.Instant
}

// epoch is the start time of captures.
var epoch = time.Unix(1_790_000_000, 0).UTC()

// Run simulates a scenario. NICs run side by side, each as far as nothing that leaves the other
// one can matter to it.
func Run(ctx context.Context, sc *Scenario, nics [2]NIC, o Options) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	r := &run{sc: sc, o: o, nics: nics, res: &Result{Scenario: sc}, seen: make([]uint64, len(sc.Flows)), sent: make([]uint64, len(sc.Paths)), was: make([]before, len(sc.Paths))}
	r.net = newNetwork(sc)
	r.net.land = func(host int, at agenda.Instant, frame []byte) {
		r.record(host, capture.RX, at, frame)
		nics[host].Wire(at, frame)
	}
	for host := range 2 {
		r.byQP[host] = map[uint32]*flow{}
	}
	for i := range sc.Flows {
		f := newFlow(r, i)
		r.flows = append(r.flows, f)
		for host := range 2 {
			r.byQP[host][QP(i, host)] = f
		}
		r.at(agenda.At(f.Start), f.pump)
	}
	r.at(agenda.At(sc.Sample), r.sample)
	if err := r.loop(ctx); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return r.result()
}

// loop lets time go on, a step at a time: first what the network and the hosts do in it, then the NICs.
func (r *run) loop(ctx context.Context) error {
	step := agenda.At(r.sc.Step())
	for from := agenda.Instant(0); ; from += step {
		if from >= agenda.At(r.sc.End) {
			return fmt.Errorf("%w: %s", ErrUnfinished, strings.Join(r.unfinished(from), ", "))
		}
		if err := r.net.Until(ctx, from+step); err != nil {
			return err
		}
		var left [2][]Left
		g, gctx := errgroup.WithContext(ctx)
		for host := range 2 {
			g.Go(func() error {
				err := r.nics[host].Run(gctx, from+step, func(l Left) { left[host] = append(left[host], l) })
				if err != nil {
					return fmt.Errorf("NIC %d: %w", host, err)
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for host := range 2 {
			slices.SortStableFunc(left[host], func(a, b Left) int { return cmp.Compare(a.At, b.At) })
			for _, l := range left[host] {
				r.left(host, l)
			}
		}
		if r.o.Progress != nil {
			r.o.Progress(from.NS(), r.sc.End)
		}
		if r.over(from + step) {
			r.res.Took = (from + step).NS()
			return nil
		}
	}
}

// at does something at an instant. An error ends the run.
func (r *run) at(when agenda.Instant, do func(now agenda.Instant) error) {
	r.net.At(when, func() {
		if err := do(when); err != nil {
			r.net.Fail(fmt.Errorf("%d ns: %w", when.NS(), err))
		}
	})
}

// left passes on what left a NIC.
func (r *run) left(host int, l Left) {
	if !l.ToHost {
		r.record(host, capture.TX, l.At, l.Data)
		r.net.enter(host, l.At, l.Data, l.Bad)
		return
	}
	r.taken[host]++
	r.at(l.At+agenda.At(r.sc.Turn), func(now agenda.Instant) error { return r.toHost(host, l.Data, now) })
}

func (r *run) fromHost(host int, at agenda.Instant, frame []byte) {
	r.given[host]++
	r.nics[host].Host(at, frame)
}

// toHost is a frame that a host takes from its NIC.
func (r *run) toHost(host int, frame []byte, now agenda.Instant) error {
	if err := roce.Verify(frame); err != nil {
		return fmt.Errorf("a frame of %d bytes for host %d: %w", len(frame), host, err)
	}
	p, err := roce.Parse(frame)
	if err != nil {
		return fmt.Errorf("a frame of %d bytes for host %d: %w", len(frame), host, err)
	}
	f := r.byQP[host][p.BTH.DestQP]
	if f == nil {
		return fmt.Errorf("%v for queue pair 0x%x, which host %d does not have", p.BTH.Opcode, p.BTH.DestQP, host)
	}
	switch {
	case host == 0 && p.BTH.Opcode == roce.Acknowledge:
		return f.answer(p, now)
	case host == 1 && p.BTH.Opcode.Request():
		return f.request(p, transit.Marked(frame), now)
	}
	return fmt.Errorf("%v for host %d", p.BTH.Opcode, host)
}

func (r *run) record(host int, dir capture.Direction, at agenda.Instant, frame []byte) {
	if r.o.Capture {
		r.res.Captures[host] = append(r.res.Captures[host], capture.Packet{Time: epoch.Add(time.Duration(at.NS())), Data: slices.Clone(frame), Dir: dir})
	}
}

// over reports whether everything has ended.
func (r *run) over(now agenda.Instant) bool {
	if r.net.inside > 0 || r.nics[0].Busy() || r.nics[1].Busy() {
		return false
	}
	for _, f := range r.flows {
		if !f.over(now) {
			return false
		}
	}
	return true
}

func (r *run) unfinished(now agenda.Instant) []string {
	var out []string
	for _, f := range r.flows {
		if !f.over(now) {
			out = append(out, fmt.Sprintf("flow %d: %d packets sent, %d acknowledged, %d messages complete", f.number, f.high, f.una, f.Messages))
		}
	}
	for host, n := range r.nics {
		if n.Busy() {
			out = append(out, fmt.Sprintf("NIC %d is busy", host))
		}
	}
	if r.net.inside > 0 {
		out = append(out, fmt.Sprintf("%d frames in the network", r.net.inside))
	}
	return out
}

// sample takes a sample, and plans the next one.
func (r *run) sample(now agenda.Instant) error {
	s := Sample{At: now.NS()}
	for i, e := range r.net.paths[0] {
		s.Sent = append(s.Sent, e.came-r.sent[i])
		r.sent[i] = e.came
		s.Queue = append(s.Queue, e.waiting)
		w := &r.was[i]
		s.Frames, s.Probes, s.Landed = append(s.Frames, e.Frames-w.frames), append(s.Probes, e.Probes-w.probes), append(s.Landed, e.Landed-w.landed)
		s.Late = append(s.Late, float64(e.late-w.late)/agenda.PS)
		*w = before{e.Frames, e.Probes, e.Landed, e.late}
	}
	for i, f := range r.flows {
		s.Bytes = append(s.Bytes, f.Bytes-r.seen[i])
		r.seen[i] = f.Bytes
		w := 0.0
		if r.o.Window != nil {
			w, _ = r.o.Window(i)
		}
		s.Window = append(s.Window, w)
	}
	r.res.Samples = append(r.res.Samples, s)
	r.at(now+agenda.At(r.sc.Sample), r.sample)
	return nil
}

// result adds up, and refuses a run in which a frame is not accounted for.
func (r *run) result() (*Result, error) {
	for host := range 2 {
		t := Totals{Sent: r.net.sent[host], Made: r.net.made[host], Landed: r.net.landed[host], Ended: r.net.ended[host], Dropped: r.net.drops[host], Given: r.given[host], Taken: r.taken[host]}
		sum := t.Landed
		for _, n := range t.Dropped {
			sum += n
		}
		if sum != t.Sent {
			return nil, fmt.Errorf("scenario %s: host %d sent %d frames, and %d are accounted for", r.sc.Name, host, t.Sent, sum)
		}
		if d, ok := r.nics[host].(Dropper); ok {
			var err error
			if t.Refused, err = d.Dropped(); err != nil {
				return nil, fmt.Errorf("NIC %d: %w", host, err)
			}
		}
		if t.Sent+t.Refused != t.Given+t.Made {
			return nil, fmt.Errorf("scenario %s: %d frames left NIC %d, and it dropped %d: its host gave it %d, and %d are its own", r.sc.Name, t.Sent, host, t.Refused, t.Given, t.Made)
		}
		r.res.Hosts[host] = t
	}
	for host, t := range r.res.Hosts {
		if from := r.res.Hosts[1-host]; from.Landed != t.Taken+from.Ended {
			return nil, fmt.Errorf("scenario %s: %d frames came to NIC %d: its host got %d, and %d were for the NIC", r.sc.Name, from.Landed, host, t.Taken, from.Ended)
		}
	}
	if err := r.net.Check(); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", r.sc.Name, err)
	}
	for i := range r.sc.Paths {
		r.res.Forward = append(r.res.Forward, r.net.paths[0][i].Queue)
		r.res.Back = append(r.res.Back, r.net.paths[1][i].Queue)
	}
	for _, f := range r.flows {
		x := FlowResult{Counts: f.Counts}
		if took := f.last - agenda.At(f.Start); took > 0 {
			x.Goodput = float64(f.Bytes) * 8 * agenda.PS / float64(took)
		}
		if n := len(f.done); n > 0 {
			slices.Sort(f.done)
			x.Median, x.Slowest = float64(f.done[n/2])/agenda.PS, float64(f.done[n-1])/agenda.PS
		}
		r.res.Flows = append(r.res.Flows, x)
	}
	return r.res, nil
}
