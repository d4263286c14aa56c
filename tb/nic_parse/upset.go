// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the parser's legal behaviour after a bit of its state changed: it may give one
// wrong record, or two for a frame in which it lost count of the beats.
var upset = &bench.Upset{
	Settings: []string{"", "profile=both ip_checksum=true"},
	Lifetime: "**The bound.** There is no memory and no queue: a bit in the pipeline is gone after five cycles. Where the parser is in its frame is known " +
		"again with the frame's last beat, and so are the bytes that it has counted. Until then it may give a second header record or leave it out. " +
		"An end record comes for every last beat, five cycles later, from the sixth cycle on.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands an end record for each last beat in its cycle, one header record for each frame
// before it, and records that can be.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, x := cfg.(*params.Params), &wires{}
	err := x.bind(p, l)
	return bench.Laws{
		bench.NewSame(l, "m_end_valid"),
		&inStep{x: x},
		bench.Check(func(_, _, _, got []uint64) bool {
			var h params.Header
			return !x.headers.Read(got, &h) || canBe(p, &h, x.illegal.On(got))
		}),
	}, err
}

// canBe reports whether some packet has this record.
func canBe(p *params.Params, h *params.Header, illegal bool) bool {
	kind, reason := model.Kind(h.Kind), h.Reason
	is := kind == model.Truncated || kind == model.Malformed
	switch {
	case kind == model.Other:
		if reason == 0 || reason > uint64(model.TooLong) {
			return false
		}
	case reason != 0:
		return false
	case kind == model.UETRequest || kind == model.UETACK:
		if !p.UET() {
			return false
		}
	case !is && (!p.RoCE() || kind > model.UETACK):
		return false
	}
	return illegal == is
}

// inStep is the law that header records and end records come in turn.
type inStep struct {
	x    *wires
	open bool // a header record is out, and the end record is not
}

// Clone implements bench.Law.
func (s *inStep) Clone() bench.Law {
	c := *s
	return &c
}

// Lawful implements bench.Law.
func (s *inStep) Lawful(in, _, _, got []uint64) bool {
	header, end := s.x.headers.On(got), s.x.ends.On(got)
	ok := (!end || s.open) && (!header || !s.open || end)
	s.open = (s.open && !end || header) && !s.x.rst.On(in)
	return ok
}
