// SPDX-License-Identifier: Apache-2.0

package nicshim

import "github.com/nicgen/nicgen/gen/event"

// bodyWords are the words of 64 bits of the largest body.
const bodyWords = (INTBytes - HeadBytes + 7) / 8

// Shim is the shim that is put into a frame, with its first beat.
type Shim struct {
	On          bool `port:"valid"`
	Subtype     uint64
	Type        uint64
	Count, Next uint64
	Body        [bodyWords]uint64 // byte 0 in the lowest bits
}

// Record holds the fields of a shim that was removed from a frame. It stays until the next one.
type Record struct {
	End, Bad    bool
	Subtype     uint64
	Type        uint64
	Count, Next uint64
	Body        [bodyWords]uint64
	Addresses   [2]uint64 // byte 0 of the frame in the lowest bits
}

// Settings are the run-time settings. They take effect with each first beat.
type Settings struct{ EtherType uint64 }

// Streams of the unit: out to the network, and in from it.
var (
	ToShim   = event.InputAXIS[event.Beat]("axis_tx").Handshake()
	Out      = event.OutputAXIS[event.Beat]("axis_tx").Handshake()
	FromLine = event.InputAXIS[event.Beat]("axis_rx")
	In       = event.OutputAXIS[event.Beat]("axis_rx")
	Records  = event.Output[Record]("shim")

	ShimPorts    = event.Ports[Shim]("s_shim_")
	SettingPorts = event.Ports[Settings]("cfg_")
)

// Counters, in the order of CounterNames.
const (
	CountTxFrame = iota
	CountInsert
	CountTxIllegal
	CountRxFrame
	CountRemove
	CountEnd
	CountRxIllegal
)

// Cycles from a beat to the network to the pulse of an illegal shim, and to the counters.
const (
	InsertLatency = 1
	outCount      = InsertLatency + 1
	inCount       = RemoveLatency + 1
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{ToShim.Stream, FromLine.Stream},
		Answers:  []event.Answer{{Stream: Out.Stream}, {Stream: In.Stream}, {Stream: Records.Stream, After: RemoveLatency}},
		Settings: SettingPorts.Stream, Ambient: ShimPorts.Stream,
		Counters: event.Counters(CounterNames, map[string]int{"": inCount, "tx_frame": outCount, "insert": outCount, "tx_illegal": outCount}),
		Others:   []string{"m_axis_rx_shim", "evt_tx_illegal", "evt_rx_illegal"},
	}
}
