// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with mistakes.
const (
	topFile    = "nic_lookup.sv"
	searchFile = "nic_lookup_search.sv"
)

// sources are a table of two ways of four rows, with keys of four bits: smaller than a configuration may
// be. The text is the same one.
func sources() ([]gen.File, error) {
	p := params.Default()
	p.KeyBits, p.Ways, p.Rows, p.TableMemory = 4, 2, 4, gen.BRAM
	return p.Files()
}

// proofs are the properties of the search.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{{
	Name: "table", Depth: 48, K: 12, Free: "nic_lookup_hash",
	Claim: "A table of two ways of four rows, one place of each way, any one, and searches on either port that look there. The hash functions give any values at any " +
		"time. Searches, operations, gaps and resets are any.",
	Configs: []string{"CONNECTIONS=2 CONN_BITS=2 COUNTER_BITS=8"},
	Top:     "nic_lookup", Sources: sources,
	Texts: []string{"nic_lookup_memory.svh", "nic_lookup.svh"},
	Properties: []proof.Property{
		{
			Name: "one_answer", Claim: "Each search has one answer, eight cycles later, and nothing else has one.",
			Bug: proof.Bug{Mistake: "searches before the table is clear are not answered", File: searchFile, Edits: []string{"{valid_q[READ+2:0], s_valid}", "{valid_q[READ+2:0], s_valid && ready}"}},
		},
		{
			Name: "nothing_before_ready", Claim: "Searches that come before the table is clear find nothing.",
			Bug: proof.Bug{Mistake: "they look", File: searchFile, Edits: []string{"{live_q[READ-1:0], ready}", "{live_q[READ-1:0], ready || s_valid}"}},
		},
		{
			Name: "found_is_the_table", Claim: "A search hits exactly if a write that was answered before put its key into one of its places, and none since then put something else there; the lowest way says the connection.",
			Bug: proof.Bug{Mistake: "deleted entries are found", File: searchFile, Edits: []string{"(entry_set && live_q", "((entry_set || 1'b1) && live_q"}},
		},
		{
			Name: "a_move_never_misses", Claim: "While an entry is copied from one place to another and then deleted in the first one, every search for its key hits, with its connection.",
			Bug: proof.Bug{Mistake: "a write goes to all ways", File: topFile, Edits: []string{" && op_way_q == 2'(w)", ""}},
		},
		{
			Name: "conflict_is_told", Claim: "A conflict is told, in the cycle after the answer, exactly if both places have the key with different connections.",
			Bug: proof.Bug{Mistake: "the copy of a move is one", File: searchFile, Edits: []string{"conns_q[w*IDX_W +: IDX_W] != lowest", "conns_q[w*IDX_W +: IDX_W] >= lowest"}},
		},
		{
			Name: "one_at_a_time", Claim: "Each operation has one answer, and none is taken before the one before is answered.",
			Bug: proof.Bug{Mistake: "the next one is taken too early", File: topFile, Edits: []string{"op_q[MEMORY+2:0] == '0", "op_q[MEMORY:0] == '0"}},
		},
		{
			Name: "error_is_told", Claim: "An operation on a place or for a connection that does not exist is answered as an error with evt_illegal, no other one is.",
			Bug: proof.Bug{Mistake: "the connection of a deletion matters", File: topFile, Edits: []string{"(op_read_q || !op_set_q || ", "(op_read_q || "}},
		},
		{
			Name: "read_back_is_the_place", Claim: "What is read back is what the place has.",
			Bug: proof.Bug{Mistake: "a read back deletes", File: topFile, Edits: []string{"op_legal && !op_read_q && op_way_q", "op_legal && op_way_q"}},
		},
		{
			Name: "port_b_is_one_users", Claim: "An operation and a search never use port B in one cycle.",
			Bug: proof.Bug{Mistake: "operations do not wait", File: topFile, Edits: []string{"waits_q && !p1_b_valid;", "waits_q;"}},
		},
	},
}}}
