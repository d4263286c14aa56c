// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of the path picker.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Note: proveNote}

// proveNote is the note that readers of the results need.
const proveNote = "The race is proved for 32 paths, the default, by a lemma for each level of its tree. Paths with equal keys still differ\n" +
	"in their numbers, combined with the tie bits: so `least_key_wins` determines a single path, the same that a loop over\n" +
	"the paths would pick. The set `loop` proves this against such a loop for up to 8 paths.\n" +
	"\n" +
	"The lookup is proved for up to 4 paths, in three steps. First, each of the two products that form the threshold stays\n" +
	"within its bound. Second, then the threshold is below the sum of the weights. Third, the tree leads to the path in whose\n" +
	"weight the threshold lies, the one that a loop that adds the weights finds. Only co-simulation checks that the threshold\n" +
	"is the sum times the random number, bit by bit, and the table of 2^-f; of that table the proof shows only that no path\n" +
	"has a smaller weight than a slower one."

// Random bits and noise are free: a pick is right for any values. The modules' names are as
// in the emitted text.
const proveFree = "nic_laps_pick_random nic_laps_pick_noise"

// Small configurations of the exact picker.
var proveLookup = []string{
	"picker=lookup paths=2 tag_bits=2 counter_bits=8", "picker=lookup paths=3 tag_bits=2 counter_bits=8", "picker=lookup paths=4 tag_bits=2 counter_bits=8",
}

// proveAnswers returns the properties of either picker's answers. stage is the stage at which it knows
// that no path races, racing and forced are two mistakes in that picker's terms, and invalid is the
// mistake that makes it pick an unusable path.
func proveAnswers(stage, racing, forced string, invalid proof.Bug) []proof.Property {
	return []proof.Property{
		{
			Name: "answered_in_latency", Claim: "Each request is answered once, after the documented cycles, and nothing else is.",
			Bug: proof.Bug{Config: 1, Mistake: "the answer's valid bit is a cycle early", File: "nic_laps_pick.sv", Edits: []string{
				"assign m_pick_valid = valid_q[LATENCY-1];", "assign m_pick_valid = valid_q[LATENCY-2];"}},
		},
		{
			Name: "tag_is_its_own", Claim: "The answer has the request's tag.",
			Bug: proof.Bug{Config: 1, Mistake: "the tag is a cycle late", File: "nic_laps_pick.sv", Edits: []string{
				".CYCLES (LATENCY)", ".CYCLES (LATENCY + 1)"}},
		},
		{Name: "never_an_invalid_path", Claim: "The path picked is usable, unless the answer says that none is.", Bug: invalid},
		{
			Name: "saturated_only_if_all", Claim: "A saturated path is picked only if all usable ones are.",
			Bug: proof.Bug{Config: 1, Mistake: racing, File: "nic_laps_pick.sv", Edits: []string{
				"!s_pick_usable[g] || s_pick_latency[14*g+9 +: 5] == 5'd31;", "!s_pick_usable[g];"}},
		},
		{
			Name: "lowest_if_all_saturated", Claim: "If all usable paths are saturated, it is the one with the lowest number, and the answer says so.",
			Bug: proof.Bug{Config: 1, Mistake: forced, File: "nic_laps_pick.sv", Edits: []string{
				".force_en (" + stage + "_none || " + stage + "_saturated),", ".force_en (" + stage + "_none),"}},
		},
		{
			Name: "none_if_none", Claim: "Without a usable path the answer says so.",
			Bug: proof.Bug{Config: 1, Mistake: "no usable path counts as saturated", File: "nic_laps_pick.sv", Edits: []string{
				"m_pick_saturated <= " + stage + "_saturated;", "m_pick_saturated <= " + stage + "_saturated || " + stage + "_none;"}},
		},
	}
}

var proveSets = []proof.Set{
	{
		Name: "race", Depth: 20, K: 9, Free: proveFree,
		Claim: "The race: whatever the noise and the random bits are, the path picked is a permitted one, and the one with the smallest key.",
		Configs: []string{
			"paths=3 tag_bits=2 counter_bits=8", "paths=8 tag_bits=2 counter_bits=8", "paths=32 tag_bits=2 counter_bits=8",
		},
		Texts: []string{"nic_laps_pick_race.svh", "race_begin/nic_laps_pick.svh", "begin/nic_laps_pick.svh", "nic_laps_pick.svh", "race/nic_laps_pick.svh"},
		Properties: append(proveAnswers("p3", "a saturated path races", "the tree's winner is taken", proof.Bug{
			Config: 1, Mistake: "a path counts as dead by its latency only", File: "nic_laps_pick.sv", Edits: []string{
				"!s_pick_usable[g] || s_pick_latency[14*g+9 +: 5] == 5'd31;", "s_pick_latency[14*g+9 +: 5] == 5'd31;",
				"if (!s_pick_usable[g]) begin", "if (1'b0) begin"}}),
			proof.Property{
				Name: "least_key_wins", Claim: "No path has a smaller key; of equal keys the path wins whose number, exclusive or the tie bits, is smaller.",
				Bug: proof.Bug{Config: 1, Mistake: "of equal keys the second always wins", File: "nic_laps_pick_race.sv", Edits: []string{
					"sum   = {1'b0, less, 1'b1} + {1'b0, less | equal, chosen};", "sum   = {1'b0, less, 1'b1} + {1'b0, less | equal, 1'b1 | chosen};"}},
			},
		),
	},
	{
		Name: "loop", Depth: 20, K: 8, Free: proveFree, Quick: true,
		Claim:   "The tree of the race, compared with a loop over the paths.",
		Configs: []string{"paths=2 tag_bits=2 counter_bits=8", "paths=3 tag_bits=2 counter_bits=8", "paths=4 tag_bits=2 counter_bits=8", "paths=8 tag_bits=2 counter_bits=8"},
		Texts: []string{
			"nic_laps_pick_race.svh", "loop/nic_laps_pick_race.svh", "race_begin/nic_laps_pick.svh", "begin/nic_laps_pick.svh", "loop/nic_laps_pick.svh",
		},
		Properties: []proof.Property{{
			Name: "tree_is_loop", Claim: "Both pick the same path.",
			Bug: proof.Bug{Config: 2, Mistake: "the tie bit of the previous level counts", File: "nic_laps_pick_race.sv", Edits: []string{
				"assign second = below(b, a, p2_tie_q[0]);", "assign second = below(b, a, p1_tie_q[0]);"}},
		}},
	},
	{
		Name: "product_low", Top: "nic_laps_pick_lookup", Depth: 12, K: 2, AnyState: true,
		Claim:   "The threshold of the lookup picker, from any state: the sum of all weights times the low 17 bits of the random number.",
		Configs: proveLookup,
		Texts:   []string{"nic_laps_pick_lookup.svh", "product/nic_laps_pick_lookup.svh", "product/low/nic_laps_pick_lookup.svh"},
		Properties: []proof.Property{{
			Name: "low_below_sum", Claim: "With these bits as a fraction, the product is below the sum.",
			Bug: proof.Bug{Config: 1, Mistake: "the product has one more bit", File: "nic_laps_pick_lookup.sv", Edits: []string{
				"(TOTAL_W+17)'(p7_random[16:0])", "(TOTAL_W+17)'(p7_random[17:0])"}},
		}},
	},
	{
		Name: "product_high", Top: "nic_laps_pick_lookup", Depth: 12, K: 2, AnyState: true,
		Claim:   "The same with the high 7 bits.",
		Configs: proveLookup,
		Texts:   []string{"nic_laps_pick_lookup.svh", "product/nic_laps_pick_lookup.svh", "product/high/nic_laps_pick_lookup.svh"},
		Properties: []proof.Property{{
			Name: "high_below_sum", Claim: "The product is at most 127 times the sum.",
			Bug: proof.Bug{Config: 1, Mistake: "the number is rounded up", File: "nic_laps_pick_lookup.sv", Edits: []string{
				"(TOTAL_W+7)'(p7_random[23:17])", "((TOTAL_W+7)'(p7_random[23:17]) + 1'b1)"}},
		}},
	},
	{
		Name: "lookup", Depth: 24, K: 14, Free: "nic_laps_pick_random t:$mul",
		Claim: "The lookup picker: whatever the random bits are, the path picked is a permitted one, and the one in whose weight the threshold lies. " +
			"The products that form the threshold are arbitrary within the bounds that the sets product_low and product_high prove.",
		Configs: proveLookup,
		Texts:   []string{"nic_laps_pick_lookup.svh", "lookup_begin/nic_laps_pick.svh", "begin/nic_laps_pick.svh", "nic_laps_pick.svh", "lookup/nic_laps_pick.svh"},
		Properties: append(proveAnswers("p10", "a saturated path has a weight", "the tree's path is taken", proof.Bug{
			Config: 1, Mistake: "a path that is not usable has a weight", File: "nic_laps_pick_lookup.sv", Edits: []string{
				"if (p1_dead_q) begin", "if (1'b0) begin"}}),
			proof.Property{
				Name: "faster_not_rarer", Claim: "Of any two paths, the one with the smaller latency does not have the smaller weight.",
				Bug: proof.Bug{Config: 1, Mistake: "the low bits of a fraction are added", File: "nic_laps_pick_lookup.sv", Edits: []string{
					"p1_coarse_q - 13'(p1_fine_q);", "p1_coarse_q + 13'(p1_fine_q);"}},
			},
			proof.Property{
				Name: "threshold_below_sum", Claim: "The threshold is below the sum of all weights.",
				Bug: proof.Bug{Config: 1, Mistake: "the products are added a bit too high", File: "nic_laps_pick_lookup.sv", Edits: []string{
					"(TOTAL_W+7)'(p8_low_q[TOTAL_W+16:17]);", "(TOTAL_W+7)'(p8_low_q[TOTAL_W+16:16]);"}},
			},
			proof.Property{
				Name: "threshold_in_path", Claim: "It lies in the weight of the path picked, which a loop over the paths that adds the weights also finds.",
				Bug: proof.Bug{Config: 1, Mistake: "a threshold at the edge belongs to the previous path", File: "nic_laps_pick_lookup.sv", Edits: []string{
					"assign p10_second = p10_rest_q >= {1'b0, p10_left};", "assign p10_second = p10_rest_q > {1'b0, p10_left};"}},
			},
		),
	},
}
