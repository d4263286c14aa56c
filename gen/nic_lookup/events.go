// SPDX-License-Identifier: Apache-2.0

package niclookup

import "github.com/nicgen/nicgen/gen/event"

// Key is a key: bit i is bit i modulo 64 of word i / 64.
type Key = [5]uint64

// Search is a search for a key, and Found its answer.
type (
	Search struct{ Key Key }
	Found  struct {
		Hit  bool   `port:",always"`
		Conn uint32 `port:",only=hit"`
	}
)

// Operation is an operation on the table, and Done its answer.
type (
	Operation struct {
		Read bool // return the contents of the place instead of writing it
		Way  uint8
		Row  uint32
		Set  bool // Write: the place has an entry from now on
		Key  Key
		Conn uint32
	}
	Done struct {
		Error bool   `port:",always"` // it was illegal and changed nothing
		Set   bool   // Read: the place has an entry
		Key   Key    `port:",only=set"`
		Conn  uint32 `port:",only=set"`
	}
)

// Streams of the unit. A search is taken even while the unit is not ready: it then finds nothing.
var (
	Searches   = [2]event.In[Search]{event.Input[Search]("a").Unready(), event.Input[Search]("b").Unready()}
	Founds     = [2]event.Out[Found]{event.Output[Found]("a"), event.Output[Found]("b")}
	Operations = event.Input[Operation]("write").Handshake()
	Dones      = event.Output[Done]("write")
)

// Counters, in the order of Params.CounterNames: first port A, then port B.
const (
	CountSearch = iota
	CountHit
	CountMiss
	CountConflict
	CountsOfPort
	CountWrite = iota - 1 + CountsOfPort
	CountWait
	CountIllegal
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	latency := p.SearchLatency()
	return &event.Contract{
		Events: []*event.Stream{Searches[0].Stream, Searches[1].Stream, Operations.Stream},
		Answers: []event.Answer{
			{Stream: Founds[0].Stream, To: "a", After: latency}, {Stream: Founds[1].Stream, To: "b", After: latency},
			{Stream: Dones.Stream, To: "write"},
		},
		Sweep: p.Rows,
		Counters: event.Counters(p.CounterNames(), map[string]int{
			"": latency + 1, "a_conflict": latency + 2, "b_conflict": latency + 2, "wait": 1,
			"write": p.WriteLatency() + 1, "illegal": p.WriteLatency() + 1,
		}),
		Illegal: "illegal", Pulse: "evt_illegal", PulseAfter: p.WriteLatency(),
		Others: []string{"evt_a_conflict", "evt_b_conflict"},
	}
}
