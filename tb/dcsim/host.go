// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"errors"

	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// sourcePins are the ports of dcsim_source that a host uses.
type sourcePins struct {
	ready                                 bench.Pin `port:"sts_ready"`
	data, dataReady, dataFlow, dataCount  bench.Pin `port:"s_data_valid s_data_ready s_data_flow s_data_count"`
	sim, simReady, simFlow, simPort       bench.Pin `port:"m_sim_valid m_sim_ready m_sim_flow m_sim_port"`
	simAck, simAckPort                    bench.Pin `port:"s_sim_ack_valid s_sim_ack_port"`
	out, outReady, outFlow, outSeq, outID bench.Pin `port:"m_data_valid m_data_ready m_data_flow m_data_seq m_data_tag"`
	outPort                               bench.Pin `port:"m_data_port"`
	dataAck, dataAckTag                   bench.Pin `port:"s_data_ack_valid s_data_ack_tag"`
	lost, lostFlow                        bench.Pin `port:"m_lost_valid m_lost_flow"`
	seed, seedWord                        bench.Pin `port:"s_seed_valid s_seed_word"`
	simTimeouts, dataTimeouts, late       bench.Pin `port:"sts_sim_timeout_cnt sts_data_timeout_cnt sts_sim_ack_missed_cnt"`
	gain                                  bench.Pin `port:"cfg_token_gain"`
}

func newSourcePins(k *kind) (*sourcePins, error) {
	x := &sourcePins{}
	return x, bench.Bind(k.unit, k.layout, x)
}

// responderPins are the ports of dcsim_responder that a host uses.
type responderPins struct {
	ready                               bench.Pin `port:"sts_ready"`
	valid, class, flow                  bench.Pin `port:"s_rx_valid s_rx_class s_rx_flow"`
	port, tag, bytes                    bench.Pin `port:"s_rx_port s_rx_tag s_rx_bytes"`
	simAck, simReady, simFlow, simPort  bench.Pin `port:"m_sim_ack_valid m_sim_ack_ready m_sim_ack_flow m_sim_ack_port"`
	ack, ackReady, ackFlow, ackTag, end bench.Pin `port:"m_data_ack_valid m_data_ack_ready m_data_ack_flow m_data_ack_tag m_data_ack_last"`
	missed                              bench.Pin `port:"evt_missed"`
}

func newResponderPins(k *kind) (*responderPins, error) {
	x := &responderPins{}
	return x, bench.Bind(k.unit, k.layout, x)
}

// portPins are the ports of dcsim_port.
type portPins struct {
	valid, class, len, tag bench.Pin `port:"s_frame_valid s_frame_class s_frame_len s_frame_tag"`
	mValid, ready, mTag    bench.Pin `port:"m_frame_valid m_frame_ready m_frame_tag"`
	drop, dropTag          bench.Pin `port:"m_drop_valid m_drop_tag"`
	packets, illegal       bench.Pin `port:"sts_data_packets evt_illegal"`
	limit, gain            bench.Pin `port:"cfg_data_packets cfg_token_gain"`
}

func newPortPins(k *kind) (*portPins, error) {
	x := &portPins{}
	return x, bench.Bind(k.unit, k.layout, x)
}

// host is a source, a responder and a port.
type host struct {
	id        int
	to        []int // hosts, by flow
	source    *device
	sx        *sourcePins
	responder *device
	rx        *responderPins
	nic       *egress

	bytes int64    // of a DATA
	left  []uint64 // DATAs by flow that the source has not been told of
	given []uint64 // and those that it has
	open  uint64   // sum of left
	flow  int      // that it is told of next
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

// classes are those of dcsim_port.
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
		h.sx.seed.Raise(s)
		h.sx.seedWord.Put(s, h.seeds[0])
		h.seeds = h.seeds[1:]
	} else if h.told = h.news(); h.told > 0 {
		h.sx.data.Raise(s)
		h.sx.dataFlow.Put(s, uint64(h.flow))
		h.sx.dataCount.Put(s, h.told)
	}
	if len(h.simAck) > 0 {
		h.sx.simAck.Raise(s)
		h.sx.simAckPort.Put(s, h.simAck[0])
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
		h.sx.dataAck.Raise(s)
		h.sx.dataAckTag.Put(s, h.acks[0])
		h.acks = h.acks[1:]
		h.counts.Events++
	}
	if len(h.rxs) > 0 {
		f := h.rxs[0]
		h.rxs = h.rxs[1:]
		h.rx.valid.Raise(r)
		h.rx.class.Put(r, uint64(f.Class))
		h.rx.flow.Put(r, uint64(f.Src))
		h.rx.port.Put(r, f.Port)
		h.rx.tag.Put(r, f.Tag)
		h.rx.bytes.Put(r, uint64(f.Bytes))
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
		raise(&h.sx.outReady, s, dataClass)
	}
	raise(&h.rx.simReady, r, simAckClass)
	raise(&h.rx.ackReady, r, dataAckClass)
}

// news is the number of DATAs of the next flow with some that the source is told of.
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

// observe takes what the source and the responder have offered in a cycle and what was taken.
func (h *host) observe() {
	s, r := h.source.out, h.responder.out
	free := func(class int) bool { return h.slots[class] == nil }
	if h.told > 0 && h.sx.dataReady.On(s) {
		h.left[h.flow] -= h.told
		h.given[h.flow] += h.told
		h.open -= h.told
		h.flow = (h.flow + 1) % len(h.left)
	}
	if free(simClass) && h.sx.sim.On(s) {
		p := h.sx.simPort.Get(s)
		h.slots[simClass] = &transport.Frame{Class: simClass, Src: h.id, Dst: h.to[h.sx.simFlow.Get(s)], Bytes: probeBytes, Port: p}
		h.began[p] = h.cycle
		h.counts.Probes++
	}
	if free(dataClass) && !h.full && h.sx.out.On(s) {
		flow := int(h.sx.outFlow.Get(s))
		f := &transport.Frame{Class: dataClass, Src: h.id, Dst: h.to[flow], Bytes: h.bytes, Flow: flow, Port: h.sx.outPort.Get(s), Tag: h.sx.outID.Get(s)}
		f.Seq = h.sent[flow].number(h.sx.outSeq.Get(s))
		h.slots[dataClass] = f
		h.counts.Packets++
	}
	if free(simAckClass) && h.rx.simAck.On(r) {
		h.slots[simAckClass] = &transport.Frame{Class: simAckClass, Src: h.id, Dst: int(h.rx.simFlow.Get(r)), Bytes: probeBytes, Port: h.rx.simPort.Get(r)}
	}
	if free(dataAckClass) && h.rx.ack.On(r) {
		if h.ack == nil {
			// DATA-ACKs may go any way: a tag changes from one to the next.
			h.ack = &transport.Frame{Class: dataAckClass, Src: h.id, Dst: int(h.rx.ackFlow.Get(r)), Port: h.rx.ackTag.Get(r)}
		}
		h.ack.Tags = append(h.ack.Tags, h.rx.ackTag.Get(r))
		if h.rx.end.On(r) {
			h.ack.Bytes = max(probeBytes, ackBytes+tagBytes*int64(len(h.ack.Tags)))
			h.counts.Acks++
			h.slots[dataAckClass], h.ack = h.ack, nil
		}
	}
	if h.sx.lost.On(s) {
		flow := h.sx.lostFlow.Get(s)
		h.left[flow]++
		h.given[flow]--
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
