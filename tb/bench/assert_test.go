// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/toy"
)

// Assertions become a module with the ports and parameters that they name, bound to the top.
func TestAssertions(t *testing.T) {
	got := assertions(toy.New(), []Assert{{Name: "stays", Property: "!cfg_enable |=> $stable(m_count)", Message: "it counts"}})
	const want = "`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n" + `
module nic_toy_sva #(
  parameter int unsigned COUNT_BITS = 8
) (
  input wire logic clk,
  input wire logic rst,
  input wire logic cfg_enable,
  input wire logic [COUNT_BITS-1:0] m_count
);

  stays : assert property (@(posedge clk) disable iff (rst)
    !cfg_enable |=> $stable(m_count))
    else $error("it counts");

endmodule

bind nic_toy nic_toy_sva #(
  .COUNT_BITS (COUNT_BITS)
) sva (
  .clk (clk),
  .rst (rst),
  .cfg_enable (cfg_enable),
  .m_count (m_count)
);

` + "`resetall\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Situations are listed, required unless a configuration cannot reach them, and counted one by one.
func TestSituations(t *testing.T) {
	l := Situations[int]{
		{Name: "even", Doc: "an even number", Is: func(n *int) bool { return *n%2 == 0 }},
		{Name: "large", Doc: "more than 3", Is: func(n *int) bool { return *n > 3 }},
	}
	var points Points
	l.AddTo(&points, "large")
	if len(points) != 2 || !points[0].Required || points[1].Required || points[1].Name != "large" {
		t.Errorf("points %+v, want even, which is required, and large", points)
	}
	hits := make([]uint64, 2)
	for n := range 6 {
		l.Count(hits, &n)
	}
	if hits[0] != 3 || hits[1] != 2 {
		t.Errorf("hits %v of 0 to 5, want 3 and 2", hits)
	}
}
