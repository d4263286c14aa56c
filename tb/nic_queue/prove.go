// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"embed"
	"slices"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	cellsFile = "nic_queue_cells.sv"
	walkFile  = "nic_queue_walk.sv"
)

// module are the sources of one module of the unit that has no others in it.
func module(name string) func() ([]gen.File, error) {
	return func() ([]gen.File, error) {
		files, err := params.Default().Files()
		return slices.DeleteFunc(files, func(f gen.File) bool { return f.Name != name }), err
	}
}

// proofs are the properties of the queues.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "walk", Depth: 24, K: 4, Quick: true, Top: "nic_queue_walk",
		Sources: module(walkFile),
		Claim:   "The walk of a visit, any one: a packet, any one, leaves without a gap, and its cells are free again.",
		Configs: []string{"CONN_W=1 CELL_W=2 SIZE_W=24 VISIT_W=61"},
		Texts:   []string{"nic_queue_walk.svh"},
		Properties: []proof.Property{
			{
				Name: "no_gap", Claim: "From its first beat on a beat is read in each cycle, to its length.",
				Bug: proof.Bug{Mistake: "one of three beats has a gap", File: walkFile, Edits: []string{"d_long = rest_q > 8'd1;", "d_long = rest_q > 8'd2;"}},
			},
			{
				Name: "no_beat_too_many", Claim: "And none more.",
				Bug: proof.Bug{Mistake: "one of one beat has two", File: walkFile, Edits: []string{"(open_q ? size_beat != 8'd0", "(open_q ? 1'b1"}},
			},
			{
				Name: "discard_reads_nothing", Claim: "A visit that discards reads none.",
				Bug: proof.Bug{Mistake: "its first beats are read", File: walkFile, Edits: []string{"rest_q != 8'd0))) && !discard_q;", "rest_q != 8'd0))) && !(discard_q && more_q);"}},
			},
			{
				Name: "halves_of_a_cell", Claim: "The beats are the first and the second ones of cells, in turn.",
				Bug: proof.Bug{Mistake: "the first one is read again", File: walkFile, Edits: []string{"assign read_place = {cell_q, state_q == B};", "assign read_place = {cell_q, state_q == B && !open_q};"}},
			},
			{
				Name: "begins_when_it_may", Claim: "A next packet begins only if it may.",
				Bug: proof.Bug{Mistake: "it need not", File: walkFile, Edits: []string{"((may_q || discard_q) && !size_taken)", "!size_taken"}},
			},
			{
				Name: "cells_are_given", Claim: "Before the next packet begins, as many cells are free again as the packet had;",
				Bug: proof.Bug{Mistake: "the second beat of a cell does not free it", File: walkFile, Edits: []string{"assign give      = state_q == B ||", "assign give      = (state_q == B && !(open_q && more_q)) ||"}},
			},
			{
				Name: "all_are_given", Claim: "so it is at the end of the visit,",
				Bug: proof.Bug{Mistake: "a last cell of one beat is not", File: walkFile, Edits: []string{"a_rest == 8'd0 && !more_q);", "a_rest == 8'd0 && more_q);"}},
			},
			{
				Name: "one_is_given", Claim: "also of a visit of one beat.",
				Bug: proof.Bug{Mistake: "it is not if others discard", File: walkFile, Edits: []string{"a_rest == 8'd0 && !more_q);", "a_rest == 8'd0 && !more_q && !discard_q);"}},
			},
		},
	},
}}
