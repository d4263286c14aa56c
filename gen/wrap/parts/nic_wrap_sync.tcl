# SPDX-License-Identifier: Apache-2.0
#
# Takes the way to the first register of each instance of nic_wrap_sync out of timing: a level that
# stays, from another clock. A script, not a file of constraints: source it once the design is
# synthesised, or read it with read_xdc -unmanaged.

set levels [get_cells -hierarchical -filter {ORIG_REF_NAME == nic_wrap_sync || REF_NAME == nic_wrap_sync}]
if {[llength $levels] == 0} {
  error "nic_wrap_sync.tcl: the design has no instance of nic_wrap_sync"
}
foreach inst $levels {
  set_false_path -to [get_cells $inst/sync_q_reg\[0\]]
  puts "nic_wrap_sync: $inst"
}
