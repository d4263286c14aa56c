// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful. A DATA-ACK is for several packets.
func (p *Params) Events() []gen.Event {
	return []gen.Event{{Name: "rx"}}
}
