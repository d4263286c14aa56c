// SPDX-License-Identifier: Apache-2.0

package nicgate

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful. A flush waits for the queue and the pacer behind the gate: it is not
// an event that may come at any time.
func (p *Params) Events() []gen.Event {
	return []gen.Event{
		{Name: "enter"}, {Name: "due"}, {Name: "release"}, {Name: "done"},
		{Name: "ack", Answer: "sample", Only: map[string]string{"una": "hit"}}, {Name: "window"},
	}
}
