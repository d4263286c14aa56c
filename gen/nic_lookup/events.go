// SPDX-License-Identifier: Apache-2.0

package niclookup

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful.
func (p *Params) Events() []gen.Event {
	hit := map[string]string{"conn": "hit"}
	return []gen.Event{
		{Name: "a", Answer: "a", Only: hit},
		{Name: "b", Answer: "b", Only: hit},
		{Name: "write", Answer: "write", Only: map[string]string{"key": "set", "conn": "set"}},
	}
}
