# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Vivado: tclsh stub.tcl CALLS SCRIPT ARGUMENTS. Each Vivado
# command that a script may use is recorded in the file CALLS, one a line; any
# other unknown command is an error, and so are missing files. The environment
# variable STUB_FAIL names a command that fails, STUB_WNS is the slack, STUB_ROW
# a row that report_utilization lacks.

set stub_calls [open [lindex $argv 0] w]
set stub_script [lindex $argv 1]
set argv [lrange $argv 2 end]
set argc [llength $argv]

proc stub_env {name default} {
  return [expr {[info exists ::env($name)] ? $::env($name) : $default}]
}

# stub_call records a call and checks its options: "-x" takes nothing, "-x="
# a value, "-x<" a file to read, "-x>" a file to write; positions is the least
# and largest number of words besides.
proc stub_call {name options least most words} {
  puts $::stub_calls [list $name {*}$words]
  flush $::stub_calls
  if {[stub_env STUB_FAIL ""] eq $name} {
    error "$name failed on purpose"
  }
  set rest {}
  for {set i 0} {$i < [llength $words]} {incr i} {
    set word [lindex $words $i]
    if {![string match -* $word]} {
      lappend rest $word
    } elseif {$word in $options} {
      continue
    } elseif {"$word=" in $options} {
      incr i
    } elseif {"$word>" in $options} {
      incr i
      close [open [lindex $words $i] w]
    } else {
      error "$name: unknown option $word"
    }
    if {$i >= [llength $words]} {
      error "$name: $word needs a value"
    }
  }
  if {[llength $rest] < $least || [llength $rest] > $most} {
    error "$name: [llength $rest] words, want $least to $most"
  }
  return $rest
}

proc stub_reads {name files} {
  foreach file $files {
    if {![file isfile $file]} {
      error "$name: no file $file"
    }
  }
}

foreach {name options least most} {
  set_param {} 2 2
  create_project {-in_memory -part=} 0 0
  synth_design {-top= -part= -mode=} 0 0
  opt_design {} 0 0
  place_design {} 0 0
  phys_opt_design {} 0 0
  route_design {} 0 0
  report_design_analysis {-logic_level_distribution -file>} 0 0
  report_methodology {-file>} 0 0
  report_cdc {-file>} 0 0
  create_clock {-period= -name= -add} 1 1
  set_property {-dict= -name= -value= -objects=} 0 3
  get_ports {} 1 1
  get_runs {} 1 1
  current_design {} 0 0
} {
  proc $name {args} [format {return [stub_call %s %s %d %d $args]} $name [list $options] $least $most]
}
foreach name {read_mem read_verilog read_xdc} {
  proc $name {args} [format {stub_reads %1$s [stub_call %1$s {-sv -mode=} 1 1 $args]} $name]
}
proc write_checkpoint {args} {
  close [open [lindex [stub_call write_checkpoint -force 1 1 $args] 0] w]
}
proc report_timing_summary {args} {
  stub_call report_timing_summary {-max_paths= -no_header -return_string -file>} 0 0 $args
  return "
------------------------------------------------------------------------------------------------
| Design Timing Summary
| ---------------------
------------------------------------------------------------------------------------------------

    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)
    -------      -------  ---------------------  -------------------      -------      -------
      [stub_env STUB_WNS 0.412]        0.000                      0                  812        0.021        0.000
"
}
proc report_utilization {args} {
  stub_call report_utilization {-hierarchical -return_string -file>} 0 0 $args
  set text "1. CLB Logic\n------------\n\n"
  foreach {row used} {
    {CLB LUTs*} 390 {LUT as Logic} 310 {CLB Registers} 402 {Register as Flip Flop} 402
    {Block RAM Tile} 3.5 {RAMB36/FIFO*} 1 URAM 2 DSPs 0
  } {
    if {[string trimright $row *] ne [stub_env STUB_ROW ""]} {
      append text "| [format %-26s $row] |  $used |     0 |          0 |      1303680 |  0.03 |\n"
    }
  }
  return $text
}
rename unknown {}
proc unknown {args} {
  error "[lindex $args 0] is no command that Vivado's stand-in knows"
}

set argv0 $stub_script
source $stub_script
