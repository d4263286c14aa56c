// SPDX-License-Identifier: Apache-2.0

package nictransport

import params "github.com/nicgen/nicgen/gen/nic_transport"

// Compared says in a sentence, without a full stop, what a Checker compares and what it takes from the RTL.
func Compared(p *params.Params) string {
	text := "RTL equals golden model: all bytes of every frame, every traced event, every completion; taken from the RTL: " +
		"order and time, rates, which packets a full queue drops"
	if p.Path == params.LAPS {
		text += ", choices of paths, probes and losses"
	}
	return text
}
