// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic asks for paths and shifts seed words in, and sums up the answers: one unknown
// bit in an output that counts makes the sum unknown for good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] answers, output reg [31:0] forced);
  reg  [31:0] lfsr;
  wire        valid, none, saturated;
  wire  [2:0] index;
  wire [15:0] tag;
  wire [31:0] picks, nones, saturations;

  nic_laps_pick dut (
    .clk (clk), .rst (rst),
    .s_pick_valid (lfsr[0] || lfsr[1]), .s_pick_usable (lfsr[6:2] & {5{lfsr[9:7] != 3'd0}}),
    .s_pick_latency ({lfsr[31:0], lfsr[15:0], lfsr[31:16], lfsr[5:0]} | {70{lfsr[12:10] == 3'd0}}),
    .s_pick_tag (lfsr[31:16]), RANDOM
    .m_pick_valid (valid), .m_pick_none (none), .m_pick_saturated (saturated), .m_pick_index (index), .m_pick_tag (tag),
    .s_seed_valid (lfsr[17:13] == 5'd0), .s_seed_word (lfsr[31:16]),
    .sts_pick_cnt (picks), .sts_none_cnt (nones), .sts_saturated_cnt (saturations)
  );

  always @(posedge clk) begin
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    sum  <= {sum[30:0], sum[31]} ^ valid ^ picks ^ nones ^ saturations;
    if (valid) begin
      sum     <= {sum[30:0], sum[31]} ^ {tag, index, none, saturated} ^ picks ^ nones ^ saturations;
      answers <= answers + 1;
      if (none || saturated) forced <= forced + 1;
    end
    if (rst) begin
      lfsr    <= 32'h1234567;
      sum     <= 0;
      answers <= 0;
      forced  <= 0;
    end
  end
endmodule
`

// The hardware powers up with any content of its registers and delay lines, and a
// simulator with unknown bits with those. After reset no answer may depend on them: a
// simulator that knows X shows what the bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	for _, c := range []struct{ name, set string }{
		{"race", ""}, {"race, noise in LUTs", "noise_memory=lut"}, {"lookup", "picker=lookup"}, {"injected", "inject=true"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := suite.Configure(t, "paths=5 "+c.set)
			inject := ""
			if p.Inject {
				inject = fmt.Sprintf(".s_pick_inject (lfsr[18]), .s_pick_random ({%d{lfsr[7:0]}}),", p.RandomBits()/8)
				if p.RandomBits()%8 != 0 {
					inject = fmt.Sprintf(".s_pick_inject (lfsr[18]), .s_pick_random ({{%d{lfsr[7:0]}}, lfsr[%d:8]}),", p.RandomBits()/8, 7+p.RandomBits()%8)
				}
			}
			text := strings.Replace(traffic, "RANDOM", inject, 1)
			benchtest.UnknownMemories(t, benchtest.Texts(t, p), text, 400, map[string]uint64{"answers": 200, "forced": 30})
		})
	}
}
