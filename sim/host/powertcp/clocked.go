// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// timed is the RTL with its own clock. Acknowledgements wait at the port while the unit does not take them; a window holds from the cycle in which it
// appears.
type timed struct {
	controlled
	p    *params.Params
	lib  *cosim.Library
	unit *clocked.Unit
	x    ports

	expected []uint64 // the cycle of each answer that is to come, if nothing waits
	answers  []transport.Answer
}

func newTimed(ctx context.Context, s Settings, h *transport.Host) (_ transport.Transport, err error) {
	shape, p, err := configure(s)
	if err != nil {
		return nil, err
	}
	lib, golden, err := bench.Build(ctx, tbpowertcp.Unit.Bench(shape))
	if err != nil {
		return nil, err
	}
	x := &timed{controlled: *newControlled(h, nil, s), p: p, lib: lib}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	if err = x.x.bind(p, lib.Layout()); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, p)
	if err != nil {
		return nil, err
	}
	idle := make([]uint64, lib.Layout().InWords)
	x.x.set.Drive(idle, &set)
	if x.unit, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: uint64(p.WindowLatency()) + 4, See: x.see},
		0, "rst", "sts_ready", p.ReadyLatency()+4); err != nil || !p.HasINT() {
		return x, err
	}
	for code := range 1 << p.RateBits {
		if err = x.unit.Setup("s_rate_ready", p.RateHold()+1, func(in []uint64) {
			x.x.writes.Drive(in, &params.Write{Code: uint8(code), Entry: p.Rate(code).Entry()})
		}); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Ask implements transport.Clocked: a path takes no time.
func (x *timed) Ask(conn int, _ uint32, at fabric.Instant) error {
	c, err := x.paths.Send(conn, at.NS())
	x.answers = append(x.answers, transport.Answer{Conn: conn, Choice: c})
	return err
}

// Ack implements transport.Transport.
func (x *timed) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	if a.Again {
		return x.grant(conn), nil
	}
	ack, err := x.ack(conn, a)
	if err != nil {
		return transport.Grant{}, err
	}
	hops := append([]tbpowertcp.Hop(nil), ack.Hops...)
	kept := *ack
	kept.Hops = hops
	if err := checkAck(&kept, int(x.p.Connections), int(x.p.Hops)); err != nil {
		return transport.Grant{}, err
	}
	n := kept.Beats(x.p)
	for beat := range n {
		x.unit.Hold("s_ack_ready", a.At, func(in []uint64) { x.x.offer(x.p, &kept, beat, in) })
	}
	x.expected = append(x.expected, uint64((a.At+clocked.Period-1)/clocked.Period)+uint64(n-1+x.p.WindowLatency()))
	return x.grant(conn), nil
}

// see sees a cycle.
func (x *timed) see(_ uint64, out []uint64) error {
	var w params.Window
	if !x.x.windows.Read(out, &w) {
		return nil
	}
	conn := int(w.Conn)
	x.last[conn] = windowOf(&w)
	x.answers = append(x.answers, transport.Answer{Conn: conn, Grants: true, Grant: x.grant(conn)})
	if len(x.expected) == 0 {
		return errors.New("sim/host/powertcp: a window that no acknowledgement asked for")
	}
	x.expected = append(x.expected[:0], x.expected[1:]...)
	return nil
}

// Answers implements transport.Clocked.
func (x *timed) Answers(to fabric.Instant) (list []transport.Answer, err error) {
	err = x.unit.Run(to)
	list, x.answers = x.answers, nil
	return list, err
}

// Due implements transport.Clocked.
func (x *timed) Due() (fabric.Instant, bool) {
	if len(x.expected) == 0 {
		return 0, false
	}
	return clocked.At(max(x.expected[0], x.unit.Cycle())), true
}

// Latency implements transport.Clocked.
func (x *timed) Latency() fabric.Instant { return 0 }

// Close implements io.Closer.
func (x *timed) Close() (err error) {
	if x.unit != nil {
		err = x.unit.Close()
	}
	return errors.Join(err, x.lib.Close())
}
