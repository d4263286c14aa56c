// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The files with the mistakes.
const (
	top       = "nic_transport.sv"
	transmit  = "nic_transport_tx.sv"
	classify  = "nic_transport_tx_classify.sv"
	queues    = "nic_transport_tx_queues.sv"
	stored    = "nic_transport_tx_store.sv"
	schedule  = "nic_transport_tx_schedule.sv"
	ask       = "nic_transport_tx_ask.sv"
	edit      = "nic_transport_tx_edit.sv"
	find      = "nic_transport_find.sv"
	bodies    = "nic_transport_bodies.sv"
	insert    = "nic_transport_shims_int.sv"
	store     = "nic_transport_rx_classify_store.sv"
	pass      = "nic_transport_rx_classify_pass.sv"
	events    = "nic_transport_rx_events.sv"
	profiles  = "nic_transport_profiles.sv"
	lapsPath  = "nic_transport_path_laps.sv"
	lapsShims = "nic_transport_shims_laps.sv"
	delays    = "nic_transport_delays.sv"
	path      = "nic_transport_path_reps.sv"
	theta     = "nic_transport_window_theta.sv"
	hops      = "nic_transport_window_int.sv"
	intake    = "nic_transport_intake.sv"
	frames    = "nic_transport_frames.sv"
	leave     = "nic_transport_leave.sv"
	rate      = "nic_transport_rate.sv"
	turn      = "nic_transport_gate_turn.sv"
)

// A bug is an expression of the RTL, or a list of statements, that is wrong when an additional input of the block has
// its number: one compiled model has all bugs of a configuration.
type bug struct {
	name, file string
	at         string // the text around the expression, which is @
	is, wrong  string // the text, and the text with the bug
}

// telling and listing are the configurations with bugs: one with shims, in which frames from the wire wait, one
// with feedback packets, and one for UET.
const (
	telling = small + " path=spray telemetry=int"
	listing = small + " list=8"
	uetSet  = small + " profile=uet"
)

// bugs are the mistakes, by configuration.
var bugs = []struct {
	set  string
	bugs []bug
}{
	{small, []bug{
		{"the last beat does not wait for the end", intake, "(inside_q || known) && @ && (!m_valid", "(!beat_last || end_valid)", "1'b1"},
		{"a beat that is not taken is not read again", intake, "assign rd_addr = @;", "(m_valid && !m_ready) ? again_q : rd_q[ADDR_W-1:0]", "rd_q[ADDR_W-1:0]"},
		{"an echo is taken with each frame that was searched for", intake, ".m_ready (@),", "go_first && hdr_search && found_echo", "go_first && hdr_search"},
		{"a short frame is not bad", intake, "(beat_bad || @)", "end_short", "1'b0"},
		{"a bad frame is not", intake, "<= {@, s_last};", "s_bad", "1'b0"},
		{"a frame does not wait for its echo", intake, "(found_valid && (@))", "!found_echo || echo_valid || !HOLD", "1'b1"},
		{"a frame does not wait until it is found", intake, "(!hdr_search || (@ &&", "found_valid", "1'b1"},
		{"what was found is taken by frames that were not searched for", intake, ".m_ready (@),", "go_first && hdr_search", "go_first"},
		{"the room of the intake is two beats more than there are", intake, "count < (ADDR_W+1)'(@);", "32 - MARGIN", "32 + 2"},
		{"a frame's first beat is not known as one", intake, "m_first  <= @;", "!inside_q", "1'b1"},

		{"a frame is told of with its first beat", frames, "(s_valid && (WHOLE ? (@) : s_first))", "s_last && !told_q", "s_first"},
		{"a queue of frames has a beat less", frames, "wr_q + @;", "(ADDR_W+1)'(s_valid)", "(ADDR_W+1)'(s_valid && !(s_last && s_first && wr_q[5:0] == '1))"},
		{"the last flag of the next beat", frames, "last_read[@];", "rd_q[GROUP_W-1:0]", "rd_q[GROUP_W-1:0] + GROUP_W'(1)"},
		{"frames that left count on", frames, "- @;", "COUNT_W'(m_start)", "'0"},
		{"frames are not counted", frames, "|| @;", "frames_q >= COUNT_W'(FRAMES)", "1'b0"},
		{"what is known of a frame is of the one before", frames, ".m_ready (@),", "m_start", "m_start && frames_q != COUNT_W'(1)"},

		{"a packet of a queue does not wait for its answer", leave, "q_frame_valid && @;", "q_ev_valid", "1'b1"},
		{"an edited packet does not wait for its entropy value", leave, "f_edited && (@);", "!f_wants || f_ev_valid", "1'b1"},
		{"queues do not wait for their turn", leave, "q_can && (@);", "turn_q || !e_can || in_p_q", "1'b1"},
		{"the editor's queue has room for all", leave, "edit_ok_q <= @;", "d_count < CNT_W'(17)", "1'b1"},
		{"the queue of other frames has room for all", leave, "past_ok_q <= @;", "p_count < CNT_W'(17)", "1'b1"},
		{"the last edited word is there twice", leave, "|| (d_count == CNT_W'(1) && @);", "!d_pop", "1'b1"},
		{"the last word of others is there twice", leave, "|| (p_count == CNT_W'(1) && @);", "!p_pop", "1'b1"},
		{"the word behind it leaves", leave, "assign d_out = @;", "edited_mem[d_rd_q[CNT_W-2:0]]", "edited_mem[d_rd_q[CNT_W-2:0] + (CNT_W-1)'(d_pop)]"},
		{"an edited frame begins within another one", leave, "d_some_q && (out_d_q || (@ &&", "!out_p_q", "1'b1"},
		{"another frame begins within an edited one", leave, "p_some_q && (out_p_q || (@ &&", "!out_d_q", "1'b1"},
		{"the last beat does not stay until it is taken", leave, "assign free  = @;", "!m_valid || m_ready", "!m_valid || m_ready || m_last"},
		{"another frame begins while an edited one is read", leave, "(past_ok_q && @ && !in_p_q && p_can)", "!in_e_q", "1'b1"},
		{"an edited frame begins while another one is read", leave, "&& !in_e_q && @ && e_can", "!in_p_q", "1'b1"},
		{"the tag is that of the next frame", leave, "if (@) begin\n      p1_tag_q", "p_read && !in_p_q", "p_read"},
		{"a queue's packet has the tag of another one", leave, "r1_tag_q <= @;", "q_start ? '0 : f_tag", "f_tag"},
		{"a packet that wants no entropy value has one", leave, "r1_good_q <= @;", "q_start ? q_ev_good : (f_wants && f_ev_good)", "q_start ? q_ev_good : f_ev_good"},
		{"an answer that is none is one", leave, "r1_ev_q <= @;", "q_start ? q_ev : f_ev", "f_ev_valid ? f_ev : q_ev"},
		{"a beat comes from the memory of the next one", leave, "assign e_beat = @ ? q_beat : f_beat;", "r2_queue_q", "r1_queue_q"},
		{"the command of a frame stays for its next beats only", leave, "assign e_cmd     = @;", "r2_cmd_q", "r1_cmd_q"},

		{"an inverse is half of what it is", rate, "<< (@);", "5'd23 - 5'(r_exp)", "5'd22 - 5'(r_exp)"},
		{"a window is in quarters of a byte", rate, "1'b0, @}),", "s_bytes[24:2]", "s_bytes[22:0]"},
		{"an answer is there a cycle early", rate, "m_valid = valid_q[@];", "11-1", "11-2"},

		{"a beat that is not taken begins a frame", classify, "assign tx_begin = @ && m_first;", "tx_go", "1'b1"},
		{"a PSN loses its highest part", queues, ".s_release_psn (@),", "m_release_psn", "{8'd0, m_release_psn[15:0]}"},
		{"a NAK is an ACK", events, "x_nak_q <= @;", "event_nak", "1'b0"},
		{"a READ response can be a NAK", pass, "rx_becn,\n     rx_nak && @};", "!rx_response", "1'b1"},
		{"a READ response is in no queue", classify, "tx_known && (tx_is_data || tx_is_other) && @;", "tx_p_queue", "tx_p_queue && tx_kind != 4'd3"},
		{"a packet of no known kind passes its queue", classify, "tx_known && (tx_is_data || @) &&", "tx_is_other", "1'b0"},
		{"a packet of no known kind is edited", edit, "edit_s_edit_udp_zero = !s_plain && @;", "!e_keep", "1'b1"},
		{"ACKs are edited without echo", classify, "|| (tx_is_ack && @));", "tx_p_echo_tx", "1'b1"},
		{"packets of unreliable services count", classify, "&& (tx_service == 3'd0 || @);", "tx_service == 3'd5", "1'b1"},
		{"the mark is whether the packet is known", path, "assign back_mark = @;", "y_becn", "y_hit"},
		{"the profile of the other direction", profiles, ".rd_addr (@),\n    .rd_data (m_rx_profile)", "s_rx_row", "s_tx_row"},
		{"a sample for the window unit goes to the path unit", path, "sample_back = s_sample_valid && @ &&", "y_path", "y_window"},
		{"a NAK gives back an entropy value", path, "&& @ && (y_echo", "!y_nak", "1'b1"},
		{"a sample without window goes to the window unit", theta, "assign sample_valid = s_sample_valid && @ &&", "y_window", "1'b1"},
		{"the tag of a completion is lost", stored, ".s_data  ({s_counts, s_psn, @}),", "s_tag", "16'd0"},
		{"a packet that is dropped has no completion", transmit, "assign m_cpl_valid = @;", "enter_valid", "enter_valid && !enter_dropped"},
		{"a packet that is dropped enters the gate", schedule, "gate_s_enter_valid = enter_valid && @;", "!enter_dropped", "1'b1"},
		{"tags do not move the header", edit, "edit_s_edit_lane = @;", "4'd8 + 4'(e_tags) + (e_v6 ? 4'd5 : 4'd0)", "4'd8 + (e_v6 ? 4'd5 : 4'd0)"},
		{"the length of UDP in IPv6 is that in IPv4", edit, "edit_s_edit_udp_len = e_bytes - (@);", "e_v6 ? 16'd40 : 16'd20", "16'd20"},
		{"a packet that was in no queue goes before one that was", ask, "send_conn  = @;", "gate_valid ? gate_conn : waits_conn", "waits_valid ? waits_conn : gate_conn"},
		{"two ask the path unit at once", ask, "waits_take = waits_valid && @;", "!gate_valid", "1'b1"},
		{"a packet of a bad frame is received", events, "x_data_q <= event_go && @ && event_data;", "!end_bad", "1'b1"},
		{"a short frame is a good one", pass, "m_end_bad = parse_rx_m_end_bad || @;", "parse_rx_m_end_short", "1'b0"},
		{"the flow label of an IPv4 packet", pass, "(@) ? rx_flow : rx_sport", "rx_p_flow && rx_v6", "rx_p_flow"},
		{"a mark without entropy value is lost", classify, "tx_p_echo_tx && (@);", "tx_echo_hit || tx_echo_mark", "tx_echo_hit"},
		{"a packet with an echo asks the path unit", classify, "tx_p_path && @;", "!tx_ev_set", "1'b1"},
		{"the only READ response acknowledges nothing", classify, "|| @);", "parse_tx_m_hdr_opcode[4:0] == 5'h10", "1'b0"},
		{"flow labels begin with 0", edit, "edit_s_edit_ev = {@,", "label_high", "4'd0"},
		{"a timeout is of the connection of the last sample", path, "reps_detector_s_timeout_conn = @;", "s_timeout_conn", "y_conn"},
		{"the window does not matter", turn, "g2_inflight_q == '0 || (g2_room && (g2_unlimited_q || @));", "g2_below", "1'b1"},
		{"a budget is a quantum, whatever the window has left", turn, "end else if (@) begin\n      g3_budget", "g3_limited_q && g3_left_q < g3_most_q", "1'b0"},
		{"the room of the ring does not matter", turn, "g2_inflight_q == '0 || (@ &&", "g2_room", "1'b1"},
		{"the stall rule waits for nothing", turn, "(g2_scan_q && (g2_open || @)));", "g2_age >= 3'd2", "1'b1"},
		{"a connection gets the entropy value of a packet that wants none", classify, "tx_is_data && tx_p_ecn_valid, @, tx_becn_set, tx_echo_mark, tx_bytes,", "tx_p_ecn", "2'd0"},
	}},
	{telling, []bug{
		{"no cycle is behind a frame with a shim", leave, "gap_q <= @;", "(q_read && q_last && (q_start ? shim : shim_q)) || (e_read && f_last && (in_e_q ? shim_q : shim))", "1'b0"},
		{"frames from the wire have no margin", intake, "count < (ADDR_W+1)'(@);", "32 - MARGIN", "HOLD ? 32 - MARGIN : 31"},
		{"a frame from the wire loses its flag", store, "assign m_axis_tuser = @;", "rx_bad", "1'b0"},
		{"the shim of an echo is one of data", insert, "shim_s_shim_type = {1'b0, @};", "h_echo", "1'b0"},
		{"bodies are read after a reset", bodies, "if (rst) begin body_reads_q <= @;", "'0", "'1"},
		{"a body is read for each shim", insert, "begins && s_shim && @", "s_echo", "1'b1"},
		{"a body is kept for packets of queues", bodies, "body_wr_q    <= echo_valid && echo_fresh && @;", "body_take", "1'b1"},
		{"telemetry is that of the frame before", events, ".m_ready (event_go && @),", "event_shim", "1'b1"},
		{"the window unit gets one hop", hops, "(powertcp_s_ack_ready && @)", "hops_last", "1'b1"},
		{"a shim that tells is one that collects", events, "x_collect_q <= event_shim && @;", "record_collect", "record_echo"},
	}},
	{listing, []bug{
		{"the second beat is the first one again", leave, "(@ ? n_second : n_first)", "r2_second_q", "1'b0"},
		{"a feedback packet leaves twice", leave, "n_frame_valid && @;", "!n_busy", "1'b1"},
		{"a feedback packet is edited", leave, "e_plain   = @;", "r2_n_q", "1'b0"},
		{"a feedback packet goes on to the host", store, "m_axis_tvalid = rx_valid && @;", "!rx_list", "1'b1"},
		{"a list that is cut is taken", store, "m_list_good = !rx_bad && @;", "rx_whole", "1'b1"},
		{"an entropy value of a list is lost with a sample", path, "s_back_ready = @;", "!sample_back", "1'b1"},
	}},
	{small + lapsSet, []bug{
		{"a delay is time - now", events, "shim_type[0] ? record_time : @)", "now - record_time", "record_time - now"},
		{"anchors are those of another packet", lapsShims, "swap4(@);", "h_path[16+32*i +: 32]", "s_path[16+32*i +: 32]"},
		{"a packet that was in no queue has another PSN", ask, ".s_data ({@, direct_conn}),", "direct_told", "direct_told ^ 39'd1"},
		{"a packet that was in no queue goes to another destination", ask, "gate_valid ? asked_told : @;", "waits_told", "waits_told ^ {1'b0, 14'd1, 24'd0}"},
		{"a packet of a queue goes to another destination", ask, ".s_data ({@, release_wants}),", "release_told", "release_told ^ {1'b0, 14'd1, 24'd0}"},
		{"untracked packets are tracked", lapsPath, "laps_s_packet_seq} = @;", "s_send_told", "s_send_told | {1'b1, 38'd0}"},
		{"NAKs are measured", lapsPath, "s_ack_path && @),", "!s_ack_nak", "1'b1"},
		{"connections without path are measured", lapsPath, "(s_ack_valid && @ &&", "s_ack_path", "1'b1"},
		{"an ACK tells LAPS another PSN", delays, "s_conn, @, sample_cut}),", "s_psn", "s_psn ^ 24'd1"},
		{"a packet without path gets a shim", lapsShims, "h_shim && (h_echo || @);", "h_good", "1'b1"},
		{"shims of ACKs are shims of data", events, "record_data_q <= @;", "shim_type == 2'd0", "1'b1"},
		{"probes of the wire reach nobody", lapsPath, "s_shim_valid && @;", "shim_end", "!shim_end"},
		{"the time is that of 65 µs before", lapsShims, "h_anchors, swap6(@),", "now", "now - 48'h1_0000"},
		{"a rate goes to another connection", lapsPath, ".s_conn (@), .s_bytes", "laps_m_rate_flow", "laps_m_rate_flow ^ 16'd1"},
		{"a rate of a flow that does not exist counts, and no other", lapsPath, "laps_m_rate_valid && @),", "laps_m_rate_cause != 3'd6", "laps_m_rate_cause == 3'd6"},
	}},
	{uetSet, []bug{
		{"the offset of a UET ACK has no sign", pass, "parse_rx_m_hdr_psn + @}", "32'($signed(parse_rx_m_hdr_msn[15:0]))", "32'(parse_rx_m_hdr_msn[15:0])"},
		{"the offset of a UET ACK has 8 bits", pass, "32'($signed(@))", "parse_rx_m_hdr_msn[15:0]", "{8'd0, parse_rx_m_hdr_msn[7:0]}"},
	}},
}

// planted is the input that selects a bug; 0: none.
const planted = "planted"

var blanks = regexp.MustCompile(`\s+`)

// withBugs is a bench whose block has all bugs of a list.
func withBugs(t *testing.T, set string, list []bug) cosim.Bench {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	b := Unit.Bench(p)
	// Lines may be broken at any blank.
	put := func(name, text, from, to string) string {
		at := regexp.MustCompile(blanks.ReplaceAllString(regexp.QuoteMeta(from), `\s+`)).FindAllStringIndex(text, -1)
		if len(at) != 1 {
			t.Fatalf("%s has %q %d times, want once", name, from, len(at))
		}
		return text[:at[0][0]] + to + text[at[0][1]:]
	}
	planting := 0
	b.Edit = func(name, text string) string {
		for i, x := range list {
			if x.file == name {
				planting++
				number := fmt.Sprintf("(nic_transport.%s == 8'd%d)", planted, i+1)
				chosen := fmt.Sprintf("(%s ? (%s) : (%s))", number, x.wrong, x.is)
				if strings.HasSuffix(x.is, ";") {
					chosen = fmt.Sprintf("if %s begin %s end else begin %s end", number, x.wrong, x.is)
				}
				text = put(name, text, strings.Replace(x.at, "@", x.is, 1), strings.Replace(x.at, "@", chosen, 1))
			}
		}
		if name == top {
			text = put(name, text, "module nic_transport (", "module nic_transport (\n  input wire logic [7:0] "+planted+",")
		}
		return text
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	if planting != len(list) {
		t.Fatalf("%d bugs are planted, want %d: some file is not there", planting, len(list))
	}
	return b
}

// chosen is a bench with one of its bugs.
type chosen struct {
	cosim.Bench
	number uint64
}

// NewStimulus implements cosim.Bench.
func (b *chosen) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s, err := b.Bench.NewStimulus(l, seed)
	if err != nil {
		return nil, err
	}
	return &choosing{s, l.MustSlot(planted), b.number}, nil
}

type choosing struct {
	cosim.Stimulus
	slot   cosim.Slot
	number uint64
}

// Next implements cosim.Stimulus.
func (s *choosing) Next(in []uint64) {
	s.Stimulus.Next(in)
	s.slot.Set(in, s.number)
}

// searched is the number of cycles in which a bug has to be noticed.
const searched = 400_000

// Every bug is noticed, and without one nothing is. What noticed them is in docs/units/nic_transport_evidence.md.
func TestPlanted(t *testing.T) {
	t.Parallel()
	page := "# Bugs planted in the block\n\n" +
		"Each row is a mistake put into the emitted SystemVerilog of the modules that are the own ones of [the block](nic_transport.md).\n" +
		"Co-simulation with seed 1 notices it. The bugs of a configuration are in one model, and an input selects one of them.\n\n" +
		"Written by `go test ./tb/nic_transport -run TestPlanted$ -update`; the test has every bug noticed, by whatever it is.\n\n" +
		"| bug | file | noticed by |\n|---|---|---|\n"
	var names []string
	for _, c := range bugs {
		before := len(names)
		for _, x := range c.bugs {
			names = append(names, "| "+x.name+" | `"+x.file+"` |")
		}
		runs := sample.Chosen(c.bugs, func(x bug) string { return t.Name() + "/" + c.set + "/" + x.name })
		b := withBugs(t, c.set, c.bugs) // in each turn: a text that is no longer there is no bug
		if !slices.Contains(runs, true) {
			continue
		}
		t.Run(c.set, func(t *testing.T) {
			lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer lib.Close()
			run := func(t *testing.T, number int, cycles uint64) *cosim.Report {
				r, err := cosim.RunOn(t.Context(), lib, &chosen{b, uint64(number)}, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: cycles})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			if r := run(t, 0, 40_000); r.Outcome != cosim.Pass && r.Outcome != cosim.Missed {
				t.Fatalf("without a bug: %s", r.Failure.Summary())
			}
			for i, x := range c.bugs {
				if !runs[i] {
					continue
				}
				t.Run(x.name, func(t *testing.T) {
					r := run(t, i+1, searched)
					if r.Outcome == cosim.Pass || r.Outcome == cosim.Missed {
						t.Fatal("not noticed")
					}
					by := "`" + r.Failure.Port + "`"
					if r.Failure.Port == "" {
						by = r.Failure.Message
					}
					page += names[before+i] + " " + by + " |\n"
					t.Logf("cycle %d: %s%s", r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
				})
			}
		})
	}
	if benchtest.Updating() && !testing.Short() && !t.Failed() {
		benchtest.Evidence(t, unitName, "planted", page)
	}
	file := "../../docs/" + section.File(unitName)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range names {
		if !strings.Contains(string(text), x) {
			t.Errorf("%s has no row %q", file, x)
		}
	}
}
