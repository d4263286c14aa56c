// SPDX-License-Identifier: Apache-2.0

package prove

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
		Unit: "powertcp", Name: "ingress", Depth: 80, K: 2,
		Free: "nic_powertcp_hop *nic_lib_recip* *nic_lib_normalise* *nic_lib_ram_block* *nic_lib_delay* t:$mul",
		Says: "Who is taken when, and that there is a window for each ACK; hop lanes, memories and arithmetic give anything. An ACK says the same " +
			"number of hops with all its beats.",
		Configs: []string{"variant=int connections=2 conn_bits=2 path_bits=1 counter_bits=8", "variant=int connections=3 conn_bits=3 path_bits=1 counter_bits=8"},
		Texts:   []string{"powertcp/ingress/nic_powertcp.svh"},
		Properties: []Property{
			{
				Name: "ends_with_its_last_hop", Says: "An ACK ends with the beat of its last hop; without hops, with its first.",
				Bug: Bug{Says: "a beat too many is awaited", File: "nic_powertcp.sv", Edits: []string{
					"assign in_last = s_ack_hop_cnt <= beat_q;", "assign in_last = s_ack_hop_cnt < beat_q;"}},
			},
			{
				Name: "never_too_close", Says: "The first beat of an ACK of a connection, any one, is not taken in the 9 cycles after the last beat of another, or a flush, of it.",
				Bug: Bug{Says: "it is in the last of them", File: "nic_powertcp.sv", Edits: []string{
					"if (held_valid_q[i] && held_idx_q", "if (i < HELD - 1 && held_valid_q[i] && held_idx_q"}},
			},
			{
				Name: "waits_for_its_own", Says: "An ACK waits for nothing else.",
				Bug: Bug{Says: "it waits whatever connection is held", File: "nic_powertcp.sv", Edits: []string{
					"if (held_valid_q[i] && held_idx_q[i*IDX_W +: IDX_W] == in_conn[IDX_W-1:0]) begin", "if (held_valid_q[i]) begin"}},
			},
			{
				Name: "waits_at_most", Says: "So it waits 9 cycles at most.",
				Bug: Bug{Says: "a connection is held for 12 cycles", File: "nic_powertcp.sv", Edits: []string{
					"HELD = 9;", "HELD = 12;"}},
			},
			{
				Name: "flush_waits_for_acks", Says: "A flush is taken in the first cycle without an ACK in which its connection is not held.",
				Bug: Bug{Says: "it waits a cycle longer", File: "nic_powertcp.sv", Edits: []string{
					"&& !in_held && !s_ack_valid;", "&& !in_held && !s_ack_valid && !p0_last_q;"}},
			},
			{
				Name: "one_answer_each", Says: "Each ACK has one window, 63 cycles after its last beat, so in order, and nothing else has one.",
				Bug: Bug{Says: "windows come a cycle early", File: "nic_powertcp.sv", Edits: []string{
					"last_q <= {last_q[START_LAT-2:0], p2_last_q};", "last_q <= {last_q[START_LAT-2:0], p1_last_q};"}},
			},
		},
	},
}
