// SPDX-License-Identifier: Apache-2.0
//
// What the texts of properties use.

// In the module that is proved: power-up leaves anything in the registers and memories,
// then there is a reset of at least one cycle. started is low in its first cycle only.
`define AFTER_RESET \
  logic started = 1'b0; \
  always_ff @(posedge clk) started <= 1'b1; \
  always_comb if (!started) assume (rst);

// The same for a module that registers rst, and so is reset a cycle later: started is low
// in the first two cycles.
`define AFTER_REGISTERED_RESET \
  logic begun = 1'b0; \
  logic started = 1'b0; \
  always_ff @(posedge clk) begin \
    begun   <= 1'b1; \
    started <= begun; \
  end \
  always_comb if (!begun) assume (rst);

// A register that has one value for ever, any one: what holds for it holds for all.
`define ANY(width, name) \
  logic [(width)-1:0] name; \
  always_ff @(posedge clk) name <= name;

// Whenever it is so, this holds. That it can be so is shown as well.
`define PROPERTY(name, when, holds) \
  logic name``__holds; \
  logic name``__when; \
  assign name``__when  = started && (when); \
  assign name``__holds = !name``__when || (holds); \
  always_comb begin \
    name : assert (name``__holds); \
    name``__reached : assert (!name``__when); \
  end

// A property that helps to prove others.
`define LEMMA(name, holds) \
  logic name``__holds; \
  assign name``__holds = !started || (holds); \
  always_comb begin \
    name : assert (name``__holds); \
  end
