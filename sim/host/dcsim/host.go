// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"errors"

	port "github.com/nicgen/nicgen/gen/dcsim_port"
	responder "github.com/nicgen/nicgen/gen/dcsim_responder"
	source "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// sourceWires are the ports of dcsim_source that a host uses.
type sourceWires struct {
	ready, gain                     bench.Pin
	simReady, newReady, dataReady   bench.Pin
	simTimeouts, dataTimeouts, late bench.Pin // counters
	seeds                           bench.Wires[source.Seed]
	news                            bench.Wires[source.NewData]
	sims                            bench.Wires[source.SIM]
	simAcks                         bench.Wires[source.SIMAck]
	datas                           bench.Wires[source.Data]
	dataAcks                        bench.Wires[source.DataAck]
	losses                          bench.Wires[source.Lost]
}

func newSourceWires(k *kind) (*sourceWires, error) {
	x := &sourceWires{}
	return x, bench.Wire(k.unit, k.layout, k.contract, bench.WirePin("sts_ready", &x.ready), bench.WirePin("cfg_token_gain", &x.gain),
		bench.WirePin("m_sim_ready", &x.simReady), bench.WirePin("s_data_ready", &x.newReady), bench.WirePin("m_data_ready", &x.dataReady),
		bench.WirePin("sts_sim_timeout_cnt", &x.simTimeouts), bench.WirePin("sts_data_timeout_cnt", &x.dataTimeouts), bench.WirePin("sts_sim_ack_missed_cnt", &x.late),
		bench.WireIn(source.Seeds, &x.seeds), bench.WireIn(source.News, &x.news), bench.WireOut(source.SIMs, &x.sims), bench.WireIn(source.SIMAcks, &x.simAcks),
		bench.WireOut(source.Datas, &x.datas), bench.WireIn(source.DataAcks, &x.dataAcks), bench.WireOut(source.Losses, &x.losses))
}

// responderWires are the ports of dcsim_responder that a host uses.
type responderWires struct {
	ready, missed      bench.Pin
	simReady, ackReady bench.Pin
	packets            bench.Wires[responder.Packet]
	simAcks            bench.Wires[responder.Answer]
	acks               bench.Wires[responder.Ack]
}

func newResponderWires(k *kind) (*responderWires, error) {
	x := &responderWires{}
	return x, bench.Wire(k.unit, k.layout, k.contract, bench.WirePin("sts_ready", &x.ready), bench.WirePin("evt_missed", &x.missed),
		bench.WirePin("m_sim_ack_ready", &x.simReady), bench.WirePin("m_data_ack_ready", &x.ackReady),
		bench.WireIn(responder.Packets, &x.packets), bench.WireOut(responder.SIMAcks, &x.simAcks), bench.WireOut(responder.Acks, &x.acks))
}

// portWires are the ports of dcsim_port.
type portWires struct {
	ready, illegal       bench.Pin
	packets, limit, gain bench.Pin
	arrivals             bench.Wires[port.Frame]
	begins, drops        bench.Wires[port.Frame]
}

func newPortWires(k *kind) (*portWires, error) {
	x := &portWires{}
	return x, bench.Wire(k.unit, k.layout, k.contract, bench.WirePin("m_frame_ready", &x.ready), bench.WirePin("evt_illegal", &x.illegal),
		bench.WirePin("sts_data_packets", &x.packets), bench.WirePin("cfg_data_packets", &x.limit), bench.WirePin("cfg_token_gain", &x.gain),
		bench.WireIn(port.Arrivals, &x.arrivals), bench.WireOut(port.Begins, &x.begins), bench.WireOut(port.Drops, &x.drops))
}

// host is a source, a responder and a port.
type host struct {
	id        int
	to        []int // hosts, by flow
	source    *device
	sx        *sourceWires
	responder *device
	rx        *responderWires
	nic       *egress

	bytes int64    // of a DATA
	left  []uint64 // DATAs by flow that the source has not been told of
	given []uint64 // and those that it has
	open  uint64   // sum of left
	flow  int      // the next flow to announce
	told  uint64   // of how many, in this cycle
	full  bool     // the NIC takes no DATA in this cycle
	seeds []uint64
	slots [transport.Payload + 1]*transport.Frame // a register for each kind of frame that leaves
	ack   *transport.Frame                        // a DATA-ACK whose tags come
	rxs   []*transport.Frame                      // for the responder
	acks  []uint64                                // tags for the source
	// ports for the source
	simAck []uint64

	sent   []numbers         // by flow
	began  map[uint64]uint64 // SIMs without SIM-ACK: the cycle in which the source gave them, by port
	cycle  uint64
	counts transport.EndpointCounts

	simTimeouts, dataTimeouts, late counter
}

// numbers unwraps the numbers of a flow's DATAs.
type numbers struct{ last uint64 }

func (n *numbers) number(seq uint64) uint64 {
	full := n.last + uint64(int64(int16(seq-n.last)))
	n.last = max(n.last, full)
	return full
}

// counter is one of a unit, of 32 bits.
type counter struct{ last uint64 }

func (c *counter) rise(now uint64) uint64 {
	n := (now - c.last) & (1<<32 - 1)
	c.last = now
	return n
}

// classes are dcsim_port's classes.
const (
	simClass = iota
	simAckClass
	dataAckClass
	dataClass
)

// Offer implements transport.Endpoint.
func (h *host) Offer(flow int, packets uint64) {
	h.left[flow] += packets
	h.open += packets
}

// Receive implements transport.Endpoint.
func (h *host) Receive(f *transport.Frame) {
	switch f.Class {
	case simAckClass:
		h.simAck = append(h.simAck, f.Port)
	case dataAckClass:
		h.acks = append(h.acks, f.Tags...)
	default:
		h.rxs = append(h.rxs, f)
	}
}

// Clock implements transport.Endpoint.
func (h *host) Clock() (*transport.Frame, error) {
	h.drive()
	if err := errors.Join(h.source.step(), h.responder.step()); err != nil {
		return nil, err
	}
	out, dropped, err := h.nic.clock()
	if err != nil {
		return nil, err
	}
	for _, f := range []*transport.Frame{out, dropped} {
		if f != nil {
			h.counts.Events++
		}
	}
	if dropped != nil {
		h.counts.Dropped[dropped.Class]++
	}
	h.counts.MostWaiting = max(h.counts.MostWaiting, h.nic.x.packets.Get(h.nic.out))
	h.observe()
	h.cycle++
	return out, nil
}

// Counts implements transport.Endpoint.
func (h *host) Counts() transport.EndpointCounts { return h.counts }

// Close implements io.Closer.
func (h *host) Close() error {
	err := errors.Join(h.source.close(), h.responder.close())
	if h.nic != nil {
		err = errors.Join(err, h.nic.close())
	}
	return err
}

// drive sets a host's inputs of the next cycle, and gives its port the frame that is the next to
// leave.
func (h *host) drive() {
	s, r := h.source.in, h.responder.in
	if len(h.seeds) > 0 {
		h.sx.seeds.Drive(s, &source.Seed{Word: h.seeds[0]})
		h.seeds = h.seeds[1:]
	} else if h.told = h.news(); h.told > 0 {
		h.sx.news.Drive(s, &source.NewData{Flow: uint64(h.flow), Count: h.told})
	}
	if len(h.simAck) > 0 {
		h.sx.simAcks.Drive(s, &source.SIMAck{Port: h.simAck[0]})
		if at, ok := h.began[h.simAck[0]]; ok {
			h.counts.MostRTT = max(h.counts.MostRTT, h.cycle-at)
			h.counts.SumRTT += h.cycle - at
			h.counts.Answers++
			delete(h.began, h.simAck[0])
		}
		h.simAck = h.simAck[1:]
		h.counts.Events++
	}
	if len(h.acks) > 0 {
		h.sx.dataAcks.Drive(s, &source.DataAck{Tag: h.acks[0]})
		h.acks = h.acks[1:]
		h.counts.Events++
	}
	if len(h.rxs) > 0 {
		f := h.rxs[0]
		h.rxs = h.rxs[1:]
		h.rx.packets.Drive(r, &responder.Packet{Class: uint64(f.Class), Flow: uint64(f.Src), Port: f.Port, Tag: f.Tag, Bytes: uint64(f.Bytes)})
		h.counts.Events++
	}
	for class, f := range h.slots {
		if f != nil {
			h.nic.wait = append(h.nic.wait, f)
			h.slots[class] = nil
			break
		}
	}
	raise := func(pin *bench.Pin, in []uint64, class int) {
		if h.slots[class] == nil {
			pin.Raise(in)
		}
	}
	raise(&h.sx.simReady, s, simClass)
	h.full = h.nic.x.packets.Get(h.nic.out) >= nicDATAs
	if !h.full {
		raise(&h.sx.dataReady, s, dataClass)
	}
	raise(&h.rx.simReady, r, simAckClass)
	raise(&h.rx.ackReady, r, dataAckClass)
}

// news returns the number of new DATAs of the next flow that has any.
func (h *host) news() uint64 {
	if h.open == 0 {
		return 0
	}
	for range h.left {
		if n := h.left[h.flow]; n > 0 && h.given[h.flow] < h.sent[h.flow].last+mostAhead {
			return min(n, mostNew)
		}
		h.flow = (h.flow + 1) % len(h.left)
	}
	return 0
}

// observe records the offers of the source and the responder in a cycle and whether they were
// taken.
func (h *host) observe() {
	s, r := h.source.out, h.responder.out
	free := func(class int) bool { return h.slots[class] == nil }
	if h.told > 0 && h.sx.newReady.On(s) {
		h.left[h.flow] -= h.told
		h.given[h.flow] += h.told
		h.open -= h.told
		h.flow = (h.flow + 1) % len(h.left)
	}
	if a := (source.SIM{}); free(simClass) && h.sx.sims.Read(s, &a) {
		h.slots[simClass] = &transport.Frame{Class: simClass, Src: h.id, Dst: h.to[a.Flow], Bytes: probeBytes, Port: a.Port}
		h.began[a.Port] = h.cycle
		h.counts.Probes++
	}
	if a := (source.Data{}); free(dataClass) && !h.full && h.sx.datas.Read(s, &a) {
		f := &transport.Frame{Class: dataClass, Src: h.id, Dst: h.to[a.Flow], Bytes: h.bytes, Flow: int(a.Flow), Port: a.Port, Tag: a.Tag}
		f.Seq = h.sent[a.Flow].number(a.Seq)
		h.slots[dataClass] = f
		h.counts.Packets++
	}
	if a := (responder.Answer{}); free(simAckClass) && h.rx.simAcks.Read(r, &a) {
		h.slots[simAckClass] = &transport.Frame{Class: simAckClass, Src: h.id, Dst: int(a.Flow), Bytes: probeBytes, Port: a.Port}
	}
	if a := (responder.Ack{}); free(dataAckClass) && h.rx.acks.Read(r, &a) {
		if h.ack == nil {
			// DATA-ACKs may go any way: a tag changes from one to the next.
			h.ack = &transport.Frame{Class: dataAckClass, Src: h.id, Dst: int(a.Flow), Port: a.Tag}
		}
		h.ack.Tags = append(h.ack.Tags, a.Tag)
		if a.Last {
			h.ack.Bytes = max(probeBytes, ackBytes+tagBytes*int64(len(h.ack.Tags)))
			h.counts.Acks++
			h.slots[dataAckClass], h.ack = h.ack, nil
		}
	}
	if a := (source.Lost{}); h.sx.losses.Read(s, &a) {
		h.left[a.Flow]++
		h.given[a.Flow]--
		h.open++
		h.counts.GivenBack++
	}
	if h.rx.missed.On(r) {
		h.counts.Missed++
	}
	h.counts.ProbeTimeouts += h.simTimeouts.rise(h.sx.simTimeouts.Get(s))
	h.counts.Timeouts += h.dataTimeouts.rise(h.sx.dataTimeouts.Get(s))
	h.counts.LateAnswers += h.late.rise(h.sx.late.Get(s))
}
