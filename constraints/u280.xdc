# SPDX-License-Identifier: Apache-2.0
#
# Alveo U280 (xcu280-fsvh2892-2L-e): reference clocks and board settings that a
# design with nicgen units needs besides its own pins. Read it in context, for
# the whole design; README.md says which clocks drive the units.
#
# Ports must carry these names; leave out what the design does not have.

# Configuration bank at 1.8 V.
set_property CFGBVS GND [current_design]
set_property CONFIG_VOLTAGE 1.8 [current_design]

# HBM over-temperature output to the board controller. Drive it low when HBM is
# not used: a floating pin can shut the card down.
set_property -dict {PACKAGE_PIN D32 IOSTANDARD LVCMOS18} [get_ports hbm_cattrip]

# PCI Express reference clock, 100 MHz. The PCIe core makes the 250 MHz user
# clock of 4 ns from it and constrains that clock itself.
set_property -dict {PACKAGE_PIN AR15} [get_ports pcie_refclk_p]
set_property -dict {PACKAGE_PIN AR14} [get_ports pcie_refclk_n]
create_clock -period 10.000 -name pcie_refclk [get_ports pcie_refclk_p]

# QSFP reference clocks, 161.1328125 MHz. Each CMAC makes its 322.265625 MHz
# user clock of 3.103 ns from one and constrains that clock itself.
set_property -dict {PACKAGE_PIN R40} [get_ports qsfp0_refclk_p]
set_property -dict {PACKAGE_PIN R41} [get_ports qsfp0_refclk_n]
create_clock -period 6.206 -name qsfp0_refclk [get_ports qsfp0_refclk_p]
set_property -dict {PACKAGE_PIN M42} [get_ports qsfp1_refclk_p]
set_property -dict {PACKAGE_PIN M43} [get_ports qsfp1_refclk_n]
create_clock -period 6.206 -name qsfp1_refclk [get_ports qsfp1_refclk_p]

# No clocks are declared asynchronous as a whole here: that would also switch
# off the set_max_delay -datapath_only of synchronisers. Constrain each crossing
# where it is, and let report_cdc find the ones that have no synchroniser.
