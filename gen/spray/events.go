// SPDX-License-Identifier: Apache-2.0

package spray

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful.
func (p *Params) Events() []gen.Event {
	send := gen.Event{Name: "send", Answer: "ev", Rare: []string{"inject", "random"}}
	ack, fail, flush := gen.Event{Name: "ack"}, gen.Event{Name: "fail"}, gen.Event{Name: "flush"}
	list := []*gen.Event{&ack, &fail, &flush, &send}
	var out []gen.Event
	for _, e := range list {
		if p.NICPorts == 1 {
			e.Rare = append(e.Rare, "port")
		}
		out = append(out, *e)
	}
	return out
}
