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
	const (
		events = "nic_transport_rx_events.sv"
		shims  = "nic_transport_shims_laps.sv"
		ask    = "nic_transport_tx_ask.sv"
		path   = "nic_transport_path_laps.sv"
	)
	for _, x := range []struct{ name, file, from, to string }{
		{"a delay is time - now", events, "now - record_time", "record_time - now"},
		{"anchors are those of another packet", shims, "swap4(h_path[16+32*i +: 32])", "swap4(s_path[16+32*i +: 32])"},
		{"a packet that was in no queue has another PSN", ask, "({direct_counts, direct_dst, direct_psn, direct_conn})", "({direct_counts, direct_dst, direct_psn ^ 24'd1, direct_conn})"},
		{"a packet that was in no queue goes to another destination", ask, "({direct_counts, direct_dst, direct_psn, direct_conn})", "({direct_counts, direct_dst ^ 14'd1, direct_psn, direct_conn})"},
		{"a packet of a queue goes to another destination", ask, "({release_counts, release_dst, release_psn, release_wants})", "({release_counts, release_dst ^ 14'd1, release_psn, release_wants})"},
		{"NAKs are measured", path, "s_ack_valid && s_ack_told && s_ack_path && !s_ack_nak", "s_ack_valid && s_ack_told && s_ack_path"},
		{"connections without path are measured", path, "s_ack_valid && s_ack_told && s_ack_path && !s_ack_nak", "s_ack_valid && s_ack_told && !s_ack_nak"},
		{"an ACK tells LAPS another PSN", path, "({swap2(s_ack_body[15:0]), s_ack_conn, s_ack_psn, sample_cut})", "({swap2(s_ack_body[15:0]), s_ack_conn, s_ack_psn ^ 24'd1, sample_cut})"},
		{"a packet without path gets a shim", shims, "h_shim && (h_echo || h_good)", "h_shim && (h_echo || h_good || h_path[15:0] == '0)"},
		{"shims of ACKs are shims of data", events, "record_data_q  <= shim_type == 2'd0;", "record_data_q  <= 1'b1;"},
		{"probes of the wire reach nobody", path, "shim_valid && shim_end", "shim_valid && !shim_end"},
		{"untracked packets are tracked", ask, "{m_send_track, m_send_dst, m_send_psn}", "{m_send_dst[0], m_send_dst[13:1], m_send_track, m_send_psn}"},
		{"the time is that of 65 µs before", shims, "h_anchors, swap6(now),", "h_anchors, swap6(now - 48'h1_0000),"},
		{"a rate goes to another connection", path, ".s_conn  (laps_m_rate_flow)", ".s_conn  (laps_m_rate_flow ^ 16'd1)"},
		{"a rate of a flow that does not exist counts, and no other", path, "laps_m_rate_valid && laps_m_rate_cause != 3'd6", "laps_m_rate_valid && laps_m_rate_cause == 3'd6"},
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
				if name != x.file {
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
