# SPDX-License-Identifier: Apache-2.0
#
# Synthesises and implements @TOP@ alone, out of context, for @PART@.
#
#   vivado -mode batch -nojournal -nolog -source @TCL@ [-tclargs ARGUMENTS]
#
# Arguments
#   -out DIR        folder for reports and checkpoints (@UNIT@_vivado)
#   -period NS      clock period in nanoseconds (@PERIOD@)
#   -jobs N         threads, 1 to 32 (what Vivado chooses)
#   -synth_only     stop after synthesis: no placement, timing is an estimate
#   -help           print this text
#
# Files in DIR: timing.rpt, utilization.rpt, logic_levels.rpt, methodology.rpt,
# cdc.rpt, @TOP@.dcp and summary.json (WNS, TNS, LUT, FF, BRAM, URAM, DSP).
#
# Exit code: 0 timing met, 1 wrong use or a step that failed, 2 timing not met.

namespace eval nicgen {
  variable here [file dirname [file normalize [info script]]]
  variable script [file normalize [info script]]
  variable unit @UNIT@
  variable top @TOP@
  variable part @PART@

  # fail stops with a message for people, without a stack trace.
  proc fail {message} {
    return -code error -errorcode NICGEN $message
  }

  # arguments returns the arguments as an array list, checked.
  proc arguments {list} {
    variable unit
    set arg(-out) [file normalize ${unit}_vivado]
    set arg(-period) @PERIOD@
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
          set arg($name) [lindex $list $i]
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
    if {![string is double -strict $arg(-period)] || !($arg(-period) > 0 && $arg(-period) <= 1000)} {
      fail "-period \"$arg(-period)\": want nanoseconds, more than 0 and at most 1000"
    }
    if {$arg(-jobs) ne "" && (![string is integer -strict $arg(-jobs)] || $arg(-jobs) < 1 || $arg(-jobs) > 32)} {
      fail "-jobs \"$arg(-jobs)\": want a whole number from 1 to 32"
    }
    return [array get arg]
  }

  # text returns the contents of a file.
  proc text {name} {
    set f [open $name r]
    set t [read $f]
    close $f
    return $t
  }

  # The shared parts and the unit's files in compile order, relative to this script.
  variable files {
@FILES@
  }

  # sources returns the files, which must be there.
  proc sources {} {
    variable here
    variable files
    set list {}
    foreach name $files {
      set file [file normalize [file join $here $name]]
      if {![file readable $file]} {
        fail "source $file cannot be read: emit the unit again"
      }
      lappend list $file
    }
    return $list
  }

  # figure finds the "Used" column of a row of report_utilization.
  proc figure {report row} {
    if {![regexp -line "^\\|\\s*${row}\\*?\\s*\\|\\s*(\[0-9.\]+)\\s*\\|" $report -> n]} {
      fail "report_utilization has no row \"$row\": this Vivado is not known to the script"
    }
    return $n
  }

  # slack returns worst and total negative setup slack, null where nothing is
  # constrained.
  proc slack {report} {
    if {![regexp -line {^\s*WNS\(ns\)\s+TNS\(ns\).*\n[\s-]*\n\s*(\S+)\s+(\S+)} $report -> wns tns]} {
      fail "report_timing_summary has no summary table: this Vivado is not known to the script"
    }
    set both {}
    foreach n [list $wns $tns] {
      if {$n eq "NA"} {
        lappend both null
      } elseif {[string is double -strict $n]} {
        lappend both $n
      } else {
        fail "report_timing_summary shows \"$n\" where a slack belongs: this Vivado is not known to the script"
      }
    }
    return $both
  }

  # put writes a file in one piece: an interrupted run leaves the old one.
  proc put {name text} {
    set f [open $name.tmp w]
    puts -nonewline $f $text
    close $f
    file rename -force $name.tmp $name
  }

  # run does the work and returns whether timing is met.
  proc run {argv} {
    variable here
    variable unit
    variable top
    variable part
    array set arg [arguments $argv]
    if {$arg(-help)} {
      variable script
      foreach line [split [text $script] "\n"] {
        if {[regexp {^#( (.*))?$} $line -> _ words]} {
          puts $words
        } else {
          break
        }
      }
      return 1
    }
    set files [sources]
    set xdc [file join $here @XDC@]
    if {![file readable $xdc]} {
      fail "constraints $xdc cannot be read: emit the unit again"
    }
    set out $arg(-out)
    if {[catch {file mkdir $out} message]} {
      fail "-out $out: $message"
    }
    # A summary of an earlier run must not survive a run that fails.
    file delete -force [file join $out summary.json]

    if {$arg(-jobs) ne ""} {
      set_param general.maxThreads $arg(-jobs)
    }
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
    if {$arg(-period) != @PERIOD@} {
      # A later create_clock of the same name on the same port replaces the first.
      set file [file join $out period.xdc]
      put $file "create_clock -period $arg(-period) -name clk \[get_ports clk\]\n"
      read_xdc -mode out_of_context $file
    }
    synth_design -top $top -part $part -mode out_of_context
    set stage synthesis
    if {!$arg(-synth_only)} {
      opt_design
      place_design
      phys_opt_design
      route_design
      set stage route
    }
    write_checkpoint -force [file join $out $top.dcp]
    report_timing_summary -max_paths 10 -file [file join $out timing.rpt]
    report_utilization -hierarchical -file [file join $out utilization.rpt]
    report_design_analysis -logic_level_distribution -file [file join $out logic_levels.rpt]
    report_methodology -file [file join $out methodology.rpt]
    report_cdc -file [file join $out cdc.rpt]

    lassign [slack [report_timing_summary -no_header -return_string]] wns tns
    set used [report_utilization -return_string]
    set met [expr {$wns eq "null" || $wns >= 0}]
    set json "{\n  \"unit\": \"$unit\",\n  \"top\": \"$top\",\n  \"part\": \"$part\",\n"
    append json "  \"stage\": \"$stage\",\n  \"period_ns\": [format %.6g $arg(-period)],\n"
    append json "  \"timing_met\": [expr {$met ? {true} : {false}}],\n"
    append json "  \"wns_ns\": $wns,\n  \"tns_ns\": $tns"
    foreach {key row} {lut {CLB LUTs} ff {CLB Registers} bram36 {Block RAM Tile} uram URAM dsp DSPs} {
      append json ",\n  \"$key\": [figure $used $row]"
    }
    append json "\n}\n"
    put [file join $out summary.json] $json
    puts "$top: $stage done, period $arg(-period) ns, worst slack $wns ns: [file join $out summary.json]"
    return $met
  }
}

if {[catch {nicgen::run [expr {[info exists argv] ? $argv : {}}]} nicgen::met]} {
  puts stderr "@TCL@: $nicgen::met"
  exit 1
}
exit [expr {$nicgen::met ? 0 : 2}]
