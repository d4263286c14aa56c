// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
)

// Mistakes in how LAPS is wired are noticed.
func TestPlantedLAPS(t *testing.T) {
	t.Parallel()
	const top = "nic_transport.sv"
	for _, x := range []struct{ name, from, to string }{
		{"a delay is time - now", "now_q - record_time", "record_time - now_q"},
		{"anchors are those of another packet", "swap4(h_path[16+32*i +: 32])", "swap4(h_path[16+32*i +: 32] ^ q_ev[16+32*i +: 32])"},
		{"a packet that was in no queue has another PSN", "({tx_counts, tx_p_dst, tx_psn, tx_conn})", "({tx_counts, tx_p_dst, tx_psn ^ PSN_W'(1), tx_conn})"},
		{"a packet that was in no queue goes to another destination", "({tx_counts, tx_p_dst, tx_psn, tx_conn})", "({tx_counts, tx_p_dst ^ 14'd1, tx_psn, tx_conn})"},
		{"a packet of a queue goes to another destination", "({out_counts, out_dst, out_number, out_wants})", "({out_counts, out_dst ^ 14'd1, out_number, out_wants})"},
		{"NAKs are measured", "x_ack_q && x_told_q && x_path_q && !x_nak_q", "x_ack_q && x_told_q && x_path_q"},
		{"connections without path are measured", "x_ack_q && x_told_q && x_path_q && !x_nak_q", "x_ack_q && x_told_q && !x_nak_q"},
		{"an ACK tells LAPS another PSN", "({swap2(x_body_q[15:0]), x_conn_q, x_psn_q, sample_cut})", "({swap2(x_body_q[15:0]), x_conn_q, x_psn_q ^ PSN_W'(1), sample_cut})"},
		{"a packet without path gets a shim", "h_shim && (h_echo || h_good)", "h_shim && (h_echo || h_good || h_path[15:0] == '0)"},
		{"shims of ACKs are shims of data", "record_data_q  <= shim_m_shim_type == 2'd0;", "record_data_q  <= 1'b1;"},
		{"probes of the wire reach nobody", "shim_m_shim_valid && shim_m_shim_end", "shim_m_shim_valid && !shim_m_shim_end"},
		{"untracked packets are tracked", "{laps_s_packet_track, laps_s_packet_dst, laps_s_packet_seq}", "{laps_s_packet_dst[0], laps_s_packet_dst[13:1], laps_s_packet_track, laps_s_packet_seq}"},
		{"the time is that of 65 µs before", "h_anchors, swap6(now_q),", "h_anchors, swap6(now_q - 48'h1_0000),"},
		{"a rate goes to another connection", ".s_conn  (laps_m_rate_flow)", ".s_conn  (laps_m_rate_flow ^ 16'd1)"},
		{"a rate of a flow that does not exist counts, and no other", "laps_m_rate_valid && laps_m_rate_cause != 3'd6", "laps_m_rate_valid && laps_m_rate_cause == 3'd6"},
	} {
		if sample.LeftOut(t.Name() + "/" + x.name) {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			p := params.Default()
			if err := gen.Configure(p, small+lapsSet); err != nil {
				t.Fatal(err)
			}
			b := Unit.Bench(p)
			planted := false
			b.Edit = func(name, text string) string {
				if name != top {
					return text
				}
				planted = strings.Count(text, x.from) == 1
				return strings.Replace(text, x.from, x.to, 1)
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: 400_000})
			switch {
			case err != nil:
				t.Fatal(err)
			case !planted:
				t.Fatal("the text is not there, or more than once")
			case r.OK():
				t.Fatal("not noticed")
			}
			t.Logf("cycle %d: %s%s", r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
		})
	}
}
