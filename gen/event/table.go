// SPDX-License-Identifier: Apache-2.0

package event

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Table returns what the ports of a configuration do not say of its streams, for programs that call
// the unit by events. Streams that it does not name have no answers and no rare fields.
func Table(cfg gen.Config) (list []gen.Event) {
	c := Of(cfg)
	if c == nil {
		return gen.Events(cfg)
	}
	ports := map[string]bool{}
	for _, p := range cfg.Ports() {
		ports[p.Name] = true
	}
	for _, s := range c.Events {
		if e, ok := c.row(s, ports); ok {
			list = append(list, e)
		}
	}
	return list
}

// row is the entry of a stream; false: the ports say everything.
func (c *Contract) row(s *Stream, ports map[string]bool) (gen.Event, bool) {
	e := gen.Event{Name: s.Name}
	if s.Valid != "s_"+s.Name+"_valid" {
		return e, false // AXI streams are no events to call
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if !ports[f.Port] {
			continue
		}
		name := strings.TrimPrefix(f.Port, s.Prefix)
		switch {
		case s.Beats == "":
		case f.Name == s.Beats:
			e.Beats = name
		case f.Name == s.One:
			e.One = name
		case f.Elements > 0 && f.Low == 0:
			e.Each = append(e.Each, name)
		}
		if f.Rare || slices.Contains(c.Rare, f.Port) {
			e.Rare = append(e.Rare, name)
		}
		if strings.HasSuffix(name, "_valid") {
			e.Flags = append(e.Flags, name)
		}
	}
	for _, a := range c.Answers {
		if a.To != s.Name {
			continue
		}
		e.Answer = a.Name
		for i := range a.Fields {
			if f := &a.Fields[i]; f.Only != "" {
				if e.Only == nil {
					e.Only = map[string]string{}
				}
				e.Only[strings.TrimPrefix(f.Port, a.Prefix)] = f.Only
			}
		}
	}
	return e, s.Tried || e.Answer != "" || len(e.Rare)+len(e.Flags) > 0
}
