// SPDX-License-Identifier: Apache-2.0

package nicecho

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful.
func (p *Params) Events() []gen.Event {
	return []gen.Event{{Name: "ack", Answer: "echo"}}
}
