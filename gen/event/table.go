// SPDX-License-Identifier: Apache-2.0

package event

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Call adds to an input stream's ports the information that programs need to call the unit by
// events.
type Call struct {
	// Name is the name of the stream: "send" for s_send_valid.
	Name string
	// Answer is the output stream that has one answer for each transfer of the input, in the same
	// order: "ev" for m_ev_valid. It is empty if the input has no such stream.
	Answer string
	// Only maps fields of the answer to the field that must be set for them to be valid; they are 0
	// otherwise: "conn": "hit".
	Only map[string]string
	// Rare are fields that most callers leave at 0.
	Rare []string
	// Flags are fields of the stream whose names end in valid, although they are not streams:
	// "rtt_valid" for s_ack_rtt_valid.
	Flags []string
	// Beats is the field with the number of transfers of the event, at least one. Each transfer has
	// the next value of the fields in Each; other fields are the same in all. If the field One is
	// set, the number is one. An answer belongs to the last transfer. If Beats is empty, the event
	// is one transfer.
	Beats string
	Each  []string
	One   string
}

// Table returns the additional information about a configuration's streams for programs that call
// the unit by events. Streams that it does not name have no answers and no rare fields.
func Table(cfg gen.Config) (list []Call) {
	c := Of(cfg)
	if c == nil {
		return nil
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

// row returns the entry of a stream; false: the ports say everything.
func (c *Contract) row(s *Stream, ports map[string]bool) (Call, bool) {
	e := Call{Name: s.Name}
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
		if !slices.Contains(strings.Fields(a.To), s.Name) {
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
