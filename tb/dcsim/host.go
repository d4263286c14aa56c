// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"github.com/nicgen/nicgen/tb/bench"
)

// sourcePins are the ports of dcsim_source that a host uses.
type sourcePins struct {
	ready                                 bench.Pin `port:"sts_ready"`
	data, dataReady, dataFlow, dataCount  bench.Pin `port:"s_data_valid s_data_ready s_data_flow s_data_count"`
	sim, simReady, simFlow, simPort       bench.Pin `port:"m_sim_valid m_sim_ready m_sim_flow m_sim_port"`
	simAck, simAckPort                    bench.Pin `port:"s_sim_ack_valid s_sim_ack_port"`
	out, outReady, outFlow, outSeq, outID bench.Pin `port:"m_data_valid m_data_ready m_data_flow m_data_seq m_data_tag"`
	dataAck, dataAckTag                   bench.Pin `port:"s_data_ack_valid s_data_ack_tag"`
	lost, lostFlow                        bench.Pin `port:"m_lost_valid m_lost_flow"`
	seed, seedWord                        bench.Pin `port:"s_seed_valid s_seed_word"`
	simTimeouts, dataTimeouts             bench.Pin `port:"sts_sim_timeout_cnt sts_data_timeout_cnt"`
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
	limit                  bench.Pin `port:"cfg_data_packets"`
}

func newPortPins(k *kind) (*portPins, error) {
	x := &portPins{}
	return x, bench.Bind(k.unit, k.layout, x)
}

// take gives a host a frame that has arrived.
func (h *host) take(f *frame, res *Result) {
	switch f.class {
	case simAckClass:
		h.simAck = append(h.simAck, f.port)
	case dataAckClass:
		h.acks = append(h.acks, f.tags...)
	case dataClass:
		h.rxs = append(h.rxs, f)
		got := &h.got[f.src]
		switch {
		case got.has(f.seq):
			res.Again++
		default:
			res.Delivered++
			if f.seq < got.highest {
				res.Reordered++
			}
		}
		got.add(f.seq)
	default:
		h.rxs = append(h.rxs, f)
	}
}

// drive sets a host's inputs of the next cycle, and gives its port the frame that is the next to
// leave.
func (h *host) drive(now uint64, res *Result) {
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
			res.MostRTT = max(res.MostRTT, now-at)
			delete(h.began, h.simAck[0])
		}
		h.simAck = h.simAck[1:]
		res.Events++
	}
	if len(h.acks) > 0 {
		h.sx.dataAck.Raise(s)
		h.sx.dataAckTag.Put(s, h.acks[0])
		h.acks = h.acks[1:]
		res.Events++
	}
	if len(h.rxs) > 0 {
		f := h.rxs[0]
		h.rxs = h.rxs[1:]
		h.rx.valid.Raise(r)
		h.rx.class.Put(r, f.class)
		h.rx.flow.Put(r, uint64(f.src))
		h.rx.port.Put(r, f.port)
		h.rx.tag.Put(r, f.tag)
		h.rx.bytes.Put(r, f.bytes)
		res.Events++
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
	if h.nic.x.packets.Get(h.nic.out) < nicDATAs {
		raise(&h.sx.outReady, s, dataClass)
	}
	raise(&h.rx.simReady, r, simAckClass)
	raise(&h.rx.ackReady, r, dataAckClass)
}

// news is the number of DATAs of the next flow with some that the source is told of.
func (h *host) news() uint64 {
	for range h.left {
		if n := h.left[h.flow]; n > 0 && h.demand < h.sent[h.flow].last+n+mostAhead {
			return min(n, mostNew)
		}
		h.flow = (h.flow + 1) % len(h.left)
	}
	return 0
}

// observe takes what the source and the responder have offered in a cycle and what was taken.
func (h *host) observe(now uint64, res *Result) {
	s, r := h.source.out, h.responder.out
	free := func(class int) bool { return h.slots[class] == nil }
	if h.told > 0 && h.sx.dataReady.On(s) {
		h.left[h.flow] -= h.told
		h.flow = (h.flow + 1) % len(h.left)
	}
	if free(simClass) && h.sx.sim.On(s) {
		h.slots[simClass] = &frame{class: simClass, src: h.id, dst: int(h.sx.simFlow.Get(s)), bytes: probeBytes, port: h.sx.simPort.Get(s)}
		h.began[h.sx.simPort.Get(s)] = now
		res.SIMs++
	}
	if free(dataClass) && h.sx.out.On(s) {
		f := &frame{class: dataClass, src: h.id, dst: int(h.sx.outFlow.Get(s)), bytes: h.bytes, tag: h.sx.outID.Get(s)}
		f.seq = h.sent[f.dst].number(h.sx.outSeq.Get(s))
		h.slots[dataClass] = f
		res.DATAs++
	}
	if free(simAckClass) && h.rx.simAck.On(r) {
		h.slots[simAckClass] = &frame{class: simAckClass, src: h.id, dst: int(h.rx.simFlow.Get(r)), bytes: probeBytes, port: h.rx.simPort.Get(r)}
	}
	if free(dataAckClass) && h.rx.ack.On(r) {
		if h.ack == nil {
			h.ack = &frame{class: dataAckClass, src: h.id, dst: int(h.rx.ackFlow.Get(r))}
		}
		h.ack.tags = append(h.ack.tags, h.rx.ackTag.Get(r))
		if h.rx.end.On(r) {
			h.ack.bytes = max(probeBytes, ackBytes+tagBytes*uint64(len(h.ack.tags)))
			res.DataAcks++
			h.slots[dataAckClass], h.ack = h.ack, nil
		}
	}
	if h.sx.lost.On(s) {
		h.left[h.sx.lostFlow.Get(s)]++
		res.GivenBack++
	}
	if h.rx.missed.On(r) {
		res.Missed++
	}
	res.SIMTimeouts += h.simTimeouts.rise(h.sx.simTimeouts.Get(s))
	res.DATATimeouts += h.dataTimeouts.rise(h.sx.dataTimeouts.Get(s))
}
