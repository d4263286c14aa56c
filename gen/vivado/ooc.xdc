# SPDX-License-Identifier: Apache-2.0
#
# Out-of-context constraints of @TOP@ for @PART@.
#
# Read it only where the unit is synthesised alone:
#   non-project mode   read_xdc -mode out_of_context @XDC@
#   project mode       source @OOC@
# Inside a design the clock comes from the MAC or the PCIe core, whose own
# constraints define it, and both ends of a port's path are there: in a design this
# file must not be read.

# The CMAC's user clock, 322.265625 MHz. For a 250 MHz core clock: 4.000.
set period @PERIOD@
create_clock -period $period -name clk [get_ports clk]

# The clock's buffer is outside. Without a site for it Vivado would neglect the clock's
# skew. The site only has to be a global buffer of the device; the clock must exist first.
@CLK_SRC@

# Of each path through a port, @SHARE@ % of the period pass outside the unit: a register,
# a LUT and two short wires. The rest is the unit's, also of the way from an input to an
# output, which passes outside twice.
set outside [expr {@SHARE@ * $period / 100.0}]
set inputs  [get_ports -filter {DIRECTION == IN && NAME != clk}]
set outputs [get_ports -filter {DIRECTION == OUT}]
set_input_delay  -clock clk -max $outside $inputs
set_input_delay  -clock clk -min 0        $inputs
set_output_delay -clock clk -max $outside $outputs
set_output_delay -clock clk -min 0        $outputs

# The registers outside have no place, so the way of the clock to them is unknown. With the
# way to the unit's own registers alone, inputs would look too fast and outputs too slow:
# -datapath_only leaves it out on both sides, and with it the check for hold, which only the
# whole design can make. The delays above stay part of the path (UG903). For the methodology
# report this is TIMING-11, a warning.
set_max_delay -datapath_only -from $inputs          $period
set_max_delay -datapath_only -from [get_clocks clk] -to $outputs $period
