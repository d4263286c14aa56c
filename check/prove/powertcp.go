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
}
