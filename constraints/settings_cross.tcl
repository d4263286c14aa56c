# SPDX-License-Identifier: Apache-2.0
#
# Constrains each instance of settings_cross in a design. A script, not a file of
# constraints: source it once the design is synthesised, after all clocks are defined, or
# read it with read_xdc -unmanaged.

set crossings [get_cells -hierarchical -filter {ORIG_REF_NAME == settings_cross || REF_NAME == settings_cross}]
if {[llength $crossings] == 0} {
  error "settings_cross.tcl: the design has no instance of settings_cross"
}
foreach inst $crossings {
  set src [get_property PERIOD [get_clocks -of_objects [get_pins $inst/src_clk]]]
  set dst [get_property PERIOD [get_clocks -of_objects [get_pins $inst/clk]]]

  # The word keeps still from before the request toggles until the answer is back. The
  # unit's side looks at it two cycles of clk after the request at the earliest: one is
  # enough for its bits to arrive, and they may be that far apart.
  set_max_delay -datapath_only -from [get_cells $inst/word_q_reg\[*\]] -to [get_cells $inst/cfg_q_reg\[*\]] $dst
  if {[llength [get_cells $inst/word_q_reg\[*\]]] > 1} { ;# a single bit has no skew, and Vivado refuses it
    set_bus_skew -from [get_cells $inst/word_q_reg\[*\]] -to [get_cells $inst/cfg_q_reg\[*\]] $dst
  }

  set_max_delay -datapath_only -from [get_cells $inst/req_q_reg] -to [get_cells $inst/req_sync_q_reg\[0\]] $src
  set_max_delay -datapath_only -from [get_cells $inst/ack_q_reg] -to [get_cells $inst/ack_sync_q_reg\[0\]] $dst
  puts "settings_cross: $inst, from $src ns to $dst ns"
}
