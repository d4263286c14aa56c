// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files that the mistakes are in.
const (
	topFile   = "nic_spray.sv"
	tableFile = "nic_spray_table.sv"
)

// tiny has little state, in LUT RAM.
const tiny = "connections=2 conn_bits=2 evs_bits=2 evs=3 timer_bits=8 flowlet_timeout_ns=3 counter_bits=8"

// sources are the files of a unit with few entries: its table is in LUT RAM.
func sources() ([]gen.File, error) {
	p := params.Default()
	p.Connections = 2
	return p.Files()
}

// proofs are the properties of the baselines.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "table", Depth: 30, K: 2,
		Claim: "Packets of an entry, any one, whatever the others do, in a time that goes on for ever, by any steps of a legal clock.",
		Configs: []string{
			"EVS_BITS=2 TIMER_BITS=4 ENTRIES=2 ENTRY_W=1",
			"EVS_BITS=1 TIMER_BITS=5 ENTRIES=3 ENTRY_W=2",
		},
		Top: "nic_spray_table", Sources: sources,
		Texts: []string{"lib/part_lut.svh@nic_lib_fwd_lut", "nic_spray_table.svh"},
		Properties: []proof.Property{
			{
				Name: "goes_on_until_timeout", Claim: "A flowlet's EV does not change unless there was a gap above the timeout, a flush, or fewer EVs.",
				Bug: proof.Bug{Mistake: "a gap that is the timeout ends it", File: tableFile, Edits: []string{
					"assign left    = due - p4_now;", "assign left    = due - p4_now - 1'b1;"}},
			},
			{
				Name: "ends_above_timeout", Claim: "After a gap above the timeout, of any length, a flowlet begins.",
				Bug: proof.Bug{Mistake: "no aging: the times alone decide", File: tableFile, Edits: []string{
					"p4_new  = !alive ||", "p4_new  = (!alive && 1'b0) ||"}},
			},
			{
				Name: "once_in_a_turn", Claim: "In round robin each EV comes back after exactly as many packets as there are EVs.",
				Bug: proof.Bug{Mistake: "EV 0 comes twice", File: tableFile, Edits: []string{
					"p4_over ? EVS_BITS'(1) : p4_ev + 1'b1", "p4_over ? EVS_BITS'(0) : p4_ev + 1'b1"}},
			},
		},
	},
	{
		Name: "below", Depth: 24, K: 2,
		Claim:   "Every SEND, in every mode, with settings that change at any time.",
		Configs: []string{tiny},
		Texts:   []string{"nic_spray.svh"},
		Properties: []proof.Property{
			{
				Name: "ev_in_use", Claim: "Its EV is below the number of EVs, if that is 1 to 2^evs_bits.",
				Bug: proof.Bug{Mistake: "an EV that is no longer in use stays", File: tableFile, Edits: []string{
					"left[TIMER_BITS-1] || p4_over;", "left[TIMER_BITS-1];"}},
			},
			{
				Name: "one_answer_each", Claim: "It has one answer, 7 cycles later, and nothing else has one.",
				Bug: proof.Bug{Mistake: "SENDs of connections that do not exist are not answered", File: topFile, Edits: []string{
					"p2_send_q  <= p1_send_q;", "p2_send_q  <= p1_legal_q;"}},
			},
		},
	},
	{
		Name: "ecmp", Depth: 20, K: 2,
		Claim:   "A connection, any one, under ECMP, with settings that stay.",
		Configs: []string{tiny},
		Texts:   []string{"ecmp/nic_spray.svh"},
		Properties: []proof.Property{
			{
				Name: "ecmp_never_changes", Claim: "All its packets have one EV, which the rounds of the hash give, whatever else happens.",
				Bug: proof.Bug{Mistake: "an injected word is taken", File: topFile, Edits: []string{
					"(p1_legal_q && p1_mode_q == MODE_ECMP) ? p1_hash_4", "(p1_legal_q && p1_mode_q == MODE_ECMP && !p1_inject_q) ? p1_hash_4"}},
			},
		},
	},
}}
