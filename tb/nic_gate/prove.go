// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"embed"
	"slices"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	turnFile  = "nic_gate_turn.sv"
	pushFile  = "nic_gate_push.sv"
	flushFile = "nic_gate_flush.sv"
	levelFile = "nic_gate_level.sv"
)

// proved is the configuration of the texts that are proved.
const proved = "connections=2 ring=16 psn_bits=16 byte_bits=16 timer_bits=24 rtt_bits=16 ev_latency=0 ring_latency=3 init_window=65535 stall_ns=1000"

// modules are the sources of one module of the unit, and of parts that it has in it.
func modules(names ...string) func() ([]gen.File, error) {
	return func() ([]gen.File, error) {
		p := params.Default()
		if err := gen.Configure(p, proved); err != nil {
			return nil, err
		}
		files, err := p.Files()
		return slices.DeleteFunc(files, func(f gen.File) bool { return !slices.Contains(names, f.Name) }), err
	}
}

// proofs are the properties of the gate.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "queue", Depth: 20, K: 4, Quick: true, Top: "nic_gate_level",
		Sources: modules(levelFile),
		Claim:   "The queues of POPs, and of connections that were found open: a word is written only if there is room.",
		Configs: []string{"WIDTH=2 ADDR_W=2", "WIDTH=1 ADDR_W=3"},
		Texts:   []string{"nic_gate_level.svh"},
		Properties: []proof.Property{
			{
				Name: "fill_is_right", Claim: "It tells how many words are in it.",
				Bug: proof.Bug{Mistake: "a word that is taken counts for a cycle more", File: levelFile, Edits: []string{"assign fill    = wr_q - rd_q;", "assign fill    = wr_q - rd_q + (ADDR_W+1)'(m_ready);"}},
			},
			{
				Name: "in_order", Claim: "Any word comes out unchanged, behind exactly the words that went in before it.",
				Bug: proof.Bug{Mistake: "words are written one place too far", File: levelFile, Edits: []string{"mem[wr_q[ADDR_W-1:0]] <= s_data;", "mem[wr_q[ADDR_W-1:0] ^ ADDR_W'(1)] <= s_data;"}},
			},
			{
				Name: "nothing_lost", Claim: "A word that went in stays until it is taken.",
				Bug: proof.Bug{Mistake: "a word is dropped when one goes in as another comes out", File: levelFile, Edits: []string{"rd_q <= rd_q + 1'b1;", "rd_q <= rd_q + (ADDR_W+1)'(1) + (ADDR_W+1)'(s_valid && fill > (ADDR_W+1)'(1));"}},
			},
			{
				Name: "offer_stays", Claim: "The word offered stays until it is taken.",
				Bug: proof.Bug{Mistake: "the newest word is offered", File: levelFile, Edits: []string{"assign m_data  = mem[rd_q[ADDR_W-1:0]];", "assign m_data  = mem[wr_q[ADDR_W-1:0] - 1'b1];"}},
			},
		},
	},
	{
		Name: "turn", Depth: 20, K: 2, Top: "nic_gate_turn",
		Sources: modules(turnFile, levelFile, "nic_lib_fifo_lut.sv", "nic_lib_state_lut.sv", "nic_lib_ram_lut.sv"),
		Claim:   "A turn, any one: with any bytes and PSNs in flight, any window, any quantum, and whatever is known of who waits.",
		Configs: []string{"CONN_BITS=2 CONNECTIONS=2 ROWS=2 IDX_W=1"},
		Free:    "*nic_lib_state_lut*",
		Texts:   []string{"nic_gate_turn.svh"},
		Properties: []proof.Property{
			{
				Name: "credits", Claim: "There is a place exactly while POPs and turns that are decided on are fewer than places: none is lost, none is made.",
				Bug: proof.Bug{Mistake: "a turn that is shut keeps its place", File: turnFile, Edits: []string{"3'(g2_pop)", "3'(g2_pop || g2_shut)"}},
			},
			{
				Name: "pop_has_a_place", Claim: "So a POP has one.",
				Bug: proof.Bug{Mistake: "turns need none", File: turnFile, Edits: []string{"assign s_due_ready = ready && place_q && !yield;", "assign s_due_ready = ready && (place_q || !yield) && !yield;"}},
			},
			{
				Name: "pop_stays", Claim: "A POP that is offered stays as it is until it is taken.",
				Bug: proof.Bug{Mistake: "it is gone when there is no place for another", File: turnFile, Edits: []string{".m_ready (m_pop_ready),", ".m_ready (m_pop_ready || !place_q),"}},
			},
			{
				Name: "shut_sends_nothing", Claim: "A connection whose window or ring is shut sends nothing, but for the stall rule.",
				Bug: proof.Bug{Mistake: "a window that is full is open", File: turnFile, Edits: []string{"assign g2_below = !g2_left[BYTE_W];", "assign g2_below = !g2_left[BYTE_W] || g2_inflight_q == g2_window_q;"}},
			},
			{
				Name: "within_the_window", Claim: "A visit has no more bytes than the window has left: it is exceeded by less than the visit's last packet.",
				Bug: proof.Bug{Mistake: "a byte more", File: turnFile, Edits: []string{"g3_left_q[15:0] + 16'd1", "g3_left_q[15:0] + 16'd2"}},
			},
			{
				Name: "one_packet", Claim: "One packet goes if a visit is by the stall rule, or nothing is in flight and the window or the ring has no room.",
				Bug: proof.Bug{Mistake: "a ring that is full does not count", File: turnFile, Edits: []string{"assign g2_one   = !g2_room ||", "assign g2_one   ="}},
			},
			{
				Name: "within_the_quantum", Claim: "A visit has a byte or more, and no more than a quantum.",
				Bug: proof.Bug{Mistake: "a quantum of 0 is one", File: turnFile, Edits: []string{"cfg_quantum == '0 ? 16'd1 : cfg_quantum", "cfg_quantum"}},
			},
			{
				Name: "within_the_ring", Claim: "Nor more than 32 bytes for each PSN that the ring has left.",
				Bug: proof.Bug{Mistake: "a PSN more", File: turnFile, Edits: []string{"ROOM_W'(16) - {1'b0, g2_used}", "ROOM_W'(17) - {1'b0, g2_used}"}},
			},
			{
				Name: "turn_or_wait", Claim: "A connection whose turn it is sends, or waits: it is not forgotten.",
				Bug: proof.Bug{Mistake: "one that is shut does not wait", File: turnFile, Edits: []string{"(g2_shut || (g2_look_q && !g2_call));", "(g2_look_q && !g2_call);"}},
			},
			{
				Name: "told_once", Claim: "The pacer is told only of one that waits, which then waits no longer.",
				Bug: proof.Bug{Mistake: "it goes on waiting", File: turnFile, Edits: []string{"(g2_look_q && !g2_call));", "g2_look_q);"}},
			},
		},
	},
	{
		Name: "push", Depth: 24, K: 2, Quick: true, Top: "nic_gate_push",
		Sources: modules(pushFile, levelFile, "nic_lib_ram_block.sv"),
		Claim:   "Connections on their way to the pacer. No more than all have a first packet, and one is found open only if there was room two cycles before.",
		Configs: []string{"ROWS=4 IDX_W=2"},
		Texts:   []string{"nic_gate_push.svh"},
		Properties: []proof.Property{
			{
				Name: "none_lost", Claim: "Each one that came is in a queue or offered, until it is taken.",
				Bug: proof.Bug{Mistake: "a first one is lost while others were found open", File: pushFile, Edits: []string{"straight    = free && !open_valid && wr_q == rd_q;", "straight    = free && wr_q == rd_q;"}},
			},
			{
				Name: "open_has_a_place", Claim: "One that is found open has a place.",
				Bug: proof.Bug{Mistake: "room is told too long", File: pushFile, Edits: []string{"(CALLS_W+1)'(CALLS - 6)", "(CALLS_W+1)'(CALLS - 1)"}},
			},
			{
				Name: "first_has_a_place", Claim: "So has one with a first packet.",
				Bug: proof.Bug{Mistake: "it is stored also if it goes straight to the output", File: pushFile, Edits: []string{"if (s_first && !straight) begin", "if (s_first) begin"}},
			},
			{
				Name: "offer_stays", Claim: "One that is offered stays until it is taken.",
				Bug: proof.Bug{Mistake: "another one takes its place", File: pushFile, Edits: []string{"assign free        = !m_valid || m_ready;", "assign free        = !m_valid || m_ready || open_valid;"}},
			},
			{
				Name: "in_turns", Claim: "After one that was found open comes one with a first packet, if there is one.",
				Bug: proof.Bug{Mistake: "those found open come first", File: pushFile, Edits: []string{"open_valid && !(shown_q && last_q);", "open_valid;"}},
			},
		},
	},
	{
		Name: "flush", Depth: 48, K: 2, Top: "nic_gate_flush",
		Sources: modules(flushFile),
		Claim:   "The order of a flush, with any answers of the lanes.",
		Configs: []string{"IDX_W=1"},
		Texts:   []string{"nic_gate_flush.svh"},
		Properties: []proof.Property{
			{
				Name: "all_entries", Claim: "When it is over, each entry of the ring was cleared, and each lane's word.",
				Bug: proof.Bug{Mistake: "the last one is left", File: flushFile, Edits: []string{"last_q <= last_q || left_q == '0;", "last_q <= last_q || left_q == LEFT_W'(1);"}},
			},
			{
				Name: "after_what_is_on_its_way", Claim: "No entry is cleared before what is on its way has arrived.",
				Bug: proof.Bug{Mistake: "a cycle too early", File: flushFile, Edits: []string{"LEFT_W'(RING + DRAIN - 1)", "LEFT_W'(RING + DRAIN - 2)"}},
			},
			{
				Name: "packets_are_gone", Claim: "One that discarded packets is over only if none was stored since.",
				Bug: proof.Bug{Mistake: "it does not look for one in the last cycle", File: flushFile, Edits: []string{"if (quiet_q && !stored) begin", "if (quiet_q) begin"}},
			},
			{
				Name: "one_thing", Claim: "It asks for a turn only while it does nothing else.",
				Bug: proof.Bug{Mistake: "it asks while its packets are discarded", File: flushFile, Edits: []string{"assign want       = state_q == WANTS;", "assign want       = state_q == WANTS || visit;"}},
			},
		},
	},
}}
