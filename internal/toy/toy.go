// SPDX-License-Identifier: Apache-2.0

// Package toy provides a small unit, a counter with a limit, for the tests of the packages that
// work on any unit. It is not in the registry.
package toy

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Params is one configuration of the counter. It has a field of every kind.
type Params struct {
	Name    string // the unit's name, so that a test can have several
	Bits    int64
	Step    int64
	Style   string
	Wrap    bool
	LimitNS int64
	Enable  bool
	Dir     string
}

// New returns the default counter, called "toy".
func New() gen.Config { return Named("toy") }

// Named returns the default counter under another name.
func Named(name string) *Params {
	return &Params{Name: name, Bits: 8, Step: 1, Style: "plain", Wrap: true, LimitNS: 100, Enable: true, Dir: "up"}
}

// Fields implements gen.Config.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "count_bits", Group: "Structure", Unit: "bits", Int: &p.Bits, Min: 2, Max: 32, Flag: true, SV: "COUNT_BITS",
			Doc: "Width of the counter.", Cost: "1 LUT and 1 FF a bit", Ref: "Toy §1"},
		{Key: "step", Group: "Structure", Int: &p.Step, Min: 1, Max: 64, PowerOfTwo: true, Flag: true, SV: "STEP",
			Doc: "What the counter advances by.", Cost: "none", Ref: "Toy §2"},
		{Key: "style", Group: "Structure", Enum: &p.Style, Choices: []string{"plain", "gray", "off"}, Flag: true,
			Doc: "How the count is encoded.", Ref: "Toy §3"},
		{Key: "wrap", Group: "Structure", Bool: &p.Wrap, SV: "WRAP",
			Doc: "Whether the counter starts again at its limit."},
		{Key: "limit_ns", Group: "Run-time settings", Unit: "ns", Int: &p.LimitNS, Min: 0, Max: 1<<32 - 1, Runtime: true, Port: "cfg_limit_ns",
			Doc: "The last value."},
		{Key: "enable", Group: "Run-time settings", Bool: &p.Enable, Flag: true, Runtime: true, Port: "cfg_enable",
			Doc: "Whether it counts."},
		{Key: "direction", Group: "Run-time settings", Enum: &p.Dir, Choices: []string{"up", "down", "hold"}, Runtime: true, Port: "cfg_direction",
			Doc: "Where it counts to."},
	}
}

// Check implements gen.Config.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	if p.Step >= 1<<p.Bits {
		out = append(out, gen.Problem{Key: "step", Found: fmt.Sprint(p.Step), Allowed: fmt.Sprintf("below 2^count_bits (%d)", 1<<p.Bits)})
	}
	if p.LimitNS >= 1<<p.Bits {
		out = append(out, gen.Problem{Key: "limit_ns", Found: fmt.Sprint(p.LimitNS), Allowed: fmt.Sprintf("below 2^count_bits (%d)", 1<<p.Bits)})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return p.Name }

// Title implements gen.Config.
func (p *Params) Title() string { return "Toy counter" }

// Paper implements gen.Config.
func (p *Params) Paper() string { return "Anon., Toys, 2026" }

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_" + p.Name }

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	b := int(p.Bits)
	return []gen.Port{
		{Name: "clk", Bits: 1, Group: "Clock and reset", Meaning: "Clock."},
		{Name: "rst", Bits: 1, Group: "Clock and reset", Meaning: "Synchronous reset, active high."},
		{Name: "cfg_limit_ns", Width: "COUNT_BITS", Bits: b, Group: "Run-time settings", Format: "unsigned, ns", Meaning: "The last value."},
		{Name: "cfg_enable", Width: "1", Bits: 1, Group: "Run-time settings", Meaning: "Counts while 1."},
		{Name: "cfg_direction", Width: "2", Bits: 2, Group: "Run-time settings", Format: "0 up, 1 down, 2 hold", Meaning: "Where it counts to."},
		{Name: "m_count", Dir: gen.Out, Width: "COUNT_BITS", Bits: b, Group: "Count", Format: "unsigned", Timing: "registered", Meaning: "The count."},
	}
}

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"enable to count": 1} }

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	text := "// The toy counter.\n\n`default_nettype none\n\n" + sv.Header(p) + `
` + sv.Checks(p) + `
  localparam logic [COUNT_BITS-1:0] LAST = COUNT_BITS'(0);

  logic [COUNT_BITS-1:0] count_q;

  initial count_q = LAST;

  always @(posedge clk) begin
    if (cfg_enable && cfg_direction == 2'd0) begin
      if (count_q < cfg_limit_ns) count_q <= count_q + COUNT_BITS'(STEP);
      else if (WRAP) count_q <= LAST;
    end else if (cfg_enable && cfg_direction == 2'd1) begin
      count_q <= count_q - COUNT_BITS'(STEP);
    end
    if (rst) count_q <= LAST;
  end

`
	if p.Style == "gray" {
		text += "  assign m_count = count_q ^ (count_q >> 1);\n"
	} else {
		text += "  assign m_count = count_q;\n"
	}
	text += "endmodule\n\n`resetall\n"
	return []gen.File{{Name: p.Top() + ".sv", Text: text}}, nil
}

// Notes implements gen.Noted.
func (p *Params) Notes() string { return "## Notes\n\nIt counts.\n" }
