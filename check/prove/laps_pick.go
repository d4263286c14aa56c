// SPDX-License-Identifier: Apache-2.0

package prove

// Random bits and noise are free: a pick is right whatever they are. The modules' names
// are those of the emitted text.
const lapsPickFree = "nic_laps_pick_random nic_laps_pick_noise"

var lapsPickSets = []Set{
	{
		Unit: "laps_pick", Name: "race", Depth: 20, K: 9, Free: lapsPickFree,
		Says: "The race: whatever the noise and the random bits are, the path picked is one that may be picked, and the one whose key is the least.",
		Configs: []string{
			"paths=3 tag_bits=2 counter_bits=8", "paths=8 tag_bits=2 counter_bits=8", "paths=32 tag_bits=2 counter_bits=8",
		},
		Texts: []string{"laps_pick/nic_laps_pick_race.svh", "laps_pick/begin/nic_laps_pick.svh", "laps_pick/nic_laps_pick.svh", "laps_pick/race/nic_laps_pick.svh"},
		Properties: []Property{
			{
				Name: "answered_in_latency", Says: "Each request is answered once, after the documented cycles, and nothing else is.",
				Bug: Bug{Config: 1, Says: "the answer's valid bit is a cycle early", File: "nic_laps_pick.sv", Edits: []string{
					"assign m_pick_valid = valid_q[LATENCY-1];", "assign m_pick_valid = valid_q[LATENCY-2];"}},
			},
			{
				Name: "tag_is_its_own", Says: "The answer has the request's tag.",
				Bug: Bug{Config: 1, Says: "the tag is a cycle late", File: "nic_laps_pick.sv", Edits: []string{
					".CYCLES (LATENCY)", ".CYCLES (LATENCY + 1)"}},
			},
			{
				Name: "never_an_invalid_path", Says: "The path picked is usable, unless the answer says that none is.",
				Bug: Bug{Config: 1, Says: "a path counts as dead by its latency only", File: "nic_laps_pick.sv", Edits: []string{
					"!s_pick_usable[g] || s_pick_latency[14*g+9 +: 5] == 5'd31;", "s_pick_latency[14*g+9 +: 5] == 5'd31;",
					"if (!s_pick_usable[g]) begin", "if (1'b0) begin"}},
			},
			{
				Name: "saturated_only_if_all", Says: "A saturated path is picked only if all usable ones are.",
				Bug: Bug{Config: 1, Says: "a saturated path races", File: "nic_laps_pick.sv", Edits: []string{
					"!s_pick_usable[g] || s_pick_latency[14*g+9 +: 5] == 5'd31;", "!s_pick_usable[g];"}},
			},
			{
				Name: "lowest_if_all_saturated", Says: "If all usable paths are saturated, it is the one with the lowest number, and the answer says so.",
				Bug: Bug{Config: 1, Says: "the tree's winner is taken", File: "nic_laps_pick.sv", Edits: []string{
					".force_en (p3_none || p3_saturated),", ".force_en (p3_none),"}},
			},
			{
				Name: "none_if_none", Says: "Without a usable path the answer says that there is none.",
				Bug: Bug{Config: 1, Says: "saturated and none are not told apart", File: "nic_laps_pick.sv", Edits: []string{
					"m_pick_saturated <= p3_saturated;", "m_pick_saturated <= p3_saturated || p3_none;"}},
			},
			{
				Name: "least_key_wins", Says: "No path, any one, has a smaller key; of equal keys that wins whose number, exclusive or the random bits of the ties, is smaller.",
				Bug: Bug{Config: 1, Says: "of equal keys the second always wins", File: "nic_laps_pick_race.sv", Edits: []string{
					"sum   = {1'b0, less, 1'b1} + {1'b0, less | equal, chosen};", "sum   = {1'b0, less, 1'b1} + {1'b0, less | equal, 1'b1 | chosen};"}},
			},
		},
	},
	{
		Unit: "laps_pick", Name: "loop", Depth: 20, K: 8, Free: lapsPickFree, Quick: true,
		Says:    "The tree of the race against a loop that goes through the paths.",
		Configs: []string{"paths=2 tag_bits=2 counter_bits=8", "paths=3 tag_bits=2 counter_bits=8", "paths=4 tag_bits=2 counter_bits=8", "paths=8 tag_bits=2 counter_bits=8"},
		Texts: []string{
			"laps_pick/nic_laps_pick_race.svh", "laps_pick/loop/nic_laps_pick_race.svh", "laps_pick/begin/nic_laps_pick.svh", "laps_pick/loop/nic_laps_pick.svh",
		},
		Properties: []Property{{
			Name: "tree_is_loop", Says: "Both pick the same path.",
			Bug: Bug{Config: 2, Says: "the tie of the level before counts", File: "nic_laps_pick_race.sv", Edits: []string{
				"assign second = below(b, a, p2_tie_q[0]);", "assign second = below(b, a, p1_tie_q[0]);"}},
		}},
	},
}
