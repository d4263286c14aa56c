// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// topFile is the file with the mistakes.
const topFile = "nic_probe.sv"

// proofs are the properties of the unit.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{{
	Name: "probes", Depth: 24, K: 6,
	Claim: "Probes wanted, records, anchors, back-pressure, gaps and resets are any; so are the addresses of a destination, any one. The three queues are any that " +
		"keep their head until it is taken: that the library's lose and double nothing is proved for them.",
	Configs: []string{"destinations=3 dst_bits=2 pid_bits=2 anchors=1 counter_bits=8"},
	Free:    "*nic_lib_fifo_lut*",
	Texts:   []string{"lib/nic_lib_ram_block.svh", "nic_probe.svh"},
	Properties: []proof.Property{
		{
			Name: "frame_stands", Claim: "A frame that is offered stays, with all its bytes, until it is taken.",
			Bug: proof.Bug{Mistake: "a frame that waits is overwritten", File: topFile, Edits: []string{"assign free        = !m_frame_valid || m_frame_ready;", "assign free        = 1'b1;"}},
		},
		{
			Name: "frame_for_frame", Claim: "Each frame that is offered is that of one probe with its anchors, or of one answer: no frame without a request, and none twice.",
			Bug: proof.Bug{Mistake: "a frame stays after it was taken", File: topFile, Edits: []string{"goes_answer || (m_frame_valid && !m_frame_ready);", "goes_answer || m_frame_valid;"}},
		},
		{
			Name: "none_is_lost", Claim: "A probe with its anchors, and an answer, that leaves its queue is offered as a frame.",
			Bug: proof.Bug{Mistake: "both leave in one cycle", File: topFile, Edits: []string{"free && made_q && !(answer_valid && turn_q);", "free && made_q && !(answer_valid && turn_q) || m_frame_valid && made_q;"}},
		},
		{
			Name: "probe_has_anchors", Claim: "A probe has the path of its request, the anchors that came for it, the time of the cycle in which it was taken, and zeros behind.",
			Bug: proof.Bug{Mistake: "anchors that were not asked for are taken", File: topFile, Edits: []string{"if (wait_q) begin\n      anchors_q", "if (s_route_valid) begin\n      anchors_q"}},
		},
		{
			Name: "probe_has_addresses", Claim: "It has the addresses that were written last for its destination.",
			Bug: proof.Bug{Mistake: "it has those of a cycle later", File: topFile, Edits: []string{"if (look_q) begin\n      m_route_pid <= wanted_pid;\n      to_q", "if (look_q) begin\n      m_route_pid <= wanted_pid;\n    end\n    if (look_q || m_route_valid) begin\n      to_q"}},
		},
		{
			Name: "answer_goes_back", Claim: "An answer has path, delay and addresses of its probe, exchanged, and zeros behind.",
			Bug: proof.Bug{Mistake: "the addresses are not exchanged", File: topFile, Edits: []string{"answer_addresses[47:0], answer_addresses[95:48]}", "answer_addresses}"}},
		},
		{
			Name: "asked_if_there", Claim: "Anchors are asked for exactly if the destination has addresses.",
			Bug: proof.Bug{Mistake: "addresses are not cleared after reset", File: topFile, Edits: []string{"{ready_q && s_address_set, s_address_bytes}", "{s_address_set, s_address_bytes}"}},
		},
		{
			Name: "asked_for_its_path", Claim: "They are asked for once, for the path of the probe.",
			Bug: proof.Bug{Mistake: "the request has the path of the next probe", File: topFile, Edits: []string{"m_route_pid <= wanted_pid;\n      to_q", "m_route_pid <= s_probe_pid;\n      to_q"}},
		},
		{
			Name: "request_stands", Claim: "A request stays until it is taken.",
			Bug: proof.Bug{Mistake: "it is given up", File: topFile, Edits: []string{"|| (m_route_valid && !m_route_ready);", ";"}},
		},
		{
			Name: "one_at_a_time", Claim: "No probe is begun before the one before it has left, and none to a destination that does not exist.",
			Bug: proof.Bug{Mistake: "one is begun while anchors are waited for", File: topFile, Edits: []string{"&& !m_route_valid && !wait_q && !made_q;", "&& !m_route_valid && !made_q;"}},
		},
		{
			Name: "probe_is_answered", Claim: "Exactly a good probe of LAPS goes to the answers, once, with its path, its addresses, and the time since it left.",
			Bug: proof.Bug{Mistake: "a bad probe is answered", File: topFile, Edits: []string{"ours && !s_shim_bad && !s_shim_type[0];", "ours && !s_shim_type[0];"}},
		},
		{
			Name: "answer_is_told", Claim: "Exactly a good answer with a path that a port can have goes to the path tables, once.",
			Bug: proof.Bug{Mistake: "a path that is too wide is cut", File: topFile, Edits: []string{"s_shim_type[0] && body_path >> PID_BITS == '0;", "s_shim_type[0];"}},
		},
		{
			Name: "delay_is_nearest", Claim: "Its delay is that of the answer, or the nearest of 32 bits.",
			Bug: proof.Bug{Mistake: "a long delay is cut", File: topFile, Edits: []string{"p0_cut = 32'h7fff_ffff;", "p0_cut = p0_delay_q[31:0];"}},
		},
		{
			Name: "nothing_of_nothing", Claim: "Without a record nothing comes.",
			Bug: proof.Bug{Mistake: "the subtype alone counts", File: topFile, Edits: []string{"assign ours      = s_shim_valid && ", "assign ours      = "}},
		},
	},
}}}
