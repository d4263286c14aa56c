// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files of the parts that are proved by themselves.
const (
	ringFile = "nic_dcsim_source_ring.sv"
	wantFile = "nic_dcsim_source_want.sv"
	simsFile = "nic_dcsim_source_sims.sv"
)

func sources() ([]gen.File, error) { return params.Default().Files() }

// fewFlows are the sources with the flows' memories in LUTRAM.
func fewFlows() ([]gen.File, error) {
	p := params.Default()
	p.Flows = 2
	return p.Files()
}

// fewSlots are the sources with four random bits above the slots' four.
func fewSlots() ([]gen.File, error) {
	p := params.Default()
	p.Outstanding, p.PortBits = 16, 8
	return p.Files()
}

// proofs are the properties of the source host's parts.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "want", Depth: 28, K: 3,
		Claim:   "Eq. 3 of the paper, n_SIM <= n_DATA, for any flow and all that can happen to it, though the unit keeps only the difference of the two.",
		Configs: []string{"FLOW_W=1 WANT_W=3 COUNT_W=1", "FLOW_W=2 WANT_W=4 COUNT_W=2"},
		Top:     "nic_dcsim_source_want", Sources: fewFlows,
		Texts: []string{"nic_dcsim_source_want.svh", "lib/nic_lib_ram_lut.svh", "lib/nic_lib_ram_lut.svh@nic_lib_fwd_lut"},
		Properties: []proof.Property{
			{
				Name: "difference_is_kept", Claim: "What the memory has of a flow is n_DATA - n_SIM.",
				Bug: proof.Bug{Mistake: "a SIM that timed out is forgotten beside new DATAs", File: wantFile, Edits: []string{
					"late_valid || again_valid || serve;", "(late_valid && !data_valid) || again_valid || serve;"}},
			},
			{
				Name: "never_more_sims", Claim: "n_SIM <= n_DATA.",
				Bug: proof.Bug{Mistake: "a flow joins the list twice", File: wantFile, Edits: []string{
					": w1_want == '0);", ": w1_want[WANT_W-1:1] == '0);"}},
			},
			{
				Name: "one_less_at_enqueue", Claim: "A SIM is queued only if n_SIM < n_DATA.",
				Bug: proof.Bug{Mistake: "a flow that was served stays in the list", File: wantFile, Edits: []string{
					"w1_want != WANT_W'(1)", "w1_want != WANT_W'(0)"}},
			},
			{
				Name: "wanting_is_in_turn", Claim: "A flow with n_SIM < n_DATA is in the list, or on its way to it.",
				Bug: proof.Bug{Mistake: "a flow that wants two is forgotten", File: wantFile, Edits: []string{
					"w1_want != WANT_W'(1)", "w1_want > WANT_W'(2)"}},
			},
		},
	},
	{
		Name: "ring", Depth: 24,
		Claim: "All packets in flight are released as from a list sorted by time: RTTmax (here 5) after they were sent, acknowledged if a SIM-ACK of " +
			"their place came up to then.",
		Configs: []string{"WIDTH=1 IDX_W=2 ROW_W=1 PTR_W=2 TIME_W=4"},
		Top:     "nic_dcsim_source_ring", Sources: sources,
		Texts: []string{"nic_dcsim_source_ring.svh"},
		Properties: []proof.Property{
			{
				Name: "leaves_at_its_time", Claim: "It is handed on exactly RTTmax after it was sent, and two cycles.",
				Bug: proof.Bug{Mistake: "it leaves one cycle late", File: ringFile, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(1) - span"}},
			},
			{
				Name: "leaves_at_no_other_time", Claim: "It never leaves at another time.",
				Bug: proof.Bug{Mistake: "it leaves one cycle early", File: ringFile, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(3) - span"}},
			},
			{
				Name: "acknowledged_in_time", Claim: "It leaves as a DATA if and only if a SIM-ACK came at RTTmax or before.",
				Bug: proof.Bug{Mistake: "its mark stays for the next lap", File: ringFile, Edits: []string{
					"(d2_valid_q && d2_sent_mark != d2_left_mark)", "(1'b0 && d2_valid_q)"}},
			},
			{
				Name: "acknowledged_once", Claim: "A SIM-ACK counts only if it is the first one of a packet, and in time.",
				Bug: proof.Bug{Mistake: "each one counts", File: ringFile, Edits: []string{" && ack_ok && p1_sent_mark == p1_left_mark;", " && ack_ok && (p1_sent_mark || !p1_sent_mark);"}},
			},
		},
	},
	{
		Name: "ports", Depth: 44, K: 1,
		Claim: "No two slots in use have one source port, whatever their random bits are (D5): for any SIM, from its offer until its slot is given " +
			"back, if slots are given back in order and after their SIMs were sent.",
		Configs: []string{"FLOW_W=1 SLOT_W=4 RANDOM_W=4 QUEUE_W=3 TOKEN_W=2"},
		Top:     "nic_dcsim_source_sims", Sources: fewSlots,
		Texts: []string{"nic_dcsim_source_sims.svh"},
		Properties: []proof.Property{
			{
				Name: "slot_is_free", Claim: "A SIM is offered only with a slot that is not in use.",
				Bug: proof.Bug{Mistake: "slots are given out without end", File: simsFile, Edits: []string{
					"slots < SLOT_W'((1 << SLOT_W) - 2)", "slots < SLOT_W'((1 << SLOT_W) - 2) || 1'b1"}},
			},
			{
				Name: "port_is_free", Claim: "No SIM is offered with the port of another one in use.",
				Bug: proof.Bug{Mistake: "the slot's bits are lost in the random ones", File: simsFile, Edits: []string{
					"next_slot_q ^ mix}", "next_slot_q | mix}"}},
			},
		},
	},
}}
