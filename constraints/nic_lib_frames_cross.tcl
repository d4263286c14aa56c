# SPDX-License-Identifier: Apache-2.0
#
# Constrains each instance of nic_lib_frames_cross in a design. A script, not a file of
# constraints: source it once the design is synthesised, after all clocks are defined, or
# read it with read_xdc -unmanaged.

set crossings [get_cells -hierarchical -filter {ORIG_REF_NAME == nic_lib_frames_cross || REF_NAME == nic_lib_frames_cross}]
if {[llength $crossings] == 0} {
  error "nic_lib_frames_cross.tcl: the design has no instance of nic_lib_frames_cross"
}
foreach inst $crossings {
  set src [get_property PERIOD [get_clocks -of_objects [get_pins $inst/s_clk]]]
  set dst [get_property PERIOD [get_clocks -of_objects [get_pins $inst/m_clk]]]

  # A Gray code moves by a bit in each cycle of its own clock. As long as its bits arrive less
  # than that apart, what is sampled is a code that was there. The beats themselves cross in the
  # RAM, long before the count of frames does.
  set_max_delay -datapath_only -from [get_cells $inst/frames_gray_q_reg\[*\]] -to [get_cells $inst/frames_sync_q_reg\[*\]] $src
  set_bus_skew -from [get_cells $inst/frames_gray_q_reg\[*\]] -to [get_cells $inst/frames_sync_q_reg\[*\]] $src
  set_max_delay -datapath_only -from [get_cells $inst/rd_gray_q_reg\[*\]] -to [get_cells $inst/rd_sync_q_reg\[*\]] $dst
  set_bus_skew -from [get_cells $inst/rd_gray_q_reg\[*\]] -to [get_cells $inst/rd_sync_q_reg\[*\]] $dst
  puts "nic_lib_frames_cross: $inst, from $src ns to $dst ns"
}
