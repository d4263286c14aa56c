# SPDX-License-Identifier: Apache-2.0
#
# Out-of-context constraints of @TOP@ for @PART@.
#
# Read it only where the unit is synthesised alone:
#   non-project mode   read_xdc -mode out_of_context @XDC@
#   project mode       source @OOC@
# Inside a design the clock comes from the MAC or the PCIe core, whose own
# constraints define it: there this file must not be read.

# The CMAC's user clock, 322.265625 MHz. For a 250 MHz core clock: 4.000.
create_clock -period @PERIOD@ -name clk [get_ports clk]

# Without a clock buffer in the design Vivado would assume an ideal clock. The
# site only has to be a global buffer of the device; the clock must exist first.
set_property HD.CLK_SRC BUFGCTRL_X0Y2 [get_ports clk]
