# SPDX-License-Identifier: Apache-2.0
#
# Synthesises and implements @TOP@ alone, out of context, for @PART@,
# and checks the result.
#
#   vivado -mode batch -nojournal -nolog -source @TCL@ [-tclargs ARGUMENTS]
#
@DIRECTIVES@
# Arguments
#   -out DIR        folder for reports and checkpoints (@UNIT@_vivado)
@PERIOD_HELP@
#   -jobs N         threads, 1 to 32 (what Vivado chooses)
#   -synth_only     stop after synthesis: no placement, timing is an estimate
#   -help           print this text
#
# The unit is signed off if, after routing,
@CLOCK_RULE@
#   - setup, hold and pulse width are each checked somewhere and fail nowhere: a slack
#     that Vivado does not give is a failure;
#   - check_timing finds no pin without a clock, no endpoint and no port without a
#     constraint, no second clock, no loop;
#   - there is no routing error, no critical warning, and nothing worse than a warning
#     in the methodology report.
# After -synth_only the same is checked, except hold and routing.
#
# Files in DIR: summary.json (what was checked and found, slacks, control sets, nets of
# over 100 loads, resources), @TOP@.dcp, and the reports timing.rpt,
# check_timing.rpt, pulse_width.rpt, utilization.rpt, logic_levels.rpt, control_sets.rpt,
# fanout.rpt, methodology.rpt, exceptions.rpt, cdc.rpt, after routing route_status.rpt.
#
# Exit code: 0 signed off, or nothing found after -synth_only; 1 wrong use or a step that
# failed; 2 not signed off, each reason in a sentence.

namespace eval nicgen {
  variable here [file dirname [file normalize [info script]]]
  variable script [file normalize [info script]]
  variable unit @UNIT@
  variable top @TOP@
  variable part @PART@
  variable clocks {@CLOCKS@} ;# and their periods in nanoseconds

  # What check_timing must not find, and what that means.
  variable unconstrained {
    no_clock                         "%d clock pins have no clock"
    constant_clock                   "%d clock pins are constant"
    unconstrained_internal_endpoints "%d endpoints inside the unit are not constrained"
    no_input_delay                   "%d input ports have no input delay: paths from them are not timed"
    no_output_delay                  "%d output ports have no output delay: paths to them are not timed"
    partial_input_delay              "%d input ports have only part of an input delay"
    partial_output_delay             "%d output ports have only part of an output delay"
    multiple_clock                   "%d clock pins have more than one clock"
    generated_clocks                 "%d generated clocks have no master clock that reaches them"
    loops                            "%d combinational loops"
    latch_loops                      "%d combinational loops through latches"
  }

  # fail stops with a message for people, without a stack trace.
  proc fail {message} {
    return -code error -errorcode NICGEN $message
  }

  # unknown_report stops because a report does not look as expected.
  proc unknown_report {message} {
    fail "$message: this Vivado is not known to the script"
  }

  # arguments returns the arguments as an array list, checked.
  proc arguments {list} {
    variable unit
    variable clocks
    set arg(-out) [file normalize ${unit}_vivado]
    set periods $clocks
    set arg(-jobs) ""
    set arg(-synth_only) 0
    set arg(-help) 0
    for {set i 0} {$i < [llength $list]} {incr i} {
      set name [lindex $list $i]
      switch -exact -- $name {
        -synth_only - -help {
          set arg($name) 1
        }
        -out - -period - -jobs {
          incr i
          if {$i >= [llength $list]} {
            fail "$name: a value is missing"
          }
          if {$name eq "-period"} {
            set periods [dict replace $periods {*}[period [lindex $list $i]]]
          } else {
            set arg($name) [lindex $list $i]
          }
        }
        default {
          fail "unknown argument \"$name\": want -out DIR, -period NS, -jobs N, -synth_only or -help"
        }
      }
    }
    if {$arg(-out) eq ""} {
      fail "-out: the name of the folder is empty"
    }
    set arg(-out) [file normalize $arg(-out)]
    set arg(-period) $periods
    if {$arg(-jobs) ne "" && (![string is integer -strict $arg(-jobs)] || $arg(-jobs) < 1 || $arg(-jobs) > 32)} {
      fail "-jobs \"$arg(-jobs)\": want a whole number from 1 to 32"
    }
    return [array get arg]
  }

  # period reads a period: NS, of the first clock, or CLOCK=NS.
  proc period {text} {
    variable clocks
    set clock [lindex $clocks 0]
    set ns $text
    if {[regexp {^(.*?)=(.*)$} $text -> clock ns] && ![dict exists $clocks $clock]} {
      fail "-period \"$text\": no clock \"$clock\", want one of [join [dict keys $clocks] {, }]"
    }
    if {![string is double -strict $ns] || !($ns > 0 && $ns <= 1000)} {
      fail "-period \"$text\": want nanoseconds, more than 0 and at most 1000"
    }
    return [list $clock $ns]
  }

  # periods is the periods in words.
  proc periods {list} {
    if {[dict size $list] == 1} {
      return "[lindex $list 1] ns"
    }
    set words {}
    dict for {clock ns} $list {
      lappend words "$clock $ns ns"
    }
    return [join $words {, }]
  }

  # help prints the head of this script.
  proc help {} {
    variable script
    foreach line [split [text $script] "\n"] {
      if {[regexp {^#( (.*))?$} $line -> _ words]} {
        puts $words
      } else {
        break
      }
    }
  }

  # text returns the contents of a file.
  proc text {name} {
    set f [open $name r]
    set t [read $f]
    close $f
    return $t
  }

  # put writes a file in one piece: an interrupted run leaves the old one.
  proc put {name text} {
    set f [open $name.tmp w]
    puts -nonewline $f $text
    close $f
    file rename -force $name.tmp $name
  }

  # Scripts that constrain what crosses from one clock to another, beside this one.
  variable crossings {@CROSSINGS@}

  # The shared parts and the unit's files in compile order, relative to this script.
  variable files {
@FILES@
  }

  # sources returns the files, which must be there.
  proc sources {} {
    variable here
    variable files
    variable crossings
    set list {}
    foreach name $files {
      set file [file normalize [file join $here $name]]
      if {![file readable $file]} {
        fail "source $file cannot be read: emit the unit again"
      }
      lappend list $file
    }
    foreach script $crossings {
      if {![file readable [file join $here $script]]} {
        fail "script [file join $here $script] cannot be read: emit the unit again"
      }
    }
    return $list
  }

  # constraints returns the file of constraints for some periods: the one beside this script,
  # or a copy in the folder out with other periods, on which all else in it depends.
  proc constraints {periods out} {
    variable here
    variable clocks
    set xdc [file join $here @XDC@]
    if {![file readable $xdc]} {
      fail "constraints $xdc cannot be read: emit the unit again"
    }
    set changed [text $xdc]
    set same 1
    dict for {clock ns} $periods {
      if {$ns == [dict get $clocks $clock]} {
        continue
      }
      set same 0
      set name [expr {[regexp -line "^set period_$clock " $changed] ? "period_$clock" : "period"}]
      if {[regsub -all -line "^set $name .*$" $changed "set $name $ns" changed] != 1} {
        fail "constraints $xdc do not set the period in one line \"set $name NS\": emit the unit again"
      }
    }
    if {$same} {
      return $xdc
    }
    set copy [file join $out @XDC@]
    put $copy $changed
    return $copy
  }

  # build synthesises and, unless only synthesis is asked for, implements the unit.
  proc build {files xdc synth_only} {
    variable top
    variable part
    variable here
    variable crossings
    create_project -in_memory -part $part
    foreach file $files {
      switch -exact -- [file extension $file] {
        .sv { read_verilog -sv $file }
        .v { read_verilog $file }
        .mem - .hex { read_mem $file }
        default { fail "source $file: want a name that ends in .sv, .v, .mem or .hex" }
      }
    }
    read_xdc -mode out_of_context $xdc
    synth_design -top $top -part $part -mode out_of_context@GENERICS@@SYNTH@
    foreach script $crossings {
      uplevel #0 [list source [file join $here $script]]
    }
    if {$synth_only} {
      return synthesis
    }
    opt_design@OPT@
    place_design@PLACE@
    phys_opt_design@PHYS_OPT@
    route_design@ROUTE@
    return route
  }

  # reports writes the checkpoint and the reports for people.
  proc reports {out stage} {
    variable top
    write_checkpoint -force [file join $out $top.dcp]
    report_timing_summary -max_paths 10 -file [file join $out timing.rpt]
    check_timing -verbose -file [file join $out check_timing.rpt]
    report_pulse_width -file [file join $out pulse_width.rpt]
    report_utilization -hierarchical -file [file join $out utilization.rpt]
    report_design_analysis -logic_level_distribution -file [file join $out logic_levels.rpt]
    report_control_sets -verbose -file [file join $out control_sets.rpt]
    report_high_fanout_nets -load_types -fanout_greater_than 100 -max_nets 100 -file [file join $out fanout.rpt]
    report_methodology -file [file join $out methodology.rpt]
    report_exceptions -file [file join $out exceptions.rpt]
    report_cdc -file [file join $out cdc.rpt]
    if {$stage eq "route"} {
      report_route_status -file [file join $out route_status.rpt]
    }
  }

  # figure finds the number in the first column of a row of a report's table.
  proc figure {name report row} {
    if {![regexp -line "^\\|\\s*${row}\\*?\\s*\\|\\s*(\[0-9.\]+)\\s*\\|" $report -> n]} {
      unknown_report "$name has no row \"$row\""
    }
    return $n
  }

  # summary returns the row of the timing summary: worst and total slack, failing and all
  # endpoints of setup, hold and pulse width, null where nothing is checked.
  proc summary {report} {
    if {![regexp -line {^\s*WNS\(ns\)\s+TNS\(ns\).*\sWHS\(ns\).*\sWPWS\(ns\).*\n[\s-]*\n(.*)$} $report -> row]} {
      unknown_report "report_timing_summary has no summary table"
    }
    if {[llength $row] != 12} {
      unknown_report "report_timing_summary shows [llength $row] figures in its summary, want 12"
    }
    set list {}
    foreach n $row {
      if {$n eq "NA"} {
        lappend list null
      } elseif {[regexp {^-?\d+(\.\d+)?$} $n]} {
        lappend list $n
      } else {
        unknown_report "report_timing_summary shows \"$n\" where a number belongs"
      }
    }
    return $list
  }

  # slack_findings says what is wrong with one of the three checks of the timing summary.
  proc slack_findings {name worst failing endpoints} {
    if {$worst eq "null" || $endpoints eq "null" || $endpoints == 0} {
      return [list "$name: nothing is checked, there is no slack"]
    }
    if {$worst < 0 || $failing != 0} {
      return [list "$name: $failing of $endpoints endpoints fail, worst slack $worst ns"]
    }
    return {}
  }

  # clock_findings says what is wrong with the clocks that are defined.
  proc clock_findings {periods} {
    set there {}
    foreach clock [get_clocks -quiet] {
      dict set there [get_property NAME $clock] [get_property PERIOD $clock]
    }
    if {[dict size $there] == 0} {
      return [list "no clock is defined: nothing is timed"]
    }
    set list {}
    dict for {name is} $there {
      if {![dict exists $periods $name]} {
        lappend list "clock $name is defined: want [join [dict keys $periods] {, }] alone"
      } elseif {abs($is - [dict get $periods $name]) > 0.0005} {
        lappend list "clock $name has a period of $is ns, want [dict get $periods $name] ns"
      }
    }
    foreach name [dict keys $periods] {
      if {![dict exists $there $name]} {
        lappend list "clock $name is not defined"
      }
    }
    return $list
  }

  # counts returns what check_timing found, by the name of the check.
  proc counts {report} {
    variable unconstrained
    set list {}
    foreach {all name n} [regexp -all -inline -line {^\s*\d+\. checking (\w+) \((\d+)\)\s*$} $report] {
      dict set list $name $n
    }
    foreach name [dict keys $unconstrained] {
      if {![dict exists $list $name]} {
        unknown_report "check_timing does not check $name"
      }
    }
    return $list
  }

  # constraint_findings says which of these must not be.
  proc constraint_findings {counts} {
    variable unconstrained
    set list {}
    dict for {name sentence} $unconstrained {
      if {[dict get $counts $name] != 0} {
        lappend list [format $sentence [dict get $counts $name]]
      }
    }
    return $list
  }

  # methodology_findings says which rules of the methodology report are broken by more than
  # a warning.
  proc methodology_findings {report} {
    if {![regexp {(Checks|Violations) found:\s*\d+} $report]} {
      unknown_report "report_methodology does not say how many violations it found"
    }
    set list {}
    foreach {all rule severity what n} [regexp -all -inline -line \
        {^\|\s*(\S+)\s*\|\s*(Fatal|Error|Critical Warning)\s*\|\s*(.*?)\s*\|\s*(\d+)\s*\|} $report] {
      lappend list "methodology: [string tolower $severity] $rule, $what, $n times"
    }
    return $list
  }

  # routing_errors returns the number of nets with such.
  proc routing_errors {report} {
    if {![regexp -line {# of nets with routing errors\.* *: *(\d+) *:} $report -> n]} {
      unknown_report "report_route_status does not count nets with routing errors"
    }
    return $n
  }

  # control_sets returns their number.
  proc control_sets {report} {
    if {![regexp -line {^\|\s*(?:Total control sets|Number of unique control sets)\s*\|\s*(\d+)\s*\|} $report -> n]} {
      unknown_report "report_control_sets does not count control sets"
    }
    return $n
  }

  # loaded returns the nets of over 100 loads, names and loads by turns.
  proc loaded {} {
    set list {}
    foreach net [get_nets -quiet -hierarchical -top_net_of_hierarchical_group -filter {TYPE == SIGNAL && FLAT_PIN_COUNT > 101}] {
      lappend list [get_property NAME $net] [expr {[get_property FLAT_PIN_COUNT $net] - 1}]
    }
    return $list
  }

  # quoted is a text as JSON has it.
  proc quoted {text} {
    return "\"[string map {\\ \\\\ \" \\\" \n \\n \t \\t} $text]\""
  }

  # array_of is a list of texts as JSON has it.
  proc array_of {texts} {
    set list {}
    foreach text $texts {
      lappend list [quoted $text]
    }
    return "\[[join $list {, }]\]"
  }

  # check measures the design in memory, writes summary.json and returns the findings.
  proc check {out stage periods} {
    variable unit
    variable top
    variable part
    set timing [summary [report_timing_summary -no_header -return_string]]
    lassign $timing wns tns setup_fails setup_ends whs ths hold_fails hold_ends wpws tpws pulse_fails pulse_ends
    set counts [counts [check_timing -no_header -return_string]]
    set used [report_utilization -return_string]
    set critical [get_msg_config -severity {CRITICAL WARNING} -count]

    set findings [clock_findings $periods]
    lappend findings {*}[slack_findings setup $wns $setup_fails $setup_ends]
    set errors null
    if {$stage eq "route"} {
      lappend findings {*}[slack_findings hold $whs $hold_fails $hold_ends]
      set errors [routing_errors [report_route_status -return_string]]
      if {$errors != 0} {
        lappend findings "$errors nets have routing errors"
      }
    }
    lappend findings {*}[slack_findings "pulse width" $wpws $pulse_fails $pulse_ends]
    lappend findings {*}[constraint_findings $counts]
    lappend findings {*}[methodology_findings [report_methodology -return_string]]
    if {$critical != 0} {
      lappend findings "Vivado gave $critical critical warnings: see its output"
    }

    set lines {}
    foreach {key value} [list unit [quoted $unit] top [quoted $top] part [quoted $part] stage [quoted $stage]] {
      lappend lines "  \"$key\": $value"
    }
    lappend lines "  \"period_ns\": [format %.6g [lindex $periods 1]]"
    if {[dict size $periods] > 1} {
      set list {}
      dict for {name ns} $periods {
        lappend list "\"$name\": [format %.6g $ns]"
      }
      lappend lines "  \"periods_ns\": {[join $list {, }]}"
    }
    lappend lines "  \"signed_off\": [expr {$stage eq {route} && [llength $findings] == 0 ? {true} : {false}}]"
    lappend lines "  \"findings\": [array_of $findings]"
    foreach key {wns_ns tns_ns setup_failing setup_endpoints whs_ns ths_ns hold_failing hold_endpoints
        wpws_ns tpws_ns pulse_width_failing pulse_width_endpoints} value $timing {
      lappend lines "  \"$key\": $value"
    }
    set list {}
    dict for {name n} $counts {
      lappend list "\"$name\": $n"
    }
    lappend lines "  \"check_timing\": {[join $list {, }]}"
    lappend lines "  \"routing_errors\": $errors" "  \"critical_warnings\": $critical"
    lappend lines "  \"control_sets\": [control_sets [report_control_sets -return_string]]"
    set list {}
    foreach {net loads} [loaded] {
      lappend list "{\"net\": [quoted $net], \"loads\": $loads}"
    }
    lappend lines "  \"nets_over_100\": \[[join $list {, }]\]"
    foreach {key row} {lut {CLB LUTs} ff {CLB Registers} bram36 {Block RAM Tile} uram URAM dsp DSPs} {
      lappend lines "  \"$key\": [figure report_utilization $used $row]"
    }
    put [file join $out summary.json] "{\n[join $lines ",\n"]\n}\n"
    return $findings
  }

  # run does the work and returns the exit code.
  proc run {argv} {
    variable top
    array set arg [arguments $argv]
    if {$arg(-help)} {
      help
      return 0
    }
    set files [sources]
    set out $arg(-out)
    if {[catch {file mkdir $out} message]} {
      fail "-out $out: $message"
    }
    set xdc [constraints $arg(-period) $out]
    # A summary of an earlier run must not survive a run that fails.
    set summary [file join $out summary.json]
    file delete -force $summary

    if {$arg(-jobs) ne ""} {
      set_param general.maxThreads $arg(-jobs)
    }
    set stage [build $files $xdc $arg(-synth_only)]
    reports $out $stage
    set findings [check $out $stage $arg(-period)]
    if {[llength $findings] > 0} {
      puts stderr "$top is not signed off after $stage at [periods $arg(-period)]:"
      foreach finding $findings {
        puts stderr "  $finding"
      }
      puts stderr "See $summary"
      return 2
    }
    if {$stage eq "route"} {
      puts "$top is signed off after route at [periods $arg(-period)]: $summary"
    } else {
      puts "$top: synthesis at [periods $arg(-period)] shows nothing wrong; timing is an estimate until it is routed: $summary"
    }
    return 0
  }
}

if {[catch {nicgen::run [expr {[info exists argv] ? $argv : {}}]} nicgen::code]} {
  puts stderr "@TCL@: $nicgen::code"
  exit 1
}
exit $nicgen::code
