// SPDX-License-Identifier: Apache-2.0

package markrun

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	return []gen.State{{Name: "run", Bits: int(p.RunBits), Memories: []string{"runs"}, Meaning: "marked ACKs in a row"}}
}
