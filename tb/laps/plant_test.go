// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

const (
	top = "nic_laps.sv"
	// shrunk is the number of cycles with events that a shrunk stimulus may have: some
	// twenty of them are an offer that waits for sts_ready.
	shrunk = 130
	bare   = small + " loss=false"
)

// bugs are mistakes in the wiring. Most need a path that is written and listed.
var bugs = []benchtest.Bug{
	// Algorithm 1
	{Name: "a pick goes to the next packet", File: top, Set: bare, Edits: []string{".s_pick_id (pick_id),", ".s_pick_id (pick_id + 1'b1),"}},
	{Name: "all banks can be picked", File: top, Set: bare, Edits: []string{".s_pick_usable (cand_usable),", ".s_pick_usable (cand_usable | {BANKS{cand_valid}}),"}},
	{Name: "the packet's tag is one bit off", File: top, Set: small, Edits: []string{"path_tag[SEGMENT_W +: TAG_BITS]", "path_tag[SEGMENT_W-1 +: TAG_BITS]"}},

	// events taken
	{Name: "ready before the loss detector", File: top, Set: small, Edits: []string{"rate_ready && loss_ready;", "rate_ready && (loss_ready || paths_ready);"}},
	{Name: "the tables accept an ACK that the loss detector does not", File: top, Set: small, Edits: []string{"(s_ack_valid && loss_ack_ready)", "s_ack_valid"}},
	{Name: "the loss detector accepts an ACK that the tables do not", File: top, Set: small, Edits: []string{"s_ack_valid && slot && !s_answer_valid;", "s_ack_valid && sts_ready && !s_answer_valid;"}},
	{Name: "the loss detector gets an ACK that waits behind an answer", File: top, Set: small, Edits: []string{"s_ack_valid && slot && !s_answer_valid;", "s_ack_valid && slot;"}},
	{Name: "an ACK is accepted together with an answer", File: top, Set: small, Edits: []string{"slot && !s_answer_valid && loss_ack_ready;", "slot && loss_ack_ready;"}},
	{Name: "an answer gets the delay of the ACK beside it", File: top, Set: bare, Edits: []string{"s_answer_valid ? s_answer_delay_ns", "(s_answer_valid && !s_ack_valid) ? s_answer_delay_ns"}},
	{Name: "an answer changes a rate", File: top, Set: bare, Edits: []string{".s_ack_probe (s_answer_valid),", ".s_ack_probe (1'b0),"}},

	// Algorithm 2
	{Name: "operands come a cycle before their ACK", File: top, Set: bare, Edits: []string{
		"  logic unused_operands_tag;\n", "  logic unused_operands_tag;\n  logic late_q;\n  always_ff @(posedge clk) late_q <= operands_valid;\n",
		".s_ack_valid (operands_valid),", ".s_ack_valid (late_q),"}},
	{Name: "an ACK's flow is rotated", File: top, Set: bare, Edits: []string{"CARRY_W'(s_ack_flow)", "CARRY_W'({s_ack_flow[FLOW_W-2:0], s_ack_flow[FLOW_W-1]})"}},

	// Algorithm 3
	{Name: "realVal is that of the previous path", File: top, Set: small, Edits: []string{
		"  logic send_valid;\n", "  logic send_valid;\n  logic [LAT_W-1:0] late_q;\n  always_ff @(posedge clk) late_q <= path_latency;\n",
		".s_send_latency_ns (path_latency),", ".s_send_latency_ns (late_q),"}},
	{Name: "flow and sequence number are swapped", File: top, Set: small, Edits: []string{"s_packet_flow, s_packet_seq};", "s_packet_seq, s_packet_flow};"}},
	{Name: "all packets are tracked", File: top, Set: small, Edits: []string{"!m_path_none && path_tag[SEGMENT_W-1];", "!m_path_none && (path_tag[SEGMENT_W-1] || m_path_valid);"}},
	{Name: "packets without a path are tracked", File: top, Set: small, Edits: []string{"m_path_valid && !m_path_none && path_tag", "m_path_valid && path_tag"}},
}

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the LAPS pipeline\n\n" +
	"Each row is a mistake planted in the wiring of a small configuration of [the pipeline](laps.md); mistakes inside the parts\n" +
	"are in the parts' own tables. Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a replay file that\n" +
	"fails in the same way. The last column counts the cycles with an event or a request in the shrunk stimulus: to have one\n" +
	"path listed takes three, and some twenty may be an offer that waits for `sts_ready`."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer destinations", Set: small, Params: func(p *params.Params) { p.Tables.Destinations = 2 }},
	{Name: "fewer flows", Set: small, Params: func(p *params.Params) { p.Rate.Flows = 2 }},
	{Name: "another seed", Set: small, Params: func(p *params.Params) { p.Picker.RandomSeed++ }},
	{Name: "the other interval", Set: small, Params: func(p *params.Params) { p.Rate.Decrease = lapsrate.Most }},
	{Name: "own lookup", Set: small, Params: func(p *params.Params) { p.Tables.AckLookup = lapspaths.Own }},
	{Name: "shorter rings", Set: small, Params: func(p *params.Params) { p.Detector.Depth = 4 }},
	{Name: "longer delay", Set: small, Inputs: benchtest.AddInput("s_ack_delay_ns", 1)},
	{Name: "longer answer", Set: small, Inputs: benchtest.AddInput("s_answer_delay_ns", 1)},
	{Name: "another segment", Set: small, Inputs: benchtest.AddInput("s_packet_seq", 1)},
	{Name: "another flow", Set: small, Inputs: benchtest.AddInput("s_ack_flow", 1)},
	{Name: "another timeout", Set: small, Inputs: benchtest.AddInput("cfg_rto_min_ns", 400)},
	{Name: "sees no answers", Set: small, Inputs: benchtest.SetInput("s_answer_valid", 0)},
	{Name: "tracks nothing", Set: small, Inputs: benchtest.SetInput("s_packet_track", 0)},
}
