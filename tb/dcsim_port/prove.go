// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files of the parts.
const (
	topFile   = "nic_dcsim_port.sv"
	smallFile = "nic_dcsim_port_small.sv"
	dataFile  = "nic_dcsim_port_data.sv"
	lineFile  = "nic_dcsim_port_line.sv"
)

func sources() ([]gen.File, error) { return params.Default().Files() }

// proofs holds the properties of the port and its parts. The token bucket's are in the
// library.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "small", Depth: 20, K: 3, Quick: true,
		Claim:   "The queues for small packets: what goes in comes out in order, B packets at most, each in a row of its own.",
		Configs: []string{"DEPTH_W=1 QUEUE_W=3", "DEPTH_W=2 QUEUE_W=4"},
		Top:     "nic_dcsim_port_small", Sources: sources,
		Texts: []string{"nic_dcsim_port_small.svh"},
		Properties: []proof.Property{
			{
				Name: "never_above_b", Claim: "A packet finds room only while fewer than B wait, and fewer than there are rows.",
				Bug: proof.Bug{Mistake: "B + 1 packets", File: smallFile, Edits: []string{"32'(fill) >= 32'(most)", "32'(fill) > 32'(most)"}},
			},
			{
				Name: "full_only_at_b", Claim: "It is refused only if B wait; one that left in the cycle before still counts.",
				Bug: proof.Bug{Mistake: "B - 1 packets", File: smallFile, Edits: []string{"32'(fill) >= 32'(most)", "32'(fill) + 1 >= 32'(most)"}},
			},
			{
				Name: "some_is_some", Claim: "A queue offers a head exactly while packets wait in it.",
				Bug: proof.Bug{Mistake: "it is empty with one packet in it", File: smallFile, Edits: []string{
					"assign some[g] = wr_q[g*PTR_W +: PTR_W] != rd_q[g*PTR_W +: PTR_W];", "assign some[g] = wr_q[g*PTR_W +: PTR_W] != rd_q[g*PTR_W +: PTR_W] && wr_q[g*PTR_W +: PTR_W] != rd_q[g*PTR_W +: PTR_W] + 1'b1;"}},
			},
			{
				Name: "first_in_first_out", Claim: "A packet, any one, leaves from the row into which it came, behind exactly those before it.",
				Bug: proof.Bug{Mistake: "the head of SIM-ACKs is that of SIMs", File: smallFile, Edits: []string{"m_class[0] ? rd_q[PTR_W +: DEPTH_W]", "m_class[0] ? rd_q[0 +: DEPTH_W]"}},
			},
			{
				Name: "row_is_its_own", Claim: "No packet comes into the row of one that waits.",
				Bug: proof.Bug{Mistake: "a queue with all rows in use takes one more", File: smallFile, Edits: []string{"fill[DEPTH_W] || ", ""}},
			},
		},
	},
	{
		Name: "data", Depth: 20, K: 3, Quick: true,
		Claim:   "The DATA queue: what goes in comes out in order, within its limits of packets and bytes, each in a row of its own.",
		Configs: []string{"ROW_W=3 FIRST=3 LEN_W=2 BYTE_W=5", "ROW_W=2 FIRST=1 LEN_W=3 BYTE_W=6"},
		Top:     "nic_dcsim_port_data", Sources: sources,
		Texts: []string{"nic_dcsim_port_data.svh"},
		Properties: []proof.Property{
			{
				Name: "never_above_its_rows", Claim: "It never holds more packets than there are rows.",
				Bug: proof.Bug{Mistake: "rows are not counted", File: dataFile, Edits: []string{" || packets_q == ROW_W'(ROWS)", ""}},
			},
			{
				Name: "count_is_exact", Claim: "It offers a head exactly while packets wait in it.",
				Bug: proof.Bug{Mistake: "one that left in the cycle before is offered", File: dataFile, Edits: []string{"packets_q != ROW_W'(popped_q)", "packets_q != '0"}},
			},
			{
				Name: "bytes_are_exact", Claim: "The bytes are those that came less those that left.",
				Bug: proof.Bug{Mistake: "bytes of one that leaves beside one that comes stay", File: dataFile, Edits: []string{
					"(push ? bytes_q + BYTE_W'(s_len) : bytes_q) - BYTE_W'(popped_len_q);", "push ? bytes_q + BYTE_W'(s_len) : bytes_q - BYTE_W'(popped_len_q);"}},
			},
			{
				Name: "first_in_first_out", Claim: "A packet, any one, leaves from the row into which it came, behind exactly those before it.",
				Bug: proof.Bug{Mistake: "the head wraps to another row", File: dataFile, Edits: []string{"rd_q <= (rd_q == '1) ? ROW_W'(FIRST) : rd_q + 1'b1;", "rd_q <= rd_q + 1'b1;"}},
			},
		},
	},
	{
		Name: "port", Depth: 16, K: 3,
		Claim:   "Strict priority, not pre-emptive, in the whole port; whatever queues and line do.",
		Configs: []string{"descriptors=16 queue_depth=2 queue=2 tag_bits=1 byte_bits=14 token_bits=8 counter_bits=8 data_packets=10 data_bytes=9216 packet_bytes=332 probe_bytes=80 clock_hz=400000000 rate_gbps=800 gap_bytes=0"},
		Texts:   []string{"nic_dcsim_port.svh"},
		Properties: []proof.Property{
			{
				Name: "lowest_class_first", Claim: "A frame is picked only if none of a lower class may go: a SIM may with a token.",
				Bug: proof.Bug{Mistake: "SIM-ACKs go before SIMs", File: topFile, Edits: []string{"sim_some ? SIM : small_some[1] ? 2'd1 :", "small_some[1] ? 2'd1 : sim_some ? SIM :"}},
			},
			{
				Name: "not_interrupted", Claim: "An offered frame stays the same class until it is taken.",
				Bug: proof.Bug{Mistake: "a SIM takes its place", File: topFile, Edits: []string{"assign line_class = valid_q ? class_q : winner;", "assign line_class = (valid_q && !sim_some) ? class_q : winner;"}},
			},
			{
				Name: "never_idle", Claim: "While the line is free and a frame may go, one is offered in the next cycle.",
				Bug: proof.Bug{Mistake: "a SIM without a token holds up the others", File: topFile, Edits: []string{"|| data_some);", "|| data_some) && (token_ready || !small_some[0]);"}},
			},
			{
				Name: "sim_has_token", Claim: "A SIM begins only with a token.",
				Bug: proof.Bug{Mistake: "it needs none", File: topFile, Edits: []string{"small_some[0] && token_ready", "small_some[0]"}},
			},
			{
				Name: "every_other_cycle", Claim: "Frames never begin in consecutive cycles.",
				Bug: proof.Bug{Mistake: "one is picked beside one that is taken", File: topFile, Edits: []string{"line_free && !valid_q &&", "line_free && (!valid_q || m_frame_ready) &&"}},
			},
			{
				Name: "illegal_changes_nothing", Claim: "An illegal descriptor goes into no queue and is not reported as dropped.",
				Bug: proof.Bug{Mistake: "a length of 0 is taken", File: topFile, Edits: []string{"p0_len_q != '0 && ", ""}},
			},
		},
	},
	{
		Name: "line", Depth: 20, K: 2,
		Claim: "The line's time: while frames wait, what leaves it is between two lines in real numbers that keep what they are late, the one up to " +
			"2^LATE_W - 2 clocks, the other a little more than 2^LATE_W + 2. Both save nothing up when idle.",
		Configs: []string{"LEN_W=3 GAP_W=2 RATE_W=4 FRAC_W=2 LATE_W=2"},
		Top:     "nic_dcsim_port_line", Sources: sources,
		Texts: []string{"nic_dcsim_port_line.svh"},
		Properties: []proof.Property{
			{
				Name: "never_more", Claim: "The line is free only if the frames of the faster one have passed.",
				Bug: proof.Bug{Mistake: "an idle line saves up what it could have sent", File: lineFile, Edits: []string{
					"(free && !pick && !take && !hold)", "(free && !pick && !take && !hold && credit_q == '0)"}},
			},
			{
				Name: "never_less", Claim: "It is free if the frames of the slower one have passed.",
				Bug: proof.Bug{Mistake: "what it is late is forgotten", File: lineFile, Edits: []string{"if (rst || (free &&", "if (rst || (pick && late) || (free &&"}},
			},
			{
				Name: "time_is_exact", Claim: "As long as it was never later than the slower one may be, a frame may be picked exactly if the frames before have passed.",
				Bug: proof.Bug{Mistake: "a frame is a little shorter", File: lineFile, Edits: []string{"{rate, 1'b0}", "{rate, 1'b1}"}},
			},
		},
	},
}}
