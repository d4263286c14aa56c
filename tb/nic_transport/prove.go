// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	intakeFile = "nic_transport_intake.sv"
	framesFile = "nic_transport_frames.sv"
	leaveFile  = "nic_transport_leave.sv"
	watchFile  = "nic_transport_watch.sv"
)

// module returns the sources of one of the block's own modules in a configuration, with its shared parts, made as small as
// proofs need: small alternates between original and replacement text.
func module(name, set string, small ...string) func() ([]gen.File, error) {
	return func() ([]gen.File, error) {
		p := params.Default()
		if err := gen.Configure(p, set); err != nil {
			return nil, err
		}
		files, err := p.Files()
		if err != nil {
			return nil, err
		}
		files = slices.DeleteFunc(files, func(f gen.File) bool {
			return f.Name != name && f.Name != rtl.PartPrefix+"fifo_lut.sv" && f.Name != rtl.PartPrefix+"ram_block.sv"
		})
		for i := range files {
			f := &files[i]
			for k := 0; f.Name == name && k < len(small); k += 2 {
				if !strings.Contains(f.Text, small[k]) {
					return nil, fmt.Errorf("%s has no %q", name, small[k])
				}
				f.Text = strings.ReplaceAll(f.Text, small[k], small[k+1])
			}
		}
		return files, nil
	}
}

// proofs are the properties of the modules that are the block's own.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "intake", Depth: 16, K: 2, Quick: true, Top: "nic_transport_intake",
		Sources: module(intakeFile, "", "(32)", "(4)", "(32 - MARGIN)", "(4 - MARGIN)", "[511:0]", "[0:0]", "[63:0] ", "[0:0] ", "512 + 64", "1 + 1"),
		Claim: "Beats that wait for what is known of their frames, any number, in memories of 4 words and with data of a bit: none is lost or doubled, and what " +
			"goes with a frame, any one, is of that frame. What is known comes in the frames' order, each after the beat that it is of, at any time.",
		Configs: []string{"HOLD=1 MARGIN=2", "HOLD=0 MARGIN=3"},
		Texts:   []string{"lib/nic_lib_ram_block.svh", "words.svh@nic_lib_fifo_lut", "nic_transport_intake.svh"},
		Properties: []proof.Property{
			{
				Name: "has_room", Claim: "A beat that comes has room beside the one that is offered, if at most MARGIN - 2 come after s_room fell.",
				Bug: proof.Bug{Mistake: "room is told to the last word", File: intakeFile, Edits: []string{"(4 - MARGIN)", "(4)"}},
			},
			{
				Name: "in_order", Claim: "A beat, any one, leaves unchanged behind those that came before it, with its flags.",
				Bug: proof.Bug{Mistake: "a beat that is not taken is not read again", File: intakeFile, Edits: []string{"(m_valid && !m_ready) ? again_q : rd_q", "rd_q"}},
			},
			{
				Name: "not_lost", Claim: "Until then it is there.",
				Bug: proof.Bug{Mistake: "the next one is dropped as one is taken", File: intakeFile, Edits: []string{"m_valid <= go;", "m_valid <= go && !m_valid;"}},
			},
			{
				Name: "none_made", Claim: "None leaves that did not come.",
				Bug: proof.Bug{Mistake: "a beat leaves twice", File: intakeFile, Edits: []string{"m_valid <= go;", "m_valid <= go || (m_valid && m_last);"}},
			},
			{
				Name: "stands", Claim: "A beat that is offered stays until it is taken, with all that is known of its frame.",
				Bug: proof.Bug{Mistake: "it is taken by itself", File: intakeFile, Edits: []string{"if (!m_valid || m_ready) begin", "if (!m_valid || m_ready || m_last) begin"}},
			},
			{
				Name: "none_odd", Claim: "When no beat waits, nothing that is known of frames does: what a recovery takes for odd never is.",
				Bug: proof.Bug{Mistake: "what was found is not taken with a frame of one beat", File: intakeFile, Edits: []string{".m_ready (go_first && hdr_search),", ".m_ready (go_first && hdr_search && !go_last),"}},
			},
			{
				Name: "header_of_frame", Claim: "With the first beat of a frame, any one, what the parser said of it is there.",
				Bug: proof.Bug{Mistake: "it is taken with each beat", File: intakeFile, Edits: []string{".m_ready (go_first),", ".m_ready (go),"}},
			},
			{
				Name: "found_of_frame", Claim: "If it was searched for, what was found is there;",
				Bug: proof.Bug{Mistake: "it is taken for frames that were not searched", File: intakeFile, Edits: []string{".m_ready (go_first && hdr_search),", ".m_ready (go_first),"}},
			},
			{
				Name: "echo_of_frame", Claim: "and if an echo is due to it, that echo.",
				Bug: proof.Bug{Mistake: "it is taken for each frame that was searched", File: intakeFile, Edits: []string{"go_first && hdr_search && found_echo", "go_first && hdr_search"}},
			},
			{
				Name: "short_of_frame", Claim: "With HOLD, its last beat tells whether its end says that it is short;",
				Bug: proof.Bug{Mistake: "it does not wait for its end", File: intakeFile, Edits: []string{"(!beat_last || end_valid)", "1'b1"}},
			},
			{
				Name: "bad_stays", Claim: "a last beat is bad if it came so, or is short.",
				Bug: proof.Bug{Mistake: "short ones are not bad", File: intakeFile, Edits: []string{"(beat_bad || end_short)", "beat_bad"}},
			},
		},
	},
	{
		Name: "frames", Depth: 24, K: 4, Quick: true, Top: "nic_transport_frames",
		Sources: module(framesFile, "", "512", "8", "32", "4", "GROUP_W = 3", "GROUP_W = 1"),
		Claim: "Frames in a memory of 8 beats, at most 4 of them, with beats of a bit: those from the host, which are told of when they are whole, and those of " +
			"queues, which are told of at once and come without gaps. Who reads takes a frame only when it is told of, and of one that is told of early only beats that are there.",
		Configs: []string{"BEAT_W=1 INFO_W=1 HIGH=4 FRAMES=2 WHOLE=1", "BEAT_W=1 INFO_W=1 HIGH=4 FRAMES=2 WHOLE=0"},
		Texts:   []string{"lib/nic_lib_ram_block.svh", "words.svh@nic_lib_fifo_lut", "nic_transport_frames.svh"},
		Properties: []proof.Property{
			{
				Name: "has_room", Claim: "A beat that comes while s_high is low has room,",
				Bug: proof.Bug{Mistake: "beats are not counted", File: framesFile, Edits: []string{"s_high <= count >= (ADDR_W+1)'(HIGH) ||", "s_high <="}},
			},
			{
				Name: "frame_has_room", Claim: "and so has what is known of its frame.",
				Bug: proof.Bug{Mistake: "frames are not counted", File: framesFile, Edits: []string{"|| frames_q >= COUNT_W'(FRAMES);", ";"}},
			},
			{
				Name: "none_odd", Claim: "When no frame is inside but the one that is read, no other beats are, and no frame is counted; a frame that is told of has a beat.",
				Bug: proof.Bug{Mistake: "a frame that is taken stays counted if it has one beat", File: framesFile, Edits: []string{"- COUNT_W'(m_start)", "- COUNT_W'(m_start && !m_last)"}},
			},
			{
				Name: "is_there", Claim: "Each beat of a frame that was taken is there when it is read; a frame is told of before its end only if it must.",
				Bug: proof.Bug{Mistake: "a frame is told of with its first beat", File: framesFile, Edits: []string{"(s_last && !told_q)", "s_first"}},
			},
			{
				Name: "in_order", Claim: "A beat, any one, is read behind those that came before it, and stands unchanged two cycles later.",
				Bug: proof.Bug{Mistake: "a read is of the beat before", File: framesFile, Edits: []string{"rd_q + (ADDR_W+1)'(m_read)", "rd_q + (ADDR_W+1)'(m_read && !m_start)"}},
			},
			{
				Name: "last_in_step", Claim: "With the read is known whether it is a last one.",
				Bug: proof.Bug{Mistake: "that of the next beat", File: framesFile, Edits: []string{"last_read[rd_q[GROUP_W-1:0]]", "last_read[rd_q[GROUP_W-1:0] + GROUP_W'(1)]"}},
			},
			{
				Name: "frame_begins", Claim: "A frame that is taken begins with its first beat.",
				Bug: proof.Bug{Mistake: "the first beat of a frame stays", File: framesFile, Edits: []string{"rd_q + (ADDR_W+1)'(m_read)", "rd_q + (ADDR_W+1)'(m_read && !m_last)"}},
			},
			{
				Name: "info_in_step", Claim: "What is known of a frame, any one, is there when it is taken.",
				Bug: proof.Bug{Mistake: "it is told twice if it is told early", File: framesFile, Edits: []string{"(s_last && !told_q)", "s_last"}},
			},
			{
				Name: "frames_conserved", Claim: "The count of frames is that of frames which came and were not taken, each of which is told of once.",
				Bug: proof.Bug{Mistake: "a frame of one beat is not counted", File: framesFile, Edits: []string{"COUNT_W'(s_valid && s_first)", "COUNT_W'(s_valid && s_first && !s_last)"}},
			},
		},
	},
	{
		Name: "leave", Depth: 48, K: 2, Top: "nic_transport_leave",
		Sources: module(leaveFile, "list=8"),
		Claim: "Frames of queues, others, and frames of the block's own on their way to the wire, with beats of a bit; the editor is a delay of nine cycles, longer than with a shim. None is lost " +
			"or doubled, also if the wire stops at any time, and frames are never mixed.",
		Configs: []string{"TAG_W=1 CMD_W=1 EV_W=1 BEAT_W=1"},
		Texts:   []string{"lib/nic_lib_ram_block.svh", "words.svh@nic_lib_fifo_lut", "nic_transport_leave.svh"},
		Properties: []proof.Property{
			{
				Name: "one_read", Claim: "In a cycle one beat goes to the editor at most, and the memory of frames that were in no queue is read once.",
				Bug: proof.Bug{Mistake: "another frame begins while an edited one is read", File: leaveFile, Edits: []string{"(past_ok_q && !in_e_q && !in_p_q", "(past_ok_q && !in_p_q"}},
			},
			{
				Name: "one_frame", Claim: "A frame goes to the editor whole.",
				Bug: proof.Bug{Mistake: "a queue's frame begins within another one", File: leaveFile, Edits: []string{"q_start = edit_ok_q && !gap_q && !in_q_q && !in_e_q &&", "q_start = edit_ok_q && !gap_q && !in_q_q &&"}},
			},
			{
				Name: "queue_waits", Claim: "A queue's frame begins when its answer is there,",
				Bug: proof.Bug{Mistake: "it does not wait", File: leaveFile, Edits: []string{"q_can = q_frame_valid && q_ev_valid;", "q_can = q_frame_valid;"}},
			},
			{
				Name: "frame_waits", Claim: "another one when its is, if it wants one.",
				Bug: proof.Bug{Mistake: "it does not wait", File: leaveFile, Edits: []string{"(!f_wants || f_ev_valid)", "(!f_wants || f_ev_valid || q_ev_valid)"}},
			},
			{
				Name: "edit_has_room", Claim: "What comes from the editor has room in the last queue,",
				Bug: proof.Bug{Mistake: "one is on its way too many", File: leaveFile, Edits: []string{"edit_ok_q <= d_count < CNT_W'(17);", "edit_ok_q <= d_count < CNT_W'(21);"}},
			},
			{
				Name: "past_has_room", Claim: "and so has what goes past it.",
				Bug: proof.Bug{Mistake: "reads do not stop", File: leaveFile, Edits: []string{"past_ok_q <= p_count < CNT_W'(17);", "past_ok_q <= p_count < CNT_W'(30);"}},
			},
			{
				Name: "not_mixed", Claim: "On the wire a frame is whole.",
				Bug: proof.Bug{Mistake: "an edited one begins within another", File: leaveFile, Edits: []string{"(!out_p_q && (d_turn_q || !p_some_q))", "(d_turn_q || !p_some_q)"}},
			},
			{
				Name: "stands", Claim: "A beat that is offered stays until it is taken.",
				Bug: proof.Bug{Mistake: "a last one goes by itself", File: leaveFile, Edits: []string{"free = !m_valid || m_ready;", "free = !m_valid || m_ready || m_last;"}},
			},
			{
				Name: "edited_in_order", Claim: "A beat, any one, that came out of the editor leaves unchanged behind those that came before it;",
				Bug: proof.Bug{Mistake: "the word behind it leaves", File: leaveFile, Edits: []string{"edited_mem[d_rd_q[CNT_W-2:0]];", "edited_mem[d_rd_q[CNT_W-2:0] + (CNT_W-1)'(d_pop)];"}},
			},
			{
				Name: "past_in_order", Claim: "so does one that went past it.",
				Bug: proof.Bug{Mistake: "the last word is there twice", File: leaveFile, Edits: []string{"(p_count == CNT_W'(1) && !p_pop)", "p_count == CNT_W'(1)"}},
			},
		},
	},
	{
		Name: "recover_leave", Depth: 12, K: 2, Quick: true, Top: "nic_transport_leave",
		Sources: module(leaveFile, "list=8", "BEAT_W'({1'b1, 64'd1, 512'd0})", "'1"),
		Claim:   "The way to the wire while recoveries begin and end at any time, and whatever comes.",
		Configs: []string{"TAG_W=1 CMD_W=1 EV_W=1 BEAT_W=1"},
		Texts:   []string{"recover_leave.svh@nic_transport_leave"},
		Properties: []proof.Property{
			{
				Name: "stands", Claim: "A beat that is offered stays until it is taken.",
				Bug: proof.Bug{Mistake: "a recovery takes it back", File: leaveFile, Edits: []string{"assign free = !m_valid || m_ready;", "assign free = !m_valid || m_ready || cut;"}},
			},
			{
				Name: "ends_bad", Claim: "What is offered anew in a recovery is the end of a frame, and bad.",
				Bug: proof.Bug{Mistake: "it is the next beat", File: leaveFile, Edits: []string{"m_last <= 1'b1;", "m_last <= p_out_last;"}},
			},
			{
				Name: "wire_ends", Claim: "When nothing is offered in a recovery, no frame is begun and not ended on the wire,",
				Bug: proof.Bug{Mistake: "frames that wait are not ended", File: leaveFile, Edits: []string{"assign m_open = m_valid ? !m_last : m_open_q;", "assign m_open = m_valid && !m_last;"}},
			},
			{
				Name: "editor_ends", Claim: "and from its third cycle on none in the editor,",
				Bug: proof.Bug{Mistake: "that one is not ended", File: leaveFile, Edits: []string{"r2_edit_q <= e_open;", "r2_edit_q <= 1'b0;"}},
			},
			{
				Name: "none_begins", Claim: "and none begins, from its second one on.",
				Bug: proof.Bug{Mistake: "what is under way goes on", File: leaveFile, Edits: []string{"assign drop = rst || cut;", "assign drop = rst;"}},
			},
		},
	},
	{
		Name: "recover_intake", Depth: 12, K: 2, Quick: true, Top: "nic_transport_intake",
		Sources: module(intakeFile, "", "(32)", "(4)", "(32 - MARGIN)", "(4 - MARGIN)", "[511:0]", "[0:0]", "[63:0] ", "[0:0] ", "512 + 64", "1 + 1"),
		Claim:   "Beats that wait for what is known of their frames while recoveries begin at any time, each of which lasts while a beat is offered, and whatever comes.",
		Configs: []string{"HOLD=1 MARGIN=2", "HOLD=0 MARGIN=3"},
		Texts:   []string{"recover_intake.svh@nic_transport_intake"},
		Properties: []proof.Property{
			{
				Name: "stands", Claim: "A beat that is offered stays until it is taken, with what is known of its frame.",
				Bug: proof.Bug{Mistake: "beats that come overwrite it", File: intakeFile, Edits: []string{".wr_en (s_valid && !cut),", ".wr_en (s_valid),"}},
			},
			{
				Name: "ends_bad", Claim: "What is offered anew in a recovery is the end of a frame, bad, and of the frame that was begun.",
				Bug: proof.Bug{Mistake: "it is good", File: intakeFile, Edits: []string{"m_bad <= 1'b1;", "m_bad <= beat_bad;"}},
			},
			{
				Name: "ends", Claim: "When nothing is offered in a recovery, no frame is begun and not ended.",
				Bug: proof.Bug{Mistake: "a frame of which a beat was taken is not ended", File: intakeFile, Edits: []string{"m_valid <= inside_q;", "m_valid <= inside_q && m_valid;"}},
			},
		},
	},
	{
		Name: "watch", Depth: 40, K: 2, Quick: true, Top: "nic_transport_watch",
		Sources: module(watchFile, "", "count_q[5:0]", "count_q[2:0]", "DRAIN_W  = 8", "DRAIN_W  = 4", "WINDOW_W = 11", "WINDOW_W = 5"),
		Claim:   "What begins a recovery, with windows of 8, 16 and 32 cycles.",
		Configs: []string{""},
		Texts:   []string{"watch.svh@nic_transport_watch"},
		Properties: []proof.Property{
			{
				Name: "stood_still", Claim: "A recovery begins only after a window in all cycles of which one of the faults was there; of what is odd, after two cycles.",
				Bug: proof.Bug{Mistake: "a fault in the last cycle is enough", File: watchFile, Edits: []string{"(ends & all_q & fault) != '0", "(ends & fault) != '0"}},
			},
			{
				Name: "not_off", Claim: "None begins while cfg_recover is 0.",
				Bug: proof.Bug{Mistake: "it is not looked at", File: watchFile, Edits: []string{"!begins && cfg_recover &&", "!begins &&"}},
			},
			{
				Name: "drained", Claim: "When a recovery ends, the streams were idle and no frame was coming in for 16 cycles of it, and the last 8 emptied what was left.",
				Bug: proof.Bug{Mistake: "cycles count while a frame comes in", File: watchFile, Edits: []string{"cut ? !tx_open &&", "cut ?"}},
			},
		},
	},
}}
