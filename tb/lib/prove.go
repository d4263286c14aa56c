// SPDX-License-Identifier: Apache-2.0

// Package lib holds the proofs of the shared RTL parts, for the parts themselves and for
// units whose proofs depend on them.
package lib

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of the shared parts.
var Proofs = &proof.Proofs{Sets: sets, Texts: properties}

// parts are the sources of a set.
func parts(names ...string) func() ([]gen.File, error) {
	return func() ([]gen.File, error) { return rtl.Parts(names...) }
}

// words are the small memories of proofs.
var words = []string{"WIDTH=2 DEPTH=4 ADDR_W=2", "WIDTH=1 DEPTH=3 ADDR_W=2"}

var sets = []proof.Set{
	{
		Name: "fifo", Depth: 20, K: 4, Quick: true,
		Claim:   "nic_lib_fifo_lut: no word is lost or reordered, and both ends keep the rules of streams.",
		Top:     "nic_lib_fifo_lut",
		Sources: parts("nic_lib_fifo_lut"),
		Configs: []string{"WIDTH=2 DEPTH=2", "WIDTH=2 DEPTH=4", "WIDTH=1 DEPTH=16"},
		Texts:   []string{"nic_lib_fifo_lut.svh"},
		Properties: []proof.Property{
			{
				Name: "never_too_full", Claim: "A word goes in only while there are fewer than DEPTH.",
				Bug: proof.Bug{Mistake: "a full queue takes a word", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "assign s_ready = 1'b1;"}},
			},
			{
				Name: "full_only_when_full", Claim: "The queue holds DEPTH words before it is full.",
				Bug: proof.Bug{Mistake: "the queue is full one word early", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "assign s_ready = (wr_q + 1'b1) != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};"}},
			},
			{
				Name: "empty_only_when_empty", Claim: "A word is offered from the cycle after it went in.",
				Bug: proof.Bug{Mistake: "the last word waits for the next", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign m_valid = wr_q != rd_q;", "assign m_valid = wr_q != rd_q && wr_q != rd_q + 1'b1;"}},
			},
			{
				Name: "in_order", Claim: "Any word comes out unchanged, behind exactly the words that went in before it.",
				Bug: proof.Bug{Mistake: "words are written one place too far", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"mem[wr_q[ADDR_W-1:0]] <= s_data;", "mem[wr_q[ADDR_W-1:0] ^ 1'b1] <= s_data;"}},
			},
			{
				Name: "nothing_lost", Claim: "A word that went in stays until it is taken.",
				Bug: proof.Bug{Mistake: "a word is dropped when one goes in as another comes out", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"rd_q <= rd_q + 1'b1;", "rd_q <= rd_q + (ADDR_W+1)'(1) + (ADDR_W+1)'(s_valid && wr_q - rd_q > (ADDR_W+1)'(1));"}},
			},
			{
				Name: "valid_stays", Claim: "Once valid, the output stays valid until it is taken.",
				Bug: proof.Bug{Mistake: "the output waits while a word goes in", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign m_valid = wr_q != rd_q;", "assign m_valid = wr_q != rd_q && !s_valid;"}},
			},
			{
				Name: "data_stays", Claim: "The word offered does not change until it is taken.",
				Bug: proof.Bug{Mistake: "the newest word is offered", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign m_data  = mem[rd_q[ADDR_W-1:0]];", "assign m_data  = mem[wr_q[ADDR_W-1:0] - 1'b1];"}},
			},
			{
				Name: "ready_stays", Claim: "Once ready, the input stays ready until a word goes in.",
				Bug: proof.Bug{Mistake: "the input waits while a word is taken", File: "nic_lib_fifo_lut.sv", Config: 1, Edits: []string{
					"assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]} && !m_ready;"}},
			},
		},
	},
	{
		Name: "forward_block", Depth: 12, K: 4, Quick: true,
		Claim:   "nic_lib_fwd_block: a read sees every write, at any distance, including one in its own cycle.",
		Top:     "nic_lib_fwd_block",
		Sources: parts("nic_lib_fwd_block"),
		Configs: []string{words[0], words[1], words[0] + " LATENCY=2", words[1] + " LATENCY=2"},
		Texts:   []string{"nic_lib_ram_block.svh", "top/nic_lib_fwd_block.svh"},
		Properties: []proof.Property{
			{
				Name: "reads_last_write", Claim: "A read from any address gives the word written there last.",
				Bug: proof.Bug{Mistake: "no forwarding", File: "nic_lib_fwd_block.sv", Edits: []string{
					"hit_q      <= wr_addr == last_addr;", "hit_q      <= 1'b0;"}},
			},
			{
				Name: "last_write_wins", Claim: "Of writes to its address in each cycle of a read, the last one counts.",
				Bug: proof.Bug{Mistake: "the first one does", File: "nic_lib_fwd_block.sv", Config: 2, Edits: []string{
					"hit_q     ? new_data_q", "(hit_q && !older_hit) ? new_data_q"}},
			},
		},
	},
	{
		Name: "forward_ultra", Depth: 16, K: 7, Quick: true,
		Claim:   "nic_lib_fwd_ultra: the same in ultra RAM, with as many registers behind it as one likes.",
		Top:     "nic_lib_fwd_ultra",
		Sources: parts("nic_lib_fwd_ultra"),
		Configs: []string{words[0], words[0] + " LATENCY=2", words[1] + " LATENCY=3", words[0] + " LATENCY=5"},
		Texts:   []string{"nic_lib_ram_ultra.svh", "top/nic_lib_fwd_block.svh@nic_lib_fwd_ultra", "nic_lib_fwd_ultra.svh"},
		Properties: []proof.Property{
			{
				Name: "reads_last_write", Claim: "A read from any address gives the word written there last.",
				Bug: proof.Bug{Mistake: "of the writes before the last one, the first counts", File: "nic_lib_older.sv", Config: 3, Edits: []string{
					"<= now_q[i] ? last_data :", "<= (now_q[i] && !hit_q[i-1]) ? last_data :"}},
			},
			{
				Name: "last_write_wins", Claim: "Of writes to its address in each cycle of a read, the last one counts.",
				Bug: proof.Bug{Mistake: "the first one does", File: "nic_lib_fwd_ultra.sv", Config: 1, Edits: []string{
					"hit_q     ? new_data_q", "(hit_q && !older_hit) ? new_data_q"}},
			},
			{
				Name: "collision_is_forwarded", Claim: "What the RAM gives of a word that is read as it is written is not taken.",
				Bug: proof.Bug{Mistake: "the write in the first cycle of a read is missed", File: "nic_lib_older.sv", Config: 1, Edits: []string{
					"wr_en && wr_addr == rd_addr;", "1'b0;"}},
			},
		},
	},
	{
		Name: "state_block", Depth: 12, K: 4, Quick: true,
		Claim:   "nic_lib_state_block: both lanes see every write of earlier cycles.",
		Top:     "nic_lib_state_block",
		Sources: parts("nic_lib_state_block"),
		Configs: []string{words[0], words[1], words[0] + " LATENCY=2"},
		Texts:   []string{"nic_lib_ram_block.svh", "nic_lib_state_block.svh"},
		Properties: []proof.Property{
			{
				Name: "own_reads_last_write", Claim: "The owner reads what it wrote last.",
				Bug: proof.Bug{Mistake: "the owner writes where it reads next", File: "nic_lib_state_block.sv", Edits: []string{
					"own_addr_q <= last_own_addr;", "own_addr_q <= own_addr + 1'b1;"}},
			},
			{
				Name: "other_reads_last_write", Claim: "So does the other lane.",
				Bug: proof.Bug{Mistake: "the other copy is written a cycle early", File: "nic_lib_state_block.sv", Config: 2, Edits: []string{
					") other_copy (\n    .clk     (clk),\n    .rst     (rst),\n    .wr_en   (own_wr_en),\n    .wr_addr (own_addr_q),",
					") other_copy (\n    .clk     (clk),\n    .rst     (rst),\n    .wr_en   (own_wr_en),\n    .wr_addr (last_own_addr),"}},
			},
		},
	},
	{
		Name: "forward_lut", Depth: 12, K: 3, Quick: true,
		Claim:   "nic_lib_fwd_lut: the same in LUT RAM.",
		Top:     "nic_lib_fwd_lut",
		Sources: parts("nic_lib_fwd_lut"),
		Configs: words,
		Texts:   []string{"nic_lib_fwd_lut.svh"},
		Properties: []proof.Property{{
			Name: "reads_last_write", Claim: "A read from any address gives the word written there last.",
			Bug: proof.Bug{Mistake: "the word is registered instead of the address", File: "nic_lib_fwd_lut.sv", Edits: []string{
				"logic [ADDR_W-1:0] rd_addr_q;", "logic [ADDR_W-1:0] rd_addr_q;\n  logic [WIDTH-1:0] rd_data_q;",
				"rd_addr_q <= rd_addr;", "rd_addr_q <= rd_addr;\n    rd_data_q <= mem[rd_addr];",
				"assign rd_data = mem[rd_addr_q];", "assign rd_data = rd_data_q;"}},
		}},
	},
	{
		Name: "state_lut", Depth: 12, K: 3, Quick: true,
		Claim:   "nic_lib_state_lut: both lanes see every write of earlier cycles.",
		Top:     "nic_lib_state_lut",
		Sources: parts("nic_lib_state_lut"),
		Configs: words,
		Texts:   []string{"nic_lib_state_lut.svh"},
		Properties: []proof.Property{
			{
				Name: "own_reads_last_write", Claim: "The owner reads what it wrote last.",
				Bug: proof.Bug{Mistake: "the owner writes where it reads next", File: "nic_lib_state_lut.sv", Edits: []string{
					"mem[own_addr_q] <= own_wr_data;", "mem[own_addr] <= own_wr_data;"}},
			},
			{
				Name: "other_reads_last_write", Claim: "So does the other lane.",
				Bug: proof.Bug{Mistake: "the other lane reads at the owner's address", File: "nic_lib_state_lut.sv", Edits: []string{
					"assign other_data = mem[other_addr_q];", "assign other_data = mem[own_addr_q];"}},
			},
		},
	},
	triple(proof.Set{
		Name: "triple_block", Quick: true,
		Claim:   "nic_lib_fwd_triple_block: a read sees every write, while one of the three copies, always the same one, takes any value at any time.",
		Top:     "nic_lib_fwd_triple_block",
		Sources: parts("nic_lib_fwd_triple_block"),
		Texts:   []string{"upset/nic_lib_ram_block.svh", "triple.svh@nic_lib_fwd_triple_block"},
		Configs: []string{words[0], words[1], words[0] + " LATENCY=2"},
	}, proof.Bug{Mistake: "the first copy is taken", File: "nic_lib_vote.sv", Edits: []string{
		"assign word   = (a & b) | (a & c) | (b & c);", "assign word   = a;"}}),
	triple(proof.Set{
		Name:    "triple_lut",
		Claim:   "nic_lib_fwd_triple_lut: the same in LUT RAM, while one of the three copies, always the same one, takes any value at any time.",
		Top:     "nic_lib_fwd_triple_lut",
		Sources: parts("nic_lib_fwd_triple_lut"),
		Texts:   []string{"upset/nic_lib_ram_lut.svh", "one_cycle.svh@nic_lib_fwd_triple_lut", "triple.svh@nic_lib_fwd_triple_lut"},
		Configs: words,
	}, proof.Bug{Mistake: "no forwarding", File: "nic_lib_fwd_triple_lut.sv", Edits: []string{
		"hit_q      <= wr_addr == rd_addr;", "hit_q      <= 1'b0;"}}),
	{
		Name: "delay", Depth: 24,
		Claim:   "nic_lib_delay: a register and a delay line, from any state.",
		Top:     "nic_lib_delay",
		Sources: parts("nic_lib_delay"),
		Configs: []string{"WIDTH=2 CYCLES=1", "WIDTH=2 CYCLES=5"},
		Texts:   []string{"nic_lib_delay.svh"},
		Properties: []proof.Property{{
			Name: "is_the_past", Claim: "The output is the input of CYCLES cycles earlier.",
			Bug: proof.Bug{Mistake: "the line is one cycle shorter", File: "nic_lib_delay.sv", Config: 1, Edits: []string{
				"assign m_data = line_q[WIDTH*(CYCLES-1) +: WIDTH];", "assign m_data = line_q[WIDTH*(CYCLES-2) +: WIDTH];"}},
		}},
	},
	{
		Name: "delay_ring", Depth: 24, K: 9,
		Claim:   "nic_lib_delay_ring: the same in LUT RAM, from any state of the RAM and of the counter.",
		Top:     "nic_lib_delay_ring",
		Sources: parts("nic_lib_delay_ring"),
		Configs: []string{"WIDTH=2 CYCLES=2", "WIDTH=2 CYCLES=5", "WIDTH=1 CYCLES=8"},
		Texts:   []string{"nic_lib_delay_ring.svh"},
		Properties: []proof.Property{{
			Name: "is_the_past", Claim: "The output is the input of CYCLES cycles earlier.",
			Bug: proof.Bug{Mistake: "the counter has one state less", File: "nic_lib_delay_ring.sv", Config: 1, Edits: []string{
				"SLOT_W'(CYCLES - 1)", "SLOT_W'(CYCLES - 2)"}},
		}},
	},
	{
		Name: "bucket", Depth: 24, K: 2, Quick: true,
		Claim:   "nic_lib_bucket: the token bucket holds what real numbers give, for any rate: min(size, level + gain/cost) in each clock, less the tokens used.",
		Configs: []string{"TOKEN_W=3", "TOKEN_W=4 BUCKET=1", "TOKEN_W=3 BUCKET=3"},
		Top:     "nic_lib_bucket", Sources: parts("nic_lib_bucket"),
		Texts: []string{"nic_lib_bucket.svh"},
		Properties: []proof.Property{
			{
				Name: "nothing_rounded", Claim: "The registers hold the exact level, so nothing drifts, however long it runs.",
				Bug: proof.Bug{Mistake: "each token costs a little more", File: "nic_lib_bucket.sv", Edits: []string{
					"step_q <= {1'b0, gain} - {1'b0, cost};", "step_q <= {1'b0, gain} - {1'b0, cost} - 1'b1;"}},
			},
			{
				Name: "ready_from_one_token", Claim: "A token is there only if the level is 1 or more.",
				Bug: proof.Bug{Mistake: "a token is earned one step early", File: "nic_lib_bucket.sv", Edits: []string{
					"assign earned = !credit_q[TOKEN_W];", "assign earned = !credit_q[TOKEN_W] || credit_q == '1;"}},
			},
			{
				Name: "ready_at_one_token", Claim: "It is there in the first clock in which the level is 1 or more.",
				Bug: proof.Bug{Mistake: "a token is earned one step late", File: "nic_lib_bucket.sv", Edits: []string{
					"assign earned = !credit_q[TOKEN_W];", "assign earned = !credit_q[TOKEN_W] && credit_q != '0;"}},
			},
			{
				Name: "full_keeps_no_fraction", Claim: "A full bucket holds its size, without a fraction.",
				Bug: proof.Bug{Mistake: "it is full one token early", File: "nic_lib_bucket.sv", Edits: []string{
					"earned && tokens_q == CNT_W'(BUCKET - 1);", "earned || tokens_q == CNT_W'(BUCKET - 1);"}},
			},
		},
	},
}

// triple completes a set about a memory of three copies; bug breaks the reading.
func triple(s proof.Set, bug proof.Bug) proof.Set {
	s.Depth, s.K = 12, 4
	s.Properties = []proof.Property{
		{Name: "reads_last_write", Claim: "A read from any address gives the word written there last.", Bug: bug},
		{
			Name: "two_outvote_one", Claim: "If two of the copies are equal, their value is the word.",
			Bug: proof.Bug{Mistake: "the third copy alone decides", File: "nic_lib_vote.sv", Edits: []string{
				"assign word   = (a & b) | (a & c) | (b & c);", "assign word   = (a & b) | c;"}},
		},
		{
			Name: "differ_is_told", Claim: "A difference between the copies is reported.",
			Bug: proof.Bug{Mistake: "the third copy is not compared", File: "nic_lib_vote.sv", Edits: []string{
				"a != b || b != c;", "a != b;"}},
		},
		{
			Name: "written_does_not_differ", Claim: "A word written in the cycle of its read is not reported.",
			Bug: proof.Bug{Mistake: "a difference in the old word is reported", File: s.Top + ".sv", Edits: []string{
				"assign differ  = old_differ && !hit_q;", "assign differ  = old_differ;"}},
		},
	}
	return s
}
