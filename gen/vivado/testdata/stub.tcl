# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Vivado: tclsh stub.tcl CALLS SCRIPT ARGUMENTS. Each Vivado command that a
# script may use is recorded in the file CALLS, one a line; any other unknown command is an
# error, and so are missing files. A SCRIPT that ends in .xdc is read as constraints.
#
# Constraints are executed: only what Vivado accepts in them is there, ports and cells have
# to exist, and what check_timing and report_timing_summary say follows from them. So a
# constraint that is left out shows as it would in Vivado, and nothing else does.
#
# Environment
#   STUB_PORTS   ports and their directions, "clk IN rst IN ready OUT"
#   STUB_CLOCKS  the ports that have to have a clock, "clk"
#   STUB_PINS    clock pins of instances and the ports that they hang on, "u_a/s_clk clk"; others
#                hang on the first of STUB_CLOCKS
#   STUB_CELLS   names of cells
#   STUB_INSTANCES   instances and their modules, "u_a a u_b b"
#   STUB_FAIL    a command that fails
#   STUB_WNS, STUB_WHS, STUB_WPWS, STUB_FAILING   slacks, and failing endpoints of each
#   STUB_CHECK   a check of check_timing and what it finds, "loops 2"
#   STUB_METHODOLOGY   a severity: a rule of it is broken
#   STUB_CRITICAL, STUB_ROUTING   critical warnings, nets with routing errors
#   STUB_ROW     a row that a report lacks

set stub_calls [open [lindex $argv 0] w]
set stub_script [lindex $argv 1]
set argv [lrange $argv 2 end]
set argc [llength $argv]

proc stub_env {name default} {
  if {[info exists ::env($name)]} {
    return $::env($name)
  }
  return $default
}

# Vivado had Tcl 8.5 for long: what came later is not there.
foreach command {lmap try throw tailcall coroutine yield yieldto zlib} {
  rename $command {}
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
    if {![string match -* $word] || [string is double -strict $word]} {
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

# stub_option returns the value of an option, or the default.
proc stub_option {words name default} {
  set i [lsearch -exact $words $name]
  if {$i < 0} {
    return $default
  }
  return [lindex $words [expr {$i + 1}]]
}

proc stub_reads {name files} {
  foreach file $files {
    if {![file isfile $file]} {
      error "$name: no file $file"
    }
  }
}

# What constraints have made: clocks and their periods, the ports with a minimum and a
# maximum delay, and the limits of paths.
set stub_clocks {}
set stub_clocked {} ;# ports that have one, and its name
foreach list {min max} {
  set stub_delay($list) {}
}

proc stub_ports {direction} {
  set list {}
  foreach {port is} [stub_env STUB_PORTS "clk IN rst IN s_valid IN m_valid OUT"] {
    if {$is eq $direction && $port ni [stub_env STUB_CLOCKS clk]} {
      lappend list $port
    }
  }
  return $list
}

# stub_lacking is the number of ports of a direction that lack what is in a list.
proc stub_lacking {direction list} {
  set n 0
  set has $::stub_delay($list)
  foreach port [stub_ports $direction] {
    incr n [expr {$port ni $has}]
  }
  return $n
}

foreach {name options least most} {
  set_param {} 2 2
  create_project {-in_memory -part=} 0 0
  synth_design {-top= -part= -mode= -directive= -generic=} 0 0
  opt_design {-directive=} 0 0
  place_design {-directive=} 0 0
  phys_opt_design {-directive=} 0 0
  route_design {-directive=} 0 0
  report_design_analysis {-logic_level_distribution -file>} 0 0
  report_pulse_width {-file>} 0 0
  report_high_fanout_nets {-load_types -fanout_greater_than= -max_nets= -file>} 0 0
  report_exceptions {-file>} 0 0
  report_cdc {-file>} 0 0
  set_property {-dict= -name= -value= -objects=} 0 3
  get_runs {} 1 1
  current_design {} 0 0
} {
  proc $name {args} [format {return [stub_call %s %s %d %d $args]} $name [list $options] $least $most]
}
foreach name {read_mem read_verilog} {
  proc $name {args} [format {stub_reads %1$s [stub_call %1$s -sv 1 1 $args]} $name]
}
proc write_checkpoint {args} {
  close [open [lindex [stub_call write_checkpoint -force 1 1 $args] 0] w]
}

# ---------------------------------------------------------------- constraints

proc read_xdc {args} {
  set file [stub_call read_xdc -mode= 1 1 $args]
  stub_reads read_xdc $file
  set xdc [interp create -safe]
  # UG903: of Tcl's own commands a file of constraints may use these.
  foreach command [$xdc eval {info commands}] {
    if {$command ni {set list expr}} {
      $xdc hide $command
    }
  }
  foreach command {
    create_clock set_property set_input_delay set_output_delay set_max_delay set_false_path set_bus_skew
    get_ports get_cells get_clocks current_design
  } {
    $xdc alias $command $command
  }
  set f [open [lindex $file 0]]
  set text [read $f]
  close $f
  if {[catch {$xdc eval $text} message]} {
    error "[file tail [lindex $file 0]]: $message"
  }
  interp delete $xdc
}

proc create_clock {args} {
  set ports [lindex [stub_call create_clock {-period= -name= -add} 1 1 $args] 0]
  set name [stub_option $args -name [lindex $ports 0]]
  set period [stub_option $args -period ""]
  if {![string is double -strict $period] || $period <= 0} {
    error "create_clock: period \"$period\""
  }
  if {[dict exists $::stub_clocks $name]} {
    error "create_clock: clock $name completely overrides clock $name"
  }
  dict set ::stub_clocks $name $period
  foreach port $ports {
    dict set ::stub_clocked $port $name
  }
}

# stub_unclocked is the number of ports that have to have a clock and have none.
proc stub_unclocked {} {
  set n 0
  foreach port [stub_env STUB_CLOCKS clk] {
    incr n [expr {![dict exists $::stub_clocked $port]}]
  }
  return $n
}

# get_ports finds ports by their name, or by a filter of directions and names.
proc get_ports {args} {
  set names [stub_call get_ports -filter= 0 1 $args]
  set filter [stub_option $args -filter ""]
  set list {}
  foreach {port direction} [stub_env STUB_PORTS "clk IN rst IN s_valid IN m_valid OUT"] {
    if {$filter ne ""} {
      set condition [string map [list DIRECTION {$direction} NAME {$port} == eq != ne] $filter]
      set condition [regsub -all {(\$port) =~ (\S+?)(\)|\s|$)} $condition {[string match {\2} \1]\3}]
      set condition [regsub -all {(\$port) !~ (\S+?)(\)|\s|$)} $condition {![string match {\2} \1]\3}]
      set condition [regsub -all {\m(eq|ne) (\w+)} $condition {\1 {\2}}]
      if {[expr $condition]} {
        lappend list $port
      }
    } elseif {[string match [lindex $names 0] $port]} {
      lappend list $port
    }
  }
  if {[llength $list] == 0} {
    error "get_ports: no port matches \"$args\""
  }
  return $list
}

# get_cells finds cells by their names, or instances by a filter that names their module.
proc get_cells {args} {
  set patterns [stub_call get_cells {-hierarchical -quiet -filter=} 0 1 $args]
  set list {}
  if {[llength $patterns] == 0} {
    foreach {instance module} [stub_env STUB_INSTANCES ""] {
      if {[stub_option $args -filter ""] eq "ORIG_REF_NAME == $module || REF_NAME == $module"} {
        lappend list $instance
      }
    }
    return $list
  }
  foreach pattern [lindex $patterns 0] {
    set found [lsearch -all -inline -glob [stub_env STUB_CELLS ""] [string map {[ \\[ ] \\]} $pattern]]
    if {[llength $found] == 0} {
      error "get_cells: no cell matches \"$pattern\""
    }
    lappend list {*}$found
  }
  return $list
}

proc get_clocks {args} {
  set names [stub_call get_clocks {-quiet -of_objects=} 0 1 $args]
  if {"-of_objects" in $args} {
    set port [lindex [stub_env STUB_CLOCKS clk] 0]
    set pin [stub_option $args -of_objects ""]
    if {[dict exists [stub_env STUB_PINS ""] $pin]} {
      set port [dict get [stub_env STUB_PINS ""] $pin]
    }
    if {![dict exists $::stub_clocked $port]} {
      error "get_clocks: no clock at $pin, which hangs on $port"
    }
    return [dict get $::stub_clocked $port]
  }
  if {[llength $names] == 0} {
    return [dict keys $::stub_clocks]
  }
  if {![dict exists $::stub_clocks [lindex $names 0]]} {
    error "get_clocks: no clock matches \"[lindex $names 0]\""
  }
  return $names
}

# get_pins knows the pins of instances.
proc get_pins {args} {
  set name [lindex [stub_call get_pins {} 1 1 $args] 0]
  if {![dict exists [stub_env STUB_INSTANCES ""] [file dirname $name]]} {
    error "get_pins: no pin matches \"$name\""
  }
  return $name
}

foreach {name direction} {set_input_delay IN set_output_delay OUT} {
  proc $name {args} [format {
    lassign [stub_call %1$s {-clock= -max -min} 2 2 $args] delay ports
    if {![dict exists $::stub_clocks [stub_option $args -clock ""]]} {
      error "%1$s: no clock \"[stub_option $args -clock {}]\""
    }
    if {![string is double -strict $delay]} {
      error "%1$s: delay \"$delay\""
    }
    set known [stub_ports %2$s]
    foreach port $ports {
      if {$port ni $known} {
        error "%1$s: $port is the clock, or not of direction %2$s"
      }
      foreach side {min max} {
        if {"-$side" in $args || !("-min" in $args || "-max" in $args)} {
          if {$port in $::stub_delay($side)} {
            error "%1$s: $port has a delay already"
          }
          lappend ::stub_delay($side) $port
        }
      }
    }
  } $name $direction]
}
proc set_max_delay {args} {
  set delay [stub_call set_max_delay {-datapath_only -from= -to=} 1 1 $args]
  if {"-datapath_only" in $args && "-from" ni $args} {
    error "set_max_delay: -datapath_only needs -from"
  }
  if {![string is double -strict [lindex $delay 0]]} {
    error "set_max_delay: delay \"$delay\""
  }
}
proc set_false_path {args} {
  stub_call set_false_path {-hold -setup -from= -to=} 0 0 $args
}
proc set_bus_skew {args} {
  stub_call set_bus_skew {-from= -to=} 1 1 $args
}

# ---------------------------------------------------------------- reports

proc get_property {args} {
  lassign [stub_call get_property {} 2 2 $args] property object
  switch -exact -- $property {
    NAME { return $object }
    PERIOD { return [dict get $::stub_clocks $object] }
    FLAT_PIN_COUNT { return 129 }
    default { error "get_property: unknown property $property" }
  }
}
proc get_nets {args} {
  stub_call get_nets {-quiet -hierarchical -top_net_of_hierarchical_group -filter=} 0 0 $args
  return rst_q
}
proc get_msg_config {args} {
  stub_call get_msg_config {-severity= -count} 0 0 $args
  return [stub_env STUB_CRITICAL 0]
}
proc check_timing {args} {
  stub_call check_timing {-verbose -no_header -return_string -file>} 0 0 $args
  set clocked [expr {[stub_unclocked] == 0}]
  set text "Table of Contents\n-----------------\n"
  set i 0
  foreach {name n} [list \
    no_clock [expr {$clocked ? 0 : 402}] constant_clock 0 pulse_width_clock 0 \
    unconstrained_internal_endpoints [expr {$clocked ? 0 : 812}] \
    no_input_delay [stub_lacking IN max] no_output_delay [stub_lacking OUT max] \
    multiple_clock 0 generated_clocks 0 loops 0 \
    partial_input_delay [expr {abs([stub_lacking IN min] - [stub_lacking IN max])}] \
    partial_output_delay [expr {abs([stub_lacking OUT min] - [stub_lacking OUT max])}] latch_loops 0] {
    if {$name eq [lindex [stub_env STUB_CHECK ""] 0]} {
      set n [lindex [stub_env STUB_CHECK ""] 1]
    }
    if {$name ne [stub_env STUB_ROW ""]} {
      append text "[incr i]. checking $name ($n)\n"
    }
  }
  return "$text\n1. checking no_clock\n--------------------\n There are 0 register/latch pins with no clock.\n"
}
proc report_timing_summary {args} {
  stub_call report_timing_summary {-max_paths= -no_header -return_string -file>} 0 0 $args
  set clocked [expr {[stub_unclocked] == 0}]
  set row {}
  foreach {name good} {STUB_WNS 0.412 STUB_WHS 0.021 STUB_WPWS 0.927} {
    if {!$clocked} {
      set good NA
    }
    set worst [stub_env $name $good]
    if {$worst eq "NA"} {
      lappend row NA NA NA NA
    } else {
      set fails [expr {[string match -* $worst] ? 3 : 0}]
      lappend row $worst [expr {$fails ? -0.123 : 0.000}] [stub_env STUB_FAILING $fails] 812
    }
  }
  if {[stub_env STUB_ROW ""] eq "WNS(ns)"} {
    return "nothing\n"
  }
  return "
------------------------------------------------------------------------------------------------
| Design Timing Summary
| ---------------------
------------------------------------------------------------------------------------------------

    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  THS Failing Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints  TPWS Total Endpoints  
    -------      -------  ---------------------  -------------------      -------      -------  ---------------------  -------------------     --------     --------  ----------------------  --------------------  
      [join $row {        }]  


All user specified timing constraints are met.
"
}
proc report_methodology {args} {
  stub_call report_methodology {-return_string -file>} 0 0 $args
  if {[stub_env STUB_ROW ""] eq "Violations found"} {
    return "nothing\n"
  }
  set severity [stub_env STUB_METHODOLOGY Warning]
  return "1. REPORT SUMMARY
-----------------
            Netlist: netlist
          Floorplan: checkpoint_nic_sample
             Violations found: 4
+-----------+------------------+----------------------------------------------------------+------------+
| Rule      | Severity         | Description                                              | Violations |
+-----------+------------------+----------------------------------------------------------+------------+
| TIMING-11 | [format %-16s $severity] | Inappropriate max delay with datapath only option        | 4          |
+-----------+------------------+----------------------------------------------------------+------------+
"
}
proc report_route_status {args} {
  stub_call report_route_status {-return_string -file>} 0 0 $args
  set text "Design Route Status
                                               :      # nets :
   ------------------------------------------- : ----------- :
       # of routable nets..................... :         678 :
           # of fully routed nets............. :         678 :
"
  if {[stub_env STUB_ROW ""] ne "routing errors"} {
    append text "       # of nets with routing errors.......... :  [format %10d [stub_env STUB_ROUTING 0]] :\n"
  }
  return $text
}
proc report_control_sets {args} {
  stub_call report_control_sets {-verbose -return_string -file>} 0 0 $args
  if {[stub_env STUB_ROW ""] eq "Total control sets"} {
    return "nothing\n"
  }
  return "1. Summary
----------
+----------------------------------------------------------+-------+
|                          Status                          | Count |
+----------------------------------------------------------+-------+
| Total control sets                                       |    17 |
|    Minimum number of control sets                        |    15 |
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
if {[file extension $stub_script] eq ".xdc"} {
  read_xdc $stub_script
} else {
  source $stub_script
}
