# SPDX-License-Identifier: Apache-2.0
#
# Out-of-context constraints of @TOP@ for @PART@.
#
# Read it only where the module is synthesised alone:
#   read_xdc -mode out_of_context @XDC@
# Inside a design the clocks come from cores whose own constraints define them, and both
# ends of a port's path are there: in a design this file must not be read.
#
# Each clock has a block here: its period; the site of its buffer, which is outside, and without
# which Vivado would neglect the clock's skew; and its ports. Of each path through a port,
# @SHARE@ % of the period pass outside the module. -datapath_only leaves out the clock's way, which is
# known on one side only, and the check for hold, which only the whole design can make (UG903).
#
# No clocks are declared asynchronous: that would win over the limits of what crosses, which
# scripts set after synthesis (@CROSSINGS@).
