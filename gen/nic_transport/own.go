// SPDX-License-Identifier: Apache-2.0

package nictransport

import "github.com/nicgen/nicgen/gen"

// own is the name of the block's own registers.
const own = "transport"

// Own holds the block's own registers, which belong to no part.
type Own struct{ *Params }

// Counters are the block's own counters, by name.
var Counters = []struct{ Name, Meaning string }{
	{"tx_queued", "Packets from the host that went to a queue."},
	{"tx_edited", "Those that left at once, edited."},
	{"tx_other", "Those that left unchanged."},
	{"tx_short", "Frames from the host that are shorter than their IP length; they left as bad, or were dropped."},
	{"rx_frame", "Frames from the wire."},
	{"rx_bad", "Of them, bad ones, and those shorter than their IP length: no event follows."},
	{"rx_data", "Packets received of connections."},
	{"rx_ack", "ACKs and READ responses received that acknowledge."},
	{"sample_lost", "Samples for which the window unit, or LAPS, had no room."},
}

// Outside are counters of the logic around the block, by name. They have their own input ports.
var Outside = []struct{ Name, Meaning string }{
	{"mac_tx_drop", "Frames to the wire that a queue behind the block dropped: too long for it. 0 if there is none."},
	{"mac_rx_drop", "Frames from the wire that a queue before the block dropped: there was no room. 0 if there is none."},
}

// Ports implements gen.Config: the ports that have registers.
func (o *Own) Ports() []gen.Port {
	var l gen.PortList
	l.Group = "Registers"
	l.Out("sts_ready", "", 1, "flag", "", "All parts are ready: until then packets leave unchanged.")
	l.In("s_profile_valid", "", 1, "flag", "accepted every cycle", "Write the profile of a connection.")
	l.In("s_profile_conn", "", ConnBits, "connection", "with s_profile_valid", "Which connection.")
	l.In("s_profile_word", "", 32, "see docs/units/nic_transport.md", "with s_profile_valid", "Its profile.")
	l.In("cfg_label_high", "", 4, "any", "sampled with each packet", "Bits 19 to 16 of a flow label that gets an entropy value.")
	l.In("cfg_ask", "", 1, "flag", "any time", "The last packet of each visit of a queue asks for an ACK, if it is a SEND or WRITE; 0: only the host decides which packets ask.")
	l.In("cfg_recover", "", 1, "flag", "any time", "Frames under way are dropped if a direction stands still or is out of step; 0: never.")
	l.Out("evt_recovered", "", 1, "pulse", "", "They were: frames are lost, and completions of frames from the host.")
	for _, c := range Counters {
		l.Out("sts_"+c.Name+"_cnt", "", o.CounterBits, "unsigned, wraps", "", c.Meaning)
	}
	for _, c := range Outside {
		l.Out("sts_"+c.Name+"_cnt", "", o.CounterBits, "unsigned, wraps", "", c.Meaning)
	}
	return l.Ports
}

// PortValues implements gen.Driven.
func (o *Own) PortValues() map[string]uint64 {
	return map[string]uint64{"cfg_label_high": 0, "cfg_ask": 1, "cfg_recover": 1}
}

// Check implements gen.Config; the block's own are checked there.
func (o *Own) Check() []gen.Problem { return nil }

// Files implements gen.Config: the block has them.
func (o *Own) Files() ([]gen.File, error) { return nil, nil }
