// SPDX-License-Identifier: Apache-2.0

package prove

// A connection is small: what the proofs speak of is who sees what when.
const (
	repsTwo = "connections=2 conn_bits=2 buffer_depth=2 explore_stride=2 timer_bits=16 evs_bits=1 counter_bits=8 freezing_timeout_ns=1000 state_memory=bram ev_memory=bram"
)

var repsSets = []Set{
	{
		Unit: "reps", Name: "ring", Depth: 40,
		Says:    "The number of valid EVs, as each lane sees it.",
		Configs: []string{repsTwo},
		Texts:   []string{"reps/nic_reps.svh"},
		Properties: []Property{
			{
				Name: "nv_fits_ack", Says: "The ACK lane never sees more valid EVs than the ring holds.",
				Bug: Bug{Says: "overwriting counts as one more valid EV", File: "nic_reps.sv", Edits: []string{
					"ack_next.pushes  = ack_full ? ack_ack.pushes : ack_ack.pushes + 1'b1;",
					"ack_next.pushes  = ack_ack.pushes + 1'b1;"}},
			},
			{
				Name: "nv_fits_send", Says: "Nor does the SEND lane.",
				Bug: Bug{Says: "a used EV is taken from an empty ring", File: "nic_reps.sv", Edits: []string{
					"assign send_pops     = send_takes && send_fresh;", "assign send_pops     = send_takes;"}},
			},
		},
	},
}
