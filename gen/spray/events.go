// SPDX-License-Identifier: Apache-2.0

package spray

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful.
func (p *Params) Events() []gen.Event { return gen.EntropyEvents(p.NICPorts) }
