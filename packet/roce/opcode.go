// SPDX-License-Identifier: Apache-2.0

package roce

import (
	"fmt"

	"github.com/gopacket/gopacket"
)

// Opcode is the first byte of the BTH: the service in bits 7-5, the operation in
// bits 4-0. XRC has RC's operations: Opcode(XRC) | SendFirst and so on.
type Opcode uint8

// Services.
const (
	RC  Opcode = 0x00 // reliable connection
	UC  Opcode = 0x20 // unreliable connection
	RD  Opcode = 0x40 // reliable datagram: not decoded after the BTH
	UD  Opcode = 0x60 // unreliable datagram
	XRC Opcode = 0xA0 // extended reliable connection
)

// Operations. UC has the ones up to WriteOnlyImm, with UC added; UD has SendOnly and SendOnlyImm.
const (
	SendFirst      Opcode = 0x00
	SendMiddle     Opcode = 0x01
	SendLast       Opcode = 0x02
	SendLastImm    Opcode = 0x03
	SendOnly       Opcode = 0x04
	SendOnlyImm    Opcode = 0x05
	WriteFirst     Opcode = 0x06
	WriteMiddle    Opcode = 0x07
	WriteLast      Opcode = 0x08
	WriteLastImm   Opcode = 0x09
	WriteOnly      Opcode = 0x0A
	WriteOnlyImm   Opcode = 0x0B
	ReadRequest    Opcode = 0x0C
	ResponseFirst  Opcode = 0x0D
	ResponseMiddle Opcode = 0x0E
	ResponseLast   Opcode = 0x0F
	ResponseOnly   Opcode = 0x10
	Acknowledge    Opcode = 0x11
	AtomicAck      Opcode = 0x12
	CompareSwap    Opcode = 0x13
	FetchAdd       Opcode = 0x14
	SendLastInv    Opcode = 0x16
	SendOnlyInv    Opcode = 0x17
	Flush          Opcode = 0x1C
	AtomicWrite    Opcode = 0x1D

	UDSendOnly    = UD | SendOnly
	UDSendOnlyImm = UD | SendOnlyImm

	CNP      Opcode = 0x81 // congestion notification packet
	Feedback Opcode = 0xE1 // path feedback of a NIC, in the manufacturers' range
)

// Service returns the opcode's bits 7-5.
func (o Opcode) Service() Opcode { return o & 0xE0 }

// Operation returns the opcode's bits 4-0.
func (o Opcode) Operation() Opcode { return o & 0x1F }

var operations = [32]string{
	"SEND first", "SEND middle", "SEND last", "SEND last with immediate", "SEND only", "SEND only with immediate",
	"WRITE first", "WRITE middle", "WRITE last", "WRITE last with immediate", "WRITE only", "WRITE only with immediate",
	"READ request", "READ response first", "READ response middle", "READ response last", "READ response only",
	"acknowledge", "atomic acknowledge", "compare and swap", "fetch and add", "",
	"SEND last with invalidate", "SEND only with invalidate",
}

// Connected reports whether the packet is of a connection: of RC, XRC or UC.
func (o Opcode) Connected() bool { return o.Service() == RC || o.Service() == XRC || o.Service() == UC }

// Known reports whether the headers after the BTH are known.
func (o Opcode) Known() bool {
	op := o.Operation()
	switch o.Service() {
	case RC, XRC:
		return operations[op] != ""
	case UC:
		return op <= WriteOnlyImm
	case UD:
		return op == SendOnly || op == SendOnlyImm
	}
	return o == CNP || o == Feedback
}

// String names service and operation.
func (o Opcode) String() string {
	switch {
	case o == CNP:
		return "CNP"
	case o == Feedback:
		return "feedback"
	case !o.Known():
		return fmt.Sprintf("opcode 0x%02x", uint8(o))
	}
	return map[Opcode]string{RC: "RC", UC: "UC", UD: "UD", XRC: "XRC"}[o.Service()] + " " + operations[o.Operation()]
}

// Begins reports whether the packet is the first or the only one of a request with payload.
func (o Opcode) Begins() bool {
	switch o.Operation() {
	case SendFirst, SendOnly, SendOnlyImm, SendOnlyInv, WriteFirst, WriteOnly, WriteOnlyImm:
		return o.Request()
	}
	return false
}

// Ends reports whether the packet is the last or the only one of a request with payload.
func (o Opcode) Ends() bool {
	switch o.Operation() {
	case SendFirst, SendMiddle, WriteFirst, WriteMiddle:
		return false
	}
	return o.Request()
}

// Request reports whether the packet belongs to a request with payload: SEND or WRITE.
func (o Opcode) Request() bool {
	op := o.Operation()
	return o.Known() && o != CNP && o != Feedback && (op <= WriteOnlyImm || op == SendLastInv || op == SendOnlyInv)
}

// Headers returns the layers between the BTH and the payload, in order; or nil if the opcode is
// unknown.
func (o Opcode) Headers() []gopacket.LayerType {
	if !o.Known() {
		return nil
	}
	switch o {
	case CNP:
		return []gopacket.LayerType{LayerTypeCNP}
	case Feedback:
		return []gopacket.LayerType{LayerTypeFeedback}
	}
	var l []gopacket.LayerType
	op := o.Operation()
	if o.Service() == UD {
		l = append(l, LayerTypeDETH)
	}
	if o.Service() == XRC && (op <= ReadRequest || op >= CompareSwap) { // requests
		l = append(l, LayerTypeXRCETH)
	}
	switch op {
	case WriteFirst, WriteOnly, WriteOnlyImm, ReadRequest:
		l = append(l, LayerTypeRETH)
	case CompareSwap, FetchAdd:
		l = append(l, LayerTypeAtomicETH)
	case ResponseFirst, ResponseLast, ResponseOnly, Acknowledge, AtomicAck:
		l = append(l, LayerTypeAETH)
	case SendLastInv, SendOnlyInv:
		l = append(l, LayerTypeIETH)
	}
	switch op {
	case SendLastImm, SendOnlyImm, WriteLastImm, WriteOnlyImm:
		l = append(l, LayerTypeImmDt)
	case AtomicAck:
		l = append(l, LayerTypeAtomicAckETH)
	}
	return l
}
