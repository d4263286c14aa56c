// SPDX-License-Identifier: Apache-2.0

package niccsr

import "github.com/nicgen/nicgen/gen/event"

// The channels of AXI4-Lite.
type (
	// Address is the address of a write or of a read.
	Address struct{ Addr uint32 }
	// WriteData is the data of a write.
	WriteData struct {
		Data uint32
		Strb uint8
	}
	// WriteAnswer is the answer to a write.
	WriteAnswer struct{ Resp uint8 }
	// ReadAnswer is the data of a read.
	ReadAnswer struct {
		Data uint32
		Resp uint8
	}
)

// Streams of the unit.
var (
	WriteAddresses = event.InputAt[Address]("axil_aw", "s_axil_aw").Handshake()
	WriteDatas     = event.InputAt[WriteData]("axil_w", "s_axil_w").Handshake()
	WriteAnswers   = event.OutputAt[WriteAnswer]("axil_b", "s_axil_b").Handshake()
	ReadAddresses  = event.InputAt[Address]("axil_ar", "s_axil_ar").Handshake()
	ReadAnswers    = event.OutputAt[ReadAnswer]("axil_r", "s_axil_r").Handshake()
)

// Contract implements event.Contracted. The ports of the blocks belong to no stream of this unit: they
// follow from the register map, as in Ports.
func (p *Params) Contract() *event.Contract {
	others := []string{"irq"}
	for _, q := range p.blockPorts() {
		others = append(others, q.Name)
	}
	return &event.Contract{
		Events:  []*event.Stream{WriteAddresses.Stream, WriteDatas.Stream, ReadAddresses.Stream},
		Answers: []event.Answer{{Stream: WriteAnswers.Stream, To: "axil_aw"}, {Stream: ReadAnswers.Stream, To: "axil_ar"}},
		Others:  others,
	}
}
