// SPDX-License-Identifier: Apache-2.0

package powertcp

import "github.com/nicgen/nicgen/gen/event"

// MaxHops is the largest number of hops that a unit can use.
const MaxHops = 16

// Events, in the order in which the events of one cycle take effect. Writes of the link-rate table
// are taken even while the unit is not ready.
type (
	// ACK is an acknowledgement, or a beat of one.
	ACK struct {
		Conn     uint32
		Seq      uint32 // the next sequence number that the receiver expects
		SndNxt   uint32 // the next sequence number that the connection will send
		Path     uint32
		Theta    bool            `port:",optional"` // it has a round-trip time instead of telemetry
		HopCnt   uint8           `port:",optional"`
		Rate     [MaxHops]uint8  `port:"hop_rate,optional"`  // link-rate code of each hop
		Time     [MaxHops]uint32 `port:"hop_time,optional"`  // ns, wraps
		Bytes    [MaxHops]uint32 `port:"hop_bytes,optional"` // sent, in units, wraps
		Qlen     [MaxHops]uint32 `port:"hop_qlen,optional"`  // in units
		RTTValid bool            `port:",optional"`
		RTT      uint32          `port:"rtt_ns,optional"`
	}
	// Flush makes a connection new.
	Flush struct{ Conn uint32 }
	// Write is a write of the link-rate table.
	Write struct {
		Code  uint8
		Entry uint64
	}
)

// Window is the answer to an ACK.
type Window struct {
	Conn  uint32
	Bytes uint32 // UQ23.2
	Rate  uint32 // bytes per ns, UQ8.16
	Norm  uint32 // normalised power of the bottleneck hop, UQ8.18; 0 without
	Power uint32 // smoothed power, UQ8.18
	Hop   uint8  `port:",optional"` // the bottleneck hop
	Cause uint8
}

// Settings are the run-time settings in the formats of their ports. An ACK reads each of them in a
// different stage; see SettingLatency.
type Settings struct {
	Gamma      uint32 // γ, UQ1.16
	Beta       uint32 // β, bytes, UQ20.2
	InvTauM    uint32 `port:",optional"` // 1/τ per ns: InvTauM × 2^-(16+InvTauE), bit 16 of InvTauM is taken as set
	InvTauE    uint8  `port:",optional"`
	Tau        uint32 `port:"tau_ns"` // τ; θ: initial value of the base RTT, a running minimum
	MinWindow  uint32 // bytes, UQ23.2
	MaxWindow  uint32 // bytes, UQ23.2; also a new connection's window
	InitPower  uint32 // smoothed power of a new connection, UQ8.18
	ThetaFloor uint32 `port:",optional"` // lower bound of θ̇+1, UQ1.16, not 0
	InvTarget  uint32 `port:",optional"` // 1/target utilisation for θ, UQ1.16, from 1 to below 2: bit 16 is taken as set
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns,optional"` // of arrival, wraps
}

// Streams of all configurations, and the link-rate table's. ACKs adds the stream of ACKs.
var (
	Flushes = event.Input[Flush]("flush").Yields("ack").Refused().Tried()
	Writes  = event.Input[Write]("rate").Handshake().Unready().Tried()
	Windows = event.Output[Window]("win")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// ACKs returns the acknowledgements of a configuration.
func (p *Params) ACKs() event.In[ACK] {
	s := event.Input[ACK]("ack").Handshake().Refused().Tried()
	if p.HasINT() && p.Throughput == PerHop {
		s = s.InBeats("HopCnt", "Theta")
	}
	if p.HopFormat == Word {
		s = s.Packed("hop", p.RateBits, p.TimeBits, p.TxBits, p.QlenBits)
	}
	return s
}

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	c := &event.Contract{
		Events:   []*event.Stream{p.ACKs().Stream, Flushes.Stream},
		Answers:  []event.Answer{{Stream: Windows.Stream, To: "ack", After: p.WindowLatency()}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Registered: true, Sweep: int64(p.ReadyLatency()) - 1,
		Illegal: "illegal_conn", Dropped: "not_ready",
	}
	for _, name := range p.CounterNames() {
		c.Counters = append(c.Counters, event.Counter{Name: name, After: p.CounterLatency(name)})
	}
	if p.HasINT() {
		c.Events = append(c.Events, Writes.Stream)
		c.Lanes = map[string]int{"s_ack_hop_rate": int(p.RateBits), "s_ack_hop_time": int(p.TimeBits),
			"s_ack_hop_bytes": int(p.TxBits), "s_ack_hop_qlen": int(p.QlenBits)}
	}
	if p.Protection == Triple {
		c.Others = []string{"evt_corrected", "sts_corrected_cnt"} // nothing is corrected without upsets
	}
	return c
}
