// SPDX-License-Identifier: Apache-2.0

package powertcp

import "github.com/nicgen/nicgen/sim/transport"

// NewTransport is a Controller of a host's connections as a transport.
func NewTransport(h *transport.Host, by Controller, s Settings) transport.Transport {
	return newControlled(h, by, s)
}
