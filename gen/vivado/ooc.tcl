# SPDX-License-Identifier: Apache-2.0
#
# Makes a Vivado project one of @TOP@ alone, out of context: reads the constraints
# @XDC@, which lie beside this file, as ones that hold only out of
# context, and has the run synth_1 synthesise that way, without I/O buffers.
#
# Source it once the project is there. FuseSoC does so in the target synth.

read_xdc -mode out_of_context [file join [file dirname [file normalize [info script]]] @XDC@]
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} -objects [get_runs synth_1]
