// SPDX-License-Identifier: Apache-2.0

package prove

import "slices"

const (
	powertcpINT   = "connections=2 conn_bits=3 path_bits=1 hops=2 counter_bits=8 state_memory=bram"
	powertcpTheta = "variant=theta connections=2 conn_bits=3 path_bits=1 counter_bits=8 state_memory=bram"
)

func powertcpTexts(variant string) []string {
	return []string{"lib/nic_lib_ram_block.svh", "powertcp/begin/nic_powertcp.svh", "powertcp/" + variant + "/nic_powertcp.svh", "powertcp/nic_powertcp.svh"}
}

// What holds for both algorithms.
var powertcpSequence = []Property{
	{
		Name: "one_answer_each", Says: "Each ACK is answered once, in its fixed time, and nothing else is.",
		Bug: Bug{Says: "an ACK without a sample is not answered", File: "nic_powertcp.sv", Edits: []string{
			"p1_last_q    <= p0_last_q;", "p1_last_q    <= p0_last_q && p0_some_q;"}},
	},
	{
		Name: "answers_in_order", Says: "The answer is that of the ACK's connection, so answers come in the order of ACKs.",
		Bug: Bug{Says: "it has the number of the ACK behind", File: "nic_powertcp_ack.sv", Edits: []string{
			"assign p10_conn[IDX_W-1:0] = p31_idx_q[21*IDX_W +: IDX_W];", "assign p10_conn[IDX_W-1:0] = p31_idx_q[22*IDX_W +: IDX_W];"}},
	},
	{
		Name: "cause_as_algorithm", Says: "An ACK does what the algorithm does with it: first of a connection, other path, within a round trip or updated.",
		Bug: Bug{Says: "the path is not compared", File: "nic_powertcp.sv", Edits: []string{
			"assign p1_same = p1_path == p1_path_q", "assign p1_same = 1'b1"}},
	},
	{
		Name: "first_gets_largest", Says: "The window of a connection without state is cfg_max_window as it was 7 cycles before.",
		Bug: Bug{Says: "it is cfg_min_window", File: "nic_powertcp_ack.sv", Edits: []string{
			"p31_low_q  <= 1'b0;", "p31_low_q  <= 1'b1;"}},
	},
	{
		Name: "ack_waits_bounded", Says: "An ACK waits 9 cycles at most.",
		Bug: Bug{Says: "an ACK that waits holds its connection", File: "nic_powertcp.sv", Edits: []string{
			"(in_ack && in_last) || in_flush};", "(in_ack && in_last) || in_flush || s_ack_valid};"}},
	},
	{
		Name: "flush_waits_bounded", Says: "So does a flush, once no ACK comes.",
		Bug: Bug{Says: "a flush that waits holds its connection", File: "nic_powertcp.sv", Edits: []string{
			"(in_ack && in_last) || in_flush};", "(in_ack && in_last) || s_flush_valid};"}},
	},
	{
		Name: "power_is_last", Says: "An ACK finds the smoothed power that the connection wrote last, and nobody is about to write it.",
		Bug: Bug{Says: "it is read for the ACK that came three cycles before", File: "nic_powertcp_ack.sv", Edits: []string{
			"assign power_rd_addr = p9_idx;", "assign power_rd_addr = p31_idx_q[19*IDX_W +: IDX_W];"}},
	},
	{
		Name: "old_is_last", Says: "So it does with cwnd_old.",
		Bug: Bug{Says: "an ACK waits a cycle less", File: "nic_powertcp.sv", Edits: []string{
			"localparam int unsigned HELD = 9;", "localparam int unsigned HELD = 8;"}},
	},
	{
		Name: "window_is_last", Says: "So it does with cwnd.",
		Bug: Bug{Says: "it is read for the ACK that came three cycles before", File: "nic_powertcp_ack.sv", Edits: []string{
			"assign window_rd_addr = p25_idx;", "assign window_rd_addr = p31_idx_q[3*IDX_W +: IDX_W];"}},
	},
	{
		Name: "state_was_stored", Says: "An ACK that goes on from a state finds one that was stored.",
		Bug: Bug{Says: "the first ACK stores nothing", File: "nic_powertcp.sv", Edits: []string{
			".s_store        (a0_cause == CAUSE_FIRST),", ".s_store        (a0_cause == CAUSE_CHANGED),"}},
	},
	{
		Name: "stored_as_algorithm", Says: "Power and windows are stored by the first ACK and by updates, cwnd_old where a round trip is over.",
		Bug: Bug{Says: "an ACK of another path stores cwnd_old", File: "nic_powertcp_ack.sv", Edits: []string{
			"(s_store || (s_update && s_renew));", "(s_store || s_renew);"}},
	},
	{
		Name: "only_own_writes", Says: "Nobody else writes them.",
		Bug: Bug{Says: "windows are written for the ACK that comes next", File: "nic_powertcp_ack.sv", Edits: []string{
			"assign p31_idx = p31_idx_q[IDX_W-1:0];", "assign p31_idx = p31_idx_q[IDX_W +: IDX_W];"}},
	},
	{
		Name: "illegal_changes_nothing", Says: "ACKs and flushes of connections that do not exist write no memory.",
		Bug: Bug{Says: "an ACK's connection is not checked", File: "nic_powertcp.sv", Edits: []string{
			"p1_some_q    <= p0_legal && p0_some_q;", "p1_some_q    <= p0_some_q;"}},
	},
	{
		Name: "illegal_is_told", Says: "Such an ACK is answered as illegal, with an empty window.",
		Bug: Bug{Says: "it gets a window", File: "nic_powertcp.sv", Edits: []string{
			".s_legal        (a0_cause != CAUSE_ILLEGAL),", ".s_legal        (1'b1),"}},
	},
}

var powertcpSets = []Set{
	{
		Unit: "powertcp", Name: "window", Top: "nic_powertcp_ack", Depth: 20, K: 10, Free: "t:$mul", AnyState: true,
		Says: "The ACK lane from any state, that is whatever the registers and memories hold, whatever the hop lanes bring " +
			"and, stronger than the unit, whatever its multipliers give: the answers from the ninth cycle on. The second configuration is θ-PowerTCP.",
		Configs: []string{"variant=int", "variant=theta"},
		Texts:   []string{"powertcp/lane/nic_powertcp_ack.svh"},
		Properties: []Property{
			{
				Name: "window_in_limits", Says: "A window is within cfg_min_window and cfg_max_window as they were 7 cycles before, if the first was not above the second.",
				Bug: Bug{Says: "a sum below zero is not cut", File: "nic_powertcp_ack.sv", Edits: []string{
					"p31_low_q  <= p30_next[28] || p30_next[27:0]", "p31_low_q  <= p30_next[27:0]"}},
			},
			{
				Name: "stored_in_limits", Says: "So are the windows that are stored.",
				Bug: Bug{Says: "cwnd_old is stored before it is cut", File: "nic_powertcp_ack.sv", Edits: []string{
					"assign old_wr_data    = p31_window;", "assign old_wr_data    = p31_next_q;"}},
			},
			{
				Name: "low_is_least", Says: "A window that counts as cut from below is cfg_min_window.",
				Bug: Bug{Says: "all that are cut count as cut from below", File: "nic_powertcp_ack.sv", Edits: []string{
					"{p31_update && p31_low_q,", "{p31_update && (p31_low_q || p31_high_q),"}},
			},
			{
				Name: "high_is_largest", Says: "One that counts as cut from above is cfg_max_window.",
				Bug: Bug{Says: "one of which both hold counts as cut from above", File: "nic_powertcp_ack.sv", Edits: []string{
					"p31_update && p31_high_q && !p31_low_q,", "p31_update && p31_high_q,"}},
			},
			{
				Name: "illegal_is_zero", Says: "The answer to an ACK of a connection that does not exist is empty.",
				Bug: Bug{Says: "it shows the normalised power", File: "nic_powertcp_ack.sv", Edits: []string{
					"p37_norm_q   <= '0;", "p37_norm_q   <= p36_norm;"}},
			},
		},
	},
	{
		Unit: "powertcp", Name: "sequence", Depth: 90, K: 6, Free: "nic_powertcp_hop *nic_powertcp_ack*/t:$mul",
		Says: "PowerTCP: an ACK of a connection, any one, finds all parts of the state as the ACK before left them, whatever the distance " +
			"of ACKs and whatever other connections do. With any hop lanes and multipliers: what they compute from the state does not matter.",
		Configs: []string{powertcpINT},
		Texts:   powertcpTexts("int"),
		Properties: slices.Concat(powertcpSequence, []Property{
			{
				Name: "record_is_last", Says: "A hop finds the record that was written last for it, and nobody is about to write it.",
				Bug: Bug{Says: "it is read for the next beat's hop", File: "nic_powertcp.sv", Edits: []string{
					"assign p1_record = {p1_idx, p1_hop_q};", "assign p1_record = {p1_idx, p0_hop_q};"}},
			},
			{
				Name: "rate_waits_bounded", Says: "An entry of the link-rate table waits 10 cycles at most.",
				Bug: Bug{Says: "one that waits keeps the table busy", File: "nic_powertcp.sv", Edits: []string{
					"rate_new_q <= {rate_new_q[RATE_LAT-1:0], s_rate_valid && s_rate_ready};", "rate_new_q <= {rate_new_q[RATE_LAT-1:0], s_rate_valid};"}},
			},
		}),
	},
	{
		Unit: "powertcp", Name: "sequence_theta", Depth: 90, K: 6, Free: "nic_powertcp_theta *nic_powertcp_ack*/t:$mul",
		Says:    "The same for θ-PowerTCP.",
		Configs: []string{powertcpTheta},
		Texts:   powertcpTexts("theta"),
		Properties: slices.Concat(powertcpSequence, []Property{
			{
				Name: "rtt_is_last", Says: "An ACK finds the round-trip time that was written last, and nobody is about to write it.",
				Bug: Bug{Says: "it is read for the ACK that came a cycle before", File: "nic_powertcp.sv", Edits: []string{
					") rtts (\n    .clk     (clk),\n    .wr_en   (p3_write_q),\n    .wr_addr (p3_idx_q),\n    .wr_data ({p3_rtt_q, p3_now_q}),\n    .rd_addr (p1_idx),",
					") rtts (\n    .clk     (clk),\n    .wr_en   (p3_write_q),\n    .wr_addr (p3_idx_q),\n    .wr_data ({p3_rtt_q, p3_now_q}),\n    .rd_addr (p2_conn_q[IDX_W-1:0]),"}},
			},
			{
				Name: "tau_is_last", Says: "So it does with the least one.",
				Bug: Bug{Says: "it is read for the ACK that came two cycles before", File: "nic_powertcp.sv", Edits: []string{
					") taus (\n    .clk     (clk),\n    .wr_en   (p4_write_tau_q),\n    .wr_addr (p4_idx_q),\n    .wr_data (p4_tau_q),\n    .rd_addr (p1_idx),",
					") taus (\n    .clk     (clk),\n    .wr_en   (p4_write_tau_q),\n    .wr_addr (p4_idx_q),\n    .wr_data (p4_tau_q),\n    .rd_addr (p3_idx_q),"}},
			},
		}),
	},
}
